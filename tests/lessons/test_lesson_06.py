"""Lesson 06's layers and the library's, held to one table: what runs, is asked, is told."""

import asyncio

import pytest
from lesson_code import definitions

from agentlib import Executor, Tool, ToolCall, ToolRegistry
from agentlib.approvers import Decision, DenyAll, ScriptedApprover
from agentlib.layers.approval import Approval
from agentlib.layers.recipients import RecipientList
from agentlib.layers.second_factor import SecondFactor

LESSON = definitions("06")


class Shop:
    """A registry with three tools, and a record of what ran."""

    def __init__(self):
        self.ran, self.registry = [], ToolRegistry()

        def note(**given):
            self.ran.append(given)
            return "done"

        def ask_wipe(order_id):
            return f"Wipe {order_id}?" if order_id > 1 else None

        schema = {
            "type": "object",
            "properties": {"order_id": {"type": "integer"}},
            "required": ["order_id"],
        }
        for name, confirm in [("look", False), ("wipe", ask_wipe), ("plain", True)]:
            self.registry.register(Tool(name, "A tool.", schema, note, confirm=confirm))

    def call(self, name, order_id):
        return ToolCall(name, {"order_id": order_id}, "c1", tool=self.registry.get(name))


class ByTheLesson:
    plain = "Run plain with {'order_id': 7}?"  # the library shows the arguments in the box

    def __init__(self, shop, answers):
        self.asked = []

        async def ask(question):
            self.asked.append(question)
            return answers.pop(0) if answers else "deny"

        self.execute = LESSON.stack([LESSON.confirm(ask)])


class ByTheLibrary:
    plain = "Run plain?"

    def __init__(self, shop, answers):
        self.approver = ScriptedApprover(answers)
        self.execute = Executor(shop.registry, layers=[Approval(self.approver)]).execute

    @property
    def asked(self):
        return self.approver.asked


both = pytest.mark.parametrize("way", [ByTheLesson, ByTheLibrary])
# calls, answers -> the order ids that ran, the questions
TABLE = {
    "asks nothing for a tool without confirm": ([("look", 7)], [], [7], []),
    "a yes runs": ([("plain", 7)], ["allow"], [7], ["Run plain?"]),
    "a no does not": ([("plain", 7)], ["deny"], [], ["Run plain?"]),
    "the tool words its question": ([("wipe", 7)], ["allow"], [7], ["Wipe 7?"]),
    "None asks nothing": ([("wipe", 1)], [], [1], []),
    "nobody answers": ([("wipe", 7)], [], [], ["Wipe 7?"]),
    "never asked about what can't run": (
        [("wipe", "x"), ("wipe", None), ("plain", "x")],
        ["allow"],
        [],
        [],
    ),
    "each call asks anew": ([("wipe", 7)] * 2, ["allow", "deny"], [7], ["Wipe 7?"] * 2),
    "a remembered yes": ([("wipe", 7)] * 3, ["session"], [7, 7, 7], ["Wipe 7?"]),
    "for these arguments only": (
        [("wipe", 7), ("wipe", 8), ("wipe", 7)],
        ["session", "deny"],
        [7, 7],
        ["Wipe 7?", "Wipe 8?"],
    ),
    "for this tool only": (
        [("wipe", 7), ("plain", 7)],
        ["session", "deny"],
        [7],
        ["Wipe 7?", "Run plain?"],
    ),
    "a no is not remembered": (
        [("wipe", 7)] * 2,
        ["deny", "allow"],
        [7],
        ["Wipe 7?", "Wipe 7?"],
    ),
}


@both
@pytest.mark.parametrize(("calls", "answers", "ran", "asked"), TABLE.values(), ids=TABLE)
def test_one_table(way, calls, answers, ran, asked):
    shop = Shop()
    made = way(shop, list(answers))

    async def run():
        return [await made.execute(shop.call(*call)) for call in calls]

    results = asyncio.run(run())
    assert [given["order_id"] for given in shop.ran] == ran
    assert made.asked == [way.plain if q == "Run plain?" else q for q in asked]
    assert [r.call_id for r in results] == ["c1"] * len(calls)
    assert sum(r.ok for r in results) == len(ran)


