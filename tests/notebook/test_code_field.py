"""The field for a second factor: typed by hand, in advance, or not at all."""

import asyncio

import IPython.display
import ipywidgets
import pytest

from agentlib.context import Context
from agentlib.notebook import asking, codes
from agentlib.notebook.codes import CodeField
from agentlib.results import ToolCall
from agentlib.tools import Tool

TOOL = Tool("delete_order", "Delete.", {"type": "object", "properties": {}}, lambda: None)


@pytest.fixture
def screen(monkeypatch):
    """A person whose screen keeps what was displayed, and what it was replaced with."""
    kept = []

    def display(thing, raw=False, display_id=""):
        if not display_id.endswith("-note"):
            kept.append(thing)

    monkeypatch.setattr(IPython.display, "display", display)
    monkeypatch.setattr(IPython.display, "update_display", display)
    monkeypatch.setattr(codes, "human_attached", lambda: True)
    monkeypatch.setattr(asking, "in_kernel_loop", lambda: True)
    monkeypatch.setattr(asking, "in_kernel", lambda: True)
    monkeypatch.setattr(asking, "_lock", asyncio.Lock())
    monkeypatch.setattr(codes, "SETTLE", 0)
    return kept


def ask(screen, code=None, button=None, **settings):
    async def work():
        settings.setdefault("arm_after", 0)
        field = CodeField(**settings)
        task = asyncio.create_task(field(ToolCall("delete_order"), TOOL, Context()))
        await asyncio.sleep(0.01)
        if button:
            text, *buttons = screen[0].children[1].children
            text.value = code
            next(b for b in buttons if b.description == button).click()
        return await task

    return asyncio.run(work())


@pytest.mark.parametrize(
    "code, button, given, left",
    [
        ("123456", "OK", "123456", "a code was given [decided by: click]"),
        ("123456", "Cancel", None, "no code was given [decided by: click]"),
    ],
)
def test_ok_gives_what_was_typed_and_the_screen_does_not_keep_it(screen, code, button, given, left):
    assert ask(screen, code, button) == given
    assert left in screen[-1]["text/plain"] and code not in str(screen[-1])
    assert isinstance(screen[0], ipywidgets.VBox) and screen[0].comm is None


def test_ok_on_an_empty_field_gives_no_code(screen):
    assert ask(screen, "  ", "OK") is None
    assert "no code was given [decided by: click]" in screen[-1]["text/plain"]


def test_a_timeout_gives_no_code(screen):
    assert ask(screen, timeout=0.05) is None
    assert "[decided by: timeout]" in screen[-1]["text/plain"]


def test_with_nobody_there_codes_come_from_the_list_then_none(screen, monkeypatch):
    monkeypatch.setattr(codes, "human_attached", lambda: False)
    field = CodeField(unattended=["123456"])

    def once():
        return asyncio.run(field(ToolCall("delete_order"), TOOL, Context()))

    assert [once(), once()] == ["123456", None]
    assert "[decided by: nobody]" in screen[-1]["text/plain"]


def test_a_code_that_is_no_list_is_refused_at_once():
    with pytest.raises(TypeError, match="list of codes"):
        CodeField(unattended="123456")
