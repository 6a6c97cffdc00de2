"""ButtonApprover without a browser: clicks made by hand, timeouts, interrupts, old kernels."""

import asyncio

import ipykernel
import IPython.display
import ipywidgets
import pytest

from agentlib.approvers import ApproverError, Decision
from agentlib.context import Context
from agentlib.notebook import answers, asking, question
from agentlib.notebook.buttons import ButtonApprover
from agentlib.results import ToolCall
from agentlib.tools import Tool

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
TOOL = Tool("write", "Write.", SCHEMA, lambda path: path, confirm=lambda path: f"Write {path}?")


class Screen:
    """What is displayed: widgets while a question is open, then what they were replaced with."""

    def __init__(self) -> None:
        self.boxes, self.updates, self.shown = [], [], []

    def display(self, thing, raw=False, display_id=""):
        (self.shown if raw else self.boxes).append(thing)

    def update(self, bundle, raw, display_id):
        self.updates.append(bundle)

    def widgets(self, kind=ipywidgets.Button):
        def below(box):
            return [box, *(w for child in getattr(box, "children", ()) for w in below(child))]

        return [w for w in below(self.boxes[-1]) if isinstance(w, kind)]

    def button(self, label):
        return next(b for b in self.widgets() if b.description == label)


@pytest.fixture
def screen(monkeypatch):
    """A person at a notebook whose screen is a list."""
    screen = Screen()
    monkeypatch.setattr(IPython.display, "display", screen.display)
    monkeypatch.setattr(IPython.display, "update_display", screen.update)
    monkeypatch.setattr(answers, "human_attached", lambda: True)
    monkeypatch.setattr(asking, "in_kernel_loop", lambda: True)
    monkeypatch.setattr(asking, "in_kernel", lambda: True)
    monkeypatch.setattr(asking, "_lock", asyncio.Lock())
    monkeypatch.setattr(question, "SETTLE", 0)
    return screen


async def shown(screen, task, arm_after=0, number=1) -> None:
    """Wait until the question is on the screen and, when they arm at once, its buttons count."""
    async with asyncio.timeout(30):
        while not task.done():
            if len(screen.boxes) >= number and (arm_after or not screen.button("Allow").disabled):
                return
            await asyncio.sleep(0.005)


def ask(screen, act, path="a.txt", **settings) -> Decision:
    """Put one question, let `act` do something when it is there, return the decision."""

    async def work():
        settings.setdefault("arm_after", 0)
        approver = ButtonApprover(**settings)
        task = asyncio.create_task(approver(ToolCall("write", {"path": path}), TOOL, Context()))
        await shown(screen, task, settings["arm_after"])
        await act()
        return await task

    return asyncio.run(work())


def click(screen, *labels):
    async def act():
        for label in labels:
            screen.button(label).click()

    return act


@pytest.mark.parametrize(
    "label, decision",
    [
        ("Allow", Decision(True, by="click")),
        ("Deny", Decision(False, by="click")),
        ("Allow for this session", Decision(True, remember=True, by="click")),
    ],
)
def test_a_click_decides_and_text_replaces_the_buttons(screen, label, decision):
    assert ask(screen, click(screen, label)) == decision
    left, note = screen.updates
    assert "Run this cell again" in screen.shown[0]["text/plain"] and note["text/html"] == ""
    assert "[decided by: click]" in left["text/plain"] and "Write a.txt?" in left["text/html"]
    assert all(w.comm is None for w in screen.widgets(ipywidgets.Widget))


def test_the_first_click_wins(screen):
    async def both():
        buttons_now = [screen.button("Deny"), screen.button("Allow")]
        for button in buttons_now:
            button.click()

    assert not ask(screen, both).allow


def test_a_click_from_another_thread_counts(screen):
    async def act():
        await asyncio.to_thread(screen.button("Allow").click)

    assert ask(screen, act).allow


def test_clicks_before_the_buttons_arm_do_not_count(screen):
    assert ButtonApprover().arm_after == 0.4

    async def early():
        assert all(b.disabled for b in screen.widgets())
        screen.button("Allow").click()

    decision = ask(screen, early, arm_after=60, timeout=0.2)
    assert (decision.allow, decision.by) == (False, "timeout")


