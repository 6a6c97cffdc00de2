"""Round 4 of the planner's tasks: written unseen, run once for the share, then learned from."""

from __future__ import annotations

from planner_cases import FILE_TOOLS, HOME, SHOP, call
from planner_toolbox import FILES, Case, has, have, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741

have(tool("find_movie", "Search for a movie by its title.", {"title": S}, year=I), lambda **given: {"movie": "Alien", "rating": 8.5})
have(tool("make_password", "Generate a random password.", {"length": I}, symbols={"type": "boolean", "description": "with special characters"}),
     lambda **given: "x7-Kq!")
have(tool("time_in", "Local time in a time zone.", {"timezone": text("IANA name such as Europe/Paris")}), lambda timezone: "18:30")
have(tool("add_task", "Add a task to the to-do list.", {"task": S}, due=text("YYYY-MM-DD"), priority={"type": "string", "enum": ["low", "medium", "high"]}),
     lambda **given: {"id": 5, "done": False})
have(tool("list_tasks", "All open tasks of the to-do list."), lambda: [{"id": 1, "task": "write tests"}, {"id": 2, "task": "buy tea"}])
have(tool("finish_task", "Mark a task as done.", {"id": I}), lambda id: f"task {id} done")
have(tool("pokemon", "Facts about a Pokemon.", {"name": text("name of the Pokemon")}), lambda name: {"name": name, "type": "electric", "height": 4})
have(tool("divide", "Divide one number by another.", {"a": {"type": "number"}, "b": {"type": "number"}}),
     lambda a, b: "Error: ZeroDivisionError: division by zero" if b == 0 else a / b)
have(tool("square_root", "The square root of a number.", {"x": {"type": "number"}}), lambda x: x**0.5)
have(tool("reverse", "Reverse a string.", {"s": S}), lambda s: s[::-1])
have(tool("is_prime", "Whether a number is prime.", {"n": I}), lambda n: n in (2, 3, 5, 7, 11, 13, 17))
have(tool("days_between", "Number of days between two dates.", {"start": text(format="date"), "end": text(format="date")}), lambda **given: 30)
have(tool("ip_lookup", "Country of an IP address.", {"ip": text(format="ipv4")}), lambda ip: {"ip": ip, "country": "Germany"})
have(tool("order_coffee", "Order a coffee.", {"size": {"type": "string", "enum": ["small", "medium", "large"]}, "drink": {"type": "string", "enum": ["espresso", "latte", "tea"]}},
          milk={"type": "string", "enum": ["cow", "oat", "none"]}), lambda **given: "on its way")
have(tool("shuxue", "计算数学表达式", {"expression": text("表达式")}), lambda expression: "56")
have(tool("fanyi", "把文本翻译成目标语言", {"text": text("要翻译的文本"), "target": text("目标语言")}), lambda **given: "hello")
have(tool("richeng", "在日历中创建日程", {"title": text("标题"), "date": text("日期", format="date"), "time": text("时间 HH:MM")}), lambda **given: "已创建")

TOYS = "find_movie make_password time_in add_task list_tasks finish_task pokemon order_coffee ip_lookup"
NUMBERS = "divide square_root reverse is_prime days_between make_password"
ZH = "shuxue fanyi richeng get_weather"

