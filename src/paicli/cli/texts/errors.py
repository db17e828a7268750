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
    "empty-content": ("没有可以记住的文字", "There is no text to remember"),
    "compression-failed": (
        "对话没有压缩，保持原样：{reason}",
        "The conversation was not compressed and is as it was: {reason}",
    ),
    "message-too-large": (
        "这条消息约 {tokens} token；窗口 {window} token，最多放得下 {limit}。请缩短，或存成文件让我去读",
        "This message has about {tokens} tokens; with a window of {window} at most {limit} fit. Shorten it, or put it into a file",
    ),
    "model": ("模型调用失败：{reason}", "The model call failed: {reason}"),
    "model-not-configured": (
        "还没有连接模型（{reason}）。用 /model 连接，或设置环境变量 {variable}",
        "No model is connected ({reason}). Connect one with /model, or set the variable {variable}",
    ),
    "key-rejected": (
        "{endpoint} 不接受密钥 {key}（HTTP {status}）。请核对密钥，用 /model 重新输入",
        "{endpoint} refused the key {key} (HTTP {status}). Check it, and enter it again with /model",
    ),
    "no-balance": (
        "密钥正确，但 {endpoint} 的账户没有余额：{detail}。请充值，或用 /model 换一个模型",
        "The key is right, but the account at {endpoint} has no balance: {detail}. Top it up, or change the model with /model",
    ),
    "rate-limited": (
        "{endpoint} 限流（HTTP 429），试了 {attempts} 次仍然如此：{detail}。请稍后再试",
        "{endpoint} limits requests (HTTP 429), and still did after {attempts:try|tries}: {detail}. Try again later",
    ),
    "model-unreachable": (
        "连不上 {endpoint}：{detail}。请检查网络，或用 --base-url 更正地址",
        "No answer from {endpoint}: {detail}. Check the network, or correct the address with --base-url",
    ),
    "request-refused": (
        "{endpoint} 拒绝了请求（HTTP {status}）：{detail}。模型名不对时用 /model 更换",
        "{endpoint} refused the request (HTTP {status}): {detail}. If the model's name is wrong, change it with /model",
    ),
    "context-overflow": (
        "请求超出了模型 {window} token 的窗口（HTTP {status}）：{detail}。可用 /compact 压缩对话",
        "The request is longer than the model's window of {window} tokens (HTTP {status}): {detail}. /compact makes it shorter",
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
