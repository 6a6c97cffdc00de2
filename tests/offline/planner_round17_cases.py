"""Round 17 of the planner's tasks: what a learner types at small tools of a notebook, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("17")
have = shelf.have

have(tool("tip", "Work out the tip for a bill.", {"bill": N, "percent": N}), lambda bill, percent: round(bill * percent / 100, 2))
have(tool("bmi", "Body mass index from weight in kg and height in metres.", {"weight": N, "height": N}), lambda weight, height: round(weight / height**2, 1))
have(tool("days_until", "How many days there are from today until a date.", {"date": text("YYYY-MM-DD")}), lambda date: 24)
have(tool("add_expense", "Record an expense.", {"what": S, "amount": N}), lambda **given: "recorded")
have(tool("total_expenses", "Total of all recorded expenses."), lambda: 57.5)
have(tool("reverse_text", "Reverse a text.", {"text": S}), lambda text: text[::-1])
have(tool("count_words", "Count the words of a text.", {"text": S}), lambda text: len(text.split()))
have(tool("capital", "The capital of a country.", {"country": S}), lambda country: {"France": "Paris", "Japan": "Tokyo"}.get(country, "unknown"))
have(tool("population", "How many people live in a city.", {"city": S}), lambda city: 2100000)
have(tool("start_timer", "Start a timer.", {"minutes": I}), lambda minutes: "started")
have(tool("rate_film", "Give a film a rating from 1 to 5.", {"film": S, "stars": {"type": "integer", "minimum": 1, "maximum": 5}}), lambda **given: "rated")
have(tool("add_contact", "Save a contact.", {"name": S, "phone": S}), lambda **given: "saved")
have(tool("call_contact", "Call a contact on the phone.", {"name": S}), lambda name: f"calling {name}")
have(tool("sheding_naozhong", "设置闹钟", {"shijian": text("时间 HH:MM"), "beizhu": S}), lambda **given: "已设置")
have(tool("chaxun_yue", "查询会员卡余额", {"kahao": text("卡号")}), lambda kahao: "余额 88 元")

A = shelf("tip bmi days_until start_timer")
B = shelf("add_expense total_expenses")
C = shelf("reverse_text count_words capital population")
D = shelf("rate_film add_contact call_contact")
ZH = shelf("sheding_naozhong chaxun_yue")

ROUND17 = [
    Case("tip", ["What tip should I leave on a 60 dollar bill at 15 percent?"], A, [call("tip", bill=60, percent=15)], ["9"]),
    Case("tip percent", ["tip of 20% on 45.50"], A, [call("tip", bill=45.5, percent=20)], ["9.1"]),
    Case("bmi", ["My weight is 70 kg and my height is 1.75 m, what is my BMI?"], A, [call("bmi", weight=70, height=1.75)], ["22.9"]),
    Case("bmi order", ["Calculate the BMI for 80 kg and 1.8 m"], A, [call("bmi", weight=80, height=1.8)], ["24.7"]),
    Case("days", ["How many days until 2026-12-25?"], A, [call("days_until", date="2026-12-25")], ["24"]),
    Case("christmas", ["how many days are left until December 25"], A, [call("days_until", date="2026-12-25")], ["24"]),
    Case("timer", ["Start a timer for 10 minutes"], A, [call("start_timer", minutes=10)], ["started"]),
    Case("timer set", ["set a 5 minute timer please"], A, [call("start_timer", minutes=5)]),
    Case("timer missing", ["Start a timer", "25"], A, [call("start_timer", minutes=25)]),
    Case("two timers", ["Start a timer for 5 minutes and another one for 10 minutes"], A, [call("start_timer", minutes=5), call("start_timer", minutes=10)]),
    Case("expense", ["I spent 12.50 on lunch, record it"], B, [call("add_expense", what="lunch", amount=12.5)], ["recorded"]),
    Case("expense order", ["Add an expense of 30 for books"], B, [call("add_expense", what="books", amount=30)]),
    Case("expenses", ["Record 12 for coffee and 20 for a taxi"], B, [call("add_expense", what="coffee", amount=12), call("add_expense", what="taxi", amount=20)]),
    Case("total", ["How much have I spent so far?"], B, [call("total_expenses")], ["57.5"]),
    Case("expense total", ["Record an expense of 8 for tea, then tell me the total"], B, [call("add_expense", what="tea", amount=8), call("total_expenses")], ["57.5"]),
    Case("reverse", ["Reverse the text 'hello world'"], C, [call("reverse_text", text="hello world")], ["dlrow olleh"]),
    Case("reverse bare", ["reverse hello"], C, [call("reverse_text", text="hello")], ["olleh"]),
    Case("count words", ["How many words are in \"the cat sat on the mat\"?"], C, [call("count_words", text="the cat sat on the mat")], ["6"]),
    Case("capital", ["What's the capital of France?"], C, [call("capital", country="France")], ["Paris"]),
    Case("capitals", ["Capitals of France and Japan please"], C, [call("capital", country="France"), call("capital", country="Japan")], ["Tokyo"]),
    Case("capital people", ["What is the capital of Japan and how many people live there?"], C, [call("capital", country="Japan"), call("population", city="Tokyo")], ["2100000"]),
    Case("reverse capital", ["Get the capital of France and reverse it"], C, [call("capital", country="France"), call("reverse_text", text="Paris")], ["siraP"]),
    Case("rate", ["Give Inception 5 stars"], D, [call("rate_film", film="Inception", stars=5)], ["rated"]),
    Case("rate two", ["Rate Inception 5 and Titanic 3"], D, [call("rate_film", film="Inception", stars=5), call("rate_film", film="Titanic", stars=3)]),
    Case("contact", ["Save Ana's number: 555-1234"], D, [call("add_contact", name="Ana", phone="555-1234")], ["saved"]),
    Case("contact call", ["Add a contact Ben with phone 555-9876 and then call him"], D, [call("add_contact", name="Ben", phone="555-9876"), call("call_contact", name="Ben")], ["calling Ben"]),
    Case("no tool", ["Order me a pizza"], D, [], ["no tool"]),
    Case("zh alarm", ["明天早上七点叫我起床"], ZH, [call("sheding_naozhong", shijian="07:00", beizhu="起床")], ["已设置"]),
    Case("zh balance", ["查一下会员卡 8812 的余额"], ZH, [call("chaxun_yue", kahao="8812")], ["88"]),
    Case("zh balance missing", ["我的会员卡还有多少钱？", "8812"], ZH, [call("chaxun_yue", kahao="8812")], ["88"]),
]
