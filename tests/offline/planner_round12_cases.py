"""Round 12 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("12")
have = shelf.have

have(tool("add_numbers", "Add two numbers.", {"a": N, "b": N}), lambda a, b: a + b)
have(tool("multiply_numbers", "Multiply two numbers.", {"a": N, "b": N}), lambda a, b: a * b)
have(tool("square_root", "The square root of a number.", {"x": N}), lambda x: x**0.5)
have(tool("reverse_text", "Reverse a text.", {"text": S}), lambda text: text[::-1])
have(tool("roll", "Roll a dice and return the number.", sides=I), lambda sides=6: 5)
have(tool("add_contact", "Add a person with a phone number to the contacts.", {"name": S, "phone": S}), lambda name, phone: f"added {name}")
have(tool("get_contact", "Get the phone number of a contact.", {"name": S}), lambda name: f"{name}: 555-0100")
have(tool("remove_contact", "Remove a contact.", {"name": S}), lambda name: f"removed {name}")
have(tool("water_plant", "Water a plant.", {"plant": S, "ml": text("amount in ml")}), lambda plant, ml: "watered")
have(tool("plant_status", "How dry the soil of a plant is, in percent moisture.", {"plant": S}), lambda plant: {"plant": plant, "moisture": 12})
have(tool("get_news", "Latest news headlines about a topic.", {"topic": S}), lambda topic: ["First headline", "Second headline"])
have(tool("get_time", "Current time in a city.", {"city": S}), lambda city: "14:30")
have(tool("set_alarm", "Set an alarm.", {"time": text("HH:MM")}, label=S), lambda **given: "alarm set")
have(tool("log_workout", "Log a workout.", {"activity": text(enum=["running", "swimming", "cycling"]), "minutes": I}), lambda **given: "logged")
have(tool("weekly_minutes", "Total workout minutes of this week."), lambda: {"minutes": 95})
have(tool("chaxun_yue", "查询银行卡余额"), lambda: {"余额": 350.5})
have(tool("zhuanzhang", "转账给别人", {"shoukuanren": text("收款人姓名"), "jine": {"type": "number", "description": "转账金额"}}), lambda **given: "转账成功")
have(tool("dingcan", "订外卖", {"cai": text("菜名"), "fenshu": {"type": "integer", "description": "份数"}}), lambda **given: "已下单")
have(tool("suijishu", "生成一个范围内的随机数", {"zuixiao": {"type": "integer", "description": "最小值"}, "zuida": {"type": "integer", "description": "最大值"}}), lambda **given: 7)

MATH = shelf("add_numbers multiply_numbers square_root reverse_text roll")
PEOPLE = shelf("add_contact get_contact remove_contact get_time set_alarm")
GARDEN = shelf("water_plant plant_status get_news get_time")
SPORT = shelf("log_workout weekly_minutes set_alarm")
ZH = shelf("chaxun_yue zhuanzhang dingcan suijishu")

ROUND12 = [
    Case("add", ["What's 5 + 7?"], MATH, [call("add_numbers", a=5, b=7)], ["12"]),
    Case("add words", ["add 19 and 23"], MATH, [call("add_numbers", a=19, b=23)], ["42"]),
    Case("times", ["how much is 12 times 12"], MATH, [call("multiply_numbers", a=12, b=12)], ["144"]),
    Case("two steps", ["Multiply 3 and 4, then add 5 to the result"], MATH, [call("multiply_numbers", a=3, b=4), call("add_numbers", a=12, b=5)], ["17"]),
    Case("root", ["square root of 81"], MATH, [call("square_root", x=81)], ["9"]),
    Case("reverse", ["Reverse the word 'hello'"], MATH, [call("reverse_text", text="hello")], ["olleh"]),
    Case("reverse unquoted", ["can you reverse python for me?"], MATH, [call("reverse_text", text="python")]),
    Case("roll", ["Roll the dice!"], MATH, [call("roll")], ["5"]),
    Case("roll sides", ["roll a 20 sided dice"], MATH, [call("roll", sides=20)]),
    Case("contact", ["Add Tim to my contacts, his number is 555-1234"], PEOPLE, [call("add_contact", name="Tim", phone="555-1234")]),
    Case("contact missing", ["Add Sara to my contacts", "555-9876"], PEOPLE, [call("add_contact", name="Sara", phone="555-9876")]),
    Case("number of", ["what's Tim's phone number?"], PEOPLE, [call("get_contact", name="Tim")], ["555-0100"]),
    Case("remove", ["please remove Tim from my contacts"], PEOPLE, [call("remove_contact", name="Tim")], ["removed Tim"]),
    Case("time in", ["What time is it in Tokyo right now?"], PEOPLE, [call("get_time", city="Tokyo")], ["14:30"]),
    Case("alarm", ["wake me up at 6:45"], PEOPLE, [call("set_alarm", time="06:45")], ["alarm set"]),
    Case("alarm pm", ["Set an alarm for 7 pm"], PEOPLE, [call("set_alarm", time="19:00")]),
    Case("plant", ["Is the basil dry?"], GARDEN, [call("plant_status", plant="basil")], ["12"]),
    Case("plant water", ["Check the status of the basil and if the moisture is below 20 water it with 200 ml"], GARDEN,
         [call("plant_status", plant="basil"), call("water_plant", plant="basil", ml="200")], ["watered"]),
    Case("plant fine", ["Check the status of the basil. If the moisture is below 10, water it with 200 ml."], GARDEN, [call("plant_status", plant="basil")], ["left out"]),
    Case("news", ["any news about space?"], GARDEN, [call("get_news", topic="space")], ["First headline"]),
    Case("news 2", ["Show me the latest headlines on football"], GARDEN, [call("get_news", topic="football")]),
    Case("run", ["I ran for 30 minutes today, log it please"], SPORT, [call("log_workout", activity="running", minutes=30)], ["logged"]),
    Case("log", ["Log 45 minutes of swimming"], SPORT, [call("log_workout", activity="swimming", minutes=45)]),
    Case("minutes", ["How many minutes did I work out this week?"], SPORT, [call("weekly_minutes")], ["95"]),
    Case("no tool", ["Write a poem about the sea"], SPORT, [], ["no tool"]),
    Case("zh balance", ["我的银行卡里还有多少钱？"], ZH, [call("chaxun_yue")], ["350.5"]),
    Case("zh transfer", ["给张伟转账200元"], ZH, [call("zhuanzhang", shoukuanren="张伟", jine=200)], ["转账成功"]),
    Case("zh transfer if", ["查一下余额，如果超过300元，就给张伟转账100元"], ZH, [call("chaxun_yue"), call("zhuanzhang", shoukuanren="张伟", jine=100)], ["转账成功"]),
    Case("zh food", ["帮我订两份宫保鸡丁"], ZH, [call("dingcan", cai="宫保鸡丁", fenshu=2)], ["已下单"]),
    Case("zh random", ["给我一个1到10之间的随机数"], ZH, [call("suijishu", zuixiao=1, zuida=10)], ["7"]),
]
