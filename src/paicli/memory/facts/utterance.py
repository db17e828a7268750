"""What kind of utterance a text is, by its words in Chinese and English: a question, a guess, hearsay, a request. Pure."""

from __future__ import annotations

import re

# ── for good, or for now ──

_DURABLE = re.compile(
    r"以后(?!再|有空|有时间)|今后|往后|从现在(?:起|开始)|从今|永远|永久|总是|每次|每当|一律|统一|始终|一直|固定|长期|只要"
    r"|都(?:用|要|得|按|走|这样|写|使用|保持|放|采用)|默认(?:用|使用|是|走|采用)|(?:记住|记一下|记下|记着|牢记)(?!\s*(?:日志|log))"
    r"|\b(?:always|never(?! ?mind)|from now on|from here on|every time|whenever|each time|going forward|from today on|by default"
    r"|by convention|as a rule|for good|permanently|keep in mind|note that|in (?:the )?future|remember(?!\s+to\s+(?!always|never)))\b",
    re.IGNORECASE,
)
_REMEMBER = re.compile(r"记|\b(?:remember|keep in mind|note)\b", re.IGNORECASE)
_FILLING = re.compile(
    r"请|麻烦|帮我|给我|你|您|我|就|也|都|要|得|先|这么|这样|如此|这个|这点|这|它|来|做|办|的|了|吧|哦|啊|呗|一下|\b(?:please|and|ok|okay|do|it|this|that|so|you|can|just|too)\b|[\W_]",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"这次|这回|本次|这一次|此次|再说[吧。]*$|^\W*等(?:我|会|下|一下)|算了|暂时|临时|今天|今晚|刚才|刚刚|先这样|稍后|待会|等会|一会儿|眼下|这(?:个|份|段|行|些|张)?(?:文件|函数|方法|类|脚本|代码|测试|报错|分支|改动|改法|提交|PR|bug|文档|表格|图)"
    r"|那(?:个|份|段|行)(?:文件|函数|方法|脚本|代码)|(?:^|[我们你那就])先(?!生|前|后|进)|试一?试|试一下|试试看"
    r"|\b(?:this time|for now|just (?:this )?once|today|tonight|right now|for the moment|at the moment|temporarily|for a start|later|yet"
    r"|(?:in|to|for|from) (?:this|that|the current) (?:file|function|method|class|script|line|test|branch|commit|pr|bug|module|directory|folder|one|case)"
    r"|this (?:file|function|method|class|script|bug|error|change|commit|pr|one)|give it a try|try it out|try out)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:报错|失败|崩溃?|挂掉?|坏|出错|卡住|超时|编译不过|跑不起来|打不开|没反应|不工作|不行|搞定|修好|完成|改完|好使)了|(?:连不上|访问不了|起不来|跑不通|加载不出)|又(?:报错|失败|挂|崩)"
    r"|\b(?:(?:does(?:n't| not)|is(?:n't| not)|not) work(?:ing)?|is (?:broken|failing|down|stuck)|keeps? (?:failing|crashing)|(?:just |it )crash(?:ed|es)"
    r"|(?:got|getting|get|see|seeing) (?:an?|this|the|some|lots of) (?:\w+ )?(?:error|exception|warning|failure)s?|it works|works now|failed (?:with|again))\b",
    re.IGNORECASE,
)

