"""Ask the person at the notebook: buttons that are awaited, never blocked on."""

from __future__ import annotations

import asyncio
import contextvars
import importlib.metadata
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agentlib.approvers import ApproverError, Decision, in_kernel, question_text
from agentlib.notebook.answers import Answers, answers, human_attached, scripted_answer
from agentlib.notebook.question import Question, escaped
from agentlib.results import ToolCall
from agentlib.waiting import wakeful

if TYPE_CHECKING:
    from agentlib.executor import Context
    from agentlib.tools import Tool

__all__ = ["ButtonApprover", "answers", "human_attached"]

KERNEL = (7, 4)  # the first ipykernel in which a click arrives while a cell awaits
_lock = asyncio.Lock()  # one question on the screen at a time, whoever asks


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
            _show(decided(call, question_text(call, tool), decision))
            return decision
        if not _in_kernel_loop():
            raise ApproverError(
                f"{tool.name} asks a person first, and a blocking run leaves no way for a click "
                "to arrive: use `await agent.run(...)` instead of `agent.run_sync(...)`."
            )
        async with _lock:
            why_not = no_buttons_because()
            if why_not:
                return _by_input(call, question_text(call, tool), why_not)
            return await self._by_click(call, tool)

    async def _by_click(self, call: ToolCall, tool: Tool) -> Decision:
        from IPython.display import display

        here = contextvars.copy_context()  # a click has another: `Context.current()` is ours
        text = question_text(call, tool)
        question = Question(call, lambda edited: here.run(question_text, edited, tool))
        shown = display(question.box, display_id=True)
        decision = Decision(False, by="interrupt")  # unless something better comes
        try:
            async with wakeful(), asyncio.timeout(self.timeout):
                decision = await question.answer(self.arm_after)
        except TimeoutError:
            decision = Decision(False, f"no answer within {self.timeout:g} s", by="timeout")
        finally:
            shown.update(decided(call, text, decision), raw=True)
            question.close()
        return decision


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


def _show(bundle: dict[str, str]) -> None:
    if not in_kernel():
        return
    from IPython.display import display

    display(bundle, raw=True)


def _in_kernel_loop() -> bool:
    """True on the event loop that the kernel's messages, and so the clicks, arrive on."""
    from IPython import get_ipython

    loop: Any = getattr(getattr(get_ipython().kernel, "io_loop", None), "asyncio_loop", None)
    return loop is None or loop is asyncio.get_running_loop()


def no_buttons_because() -> str | None:
    """Why buttons cannot work in this kernel, with the mend; None when they can."""
    try:
        import ipykernel
        import ipywidgets  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed: pip install {error.name}"
    version = importlib.metadata.version("ipykernel")
    if tuple(ipykernel.version_info[:2]) < KERNEL:
        return (
            f'ipykernel {version} gets no clicks while a cell waits: pip install "ipykernel>=7.4"'
        )
    return None


def _by_input(call: ToolCall, text: str, why_not: str) -> Decision:
    """The question by `input()`, which blocks the kernel; anything but y is a no."""
    print(f"No buttons here, so please type. ({why_not})\n{call.name}: {text}\n{call.arguments}")
    try:
        allowed = input("Allow? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        allowed = False
    except KeyboardInterrupt:
        raise asyncio.CancelledError from None
    decision = Decision(allowed, by="typed")
    _show(decided(call, text, decision))
    return decision
