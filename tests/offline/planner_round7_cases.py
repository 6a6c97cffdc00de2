"""Round 7 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, MATHS, SHOP, call
from planner_toolbox import Case, have, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("search_flats", "Search flats for rent in a city.", {"city": S}, max_rent={**N, "description": "highest rent per month"}, rooms=I),
     lambda **given: [{"flat_id": 21, "rent": 900}, {"flat_id": 22, "rent": 750}])
have(tool("book_viewing", "Book a viewing of a flat.", {"flat_id": I, "date": text(format="date")}), lambda **given: "viewing booked")
have(tool("get_balance", "Balance of a bank account.", {"account": {"type": "string", "enum": ["checking", "savings"]}}), lambda account: {"account": account, "balance": 420.0})
have(tool("transfer_money", "Transfer money between the user's accounts.", {"amount": N, "source": {"type": "string", "enum": ["checking", "savings"]}, "target": {"type": "string", "enum": ["checking", "savings"]}}),
     lambda **given: "transferred")
have(tool("server_status", "Status of a server: up or down, and its load.", {"server": text("name of the server")}), lambda server: {"server": server, "status": "down" if server == "db1" else "up", "load": 0.4})
have(tool("restart_server", "Restart a server.", {"server": text("name of the server")}), lambda server: f"{server} restarted")
have(tool("create_branch", "Create a git branch.", {"branch": text("name of the branch")}), lambda branch: f"branch {branch} created")
have(tool("run_tests", "Run the test suite of the project.", {}, pattern=text("only tests whose name holds this")), lambda **given: {"passed": 31, "failed": 0})
have(tool("commit", "Commit all changes with a message.", {"message": S}), lambda message: "committed 4be1")
have(tool("get_quote", "A quotation of a famous person.", {"person": text("name")}), lambda person: f"{person}: be brief")
have(tool("generate_qr", "Make a QR code image for a text or a link.", {"data": text("text or link")}), lambda data: "qr.png")
have(tool("log_weight", "Record the user's weight.", {"kg": N}), lambda kg: "noted")
have(tool("tianjia_lianxiren", "添加联系人", {"name": text("姓名"), "phone": text("电话号码")}), lambda **given: "已添加")
have(tool("chaxun_kecheng", "查询学生的成绩", {"student": text("学生姓名")}), lambda student: {"学生": student, "成绩": 58})
have(tool("fasong_youjian", "发送电子邮件", {"to": text("收件人邮箱", format="email"), "subject": text("主题"), "body": text("正文")}), lambda **given: "邮件已发送")

FLATS = "search_flats book_viewing get_balance transfer_money get_quote generate_qr log_weight"
OPS = "server_status restart_server create_branch run_tests commit"
ZH = "tianjia_lianxiren chaxun_kecheng fasong_youjian get_weather"

ROUND7 = [
    Case("flats", ["Search flats in Vienna"], FLATS, [call("search_flats", city="Vienna")], ["750"]),
    Case("flats limits", ["Find a flat in Graz with a maximum rent of 800"], FLATS, [call("search_flats", city="Graz", max_rent=800)]),
    Case("flats book", ["Search flats in Linz and book a viewing of the cheapest one on 2026-12-09"], FLATS,
         [call("search_flats", city="Linz"), call("book_viewing", flat_id=22, date="2026-12-09")], ["viewing booked"]),
    Case("balance", ["What's the balance of my savings account?"], FLATS, [call("get_balance", account="savings")], ["420"]),
    Case("balance lacking", ["Show my account balance", "checking"], FLATS, [call("get_balance", account="checking")], ["420"]),
    Case("transfer", ["Transfer 50 from checking to savings"], FLATS, [call("transfer_money", amount=50, source="checking", target="savings")], ["transferred"]),
    Case("transfer if", ["If the balance of my checking account is more than 400, transfer 100 from checking to savings."], FLATS,
         [call("get_balance", account="checking"), call("transfer_money", amount=100, source="checking", target="savings")]),
    Case("server", ["Is the server web2 up?"], OPS, [call("server_status", server="web2")], ["up"]),
    Case("restart if down", ["Check the status of server db1. If it is down, restart it."], OPS, [call("server_status", server="db1"), call("restart_server", server="db1")], ["restarted"]),
    Case("no restart", ["Check the status of server web1 and restart it if it is down."], OPS, [call("server_status", server="web1")], ["left out"]),
    Case("two servers", ["Check the status of the servers web1 and web2"], OPS, [call("server_status", server="web1"), call("server_status", server="web2")]),
    Case("branch", ["Create a branch called feature-login"], OPS, [call("create_branch", branch="feature-login")], ["created"]),
    Case("tests", ["run the tests"], OPS, [call("run_tests")], ["31"]),
    Case("tests then commit", ["Run the tests, and if nothing failed commit with the message 'All green'"], OPS, [call("run_tests"), call("commit", message="All green")], ["committed"]),
    Case("commit", ["Commit my changes with message \"Fix typo\""], OPS, [call("commit", message="Fix typo")]),
    Case("quote", ["Give me a quotation of Marie Curie"], FLATS, [call("get_quote", person="Marie Curie")], ["be brief"]),
    Case("qr", ["Make a QR code for https://example.org"], FLATS, [call("generate_qr", data="https://example.org")], ["qr.png"]),
    Case("weight", ["record my weight: 71.5 kg"], FLATS, [call("log_weight", kg=71.5)], ["noted"]),
    Case("zh contact", ["添加联系人张伟，电话13800138000"], ZH, [call("tianjia_lianxiren", name="张伟", phone="13800138000")], ["已添加"]),
    Case("zh grades", ["查询李明的成绩"], ZH, [call("chaxun_kecheng", student="李明")], ["58"]),
    Case("zh grades mail", ["查询李明的成绩，如果低于60，就给 tea@x.example 发邮件，主题“补考”，内容“李明需要补考”"], ZH,
         [call("chaxun_kecheng", student="李明"), call("fasong_youjian", to="tea@x.example", subject="补考", body="李明需要补考")]),
    Case("zh weather", ["后天成都的天气如何"], ZH, [call("get_weather", city="成都", date="2026-12-03")], ["sunny"]),
    Case("show and count", ["How many lines does data.csv have?"], FILE_TOOLS, [call("read_file", path="data.csv")], ["There are 3"]),
    Case("write number", ["Create the file answer.txt with the content 42"], FILE_TOOLS, [call("write_file", path="answer.txt", content="42")]),
    Case("rename text", ["In report.md replace 'Sales' by 'Revenue' and show me the file afterwards"], FILE_TOOLS,
         [call("edit_file", path="report.md", old_text="Sales", new_text="Revenue"), call("read_file", path="report.md")]),
    Case("light and weather", ["What's the weather in Oslo? If it's sunny turn off the living room light."], HOME,
         [call("get_weather", city="Oslo"), call("set_light", room="living room", on=False)]),
    Case("price compare", ["Compare the stock prices of AAPL and MSFT"], MATHS, [call("get_stock_price", symbol="AAPL"), call("get_stock_price", symbol="MSFT")], ["210.5", "430"]),
    Case("refund reason", ["Refund order 123456789012345678, reason: 'arrived broken'"], SHOP, [call("refund_order", order_id="123456789012345678", reason="arrived broken")]),
    Case("read three", ["Please read notes.txt, report.md and data.csv"], FILE_TOOLS, [call("read_file", path=p) for p in ("notes.txt", "report.md", "data.csv")], ["Buy milk", "Sales"]),
    Case("nothing", ["Knit me a scarf"], FLATS, [], ["no tool"]),
    Case("you", ["Are you a real AI?"], OPS, [], ["scripted model"]),
    Case("empty file", ["Read todo.txt"], FILE_TOOLS, [call("read_file", path="todo.txt")], ["empty"]),
]
