"""What should be told that is no error, by the `code` of a notice."""

TEXTS = {
    "redacted": (
        "已隐去 {count} 处机密（{kinds}），只保存占位符",
        "{count:secret|secrets} left out ({kinds}); only a placeholder is kept",
    ),
    "rows-skipped": (
        "{path} 里有 {count} 行看不懂，原样保留，没有使用",
        "{count:row|rows} of {path} not understood: kept as they are, not used",
    ),
    "damaged": (
        "{path} 已损坏；原文件另存为 {aside}，从中救回 {salvaged} 条",
        "{path} is damaged; it was set aside as {aside}, and {salvaged:entry|entries} could be saved from it",
    ),
    "window-unknown": (
        "不知道 {model} 的上下文窗口，按 {window} token 计算；可用 --context-window 指定",
        "The context window of {model} is not known; {window} tokens are assumed. Set it with --context-window",
    ),
    "window-learned": (
        "从服务器得知 {model} 的窗口是 {window} token",
        "The server says that the window of {model} has {window} tokens",
    ),
}
