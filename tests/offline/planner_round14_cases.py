"""Round 14 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("14")
have = shelf.have

have(tool("roll_dice", "Roll a number of dice.", {"count": I}, sides={"type": "integer", "default": 6}), lambda count, sides=6: [3] * count)
have(tool("take_note", "Write down a note.", {"note": S}), lambda note: "noted")
have(tool("show_notes", "Show all my notes."), lambda: ["call Ben", "buy stamps"])
have(tool("clear_notes", "Delete all notes."), lambda: "all notes deleted")
have(tool("calc", "Calculate with two numbers.", {"x": N, "y": N, "op": text(enum=["+", "-", "*", "/"])}), lambda x, y, op: 8)
have(tool("translate", "Translate a word from English to another language.", {"word": S, "language": text(enum=["German", "French", "Spanish"])}), lambda word, language: "Katze")
have(tool("get_price", "Price of an item in the shop in euros.", {"item": S}), lambda item: {"item": item, "price": 4.5})
have(tool("add_to_cart", "Put an item into the shopping cart.", {"item": S}, quantity={"type": "integer", "default": 1}), lambda **given: "in the cart")
have(tool("show_cart", "What is in the shopping cart, with the total."), lambda: {"items": ["tea"], "total": 4.5})
have(tool("checkout", "Pay for what is in the cart.", {"payment": text(enum=["card", "cash"])}), lambda payment: "paid")
have(tool("celsius_to_fahrenheit", "Convert Celsius to Fahrenheit.", {"celsius": N}), lambda celsius: celsius * 9 / 5 + 32)
have(tool("set_heater", "Switch the heater on or off.", {"on": {"type": "boolean"}}), lambda on: f"heater {'on' if on else 'off'}")
have(tool("sensor", "Read the temperature sensor of the greenhouse."), lambda: {"temperature": 8.5, "humidity": 70})
have(tool("birthday_of", "The birthday of a friend.", {"friend": S}), lambda friend: "12 May")
have(tool("send_card", "Send a greeting card to a friend.", {"friend": S, "text": S}), lambda friend, text: "card sent")
have(tool("count_vowels", "Count the vowels in a text.", {"text": S}), lambda text: 3)
have(tool("chouqian", "随机抽取一名同学"), lambda: "小红")
have(tool("jiafen", "给同学加分", {"xingming": text("同学姓名"), "fenshu": {"type": "integer", "description": "加多少分"}}), lambda **given: "已加分")
have(tool("cha_danci", "查英语单词的中文意思", {"danci": text("英语单词")}), lambda danci: "蝴蝶")
have(tool("daojishi", "开始倒计时", {"fenzhong": {"type": "integer", "description": "分钟数"}}), lambda fenzhong: "倒计时开始")

DESK = shelf("roll_dice take_note show_notes clear_notes calc translate count_vowels")
SHOP = shelf("get_price add_to_cart show_cart checkout")
HOUSE = shelf("celsius_to_fahrenheit set_heater sensor birthday_of send_card")
ZH = shelf("chouqian jiafen cha_danci daojishi")

ROUND14 = [
    Case("two dice", ["roll two dice"], DESK, [call("roll_dice", count=2)], ["3, 3"]),
    Case("dice sides", ["Please roll 3 dice with 8 sides"], DESK, [call("roll_dice", count=3, sides=8)]),
    Case("note", ["Note that the meeting is at noon"], DESK, [call("take_note", note="the meeting is at noon")], ["noted"]),
    Case("note quoted", ["write down 'water the cactus'"], DESK, [call("take_note", note="water the cactus")]),
    Case("show", ["what notes do I have?"], DESK, [call("show_notes")], ["call Ben"]),
    Case("clear", ["Delete all my notes"], DESK, [call("clear_notes")], ["deleted"]),
    Case("do not clear", ["Show my notes but don't delete them"], DESK, [call("show_notes")], ["call Ben"]),
    Case("calc", ["what is 2*4"], DESK, [call("calc", x=2, y=4, op="*")], ["8"]),
    Case("calc words", ["divide 16 by 2"], DESK, [call("calc", x=16, y=2, op="/")], ["8"]),
    Case("german", ["What is cat in German?"], DESK, [call("translate", word="cat", language="German")], ["Katze"]),
    Case("german and french", ["Translate 'cat' to German and French"], DESK, [call("translate", word="cat", language="German"), call("translate", word="cat", language="French")]),
    Case("translate then note", ["Translate 'cat' into German and write the result down as a note"], DESK, [call("translate", word="cat", language="German"), call("take_note", note="Katze")], ["noted"]),
    Case("vowels", ["count the vowels in 'banana'"], DESK, [call("count_vowels", text="banana")], ["3"]),
    Case("price", ["how much does green tea cost?"], SHOP, [call("get_price", item="green tea")], ["4.5"]),
    Case("cart", ["add two packs of tea to my cart"], SHOP, [call("add_to_cart", item="tea", quantity=2)], results={"add_to_cart": "ok"}),
    Case("cart 2", ["Put tea in the cart"], SHOP, [call("add_to_cart", item="tea")], ["in the cart"]),
    Case("show cart", ["What's in my shopping cart?"], SHOP, [call("show_cart")], ["tea"]),
    Case("checkout", ["I want to pay by card"], SHOP, [call("checkout", payment="card")], ["paid"]),
    Case("checkout missing", ["check out please", "cash"], SHOP, [call("checkout", payment="cash")], ["paid"]),
    Case("cheap enough", ["Look up the price of tea and if it is less than 5 add it to the cart"], SHOP, [call("get_price", item="tea"), call("add_to_cart", item="tea")], ["in the cart"]),
    Case("convert", ["convert 20 celsius to fahrenheit"], HOUSE, [call("celsius_to_fahrenheit", celsius=20)], ["68"]),
    Case("sensor", ["How warm is it in the greenhouse?"], HOUSE, [call("sensor")], ["8.5"]),
    Case("heater if", ["If the greenhouse is colder than 10 degrees, turn on the heater"], HOUSE, [call("sensor"), call("set_heater", on=True)], ["heater on"]),
    Case("birthday", ["when is Ben's birthday?"], HOUSE, [call("birthday_of", friend="Ben")], ["12 May"]),
    Case("card", ["Send a card to Ben saying happy birthday"], HOUSE, [call("send_card", friend="Ben", text="happy birthday")], ["card sent"]),
    Case("no tool", ["Order a pizza"], HOUSE, [], ["no tool"]),
    Case("zh pick", ["随机抽一个同学"], ZH, [call("chouqian")], ["小红"]),
    Case("zh points", ["给小明加5分"], ZH, [call("jiafen", xingming="小明", fenshu=5)], ["已加分"]),
    Case("zh word", ["butterfly是什么意思？"], ZH, [call("cha_danci", danci="butterfly")], ["蝴蝶"]),
    Case("zh timer", ["倒计时25分钟"], ZH, [call("daojishi", fenzhong=25)], ["倒计时开始", no("没有合适")]),
]
