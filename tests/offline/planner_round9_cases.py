"""Round 9 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("9")
have = shelf.have

have(tool("calculator", "Do a calculation with two numbers.", {"a": N, "b": N, "operation": text(enum=["add", "subtract", "multiply", "divide"])}),
     lambda a, b, operation: {"add": a + b, "subtract": a - b, "multiply": a * b, "divide": a / b}[operation])
have(tool("add_task", "Add a task to my todo list.", {"task": S}), lambda task: {"id": 4, "task": task})
have(tool("list_tasks", "Show all tasks of the todo list."), lambda: [{"id": 1, "task": "wash the car", "done": False}, {"id": 2, "task": "pay rent", "done": True}])
have(tool("complete_task", "Mark a task as done.", {"task_id": I}), lambda task_id: f"task {task_id} done")
have(tool("start_timer", "Start a countdown timer.", {"minutes": I}, label=S), lambda **given: "timer started")
have(tool("convert_units", "Convert a value from one unit to another.", {"value": N, "from_unit": S, "to_unit": S}), lambda value, from_unit, to_unit: round(value * 1.609, 2))
have(tool("random_quote", "A random quote.", topic=text("topic such as love or work")), lambda topic="": "Less is more.")
have(tool("generate_password", "Generate a random password.", length={"type": "integer", "default": 12}, symbols={"type": "boolean", "default": True}), lambda **given: "xK9!")
have(tool("get_balance", "Balance of a bank account.", {"account": text(enum=["checking", "savings"])}), lambda account: {"account": account, "balance": {"checking": 120.5, "savings": 900}[account]})
have(tool("transfer_money", "Transfer money from one of my accounts to the other.", {"from_account": text(enum=["checking", "savings"]), "to_account": text(enum=["checking", "savings"]), "amount": N}), lambda **given: "transferred")
have(tool("grade_average", "Average of a student's grades.", {"grades": {"type": "array", "items": N}}), lambda grades: sum(grades) / len(grades))
have(tool("count_words", "Count the words in a text.", {"text": S}), lambda text: len(text.split()))
have(tool("jisuanqi", "计算器：对两个数做加减乘除", {"a": {"type": "number", "description": "第一个数"}, "b": {"type": "number", "description": "第二个数"}, "op": text("运算", enum=["+", "-", "*", "/"])}), lambda a, b, op: "结果")
have(tool("tianjia_daiban", "添加待办事项", {"shixiang": text("要做的事")}), lambda shixiang: "已添加")
have(tool("fanyi", "把中文词语翻译成英文", {"ciyu": text("中文词语")}), lambda ciyu: "apple")

ERRANDS = shelf("add_task list_tasks complete_task start_timer")
TOYS = shelf("calculator convert_units random_quote generate_password grade_average count_words")
BANK = shelf("get_balance transfer_money calculator")
ZH = shelf("jisuanqi tianjia_daiban fanyi") + " get_weather"

ROUND9 = [
    Case("plus", ["what is 12 + 30?"], TOYS, [call("calculator", a=12, b=30, operation="add")], ["42"]),
    Case("times words", ["Multiply 6 by 7"], TOYS, [call("calculator", a=6, b=7, operation="multiply")], ["42"]),
    Case("divided", ["can you tell me 100 divided by 8"], TOYS, [call("calculator", a=100, b=8, operation="divide")], ["12.5"]),
    Case("minus from", ["subtract 3 from 10 please"], TOYS, [call("calculator", a=10, b=3, operation="subtract")], ["7"]),
    Case("add task", ["add buy milk to my todo list"], ERRANDS, [call("add_task", task="buy milk")]),
    Case("add task 2", ["Add a task: call the dentist"], ERRANDS, [call("add_task", task="call the dentist")]),
    Case("what todo", ["what's on my todo list?"], ERRANDS, [call("list_tasks")], ["wash the car"]),
    Case("complete", ["Mark task 1 as done"], ERRANDS, [call("complete_task", task_id=1)], ["task 1 done"]),
    Case("complete after add", ["Add the task 'water plants' and then show me all tasks"], ERRANDS, [call("add_task", task="water plants"), call("list_tasks")]),
    Case("complete lacking", ["complete a task", "2"], ERRANDS, [call("complete_task", task_id=2)]),
    Case("timer", ["set a timer for 10 minutes"], ERRANDS, [call("start_timer", minutes=10)], ["timer started"]),
    Case("timer missing", ["Start a timer please"], ERRANDS, [], ["minutes"]),
    Case("miles", ["Convert 10 miles to km"], TOYS, [call("convert_units", value=10, from_unit="miles", to_unit="km")], ["16.09"]),
    Case("how many km", ["how many km is 5 miles?"], TOYS, [call("convert_units", value=5, from_unit="miles", to_unit="km")]),
    Case("quote", ["Give me a random quote"], TOYS, [call("random_quote")], ["Less is more"]),
    Case("quote topic", ["give me a quote about love"], TOYS, [call("random_quote", topic="love")]),
    Case("password", ["I need a password with 16 characters"], TOYS, [call("generate_password", length=16)], ["xK9!"]),
    Case("password plain", ["generate a pasword without symbols"], TOYS, [call("generate_password", symbols=False)]),
    Case("balance", ["How much money is in my savings account?"], BANK, [call("get_balance", account="savings")], ["900"]),
    Case("transfer", ["Transfer 50 euros from checking to savings"], BANK, [call("transfer_money", from_account="checking", to_account="savings", amount=50)]),
    Case("transfer if", ["Check the balance of my checking account and if it is over 100, transfer 20 from checking to savings"], BANK,
         [call("get_balance", account="checking"), call("transfer_money", from_account="checking", to_account="savings", amount=20)]),
    Case("transfer if not", ["If my savings balance is below 500, transfer 20 from checking to savings"], BANK, [call("get_balance", account="savings")], ["left out"]),
    Case("average", ["What is the average of 2, 3 and 1.5?"], TOYS, [call("grade_average", grades=[2, 3, 1.5])], ["2.16"]),
    Case("words", ["How many words are in 'the quick brown fox'?"], TOYS, [call("count_words", text="the quick brown fox")], ["4", no("There are 1")]),
    Case("no tool", ["Sing me a song"], BANK, [], ["no tool"]),
    Case("zh plus", ["帮我算一下 15 加 27"], ZH, [call("jisuanqi", a=15, b=27, op="+")]),
    Case("zh todo", ["添加一个待办：明天交作业"], ZH, [call("tianjia_daiban", shixiang="明天交作业")], ["已添加"]),
    Case("zh translate", ["苹果用英文怎么说？"], ZH, [call("fanyi", ciyu="苹果")], ["apple"]),
    Case("zh two", ["把“苹果”翻译成英文，再添加待办“背单词”"], ZH, [call("fanyi", ciyu="苹果"), call("tianjia_daiban", shixiang="背单词")]),
    Case("zh weather todo", ["如果深圳今天下雨，就添加待办：带伞"], ZH, [call("get_weather", city="深圳", date="2026-12-01")], ["没有执行"]),
]
