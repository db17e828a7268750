"""Lists of words: those that say nothing in a search, those that are one although they look like two, developers' words."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 咱们 吗 呢 吧 啊 呀 哦 么 和 与 或 及 也 都 就 还 要 会 能 可以 应该 把 被 给 让 对 从 到 向 用 以
    这 那 哪 这个 那个 哪个 哪些 哪里 什么 怎么 怎样 怎么样 如何 为什么 多少 几 个 一个 一下 一些 一 只 帮 帮我 请 请问 再 又 很 最 更 没 有 没有 不 别
    上 下 里 中 时 之 其 此 该 等 着 过 得 地 而 但 但是 如果 因为 所以 然后 以及 想 说 做 去 来 好 是否 现在 呗 嘛 谁
    a an the this that these those is are was were be been am do does did doing done has have had having of to in on at by for with from as and or not no
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs what which who whom whose when where why how
    can could should would will shall may might must please let so if then than there here about into up out just also
    don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain""".split()
)
UNDIVIDED = frozenset("javascript typescript mongodb mysql postgresql github gitlab graphql nosql youtube".split())
"""Names whose capitals do not part words: Java is not found in JavaScript."""
DEVELOPER_WORDS = tuple(
    """后端 前端 全栈 服务端 客户端 微服务 中间件 数据库 数据表 主键 外键 索引 字段 缓存 网关 端口 接口 部署 灰度 上线 回滚 发版 分支 合并 仓库 依赖 构建 编译
    打包 脚本 容器 镜像 集群 负载均衡 限流 熔断 降级 日志 监控 告警 埋点 单测 用例 重构 缩进 命名 注释 代码评审 评审 提测 联调 复盘 红线 止损 需求 排期 迭代
    框架 组件 模块 插件 鉴权 权限 令牌 密钥 线程 进程 协程 异步 同步 队列 消息队列 定时任务 时区 编码 序列化 消费者 生产者 幂等 事务 分库分表 读写分离 冒烟""".split()
)
FRAME_WORDS = frozenset(
    """曾经 告诉 告诉过 名字 名称 提到 提过 提及 说过 分享 推荐 记得 还记得 当时 这天 那天 聊 聊了 聊过 话题 内容 关于 时候
    kind type sort name mention tell say share happen describ recommend call specif like consid discuss talk rememb""".split()
)
"""Words, stemmed, that frame a question rather than say what the answer is about."""