_DAY_TO_COME = re.compile(
    r"(?<!从)(?<!自)(?:明天|明早|明晚|明儿|后天|今早|(?:下个?|这个?|本)(?:周(?!报|会|期|边|末版)|星期|礼拜|月)(?:[一二三四五六日天末])?)(?!\S{0,4}(?:起|开始))"
    r"|(?<!from )(?<!starting )(?<!since )(?<!as of )\b(?:tomorrow|(?:next|this) (?:week(?:end)?|month|sprint|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b"
    r"|\b(?:need|want|due|done|finish\w*|ready|deliver\w*|ship\w*|submit\w*)\b(?!.*\b(?:every|each)\b).*\bby (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|tonight|eod|the end of)\b",
    re.IGNORECASE,
)
_UNDER_WAY = re.compile(
    r"正在(?!从|迁|学|开发|做|维护|负责|准备|用|使用|找工作)|我们?(?:还)?在(?:等(?!保)|看(?!守|护|好|板)|跑(?!步|马)|调试|改(?!行|造|编)|修(?!车|理)|排查|查(?!理)|开会|吃(?:饭|午|晚|早)|路上|忙|休假|出差|放假|度假)"
    r"|我们?(?:就|就要|快要?)?马上|(?:^|[，,\s])(?:马上|快要?)\S{1,8}了"
    r"|\bI(?:['’]m| am)\s+(?:(?:still|now|just|currently|also|really)\s+)*"
    r"(?!(?:us|liv|learn|study|build|develop|maintain|lead|manag|teach|major|special\w*|target|host|stor|deploy|aim|mov|migrat|switch|stick|keep|avoid|follow|train|rais|support|research|pursu|intern|freelanc|consult|cod|programm|serv)ing\b)"
    r"(?!working\b(?! on (?:the|this|that|it)\b(?!.*\b(?:team|project|side)\b))|running\b(?! (?:the|a|it)\b)|writing (?:an?|my|in)\b|going (?:by\b|to (?:use|stick|keep|go with|move|switch|adopt)\b))[a-z]+ing\b"
    r"|\bwe(?:['’]re| are)\s+(?:(?:still|now|just|currently)\s+)*(?:looking at|debugging|waiting|trying|fixing|checking|leaving|heading|stuck)\b"
    r"|\bI(?:['’]m| am)\s+(?:(?:still|now|just|currently)\s+)*(?:on (?:vacation|holiday|leave|line|page|my way|a call|the phone)|out of office|away|afk|back|hungry|tired|busy|stuck|at lunch)\b"
    r"|\bI(?:['’]ll| will) (?:be (?:right )?back|grab|get|have|take(?! care)|go|check|look|try|fix|push|see|let you know|ping|come|leave|wait|finish|eat|send|restart|commit|merge)\b",
    re.IGNORECASE,
)
_MISHAP = re.compile(
    r"我(?:又|也|好像)?(?:忘(?:了|记)|弄丢|找不到)|我(?:好|有点|太|真)?(?:累|饿|困|忙)(?:了|死)|现在(?:又|就|还|开始|一直)?(?:报(?!表|名)|卡|挂|崩|好了|能跑|没问题)|(?:报|返回)\s*[45]\d\d\s*了"
    r"|在?下(?:雨|雪)(?:了|呢|着)|在下(?:雨|雪)|天气(?:真|很|太|不错|好)|\bit(?:['’]s| is) (?:raining|snowing|hot|cold|sunny|windy|cloudy|late)\b"
    r"|\bI(?:['’]ve| have)? (?:just )?(?:(?:forgot|forgotten) (?:my|the|to|how)\b|lost (?:my|the) (?:password|keys?|token|phone|connection|changes|work|branch)\b)"
    r"|\b(?:build|ci|pipeline|tests?|server|site|deployment|job|main|prod\w*)\b (?:is|are) (?:(?:currently|now|still|all) )?(?:red|green|down|failing|passing|broken|slow|stuck)\b",
    re.IGNORECASE,
)
_JUST_DONE = re.compile(
    r"(?<![刚方坚])刚(?![好果性需毅强刚]|毕业|入职|搬|开始|结婚|学)"
    r"|\bjust (?!(?:need|joined|started|decided|moved|graduated|married)\b)(?:\w+ed|got|had|ran|did|made|wrote|saw|found|went|came|left|broke|lost|sent|took|read|bought)\b",
    re.IGNORECASE,
)

