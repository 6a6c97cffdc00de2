"""Exercises of lesson 11: denials counted, addresses hidden, a budget for each user."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from agentlib.course.exercise import Case, Exercise, Seen


def _line(user: str, status: str) -> str:
    """A line as the lesson's `audit` writes it. status: "success", "denied" or "failed"."""
    entry = {"time": 100, "order": 1, "user": user, "session": "s1", "run": "r1"}
    entry |= {"tool": "refund", "arguments": {"order_id": 7, "amount": 12}}
    entry["decision"] = "denied" if status == "denied" else "allowed"
    return json.dumps(entry | {"status": status, "duration": 0.1, "error": None}) + "\n"


_GOOD, _OVER = ("success", "ran"), ("permission_denied", "did not run")
_FAILED = ("business_error", "ran")
# under a budget of 100: what, who, the arguments, what the tool does, what must come of it
_BUDGET = [
    ("60 of 100", "ana", {"amount": 60}, "works", _GOOD),
    ("50 more would be 110", "ana", {"amount": 50}, "works", _OVER),
    ("40 more make 100", "ana", {"amount": 40}, "works", _GOOD),
    ("a cent more", "ana", {"amount": 0.01}, "works", _OVER),
    ("no amount", "ana", {"order_id": 7}, "works", _GOOD),
    ("another user", "ben", {"amount": 90}, "works", _GOOD),
    ("who fails to pay", "cleo", {"amount": 80}, "fails", _FAILED),
    ("has spent nothing", "cleo", {"amount": 100}, "works", _GOOD),
    ("too much at once", "dan", {"amount": 101}, "works", _OVER),
    ("less than nothing", "dan", {"amount": -1000}, "works", _OVER),
    ("nothing", "dan", {"amount": 0}, "works", _OVER),
    ("which won him nothing", "dan", {"amount": 101}, "works", _OVER),
    ("all of it", "dan", {"amount": 100}, "works", _GOOD),
]


async def _judge_budget(budget) -> AsyncIterator[Seen]:
    from agentlib import Context, Tool, ToolCall, ToolCallError, ToolResult

    ran: list[str] = []
    tool = Tool("pay", "Pay.", {"type": "object"}, print)

    async def works(call):
        ran.append(call.arguments)
        return ToolResult.success(call, "paid")

    async def fails(call):
        ran.append(call.arguments)
        return ToolResult.failure(call, ToolCallError("the bank is closed"))

    layer = budget(100)

    async def outcome(user: str, arguments: dict, proceed) -> tuple[str, str]:
        ran.clear()
        context = Context(user=user)
        call = ToolCall("pay", json.dumps(arguments), "c1", tool=tool, context=context)
        try:
            result = await layer(call, proceed)
        except ToolCallError as error:  # a layer may refuse by raising
            result = ToolResult.failure(call, error)
        kind = result.error.category.value if result.error else "success"
        return kind, "ran" if ran else "did not run"

    for what, user, arguments, kind, expected in _BUDGET:
        got = await outcome(user, arguments, {"works": works, "fails": fails}[kind])
        yield f"{user}, {what}: {arguments}", expected, got
    layer = budget(10)
    yield "a new budget is empty", _GOOD, await outcome("ana", {"amount": 10}, works)
    layer = budget(50)
    yield "five calls of 40 at once, limit 50: how many ran", 1, await _at_once(layer, tool)


async def _at_once(layer, tool) -> int:
    """How many of five calls side by side ran, each of 40 EUR and of the same user."""
    from agentlib import Context, ToolCall, ToolCallError, ToolResult

    ran = []

    async def slowly(call):
        ran.append(call.id)
        await asyncio.sleep(0)
        return ToolResult.success(call, "paid")

    async def one(number: int) -> None:
        call = ToolCall("pay", '{"amount": 40}', f"c{number}", tool=tool, context=Context("eve"))
        with contextlib.suppress(ToolCallError):  # refused, as four of them should be
            await layer(call, slowly)

    await asyncio.gather(*[one(number) for number in range(5)])
    return len(ran)


