"""Round 11 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, has, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("11")
have = shelf.have

have(tool("convert_temperature", "Convert a temperature between Celsius and Fahrenheit.", {"value": N, "to": text(enum=["celsius", "fahrenheit"])}), lambda value, to: 98.6)
have(tool("save_note", "Save a note under a title.", {"title": S, "text": S}), lambda title, text: f"saved {title}")
have(tool("find_notes", "Find notes that contain a word.", {"word": S}), lambda word: [{"title": "tea", "text": "buy green tea"}])
have(tool("delete_note", "Delete a note by its title.", {"title": S}), lambda title: f"{title} deleted")
have(tool("tell_joke", "Tell a joke about a topic.", topic=S), lambda topic="": "Knock knock.")
have(tool("book_room", "Book a meeting room.", {"room": text(enum=["red", "blue", "green"]), "date": text(format="date"), "hour": I}), lambda **given: "booked")
have(tool("free_rooms", "Which meeting rooms are free on a day.", {"date": text(format="date")}), lambda date: ["blue", "green"])
have(tool("send_sms", "Send a text message to a phone number.", {"phone": S, "message": S}), lambda phone, message: "sms sent")
have(tool("phone_of", "Phone number of a friend.", {"name": S}), lambda name: "+49 170 1234567")
have(tool("movie_info", "Year, director and rating of a movie.", {"title": S}), lambda title: {"title": title, "year": 1999, "rating": 8.7})
have(tool("rate_movie", "Rate a movie with one to five stars.", {"title": S, "stars": I}), lambda title, stars: "rated")
have(tool("count_items", "How many items are in stock.", {"item": S}), lambda item: {"item": item, "stock": 3})
have(tool("order_items", "Order more items for the shop.", {"item": S, "amount": I}), lambda item, amount: "ordered")
have(tool("is_prime", "Check whether a number is prime.", {"n": I}), lambda n: True)
have(tool("power", "Raise a base to an exponent.", {"base": N, "exponent": N}), lambda base, exponent: base**exponent)
have(tool("qimo", "查看某门课的期末考试时间", {"kecheng": text("课程名")}), lambda kecheng: "1月10日 9:00")
have(tool("jizhang", "记一笔账：花了多少钱、用途", {"jine": {"type": "number", "description": "金额（元）"}, "yongtu": text("用途")}), lambda **given: "已记账")
have(tool("zhangdan", "查询本月总支出"), lambda: {"总支出": 820})
have(tool("ditie", "查询两站之间的地铁路线", {"qidian": text("起点站"), "zhongdian": text("终点站")}), lambda **given: "乘2号线")

NOTES = shelf("save_note find_notes delete_note tell_joke convert_temperature")
OFFICE = shelf("book_room free_rooms send_sms phone_of")
CINEMA = shelf("movie_info rate_movie tell_joke")
STORE = shelf("count_items order_items is_prime power")
ZH = shelf("qimo jizhang zhangdan ditie")

ROUND11 = [
    Case("fahrenheit", ["what is 37 celsius in fahrenheit?"], NOTES, [call("convert_temperature", value=37, to="fahrenheit")], ["98.6"]),
    Case("to celsius", ["Convert 100 degrees Fahrenheit to Celsius"], NOTES, [call("convert_temperature", value=100, to="celsius")]),
    Case("note", ["Save a note with the title 'Shopping' and the text 'milk and bread'"], NOTES, [call("save_note", title="Shopping", text="milk and bread")], ["saved Shopping"]),
    Case("note missing", ["save a note with the title Ideas", "build a robot"], NOTES, [call("save_note", title="Ideas", text="build a robot")]),
    Case("find", ["which of my notes mention tea?"], NOTES, [call("find_notes", word="tea")], ["green tea"]),
    Case("find delete", ["Find the notes with the word tea and delete the first one"], NOTES, [call("find_notes", word="tea"), call("delete_note", title="tea")], ["tea deleted"]),
    Case("delete", ["pls delete my note 'Old stuff'"], NOTES, [call("delete_note", title="Old stuff")]),
    Case("joke", ["tell me a joke"], NOTES, [call("tell_joke")], ["Knock"]),
    Case("joke topic", ["Do you know a joke about cats?"], NOTES, [call("tell_joke", topic="cats")], ["Knock"]),
    Case("free", ["Which rooms are free tomorrow?"], OFFICE, [call("free_rooms", date="2026-12-02")], ["blue", "green"]),
    Case("book room", ["Book the red room for tomorrow at 14:00"], OFFICE, [call("book_room", room="red", date="2026-12-02", hour=14)], ["booked"]),
    Case("book room lacking", ["book the green room for Friday", "10"], OFFICE, [call("book_room", room="green", date="2026-12-04", hour=10)]),
    Case("sms", ["Send an sms to +49 151 000111 saying I'm on my way"], OFFICE, [call("send_sms", phone="+49 151 000111", message="I'm on my way")]),
    Case("look up then sms", ["Look up Mia's phone number and text her 'Happy birthday!'"], OFFICE, [call("phone_of", name="Mia"), call("send_sms", phone="+49 170 1234567", message="Happy birthday!")], ["sms sent"]),
    Case("movie", ["When did The Matrix come out?"], CINEMA, [call("movie_info", title="The Matrix")], ["1999"]),
    Case("movie 2", ["tell me about the movie Inception"], CINEMA, [call("movie_info", title="Inception")]),
    Case("rate", ["Give The Matrix 5 stars"], CINEMA, [call("rate_movie", title="The Matrix", stars=5)], ["rated"]),
    Case("rate words", ["rate 'Up' with four stars"], CINEMA, [call("rate_movie", title="Up", stars=4)]),
    Case("stock", ["How many pencils do we have in stock?"], STORE, [call("count_items", item="pencils")], ["3"]),
    Case("order if", ["Check how many pencils are in stock and if there are fewer than 10, order 50 pencils"], STORE, [call("count_items", item="pencils"), call("order_items", item="pencils", amount=50)], ["ordered"]),
    Case("order if not", ["Check how many pencils are in stock; if there are fewer than 2, order 50 pencils"], STORE, [call("count_items", item="pencils")], ["left out"]),
    Case("prime", ["is 97 a prime number?"], STORE, [call("is_prime", n=97)], ["Yes"]),
    Case("power", ["What's 2 to the power of 10?"], STORE, [call("power", base=2, exponent=10)], ["1024"]),
    Case("power 2", ["raise 3 to the exponent 4"], STORE, [call("power", base=3, exponent=4)]),
    Case("no tool", ["What's the capital of France?"], STORE, [], ["no tool"]),
    Case("zh exam", ["高等数学什么时候期末考试？"], ZH, [call("qimo", kecheng="高等数学")], ["1月10日"]),
    Case("zh spend", ["记一笔账：午饭 25 元"], ZH, [call("jizhang", jine=25, yongtu="午饭")], ["已记账"]),
    Case("zh total", ["这个月我一共花了多少钱？"], ZH, [call("zhangdan")], ["820"]),
    Case("zh metro", ["从西直门到国贸坐地铁怎么走？"], ZH, [call("ditie", qidian="西直门", zhongdian="国贸")], ["2号线"]),
    Case("zh two", ["查询本月总支出，然后查一下线性代数的期末考试时间"], ZH, [call("zhangdan"), call("qimo", kecheng="线性代数")], ["820", has("1月10日"), no("没有合适")]),
]