@both
def test_a_refusal_is_a_result_that_ends_the_asking(way):
    shop = Shop()
    result = asyncio.run(way(shop, ["deny"]).execute(shop.call("wipe", 7)))
    assert result.status == "denied" and result.message()["role"] == "tool"
    for part in ["Error: wipe was refused by the person", "was not run", "Do not try this call"]:
        assert part in result.content


@both
def test_an_unknown_tool_is_a_result(way):
    shop = Shop()
    result = asyncio.run(way(shop, ["allow"]).execute(ToolCall("nope", "{}", "c1")))
    assert not result.ok and "nope" in result.content


def edited_by_the_lesson(shop, arguments):
    async def ask(question):
        return arguments

    return LESSON.stack([LESSON.confirm_or_edit(ask)])


def edited_by_the_library(shop, arguments):
    approver = ScriptedApprover([Decision(True, arguments=arguments)])
    return Executor(shop.registry, layers=[Approval(approver)]).execute


@pytest.mark.parametrize("way", [edited_by_the_lesson, edited_by_the_library])
@pytest.mark.parametrize(
    ("arguments", "ran", "told"),
    [
        ({"order_id": 8}, [8], ["The person changed the arguments", '{"order_id": 8}', "done"]),
        ({"order_id": "x"}, [], ["`order_id`", "integer"]),
        ({}, [], ["`order_id`", "required"]),
        ({"order_id": 8, "all": True}, [], ["`all`", "not a parameter"]),
    ],
)
def test_edited_arguments_are_checked_and_told(way, arguments, ran, told):
    shop = Shop()
    result = asyncio.run(way(shop, arguments)(shop.call("wipe", 7)))
    assert [given["order_id"] for given in shop.ran] == ran
    for part in told:
        assert part in result.content


def test_nobody_means_no():
    shop = Shop()
    lesson = LESSON.stack([LESSON.confirm(LESSON.person())])
    library = Executor(shop.registry, layers=[Approval(DenyAll())]).execute
    for execute in (lesson, library):
        assert asyncio.run(execute(shop.call("wipe", 7))).status == "denied"
    assert shop.ran == []


def second_factor_of_the_lesson(phone, read):
    return LESSON.second_factor(phone.append, read)


def second_factor_of_the_library(phone, read):
    async def ask(call, tool, context):
        phone.append("135790")
        return await read("The code?")

    return SecondFactor(ask, lambda code: code == "135790")


@pytest.mark.parametrize("made", [second_factor_of_the_lesson, second_factor_of_the_library])
@pytest.mark.parametrize("typed", ["right", "wrong", "", "old"])
def test_the_second_factor(made, typed):
    shop, phone = Shop(), []
    shop.registry.get("wipe").tags = ("second-factor",)

    async def read(question):
        return {"right": phone[-1], "wrong": "no code", "": "", "old": phone[0]}[typed]

    if typed == "old":
        phone.append("a code of last week")
    execute = LESSON.stack([made(phone, read)])
    result = asyncio.run(execute(shop.call("wipe", 7)))
    assert result.ok == (typed == "right") == bool(shop.ran)
    assert result.ok or result.status == "denied"
    assert len(phone[-1]) == 6 and phone[-1].isdigit()
    assert phone[-1] not in result.content
    assert asyncio.run(execute(shop.call("look", 7))).ok  # without the tag: no code
    assert len(phone) == (2 if typed == "old" else 1)


def test_codes_differ():
    shop, phone = Shop(), []
    shop.registry.get("wipe").tags = ("second-factor",)

    async def read(question):
        return ""

    execute = LESSON.stack([LESSON.second_factor(phone.append, read)])
    for _ in range(20):
        asyncio.run(execute(shop.call("wipe", 7)))
    assert len(set(phone)) > 15  # of a million codes: fewer is as good as impossible


