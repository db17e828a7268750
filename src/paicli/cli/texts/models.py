"""What is said about models and keys in the CLI."""

TEXTS = {
    "now": (
        "模型：{model}（{label}）· {address} · 窗口 {window:,} token",
        "Model: {model} ({label}) · {address} · window {window:,} tokens",
    ),
    "server-choice": ("由服务器决定", "the server's choice"),
    "none": ("还没有连接模型", "No model is connected"),
    "presets": ("可选：{names}；也可以直接写模型名", "Presets: {names}; the name of a model does too"),
    "needs-key": ("{label} 需要密钥，在这里取得：{url}", "{label} needs a key; get one here: {url}"),
    "enter-key": ("密钥（输入不显示，直接回车取消）：", "Key (not shown; Enter alone to call it off): "),
    "no-key": ("没有输入密钥，模型没有更换", "No key was given; the model is as it was"),
    "no-dialogue": (
        "输入密钥需要终端；请设置环境变量 {variable}",
        "A key can only be entered at a terminal; set the variable {variable}",
    ),
    "testing": ("正在试用……", "Trying it…"),
    "works": ("可以使用", "It works"),
    "kept": ("密钥已保存在 {path}（仅本人可读）", "The key is kept in {path} (only you can read it)"),
    "not-kept": (
        "密钥没有保存（{reason}），只在本次会话有效",
        "The key could not be kept ({reason}); it serves this session only",
    ),
    "changed": ("已换成 {model}（{label}）", "Now using {model} ({label})"),
    "as-before": ("模型没有更换", "The model is as it was"),
    "shadowed": (
        "注意：下次启动时 {source} 优先于刚才的选择",
        "Note: at the next start {source} goes before this choice",
    ),
}
