"""What is said about settings, models and keys."""

TEXTS = {
    "setting": ("设置", "setting"),
    "value": ("值", "value"),
    "source": ("来源", "from"),
    "default": ("默认", "default"),
    "file": ("配置文件：{path}", "configuration file: {path}"),
}
