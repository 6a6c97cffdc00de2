"""The question in a terminal: y, n, s (for this session) or e (edit the arguments)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from unicodedata import category

from agentlib.approvers import Decision, arguments_of, question_text
from agentlib.errors import ToolCallError
from agentlib.results import ToolCall
from agentlib.waiting import wakeful

if TYPE_CHECKING:
    from agentlib.executor import Context
    from agentlib.tools import Tool

PROMPT = "Allow? [y]es, [n]o, yes for this [s]ession, [e]dit: "
TRIES = 3  # answers that are none of these, before it counts as a no
_reading = threading.Lock()  # one line at a time, also for questions of two event loops


def has_terminal() -> bool:
    """True when standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # a closed standard input
        return False


def visible(text: str) -> str:
    """The text with control and direction marks spelled out: what is shown is what will run."""
    return "".join(c if _plain(c) else ascii(c)[1:-1] for c in text)


def _plain(character: str) -> bool:
    return character.isprintable() or character in "\n\t" or category(character) == "Zs"


class ConsoleApprover:
    """Asks in the terminal; end of file, or no terminal, means no.

    read: what reads a line after a prompt (`input`); given one, no terminal is needed.
    """

    def __init__(self, read: Callable[[str], str] | None = None) -> None:
        self._read = read

    async def __call__(self, call: ToolCall, tool: Tool, context: Context) -> Decision:
        if self._read is None and not has_terminal():
            return Decision(False, "there is no terminal to ask in", by="nobody")
        arguments = json.dumps(arguments_of(call), ensure_ascii=False, indent=2)
        print(visible(f"\n{tool.name}: {question_text(call, tool)}\n{arguments}"))
        for _ in range(TRIES):
            line = await self._line(PROMPT)
            if line is None:
                return Decision(False, "the terminal was closed", by="nobody")
            answer = line.strip().lower()
            if answer in ("e", "edit"):
                decision = await self._edited(call, tool)
                if decision:
                    return decision
            elif answer in ("y", "yes", "s", "session"):
                return Decision(True, remember=answer[0] == "s", by="typed")
            elif answer in ("n", "no"):
                return Decision(False, by="typed")
        return Decision(False, "no clear answer was given", by="typed")

    async def _edited(self, call: ToolCall, tool: Tool) -> Decision | None:
        """A yes with the arguments typed as one line of JSON; None when they do not fit."""
        from agentlib.executor import check_arguments

        line = await self._line("New arguments, as one line of JSON: ")
        try:
            arguments = json.loads(line or "")
            check_arguments(tool, call.with_arguments(arguments))
        except (ValueError, ToolCallError) as error:
            print(f"Not taken: {error}")
            return None
        return Decision(True, arguments=arguments, by="typed")

    async def _line(self, prompt: str) -> str | None:
        """One line, read in a thread of its own so that the event loop stays alive; None at EOF."""
        loop, read = asyncio.get_running_loop(), self._read or input
        answer: asyncio.Future[str | None] = loop.create_future()

        def settle(line: str | None) -> None:
            if not answer.done():
                answer.set_result(line)

        def work() -> None:
            line = None
            with contextlib.suppress(EOFError, KeyboardInterrupt, OSError), _reading:
                line = read(prompt)
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
                loop.call_soon_threadsafe(settle, line)

        # a daemon: a thread that sits in input() must not keep an interrupted program alive
        threading.Thread(target=work, name="agentlib-question", daemon=True).start()
        async with wakeful():
            return await answer