_SMALL_TALK = re.compile(
    r"^\W*(?:谢谢|多谢|感谢|辛苦|好的?|好了|收到|明白|知道了|了解|你好|您好|早|晚安|再见|拜拜|没事|没关系|不客气|哈哈|嗯+|哦+|对|是的|不对|可以|行|不错|很好|厉害|牛|赞"
    r"|thanks|thank you|thx|ok|okay|great|perfect|nice|cool|good (?:morning|evening|night|job|work)|hello|hi|hey|bye|sorry|got it|i see|understood|sure|yes|no|yep|nope|right|done|lol|haha|well done|sounds good|looks good|lgtm|never mind)"
    r"(?:你|您|大家|了|啊|呀|呢|哦|的|！|\s|a lot|so much|very much|everyone|all|again|then)*[\W_]*$",
    re.IGNORECASE,
)

# ── questions, guesses, hearsay ──

_POLITE_END = re.compile(
    r"[，,。.\s]*(?:好|可以|行|成|ok|okay|can you|please|all right|alright)(?:吗|么|不|吧)?\s*[?？]\s*$"
    r"|[，,]\s*(?:你|您)呢\s*[?？]?\s*$|[,.]\s*(?:and|what about|how about) you\s*\?\s*$",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(
    r"[?？]\s*[)）”\"']*\s*$|(?:[吗呢]|(?<![这那什怎要多])么|(?<![还来都也])没有|是不是|对不对|好不好|行不行|知道不|对吧|是吧)\s*[。.!！~]*\s*$"
)
_WHATEVER = re.compile(
    r"(?:不管|无论|不论|任凭)[^，,。]*|(?:什么|怎么|谁|哪里|啥)\S{0,4}都|没(?:有)?什么|什么的$|怎么说呢"
)
_ASKING = re.compile(
    r"什么|为何|为啥|啥|怎么|怎样|如何(?!都)|哪(?!怕)|谁|多少|几(?:个|点|号|种|次|天|岁)|多(?:大|长|久|快|高)(?=[？?]|$)"
    r"|是否|能否|可否|要不要|是不是|有没有|能不能|可不可以|该不该|好不好|会不会|需不需要|应不应该|值不值得"
    r"|(\w)不\1|想知道|想问|请问|问一下|问问|不知道|不清楚|不(?:太|大)?确定|好奇|搞不懂|没想好|拿不准|吃不准"
)
_CHOICE = re.compile(r"(?:用|选|要|喜欢|是|写|走|吃|上|学|买)\S*\s*[^，,。]*还是(?!用|要|会|觉得|喜欢|习惯|保持|按|得)")
_ENGLISH_ASKING = re.compile(
    r"^\W*(?:so |and |but |ok(?:ay)?,? |hey,? |hmm,? |well,? )*(?:why\b|how\s+(?:do|does|did|can|could|to|come|should|is|are|about|many|much|long)\b|what(?:'s|\s+(?:is|are|does|do|did|should|about|if|would|was|kind|version))\b"
    r"|when\s+(?:do|does|did|is|are|will|should)\b|where(?:'s|\s+(?:is|are|do|does|can|should|did))\b|who(?:'s|\s+(?:is|are|was|wrote|uses))\b|which\s+\w+\s+(?:do|does|should|is|are|would|has)\b"
    r"|(?:is|are|am|was|were|do|does|did|can|could|should|would|shall|has|have|isn't|aren't|don't|doesn't|didn't|won't|shouldn't|couldn't)\s+(?:i|we|you|it|they|he|she|the|this|that|there|my|our|your|any\w*)\b|(?:is|are|does|did|was|were|should|could|would)\s+[\w.+#-]+\s)"
    r"|\bwonder(?:ing|ed|s)?\b|\bcurious\b|\b(?:not sure|unsure|no idea|don't know|do not know|not certain|can't tell|want to know|like to know|asking|figure out|find out|check|see|tell me|know)\s+(?:about\s+)?(?:if|whether|why|what|how|which|when|where|who)\b",
    re.IGNORECASE,
)
_HYPOTHESIS = re.compile(
    r"假设|假如|假定|假使|如果|要是|万一|倘若|若是|设想|比如说?|例如|譬如|打个比方|的话(?=[，,。]|就|$)"
    r"|\b(?:if|suppose|supposing|assum(?:e|ing)|imagine|hypothetically|what if|let's say|say we|pretend|unless|in case|wish)\b",
    re.IGNORECASE,
)
_GUESS = re.compile(
    r"也许|我猜|猜测|我怀疑|(?<![尽不])可能(?!性)|大概|或许|说不定|没准|估计|好像|似乎|貌似|恐怕|感觉|考虑(?!到)|犹豫|纠结|要不(?!然)|不如|应该(?:是|会|可以|能|在|有)|我们应该|是不是该|想试|想法是|建议(?:用|改|换|考虑)|听起来"
    r"|吧[。.!！~]*$"
    r"|\b(?:maybe|perhaps|possibly|probably|presumably|might|could|i (?:guess|suspect|suppose|think|believe|assume|imagine|feel like)|seems?|seemingly|apparently"
    r"|likely|considering|thinking (?:of|about)|tempted|debating|would be (?:nice|good|better|great)|we should(?! (?:always|never))|should we|we may|it may|may be|what about|how about|not sure|or something|sort of|rumou?r)\b",
    re.IGNORECASE,
)
_PREFERRING = re.compile(r"\b(?:i (?:think|believe) i (?:prefer|like)|i (?:prefer|like|love|hate))\b", re.IGNORECASE)
_SOMEBODY = r"(?:他|她|它|他们|她们|它们|有人|别人|人家|大家|对方|同事|老板|领导|经理|朋友|客户|隔壁\S{0,4}|网上|文章里?|文档里?|书上|教程里?|官网|论坛|README|新人|实习生|前任|小[一-鿿]|老[一-鿿](?!是))"
_SAYING = r"(?:说|讲|觉得|认为|以为|建议|推荐|提到|告诉|表示|声称|写着?|问|想|希望|要求我?|喊|嫌)"
_HEARSAY = re.compile(
    rf"(?:{_SOMEBODY}|(?:^|[，,。；;])\s*[A-Z][a-z]+)\s*(?:[一-鿿A-Za-z]{{0,4}}?)(?:又|都|也|刚|老|总|昨天|今天)?\s*{_SAYING}|据说|听说|据悉|有人(?:用|说)"
    r"|\b(?:he|she|they|someone|somebody|people|everyone|everybody|my (?:\w+ )?(?:colleague|boss|friend|co-?worker|manager|teammate|lead|client|customer)s?"
    r"|(?:the|a|an|this|that) (?:\w+ )?(?:docs?|documentation|article|readme|blog|book|tutorial|post|page|client|customer|interviewer|guy|log|output|error|message|comment|ticket|email|spec)s?|[A-Z][a-z]+)"
    r"\s+(?:\w+ )?(?:says?|said|claims?|claimed|thinks?|thought|told|tells|suggest\w*|recommend\w*|believes?|reckons?|mention\w*|asked|wants?|insist\w*|wrote|writes|argues?|reads?|states?)\b"
    r"|\baccording to\b|\bi(?:'ve)? (?:heard|read|was told)\b|\bsupposedly\b|\breportedly\b"
)
_OTHERS = re.compile(
    r"^\W*(?:因为|但是?|不过|而|所以|听着)?(?:他|她|它|他们|她们|它们|别人|人家|对方|同事|老板|朋友|隔壁\S{0,4}?)(?:们)?(?!的?(?:项目)?是我)"
    r"|^\W*(?:but |and |because )?(?:(?:he|she|they|someone|somebody|everybody|everyone|people)(?:'s|'re)?\s+(?:\w+ )?(?:is|are|has|have|works?|was|were|does|writes?|runs?|uses?|likes?|prefers?|wants?|hates?|loves?)"
    r"|my (?:\w+ )?(?:colleague|boss|friend|co-?worker|manager|teammate)s?(?: [A-Z]\w+)?\s+(?:\w+ )?(?:uses?|likes?|prefers?|wants?|hates?|loves?))\b",
    re.IGNORECASE,
)
_PASTED = re.compile(
    r"(?:日志|报错|错误|异常|输出|原文|原话|内容|文章|邮件|聊天记录|对话|代码|片段|堆栈|文档|README|题目|简历)(?:信息|内容|记录|片段)?(?:如下|是这样的?|是|在下面)?\s*[:：]"
    r"|(?:翻译|总结|概括|润色|改写|解释|分析|校对|分类|提取|朗读|造句|看看|看下|看一下)[^：:。]{0,20}[:：]"
    r"|\b(?:here(?:'s| is| are)|this is|see|below (?:is|are)|got|getting|following)\b[^:.!?]{0,40}\b(?:logs?|output|file|errors?|text|messages?|emails?|trace|content|snippet|transcript|readme|paste|code|document|article|review|quote|list)\b[^:.!?]{0,15}:"
    r"|\b(?:translate|summari[sz]e|rewrite|proofread|explain|analy[sz]e|classify|parse|paraphrase|correct)\b[^:.!?]{0,40}:|(?m:^\s*(?:logs?|output|stdout|stderr|error|traceback|quote|readme)\s*:)|```|(?m:^>\s)",
    re.IGNORECASE,
)
_TRANSCRIPT = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|File \"|Traceback|at [\w.$]+\(|\$ |>>> |diff --git|\+\+\+ |--- )"
)


