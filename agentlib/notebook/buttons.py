"""Ask the person at the notebook: buttons that are awaited, never blocked on."""

from __future__ import annotations

import contextvars
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentlib.approvers import Decision, arguments_of, question_text
from agentlib.console import visible
from agentlib.notebook.answers import Answers, answers, human_attached, scripted_answer
from agentlib.notebook.asking import put, show, turn, typed
from agentlib.notebook.question import Question, escaped
from agentlib.results import ToolCall

if TYPE_CHECKING:
    from agentlib.executor import Context
    from agentlib.tools import Tool

__all__ = ["ButtonApprover", "answers", "human_attached"]


class ButtonApprover:
    """Allow, Deny, Allow for this session, or edit the arguments, by click.

    unattended: the answers where no person is attached (nbclient, nbval); none of them: deny.
    timeout: seconds until an unanswered question is denied. arm_after: seconds until clicks count.
    ApproverError: a script that runs out, or a run that blocks instead of awaiting.
    """

    def __init__(
        self,
        *,
        unattended: Iterable[str | Decision] = (),
        timeout: float = 600.0,
        arm_after: float = 0.4,
    ) -> None:
        words = [unattended] if isinstance(unattended, str) else list(unattended)
        self._unattended = Answers(words, "unattended=") if words else None
        self.timeout, self.arm_after = timeout, arm_after

    async def __call__(self, call: ToolCall, tool: Tool, context: Context) -> Decision:
        decision = scripted_answer(self._unattended)
        if decision is not None:
            show(decided(call, question_text(call, tool), decision))
            return decision
        async with turn(tool.name) as why_not:
            text = question_text(call, tool)
            if why_not:
                return _by_input(call, text, why_not)
            here = contextvars.copy_context()  # a click has another: `Context.current()` is ours
            return await put(
                lambda: Question(call, lambda edited: here.run(question_text, edited, tool)),
                lambda decision: decided(call, text, decision),
                timeout=self.timeout,
                arm_after=self.arm_after,
            )


def decided(call: ToolCall, text: str, decision: Decision) -> dict[str, str]:
    """What stays on the screen: what was asked, what was decided and by whom."""
    verdict = "allowed" if decision.allow else "denied"
    if decision.allow and decision.remember:
        verdict += " for this session"
    if decision.arguments is not None:
        verdict += f" with {json.dumps(decision.arguments, ensure_ascii=False, default=repr)}"
    if not decision.allow and decision.reason:
        verdict += f" ({decision.reason})"
    mark = f"[decided by: {decision.by}]"
    color = "#2a8a4a" if decision.allow else "#c23b3b"
    markup = (
        f'<div style="border-left:4px solid {color};padding:2px 10px;margin:4px 0">'
        f"<code>{escaped(call.name)}</code> {escaped(text)}<br>"
        f'<b style="color:{color}">{escaped(verdict)}</b> '
        f'<span style="opacity:.7">{mark}</span></div>'
    )
    return {"text/html": markup, "text/plain": f"{call.name}: {text}\n{verdict} {mark}"}


def _by_input(call: ToolCall, text: str, why_not: str) -> Decision:
    """The question by `input()`; anything but y is a no."""
    arguments = json.dumps(arguments_of(call), ensure_ascii=False, indent=2)
    print(f"No buttons here, so please type. ({why_not})")
    print(visible(f"{call.name}: {text}\n{arguments}"))
    allowed = typed("Allow? [y/N] ").lower() in ("y", "yes")
    decision = Decision(allowed, by="typed")
    show(decided(call, text, decision))
    return decision
