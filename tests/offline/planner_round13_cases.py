"""Round 13 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, has, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("13")
have = shelf.have

have(tool("get_user", "Get a user by ID.", {"user_id": I}), lambda user_id: {"user_id": user_id, "name": "Lena", "email": "lena@example.org", "city": "Vienna"})
have(tool("get_weather", "Get the weather of a city.", {"city": S}), lambda city: {"city": city, "weather": "cloudy", "temperature": 9})
have(tool("send_email", "Send an email.", {"to": S, "subject": S, "body": S}), lambda **given: "email sent")
have(tool("tip", "Calculate the tip for a bill.", {"bill": N, "percent": {"type": "number", "default": 10}}), lambda bill, percent=10: bill * percent / 100)
have(tool("split_bill", "Split a bill between people.", {"total": N, "people": I}), lambda total, people: total / people)
have(tool("add_event", "Add an event to the calendar.", {"title": S, "date": text("YYYY-MM-DD")}, time=text("HH:MM")), lambda **given: "event added")
have(tool("events_on", "List the events of a day.", {"date": text("YYYY-MM-DD")}), lambda date: ["9:00 dentist", "14:00 yoga"])
have(tool("cancel_event", "Cancel an event.", {"title": S}), lambda title: f"{title} cancelled")
have(tool("light", "Turn a lamp on or off.", {"lamp": text(enum=["desk", "ceiling", "floor"]), "on": {"type": "boolean"}}), lambda **given: "done")
have(tool("set_volume", "Set the volume of the speaker.", {"level": text("0 to 100")}), lambda level: "volume set")
have(tool("play_music", "Play music by an artist or of a genre.", {"what": S}), lambda what: f"playing {what}")
have(tool("stop_music", "Stop the music."), lambda: "stopped")
have(tool("capital_of", "The capital city of a country.", {"country": S}), lambda country: {"France": "Paris", "Japan": "Tokyo", "法国": "巴黎"}.get(country, "unknown"))
have(tool("population", "Number of people living in a country.", {"country": S}), lambda country: 68000000)
have(tool("word_length", "Length of a word.", {"word": S}), lambda word: len(word))
have(tool("sort_numbers", "Sort a list of numbers.", {"numbers": {"type": "array", "items": N}}, descending={"type": "boolean", "default": False}), lambda numbers, descending=False: sorted(numbers, reverse=descending))
have(tool("kecheng", "查询某天的课程表", {"riqi": text("日期", format="date")}), lambda riqi: ["数学", "体育"])
have(tool("jieshu", "借阅图书馆的书", {"shuming": text("书名")}), lambda shuming: f"已借《{shuming}》")
have(tool("sousuo", "在网上搜索信息", {"guanjianci": text("关键词")}), lambda guanjianci: ["结果一", "结果二"])
have(tool("danwei", "长度单位换算", {"shuzhi": {"type": "number", "description": "数值"}, "cong": text("原单位", enum=["米", "厘米", "千米"]), "dao": text("目标单位", enum=["米", "厘米", "千米"])}), lambda **given: 1500)

PEOPLE = shelf("get_user get_weather send_email tip split_bill")
DAY = shelf("add_event events_on cancel_event light set_volume play_music stop_music")
FACTS = shelf("capital_of population word_length sort_numbers get_weather")
ZH = shelf("kecheng jieshu sousuo danwei capital_of")

ROUND13 = [
    Case("user", ["Get user 7"], PEOPLE, [call("get_user", user_id=7)], ["Lena"]),
    Case("user weather", ["Get user 7 and tell me the weather in their city"], PEOPLE, [call("get_user", user_id=7), call("get_weather", city="Vienna")], ["cloudy"]),
    Case("user mail", ["Look up user 7 and send them an email with subject 'Hello' and body 'Welcome aboard'"], PEOPLE,
         [call("get_user", user_id=7), call("send_email", to="lena@example.org", subject="Hello", body="Welcome aboard")], ["email sent"]),
    Case("tip", ["How much tip should I give on a bill of 50?"], PEOPLE, [call("tip", bill=50, percent=10)], results={"tip": 5}),
    Case("tip percent", ["Calculate a 15% tip on an 80 euro bill"], PEOPLE, [call("tip", bill=80, percent=15)]),
    Case("split", ["Split a bill of 90 euros between 3 people"], PEOPLE, [call("split_bill", total=90, people=3)], ["30"]),
    Case("split words", ["we are four people and the total is 120, how much does each pay?"], PEOPLE, [call("split_bill", total=120, people=4)]),
    Case("event", ["Add a dentist appointment on December 10 at 9:30 to my calendar"], DAY, [call("add_event", title=has("dentist"), date="2026-12-10", time="09:30")], ["event added"]),
    Case("events", ["What do I have planned for tomorrow?"], DAY, [call("events_on", date="2026-12-02")], ["yoga"]),
    Case("events 2", ["whats on my calendar today"], DAY, [call("events_on", date="2026-12-01")], ["dentist"]),
    Case("cancel", ["Cancel the yoga event"], DAY, [call("cancel_event", title="yoga")], ["yoga cancelled"]),
    Case("lamp", ["Could you turn on the desk lamp?"], DAY, [call("light", lamp="desk", on=True)], ["done"]),
    Case("lamps", ["Turn off the desk lamp and the floor lamp"], DAY, [call("light", lamp="desk", on=False), call("light", lamp="floor", on=False)]),
    Case("volume", ["set the volume to 30"], DAY, [call("set_volume", level="30")], ["volume set"]),
    Case("music", ["Play some jazz"], DAY, [call("play_music", what="jazz")], ["playing jazz"]),
    Case("music artist", ["play music by Miles Davis please"], DAY, [call("play_music", what="Miles Davis")]),
    Case("stop", ["stop the music"], DAY, [call("stop_music")], ["stopped"]),
    Case("capital", ["What's the capital of France?"], FACTS, [call("capital_of", country="France")], ["Paris"]),
    Case("capitals", ["Tell me the capitals of France and Japan"], FACTS, [call("capital_of", country="France"), call("capital_of", country="Japan")], ["Paris", "Tokyo"]),
    Case("capital weather", ["What is the capital of Japan and what's the weather there?"], FACTS, [call("capital_of", country="Japan"), call("get_weather", city="Tokyo")], ["cloudy"]),
    Case("population", ["How many people live in France?"], FACTS, [call("population", country="France")], ["68000000", no("There are 0")]),
    Case("length", ["How long is the word 'banana'?"], FACTS, [call("word_length", word="banana")], ["6"]),
    Case("sort", ["sort these numbers: 5, 2, 9, 1"], FACTS, [call("sort_numbers", numbers=[5, 2, 9, 1])], ["1, 2, 5, 9"]),
    Case("sort down", ["Sort 3, 8 and 4 in descending order"], FACTS, [call("sort_numbers", numbers=[3, 8, 4], descending=True)]),
    Case("no tool", ["Can you paint a picture of a horse?"], PEOPLE, [], ["no tool"]),
    Case("zh lesson", ["明天有什么课？"], ZH, [call("kecheng", riqi="2026-12-02")], ["数学"]),
    Case("zh borrow", ["我想借一本《三体》"], ZH, [call("jieshu", shuming="三体")], ["已借"]),
    Case("zh search", ["上网搜一下人工智能的最新进展"], ZH, [call("sousuo", guanjianci=has("人工智能"))], ["结果一"]),
    Case("zh convert", ["1.5千米是多少米？"], ZH, [call("danwei", shuzhi=1.5, cong="千米", dao="米")], ["1500"]),
    Case("zh capital", ["法国的首都是哪里？"], ZH, [call("capital_of", country="法国")], ["巴黎"]),
]