EXERCISES = [
    Exercise(
        id="11.1",
        title="Count the denials",
        setup="import json",
        stub="""
def denials(lines):
    ...
""",
        cases=[
            Case(args=([],), expected={}),
            Case(args=([_line("ana", "success")],), expected={}),
            Case(
                args=(
                    [
                        _line("eve", "denied"),
                        _line("ana", "success"),
                        _line("eve", "denied"),
                        _line("ana", "denied"),
                        _line("eve", "failed"),
                    ],
                ),
                expected={"eve": 2, "ana": 1},
            ),
            Case(
                args=([_line("eve", "denied"), _line("eve", "denied")[:-9]],), expected={"eve": 1}
            ),
            Case(args=([_line("eve", "denied"), '{"user": "e'],), expected={"eve": 1}),
        ],
        hints=[
            "json.loads(line) raises a ValueError for a torn line: `try`, and `continue` when it "
            "does.",
            "counts[user] = counts.get(user, 0) + 1, only where the status is denied.",
        ],
        solution="""
def denials(lines):
    counts = {}
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry["status"] == "denied":
            counts[entry["user"]] = counts.get(entry["user"], 0) + 1
    return counts
""",
        wrong=[
            "def denials(lines):\n"
            "    counts = {}\n"
            "    for line in lines:\n"
            "        entry = json.loads(line)\n"
            "        if entry['status'] == 'denied':\n"
            "            counts[entry['user']] = counts.get(entry['user'], 0) + 1\n"
            "    return counts",
            "def denials(lines):\n"
            "    counts = {}\n"
            "    try:\n"
            "        for line in lines:\n"
            "            entry = json.loads(line)\n"
            "            counts[entry['user']] = counts.get(entry['user'], 0) + 1\n"
            "    except ValueError:\n"
            "        pass\n"
            "    return counts",
            "def denials(lines):\n    return sum('denied' in line for line in lines)",
        ],
    ),
    Exercise(
        id="11.2",
        title="Hide the addresses",
        setup="import re",
        stub="""
def hide_addresses(text):
    ...
""",
        cases=[
            Case(args=("to ana.b@example.org",), expected="to a***@example.org"),
            Case(args=("nothing here",), expected="nothing here"),
            Case(args=("a@b.org",), expected="a***@b.org"),
            Case(
                args=("ana@x.org, ben+tea@y.org; cc: cleo_d@z.org",),
                expected="a***@x.org, b***@y.org; cc: c***@z.org",
            ),
            Case(args=("<ana@x.org>",), expected="<a***@x.org>"),
            Case(args=("at 5 @ home",), expected="at 5 @ home"),
        ],
        hints=[
            "re.sub with a group: what is in brackets comes back as \\1. The rest goes.",
            "The part before the @ is one letter, then any number of [\\w.+-]. Put brackets around "
            "the letter only, and keep the @.",
        ],
        solution="""
def hide_addresses(text):
    return re.sub(r"(\\w)[\\w.+-]*@", r"\\1***@", text)
""",
        wrong=[
            "def hide_addresses(text):\n    return re.sub(r'\\w+@', '***@', text)",
            "def hide_addresses(text):\n    return re.sub(r'(\\w)\\w*@', r'\\1***@', text)",
            "def hide_addresses(text):\n    return re.sub(r'(\\w).*@', r'\\1***@', text)",
            "def hide_addresses(text):\n"
            "    name, at, rest = text.partition('@')\n"
            "    return name[0] + '***' + at + rest if at else text",
        ],
    ),
    Exercise(
        id="11.3",
        title="A budget for each user",
        setup="import json\nfrom agentlib import ToolCallError, ToolResult",
        stub="""
def budget(limit):
    async def layer(call, proceed):
        ...
    return layer
""",
        judge=_judge_budget,
        hints=[
            "A dict outside of `layer` keeps what each user has spent. json.loads(call.arguments)"
            '.get("amount") is what this call would cost; None means that it costs nothing.',
            "Looking and counting must be one act: add the cost to what is spent *before* `await "
            "proceed(call)`. What if the call then fails?",
        ],
        solution="""
def budget(limit):
    spent = {}

    async def layer(call, proceed):
        user = call.context.user
        cost = json.loads(call.arguments).get("amount")
        if cost is None:
            return await proceed(call)
        if not 0 < cost <= limit - spent.get(user, 0):
            text = f"{user} may spend {limit - spent.get(user, 0)} EUR more, and no less than 0."
            raise ToolCallError(text, category="permission_denied")
        spent[user] = spent.get(user, 0) + cost        # reserved
        result = await proceed(call)
        if not result.ok:
            spent[user] -= cost                        # given back
        return result
    return layer
""",
        wrong=[
            # looks, awaits, then counts: calls side by side all see room
            "def budget(limit):\n"
            "    spent = {}\n"
            "    async def layer(call, proceed):\n"
            "        user = call.context.user\n"
            "        cost = json.loads(call.arguments).get('amount')\n"
            "        if cost is None:\n"
            "            return await proceed(call)\n"
            "        if not 0 < cost <= limit - spent.get(user, 0):\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        result = await proceed(call)\n"
            "        if result.ok:\n"
            "            spent[user] = spent.get(user, 0) + cost\n"
            "        return result\n"
            "    return layer",
            # a negative amount raises the budget
            "def budget(limit):\n"
            "    spent = {}\n"
            "    async def layer(call, proceed):\n"
            "        user = call.context.user\n"
            "        cost = json.loads(call.arguments).get('amount', 0)\n"
            "        if spent.get(user, 0) + cost > limit:\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        spent[user] = spent.get(user, 0) + cost\n"
            "        result = await proceed(call)\n"
            "        spent[user] -= 0 if result.ok else cost\n"
            "        return result\n"
            "    return layer",
            # one purse for all
            "def budget(limit):\n"
            "    spent = [0]\n"
            "    async def layer(call, proceed):\n"
            "        cost = json.loads(call.arguments).get('amount', 0)\n"
            "        if spent[0] + cost > limit:\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        result = await proceed(call)\n"
            "        spent[0] += cost if result.ok else 0\n"
            "        return result\n"
            "    return layer",
            # a failed payment is counted
            "def budget(limit):\n"
            "    spent = {}\n"
            "    async def layer(call, proceed):\n"
            "        user = call.context.user\n"
            "        cost = json.loads(call.arguments).get('amount', 0)\n"
            "        if spent.get(user, 0) + cost > limit:\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        spent[user] = spent.get(user, 0) + cost\n"
            "        return await proceed(call)\n"
            "    return layer",
            # one call too late
            "def budget(limit):\n"
            "    spent = {}\n"
            "    async def layer(call, proceed):\n"
            "        user = call.context.user\n"
            "        cost = json.loads(call.arguments).get('amount', 0)\n"
            "        if spent.get(user, 0) > limit:\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        result = await proceed(call)\n"
            "        spent[user] = spent.get(user, 0) + cost * result.ok\n"
            "        return result\n"
            "    return layer",
            # a refused amount is counted, too
            "def budget(limit):\n"
            "    spent = {}\n"
            "    async def layer(call, proceed):\n"
            "        user = call.context.user\n"
            "        cost = json.loads(call.arguments)['amount']\n"
            "        spent[user] = spent.get(user, 0) + cost\n"
            "        if spent[user] > limit:\n"
            "            raise ToolCallError('over', category='permission_denied')\n"
            "        return await proceed(call)\n"
            "    return layer",
        ],
    ),
]
