"""Why something can't be, by the `problem` an error names."""

TEXTS = {
    "unreadable": ("读不出来（{reason}）", "{reason}"),
    "not-text": ('需要文字，例如 model = "glm"', 'a text is needed, such as model = "glm"'),
    "language": ("只能是 zh 或 en", "it must be zh or en"),
    "window": ("需要不小于 512 的 token 数，例如 128000", "a number of tokens from 512 on is needed, such as 128000"),
    "address": (
        "需要 http:// 或 https:// 开头的地址，例如 http://localhost:11434/v1",
        "an address such as http://localhost:11434/v1 is needed",
    ),
    "unwritable": ("写不进去（{reason}）", "{reason}"),
    "no-key": ("{preset} 还没有密钥", "there is no key for {preset}"),
    "no-address": ("{preset} 需要 --base-url 给出地址", "{preset} needs an address by --base-url"),
}
