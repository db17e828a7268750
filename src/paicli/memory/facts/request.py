"""Requests: what asks for something to be done once, told from statements that begin with the same words. Pure."""

from __future__ import annotations

import re

_LEAD = r"^\W*(?:(?:那就?|那么|好的?|行|嗯|现在|先|顺便|然后|接着|再|另外|对了|麻烦|劳驾|辛苦|就|直接|快|赶紧|继续|你|您|去|来)[，,、\s]*)*"
_ASKED = re.compile(
    _LEAD
    + r"(?:帮(?!助)|请(?!求|假)|麻烦|劳驾|能不能|能否|可不可以|可以(?:帮|给|把)|给我|给他|替我|让我(?:看|想)|我(?:想|要|需要)(?:你|让你|请你)"
    r"|我(?:想|要|需要|打算|准备)(?:看|写|建|做|改|加|删|跑|试|查|装|创建|添加|实现|修|重构)|把|将(?!来|就)|应该|继续|再来|重新|开始|试试|看看|讲讲|说说|聊聊|想想|算算)"
)
_ENGLISH_ASKED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|now|then|so|and|but|also|first|next|just|again|alright|well|hey|hi|thanks|great|good|yes|no|sure|after that|quickly)[,.!]?\s+)*"
    r"(?:please|pls|you (?:should|could|need to|have to|must|can)|can you|could you|would you|will you|can we|i need you to|i(?:'d| would) like (?:you )?(?:to|a|an|the|some)|i (?:want|need) (?:you to|to (?:see|add|make|run|write|create|fix|know|try)|a new|an?(?= \w+ (?:that|which|for|to)))|help(?: me)?|let's|let me|feel free to|make sure|go ahead|give me|show me|tell me)\b",
    re.IGNORECASE,
)
_VERBS = (
    "记|跑|运行|执行|删掉?|删除|移除|去掉|添加|加上?|新增|新建|创建|建|写|改|修改|修|修复|重构|优化|看|查|查找|找|搜索?|列出?|读取?|打开|关掉?|关闭|启动|停止?|重启|安装|装"
    "|升级|更新|降级|提交|推送|合并|回滚|部署|发布|上线|测试|测|编译|构建|生成|翻译|总结|概括|解释|讲解?|说明|介绍|分析|检查|排查|调试|对比|比较|下载|上传|复制|拷贝|移动|重命名|替换"
    "|整理|格式化|画|做|弄|搞|换成?|取消|撤销|重试|打印|输出|显示|展示|导出|导入|设置|配置|启用|禁用|实现|设计|拆分|补充?|补全|回答|回复|告诉|记录|备份|清理|清空|初始化|封装|抽取|注释掉?|接入|引入|集成|模拟|验证|确认|起草|列举|推荐|计算|转换?|压缩|解压|克隆|拉取?|切换?"
)
_DONE_ONCE = re.compile(
    _LEAD + rf"(?:{_VERBS})(?:一下|下|一?(?:个|份|段|条|些|张|行|篇|套|遍|次|版|组|封)|掉|出来|成(?!功)|到|给我|完|好)"
)
_VERB_FIRST = re.compile(_LEAD + rf"(?:{_VERBS}|使用|用|采用|按照?|保持|继续)(?=[\s一-鿿A-Za-z0-9`\"'“])")
# What makes a clause that begins with such a word a statement: 提交信息用英文, 部署在 k8s, 测试要写.
_STATES = re.compile(
    r"(?<!^)(?:都|在(?!线)|用(?!于|来|户|例|法)|使用|走|由|是|必须|需要|不能|不要|要(?!点|求)|时候?[，,]?|[之以]?前|[之以]?后|得|采用|遵循|了$|过$|叫|等于|为|放|按|靠|统一|优先)"
)
_ENGLISH_VERBS = frozenset(
    """add adjust analyse analyze answer append apply ask benchmark build bump call cancel change check clean clear clone close commit compare compile
    complete configure continue convert copy create debug define delete deploy describe design disable do document download draft drop edit
    enable execute explain export extend extract fetch find finish fix format generate get give go help ignore implement import improve increase
    init initialise initialize insert inspect install integrate investigate join keep kill launch leave let lint list load look make measure merge
    migrate mock move open optimise optimize outline parse patch pin plan port print profile proofread provide pull push put read rebase redo
    refactor remind remove rename repeat replace reply report reset respond restart restore resume retry return revert review rewrite roll run save
    scaffold scan search send set show simplify skip sort split start stick stop suggest sum summarise summarize swap switch tell test think
    touch translate try turn undo uninstall unzip update upgrade upload use validate verify wait walk wrap write zip""".split()
)
_FIRST_WORD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|now|then|so|and|but|also|first|next|just|again|alright|well|hey|thanks|great|good|yes|no|sure|quickly|please|pls|only)[,.!]?\s+)*([a-z]+)(?=$|[\s,.!:])",
    re.IGNORECASE,
)
_NOUN_USE = re.compile(
    r"^\W*[a-z]+(?:\s+(?!(?:why|how|what|whether|that|which|if|the|this|an?|all|i|we|you|it|me|my|our)\b)[\w-]+){0,4}?\s+(?:is|are|was|were|has|have|runs?|must|should|uses?|lives?|takes?|goes|go|needs?|happens?|belongs?|will|can|gets?|stays?|starts?|listens?|live|happen)\b",
    re.IGNORECASE,
)
_CHANGED_TO = re.compile(r"(?:改|换|调|设|变|转)(?:成|为|到)(?!.*了)")
_IS_TOLD = re.compile(r"已经?|都|统一|要求|会|我们?|项目|团队|我的|\b(?:we|I)\b")
_FORBIDDING = re.compile(
    r"^\W*(?:请|你|以后)?(?:不要|不准|不许|别(?:再|用)?|勿|禁止|不得)|\b(?:do not|don't|never|avoid)\b", re.IGNORECASE
)
_ONE_THING = re.compile(
    r"先|这|那(?!么)|它|现在|刚|了$|急|说了|管|担心|客气|\b(?:it|this|that|these|those|yet|now|worry|bother|mind|forget)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^\W*(?:please |just |and |you can )*call me (?!(?:back|when|if|at|later|an?|the|on|in|once|after|before|to|maybe|now)\b)\w",
    re.IGNORECASE,
)
_NOT_AGAIN = re.compile(r"别再|不要再|不许再|不准再")
_OWN_SUBJECT = re.compile(
    r"^\W*(?:对了|另外|其实|反正|因为|毕竟|不过)?[，,\s]*(?:我(?!想要?你|要你)(?:们|的)?|咱们?|本?(?:这个)?项目|仓库|团队|公司|(?:by the way,? |also,? |and |but |because |since )?(?:I|we|our|my|the (?:project|team|repo|codebase|company))\b)",
    re.IGNORECASE,
)


