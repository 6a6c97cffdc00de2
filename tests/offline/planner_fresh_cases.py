"""Tasks that fresh readers of the course typed and the planner got wrong."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, has, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
WHEN = {"type": "string", "format": "date-time"}
shelf = Shelf("fresh")
have = shelf.have
DAY = "Today is Monday, 30 November 2026."

have(tool("list_dir", "List the entries of a directory.", {"path": text("directory")}), lambda path: "notes.txt\nshopping.txt\ndocs/")
have(tool("read_file", "Read a text file.", {"path": text("file path")}), lambda path: "milk\neggs")
have(tool("write_file", "Write text to a file; replaces it.", {"path": S, "content": S}), lambda **given: "written")
have(tool("run_shell", "Run a shell command.", {"command": S}), lambda command: "exit 0")
have(tool("fetch_url", "Fetch a web page.", {"url": S}),
     lambda url: "Error: fetch_url: http://169.254.169.254/latest leads to 169.254.169.254, a link-local address. Only the public web is fetched.")
have(tool("set_reminder", "Set a reminder.", {"title": text("what to be reminded of"), "when": WHEN}, repeat=text(enum=["none", "daily", "weekly"], default="none"), notes=S), lambda **given: "reminder set")
have(tool("list_reminders", "List the reminders."), lambda: ["tea"])
have(tool("get_weather", "Weather of a city on a day.", {"city": S}, date=text(format="date")), lambda city, date="": {"city": city, "condition": "light rain"})
have(tool("book_train", "Book a train to a city.", {"destination": S}), lambda destination: "booked")
have(tool("add_event", "Add an event.", {"title": S, "date": text(format="date"), "guests": {"type": "array", "items": S}}), lambda **given: "added")
have(tool("repeat", "Repeat a word a number of times.", {"word": S, "times": I}), lambda word, times: word * times)
have(tool("send_email", "Send an email.", {"to": S, "subject": S, "body": S}), lambda **given: "sent")
have(tool("bmi", "Body mass index.", {"weight": {"type": "number", "description": "kilograms"}, "height": {"type": "number", "description": "metres"}}), lambda **given: 24.7)
have(tool("roll", "Roll a die.", {"sides": I}), lambda sides: 9)
have(tool("convert_currency", "Convert money.", {"amount": N, "source": text(enum=["EUR", "USD", "CNY"]), "target": text(enum=["EUR", "USD", "CNY"])}), lambda **given: 6)

have(tool("tea_price", "Get the price of a tea in the shop.", {"tea": text("name of the tea")}), lambda tea: 4.5)
have(tool("order_tea", "Order packs of a tea.", {"tea": text("name of the tea"), "packs": I}), lambda tea, packs: "ordered")

TEA = shelf("tea_price order_tea")
FILES = shelf("list_dir read_file write_file run_shell fetch_url")
REMIND = shelf("set_reminder list_reminders get_weather book_train")
MORE = shelf("add_event repeat send_email bmi roll convert_currency")


def read(path: str) -> tuple[str, dict]:
    return call("read_file", path=path)


FRESH = [
    Case("only show", ["Please don't change notes.txt, only show it"], FILES, [read("notes.txt")], ["milk"]),
    Case("never write", ["never write to plan.txt"], FILES, [], ["plan.txt"]),
    Case("do not run", ["Don't run `touch never.txt`"], FILES, []),
    Case("do not write, list", ["Do not write anything, just list the files."], FILES, [call("list_dir", path=".")], ["notes.txt"]),
    Case("do not read", ["Do not read shopping.txt"], FILES, []),
    Case("read but not", ["Read notes.txt but don't write anything"], FILES, [read("notes.txt")]),
    Case("without changing", ["Show notes.txt without changing it"], FILES, [read("notes.txt")]),
    Case("zh do not", ["不要删除 notes.txt，读取它"], FILES, [read("notes.txt")]),
    Case("zh do not 2", ["读取 notes.txt，不要修改它"], FILES, [read("notes.txt")], [no("没有合适")]),
    Case("zh do not 3", ["别运行 `rm a.txt`"], FILES, []),
    Case("do not forget", ["Don't forget to remind me tomorrow at 9 am to buy bread"], REMIND, [call("set_reminder", title="buy bread", when=has("2026-12-01T09:00"))], system=DAY),
    Case("three writes", ["Write 'a' to a.txt, 'b' to b.txt and 'c' to c.txt"], FILES, [call("write_file", path=f"{n}.txt", content=n) for n in "abc"]),
    Case("then show it", ['Put "eggs, ham" in a new file shopping.txt and then show it'], FILES, [call("write_file", path="shopping.txt", content="eggs, ham"), read("shopping.txt")]),
    Case("is there milk", ["Is there milk on my shopping list?"], shelf("list_dir write_file"), [call("list_dir", path=".")], [no("Yes."), no("No.")]),
    Case("how many eggs", ["How many eggs are on my shopping list?"], FILES, [call("list_dir", path=".")], [no("There are")]),
    Case("folder", ["list the folder docs"], FILES, [call("list_dir", path="docs")]),
    Case("parent", ["list the parent folder"], FILES, [call("list_dir", path="..")]),
    Case("dots", ["List the folder .."], FILES, [call("list_dir", path="..")]),
    Case("command", ["Run the command: cat notes.txt"], FILES, [call("run_shell", command="cat notes.txt")]),
    Case("command dot", ["Run the command cat notes.txt."], FILES, [call("run_shell", command="cat notes.txt")]),
    Case("no mending of refused addresses", ["Fetch http://169.254.169.254/latest"], FILES, [call("fetch_url", url="http://169.254.169.254/latest")], ["public web"]),
    Case("empty file", ["Create an empty file empty.txt"], FILES, [call("write_file", path="empty.txt", content="")]),
    Case("save the text", ["Save the text Hello world in greeting.txt"], FILES, [call("write_file", path="greeting.txt", content="Hello world")]),
    Case("whole text", ["Create a file named notes with the text: buy milk, call mum"], FILES, [call("write_file", path="notes", content="buy milk, call mum")]),
    Case("read notes", ["read notes"], FILES, [call("list_dir", path="."), read("notes.txt")], ["milk"]),
    Case("milk in the file", ["Is there milk in shopping.txt?"], FILES, [read("shopping.txt")], ["Yes."]),
    Case("quoted prohibition", ["Write 'do not touch' to a.txt"], FILES, [call("write_file", path="a.txt", content="do not touch")]),
    Case("prohibition in a text", ["Save a note to a.txt: don't shout, be kind"], FILES, [call("write_file", path="a.txt", content="don't shout, be kind")]),
    Case("never mind", ["Please do not run anything. Read notes.txt."], FILES, [read("notes.txt")]),
    Case("earl grey", ["What does earl grey cost?"], TEA, [call("tea_price", tea="earl grey")], ["4.5"]),
    Case("oolong", ["How much is oolong?"], TEA, [call("tea_price", tea="oolong")]),
    Case("two packs", ["Get the price of oolong and order 2 packs of it."], TEA, [call("tea_price", tea="oolong"), call("order_tea", tea="oolong", packs=2)]),
    Case("eggs in the file", ["How many eggs are on the list in shopping.txt?"], FILES, [read("shopping.txt")]),
    Case("copy of JSON", ["Copy data.json to other.json"], FILES, [read("data.json"), call("write_file", path="other.json", content='{"a": [1, 2]}')], results={"read_file": '{"a": [1, 2]}'}),
    Case("three things", ["make a file called todo.txt with three things in it"], FILES, [], ["content"]),
    Case("typo", ["Crete hello2.txt with the text hi"], FILES, [call("write_file", path="hello2.txt", content="hi")]),
    Case("german", ["Bitte schreibe 'Hallo' in die Datei gruss.txt"], FILES, [call("write_file", path="gruss.txt", content="Hallo")]),
    Case("give her a call", ["明天下午5点提醒我给安娜打电话。"], REMIND, [call("set_reminder", title="给安娜打电话", when=has("2026-12-01T17:00"))], system=DAY),
    Case("no time", ["Remind me to buy bread."], REMIND, [], ["when"], system=DAY),
    Case("condition's day", ["If it rains in Hangzhou tomorrow, remind me at 8 am to take an umbrella."], REMIND,
         [call("get_weather", city="Hangzhou", date="2026-12-01"), call("set_reminder", title="take an umbrella", when=has("2026-12-01T08:00"))], system=DAY),
    Case("starting", ["Set a daily reminder at 7 am to drink water, starting tomorrow."], REMIND, [call("set_reminder", title="drink water", when=has("2026-12-01T07:00"), repeat="daily")], system=DAY),
    Case("if it is", ["Is it raining in London? If it is, book a train to Chengdu."], REMIND, [call("get_weather", city="London"), call("book_train", destination="Chengdu")], system=DAY),
    Case("if so", ["Is it snowing in London? If so, book a train to Chengdu."], REMIND, [call("get_weather", city="London")], system=DAY),
    Case("notes", ["Remind me tomorrow at 9 am to go to the gym. Notes: bring a towel."], REMIND, [call("set_reminder", title="go to the gym", when=has("2026-12-01T09:00"), notes="bring a towel")], system=DAY),
    Case("guests", ["Add an event 'Dinner' on 2026-12-05 with guests Ana, Bob and Carl"], MORE, [call("add_event", title="Dinner", date="2026-12-05", guests=["Ana", "Bob", "Carl"])]),
    Case("tea", ["Repeat tea 3 times"], MORE, [call("repeat", word="tea", times=3)]),
    Case("say", ["Send an email to ana@example.com with the subject 'Lunch' and say see you at noon"], MORE, [call("send_email", to="ana@example.com", subject="Lunch", body="see you at noon")]),
    Case("units", ["I am 1.80 m and 80 kg, body mass index please"], MORE, [call("bmi", weight=80, height=1.8)]),
    Case("sided", ["roll a 20-sided die"], MORE, [call("roll", sides=20)]),
    Case("pounds", ["Convert 5 GBP to USD"], MORE, [], ["source"]),
]
