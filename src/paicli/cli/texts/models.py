"""What is said about models and keys in the CLI."""

TEXTS = {
    "now": (
        "模型：{model}（{label}）· {address} · 窗口 {window:,} token",
        "Model: {model} ({label}) · {address} · window {window:,} tokens",
    ),
    "server-choice": ("由服务器决定", "the server's choice"),
    "key": ("密钥：{key}（来自 {source}）", "Key: {key} (from {source})"),
    "this-session": ("本次会话的输入", "what was entered in this session"),
    "without-key": ("密钥：没有", "Key: none"),
    "none": ("还没有连接模型", "No model is connected"),
    "presets": ("可选：{names}；也可以直接写模型名", "Presets: {names}; the name of a model does too"),
    "needs-key": ("{label} 需要密钥，在这里取得：{url}", "{label} needs a key; get one here: {url}"),
    "wants-key": (
        "给 {address} 输入密钥（也可以设置环境变量 {variable}）",
        "Enter the key for {address} (or set the variable {variable})",
    ),
    "enter-key": ("密钥（输入不显示，直接回车取消）：", "Key (not shown; Enter alone to call it off): "),
    "no-key": ("没有输入密钥", "No key was given"),
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
    "untried-key": (
        "密钥没有试过，只在本次会话有效",
        "The key has not been tried, so it serves this session only",
    ),
    "no-preset": (
        "没有名为 {name} 的预设（是不是想输入 {meant}？），当作 {address} 的模型名",
        "No preset is named {name} (did you mean {meant}?); it is taken as a model's name at {address}",
    ),
    "trying-path": ("那里没有这个接口，改试 {address}", "There is no such path; trying {address}"),
    "all-the-same": ("仍然换成它吗？", "Use it all the same?"),
    "ask-again": ("新的密钥已启用，请再问一次", "The new key is in use; ask again"),
    "changed": ("已换成 {model}（{label}）· {address}", "Now using {model} ({label}) · {address}"),
    "as-before": ("模型没有更换", "The model is as it was"),
    "shadowed": (
        "注意：下次启动时 {source} 优先于刚才的选择",
        "Note: at the next start {source} goes before this choice",
    ),
}
