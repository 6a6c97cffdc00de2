"""Tasks the planner was developed on. The held-out ones are in planner_heldout_cases.py."""

from __future__ import annotations

from planner_toolbox import FILES, Case, has, missing, no

FILE_TOOLS = "list_dir read_file write_file edit_file run_shell fetch_page"
HOME = "get_weather set_reminder set_light get_current_time send_email"
SHOP = "query_order refund_order place_order search_products check_stock track_parcel"
OFFICE = "get_employee send_email create_event add_note list_notes delete_note search_papers"
TRAVEL = "find_flights book_flight book_table convert_currency measure_distance get_weather"
CHINESE = "cha_tianqi add_todo cha_kuaidi send_email"
MATHS = "calculate sum_numbers roll_dice get_stock_price convert_currency translate_text define_word"
ORDER = "123456789012345678"


def call(name: str, /, **arguments: object) -> tuple[str, dict]:
    return (name, arguments)


CASES = [
    Case("list here", ["List the files in the current folder."], FILE_TOOLS, [call("list_dir", path=".")], ["notes.txt"]),
    Case("read and tell", ["Read notes.txt and tell me what it says."], FILE_TOOLS,
         [call("read_file", path="notes.txt")], ["Buy milk"]),
    Case("create with quote", ["Create hello.txt containing 'hi'"], FILE_TOOLS,
         [call("write_file", path="hello.txt", content="hi")], ["hello.txt"]),
    Case("replace", ["Replace 'foo' with 'bar' in a.txt"], FILE_TOOLS,
         [call("edit_file", path="a.txt", old_text="foo", new_text="bar")]),
    Case("backticks", ["Run `ls -l`"], FILE_TOOLS, [call("run_shell", command="ls -l")]),
    Case("url", ["Fetch http://127.0.0.1:8000/x"], FILE_TOOLS, [call("fetch_page", url="http://127.0.0.1:8000/x")], ["Hello"]),
    Case("two files", ["Read notes.txt and report.md."], FILE_TOOLS,
         [call("read_file", path="notes.txt"), call("read_file", path="report.md")], ["Buy milk", "Sales went up"]),
    Case("missing file mended", ["Read note.txt, please"], FILE_TOOLS,
         [call("read_file", path="note.txt"), call("list_dir", path="."), call("read_file", path="notes.txt")], ["Buy milk"]),
    Case("no file like it", ["Read budget.xlsx"], FILE_TOOLS,
         [call("read_file", path="budget.xlsx"), call("list_dir", path=".")], ["budget.xlsx", "failed"]),
    Case("listing then first", ["List the files here, then read the first one."], FILE_TOOLS,
         [call("list_dir", path="."), call("read_file", path="notes.txt")], ["Buy milk"]),
    Case("copy by result", ["Read report.md, then write its content to copy.md."], FILE_TOOLS,
         [call("read_file", path="report.md"), call("write_file", path="copy.md", content=FILES["report.md"])], ["copy.md"]),
    Case("exists", ["If notes.txt exists, read it, otherwise create it with the text 'empty'."], FILE_TOOLS,
         [call("read_file", path="notes.txt")], ["Buy milk"],),
    Case("contains", ["Read notes.txt. If it contains milk, write 'shopping' to plan.txt."], FILE_TOOLS,
         [call("read_file", path="notes.txt"), call("write_file", path="plan.txt", content="shopping")]),
    Case("contains not", ["Read notes.txt. If it mentions bread, write 'shopping' to plan.txt."], FILE_TOOLS,
         [call("read_file", path="notes.txt")], ["left out"]),
    Case("numbered list", ["1. List the files in the current directory\n2. Read notes.txt\n3. Create done.txt with the text 'ok'"], FILE_TOOLS,
         [call("list_dir", path="."), call("read_file", path="notes.txt"), call("write_file", path="done.txt", content="ok")]),
    Case("weather condition dry", ["What is the weather in Beijing tomorrow? If it does not rain, set a reminder to go to the gym at 9 am."], HOME,
         [call("get_weather", city="Beijing", date="2026-12-02"),
          call("set_reminder", title="go to the gym", when="2026-12-02 09:00")], ["sunny", "gym"]),
    Case("weather condition wet", ["What is the weather in Paris tomorrow? If it does not rain, set a reminder to go to the gym at 9 am."], HOME,
         [call("get_weather", city="Paris", date="2026-12-02")], ["light rain", "left out"]),
    Case("chinese condition", ["北京明天天气怎么样？如果不下雨，提醒我早上9点去健身房。"], HOME,
         [call("get_weather", city="北京", date="2026-12-02"),
          call("set_reminder", title="去健身房", when="2026-12-02 09:00")], ["去健身房"]),
    Case("otherwise", ["Check the weather in London. If it is sunny, turn on the kitchen light, otherwise turn off the bedroom light."], HOME,
         [call("get_weather", city="London"), call("set_light", room="bedroom", on=False)]),
    Case("two cities", ["What's the weather in Paris and Tokyo?"], HOME,
         [call("get_weather", city="Paris"), call("get_weather", city="Tokyo")], ["Paris", "Tokyo", "sunny"]),
    Case("enum and boolean", ["Please switch on the light in the living room."], HOME, [call("set_light", room="living room", on=True)]),
    Case("number with unit", ["Set the bedroom light on at 40 percent brightness"], HOME,
         [call("set_light", room="bedroom", on=True, brightness=40)]),
    Case("asks for the city", ["What is the weather tomorrow?", "Tokyo"], HOME, [call("get_weather", city="Tokyo", date="2026-12-02")], ["sunny"]),
    Case("follow-up", ["What is the weather in Paris tomorrow?", "And in Tokyo?"], HOME,
         [call("get_weather", city="Paris", date="2026-12-02"), call("get_weather", city="Tokyo", date="2026-12-02")], ["Tokyo"]),
    Case("daily", ["Remind me daily at 21:30 to take out the trash"], HOME,
         [call("set_reminder", title="take out the trash", when=has("21:30"), repeat="daily")]),
    Case("order by pattern", [f"Where is my order {ORDER}?"], SHOP, [call("query_order", order_id=ORDER)], ["shipped"]),
    Case("order logistics", [f"Show me the logistics of order {ORDER}"], SHOP, [call("query_order", order_id=ORDER, query_type="logistics")], ["shipped"]),
    Case("condition on status", ["Look up order 222222222222222222 and if it is still pending, refund it."], SHOP,
         [call("query_order", order_id="222222222222222222"), call("refund_order", order_id="222222222222222222")], ["refunded"]),
    Case("order id lacking", ["Refund my order please"], SHOP, [], ["order_id"]),
    Case("confirmed orders only", ["Search for mugs and order 2 of the cheapest one", "yes"], SHOP,
         [call("search_products", keyword="mugs"), call("place_order", product_id="P-12", quantity=2)], ["O-1"]),
    Case("threshold", ["How many pieces of A-17 are in the warehouse? If there are fewer than 10, search for mugs."], SHOP,
         [call("check_stock", sku="A-17"), call("search_products", keyword="mugs")]),
    Case("employee then mail", ["Find the contact of Anna and send her an email with subject 'Lunch' saying 'See you at noon'"], OFFICE,
         [call("get_employee", name="Anna"), call("send_email", to="anna@firm.example", subject="Lunch", body="See you at noon")]),
    Case("event", ["Create an event 'Team sync' on 2026-12-08 at 3 pm for 45 minutes with bob@x.example and eve@x.example"], OFFICE,
         [call("create_event", title="Team sync", start="2026-12-08T15:00:00", duration_minutes=45, attendees=["bob@x.example", "eve@x.example"])]),
    Case("papers", ["Search for papers about quantum computing, at most 5"], OFFICE,
         [call("search_papers", query="quantum computing", limit=5)], ["Paper One"]),
    Case("delete last note", ["List my notes and delete the last one."], OFFICE, [call("list_notes"), call("delete_note", note_id=4)]),
    Case("flight", ["Find flights from Berlin to Madrid next Monday and book the cheapest one."], TRAVEL,
         [call("find_flights", origin="Berlin", destination="Madrid", date="2026-12-07"), call("book_flight", flight="LH2")], ["booked LH2"]),
    Case("table", ["Book a table at Luigi's for 4 people on Friday at 19:30"], TRAVEL,
         [call("book_table", restaurant="Luigi's", people=4, date="2026-12-04", time="19:30")]),
    Case("currency", ["Convert 100 USD to EUR"], TRAVEL, [call("convert_currency", amount=100, from_currency="USD", to_currency="EUR")], ["200"]),
    Case("sum of results", ["Get the stock prices of AAPL and MSFT and add them up."], MATHS,
         [call("get_stock_price", symbol="AAPL"), call("get_stock_price", symbol="MSFT"), call("sum_numbers", numbers=[210.5, 430])], ["640.5"]),
    Case("expression", ["What is 12 * (3 + 4)?"], MATHS, [call("calculate", expression="12 * (3 + 4)")], ["84"]),
    Case("translate", ["Translate 'good morning' into French."], MATHS, [call("translate_text", text="good morning", target_language="French")], ["bonjour"]),
    Case("chinese tools", ["查一下上海的天气，然后添加一条待办：买牛奶"], CHINESE,
         [call("cha_tianqi", city="上海"), call("add_todo", content="买牛奶")], ["light rain"]),
    Case("chinese parcel", ["我的快递123456789012到哪里了？"], CHINESE, [call("cha_kuaidi", number="123456789012")], ["已签收"]),
    Case("no tool fits", ["Compose a symphony in D minor"], HOME, [], ["no tool", "get_weather", "OPENAI_API_KEY"]),
    Case("vague miss", ["What is the weather in Beijing?"], "query_data get_info process", [], ["no tool", "query_data"]),
    Case("vague wrong", ["Get information about my order"], "query_data get_info process", [call("get_info", input=has("order"))]),
    Case("refusal stops", ["Create hello.txt containing 'hi'"], FILE_TOOLS,
         [call("write_file", path="hello.txt", content="hi")], ["not allowed", no("wrote")],
         {"write_file": "Error: The user denied this action."}),
    Case("who", ["Who are you?"], HOME, [], ["scripted model", "not a language model"]),
    Case("save by producing", ["Save the weather in Tokyo to weather.txt"], FILE_TOOLS + " get_weather",
         [call("get_weather", city="Tokyo"), call("write_file", path="weather.txt", content=has("sunny"))]),
    Case("missing everywhere", ["Read nothing.txt"], "read_file", [call("read_file", path="nothing.txt")], ["failed"],
         {"read_file": missing("nothing.txt")}),
]
