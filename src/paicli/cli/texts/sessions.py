"""What is said about earlier sessions: their list, what was said in them, and taking one up again."""

TEXTS = {
    "none": ("还没有会话记录", "There are no sessions yet"),
    "none-here": ("这个项目还没有可以继续的会话", "There is no earlier session of this project"),
    "id": ("会话", "session"),
    "number": ("序号", "no."),
    "spoken": ("最近", "last said"),
    "rounds": ("轮", "rounds"),
    "project": ("项目", "project"),
    "words": ("开头", "begins with"),
    "live": ("进行中", "running"),
    "choose": ("/resume 序号或编号 继续其中一个", "/resume NUMBER or ID goes on with one of them"),
    "which": ("继续哪一个？（序号或编号，回车选最近的）", "Which one? (number or id; Enter for the newest)"),
    "resumed": (
        "继续会话 {id}（{started} 开始，{rounds} 轮）：窗口里有 {tokens} token",
        "Session {id} goes on (begun {started}, {rounds:round|rounds}): {tokens:token|tokens} in the window",
    ),
    "last-user": ("　　最后的问题：{text}", "  last question: {text}"),
    "last-assistant": ("　　最后的回答：{text}", "  last answer: {text}"),
    "left": ("刚才的会话留着，/resume {id} 可回去", "The session before stays: /resume {id} goes back to it"),
    "summarised": (
        "较早的部分已压缩成摘要；原话用 /recall 文字 查找",
        "The earlier part is a summary; /recall TEXT finds what was said",
    ),
    "cleared": ("它的对话已用 /clear 清空，窗口是空的", "Its conversation was cleared by /clear: the window is empty"),
    "placeholders": (
        "有 {count} 条里的机密没有存盘，原处是占位符",
        "Placeholders stand where secrets were, in {count:entry|entries}: the disk never had them",
    ),
    "damaged": (
        "会话记录有 {count} 行损坏读不出来，其余完好",
        "{count:line|lines} of the transcript can't be read; the rest is intact",
    ),
    "elsewhere": (
        "这个会话是在 {folder} 进行的；现在仍在 {here}，工具和项目记忆以这里为准",
        "This session was in {folder}; the folder stays {here}, with its tools and its project's memory",
    ),
    "was-compressed": (
        "—— 压缩：以下摘要替代 {count} 条 ——",
        "── compressed: this stands for {count:entry|entries} ──",
    ),
    "was-undone": ("—— 压缩已撤销 ——", "── the compression was taken back ──"),
    "was-evicted": ("—— {count} 条移出窗口 ——", "── {count:entry|entries} left the window ──"),
    "was-withdrawn": ("—— {count} 条已撤回 ——", "── {count:entry|entries} withdrawn ──"),
    "was-shrunk": ("—— {count} 条工具结果缩短 ——", "── {count:tool result|tool results} shortened ──"),
    "was-clear": ("—— 清空 ——", "── cleared ──"),
    "was-resumed": ("—— 在 {folder} 继续 ——", "── taken up again in {folder} ──"),
    "shortened": (
        "[… 还有 {count} 字，--full 显示全部 …]",
        "[… {count:character|characters} more; --full shows them …]",
    ),
    "fact": ("事实", "fact"),
    "whole-entry": ("/recall 条目编号 显示全文", "/recall ENTRY-ID shows all of one"),
    "recall-none-here": (
        "本项目以往的话里没有提到 '{query}'；--all 也查其他项目",
        "Nothing said before in this project speaks of '{query}'; --all looks at other projects too",
    ),
    "recall-none": ("以往的话里没有提到 '{query}'", "Nothing said before speaks of '{query}'"),
}
