"""Who answers when a tool asks first: a person, a script, or nobody, which means no.

An approver is `async (call, tool, context) -> Decision`. The one with buttons is in
`agentlib.notebook.buttons`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentlib.results import ToolCall

if TYPE_CHECKING:
    from agentlib.executor import Context
    from agentlib.tools import Tool

Approver = Callable[[ToolCall, "Tool", "Context"], Awaitable["Decision"]]
WORDS = ("allow", "deny", "session")


@dataclass(frozen=True)
class Decision:
    """An answer to "may this call run?".

    reason: the model reads it when the call is denied. remember: the same call of the same tool
    is not asked again in this session. arguments: the call runs with these instead of its own.
    by: click, typed, script, timeout, interrupt or nobody; the model never reads it.
    """

    allow: bool
    reason: str = ""
    remember: bool = False
    arguments: dict[str, Any] | None = None
    by: str = "script"

    @classmethod
    def from_word(cls, word: str | Decision, by: str = "script") -> Decision:
        """allow, deny, or session (allow for this session). ValueError: any other word."""
        if isinstance(word, Decision):
            return word
        plain = str(word).strip().lower()
        if plain not in WORDS:
            raise ValueError(f"answer {word!r}: an answer is one of {', '.join(WORDS)}.")
        return cls(plain != "deny", remember=plain == "session", by=by)


class ApproverError(RuntimeError):
    """A mistake in how the question was set up, for the program's author and not for the model."""


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """The arguments as the model wrote them, parsed; {} where they are no JSON object."""
    raw = call.arguments
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except ValueError:
            return {}
    return raw if isinstance(raw, dict) else {}


def question_for(tool: Tool, arguments: dict[str, Any]) -> str | None:
    """The question's text, or None when this call asks nothing.

    arguments: checked ones. Raises what the tool's own `confirm` function raises.
    """
    text = tool.confirm(**arguments) if callable(tool.confirm) else tool.confirm
    if text is True:
        return f"Run {tool.name}?"
    return str(text) if text else None


def question_text(call: ToolCall, tool: Tool) -> str:
    """What an approver shows; it is worked out anew, as it stands when the question is put."""
    from agentlib.executor import check_arguments

    return question_for(tool, check_arguments(tool, call)) or f"Run {tool.name}?"


class ScriptedApprover:
    """Answers from a list, for tests: words or Decisions. When the list runs out it denies.

    asked: the questions it was put, in order. ValueError: a word that is no answer.
    """

    def __init__(self, script: Iterable[str | Decision] = ()) -> None:
        self._answers = [Decision.from_word(word) for word in script]
        self.asked: list[str] = []

    async def __call__(self, call: ToolCall, tool: Tool, context: Context) -> Decision:
        self.asked.append(question_text(call, tool))
        if len(self.asked) > len(self._answers):
            return Decision(False, "the script of answers has run out", by="script")
        return self._answers[len(self.asked) - 1]


class DenyAll:
    """Says no to everything: the default where nobody can answer."""

    def __init__(self, reason: str = "this program has nobody who could allow it") -> None:
        self.reason = reason

    async def __call__(self, call: ToolCall, tool: Tool, context: Context) -> Decision:
        return Decision(False, self.reason, by="nobody")


def in_kernel() -> bool:
    """True in a notebook's kernel. IPython is not imported to find out."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    return getattr(shell, "kernel", None) is not None


def default_approver() -> Approver:
    """Buttons in a notebook, y/n in a terminal, else a no that names the mend."""
    if in_kernel():
        from agentlib.notebook.buttons import ButtonApprover

        return ButtonApprover()
    from agentlib.console import ConsoleApprover, has_terminal

    if has_terminal():
        return ConsoleApprover()
    return DenyAll(
        "there is no notebook and no terminal to ask in; the program can name who answers, "
        'as in standard_layers(approver=ScriptedApprover(["allow"]))'
    )


def __getattr__(name: str) -> Any:
    if name == "ConsoleApprover":
        from agentlib.console import ConsoleApprover

        return ConsoleApprover
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
