"""The loop: ask the model, run the calls it wants, hand back the results, ask again."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agentlib.assembly import spoken
from agentlib.budget import not_run
from agentlib.errors import ErrorCategory
from agentlib.messages import normalize_messages
from agentlib.results import ToolCall, ToolResult, new_call_id
from agentlib.trace import Event, Trace

if TYPE_CHECKING:
    from agentlib.agent import Agent

Message = dict[str, Any]


@dataclass
class Run:
    """The record of one run.

    text: the answer, or the plain reason why there is none. stopped: "answer", "max_steps",
    "budget", "loop", "error" or "" while it runs. steps: model turns. usage: tokens, added up.
    """

    task: str | None
    text: str = ""
    calls: list[ToolResult] = field(default_factory=list)
    steps: int = 0
    stopped: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    error: Exception | None = None

    @property
    def truncated(self) -> bool:
        """True when the run was ended before the model was done."""
        return self.stopped not in ("answer", "")

    def add_usage(self, usage: dict[str, Any] | None) -> None:
        for key in ("prompt_tokens", "completion_tokens", "total_tokens"):
            self.usage[key] = self.usage.get(key, 0) + int((usage or {}).get(key) or 0)


class Session:
    """The agent's loop, one event at a time.

    Phases: ask (make the request), send, take (the reply into the history), execute, collect
    (the results into the history), then ask again. An event handed out may be edited before the
    next `step()`: the session goes on with what it then holds.
    """

    def __init__(self, agent: Agent, task: str | None) -> None:
        if task is None and not agent.messages:
            raise ValueError("there is nothing to go on with yet: give a task.")
        self.agent, self.run = agent, Run(task)
        self.on_text: Any = None
        self.phase = "begin"
        self.current: list[Event] = []  # what the last phase produced
        self.ready: list[Event] = []  # of these, what has not been handed out
        self._began = time.perf_counter()
        self._budget_began = agent.budget.clock()

    @property
    def done(self) -> bool:
        return self.phase == "done" and not self.ready

    @property
    def messages(self) -> list[Message]:
        return self.agent.messages

    def event(self, kind: str, **data: Any) -> Event:
        """A new event of this run, stamped with its step and time."""
        return Event(kind, self.run.steps, time.perf_counter() - self._began, **data)

    async def step(self) -> Event:
        """The next event. RuntimeError: the run has ended."""
        if self.done:
            raise RuntimeError("the run has ended; start another with agent.start(task).")
        while not self.ready:
            self.current = await getattr(self, f"_{self.phase}")()
            self.ready = list(self.current)
        event = self.ready.pop(0)
        self.run.trace.append(event)
        return event

    async def _begin(self) -> list[Event]:
        self.phase = "ask"
        if self.run.task is None:
            return []
        self.messages.append({"role": "user", "content": self.run.task})
        return [self.event("task", text=self.run.task)]

    async def _ask(self) -> list[Event]:
        agent = self.agent
        if why := agent.budget.exceeded(self.run, self._budget_began):
            return self._end("budget", f"Stopped without an answer: {why}.")
        if self.run.steps >= agent.max_steps:
            return self._end(
                "max_steps", f"Stopped after {self.run.steps} steps without an answer."
            )
        messages = normalize_messages(self.messages, profile=agent.profile)
        request = {"model": agent.model, "messages": messages, **agent.options}
        if len(agent.tools):
            request["tools"] = agent.tools.schemas()
        self.phase = "send"
        self.run.steps += 1
        return [self.event("request", request=request)]

    async def _send(self) -> list[Event]:
        from openai import OpenAIError

        from agentlib.model import explain
        from agentlib.wire import send

        event = self.event("reply")
        began = time.perf_counter()
        try:
            reply = await send(self.agent.client, self.current[0].request, self.on_text)
        except OpenAIError as error:
            self.run.error = error
            return self._end("error", explain(error))
        event.duration = time.perf_counter() - began
        event.message, event.usage, event.text = reply.message, reply.usage, reply.finish_reason
        self.run.add_usage(reply.usage)
        self.phase = "take"
        return [event]

    async def _take(self) -> list[Event]:
        """The reply goes into the history before anything is done about it."""
        reply = self.current[0]
        message = with_call_ids(reply.message or {})
        self.messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            return self._end("answer", spoken(message))
        self.phase = "execute"
        cut = reply.text == "length"
        return [self.event("call", call=ToolCall.from_wire(c, cut_off=cut)) for c in calls]

    async def _execute(self) -> list[Event]:
        context = replace(self.agent.executor.context, run=self.run.id)
        calls = [event.call for event in self.current]
        events = [self.event("result") for _ in calls]  # made now: they tell when the calls began
        why = self.agent.budget.exceeded(self.run, self._budget_began, wanted=len(calls))
        if why:
            results = [not_run(call, why) for call in calls]
        else:
            results = await self.agent.executor.execute_all(calls, context=context)
        for event, result in zip(events, results, strict=True):
            event.result, event.duration = result, result.duration
        self.phase = "collect"
        return events

    async def _collect(self) -> list[Event]:
        """Exactly one tool message per call, in call order."""
        results = [event.result for event in self.current]
        self.run.calls += results
        self.messages.extend(r.message() for r in results)
        self.phase = "ask"
        for error in (r.error for r in results):
            if error and error.category is ErrorCategory.LOOP and not error.recoverable:
                return self._end("loop", f"Stopped: {error.message}")
        return []

    def snapshot(self) -> dict[str, Any]:
        """Where the run stands, for `restore`; what tools did outside cannot be taken back."""
        run = replace(self.run, calls=list(self.run.calls), usage=dict(self.run.usage))
        run.trace = Trace(self.run.trace)
        current = [replace(e) for e in self.current]
        state = {"messages": list(self.messages), "phase": self.phase, "run": run}
        return state | {"current": current, "left": len(self.ready)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a snapshot; `run` and `agent.messages` stay the same objects."""
        run = replace(state["run"], calls=list(state["run"].calls), usage=dict(state["run"].usage))
        vars(self.run).update(vars(run), trace=Trace(state["run"].trace))
        self.messages[:] = state["messages"]
        self.phase, self.current = state["phase"], [replace(e) for e in state["current"]]
        self.ready = self.current[len(self.current) - state["left"] :]

    def _end(self, stopped: str, text: str) -> list[Event]:
        self.phase, self.run.stopped, self.run.text = "done", stopped, text
        return [self.event("end", text=text)]


def with_call_ids(message: Message) -> Message:
    """The message with an id on every call: some servers leave ids out, a result needs one."""
    calls = message.get("tool_calls") or []
    if all(c.get("id") for c in calls):
        return message
    return {**message, "tool_calls": [{**c, "id": c.get("id") or new_call_id()} for c in calls]}
