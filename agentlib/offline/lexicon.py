"""The words the scripted model knows: which mean the same, which only hang together, which say little."""

from __future__ import annotations

# One concept a line: its name, then the English and Chinese words that stand for it.
SAME = """
list: enumerate ls 列出 列表 罗列 列一下 列
read: cat 读取 读一下 读 阅读
open: 打开 开启
view: display 查看 看看 看一下 看
write: 写入 写到 写进 写
save: store 保存 存到 存入 存进 存
create: new make generate 创建 新建 建立 生成 建
edit: change modify alter replace substitute swap 编辑 修改 替换 改成 更改 改为 换成
update: refresh 更新
append: 追加 附加
delete: remove erase rm trash 删除 删掉 移除 删
cancel: abort 取消
copy: duplicate cp 复制 拷贝
move: rename mv 移动 重命名 移到
find: search look_up lookup locate seek 搜索 查找 搜一下 搜 找 检索 查一下
query: 查询 查
run: execute exec launch 运行 执行 跑一下
command: shell bash terminal cmd 命令 终端
fetch: download retrieve visit browse crawl scrape 抓取 下载 访问
url: link website webpage web page site http https uri 网址 链接 网页 网站
file: document doc 文件 文档
directory: folder dir 目录 文件夹
weather: forecast climate meteo 天气预报 天气 预报
rain: rainy raining rainfall shower drizzle thunderstorm umbrella 下雨 有雨 小雨 大雨 带伞 雨
snow: snowy snowing 下雪 雪
sunny: sun sunshine clear 晴天 晴朗 晴
hot: hotter hottest 热
cold: colder coldest cool cooler chilly 冷
warm: warmer warmest 暖和
cheap: cheaper cheapest 便宜
temperature: celsius fahrenheit 气温 温度
time: clock 时间 几点钟 几点
date: 日期 几号
remind: reminder alarm 提醒 闹钟
schedule: appointment meeting calendar event agenda 日程 会议 安排 预约 日历
send: deliver 发送 发给 发 寄
email: mail e-mail inbox 电子邮件 邮件 邮箱
message: sms chat notification notify 消息 短信 通知
order: 订单
buy: purchase 购买 买 下单
refund: reimburse reimbursement 退款 退钱
product: item goods merchandise 商品 产品 货品
price: cost 价格 价钱 多少钱
logistics: shipping delivery shipment shipped track tracking parcel package courier 物流 快递 配送 发货
user: customer client account member 用户 客户 账户 账号
calculate: compute calculator calculation math evaluate arithmetic 计算 算一下 算
add: sum plus total addition 相加 总和 求和 加起来 加上 加
subtract: minus difference 减去 减
multiply: product_of 乘以 乘
divide: quotient 除以 除
convert: conversion exchange 转换 换算 兑换
currency: forex 美元 美金 欧元 人民币 英镑 日元 兑 货币 汇率
translate: translation translator 翻译成 翻译 译成 译
summarize: summary summarise digest 总结 摘要 概括 概述
count: 统计 数一下
number: amount 数量 数字
stock: share ticker equity 股票 股价
inventory: warehouse 库存 仓库
news: headline article 新闻 头条
music: song track_list playlist tune 音乐 歌曲 歌
play: listen 播放 放
movie: film cinema 电影
restaurant: diner dining food eat 餐厅 饭店 餐馆 吃饭
recipe: cook cooking 菜谱 食谱
hotel: room lodging accommodation 酒店 旅馆 房间
flight: plane fly airline airfare 航班 机票 飞机
train: railway 火车 高铁 车票
book: reserve booking reservation 预订 预定 订
light: lamp bulb lighting 电灯 灯
turn: switch toggle 关掉 关闭 关上
information: info
note: memo jot 笔记 备忘录 备忘 记下
task: todo to-do 任务 待办
contact: phone telephone 联系人 电话 通讯录
route: direction directions distance navigate 路线 距离 多远 导航
random: dice roll 随机
status: state progress 状态 进度 情况
image: picture photo draw paint 图片 照片 图像 画
word: vocabulary 单词 词语
meaning: define definition dictionary 意思 定义 词典
employee: staff colleague worker 员工 同事
database: sql table 数据库
city: town 城市
ticket: 票 工单
pay: payment checkout 支付 付款
balance: 余额
transfer: remit wire 转账
language: 语言
unit: 单位
customer_service: support
health: fitness workout 健康
sleep: 睡眠
age: old 年龄
name: 姓名 名字 名称
student: pupil 学生
grade: score mark 成绩 分数
course: lesson class 课程 课
"""

