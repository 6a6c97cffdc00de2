"""The agent: a model, tools, a history, and the ways to run them; the loop is in session.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from agentlib.blocking import run_blocking
from agentlib.budget import Budget
from agentlib.context import Context
from agentlib.executor import Executor, Layer
from agentlib.registry import ToolRegistry
from agentlib.session import Message, Run, Session
from agentlib.trace import Event


class Agent:
    """A model, tools and a history. `messages` is kept between runs and may be edited.

    client: `OpenAI` or `AsyncOpenAI`. tools: a registry or functions. layers: None for the
    standard stack. options: further fields of the request, such as temperature or tool_choice.
    max_steps, budget: what one run may use; see Run.stopped for how it then ends.
    """

    def __init__(
        self,
        client: Any,
        model: str,
        tools: ToolRegistry | Iterable[Any] = (),
        system: str | None = None,
        max_steps: int = 10,
        layers: Sequence[Layer] | None = None,
        context: Context | None = None,
        options: dict[str, Any] | None = None,
        profile: str = "openai",
        budget: Budget | None = None,
    ) -> None:
        if not isinstance(max_steps, int) or max_steps < 1:
            raise ValueError(f"max_steps must be a whole number of at least 1, got {max_steps!r}.")
        if layers is None:
            from agentlib.layers import standard_layers

            layers = standard_layers()
        self.client, self.model, self.system = client, model, system
        self.executor = Executor(tools, layers=layers, context=context)
        self.max_steps, self.budget = max_steps, budget or Budget()
        self.options, self.profile = dict(options or {}), profile
        self.messages: list[Message] = []
        self.reset()

    @property
    def tools(self) -> ToolRegistry:
        return self.executor.registry

    def reset(self) -> None:
        """Forget the conversation; the system text and the tools stay."""
        self.messages[:] = [{"role": "system", "content": self.system}] if self.system else []

    def start(self, task: str | None = None) -> Session:
        """A run to be taken one event at a time. Without a task it goes on where the last ended."""
        return Session(self, task)

    async def run(self, task: str | None = None) -> Run:
        """Work on `task` until the model answers, the steps run out, or the run has to end."""
        session = self.start(task)
        while not session.done:
            await session.step()
        return session.run

    def run_sync(self, task: str | None = None) -> Run:
        """`run` for plain code. Inside a notebook, a question needs `await agent.run(...)`."""
        return run_blocking(lambda: self.run(task))

    async def stream(self, task: str | None = None) -> AsyncIterator[Event]:
        """The run's events as they happen, the answer's text in pieces (kind "delta")."""
        session = self.start(task)
        pieces: asyncio.Queue[str] = asyncio.Queue()
        session.on_text = pieces.put_nowait
        while not session.done:
            step = asyncio.ensure_future(session.step())
            try:
                async for text in _until_done(pieces, step):
                    yield session.event("delta", text=text)
                yield await step
            finally:
                step.cancel()


async def _until_done(pieces: asyncio.Queue[str], step: asyncio.Future[Any]) -> AsyncIterator[str]:
    while not (step.done() and pieces.empty()):
        piece = asyncio.ensure_future(pieces.get())
        await asyncio.wait({piece, step}, return_when=asyncio.FIRST_COMPLETED)
        if piece.done():
            yield piece.result()
        else:
            piece.cancel()
            if pieces.empty():
                return


__all__ = ["Agent", "Run", "Session"]
