"""What went wrong, by the `code` of the errors of `paicli.errors`."""

TEXTS = {
    "error": ("出错了：{reason}", "Something went wrong: {reason}"),
    "config": ("设置 {key} 的值 '{value}' 不能用：{reason}", "The setting {key} has the value '{value}': {reason}"),
    "store": ("长期记忆出错：{reason}", "The long-term memory failed: {reason}"),
    "store-unavailable": (
        "记忆文件夹 {place} 不能用（{reason}），什么都没有写入。可用 --memory-dir 换一处",
        "The memory at {place} can't be used ({reason}); nothing was written. Choose another place with --memory-dir",
    ),
    "store-busy": (
        "{place} 的记忆被另一个进程锁住超过 {seconds} 秒，没有写入，请再试一次",
        "The memory at {place} has been locked by another process for more than {seconds} s; nothing was written, try again",
    ),
    "store-read-only": (
        "{place} 的记忆以只读方式打开（{reason}），没有写入",
        "The memory at {place} is open read-only ({reason}); nothing was written",
    ),
    "unknown-entry": (
        "没有编号为 '{entry_id}' 的记忆。用 {list_command} 查看全部编号",
        "No memory has the id '{entry_id}'. See all ids with {list_command}",
    ),
    "ambiguous-entry": (
        "'{entry_id}' 对得上 {count} 条记忆：{ids}。请多输几位编号",
        "'{entry_id}' fits {count:memory|memories}: {ids}. Give more of the id",
    ),
    "unknown-session": (
        "没有编号为 '{session_id}' 的会话可以继续或显示。用 {sessions_command} 查看",
        "There is no other session with the id '{session_id}'. See them with {sessions_command}",
    ),
    "ambiguous-session": (
        "'{session_id}' 对得上 {count} 个会话：{ids}。请多输几位编号",
        "'{session_id}' fits {count:session|sessions}: {ids}. Give more of the id",
    ),
    "session-running": (
        "会话 {session} 正在另一个进程里进行（或正在从中提取事实），没有打开",
        "The session {session} is running in another process, or facts are just being drawn out of it; it was not opened",
    ),
    "empty-content": ("没有可以记住的文字", "There is no text to remember"),
    "compression-failed": (
        "对话没有压缩，保持原样：{reason}",
        "The conversation was not compressed and is as it was: {reason}",
    ),
    "message-too-large": (
        "这条消息约 {tokens} token；窗口 {window} token，最多放得下 {limit}。请缩短，或存成文件让我去读",
        "This message has about {tokens} tokens; with a window of {window} at most {limit} fit. Shorten it, or put it into a file",
    ),
    "window-too-small": (
        "{window} token 的窗口连提示词和工具说明都放不下，更放不下消息。请换一个窗口更大的模型",
        "A window of {window} tokens has no room for a message: the prompt and the tools fill it. Use a model with a larger one",
    ),
    "model": ("模型调用失败：{reason}", "The model call failed: {reason}"),
    "model-not-configured": (
        "还没有连接模型（{reason}）。用 /model 连接，或设置环境变量 {variable}",
        "No model is connected ({reason}). Connect one with /model, or set the variable {variable}",
    ),
    "model-not-configured-shell": (
        "还没有连接模型（{reason}）。请设置环境变量 {variable}，或运行 paicli 后用 /model 连接",
        "No model is connected ({reason}). Set the variable {variable}, or run paicli and connect one with /model",
    ),
    "key-rejected": (
        "{endpoint} 不接受密钥 {key}（HTTP {status}）。请核对密钥；也可以设置环境变量 PAICLI_API_KEY",
        "{endpoint} refused the key {key} (HTTP {status}). Check it; the variable PAICLI_API_KEY can hold it, too",
    ),
    "key-rejected-shell": (
        "{endpoint} 不接受密钥 {key}（HTTP {status}）。请核对密钥，设置环境变量 PAICLI_API_KEY",
        "{endpoint} refused the key {key} (HTTP {status}). Check it, and set the variable PAICLI_API_KEY",
    ),
    "key-missing": (
        "{endpoint} 需要密钥（HTTP {status}）。也可以设置环境变量 PAICLI_API_KEY",
        "{endpoint} wants a key (HTTP {status}). The variable PAICLI_API_KEY can hold it, too",
    ),
    "key-missing-shell": (
        "{endpoint} 需要密钥（HTTP {status}）。请设置环境变量 PAICLI_API_KEY",
        "{endpoint} wants a key (HTTP {status}). Set the variable PAICLI_API_KEY",
    ),
    "no-balance": (
        "密钥正确，但 {endpoint} 的账户没有余额：{detail}。请充值，或用 /model 换一个模型",
        "The key is right, but the account at {endpoint} has no balance: {detail}. Top it up, or change the model with /model",
    ),
    "no-balance-shell": (
        "密钥正确，但 {endpoint} 的账户没有余额：{detail}。请充值，或用 --model 换一个模型",
        "The key is right, but the account at {endpoint} has no balance: {detail}. Top it up, or choose another --model",
    ),
    "rate-limited": (
        "{endpoint} 限流（HTTP 429），试了 {attempts} 次仍然如此：{detail}。请稍后再试",
        "{endpoint} limits requests (HTTP 429), and still did after {attempts:try|tries}: {detail}. Try again later",
    ),
    "model-unreachable": (
        "连不上 {endpoint}：{detail}。请检查网络，或用 --base-url 更正地址",
        "No answer from {endpoint}: {detail}. Check the network, or correct the address with --base-url",
    ),
    "model-unreachable-here": (
        "连不上 {endpoint}：{detail}。模型服务启动了吗？地址可用 --base-url 更正",
        "No answer from {endpoint}: {detail}. Is the server running? The address can be corrected with --base-url",
    ),
    "request-refused-model-shell": (
        "{endpoint} 拒绝了请求（HTTP {status}）：{detail}。模型名不对时用 --model 更换",
        "{endpoint} refused the request (HTTP {status}): {detail}. If the model's name is wrong, choose another --model",
    ),
    "request-refused-path": (
        "{endpoint} 没有这个接口（HTTP {status}）：{detail}。地址多半少了 /v1，试试 {endpoint}/v1",
        "{endpoint} has no such path (HTTP {status}): {detail}. Most addresses end in /v1; try {endpoint}/v1",
    ),
    "request-refused": (
        "{endpoint} 拒绝了请求（HTTP {status}）：{detail}",
        "{endpoint} refused the request (HTTP {status}): {detail}",
    ),
    "request-refused-model": (
        "{endpoint} 拒绝了请求（HTTP {status}）：{detail}。模型名不对时用 /model 更换",
        "{endpoint} refused the request (HTTP {status}): {detail}. If the model's name is wrong, change it with /model",
    ),
    "context-overflow": (
        "请求超出了模型 {window} token 的窗口（HTTP {status}）：{detail}。可用 /compact 压缩对话",
        "The request is longer than the model's window of {window} tokens (HTTP {status}): {detail}. /compact makes it shorter",
    ),
    "context-overflow-shell": (
        "请求超出了模型 {window} token 的窗口（HTTP {status}）：{detail}。请缩短输入",
        "The request is longer than the model's window of {window} tokens (HTTP {status}): {detail}. Shorten it",
    ),
    "server-failed": (
        "{endpoint} 服务出错（HTTP {status}），试了 {attempts} 次仍然如此：{detail}。请稍后再试",
        "{endpoint} failed (HTTP {status}), and still did after {attempts:try|tries}: {detail}. Try again later",
    ),
    "stream-broken": (
        "{endpoint} 的回答中途断开：{detail}。已收到的部分留在对话里，可以让它继续",
        "The answer from {endpoint} broke off: {detail}. What had arrived stays in the conversation; ask it to go on",
    ),
    "empty-reply": (
        "{endpoint} 连续 {attempts} 次给出空回答。请换个说法，或用 /model 换一个模型",
        "{endpoint} gave an empty answer {attempts:time|times}. Put it differently, or change the model with /model",
    ),
    "empty-reply-shell": (
        "{endpoint} 连续 {attempts} 次给出空回答。请换个说法，或用 --model 换一个模型",
        "{endpoint} gave an empty answer {attempts:time|times}. Put it differently, or choose another --model",
    ),
    "extraction-failed": (
        "没能提取事实：读不懂模型的回答（{reason}）。对话保留，下次再试",
        "No facts could be drawn out: the model's reply can't be read ({reason}). The conversation is kept for the next try",
    ),
    "tool": ("工具出错：{reason}", "A tool failed: {reason}"),
    "plan-invalid": ("计划无法执行：{reason}", "The plan can't be run: {reason}"),
    "unexpected": (
        "意外的错误（{kind}）：{reason}。已保存的内容没有受影响",
        "An unexpected error ({kind}): {reason}. What was saved is not affected",
    ),
}