@pytest.mark.parametrize("made", [LESSON.only_to, RecipientList])
@pytest.mark.parametrize(
    ("to", "sent"),
    [
        ("ana@example.org", True),
        (" Ana@Example.org ", True),
        ("eve@evil.example", False),
        ("ana@example.org, eve@evil.example", False),
        ("ana@example.org.evil.example", False),
        ("evil-ana@example.org", False),
        ("", False),
    ],
)
def test_only_listed_recipients(made, to, sent):
    registry, outbox = ToolRegistry(), []

    @registry.tool
    def send_email(to: str, text: str) -> str:
        """Send an email."""
        outbox.append(to)
        return "sent"

    call = ToolCall("send_email", {"to": to, "text": "Hi"}, tool=registry.get("send_email"))
    result = asyncio.run(LESSON.stack([made({"ana@example.org"})])(call))
    assert result.ok is sent and bool(outbox) is sent
    assert sent or result.status == "denied"


def test_a_click_reaches_an_awaited_question():
    """The lesson's buttons without a browser: the first click counts, the box is closed."""
    boxes = []
    lesson = definitions("06")
    lesson.ask_by_buttons.__globals__["display"] = boxes.append

    async def ask(*clicks):
        waiting = asyncio.ensure_future(lesson.ask_by_buttons("Delete?"))
        await asyncio.sleep(0)
        buttons = {b.description: b for b in boxes[-1].children[1].children}
        for label in clicks:
            buttons[label].click()
        return await asyncio.wait_for(waiting, 2)

    assert asyncio.run(ask("Allow", "Deny")) == "allow"
    assert asyncio.run(ask("Deny")) == "deny"
    assert all(box.comm is None for box in boxes)  # closed


def test_a_blocking_wait_gets_no_click():
    """What the lesson shows: the loop can't deliver anything while a line blocks it."""
    import threading

    async def blocked():
        clicked = threading.Event()
        asyncio.get_running_loop().call_later(0.0, clicked.set)
        return clicked.wait(timeout=0.05)

    assert asyncio.run(blocked()) is False


def test_an_unknown_tool_meets_every_layer_of_the_lesson():
    async def code(question):
        raise AssertionError("asked for a code")

    layers = [LESSON.only_to(set()), LESSON.second_factor(print, code)]
    result = asyncio.run(LESSON.stack(layers)(ToolCall("nope", "{}", "c1")))
    assert not result.ok and "no tool named 'nope'" in result.content


@pytest.mark.parametrize("order_id", ["the last one", 99])
def test_nobody_is_asked_about_an_order_that_is_not_there(order_id):
    async def ask(question):
        raise AssertionError(question)

    tool = LESSON.registry.get("delete_order")
    call = ToolCall("delete_order", {"order_id": order_id}, "c1", tool=tool)
    for layer in (LESSON.confirm(ask), Approval(ScriptedApprover([]))):
        result = asyncio.run(LESSON.stack([layer])(call))
        assert not result.ok and result.status != "denied"


@pytest.mark.parametrize("letters", [LESSON.only_to, RecipientList])
def test_an_edited_address_meets_the_list_again(letters):
    """Part 10: the list stands inside the question, too."""

    async def redirect(question):
        return {"to": "eve@evil.example", "text": "Hi"}

    tool, only = LESSON.registry.get("send_email"), letters({"ana@example.org"})
    call = ToolCall("send_email", {"to": "ana@example.org", "text": "Hi"}, "c1", tool=tool)
    LESSON.outbox.clear()
    asking = LESSON.confirm_or_edit(redirect)
    assert asyncio.run(LESSON.stack([only, asking])(call)).ok  # outside alone it sees no edit
    assert asyncio.run(LESSON.stack([only, asking, only])(call)).status == "denied"
    assert len(LESSON.outbox) == 1


def test_a_refusal_may_be_raised_in_exercise_1():
    from agentlib import ToolCallError
    from agentlib.course.checking import judge
    from agentlib.course.exercises.lesson_06 import EXERCISES

    async def read_only(call, proceed):
        if call.tool.category == "data":
            return await proceed(call)
        raise ToolCallError(f"{call.name} is not allowed")

    assert judge(EXERCISES[0], read_only).status == "passed"
