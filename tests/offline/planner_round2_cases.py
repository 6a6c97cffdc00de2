"""Round 2 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, have, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("set_thermostat", "Set the target temperature of a room.", {"room": S, "temperature": {**N, "description": "degrees Celsius"}}),
     lambda **given: "ok")
have(tool("pay_invoice", "Pay an invoice from the company account.", {"invoice_no": text(pattern=r"^INV-\d+$"), "amount": N}),
     lambda invoice_no, amount: f"paid {amount} for {invoice_no}")
have(tool("get_invoice", "Details of an invoice: amount and due date.", {"invoice_no": text(pattern=r"^INV-\d+$")}),
     lambda invoice_no: {"invoice_no": invoice_no, "amount": 120.5, "due": "2026-12-20", "paid": False})
have(tool("get_grades", "Grades of a student in all courses.", {"student": text("full name")}),
     lambda student: {"student": student, "maths": 92, "physics": 71})
have(tool("post_message", "Post a message in a chat channel.", {"channel": text("channel name without #"), "text": S}),
     lambda channel, text: f"posted in {channel}")
have(tool("find_recipe", "Find a recipe that uses the given ingredients.", {"ingredients": {"type": "array", "items": S}}, vegetarian={"type": "boolean"}),
     lambda **given: "Tomato soup")
have(tool("convert_units", "Convert a value between units of length, weight or temperature.", {"value": N, "from_unit": S, "to_unit": S}),
     lambda value, from_unit, to_unit: {"value": 42, "unit": to_unit})
have(tool("set_alarm", "Set an alarm clock.", {"time": text("HH:MM")},
          days={"type": "array", "items": {"type": "string", "enum": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}}), lambda **given: "alarm set")
have(tool("get_air_quality", "Air quality index (AQI) of a city.", {"city": S}), lambda city: {"city": city, "aqi": 160 if city in ("Delhi", "北京") else 40})
have(tool("random_number", "Draw a random number between a minimum and a maximum.", {"minimum": I, "maximum": I}), lambda **given: 7)
have(tool("resize_image", "Resize an image file to a width and a height in pixels.", {"path": S, "width": I, "height": I}), lambda **given: "resized")
have(tool("get_profile", "Profile of a user by id.", {"user_id": I}), lambda user_id: {"user_id": user_id, "name": "Ida", "email": "ida@x.example"})
have(tool("buy_train_ticket", "预订火车票", {"from_station": text("出发站"), "to_station": text("到达站"), "date": text("出发日期", format="date")}), lambda **given: "已出票")
have(tool("gupiao", "查询一只股票的最新股价", {"code": text("股票代码", pattern=r"^\d{6}$")}), lambda code: {"价格": 12.3})
have(tool("start_timer", "Start a countdown timer.", {"minutes": I}), lambda minutes: f"{minutes} minutes")
have(tool("run_sql", "Run a SQL query on the database and return the rows.", {"sql": text("SQL SELECT statement")}), lambda sql: [[1, "a"]])
have(tool("create_ticket", "Open a support ticket.", {"title": S, "priority": {"type": "string", "enum": ["low", "normal", "high"]}}, details=S),
     lambda **given: {"ticket": 77})
have(tool("close_ticket", "Close a support ticket.", {"ticket": I}), lambda ticket: f"ticket {ticket} closed")
have(tool("tell_joke", "Tell a joke."), lambda: "Why did the loop stop? It had a condition.")

OFFICE2 = "get_invoice pay_invoice post_message create_ticket close_ticket get_profile run_sql get_grades"
HOME2 = "set_thermostat set_alarm start_timer get_air_quality find_recipe tell_joke convert_units random_number resize_image"
ZH2 = "buy_train_ticket gupiao get_air_quality post_message set_alarm"

ROUND2 = [
    Case("thermostat", ["Set the thermostat in the bedroom to 21 degrees"], HOME2, [call("set_thermostat", room="bedroom", temperature=21)]),
    Case("invoice", ["How much is invoice INV-204?"], OFFICE2, [call("get_invoice", invoice_no="INV-204")], ["120.5"]),
    Case("pay by result", ["Look up invoice INV-204 and pay it if it is not paid yet"], OFFICE2,
         [call("get_invoice", invoice_no="INV-204"), call("pay_invoice", invoice_no="INV-204", amount=120.5)], ["paid 120.5"]),
    Case("grades threshold", ["What are the grades of Mia Chen? If her physics grade is below 75, post 'Help needed' in the channel tutors"], OFFICE2,
         [call("get_grades", student="Mia Chen"), call("post_message", channel="tutors", text="Help needed")]),
    Case("message", ["Post 'Build is green' to the channel dev"], OFFICE2, [call("post_message", channel="dev", text="Build is green")]),
    Case("ticket priority", ["Open a high priority ticket titled 'Printer broken'"], OFFICE2, [call("create_ticket", title="Printer broken", priority="high")], ["77"]),
    Case("ticket open and close", ["Create a normal ticket 'Test', then close it"], OFFICE2,
         [call("create_ticket", title="Test", priority="normal"), call("close_ticket", ticket=77)], ["closed"]),
    Case("priority lacking", ["Open a ticket 'No sound'"], OFFICE2, [], ["priority"]),
    Case("profile", ["show me the profile of user 42"], OFFICE2, [call("get_profile", user_id=42)], ["Ida"]),
    Case("sql", ["Run the query \"SELECT * FROM users\" on the database"], OFFICE2, [call("run_sql", sql="SELECT * FROM users")]),
    Case("recipe", ["Find a vegetarian recipe with tomatoes, onions and rice"], HOME2,
         [call("find_recipe", ingredients=["tomatoes", "onions", "rice"], vegetarian=True)], ["soup"]),
    Case("units", ["Convert 26.2 miles to km"], HOME2, [call("convert_units", value=26.2, from_unit="miles", to_unit="km")], ["42"]),
    Case("alarm", ["wake me up at 6:45"], HOME2, [call("set_alarm", time="06:45")]),
    Case("timer", ["start a timer for 10 minutes"], HOME2, [call("start_timer", minutes=10)]),
    Case("random", ["Give me a random number between 1 and 10"], HOME2, [call("random_number", minimum=1, maximum=10)], ["7"]),
    Case("resize", ["Resize photo.jpg to 800 x 600 pixels"], HOME2, [call("resize_image", path="photo.jpg", width=800, height=600)]),
    Case("air quality cond", ["Check the air quality in Delhi; if the AQI is over 150, set an alarm at 8 am"], HOME2,
         [call("get_air_quality", city="Delhi"), call("set_alarm", time="08:00")]),
    Case("air not", ["Check the air quality in Oslo; if the AQI is over 150, set an alarm at 8 am"], HOME2, [call("get_air_quality", city="Oslo")], ["left out"]),
    Case("joke", ["tell me a joke please"], HOME2, [call("tell_joke")], ["loop"]),
    Case("zh ticket", ["帮我订一张明天从北京到上海的火车票"], ZH2, [call("buy_train_ticket", from_station="北京", to_station="上海", date="2026-12-02")], ["已出票"]),
    Case("zh stock", ["600519的股价是多少？"], ZH2, [call("gupiao", code="600519")], ["12.3"]),
    Case("zh air", ["北京空气质量怎么样？如果AQI超过100，就在频道health发消息“别出门”"], ZH2,
         [call("get_air_quality", city="北京"), call("post_message", channel="health", text="别出门")]),
    Case("zh alarm", ["早上七点半叫我起床"], ZH2, [call("set_alarm", time="07:30")]),
    Case("denied pay", ["Pay invoice INV-9 with amount 50"], OFFICE2, [call("pay_invoice", invoice_no="INV-9", amount=50)], ["not allowed", no("paid 50")],
         {"pay_invoice": "Error: The user refused this call."}),
    Case("no fit", ["Paint my house blue"], OFFICE2, [], ["no tool"]),
    Case("two users", ["Get the profiles of users 3 and 5"], OFFICE2, [call("get_profile", user_id=3), call("get_profile", user_id=5)]),
]