def test_two_questions_come_one_after_the_other(screen):
    async def work():
        approver = ButtonApprover(arm_after=0)
        calls = [ToolCall("write", {"path": p}) for p in "ab"]
        tasks = [asyncio.create_task(approver(c, TOOL, Context())) for c in calls]
        decisions = []
        for number in (1, 2):
            await shown(screen, tasks[number - 1], number=number)
            assert len(screen.boxes) == number
            screen.button("Allow" if number == 1 else "Deny").click()
            decisions.append(await tasks[number - 1])
        return [d.allow for d in decisions]

    assert asyncio.run(work()) == [True, False]


async def nothing():
    pass


def test_a_timeout_denies_and_says_so(screen):
    decision = ask(screen, nothing, timeout=0.05)
    assert decision == Decision(False, "no answer within 0.05 s", by="timeout")
    assert "[decided by: timeout]" in screen.updates[0]["text/plain"]


def test_an_interrupt_denies_on_the_screen_and_goes_on_upwards(screen):
    async def interrupt():
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    with pytest.raises(asyncio.CancelledError):
        ask(screen, interrupt)
    assert "denied [decided by: interrupt]" in screen.updates[0]["text/plain"]
    assert all(w.comm is None for w in screen.widgets(ipywidgets.Widget))


def edit(screen, text, then):
    async def act():
        screen.button("Edit arguments").click()
        screen.widgets(ipywidgets.Textarea)[0].value = text
        screen.button("Use these arguments").click()
        await asyncio.sleep(0.01)
        await then()

    return act


def test_edited_arguments_are_shown_before_they_can_be_allowed(screen):
    decision = ask(screen, edit(screen, '{"path": "b.txt"}', click(screen, "Allow")))
    assert decision == Decision(True, arguments={"path": "b.txt"}, by="click")
    assert '"b.txt"' in screen.updates[0]["text/plain"]


@pytest.mark.parametrize(
    "text, fault", [("{", "not JSON"), ('{"file": 1}', "file"), ("[1]", "write")]
)
def test_arguments_that_do_not_fit_are_not_taken(screen, text, fault):
    async def look():
        assert any(fault in w.value for w in screen.widgets(ipywidgets.HTML))
        screen.button("Cancel").click()
        screen.button("Allow").click()

    assert ask(screen, edit(screen, text, look)) == Decision(True, by="click")


def test_what_the_model_wrote_is_shown_as_text(screen):
    bad = "<img src=x onerror=alert(1)>\u202e"
    ask(screen, click(screen, "Allow"), path=bad)
    pages = [w.value for w in screen.widgets(ipywidgets.HTML)] + [screen.updates[0]["text/html"]]
    assert all("<img" not in page and "\u202e" not in page for page in pages)
    assert any("&lt;img" in page and "\\u202e" in page for page in pages)


def test_a_scripted_answer_shows_one_text_and_no_widget(screen, monkeypatch):
    monkeypatch.setattr(answers, "human_attached", lambda: False)
    decision = ask(screen, nothing, unattended=("deny",))
    assert (decision.allow, decision.by) == (False, "script")
    assert screen.boxes == [] and screen.updates == []
    assert [s["text/plain"] for s in screen.shown] == [
        "write: Write a.txt?\ndenied [decided by: script]"
    ]


def test_a_blocking_run_is_refused_with_what_to_write_instead(screen, monkeypatch):
    monkeypatch.setattr(asking, "in_kernel_loop", lambda: False)
    with pytest.raises(ApproverError, match=r"await agent.run\(...\)"):
        ask(screen, nothing)


@pytest.mark.parametrize(
    "typed, allow", [("y", True), ("yes", True), ("", False), ("n", False), (EOFError, False)]
)
def test_an_old_kernel_gets_a_typed_question_that_says_why(
    screen, monkeypatch, capsys, typed, allow
):
    def read(prompt):
        if typed is EOFError:
            raise EOFError
        return typed

    monkeypatch.setattr(ipykernel, "version_info", (7, 3, 0))
    monkeypatch.setattr("builtins.input", read)
    decision = ask(screen, nothing)
    assert (decision.allow, decision.by) == (allow, "typed")
    assert 'pip install "ipykernel>=7.4"' in capsys.readouterr().out
