"""What is said in a session: at its start and end, around answers, by the commands."""

TEXTS = {
    "stopped": ("已停止", "Stopped"),
    "banner": ("paicli {version} · {model} · {project}", "paicli {version} · {model} · {project}"),
    "banner-help": (
        "输入问题开始，/help 看命令，Ctrl-D 退出",
        "Ask something; /help lists the commands, Ctrl-D leaves",
    ),
    "no-project": ("不在项目中", "no project"),
    "memory-only": (
        "还没有连接模型，先单独使用记忆。连接：/model {preset}（或设置 {variable}）；本地模型：/model local 地址",
        "No model is connected; this is the memory on its own. Connect one: /model {preset} (or set {variable}); a local one: /model local URL",
    ),
    "no-model": ("无模型", "no model"),
    "read-only": ("只读：本次会话什么都不写入磁盘", "Read-only: nothing of this session is written to the disk"),
    "waiting": ("思考中…… {seconds} 秒", "thinking… {seconds} s"),
    "waiting-rate-limited": (
        "请求太频繁（429），{seconds} 秒后再试",
        "Too many requests (429); trying again in {seconds} s",
    ),
    "waiting-server-failed": ("服务器出错，{seconds} 秒后再试", "The server failed; trying again in {seconds} s"),
    "waiting-model-unreachable": (
        "连不上模型，{seconds} 秒后再试",
        "The model can't be reached; trying again in {seconds} s",
    ),
    "waiting-other": ("模型没有答好，{seconds} 秒后再试", "No usable answer; trying again in {seconds} s"),
    "would-recall": ("没有模型来回答；这些记忆会被想起：", "No model to answer; this is what would be recalled:"),
    "would-recall-none": (
        "没有模型来回答，也没有与此相关的记忆。要记住它：/save 文字",
        "No model to answer, and no memory is about this. To remember it: /save TEXT",
    ),
    "leave-hint": ("再按一次 Ctrl-C 或按 Ctrl-D 退出", "Press Ctrl-C again, or Ctrl-D, to leave"),
    "answer-stopped": (
        "（回答已停止，已显示的部分保留在对话里）",
        "(stopped; what was shown stays in the conversation)",
    ),
    "thinking": ("思考：", "thinking: "),
    "recalled": ("带上 {count} 条记忆 · /why", "{count:memory|memories} given · /why"),
    "compressed": ("对话已压缩：{before} → {after} token", "Conversation compressed: {before} → {after} tokens"),
    "nothing-to-compress": ("对话还太短，没有可压缩的", "There is too little to compress yet"),
    "compressing": ("正在压缩……", "Compressing…"),
    "needs-yes": (
        "没有人可以点头，没有做：{question}（--yes 可一律同意）",
        "Not done, for nobody is there to say yes: {question} (--yes agrees to everything)",
    ),
    "agreed": ("按 --yes 同意：{question}", "Agreed by --yes: {question}"),
    "extracting": ("正在提取值得记住的事实……", "Looking for facts worth keeping…"),
    "nothing-extracted": ("这段对话里没有需要长期记住的新事实", "There was nothing new to remember for good"),
    "rejected": (
        "模型另外提的 {count} 条没有保存：您的原话里没有依据",
        "{count} of the model's proposals not kept: nothing you said supports them",
    ),
    "extraction-no-model": ("没有模型，无法从对话中提取事实", "Without a model no facts can be drawn out of the talk"),
    "extraction-deadline": (
        "提取未能在 {seconds} 秒内完成，下次启动时继续",
        "The extraction did not end within {seconds} s; it goes on at the next start",
    ),
    "extraction-left": ("没有提取的部分下次启动时继续", "What was not extracted is taken up at the next start"),
    "clear-anyway": (
        "没能提取事实，仍要清空对话吗？（下次启动时会再试）",
        "No facts were kept. Clear the conversation all the same? (It is tried again at the next start.)",
    ),
    "cleared": ("对话已清空", "Conversation cleared"),
    "cleared-forgotten": ("对话已清空，没有提取任何事实", "Conversation cleared; no facts were drawn out"),
    "not-cleared": ("没有清空，对话保持原样", "Not cleared; the conversation is as it was"),
    "catching-up": (
        (
            "有 {count} 个以前的会话还没有提取过事实，正在后台交给 {model}（{address}）提取。"
            '不想这样：在 config.toml 里设 memory_mode = "explicit"'
        ),
        (
            "{count:earlier session was|earlier sessions were} not looked through for facts yet; {model} ({address}) does so"
            ' now. To have none of it: memory_mode = "explicit" in config.toml'
        ),
    ),
    "caught-up": ("来自会话 {session}：", "From the session {session}:"),
    "bye": ("再见", "Bye"),
    "plan-next": (
        "下一条输入将先列计划再执行；再次 /plan 取消",
        "The next input will be planned first; /plan again calls it off",
    ),
    "plan-off": ("已取消", "Called off"),
    "plan-needs-model": ("计划需要模型", "A plan needs a model"),
    "plan-title": ("计划（{count} 步）", "Plan ({count:step|steps})"),
    "plan-confirm": ("执行这个计划吗？", "Carry out this plan?"),
    "plan-refused": ("没有执行", "Not carried out"),
    "plan-done": ("计划完成", "Plan done"),
    "plan-partly": ("计划没有全部完成：{done}/{count}", "The plan was not completed: {done}/{count}"),
    "task": ("第 {number} 步：{title}", "Step {number}: {title}"),
    "task-failed": ("这一步没有成功", "This step failed"),
    "allow-run": ("允许运行命令？  {detail}", "Run this command?  {detail}"),
    "allow-read": ("允许读取项目之外的 {detail}？", "Read {detail}, outside of the project?"),
    "allow-list": ("允许查看项目之外的 {detail}？", "List {detail}, outside of the project?"),
    "allow-write": ("允许写入 {detail}？", "Write {detail}?"),
    "allow-create": ("允许创建 {detail}？", "Create {detail}?"),
    "tool": ("{card} · {took}", "{card} · {took}"),
    "tool-done": ("{seconds:.1f} 秒", "{seconds:.1f} s"),
    "tool-failed": ("没有成功：{detail}", "failed: {detail}"),
    "status-short": (
        "短期记忆：{tokens:,} / {limit:,} token（{share:.1%}），{entries} 条，{rounds} 轮",
        "Short-term memory: {tokens:,} / {limit:,} tokens ({share:.1%}), {entries:entry|entries} in {rounds:round|rounds}",
    ),
    "status-waiting": (
        "　　另有 {count} 条已移出窗口，等待摘要",
        "  {count:entry|entries} more have left the window and wait for a summary",
    ),
    "status-long": ("长期记忆：{facts} 条事实 · {place}", "Long-term memory: {facts:fact|facts} · {place}"),
    "status-session-only": ("　　其中 {count} 条只在本次会话中", "  {count:of them|of them} for this session only"),
    "status-calls": (
        "模型调用：{calls} 次 · 输入 {input:,} token · 输出 {output:,} token",
        "Model calls: {calls} · {input:,} tokens in · {output:,} tokens out",
    ),
    "status-estimated": ("　　其中 {count} 次的用量是估算", "  the usage of {count} of them is estimated"),
    "purpose": ("用途", "purpose"),
    "calls": ("次数", "calls"),
    "input": ("输入", "in"),
    "output": ("输出", "out"),
    "estimated": ("估算", "estimated"),
    "total": ("合计", "total"),
    "no-calls": ("还没有调用过模型", "The model has not been called yet"),
    "why-none": ("还没有请求，或者没有相关的记忆", "No request yet, or no memory mattered to it"),
    "why-title": (
        "上一次请求带上的长期记忆（{tokens} token）：",
        "The long-term memory the last request carried ({tokens:token|tokens}):",
    ),
    "why-none-alone": (
        "没有模型，还没有请求。输入一句话，就会显示它会想起哪些记忆",
        "No model, so no request. Type a line, and see what it would recall",
    ),
    "why-title-alone": (
        "上一句话会带上的长期记忆（{tokens} token）：",
        "The long-term memory the last line would carry ({tokens:token|tokens}):",
    ),
    "why-core": ("常驻", "always"),
    "why-recalled": (
        "{score:.2f} = 匹配 {match:.2f} · 新近 {recency:.2f} · 来源 ×{weight:.1f}",
        "{score:.2f} = match {match:.2f} · recency {recency:.2f} · source ×{weight:.1f}",
    ),
    "why-skipped": ("还有 {count} 条放不下", "There was no room for {count} more"),
    "context-window": ("上下文窗口：{window:,} token", "context window: {window:,} tokens"),
    "context-system": ("系统提示", "system prompt"),
    "context-tools": ("工具", "tools"),
    "context-summary": ("摘要", "summary"),
    "context-block": ("想起的记忆", "recalled memory"),
    "context-history": ("对话", "conversation"),
    "context-reply": ("留给回答", "kept for the reply"),
    "context-free": ("空闲", "free"),
    "context-limit": (
        "对话和摘要：{tokens:,} / {limit:,} token（{share:.0%}）",
        "conversation and summary: {tokens:,} of {limit:,} tokens ({share:.0%})",
    ),
    "context-thresholds": (
        "超过 {warn:,} 提醒，超过 {compress:,}（80%）在后台压缩，超过 {hard:,}（95%）等压缩完",
        "above {warn:,} a warning, above {compress:,} (80%) compressed in the background, above {hard:,} (95%) at once",
    ),
    "uncompressed": (
        "已撤销压缩：{before} → {after} token；95% 之前不再自动压缩",
        "The compression was taken back: {before} → {after} tokens. Nothing is compressed on its own before 95%",
    ),
    "nothing-to-uncompress": (
        "这次运行里没有可以撤销的压缩",
        "There is no compression of this run to take back",
    ),
    "lang-hint": ("更换：/lang zh|en", "to change it: /lang zh|en"),
    "lang-now": ("界面语言：中文", "Language: English"),
}
