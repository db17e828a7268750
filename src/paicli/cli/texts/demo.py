"""What the demonstration tells, and the lines of its play."""

TEXTS = {
    "title": ("paicli 演示", "paicli, a demonstration"),
    "label": (
        "模型是脚本（不联网、不花钱），记忆、工具和磁盘都是真的；一切都在临时文件夹 {folder}，结束即删",
        "The model is scripted (no network, no cost); memory, tools and disk are real; all of it in {folder}, removed at the end",
    ),
    "article": ("记住一件事，下次用上", "A fact is remembered, and used the next time"),
    "ask-first": ("帮我创建一个 Java 项目叫 myapp", "Create a Java project called myapp"),
    "ask-remember": ("JDK 可以保持 17，你记一下", "Keep the JDK at 17, remember that"),
    "ask-again": ("帮我再创建一个项目", "Create another project for me"),
    "fact": ("用户希望 JDK 保持 17", "The user wants the JDK kept at 17"),
    "answer-done": ("（脚本模型）项目建好了。", "(scripted model) The project is ready."),
    "answer-remember": ("（脚本模型）好的，以后用 JDK 17。", "(scripted model) All right, JDK 17 from now on."),
    "cleared": (
        "对话已清空，下面的请求里没有任何旧消息",
        "The conversation is cleared; the next request holds no old message",
    ),
    "injected": (
        "模型之所以知道，是因为系统消息里带着这一段：",
        "The model knows, because the system message carried this:",
    ),
    "block": ("注入的记忆", "injected memory"),
    "restart": ("── 退出，重新启动 ──", "── leave, start again ──"),
    "pom": ("{path}: {line}", "{path}: {line}"),
    "window": (
        "2 000 token 的窗口里聊 14 轮：自动压缩",
        "14 rounds in a window of 2 000 tokens: compressed as it goes",
    ),
    "window-question": (
        "第 {number} 个问题：模块 {number} 的接口怎么设计，超时和重试该放在哪一层？",
        "Question {number}: how should the interface of module {number} look, and where do time limits and retries belong?",
    ),
    "window-answer": (
        "模块 {number} 用一个小接口，超时由调用方给出，重试只在最外层做一次。",
        "Module {number} gets one small interface; the caller gives the time limit, and only the outermost layer retries. ",
    ),
    "summary": (
        "目标：设计各模块的接口。决定：接口要小；超时由调用方给出；重试只在最外层。待办：其余模块。",
        "Goal: design the modules' interfaces. Decided: small interfaces; time limits from the caller; retries outermost only. Open: the other modules.",
    ),
    "summary-title": (
        "替代旧消息的摘要（脚本模型所写）",
        "the summary in the place of old messages (by the scripted model)",
    ),
    "compressed": (
        "第 {number} 轮后压缩：{before} → {after} token",
        "after round {number} compressed: {before} → {after} tokens",
    ),
    "window-end": (
        "{rounds} 轮之后对话占 {tokens} / {limit} token",
        "after {rounds} rounds the conversation takes {tokens} / {limit} tokens",
    ),
    "crash": ("正在存事实的进程被 kill -9", "A process that is storing facts is killed by kill -9"),
    "killed": (
        "第 {number} 次：杀死前确认已存 {acknowledged} 条；重新打开有 {there} 条，丢失 {lost} 条",
        "kill {number}: {acknowledged} acknowledged before; reopened it has {there}, lost {lost}",
    ),
    "nothing-lost": ("确认过的一条都没有丢", "Nothing that was acknowledged is lost"),
    "lost": ("丢了 {count} 条", "{count:fact|facts} lost"),
    "receipt": ("200 条事实里找出有关的那条，并说明理由", "Among 200 facts the one that matters, and why"),
    "other-fact": (
        "模块 {number} 的日志写到 log/module-{number}.txt",
        "Module {number} writes its log to log/module-{number}.txt",
    ),
    "receipt-fact": ("订单服务部署在 k8s，数据库是 PostgreSQL 16", "The order service runs on k8s with PostgreSQL 16"),
    "receipt-stored": ("另外存了 {count} 条不相干的事实", "{count} other facts have been stored"),
    "receipt-question": ("订单服务用的什么数据库？", "Which database does the order service use?"),
    "end": ("演示结束。开始使用：{command}", "That was the demonstration. Start with: {command}"),
    "failed": ("有一幕没有达到它所说的结果", "A scene did not show what it claims"),
}
