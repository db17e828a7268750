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
    "history-filling": (
        "对话已占可用空间的 {share}%，超过 80% 会自动压缩；可用 /compact 指定要保留的重点",
        "The conversation takes {share}% of its room; above 80% it is compressed. /compact FOCUS says what to keep",
    ),
    "compressed": (
        "对话已压缩：{before} → {after} token（{rounds} 轮；补回要点 {put_back} 个、规则 {rules} 条；{seconds} 秒，{spent} token）；/compact undo 可撤销",
        "Conversation compressed: {before} → {after} tokens ({rounds:round|rounds}; {put_back:detail|details} and {rules:rule|rules} put back; {seconds} s, {spent:token|tokens}). /compact undo takes it back",
    ),
    "compressed-without-model": (
        "没有用模型，用节录压缩了对话：{before} → {after} token（{rounds} 轮；补回要点 {put_back} 个、规则 {rules} 条）；/compact undo 可撤销",
        "Conversation compressed without the model, as an excerpt: {before} → {after} tokens ({rounds:round|rounds}; {put_back:detail|details} and {rules:rule|rules} put back). /compact undo takes it back",
    ),
    "results-shortened": (
        "{shrunk} 个较早的工具结果已缩短：{before} → {after} token；全文可用 recall 找回",
        "{shrunk:older tool result|older tool results} shortened: {before} → {after} tokens; recall has the whole text",
    ),
    "atoms-left-out": (
        "另有 {count} 个名称或数值放不进摘要；可用 /recall 找回",
        "{count:more name or value|more names and values} did not fit beside the summary; /recall finds them",
    ),
    "compression-failed": (
        "对话没有压缩，保持原样：{reason}",
        "The conversation was not compressed and is as it was: {reason}",
    ),
    "compression-paused": (
        "连续 {failures} 次没有压缩成功，暂停自动压缩；可用 /compact 再试",
        "Compression failed {failures:time|times} in a row and is paused; /compact tries again",
    ),
    "withdrawn": (
        "这句话没有得到回答，已从对话里撤回；按 ↑ 可再发",
        "Nothing came back to this message; it was withdrawn from the conversation. Press ↑ to send it again",
    ),
    "unknown-setting": (
        "{path} 里的设置 {key} 不认识，没有使用（可用的是 {meant}）",
        "The setting {key} in {path} is not known and not used (known: {meant})",
    ),
    "dotenv-lines": (
        "{path} 第 {lines} 行读不懂，已跳过",
        "Line {lines} of {path} can't be read and was left out",
    ),
    "folder-tightened": (
        "{path} 原来别人也能进，现在只有您能（0700）",
        "{path} was open to others; now it is private to you (0700)",
    ),
    "not-remembered": ("没有记住：{reason}", "Not remembered: {reason}"),
    "window-unknown": (
        "不知道 {model} 的上下文窗口，按 {window} token 计算；可在 config.toml 里用 context_window 指定",
        "The context window of {model} is not known; {window} tokens are assumed. Set context_window in config.toml",
    ),
    "window-learnt": (
        "从服务器得知 {model} 的窗口是 {window} token",
        "The server says that the window of {model} has {window} tokens",
    ),
}
