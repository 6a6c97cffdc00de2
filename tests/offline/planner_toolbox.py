"""Invented tools with made-up results, and a loop that drives the planner over them to the end."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline.planner import plan

TODAY = dt.date(2026, 12, 1)  # a Tuesday
S = {"type": "string"}
FILES = {
    "notes.txt": "Buy milk. Call Anna.",
    "report.md": "Sales went up by 12 percent.",
    "data.csv": "a,b\n1,2\n3,4",
    "todo.txt": "",
}
PRODUCTS = [
    {"product_id": "P-11", "title": "red mug", "price": 9.5},
    {"product_id": "P-12", "title": "blue mug", "price": 7},
]
RAINY = {"Paris", "Shanghai", "上海", "London"}
ORDERS = {"123456789012345678": "shipped", "222222222222222222": "pending"}


def text(description: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "string", **({"description": description} if description else {}), **more}


def tool(name: str, description: str, required: dict[str, Any] | None = None, **optional: Any) -> dict:
    required = required or {}
    parameters = {"type": "object", "properties": {**required, **optional}, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def missing(path: str) -> str:
    return f"Error: read_file failed: FileNotFoundError: [Errno 2] No such file or directory: '{path}'"


def weather(city: str, date: str = "") -> Any:
    rain = city in RAINY
    return {"city": city, "condition": "light rain" if rain else "sunny", "temperature": 12 if rain else 31}


def order_state(order_id: str, query_type: str = "all") -> Any:
    if order_id not in ORDERS:
        return f"Error: no order {order_id}"
    return {"order_id": order_id, "status": ORDERS[order_id], "amount": 88.5}


def convert(amount: float, from_currency: str, to_currency: str) -> Any:
    return {"amount": round(amount * 2, 2), "currency": to_currency}


def calculated(expression: str) -> str:
    allowed = set("0123456789.+-*/() ")
    if set(expression) - allowed:
        return f"Error: cannot read {expression!r}"
    return str(eval(expression, {"__builtins__": {}}))  # digits and operators only, checked above


# key (the name, where no other tool has it) -> (schema entry, function that makes the result)
BOX: dict[str, tuple[dict, Any]] = {}


def have(entry: dict, function: Any, key: str = "") -> None:
    assert (key or entry["function"]["name"]) not in BOX, "a key of its own, please"
    BOX[key or entry["function"]["name"]] = (entry, function)


@dataclass(frozen=True)
class Shelf:
    """Tools of one case file, whose names other files may use too. shelf("a b"): their keys."""

    prefix: str

    def have(self, entry: dict, function: Any) -> None:
        have(entry, function, f"{self.prefix}:{entry['function']['name']}")

    def __call__(self, names: str) -> str:
        return " ".join(f"{self.prefix}:{name}" for name in names.split())


have(tool("list_dir", "List the entries of a directory.", {"path": text("directory")}),
     lambda path: "\n".join([*FILES, "sub/"]))
have(tool("read_file", "Read a text file and return its content.", {"path": text("file path")}),
     lambda path: FILES[path] if path in FILES else missing(path))
have(tool("write_file", "Write text to a file; creates it or replaces it.", {"path": S, "content": S}),
     lambda path, content: f"wrote {len(content)} characters to {path}")
have(tool("edit_file", "Replace an exact text in a file by another.", {"path": S, "old_text": S, "new_text": S}),
     lambda path, old_text, new_text: f"replaced 1 place in {path}")
have(tool("delete_file", "Delete a file for good.", {"path": S}), lambda path: f"deleted {path}")
have(tool("run_shell", "Run a shell command and return its output.", {"command": S}), lambda command: "exit 0")
have(tool("fetch_page", "Fetch a web page by its URL.", {"url": text("complete http(s) URL")}),
     lambda url: "<h1>Hello</h1>")
have(tool("get_weather", "Weather forecast for a city on a day.", {"city": text("city name")},
          date=text("day as YYYY-MM-DD; today when left out")), weather)
have(tool("set_reminder", "Remind the user of something at a time.",
          {"title": text("what to be reminded of"), "when": text("as YYYY-MM-DD HH:MM")},
          repeat={"type": "string", "enum": ["none", "daily", "weekly"], "default": "none"}, notes=S),
     lambda title, when, **more: {"id": 7, "title": title, "when": when})
have(tool("query_order", "Look up an order: status, items and delivery.",
          {"order_id": text("18 digits", pattern=r"^\d{18}$")},
          query_type={"type": "string", "enum": ["basic", "detail", "logistics", "all"], "default": "all"}), order_state)
have(tool("refund_order", "Refund an order. The money goes back to the customer.",
          {"order_id": text("18 digits", pattern=r"^\d{18}$")}, reason=S),
     lambda order_id, **more: {"refunded": True, "order_id": order_id})
have(tool("place_order", "Order a product. Charges money: only after the user has explicitly confirmed.",
          {"product_id": S, "quantity": {"type": "integer", "minimum": 1}}),
     lambda product_id, quantity: {"order": "O-1", "product_id": product_id, "quantity": quantity})
have(tool("search_products", "Search the shop's products by keyword.", {"keyword": S},
          max_price={"type": "number", "description": "upper price limit"}), lambda keyword, **more: PRODUCTS)
have(tool("send_email", "Send an email to somebody.", {"to": text("email address", format="email"), "subject": S, "body": S}),
     lambda to, subject, body: f"sent to {to}")
have(tool("convert_currency", "Convert an amount of money between currencies.",
          {"amount": {"type": "number"}, "from_currency": text("three letters"), "to_currency": text("three letters")}), convert)
have(tool("translate_text", "Translate a text into another language.", {"text": S, "target_language": S}),
     lambda text, target_language: "bonjour")
have(tool("calculate", "Evaluate an arithmetic expression.", {"expression": text("such as 2 * (3 + 4)")}), calculated)
have(tool("sum_numbers", "Add up a list of numbers.", {"numbers": {"type": "array", "items": {"type": "number"}}}),
     lambda numbers: sum(numbers))
have(tool("book_table", "Book a table at a restaurant.",
          {"restaurant": S, "people": {"type": "integer"}, "date": text(format="date"), "time": text("HH:MM")}),
     lambda **given: "booked")
have(tool("find_flights", "Find flights between two cities.", {"origin": S, "destination": S, "date": text(format="date")}),
     lambda **given: [{"flight": "AF1", "price": 300}, {"flight": "LH2", "price": 250}])
have(tool("book_flight", "Book one flight by its number.", {"flight": text("flight number")}), lambda flight: f"booked {flight}")
have(tool("set_light", "Switch the light of a room on or off.",
          {"room": {"type": "string", "enum": ["kitchen", "living room", "bedroom"]}, "on": {"type": "boolean"}},
          brightness={"type": "integer", "description": "percent"}), lambda **given: "ok")
have(tool("define_word", "Look up the meaning of an English word in a dictionary.", {"word": S}),
     lambda word: f"{word}: a made-up meaning")
have(tool("get_stock_price", "Latest price of a stock.", {"symbol": text("ticker symbol such as AAPL")}),
     lambda symbol: {"symbol": symbol, "price": {"AAPL": 210.5, "MSFT": 430}.get(symbol, 50)})
have(tool("create_event", "Put an event into the calendar.",
          {"title": S, "start": text(format="date-time")},
          duration_minutes={"type": "integer"}, attendees={"type": "array", "items": text(format="email")}),
     lambda **given: {"event": "E-5"})
have(tool("search_papers", "Search scientific papers about a topic.", {"query": S}, limit={"type": "integer", "default": 10}),
     lambda query, **more: ["Paper One", "Paper Two"])
have(tool("track_parcel", "Where a parcel is, by its tracking number.",
          {"tracking_number": text(pattern=r"^[A-Z]{2}\d{9}$")}), lambda tracking_number: {"location": "Hamburg", "delivered": False})
have(tool("roll_dice", "Roll dice with a number of sides.", {"sides": {"type": "integer"}}, count={"type": "integer", "default": 1}),
     lambda **given: [4, 2])
have(tool("create_user", "Create a user account.", {"name": S, "age": {"type": "integer"}},
          address={"type": "object", "properties": {"street": S, "city": S}, "required": ["city"]}), lambda **given: {"user_id": 31})
have(tool("get_employee", "Contact data of an employee by name.", {"name": S}),
     lambda name: {"name": name, "email": f"{name.lower()}@firm.example"})
have(tool("list_notes", "List all notes."), lambda: [{"note_id": 3, "text": "old"}, {"note_id": 4, "text": "new"}])
have(tool("delete_note", "Delete a note.", {"note_id": {"type": "integer"}}), lambda note_id: f"note {note_id} deleted")
have(tool("add_note", "Save a short note.", {"text": S}), lambda text: "saved")
have(tool("check_stock", "How many pieces of an article lie in the warehouse.", {"sku": text("article number such as A-17")}),
     lambda sku: {"sku": sku, "pieces": {"A-17": 3}.get(sku, 40)})
have(tool("measure_distance", "Distance between two places.", {"from_place": S, "to_place": S},
          unit={"type": "string", "enum": ["km", "miles"], "default": "km"}), lambda **given: {"distance": 878})
have(tool("get_current_time", "The current local time."), lambda: "2026-12-01 10:00")
have(tool("cha_tianqi", "查询某个城市的天气", {"city": text("城市")}), weather)
have(tool("add_todo", "添加一条待办事项", {"content": text("事项内容")}, due=text("截止日期", format="date")), lambda **given: "已添加")
have(tool("cha_kuaidi", "查询快递的物流状态", {"number": text("快递单号", pattern=r"^\d{12}$")}), lambda number: {"状态": "已签收"})
have(tool("query_data", "query data", {"input": S}), lambda input: "data")
have(tool("get_info", "get information", {"input": S}), lambda input: "info")
have(tool("process", "process the request", {"input": S}), lambda input: "done")


@dataclass
class Case:
    """One task: what is asked (each text a user turn), with which tools, and what must come of it."""

    name: str
    asks: list[str]
    tools: str
    calls: list[tuple[str, dict[str, Any]]]
    says: list[str] = field(default_factory=list)
    results: dict[str, Any] = field(default_factory=dict)
    system: str = ""


class has(str):
    """Equal to any text that holds this one, in any case."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.lower() in other.lower()

    __hash__ = str.__hash__


