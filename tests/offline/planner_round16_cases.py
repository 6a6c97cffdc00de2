"""Round 16 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("16")
have = shelf.have

have(tool("dice", "Throw a die.", sides={"type": "integer", "default": 6}), lambda sides=6: 6)
have(tool("add", "Add two numbers.", {"a": N, "b": N}), lambda a, b: a + b)
have(tool("divide", "Divide a by b.", {"a": N, "b": N}), lambda a, b: "Error: division by zero" if b == 0 else a / b)
have(tool("save_note", "Save a note.", {"text": S}), lambda text: "saved")
have(tool("read_notes", "Read all saved notes."), lambda: ["milk", "bread"])
have(tool("weather", "Weather in a city.", {"city": S}), lambda city: {"city": city, "sky": "rain" if city == "Bergen" else "clear"})
have(tool("remind", "Remind the user of something at a time.", {"what": S, "time": text("HH:MM")}), lambda **given: "reminder set")
have(tool("find_book", "Find a book in the library by its title.", {"title": S}), lambda title: {"title": title, "shelf": "B4", "available": True})
have(tool("reserve_book", "Reserve a book.", {"title": S}), lambda title: f"{title} reserved")
have(tool("average", "Average of several numbers.", {"numbers": {"type": "array", "items": N}}), lambda numbers: sum(numbers) / len(numbers))
have(tool("password", "Generate a password.", {"length": I}), lambda length: "abc")
have(tool("file_size", "Size of a file in bytes.", {"path": S}), lambda path: 2048)
have(tool("chengyu", "解释一个成语", {"chengyu": text("成语")}), lambda chengyu: "意思是……")
have(tool("maipiao", "购买电影票", {"dianying": text("电影名"), "zhangshu": {"type": "integer", "description": "张数"}}), lambda **given: "已购票")
have(tool("huilv", "查询货币兑人民币的汇率", {"huobi": text("货币", enum=["美元", "欧元", "日元"])}), lambda huobi: 7.1)

A = shelf("dice add divide average password")
B = shelf("save_note read_notes weather remind find_book reserve_book file_size")
ZH = shelf("chengyu maipiao huilv")

ROUND16 = [
    Case("throw", ["throw a die"], A, [call("dice")], ["6"]),
    Case("add", ["Can you add 2.5 and 4 for me"], A, [call("add", a=2.5, b=4)], ["6.5"]),
    Case("plus", ["12+8=?"], A, [call("add", a=12, b=8)], ["20"]),
    Case("divide", ["What is 9 divided by 3?"], A, [call("divide", a=9, b=3)], ["3"]),
    Case("zero", ["Divide 5 by 0"], A, [call("divide", a=5, b=0)], ["division by zero"]),
    Case("add then divide", ["Add 10 and 20, then divide the result by 3"], A, [call("add", a=10, b=20), call("divide", a=30, b=3)], ["10"]),
    Case("average", ["average of 4, 8 and 12"], A, [call("average", numbers=[4, 8, 12])], ["8"]),
    Case("password", ["Generate a password of length 20"], A, [call("password", length=20)]),
    Case("password missing", ["make me a password", "16"], A, [call("password", length=16)]),
    Case("note", ["Save a note: buy flowers"], B, [call("save_note", text="buy flowers")], ["saved"]),
    Case("note saying", ["please save a note that says call the bank"], B, [call("save_note", text="call the bank")]),
    Case("notes", ["Read me my notes"], B, [call("read_notes")], ["milk"]),
    Case("notes milk", ["Is there milk in my notes?"], B, [call("read_notes")], ["Yes"]),
    Case("weather", ["hows the weather in Bergen"], B, [call("weather", city="Bergen")], ["rain"]),
    Case("umbrella", ["Check the weather in Bergen and if it rains remind me at 7:30 to take an umbrella"], B, [call("weather", city="Bergen"), call("remind", what="take an umbrella", time="07:30")], ["reminder set"]),
    Case("no umbrella", ["Check the weather in Rome and if it rains remind me at 7:30 to take an umbrella"], B, [call("weather", city="Rome")], ["left out"]),
    Case("two cities", ["Where is it raining, Rome or Bergen?"], B, [call("weather", city="Rome"), call("weather", city="Bergen")]),
    Case("weather note", ["Get the weather in Rome and save it as a note"], B, [call("weather", city="Rome"), call("save_note", text="city: Rome, sky: clear")]),
    Case("book", ["Do you have the book 'Emma'?"], B, [call("find_book", title="Emma")], ["B4"]),
    Case("reserve", ["Find the book Emma and reserve it if it is available"], B, [call("find_book", title="Emma"), call("reserve_book", title="Emma")], ["reserved"]),
    Case("size", ["how big is photo.png?"], B, [call("file_size", path="photo.png")], ["2048"]),
    Case("remind", ["remind me to stretch at 15:00"], B, [call("remind", what="stretch", time="15:00")]),
    Case("remind missing", ["remind me to stretch", "at 3 pm"], B, [call("remind", what="stretch", time="15:00")]),
    Case("do not", ["Do not save anything, just tell me the weather in Rome"], B, [call("weather", city="Rome")], ["clear"]),
    Case("no tool", ["Fly a kite"], A, [], ["no tool"]),
    Case("zh idiom", ["“画蛇添足”是什么意思？"], ZH, [call("chengyu", chengyu="画蛇添足")], ["意思"]),
    Case("zh tickets", ["买两张《流浪地球》的电影票"], ZH, [call("maipiao", dianying="流浪地球", zhangshu=2)], ["已购票"]),
    Case("zh rate", ["现在美元的汇率是多少？"], ZH, [call("huilv", huobi="美元")], ["7.1"]),
    Case("zh rates", ["美元和欧元的汇率各是多少？"], ZH, [call("huilv", huobi="美元"), call("huilv", huobi="欧元")]),
    Case("zh no tool", ["帮我洗碗"], ZH, [], ["没有合适"]),
]
