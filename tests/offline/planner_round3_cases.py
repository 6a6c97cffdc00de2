"""Round 3 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import CHINESE, FILE_TOOLS, HOME, MATHS, OFFICE, SHOP, TRAVEL, call
from planner_round2_cases import HOME2, OFFICE2
from planner_toolbox import FILES, Case, has, have, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741

have(tool("rent_car", "Rent a car at a location for a number of days.", {"location": S, "days": I},
          car_type={"type": "string", "enum": ["small", "family", "van"], "default": "small"}), lambda **given: "car reserved")
have(tool("lock_door", "Lock or unlock a door.", {"door": {"type": "string", "enum": ["front", "back", "garage"]}, "locked": {"type": "boolean"}}),
     lambda **given: "ok")
have(tool("search_books", "Search the library catalogue.", {}, author=text("name of the author"), title=text("words of the title")),
     lambda **given: [{"book_id": 12, "title": "Emma"}, {"book_id": 15, "title": "Persuasion"}])
have(tool("borrow_book", "Borrow a book by its id.", {"book_id": I}), lambda book_id: f"borrowed {book_id}")
have(tool("count_words", "Count the words of a text.", {"text": S}), lambda text: len(text.split()))
have(tool("bmi", "Body mass index from height and weight.", {"height_cm": {"type": "number"}, "weight_kg": {"type": "number"}}), lambda **given: 22.5)
have(tool("exchange_rate", "Current exchange rate between two currencies.", {"base": text("currency code"), "quote": text("currency code")}), lambda **given: 1.1)
have(tool("leave_request", "提交请假申请", {"start_date": text("开始日期", format="date"), "end_date": text("结束日期", format="date")}, reason=text("原因")), lambda **given: "已提交")
have(tool("wiki", "Look up an article in the encyclopedia about a subject.", {"topic": S}), lambda topic: f"{topic} is well known.")
have(tool("subscribe", "Subscribe an email address to a newsletter.", {"email": S, "newsletter": {"type": "string", "enum": ["daily", "weekly"]}}), lambda **given: "subscribed")
have(tool("check_site", "Check whether a web site answers.", {"url": S}), lambda url: {"url": url, "status": 503 if "down" in url else 200})
have(tool("send_sms", "Send a text message to a phone number.", {"phone": text("phone number"), "text": S}), lambda **given: "sms sent")

CITY = "rent_car search_books borrow_book wiki subscribe check_site send_sms exchange_rate"
BODY = "bmi count_words lock_door wiki leave_request"

ROUND3 = [
    Case("rent", ["Rent a van in Lisbon for 3 days"], CITY, [call("rent_car", location="Lisbon", days=3, car_type="van")], ["reserved"]),
    Case("door", ["Please lock the garage door"], BODY, [call("lock_door", door="garage", locked=True)]),
    Case("unlock", ["unlock the front door"], BODY, [call("lock_door", door="front", locked=False)]),
    Case("books by author", ["Search for books by Jane Austen and borrow the second one"], CITY,
         [call("search_books", author="Jane Austen"), call("borrow_book", book_id=15)], ["borrowed 15"]),
    Case("count words", ["How many words are in 'the quick brown fox'?"], BODY, [call("count_words", text="the quick brown fox")], ["4"]),
    Case("bmi", ["What is my BMI if my height is 180 cm and my weight is 73 kg?"], BODY, [call("bmi", height_cm=180, weight_kg=73)], ["22.5"]),
    Case("rate", ["What is the exchange rate from EUR to USD?"], CITY, [call("exchange_rate", base="EUR", quote="USD")], ["1.1"]),
    Case("leave zh", ["我想请假，从12月5日到12月7日"], BODY, [call("leave_request", start_date="2026-12-05", end_date="2026-12-07")], ["已提交"]),
    Case("wiki", ["Look up Alan Turing in the encyclopedia"], CITY, [call("wiki", topic="Alan Turing")], ["well known"]),
    Case("subscribe", ["Subscribe kim@x.example to the weekly newsletter"], CITY, [call("subscribe", email="kim@x.example", newsletter="weekly")]),
    Case("site up", ["Check whether https://up.example answers. If the status is not 200, send a text message to +49123456 saying 'site down'"], CITY,
         [call("check_site", url="https://up.example")], ["left out"]),
    Case("site down", ["Check whether https://down.example answers. If the status is not 200, send a text message to +49123456 saying 'site down'"], CITY,
         [call("check_site", url="https://down.example"), call("send_sms", phone="+49123456", text="site down")], ["sms sent"]),
    Case("zh files", ["先列出当前目录的文件，再读取 notes.txt，最后把内容写到 backup.txt"], FILE_TOOLS,
         [call("list_dir", path="."), call("read_file", path="notes.txt"), call("write_file", path="backup.txt", content=FILES["notes.txt"])]),
    Case("append text", ["Create the file ideas.md with the following text: Plant a tree"], FILE_TOOLS, [call("write_file", path="ideas.md", content="Plant a tree")]),
    Case("two reads compare", ["Compare notes.txt with report.md"], FILE_TOOLS,
         [call("read_file", path="notes.txt"), call("read_file", path="report.md")], ["Buy milk", "Sales"]),
    Case("which files", ["Which files are in the sub directory?"], FILE_TOOLS, [call("list_dir", path="sub")]),
    Case("weather zh", ["后天东京会下雨吗？"], HOME, [call("get_weather", city="东京", date="2026-12-03")], ["不会"]),
    Case("weekly reminder", ["Set a weekly reminder for Friday 5 pm: send the report"], HOME,
         [call("set_reminder", title="send the report", when="2026-12-04 17:00", repeat="weekly")]),
    Case("either", ["If it is raining in Paris today, remind me at 8 am to take an umbrella, else remind me at 8 am to wear sunglasses"], HOME,
         [call("get_weather", city="Paris", date="2026-12-01"), call("set_reminder", title="take an umbrella", when="2026-12-01 08:00")]),
    Case("order lacking", ["What is the status of my order?", "it's 222222222222222222"], SHOP, [call("query_order", order_id="222222222222222222")], ["pending"]),
    Case("confirmed at once", ["I confirm: order 3 pieces of P-11"], SHOP, [call("place_order", product_id="P-11", quantity=3)], ["O-1"]),
    Case("not confirmed", ["Order 3 pieces of P-11", "no, thanks"], SHOP, [], [no("O-1")]),
    Case("products zh", ["搜索杯子"], SHOP, [call("search_products", keyword="杯子")], ["red mug"]),
    Case("stock sum", ["What's the price of MSFT plus the price of AAPL?"], MATHS,
         [call("get_stock_price", symbol="MSFT"), call("get_stock_price", symbol="AAPL")], ["430", "210.5"]),
    Case("translate zh", ["把“你好”翻译成英文"], MATHS, [call("translate_text", text="你好", target_language="英文")], ["bonjour"]),
    Case("mail to employee zh", ["给 zoe@x.example 发一封邮件，主题“会议”，内容“明天十点开会”"], OFFICE,
         [call("send_email", to="zoe@x.example", subject="会议", body="明天十点开会")]),
    Case("distance lower", ["distance between rome and milan"], TRAVEL, [call("measure_distance", from_place="rome", to_place="milan")], ["878"]),
    Case("table later", ["Reserve a table for two at Noma tomorrow at 8pm"], TRAVEL,
         [call("book_table", restaurant="Noma", people=2, date="2026-12-02", time="20:00")]),
    Case("heating", ["make the kitchen 19.5 degrees warm"], HOME2, [call("set_thermostat", room="kitchen", temperature=19.5)]),
    Case("todo zh", ["提醒事项：添加待办，周五前完成作业"], CHINESE, [call("add_todo", content=has("作业"), due="2026-12-04")]),
    Case("invoice to channel", ["Get invoice INV-7 and post its amount to the channel finance"], OFFICE2,
         [call("get_invoice", invoice_no="INV-7"), call("post_message", channel="finance", text=has("120.5"))]),
]