ROUND4 = [
    Case("movie", ["Search for the movie Alien from 1979"], TOYS, [call("find_movie", title="Alien", year=1979)], ["8.5"]),
    Case("password", ["generate a password with 16 characters"], TOYS, [call("make_password", length=16)], ["x7-Kq!"]),
    Case("timezone", ["what's the time in Asia/Tokyo?"], TOYS, [call("time_in", timezone="Asia/Tokyo")], ["18:30"]),
    Case("add task", ["Add the task 'water plants' with high priority, due 2026-12-10"], TOYS,
         [call("add_task", task="water plants", due="2026-12-10", priority="high")]),
    Case("tasks then finish", ["Show my open tasks and mark the first one as done"], TOYS, [call("list_tasks"), call("finish_task", id=1)], ["done"]),
    Case("finish by number", ["Mark task 2 as done"], TOYS, [call("finish_task", id=2)], ["task 2 done"]),
    Case("pokemon", ["Tell me about Pikachu"], "pokemon", [], ["no tool"]),
    Case("pokemon named", ["Give me facts about the pokemon Pikachu"], TOYS, [call("pokemon", name="Pikachu")], ["electric"]),
    Case("divide", ["divide 84 by 2"], NUMBERS, [call("divide", a=84, b=2)], ["42"]),
    Case("divide by zero", ["Divide 1 by 0"], NUMBERS, [call("divide", a=1, b=0)], ["failed", "zero"]),
    Case("root", ["What is the square root of 144?"], NUMBERS, [call("square_root", x=144)], ["12"]),
    Case("reverse", ["Reverse the string 'agent'"], NUMBERS, [call("reverse", s="agent")], ["tnega"]),
    Case("prime", ["Is 17 a prime number?"], NUMBERS, [call("is_prime", n=17)], ["Yes"]),
    Case("prime no", ["is 15 prime?"], NUMBERS, [call("is_prime", n=15)], ["No"]),
    Case("days", ["How many days are there between 2026-12-01 and 2026-12-31?"], NUMBERS, [call("days_between", start="2026-12-01", end="2026-12-31")], ["30"]),
    Case("ip", ["Which country does the IP 8.8.8.8 belong to?"], TOYS, [call("ip_lookup", ip="8.8.8.8")], ["Germany"]),
    Case("coffee", ["I'd like a large latte with oat milk"], TOYS, [call("order_coffee", size="large", drink="latte", milk="oat")], ["on its way"]),
    Case("coffee lacking", ["Order a latte", "small"], TOYS, [call("order_coffee", size="small", drink="latte")]),
    Case("zh maths", ["计算 7*8"], ZH, [call("shuxue", expression="7*8")], ["56"]),
    Case("zh translate", ["把“你好”翻译成英语"], ZH, [call("fanyi", text="你好", target="英语")], ["hello"]),
    Case("zh agenda", ["明天下午两点创建日程“项目评审”"], ZH, [call("richeng", title="项目评审", date="2026-12-02", time="14:00")], ["已创建"]),
    Case("zh if", ["查询上海今天的天气，如果下雨就创建明天上午10点的日程“买伞”"], ZH,
         [call("get_weather", city="上海", date="2026-12-01"), call("richeng", title="买伞", date="2026-12-02", time="10:00")]),
    Case("read then condition else", ["Read report.md. If it contains the word profit, create yes.txt with the text 'yes'. Otherwise create no.txt with the text 'no'."], FILE_TOOLS,
         [call("read_file", path="report.md"), call("write_file", path="no.txt", content="no")]),
    Case("nested path", ["Read the file docs/guide.md"], FILE_TOOLS, [call("read_file", path="docs/guide.md")], ["# Guide"], {"read_file": "# Guide"}),
    Case("page to file", ["Fetch https://example.org and write it to site.html, then list the current folder"], FILE_TOOLS,
         [call("fetch_page", url="https://example.org"), call("write_file", path="site.html", content="<h1>Hello</h1>"), call("list_dir", path=".")]),
    Case("shell question", ["Use the shell to run `python --version`"], FILE_TOOLS, [call("run_shell", command="python --version")]),
    Case("weather table", ["Get today's weather for Paris, Tokyo and Rome and save it all to weather.txt"], FILE_TOOLS + " get_weather",
         [call("get_weather", city="Paris", date="2026-12-01"), call("get_weather", city="Tokyo", date="2026-12-01"),
          call("get_weather", city="Rome", date="2026-12-01"), call("write_file", path="weather.txt", content=has("sunny"))]),
    Case("light then reminder", ["Turn off the kitchen light and remind me tomorrow at noon to buy bulbs"], HOME,
         [call("set_light", room="kitchen", on=False), call("set_reminder", title="buy bulbs", when="2026-12-02 12:00")]),
    Case("refund after look", ["Check order 123456789012345678. If the amount is less than 100, refund it."], SHOP,
         [call("query_order", order_id="123456789012345678"), call("refund_order", order_id="123456789012345678")], ["refunded"]),
    Case("copy file", ["Copy the text of notes.txt into notes_copy.txt"], FILE_TOOLS,
         [call("read_file", path="notes.txt"), call("write_file", path="notes_copy.txt", content=FILES["notes.txt"])], [no("no tool")]),
]
