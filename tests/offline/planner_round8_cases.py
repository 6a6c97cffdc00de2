"""Round 8 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, SHOP, TRAVEL, call
from planner_toolbox import Case, has, have, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}

have(tool("get_temperature", "Current temperature of a room in the house.", {"room": text("name of the room")}), lambda room: {"room": room, "celsius": 17.5})
have(tool("set_heating", "Set the heating of a room to a temperature.", {"room": S, "celsius": N}), lambda **given: "heating set")
have(tool("add_expense", "Add an expense to the budget.", {"amount": N, "description": text("what the money was spent on")}), lambda **given: "added")
have(tool("total_expenses", "Total of all expenses so far."), lambda: {"total": 312.4})
have(tool("search_wiki", "Search an encyclopedia for articles.", {"query": text("search words")}), lambda query: ["Python (language)", "Python (snake)"])
have(tool("get_article", "Text of one encyclopedia article.", {"title": text("title of the article")}), lambda title: f"{title} is an article.")
have(tool("send_message", "Send a chat message to a person.", {"person": text("name"), "message": text("the text")}), lambda person, message: f"sent to {person}")
have(tool("roll_die", "Roll a die.", sides={"type": "integer", "default": 6}), lambda sides=6: 4)
have(tool("factorial", "Factorial of a whole number.", {"n": I}), lambda n: 120)
have(tool("bmi_value", "Body mass index.", {"weight_kg": N, "height_m": N}), lambda **given: 23.1)
have(tool("count_letters", "Count how often a letter occurs in a text.", {"text": S, "letter": S}), lambda text, letter: text.count(letter))
have(tool("next_train", "Departure of the next train to a station.", {"station": text("destination")}), lambda station: "14:05")
have(tool("chengfa", "计算两个数的乘积", {"a": N, "b": N}), lambda a, b: a * b)
have(tool("shijian", "查询当前时间"), lambda: "10:00")
have(tool("biji", "保存一条笔记", {"content": text("笔记内容")}), lambda content: "已保存")

DAILY = "get_temperature set_heating add_expense total_expenses search_wiki get_article send_message next_train"
PLAY = "roll_die factorial bmi_value count_letters search_wiki"
ZH = "chengfa shijian biji get_weather"

ROUND8 = [
    Case("room", ["How warm is it in the kitchen?"], DAILY, [call("get_temperature", room="kitchen")], ["17.5"]),
    Case("heating", ["Set the heating of the bathroom to 22 degrees"], DAILY, [call("set_heating", room="bathroom", celsius=22)], ["heating set"]),
    Case("heating if cold", ["Check the temperature of the bedroom. If it is below 19 degrees, set the heating of the bedroom to 20."], DAILY,
         [call("get_temperature", room="bedroom"), call("set_heating", room="bedroom", celsius=20)], ["heating set"]),
    Case("expense", ["Add an expense of 8.90 for coffee beans"], DAILY, [call("add_expense", amount=8.9, description="coffee beans")], ["added"]),
    Case("total", ["What are my total expenses?"], DAILY, [call("total_expenses")], ["312.4"]),
    Case("wiki", ["Search the encyclopedia for python"], DAILY, [call("search_wiki", query="python")], ["snake"]),
    Case("wiki first", ["Search the encyclopedia for python, then get the first article"], DAILY,
         [call("search_wiki", query="python"), call("get_article", title="Python (language)")], ["is an article"]),
    Case("message", ["Send a message to Tom saying 'I am late'"], DAILY, [call("send_message", person="Tom", message="I am late")], ["sent to Tom"]),
    Case("message lacking", ["Send a message saying 'hi'", "Eva"], DAILY, [call("send_message", person="Eva", message="hi")]),
    Case("train then message", ["When does the next train to Hamburg leave? Send the answer to Tom."], DAILY,
         [call("next_train", station="Hamburg"), call("send_message", person="Tom", message=has("14:05"))]),
    Case("die", ["roll a die"], PLAY, [call("roll_die")], ["4"]),
    Case("die sides", ["Roll a die with 20 sides"], PLAY, [call("roll_die", sides=20)]),
    Case("factorial", ["what's the factorial of 5?"], PLAY, [call("factorial", n=5)], ["120"]),
    Case("bmi", ["My weight is 70 kg and my height is 1.74 m, what is my body mass index?"], PLAY, [call("bmi_value", weight_kg=70, height_m=1.74)], ["23.1"]),
    Case("letters", ["How often does the letter 'r' occur in 'strawberry'?"], PLAY, [call("count_letters", text="strawberry", letter="r")], ["3"]),
    Case("zh multiply", ["12乘以7等于多少？"], ZH, [call("chengfa", a=12, b=7)], ["84"]),
    Case("zh time", ["现在几点？"], ZH, [call("shijian")], ["10:00"]),
    Case("zh note", ["保存一条笔记：周末去爬山"], ZH, [call("biji", content="周末去爬山")], ["已保存"]),
    Case("zh weather note", ["查询广州的天气，然后把结果保存成笔记"], ZH, [call("get_weather", city="广州"), call("biji", content=has("sunny"))]),
    Case("file summary", ["Read report.md and write a copy of it to report2.md"], FILE_TOOLS,
         [call("read_file", path="report.md"), call("write_file", path="report2.md", content=has("Sales"))]),
    Case("shell list", ["Run the command `wc -l data.csv`"], FILE_TOOLS, [call("run_shell", command="wc -l data.csv")]),
    Case("reminder only", ["Please remind me on 2026-12-24 at 6 pm to wrap the presents"], HOME, [call("set_reminder", title="wrap the presents", when="2026-12-24 18:00")]),
    Case("mug under", ["Find mugs cheaper than 8"], SHOP, [call("search_products", keyword="mugs", max_price=8)]),
    Case("money", ["How many dollars are 50 pounds?"], TRAVEL, [call("convert_currency", amount=50, from_currency="GBP", to_currency="USD")]),
    Case("no tool", ["Tune my guitar"], DAILY, [], ["no tool"]),
]
