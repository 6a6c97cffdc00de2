"""Round 15 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, has, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("15")
have = shelf.have

have(tool("get_balance", "Get the balance of the account.", {}), lambda: {"balance": 250.0})
have(tool("deposit", "Deposit money into the account.", {"amount": N}), lambda amount: "deposited")
have(tool("withdraw", "Withdraw money from the account.", {"amount": N}), lambda amount: "withdrawn")
have(tool("add_todo", "Add an item to the todo list.", {"text": S}, due=text("YYYY-MM-DD")), lambda **given: "added")
have(tool("list_todos", "List all todo items."), lambda: [{"id": 1, "text": "iron"}, {"id": 2, "text": "cook"}])
have(tool("complete_todo", "Complete a todo item.", {"id": I}), lambda id: f"item {id} completed")
have(tool("dictionary", "Look up the definition of an English word.", {"word": S}), lambda word: "a long story")
have(tool("synonyms", "Find synonyms of a word.", {"word": S}), lambda word: ["glad", "cheerful"])
have(tool("lookup_recipe", "Look up a recipe by ingredient.", {"ingredient": S}), lambda ingredient: ["soup", "curry"])
have(tool("convert", "Convert kilometres to miles.", {"km": N}), lambda km: round(km * 0.6214, 2))
have(tool("random_number", "A random number between two limits.", {"low": I, "high": I}), lambda low, high: 42)
have(tool("uppercase", "Write a text in capital letters.", {"text": S}), lambda text: text.upper())
have(tool("email_teacher", "Send an email to the teacher.", {"subject": S, "message": S}), lambda **given: "sent to the teacher")
have(tool("pet_info", "Information about a pet in the shop: age and price.", {"name": S}), lambda name: {"name": name, "age": 2, "price": 35})
have(tool("adopt_pet", "Adopt a pet.", {"name": S}), lambda name: f"{name} adopted")
have(tool("gushi", "讲一个故事", {"zhuti": text("故事主题")}), lambda zhuti: "从前有座山")
have(tool("fangdeng", "打开或关闭房间的灯", {"fangjian": text("房间", enum=["客厅", "卧室", "厨房"]), "zhuangtai": text("状态", enum=["开", "关"])}), lambda **given: "好的")
have(tool("tuijian", "推荐一部电影", {"leixing": text("类型", enum=["喜剧", "科幻", "动作"])}), lambda leixing: "流浪地球")
have(tool("tizhong", "记录今天的体重", {"gongjin": {"type": "number", "description": "公斤"}}), lambda gongjin: "已记录")

BANK = shelf("get_balance deposit withdraw convert random_number")
ERRANDS = shelf("add_todo list_todos complete_todo uppercase")
WORDS = shelf("dictionary synonyms lookup_recipe uppercase email_teacher")
PETS = shelf("pet_info adopt_pet random_number")
ZH = shelf("gushi fangdeng tuijian tizhong")

ROUND15 = [
    Case("balance", ["How much money do I have?"], BANK, [call("get_balance")], ["250"]),
    Case("deposit", ["Deposit 100 dollars"], BANK, [call("deposit", amount=100)], ["deposited"]),
    Case("withdraw", ["I'd like to withdraw 40 euros please"], BANK, [call("withdraw", amount=40)], ["withdrawn"]),
    Case("withdraw if", ["If my balance is more than 200, withdraw 50"], BANK, [call("get_balance"), call("withdraw", amount=50)], ["withdrawn"]),
    Case("withdraw if not", ["check my balance and withdraw 300 only if it is above 300"], BANK, [call("get_balance")], ["left out"]),
    Case("deposit then balance", ["Deposit 20 and then tell me my balance"], BANK, [call("deposit", amount=20), call("get_balance")], ["250"]),
    Case("km", ["how many miles are 42 km?"], BANK, [call("convert", km=42)], ["26.1"]),
    Case("random", ["Pick a random number between 1 and 100"], BANK, [call("random_number", low=1, high=100)], ["42"]),
    Case("todo", ["Add 'feed the cat' to my todos"], ERRANDS, [call("add_todo", text="feed the cat")], ["added"]),
    Case("todo due", ["Add a todo to renew my passport by December 20"], ERRANDS, [call("add_todo", text="renew my passport", due="2026-12-20")]),
    Case("todos", ["Show my to-do list"], ERRANDS, [call("list_todos")], ["iron"]),
    Case("todo done", ["I finished item 2, please complete it"], ERRANDS, [call("complete_todo", id=2)], ["completed"]),
    Case("list and complete", ["List my todos and complete the first one"], ERRANDS, [call("list_todos"), call("complete_todo", id=1)], ["item 1 completed"]),
    Case("upper", ["write 'stop' in capital letters"], ERRANDS, [call("uppercase", text="stop")], ["STOP"]),
    Case("define", ["What does saga mean?"], WORDS, [call("dictionary", word="saga")], ["a long story"]),
    Case("define 2", ["look up the word 'saga' in the dictionary"], WORDS, [call("dictionary", word="saga")]),
    Case("synonyms", ["Give me synonyms for happy"], WORDS, [call("synonyms", word="happy")], ["cheerful"]),
    Case("recipe", ["What can I cook with lentils?"], WORDS, [call("lookup_recipe", ingredient="lentils")], ["curry"]),
    Case("teacher", ["Email my teacher that I am ill today, subject 'Absence'"], WORDS, [call("email_teacher", subject="Absence", message=has("I am ill today"))], ["sent"]),
    Case("teacher missing", ["Send an email to the teacher with the subject 'Homework'", "It is done"], WORDS, [call("email_teacher", subject="Homework", message="It is done")]),
    Case("pet", ["How old is Bella?"], PETS, [call("pet_info", name="Bella")], ["2"]),
    Case("pet price", ["what does the pet Bella cost"], PETS, [call("pet_info", name="Bella")], ["35"]),
    Case("adopt", ["Can I adopt Bella please?"], PETS, [call("adopt_pet", name="Bella")], ["adopted"]),
    Case("adopt if", ["Get the info about Bella and adopt her if the price is below 50"], PETS, [call("pet_info", name="Bella"), call("adopt_pet", name="Bella")], ["adopted"]),
    Case("no tool", ["Drive me to the airport"], PETS, [], ["no tool"]),
    Case("zh story", ["给我讲一个关于月亮的故事"], ZH, [call("gushi", zhuti="月亮")], ["从前有座山"]),
    Case("zh light", ["把客厅的灯关掉"], ZH, [call("fangdeng", fangjian="客厅", zhuangtai="关")], ["好的"]),
    Case("zh movie", ["推荐一部科幻电影吧"], ZH, [call("tuijian", leixing="科幻")], ["流浪地球"]),
    Case("zh weight", ["今天体重65.5公斤，帮我记录一下"], ZH, [call("tizhong", gongjin=65.5)], ["已记录", no("没有合适")]),
    Case("zh lights", ["打开卧室和厨房的灯"], ZH, [call("fangdeng", fangjian="卧室", zhuangtai="开"), call("fangdeng", fangjian="厨房", zhuangtai="开")]),
]
