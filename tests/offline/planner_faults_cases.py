"""Tasks that lessons and their authors found the planner wrong on."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, have, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
CITIES = {"type": "string", "enum": ["Beijing", "Shanghai", "Guangzhou", "London"]}
DRY = {"Beijing", "Oslo"}


def forecast(city, date=""):
    return {"city": city, "condition": "sunny" if city in DRY else "light rain"}


have(tool("list_dir", "List the entries of a folder.", path=text(default=".")), lambda path=".": "shopping.txt\nplans.txt", "b_list")
have(tool("read_file", "Read a text file.", {"path": S}), lambda path: "milk, tea", "b_read")
have(tool("write_file", "Write a text file.", {"path": S, "content": S}), lambda **given: "written", "b_write")
have(tool("repeat", "Repeat a word a number of times.", {"word": text("the word"), "times": text("how many times")}), lambda word, times: word * int(times))
have(tool("get_weather", "Get the current weather of a city.", {"city": S}), forecast, "now_weather")
have(tool("get_weather", "Weather of a city on a day.", {"city": CITIES}, date=text("YYYY-MM-DD")), forecast, "city_weather")
have(tool("get_weather", "Weather of a city on a day.", {"city": text("city name in English")}, date=text("YYYY-MM-DD")), forecast, "open_weather")
have(tool("set_reminder", "Remind the user of something.", {"title": S, "when": text("YYYY-MM-DD HH:MM")}), lambda **given: "set", "remind")
have(tool("book_table", "Book a table.", {"people": I}), lambda people: "Error: book_table failed: ValueError: tables hold 4 people at most.", "small_table")
have(tool("pay", "Pay an amount in EUR to somebody.", {"to": S, "amount": N}), lambda **given: "paid")
have(tool("exchange_rate", "The exchange rate of a currency: how many euros one unit costs.", {"currency": S}), lambda currency: 0.9, "rate")
have(tool("send_email", "Send an email to one address.", {"to": S, "text": S}), lambda to, text: f"sent to {to}", "mail")
have(tool("find_order", "Look up an order.", {"order_id": I}), lambda order_id: {"order_id": order_id, "state": "paid"})
have(tool("delete_order", "Delete an order for good.", {"order_id": I}), lambda order_id: "deleted")
have(tool("refund", "Pay back an amount in EUR for an order.", {"order_id": I, "amount": N}), lambda **given: "refunded")
have(tool("create_order", "Create an order for one product. Only after the user has confirmed.", {"product_id": I}), lambda product_id: "ordered")
have(tool("for_two", "The price for two people.", {"price": N}), lambda price: price * 2)
have(tool("save_login", "Save a login.", {"site": S, "user": S, "password": S}), lambda **given: "saved")

FILES = "b_list b_read b_write"
ORDERS = "find_order delete_order refund"
DAY = "Today is Monday, 30 November 2026."

FAULTS = [
    Case("what is in", ["What is in shopping.txt?"], FILES, [call("read_file", path="shopping.txt")], ["tea"]),
    Case("times", ["Repeat the word 'tea' 3 times."], "repeat", [call("repeat", word="tea", times="3")], ["teateatea"]),
    Case("product id", ["Order the product with id 7.", "yes"], "create_order now_weather", [call("create_order", product_id=7)], ["ordered"]),
    Case("product id asks", ["Order the product with id 7."], "create_order now_weather", [], ["Shall I go ahead"]),
    *(
        Case(f"confirmed: {word}", ["Order the product with id 7.", word], "create_order", [call("create_order", product_id=7)])
        for word in ("Yes, I confirm.", "confirm", "go ahead", "ok", "Yes please", "好的", "确认")
    ),
    Case("not confirmed", ["Order the product with id 7.", "no"], "create_order", [], [no("Shall I"), no("no tool")]),
    Case("not confirmed zh", ["订购编号为 7 的产品", "不要"], "create_order", [], [no("要我继续")]),
    Case("raining", ["Is it raining in Oslo?"], "now_weather pay", [call("get_weather", city="Oslo")], ["No."]),
    Case("warm", ["How warm is Rome?"], "now_weather pay", [call("get_weather", city="Rome")]),
    Case("once", ["Book a table for 6 people"], "small_table", [call("book_table", people=6)], [no("book_table failed: book_table")]),
    Case("pay behind", ["Pay 50 EUR to Ana."], "pay rate", [call("pay", to="Ana", amount=50)], ["paid"]),
    Case("pay before", ["Pay Ana 50 EUR."], "pay rate", [call("pay", to="Ana", amount=50)], ["paid"]),
    Case("pay send", ["Send 50 EUR to Ana."], "pay rate", [call("pay", to="Ana", amount=50)], ["paid"]),
    Case("pay zh", ["付给 Ana 50 欧元"], "pay rate", [call("pay", to="Ana", amount=50)], ["paid"]),
    Case("pay zh 2", ["给小明转 20 欧元"], "pay rate", [call("pay", to="小明", amount=20)], ["paid"]),
    Case("rate", ["How many euros is one USD?"], "pay rate", [call("exchange_rate", currency="USD")]),
    Case("rate worth", ["What is 1 GBP worth?"], "pay rate", [call("exchange_rate", currency="GBP")]),
    Case("mail address", ["Send the text 'Hi' to eve@evil.example."], "mail find_order", [call("send_email", to="eve@evil.example", text="Hi")]),
    Case("mail address 2", ["Send the text 'see you' to ana@example.org."], "mail", [call("send_email", to="ana@example.org", text="see you")]),
    Case("mail that", ["Email ana@example.org that her tea is ready."], "mail find_order", [call("send_email", to="ana@example.org", text="her tea is ready")]),
    Case("delete confirm", ["Delete order 7. I confirm."], ORDERS, [call("delete_order", order_id=7)], ["deleted"]),
    Case("delete confirmed", ["Delete order 7. The user has confirmed."], ORDERS, [call("delete_order", order_id=7)], ["deleted"]),
    Case("refund zh", ["退款 5 欧元，订单 9"], ORDERS, [call("refund", order_id=9, amount=5)]),
    Case("refund zh 2", ["退款 12 欧元，订单 7"], ORDERS, [call("refund", order_id=7, amount=12)]),
    Case("look then refund", ["Look up order 7, then refund 12 EUR for it."], ORDERS, [call("find_order", order_id=7), call("refund", order_id=7, amount=12)]),
    Case("two of 12", ["What is the price for two of 12?"], "for_two", [call("for_two", price=12)]),
    Case("login", ["Save the login of site shop.example: user ana, password hunter2."], "save_login", [call("save_login", site="shop.example", user="ana", password="hunter2")]),
    Case("login quoted", ["Save the login of site shop.example for the user ana with the password 'hunter2'"], "save_login", [call("save_login", site="shop.example", user="ana", password="hunter2")]),
    Case("zh city", ["北京明天天气怎么样？如果不下雨，提醒我早上9点去健身房。"], "city_weather remind",
         [call("get_weather", city="Beijing", date="2026-12-01"), call("set_reminder", title="去健身房", when="2026-12-01 09:00")], ["set"], system=DAY),
    Case("zh city wet", ["上海明天天气怎么样？如果不下雨，提醒我早上9点去健身房。"], "city_weather remind",
         [call("get_weather", city="Shanghai", date="2026-12-01")], ["没有执行"], system="今天是2026年11月30日。"),
    Case("zh city asked for in English", ["广州今天下雨吗？"], "open_weather", [call("get_weather", city="Guangzhou", date="2026-12-24")], ["会"], system="Today is 2026-12-24."),
    Case("dated", ["What's the weather in London tomorrow? If it doesn't rain, remind me at 9 am to go to the gym."], "city_weather remind",
         [call("get_weather", city="London", date="2027-03-03")], ["left out"], system="You are kind. Today is Tuesday, March 2, 2027. Be brief."),
]