def is_durable(text: str) -> bool:
    """Returns whether a text says of itself that it holds for good: 以后, always, 记一下."""
    return bool(_DURABLE.search(text))


def says_only_durable(clause: str) -> bool:
    """Returns whether a clause says nothing but that what stands beside it holds for good: 你记一下, 以后都这样."""
    return is_durable(clause) and not _FILLING.sub("", _DURABLE.sub("", clause))


def is_plea(clause: str) -> bool:
    """Returns whether a clause asks for nothing but that what stands beside it is remembered: 你记一下."""
    return says_only_durable(clause) and bool(_REMEMBER.search(clause))


def is_of_the_moment(text: str) -> bool:
    """Returns whether a text is about this moment only: this time, this file, what has just failed, a thank-you."""
    if _MOMENT.search(text) or _STATE.search(text) or _SMALL_TALK.match(text):
        return True
    return bool(is_of_a_day(text) or _UNDER_WAY.search(text) or _MISHAP.search(text))


def is_of_a_day(text: str) -> bool:
    """Returns whether a text tells of a day or a week to come: 明天, next week; "from tomorrow on" begins what lasts."""
    return bool(_DAY_TO_COME.search(text))


def is_just_done(text: str) -> bool:
    """Returns whether a text tells what has just been done: 刚喝了, just pushed. A change just made lasts all the same."""
    return bool(_JUST_DONE.search(text))


