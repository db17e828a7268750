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
    "damaged-left": (
        "{path} 已损坏，从中读到 {salvaged} 条；只读模式，原文件没有动",
        "{path} is damaged; {salvaged:entry|entries} could be read. It was left as it is, for nothing may be written",
    ),
    "store-unreadable": (
        "{place} 的记忆读不出来（{reason}），这次会话里没有它",
        "The memory at {place} can't be read ({reason}); this session goes on without it",
    ),
    "journal-failed": (
        "会话记录写不进 {place}（{reason}），本次会话不留记录",
        "The session's transcript can't be written to {place} ({reason}); this session leaves none",
    ),
    "compressed": ("对话已压缩：{before} → {after} token", "Conversation compressed: {before} → {after} tokens"),
    "compression-failed": (
        "对话没有压缩，保持原样：{reason}",
        "The conversation was not compressed and is as it was: {reason}",
    ),
    "compression-paused": (
        "连续 {failures} 次没有压缩成功，暂停自动压缩；可用 /compact 再试",
        "Compression failed {failures:time|times} in a row and is paused; /compact tries again",
    ),
    "not-remembered": ("没有记住：{reason}", "Not remembered: {reason}"),
    "window-unknown": (
        "不知道 {model} 的上下文窗口，按 {window} token 计算；可用 --context-window 指定",
        "The context window of {model} is not known; {window} tokens are assumed. Set it with --context-window",
    ),
    "window-learnt": (
        "从服务器得知 {model} 的窗口是 {window} token",
        "The server says that the window of {model} has {window} tokens",
    ),
}
