"""Round 10 of the planner's tasks: a learner's own little tools, written unseen, run once, then learned from."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, has, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("10")
have = shelf.have

have(tool("search_library", "Search the library catalogue by title or author.", {"query": S}), lambda query: [{"book_id": 11, "title": "Dune", "available": True}, {"book_id": 12, "title": "Dune Messiah", "available": False}])
have(tool("borrow_book", "Borrow a book from the library.", {"book_id": I}), lambda book_id: f"book {book_id} borrowed")
have(tool("return_book", "Give a borrowed book back.", {"book_id": I}), lambda book_id: f"book {book_id} returned")
have(tool("list_pets", "Pets in the shop, of one kind or all.", kind=text(enum=["dog", "cat", "fish"])), lambda kind="": [{"pet": "Rex", "price": 80}, {"pet": "Bello", "price": 60}])
have(tool("buy_pet", "Buy a pet from the shop.", {"pet": text("name of the pet")}), lambda pet: f"{pet} is yours")
have(tool("add_song", "Add a song to a playlist.", {"song": S, "playlist": S}), lambda song, playlist: f"added to {playlist}")
have(tool("play_playlist", "Play a playlist.", {"playlist": S}, shuffle={"type": "boolean", "default": False}), lambda **given: "playing")
have(tool("find_recipe", "Find a recipe for a dish.", {"dish": S}), lambda dish: {"dish": dish, "ingredients": ["eggs", "flour"], "minutes": 20})
have(tool("shopping_list_add", "Put something on the shopping list.", {"item": S}, quantity={"type": "integer", "default": 1}), lambda **given: "on the list")
have(tool("set_thermostat", "Set the room temperature.", {"temperature": N}), lambda temperature: "ok")
have(tool("switch_heating", "Switch the heating on or off.", {"state": text(enum=["on", "off"])}), lambda state: f"heating {state}")
have(tool("room_temperature", "The temperature in the room in degrees Celsius."), lambda: 17.5)
have(tool("file_stats", "Number of lines, words and characters of a file.", {"path": S}), lambda path: {"lines": 12, "words": 80, "characters": 400})
have(tool("flip_coin", "Flip a coin."), lambda: "heads")
have(tool("days_between", "Number of days between two dates.", {"start": text(format="date"), "end": text(format="date")}), lambda start, end: 24)
have(tool("jiaxin", "给员工加薪", {"xingming": text("员工姓名"), "jine": {"type": "number", "description": "金额"}}), lambda **given: "已加薪")
have(tool("chaxun_chengji", "查询学生的考试成绩", {"xingming": text("学生姓名"), "kemu": text("科目", enum=["语文", "数学", "英语"])}), lambda xingming, kemu: {"成绩": 92})
have(tool("kongtiao", "控制空调的开关和温度", {"kaiguan": text("开关", enum=["开", "关"])}, wendu={"type": "integer", "description": "温度"}), lambda **given: "好了")
have(tool("bofang", "播放歌曲", {"gequ": text("歌曲名")}), lambda gequ: f"正在播放{gequ}")

LIBRARY = shelf("search_library borrow_book return_book")
SHOP = shelf("list_pets buy_pet add_song play_playlist flip_coin")
HOME = shelf("find_recipe shopping_list_add set_thermostat switch_heating room_temperature file_stats days_between")
ZH = shelf("jiaxin chaxun_chengji kongtiao bofang")

ROUND10 = [
    Case("search", ["Do you have any books by Frank Herbert?"], LIBRARY, [call("search_library", query="Frank Herbert")], ["Dune"]),
    Case("search title", ["Search the library for Dune"], LIBRARY, [call("search_library", query="Dune")], ["Dune Messiah"]),
    Case("search and borrow", ["Search for Dune and borrow the first book"], LIBRARY, [call("search_library", query="Dune"), call("borrow_book", book_id=11)], ["borrowed"]),
    Case("borrow number", ["I'd like to borrow book 12"], LIBRARY, [call("borrow_book", book_id=12)], ["12 borrowed"]),
    Case("return", ["I want to return book number 12, thanks"], LIBRARY, [call("return_book", book_id=12)], ["12 returned"]),
    Case("borrow two", ["Borrow books 11 and 12"], LIBRARY, [call("borrow_book", book_id=11), call("borrow_book", book_id=12)]),
    Case("borrow if", ["Look for Dune. If it is available, borrow it."], LIBRARY, [call("search_library", query="Dune"), call("borrow_book", book_id=11)],
         results={"search_library": {"book_id": 11, "title": "Dune", "available": True}}),
    Case("borrow if not", ["Look for Dune. If it is available, borrow it."], LIBRARY, [call("search_library", query="Dune")], ["left out"],
         results={"search_library": {"book_id": 11, "title": "Dune", "available": False}}),
    Case("dogs", ["Which dogs do you have?"], SHOP, [call("list_pets", kind="dog")], ["Rex"]),
    Case("all pets", ["show me all the pets"], SHOP, [call("list_pets")], ["Bello"]),
    Case("buy", ["buy Rex"], SHOP, [call("buy_pet", pet="Rex")], ["Rex is yours"]),
    Case("buy cheapest", ["List the dogs and buy the cheapest one"], SHOP, [call("list_pets", kind="dog"), call("buy_pet", pet="Bello")], ["Bello is yours"]),
    Case("song", ["Add 'Imagine' to my playlist Chill"], SHOP, [call("add_song", song="Imagine", playlist="Chill")], ["Chill"]),
    Case("song unquoted", ["add the song Yellow to the playlist Morning"], SHOP, [call("add_song", song="Yellow", playlist="Morning")]),
    Case("play shuffle", ["Play the playlist Morning with shuffle"], SHOP, [call("play_playlist", playlist="Morning", shuffle=True)], ["playing"]),
    Case("coin", ["heads or tails? flip a coin"], SHOP, [call("flip_coin")], ["heads"]),
    Case("recipe", ["How do I make pancakes?"], HOME, [call("find_recipe", dish="pancakes")], ["eggs"]),
    Case("recipe list", ["Find a recipe for pancakes and put eggs on the shopping list"], HOME, [call("find_recipe", dish="pancakes"), call("shopping_list_add", item="eggs")]),
    Case("shopping", ["put 3 apples on my shopping list"], HOME, [call("shopping_list_add", item="apples", quantity=3)]),
    Case("thermostat", ["Make it 21 degrees in here please"], HOME, [call("set_thermostat", temperature=21)]),
    Case("heating off", ["turn the heating off"], HOME, [call("switch_heating", state="off")], ["heating off"]),
    Case("cold?", ["How cold is it in the room? If it is below 18 switch the heating on."], HOME, [call("room_temperature"), call("switch_heating", state="on")], ["heating on"]),
    Case("stats", ["How many words does essay.txt have?"], HOME, [call("file_stats", path="essay.txt")], ["80", no("There are 3")]),
    Case("days", ["How many days are there between 2026-12-01 and 2026-12-25?"], HOME, [call("days_between", start="2026-12-01", end="2026-12-25")], ["24"]),
    Case("missing dish", ["find me a recipe", "lasagna"], HOME, [call("find_recipe", dish="lasagna")]),
    Case("no tool", ["Book me a flight to Mars"], HOME, [], ["no tool"]),
    Case("zh grade", ["查一下李雷的数学成绩"], ZH, [call("chaxun_chengji", xingming="李雷", kemu="数学")], ["92"]),
    Case("zh aircon", ["把空调打开，调到26度"], ZH, [call("kongtiao", kaiguan="开", wendu=26)]),
    Case("zh play", ["播放周杰伦的《晴天》"], ZH, [call("bofang", gequ=has("晴天"))], ["正在播放"]),
    Case("zh raise", ["给王芳加薪500元"], ZH, [call("jiaxin", xingming="王芳", jine=500)], ["已加薪"]),
]