def is_question(sentence: str, *, polite: bool = False) -> bool:
    """Returns whether a sentence asks something, or wonders.

    Args:
        sentence: The sentence, with its end.
        polite: Whether a "…, 可以吗?" behind it counts for nothing: behind a lasting wish it asks for no answer.
    """
    asked = _POLITE_END.sub("", sentence) if polite else sentence
    if _QUESTION_END.search(asked) or _ENGLISH_ASKING.search(asked):
        return True
    open_words = _WHATEVER.sub("", asked)
    return bool(_ASKING.search(open_words) or _CHOICE.search(open_words))


def is_hypothetical(text: str) -> bool:
    """Returns whether a text speaks of what would be: 假设, if."""
    return bool(_HYPOTHESIS.search(text))


def is_guess(text: str) -> bool:
    """Returns whether a text says that it is not sure, or only proposes: 也许, maybe, we should."""
    return bool(_GUESS.search(_PREFERRING.sub("", text)))


def is_hearsay(text: str) -> bool:
    """Returns whether a text gives what somebody else says or thinks."""
    return bool(_HEARSAY.search(text))


def is_about_others(clause: str) -> bool:
    """Returns whether the one a clause is about is neither the user nor anything of theirs."""
    return bool(_OTHERS.search(clause))


def is_pasted(before: str, line: str) -> bool:
    """Returns whether words are something shown, not said: behind "here is the log:", within a code fence, in a log's line.

    Args:
        before: What the message has before them, and they.
        line: The line they stand in.
    """
    return bool(_PASTED.search(before) or _TRANSCRIPT.match(line) or line.lstrip().startswith((">", "```")))
