"""What the commands are called and do, for `/help` and completion. `TEXTS` of a command is its line in `/help`."""

TEXTS = {
    "help": (
        "/help [all]            这份说明；all 显示全部命令",
        "/help [all]            this list; all shows every command",
    ),
    "memory": ("/memory                记忆系统的状态", "/memory                the state of the memory"),
    "save": (
        "/save 文字 [-g|-p]     记住一条事实；-g 对所有项目，-p 只在本项目",
        "/save TEXT [-g|-p]     remember a fact; -g everywhere, -p in this project",
    ),
    "clear": (
        "/clear [--forget]      先提取事实再清空对话；--forget 什么都不留",
        "/clear [--forget]      extract facts, then clear the talk; --forget keeps none",
    ),
    "compact": (
        "/compact [重点|undo]   压缩对话，可指明要保留的重点；undo 撤销上次压缩",
        "/compact [FOCUS|undo]  compress the talk, keeping the focus; undo takes it back",
    ),
    "context": (
        "/context               上下文窗口的分配",
        "/context               how the context window is shared out",
    ),
    "plan": ("/plan [文字]           先列计划、确认后再执行", "/plan [TEXT]           plan, confirm, then carry out"),
    "recall": (
        "/recall 文字 [--all]   在窗口之前和以往的会话里查找",
        "/recall TEXT [--all]   find it before the window and in earlier sessions",
    ),
    "resume": (
        "/resume [编号]         继续以前的会话；不写编号则列出",
        "/resume [ID]           go on with an earlier session; without ID a list",
    ),
    "model": ("/model [名称 [地址]]   查看或更换模型", "/model [NAME [URL]]    show or change the model"),
    "lang": ("/lang zh|en            界面语言", "/lang zh|en            language of the interface"),
    "exit": (
        "/exit                  提取事实后退出（Ctrl-D 亦可）",
        "/exit                  extract facts and leave (Ctrl-D too)",
    ),
    "why": (
        "/why                   上一次请求带上了哪些记忆",
        "/why                   what memory the last answer was given",
    ),
    "cost": ("/cost                  模型调用与 token 用量", "/cost                  model calls and tokens"),
    "memory-list": ("/memory list [N|all]   列出最近的 N 条事实", "/memory list [N|all]   list the newest facts"),
    "memory-search": ("/memory search 文字    查找事实", "/memory search TEXT    find facts"),
    "memory-show": ("/memory show 编号      一条事实的全部信息", "/memory show ID        all that is known of a fact"),
    "memory-forget": ("/memory forget 编号    忘掉一条事实", "/memory forget ID      forget a fact"),
    "memory-undo": ("/memory undo           撤销最近一次改动", "/memory undo           take the latest change back"),
    "memory-why": ("/memory why            同 /why", "/memory why            the same as /why"),
    "memory-cost": ("/memory cost           同 /cost", "/memory cost           the same as /cost"),
    "memory-add": ("/memory add 文字       同 /save", "/memory add TEXT       the same as /save"),
    "keys": (
        "Ctrl-C 停止回答 · Ctrl-D 退出 · Alt-Enter 换行 · 以 // 开头可发送以 / 开头的文字",
        "Ctrl-C stops an answer · Ctrl-D leaves · Alt-Enter new line · // at the start sends a text that begins with /",
    ),
    "more": ("其余命令：/help all", "further commands: /help all"),
    "unknown": (
        "没有 /{name} 这个命令，没有发送。{hint}全部命令见 /help all",
        "There is no command /{name}; nothing was sent. {hint}All commands: /help all",
    ),
    "meant": ("是不是想输入 {name}？", "Did you mean {name}? "),
    "usage": ("用法：{usage}", "usage: {usage}"),
    "unknown-option": ("/{name} 没有选项 {option}", "/{name} has no option {option}"),
}