def is_request(clause: str) -> bool:
    """Returns whether a clause asks for something to be done: 帮我 …, 跑一下 …, add …; what forbids for good is a rule.

    >>> (
    ...     is_request("提交一下代码"),
    ...     is_request("提交信息用英文写"),
    ...     is_request("add a test"),
    ...     is_request("tests are slow"),
    ... )
    (True, False, True, False)
    """
    if _NAMED.match(clause):
        return False
    if _FORBIDDING.search(clause) and not _ENGLISH_ASKED.match(clause):
        return bool(_ONE_THING.search(clause)) and not _NOT_AGAIN.search(clause)
    if _ASKED.match(clause) or _ENGLISH_ASKED.match(clause) or _DONE_ONCE.match(clause):
        return True
    verb = _VERB_FIRST.match(clause)
    if verb:
        return not _STATES.search(clause, verb.end())
    if _CHANGED_TO.search(clause) and not _IS_TOLD.search(clause):
        return True
    word = _FIRST_WORD.match(clause)
    is_verb = word is not None and word[1].casefold() in _ENGLISH_VERBS
    return is_verb and not (_NOUN_USE.match(clause) or (word and _STATES.search(clause, word.end())))


def begins_anew(clause: str) -> bool:
    """Returns whether a clause behind a request speaks of the user or the project, and is no part of the request."""
    return bool(_OWN_SUBJECT.match(clause))