# Words that hang together without meaning the same: they count, but less.
NEAR = {
    "rain": ("weather",), "snow": ("weather",), "sunny": ("weather",), "windy": ("weather",),
    "wind": ("weather",), "hot": ("temperature", "weather"), "cold": ("temperature", "weather"),
    "warm": ("temperature", "weather"), "temperature": ("weather",), "humid": ("weather",),
    "degree": ("temperature", "weather"),
    "create": ("write", "add", "save", "schedule"), "save": ("write", "create"),
    "write": ("create", "save", "note"), "view": ("read", "open", "query", "list"),
    "open": ("read", "turn", "fetch"), "update": ("edit",), "edit": ("update", "write"),
    "append": ("write", "add"), "query": ("find",), "find": ("query",), "fetch": ("read", "url"),
    "cancel": ("delete",), "add": ("calculate", "create"), "subtract": ("calculate",),
    "multiply": ("calculate",), "divide": ("calculate",), "time": ("date",), "buy": ("order",),
    "cheap": ("price",), "expensive": ("price",), "cook": ("recipe",), "logistics": ("order",),
    "convert": ("currency",), "currency": ("convert",), "message": ("send",), "email": ("send", "contact"),
    "euro": ("currency",), "dollar": ("currency",), "pay": ("transfer",), "book": ("create",),
    "remind": ("schedule", "time"), "note": ("write", "save"),
    "stop": ("turn", "cancel"), "start": ("turn", "run"), "say": ("read",), "far": ("route",),
    "mean": ("meaning",), "task": ("note",), "image": ("create",), "count": ("number",),
    "directory": ("file", "list"), "put": ("write", "add"), "look": ("find", "read"), "wake": ("remind",),
}  # fmt: skip

STOP = set(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "into",
        "onto",
        "about",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "do",
        "does",
        "did",
        "done",
        "can",
        "could",
        "would",
        "should",
        "will",
        "shall",
        "may",
        "might",
        "must",
        "i",
        "you",
        "he",
        "she",
        "we",
        "they",
        "me",
        "my",
        "your",
        "his",
        "her",
        "our",
        "us",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "and",
        "or",
        "but",
        "so",
        "if",
        "then",
        "else",
        "when",
        "while",
        "after",
        "before",
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "how",
        "why",
        "where",
        "whether",
        "please",
        "pls",
        "kindly",
        "just",
        "also",
        "too",
        "very",
        "really",
        "much",
        "many",
        "any",
        "some",
        "all",
        "each",
        "every",
        "let",
        "lets",
        "know",
        "want",
        "need",
        "like",
        "help",
        "would",
        "thank",
        "thanks",
        "hi",
        "hello",
        "hey",
        "ok",
        "okay",
        "i'd",
        "i'm",
        "i'll",
        "it's",
        "what's",
        "that's",
        "don't",
        "not",
        "no",
        "yes",
        "up",
        "out",
        "off",
        "over",
        "again",
        "than",
        "more",
        "less",
        "first",
        "second",
        "last",
        "next",
        "today",
        "tomorrow",
        "tonight",
        "yesterday",
        "now",
        "s",
        "t",
        "d",
        "m",
        "re",
        "ve",
        "ll",
        "tell",
        "show",
        "give",
        "say",
        "says",
        "go",
        "his",
        "has",
        "have",
        "had",
        "having",
        "one",
        "once",
        "only",
        "both",
        "them",
        "their",
        "called",
        "named",
        "us",
        "using",
        "via",
        "per",
        "such",
        "containing",
        "contain",
        "contains",
        "saying",
        "text",
        "content",
        "whats",
        "wanna",
        "gonna",
        "的",
        "了",
        "吗",
        "呢",
        "吧",
        "啊",
        "我",
        "你",
        "您",
        "他",
        "她",
        "它",
        "我们",
        "你们",
        "请",
        "请问",
        "帮我",
        "帮忙",
        "帮",
        "一下",
        "把",
        "给",
        "在",
        "是",
        "有",
        "和",
        "与",
        "跟",
        "或",
        "并",
        "也",
        "都",
        "就",
        "要",
        "想",
        "能",
        "可以",
        "可不可以",
        "能不能",
        "什么",
        "怎么样",
        "怎样",
        "怎么",
        "如何",
        "哪",
        "哪个",
        "哪些",
        "多少",
        "几",
        "个",
        "到",
        "从",
        "用",
        "对",
        "为",
        "上",
        "里",
        "中",
        "里面",
        "这",
        "那",
        "这个",
        "那个",
        "今天",
        "明天",
        "后天",
        "昨天",
        "告诉",
        "告诉我",
        "说",
        "说说",
        "如果",
        "要是",
        "然后",
        "再",
        "接着",
        "最后",
        "之后",
        "否则",
        "不",
        "没",
        "没有",
        "会",
        "一个",
        "内容",
        "去",
        "来",
        "叫",
        "叫做",
        "名为",
        "早上",
        "上午",
        "下午",
        "晚上",
        "中午",
        "早晨",
        "点",
        "所有",
        "全部",
        "现在",
        "当前",
        "目前",
    ]
)

WEAK = set(
    [
        "get",
        "current",
        "information",
        "info",
        "data",
        "detail",
        "value",
        "result",
        "thing",
        "set",
        "use",
        "new",
        "process",
        "perform",
        "operation",
        "request",
        "handle",
        "tool",
        "function",
        "return",
        "do",
        "user",
        "name",
        "number",
        "time_of",
        "item",
        "string",
        "given",
        "available",
        "provide",
        "获取",
        "得到",
        "信息",
        "数据",
        "设置",
        "设定",
        "设",
        "使用",
        "结果",
        "处理",
    ]
)

# Words that open an instruction.
VERBS = set(
    """list read open view display write save create edit update append delete cancel copy move find
    query run fetch remind schedule send email buy refund calculate add subtract multiply divide
    convert translate summarize count play book turn note pay transfer check tell show get set give
    report explain compare put post upload ask look make order search print close start stop try use
    go see draw generate notify mail mark sort describe return call reply wake take pick keep log
    告诉 告诉我 说明 发送 设置 提醒""".split()
)
