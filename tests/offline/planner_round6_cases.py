"""Round 6 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, MATHS, OFFICE, SHOP, call
from planner_toolbox import Case, has, have, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("get_exchange_holidays", "Public holidays of a country in a year.", {"country": S, "year": I}), lambda **given: ["1 January", "25 December"])
have(tool("water_garden", "Water the garden for some minutes.", {"minutes": I}), lambda minutes: f"watering for {minutes} minutes")
have(tool("soil_moisture", "Moisture of the soil in percent."), lambda: {"moisture_percent": 18})
have(tool("add_contact", "Save a contact in the address book.", {"name": S, "phone": S}, email=text(format="email")), lambda **given: "saved")
have(tool("call_phone", "Call a phone number.", {"phone": S}), lambda phone: f"calling {phone}")
have(tool("find_contact", "Find a contact in the address book by name.", {"name": S}), lambda name: {"name": name, "phone": "+49 170 1234567"})
have(tool("score_text", "Rate how positive a text is, from 0 to 1.", {"text": S}), lambda text: 0.2)
have(tool("set_status", "Set the status shown to colleagues.", {"status": {"type": "string", "enum": ["available", "busy", "away"]}}, until=text("HH:MM")), lambda **given: "status set")
have(tool("rename_file", "Give a file a new name.", {"path": text("present path"), "new_name": text("new file name")}), lambda **given: "renamed")
have(tool("list_users", "List the users of the system with role and age."), lambda: [{"user_id": 4, "name": "Bo", "age": 31}, {"user_id": 9, "name": "Cy", "age": 19}])
have(tool("disable_user", "Disable a user's account.", {"user_id": I}), lambda user_id: f"user {user_id} disabled")
have(tool("power", "Raise a base to an exponent.", {"base": N, "exponent": N}), lambda base, exponent: base**exponent)
have(tool("average", "Average of a list of numbers.", {"numbers": {"type": "array", "items": N}}), lambda numbers: sum(numbers) / len(numbers))
have(tool("dingwaimai", "点外卖", {"dish": text("菜名"), "count": {"type": "integer", "description": "份数"}}), lambda **given: "已下单")
have(tool("chaxun_huoche", "查询两个城市之间的火车", {"from_city": text("出发城市"), "to_city": text("到达城市"), "date": text("日期", format="date")}), lambda **given: ["G1", "G3"])

GARDEN = "water_garden soil_moisture get_exchange_holidays find_contact add_contact call_phone set_status"
ADMIN = "list_users disable_user rename_file score_text set_status"
SUMS = "power average calculate"
ZH6 = "dingwaimai chaxun_huoche get_weather set_reminder"

ROUND6 = [
    Case("holidays", ["What are the public holidays in Spain in 2027?"], GARDEN, [call("get_exchange_holidays", country="Spain", year=2027)], ["25 December"]),
    Case("garden", ["Water the garden for 15 minutes"], GARDEN, [call("water_garden", minutes=15)], ["15 minutes"]),
    Case("garden if dry", ["Check the soil moisture and if it is below 20 percent, water the garden for 10 minutes"], GARDEN,
         [call("soil_moisture"), call("water_garden", minutes=10)], ["watering"]),
    Case("garden if wet", ["If the soil moisture is above 50, set my status to busy"], GARDEN, [call("soil_moisture")], ["left out"]),
    Case("contact", ["Save a contact named Lena Maier with phone +43 660 5555555"], GARDEN, [call("add_contact", name="Lena Maier", phone="+43 660 5555555")]),
    Case("find and call", ["Find the contact Omar and call him"], GARDEN, [call("find_contact", name="Omar"), call("call_phone", phone="+49 170 1234567")], ["calling"]),
    Case("status", ["set my status to away until 14:30"], GARDEN, [call("set_status", status="away", until="14:30")]),
    Case("status lacking", ["Change my status please", "busy"], GARDEN, [call("set_status", status="busy")]),
    Case("rate text", ["How positive is the text 'what a lovely day'?"], ADMIN, [call("score_text", text="what a lovely day")], ["0.2"]),
    Case("rename", ["Rename report.md to summary.md"], ADMIN, [call("rename_file", path="report.md", new_name="summary.md")], ["renamed"]),
    Case("youngest", ["List the users and disable the first one"], ADMIN, [call("list_users"), call("disable_user", user_id=4)], ["disabled"]),
    Case("disable two", ["Disable users 4 and 9"], ADMIN, [call("disable_user", user_id=4), call("disable_user", user_id=9)]),
    Case("how many users", ["How many users are there?"], ADMIN, [call("list_users")], ["There are 2"]),
    Case("power", ["Raise 2 to the exponent 10"], SUMS, [call("power", base=2, exponent=10)], ["1024"]),
    Case("average", ["What is the average of 4, 8 and 15?"], SUMS, [call("average", numbers=[4, 8, 15])], ["9"]),
    Case("zh food", ["帮我点两份宫保鸡丁"], ZH6, [call("dingwaimai", dish="宫保鸡丁", count=2)], ["已下单"]),
    Case("zh trains", ["查询明天从广州到深圳的火车"], ZH6, [call("chaxun_huoche", from_city="广州", to_city="深圳", date="2026-12-02")], ["G1"]),
    Case("zh cond", ["明天杭州会下雨吗？如果下雨，提醒我早上8点带伞"], ZH6,
         [call("get_weather", city="杭州", date="2026-12-02")], ["没有执行"]),
    Case("zh reminder daily", ["每天晚上10点提醒我睡觉"], ZH6, [call("set_reminder", title="睡觉", when=has("22:00"), repeat="daily")]),
    Case("polite file", ["Would you mind reading notes.txt for me?"], FILE_TOOLS, [call("read_file", path="notes.txt")], ["Buy milk"]),
    Case("file question", ["Is there a file called report.md?"], FILE_TOOLS, [call("list_dir", path=".")], ["report.md"]),
    Case("append result", ["Run `uname` and write the output into os.txt"], FILE_TOOLS, [call("run_shell", command="uname"), call("write_file", path="os.txt", content="exit 0")]),
    Case("write list", ["Write the list of files in the current folder to index.txt"], FILE_TOOLS,
         [call("list_dir", path="."), call("write_file", path="index.txt", content=has("notes.txt"))]),
    Case("contents equal", ["Read notes.txt and report.md and tell me which one mentions milk"], FILE_TOOLS,
         [call("read_file", path="notes.txt"), call("read_file", path="report.md")], ["Buy milk"]),
    Case("light by brightness", ["dim the bedroom light to 10 percent brightness"], HOME, [call("set_light", room="bedroom", on=True, brightness=10)]),
    Case("weather and time", ["whats the time and the weather in rome"], HOME, [call("get_current_time"), call("get_weather", city="rome")]),
    Case("notes search", ["Find papers on graph neural networks and save a note 'read papers'"], OFFICE,
         [call("search_papers", query="graph neural networks"), call("add_note", text="read papers")]),
    Case("order detail", ["Give me the details of order 222222222222222222"], SHOP, [call("query_order", order_id="222222222222222222", query_type="detail")], ["pending"]),
    Case("define", ["define serendipity"], MATHS, [call("define_word", word="serendipity")]),
    Case("nothing for it", ["Please shave my cat"], GARDEN, [], ["no tool", "water_garden"]),
]
