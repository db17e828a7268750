"""Why something can't be, by the `problem` an error names."""

TEXTS = {
    "unreadable": ("读不懂（{detail}），请改正或删除这个文件", "it can't be read ({detail}); mend or remove it"),
    "not-text": ('需要文字，例如 model = "glm"', 'a text is needed, such as model = "glm"'),
    "lang": ("只能是 zh 或 en", "it must be zh or en"),
    "memory-mode": ("只能是 auto 或 explicit", "it must be auto or explicit"),
    "threshold": ("需要一个 token 数，或者 never", "a number of tokens is needed, or never"),
    "window": (
        "需要不小于 {smallest} 的 token 数，例如 128000",
        "a number of tokens from {smallest} on is needed, such as 128000",
    ),
    "no-home": ("没有这个用户的主目录", "nobody has this home folder"),
    "address": (
        "需要 http:// 或 https:// 开头的地址，例如 http://localhost:11434/v1",
        "an address such as http://localhost:11434/v1 is needed",
    ),
    "empty": ("它是空的", "it is empty"),
    "key-space": (
        "第 {position} 个字符（共 {length} 个）是空白，密钥里不会有；请重新复制",
        "character {position} of {length} is white space, which no key has; copy it again",
    ),
    "key-character": (
        "第 {position} 个字符（共 {length} 个）是 {character}，密钥里不会有；请重新复制",
        "character {position} of {length} is {character}, which no key has; copy it again",
    ),
    "name-resolution": ("查不到这个主机名", "no host has this name"),
    "connection-refused": ("那里没有服务在监听", "nothing listens there"),
    "no-connection": ("{seconds} 秒内没有连上", "no connection within {seconds} s"),
    "no-answer": ("{seconds} 秒内没有回答", "no answer within {seconds} s"),
    "refused": ("您没有同意", "you said no"),
    "nobody": ("没有人可以点头（可用 --yes）", "nobody is there to say yes (use --yes)"),
    "no-tool": ("没有名为 {name} 的工具", "there is no tool named {name}"),
    "half-json": ("模型给的参数不完整", "the model's arguments are not complete"),
    "user-info": (
        "地址里不能带用户名或密码；密钥请用 PAICLI_API_KEY 给出，或在询问时输入",
        "a user name or password is no part of it; give the key by PAICLI_API_KEY, or when asked for it",
    ),
    "unwritable": ("写不进去（{detail}）", "it can't be written ({detail})"),
    "no-key": ("{preset} 还没有密钥", "there is no key for {preset}"),
    "no-address": ("{preset} 需要 --base-url 给出地址", "{preset} needs an address by --base-url"),
}

CHINESE_REASONS = {
    "it was opened for reading only": "以只读方式打开",
    "this version keeps memories in a folder only": "这个版本只支持文件夹",
    "it is a file, and no memory": "这是一个文件，不是记忆",
    "it is not a file": "这不是普通文件",
    "nobody has this home folder": "没有这个用户的主目录",
    "no model is connected": "没有连接模型",
    "the model gave an empty summary": "模型给了空的摘要",
    "the model's summary was cut off": "模型的摘要没有写完",
    "Permission denied": "没有权限",
    "Not a directory": "路径中有一段不是文件夹",
    "Is a directory": "这是一个文件夹",
    "No such file or directory": "没有这个文件或文件夹",
    "No space left on device": "磁盘已满",
    "Read-only file system": "文件系统只读",
    "File exists": "已有同名文件",
    "Disk quota exceeded": "超出磁盘配额",
    "Input/output error": "磁盘读写错误",
}
"""Reasons that come from below as an English sentence, the system's own among them."""

CHINESE_PATTERNS = {
    r"the summary has (\d+) tokens, its source (\d+)": r"摘要有 \1 token，不比原文（\2 token）短",
    r"with the summary the history has (\d+) tokens, without it (\d+)": r"换上摘要后历史有 \1 token，不比原来的 \2 token 少",
}
"""The same for reasons with numbers in them."""
