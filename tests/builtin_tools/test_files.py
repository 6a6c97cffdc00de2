"""list_dir, read_file, write_file, edit_file: through the executor, in a workspace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentlib import Context, Executor, ToolCall, ToolRegistry, default_registry
from agentlib.builtin_tools import BUILTIN_TOOLS, builtin_tools, list_dir, read_file, write_file
from agentlib.errors import ToolCallError
from agentlib.results import ToolResult

TABLE = {  # name: parameters
    "list_dir": ["path"],
    "read_file": ["path"],
    "write_file": ["path", "content"],
    "run_shell": ["command"],
    "fetch_url": ["url"],
    "get_weather": ["city"],
    "get_current_time": [],
    "edit_file": ["path", "old_text", "new_text"],
}


class Room:
    """An executor whose calls run in a workspace of their own."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        context = Context(workspace=workspace)
        self.executor = Executor(ToolRegistry(builtin_tools()), context=context)

    def call(self, name: str, **arguments: object) -> ToolResult:
        return self.executor.execute_sync(ToolCall(name, json.dumps(arguments)))

    def ask(self, name: str, **arguments: object) -> str | None:
        """The question that the tool would put, asked in the call's context."""
        from agentlib.context import current_context

        token = current_context.set(self.executor.context)
        try:
            return self.executor.registry.get(name).confirm(**arguments)
        finally:
            current_context.reset(token)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    workspace = tmp_path / "ws"
    (workspace / "sub").mkdir(parents=True)
    (workspace / "a.txt").write_text("one two two", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret")
    return Room(workspace)


def test_the_table() -> None:
    tools = {tool.name: tool for tool in BUILTIN_TOOLS}
    assert list(tools) == list(TABLE)
    for name, parameters in TABLE.items():
        schema = tools[name].parameters
        assert list(schema["properties"]) == schema["required"] == parameters
        assert len(tools[name].description) > 80
        assert all(p.get("description") for p in schema["properties"].values())
        asks = name in ("write_file", "run_shell", "edit_file")
        assert bool(tools[name].confirm) is asks
        assert tools[name].repeatable is not asks
        assert not tools[name].permissions


def test_importing_registers_nothing() -> None:
    assert not set(default_registry.names()) & set(TABLE)


def test_each_call_gives_fresh_tools() -> None:
    """Replacing a tool in one registry must not reach another."""
    first, second = ToolRegistry(builtin_tools()), ToolRegistry(builtin_tools())
    first.register(second.get("read_file"), replace=True)
    assert second.get("read_file") is first.get("read_file")
    assert builtin_tools()[1].latest is not first.get("read_file")


def test_plain_functions_use_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_file("x/y.txt", "hello")
    assert read_file("x/y.txt") == "hello"
    assert list_dir("x") == "y.txt"


def test_list_dir_marks_folders_and_sorts(room: Room) -> None:
    (room.workspace / "Z").write_text("")
    assert room.call("list_dir", path=".").content == "Z\na.txt\nsub/"
    assert room.call("list_dir", path="sub").content == "(empty folder)"


def test_list_dir_is_cut_at_8000_characters(room: Room) -> None:
    for number in range(500):
        (room.workspace / "sub" / f"{number:030}").write_text("")
    text = room.call("list_dir", path="sub").content
    assert text.endswith("\n[truncated: first 8,000 of 15,499 characters]")
    assert len(text.rpartition("\n[")[0]) == 8_000


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_list_dir_shows_a_link_but_does_not_follow_it(room: Room) -> None:
    (room.workspace / "link").symlink_to("..")
    assert "link\n" in room.call("list_dir", path=".").content
    assert "link" in room.call("list_dir", path="link").error.message
    assert not room.call("list_dir", path="link").ok


@pytest.mark.parametrize("text", ["", "é中文\n", "a\r\nb\n", "x" * 49_000, "\ufeffbom", "a\tb"])
def test_what_is_written_is_read_exactly(room: Room, text: str) -> None:
    assert room.call("write_file", path="t/x.txt", content=text).ok
    assert room.call("read_file", path="t/x.txt").value == text


def test_read_file_is_not_cut_by_the_tool(room: Room) -> None:
    (room.workspace / "big").write_text("x" * 60_000)
    result = room.call("read_file", path="big")
    assert len(result.value) == 60_000  # the executor cuts what the model reads
    assert result.content.endswith("[truncated: first 50,000 of 60,000 characters]")


def test_read_file_says_what_is_no_text(room: Room) -> None:
    (room.workspace / "b").write_bytes(b"abc\xff")
    assert "no UTF-8 text (byte 0xff at 3)" in room.call("read_file", path="b").content


@pytest.mark.parametrize(
    "name, more",
    [
        ("list_dir", {}),
        ("read_file", {}),
        ("write_file", {"content": "x"}),
        ("edit_file", {"old_text": "secret", "new_text": "x"}),
    ],
)
@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "~/x", "a\0b", "C:\\x", "..", "link", "link/secret.txt"],
)
def test_no_way_out(room: Room, name: str, more: dict, path: str) -> None:
    if os.name != "nt":
        (room.workspace / "link").symlink_to(room.workspace.parent)
    result = room.call(name, path=path, **more)
    assert not result.ok and "path" in result.content
    assert (room.workspace.parent / "secret.txt").read_text() == "secret"


def test_a_wrong_name_says_so(room: Room) -> None:
    assert "FileNotFoundError" in room.call("read_file", path="b.txt").content
    assert "b.txt" in room.call("read_file", path="b.txt").content
    assert "IsADirectoryError" in room.call("read_file", path="sub").content


def test_edit_file_replaces_once(room: Room) -> None:
    assert room.call("edit_file", path="a.txt", old_text="one ", new_text="1 ").ok
    assert (room.workspace / "a.txt").read_text() == "1 two two"
    assert room.call("edit_file", path="a.txt", old_text="1 two", new_text="").ok
    assert (room.workspace / "a.txt").read_text() == " two"


@pytest.mark.parametrize(
    "old, why",
    [("three", "was not found"), ("two", "occurs 2 times"), ("", "is empty"), ("One", "not found")],
)
def test_edit_file_changes_nothing_when_unsure(room: Room, old: str, why: str) -> None:
    result = room.call("edit_file", path="a.txt", old_text=old, new_text="x")
    assert not result.ok and why in result.content
    assert (room.workspace / "a.txt").read_text() == "one two two"


def test_edit_file_sees_overlapping_passages(room: Room) -> None:
    (room.workspace / "a.txt").write_text("aaa")
    assert (
        "occurs 2 times"
        in room.call("edit_file", path="a.txt", old_text="aa", new_text="b").content
    )


def test_the_question_of_write_file(room: Room) -> None:
    assert room.ask("write_file", path="new.txt", content="12345") == (
        "Write 5 characters to new.txt?"
    )
    assert room.ask("write_file", path="a.txt", content="x" * 2_000) == (
        "Write 2,000 characters to a.txt? This replaces the existing file (11 bytes)."
    )


def test_the_question_shows_what_would_be_invisible(room: Room) -> None:
    asked = room.ask("edit_file", path="a.txt", old_text="a\u202eb\x1b", new_text="new\nline")
    assert "a\\u202eb\\x1b" in asked and "new\nline" in asked and "a.txt" in asked


def test_nobody_is_asked_about_a_path_that_is_refused(room: Room) -> None:
    for name, more in (
        ("write_file", {"content": ""}),
        ("edit_file", {"old_text": "", "new_text": ""}),
    ):
        with pytest.raises(ToolCallError, match="outside the workspace"):
            room.ask(name, path="../x", **more)
