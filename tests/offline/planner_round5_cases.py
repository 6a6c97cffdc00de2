"""Round 5 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, SHOP, TRAVEL, call
from planner_toolbox import FILES, Case, has, have, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("plant_care", "How often a plant has to be watered.", {"plant": S}), lambda plant: f"{plant}: twice a week")
have(tool("log_expense", "Record an expense.", {"amount": N, "category": {"type": "string", "enum": ["food", "travel", "rent", "other"]}}, note=S),
     lambda **given: "recorded")
have(tool("monthly_total", "Total of the expenses of one month.", {"month": text("YYYY-MM", pattern=r"^\d{4}-\d{2}$")}), lambda month: {"month": month, "total": 842.5})
have(tool("find_train", "Train connections between two stations.", {"origin": S, "destination": S}, date=text(format="date")),
     lambda **given: [{"train": "ICE 5", "departure": "08:10", "price": 49}, {"train": "RE 7", "departure": "07:30", "price": 19}])
have(tool("play_song", "Play a song.", {"title": S}, artist=text("name of the artist")), lambda **given: "playing")
have(tool("set_volume", "Set the loudness of the speakers.", {"level": {"type": "integer", "minimum": 0, "maximum": 100}}), lambda level: f"volume {level}")
have(tool("open_issue", "Open an issue in a code repository.", {"repo": text("owner/name", pattern=r"^[\w-]+/[\w-]+$"), "title": S}, labels={"type": "array", "items": S}),
     lambda **given: {"issue": 12})
have(tool("list_issues", "List the open issues of a code repository.", {"repo": text("owner/name", pattern=r"^[\w-]+/[\w-]+$")}), lambda repo: [{"issue": 3, "title": "Crash"}])
have(tool("hash_text", "SHA-256 of a text.", {"text": S}), lambda text: "ab12")
have(tool("shorten", "Make a short link for a long URL.", {"url": text(format="uri")}), lambda url: "https://s.example/1")
have(tool("zip_code", "Postal code of a city.", {"city": S}), lambda city: {"city": city, "zip": "10115"})
have(tool("check_spelling", "Check the spelling of a text.", {"text": S}), lambda text: "no mistakes")
have(tool("pizza", "Order a pizza for delivery.", {"kind": {"type": "string", "enum": ["margherita", "funghi", "diavola"]}, "size": {"type": "string", "enum": ["small", "large"]}},
          address=S), lambda **given: "in the oven")
have(tool("kechengbiao", "查询某一天的课程表", {"date": text("日期", format="date")}), lambda date: ["数学", "物理"])
have(tool("huilv", "查询两种货币之间的汇率", {"from_currency": text("货币代码"), "to_currency": text("货币代码")}), lambda **given: 7.1)
have(tool("fasong_xiaoxi", "给联系人发送消息", {"name": text("联系人姓名"), "content": text("消息内容")}), lambda **given: "已发送")

LIFE = "plant_care log_expense monthly_total find_train play_song set_volume pizza zip_code"
CODE = "open_issue list_issues hash_text shorten check_spelling"
ZH5 = "kechengbiao huilv fasong_xiaoxi get_weather"

ROUND5 = [
    Case("plant", ["How often should I water a monstera?"], LIFE, [call("plant_care", plant="monstera")], ["twice a week"]),
    Case("expense", ["Record an expense of 12.50 for food"], LIFE, [call("log_expense", amount=12.5, category="food")], ["recorded"]),
    Case("expense note", ["Log an expense: 30 euros, travel, note 'taxi to airport'"], LIFE, [call("log_expense", amount=30, category="travel", note="taxi to airport")]),
    Case("month", ["What is the total for 2026-11?"], LIFE, [call("monthly_total", month="2026-11")], ["842.5"]),
    Case("train", ["Find a train from Köln to Bonn on Friday"], LIFE, [call("find_train", origin="Köln", destination="Bonn", date="2026-12-04")], ["ICE 5"]),
    Case("song", ["Play the song 'Yesterday' by The Beatles"], LIFE, [call("play_song", title="Yesterday", artist="The Beatles")], ["playing"]),
    Case("volume", ["Set the volume to 30"], LIFE, [call("set_volume", level=30)], ["volume 30"]),
    Case("two actions", ["Set the volume to 20 and play 'Hey Jude'"], LIFE, [call("set_volume", level=20), call("play_song", title="Hey Jude")]),
    Case("pizza", ["Order a large pizza margherita"], LIFE, [call("pizza", kind="margherita", size="large")], ["oven"]),
    Case("pizza asks", ["I want a pizza funghi", "large please"], LIFE, [call("pizza", kind="funghi", size="large")], ["oven"]),
    Case("zip", ["zip code of berlin please"], LIFE, [call("zip_code", city="berlin")], ["10115"]),
    Case("issue", ["Open an issue 'Crash on start' in octo/hello with labels bug and urgent"], CODE,
         [call("open_issue", repo="octo/hello", title="Crash on start", labels=["bug", "urgent"])], ["12"]),
    Case("issues list", ["Which issues are open in octo/hello?"], CODE, [call("list_issues", repo="octo/hello")], ["Crash"]),
    Case("hash", ["What is the SHA-256 of 'secret'?"], CODE, [call("hash_text", text="secret")], ["ab12"]),
    Case("shorten", ["Make a short link for https://example.com/very/long"], CODE, [call("shorten", url="https://example.com/very/long")], ["s.example"]),
    Case("spelling", ["Check the spelling of \"recieve\""], CODE, [call("check_spelling", text="recieve")]),
    Case("zh lessons", ["后天有哪些课？"], ZH5, [call("kechengbiao", date="2026-12-03")], ["数学"]),
    Case("zh rate", ["美元兑人民币的汇率是多少？"], ZH5, [call("huilv", from_currency="USD", to_currency="CNY")], ["7.1"]),
    Case("zh message", ["给小王发消息：“晚点到”"], ZH5, [call("fasong_xiaoxi", name="小王", content="晚点到")], ["已发送"]),
    Case("zh cond message", ["如果上海明天下雨，就给小李发消息“带伞”"], ZH5,
         [call("get_weather", city="上海", date="2026-12-02"), call("fasong_xiaoxi", name="小李", content="带伞")]),
    Case("all files", ["Read all the files in the current folder"], FILE_TOOLS,
         [call("list_dir", path="."), *(call("read_file", path=p) for p in FILES)], ["Buy milk", "Sales"]),
    Case("question about file", ["What does report.md say about sales?"], FILE_TOOLS, [call("read_file", path="report.md")], ["12 percent"]),
    Case("two conditions", ["Get the weather in London. If it rains, remind me at 8 am to take a coat. If it is warmer than 30 degrees, turn on the bedroom light."], HOME,
         [call("get_weather", city="London"), call("set_reminder", title="take a coat", when=has("08:00"))], ["left out"]),
    Case("stop at refusal", ["Write 'x' to a.txt and then read notes.txt"], FILE_TOOLS,
         [call("write_file", path="a.txt", content="x")], ["not allowed"], {"write_file": "Error: The user refused."}),
    Case("cheapest mug", ["Search for mugs and tell me the cheapest"], SHOP, [call("search_products", keyword="mugs")], ["blue mug"]),
    Case("dinner and flight", ["Find flights from Oslo to Rome on 2026-12-20 and book a table at Da Enzo for 2 people on 2026-12-20 at 8 pm"], TRAVEL,
         [call("find_flights", origin="Oslo", destination="Rome", date="2026-12-20"), call("book_table", restaurant="Da Enzo", people=2, date="2026-12-20", time="20:00")]),
    Case("unknown wish", ["Sing me a lullaby"], LIFE + " " + CODE, [], ["no tool"]),
    Case("thanks after", ["Set the volume to 30", "thanks"], LIFE, [call("set_volume", level=30)], ["welcome"]),
    Case("correction", ["What's the weather in Paris?", "I meant Rome"], HOME, [call("get_weather", city="Paris"), call("get_weather", city="Rome")], ["Rome"]),
    Case("sentence and question", ["My order number is 222222222222222222. Where is it?"], SHOP, [call("query_order", order_id="222222222222222222")], ["pending"]),
]