class no(str):
    """In `says`: a text that must not occur."""


def drive(case: Case) -> tuple[list[tuple[str, dict]], str]:
    """Run the case to its last answer: (all calls in order, the last text)."""
    tools = [BOX[n][0] for n in case.tools.split()]
    messages: list[dict[str, Any]] = [{"role": "system", "content": case.system}] if case.system else []
    made: list[tuple[str, dict]] = []
    answer = ""
    for asked in case.asks:
        messages.append({"role": "user", "content": asked})
        for _ in range(12):
            reply = plan({"model": "scripted-1", "messages": messages, "tools": tools}, today=TODAY)
            if not reply.calls:
                answer = reply.content or ""
                messages.append({"role": "assistant", "content": answer})
                break
            made += reply.calls
            messages += _turn(reply.calls, len(made), case)
    return made, answer


def _turn(calls: list[tuple[str, dict]], number: int, case: Case) -> list[dict[str, Any]]:
    wire = [
        {"id": f"c{number}_{i}", "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
        for i, (n, a) in enumerate(calls)
    ]
    results = [
        {"role": "tool", "tool_call_id": w["id"], "content": _result(n, a, case)}
        for w, (n, a) in zip(wire, calls, strict=True)
    ]
    return [{"role": "assistant", "content": None, "tool_calls": wire}, *results]


def _result(name: str, arguments: dict, case: Case) -> str:
    functions = {BOX[key][0]["function"]["name"]: BOX[key][1] for key in case.tools.split()}
    made = case.results.get(name, functions[name])
    made = made(**arguments) if callable(made) else made
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)


def verdict(case: Case) -> list[str]:
    """What is wrong with the planner's way through a case; empty when nothing is."""
    made, answer = drive(case)
    wrong = [] if made == case.calls else [f"calls {made}, wanted {case.calls}"]
    for part in case.says:
        if isinstance(part, no) == (part.lower() in answer.lower()):
            wrong.append(f"{'unwanted' if isinstance(part, no) else 'missing'} {part!r} in {answer!r}")
    return wrong
