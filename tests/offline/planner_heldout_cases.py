"""Held out: written after all tuning, with tools of their own, and never tuned on."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, MATHS, OFFICE, SHOP, TRAVEL, call
from planner_toolbox import FILES, Case, have, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("charge_car", "Start charging the electric car up to a percentage.", {"percent": I}), lambda percent: "charging")
have(tool("car_battery", "Battery level of the electric car in percent."), lambda: {"battery_percent": 35})
have(tool("find_parking", "Find free parking near a place.", {"place": S}), lambda place: [{"spot": "P1", "free": 12}, {"spot": "P2", "free": 0}])
have(tool("book_parking", "Reserve a parking spot.", {"spot": text("name of the spot")}, hours=I), lambda spot, **more: f"{spot} reserved")
have(tool("student_info", "Look up a student: name, course and average grade.", {"student_id": text(pattern=r"^S\d{4}$")}), lambda student_id: {"name": "Kim", "average": 1.9})
have(tool("enroll", "Enroll a student in a course.", {"student_id": text(pattern=r"^S\d{4}$"), "course": S}), lambda **given: "enrolled")
have(tool("list_courses", "All courses of the school."), lambda: ["Algebra", "Biology", "Chess"])
have(tool("to_upper", "Turn a text into capital letters.", {"text": S}), lambda text: text.upper())
have(tool("is_palindrome", "Whether a word reads the same backwards.", {"word": S}), lambda word: word == word[::-1])
have(tool("area_rectangle", "Area of a rectangle.", {"width": N, "height": N}), lambda width, height: width * height)
have(tool("dictionary", "Translate one English word to Spanish.", {"word": S}), lambda word: "perro")
have(tool("open_window", "Open or close a window.", {"window": {"type": "string", "enum": ["kitchen", "bathroom"]}, "open": {"type": "boolean"}}), lambda **given: "done")
have(tool("sheshi", "把华氏温度转换为摄氏温度", {"fahrenheit": {"type": "number", "description": "华氏度"}}), lambda fahrenheit: 37)
have(tool("paocai", "查询一道菜的做法", {"dish": text("菜名")}), lambda dish: f"{dish}：先切后炒")
have(tool("naozhong", "设置闹钟", {"time": text("时间 HH:MM")}), lambda time: "闹钟已设置")

CAR = "charge_car car_battery find_parking book_parking open_window"
SCHOOL = "student_info enroll list_courses to_upper is_palindrome area_rectangle dictionary"
ZH = "sheshi paocai naozhong get_weather"

HELDOUT = [
    Case("battery", ["How full is the battery of my car?"], CAR, [call("car_battery")], ["35"]),
    Case("charge", ["Charge the car to 80 percent"], CAR, [call("charge_car", percent=80)], ["charging"]),
    Case("charge if low", ["Check the car battery. If it is below 50, charge the car to 90 percent."], CAR, [call("car_battery"), call("charge_car", percent=90)]),
    Case("parking", ["Find parking near the Central Station and reserve the first spot for 3 hours"], CAR,
         [call("find_parking", place="Central Station"), call("book_parking", spot="P1", hours=3)], ["reserved"]),
    Case("window", ["Please close the kitchen window"], CAR, [call("open_window", window="kitchen", open=False)]),
    Case("student", ["Who is student S1234?"], SCHOOL, [call("student_info", student_id="S1234")], ["Kim"]),
    Case("enroll", ["Enroll student S1234 in the course Algebra"], SCHOOL, [call("enroll", student_id="S1234", course="Algebra")], ["enrolled"]),
    Case("enroll lacking", ["Enroll a student in Biology", "S2222"], SCHOOL, [call("enroll", student_id="S2222", course="Biology")]),
    Case("courses", ["Which courses does the school have?"], SCHOOL, [call("list_courses")], ["Chess"]),
    Case("courses count", ["How many courses are there?"], SCHOOL, [call("list_courses")], ["There are 3"]),
    Case("upper", ["Turn 'hello world' into capital letters"], SCHOOL, [call("to_upper", text="hello world")], ["HELLO WORLD"]),
    Case("palindrome", ["Is 'level' a palindrome?"], SCHOOL, [call("is_palindrome", word="level")], ["Yes"]),
    Case("area", ["What is the area of a rectangle with width 3 and height 4.5?"], SCHOOL, [call("area_rectangle", width=3, height=4.5)], ["13.5"]),
    Case("spanish", ["Translate the word dog to Spanish"], SCHOOL, [call("dictionary", word="dog")], ["perro"]),
    Case("zh fahrenheit", ["98.6华氏度是多少摄氏度？"], ZH, [call("sheshi", fahrenheit=98.6)], ["37"]),
    Case("zh dish", ["麻婆豆腐怎么做？查询做法"], ZH, [call("paocai", dish="麻婆豆腐")], ["先切后炒"]),
    Case("zh alarm", ["设置一个早上6点半的闹钟"], ZH, [call("naozhong", time="06:30")], ["闹钟"]),
    Case("zh rain alarm", ["如果北京明天不下雨，设置早上6点的闹钟"], ZH, [call("get_weather", city="北京", date="2026-12-02"), call("naozhong", time="06:00")]),
    Case("read report", ["can you open report.md and summarize it"], FILE_TOOLS, [call("read_file", path="report.md")], ["Sales"]),
    Case("backup", ["Read data.csv and save it as backup.csv"], FILE_TOOLS, [call("read_file", path="data.csv"), call("write_file", path="backup.csv", content=FILES["data.csv"])]),
    Case("london dry", ["If it's not raining in London turn off the kitchen light"], HOME, [call("get_weather", city="London")], ["left out"]),
    Case("email to employee", ["Get the contact of Sam and email him with subject 'Report' saying 'Please review'"], OFFICE,
         [call("get_employee", name="Sam"), call("send_email", to="sam@firm.example", subject="Report", body="Please review")]),
    Case("order shipped then track", ["Look up order 123456789012345678 and track parcel DE123456789"], SHOP,
         [call("query_order", order_id="123456789012345678"), call("track_parcel", tracking_number="DE123456789")], ["Hamburg"]),
    Case("table", ["book a table for 6 people at 'Casa Luna' on 2026-12-31 at 21:00"], TRAVEL,
         [call("book_table", restaurant="Casa Luna", people=6, date="2026-12-31", time="21:00")]),
    Case("sum then", ["Add 12, 30 and 8"], MATHS, [call("sum_numbers", numbers=[12, 30, 8])], ["50"]),
    Case("no fit", ["Iron my shirts"], CAR, [], ["no tool"]),
]
