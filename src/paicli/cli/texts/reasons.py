"""Why something can't be, by the `problem` an error names."""

TEXTS = {
    "unreadable": ("读不懂（{detail}），请改正或删除这个文件", "it can't be read ({detail}); mend or remove it"),
    "not-text": ('需要文字，例如 model = "glm"', 'a text is needed, such as model = "glm"'),
    "language": ("只能是 zh 或 en", "it must be zh or en"),
    "window": ("需要不小于 512 的 token 数，例如 128000", "a number of tokens from 512 on is needed, such as 128000"),
    "address": (
        "需要 http:// 或 https:// 开头的地址，例如 http://localhost:11434/v1",
        "an address such as http://localhost:11434/v1 is needed",
    ),
    "unwritable": ("写不进去（{detail}）", "it can't be written ({detail})"),
    "no-key": ("{preset} 还没有密钥", "there is no key for {preset}"),
    "no-address": ("{preset} 需要 --base-url 给出地址", "{preset} needs an address by --base-url"),
}

CHINESE_REASONS = {
    "it was opened for reading only": "以只读方式打开",
    "this version keeps memories in a folder only": "这个版本只支持文件夹",
    "no model is connected": "没有连接模型",
    "Permission denied": "没有权限",
    "Not a directory": "路径中有一段不是文件夹",
    "Is a directory": "这是一个文件夹",
    "No such file or directory": "没有这个文件或文件夹",
    "No space left on device": "磁盘已满",
    "Read-only file system": "文件系统只读",
    "File exists": "已有同名文件",
    "Disk quota exceeded": "超出磁盘配额",
    "Input/output error": "磁盘读写错误",
}
"""Reasons that come from below as an English sentence, the system's own among them."""
