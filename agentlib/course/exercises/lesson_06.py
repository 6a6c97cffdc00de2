"""Exercises of lesson 06: a layer that refuses, an approver with patience."""

import asyncio
from collections.abc import AsyncIterator

from agentlib.course.exercise import Exercise, Seen


async def _judge_read_only(read_only) -> AsyncIterator[Seen]:
    from agentlib import Tool, ToolCall, ToolCallError, ToolResult

    ran: list[str] = []

    async def proceed(call):
        ran.append(call.name)
        return ToolResult.success(call, "done")

    for name, category, runs in [
        ("look", "data", True),
        ("wipe", "action", False),
        ("find", "search", False),
        ("data", "utility", False),
    ]:
        tool = Tool(name, "A tool.", {"type": "object"}, print, category=category)
        ran.clear()
        call = ToolCall(name, "{}", "c1", tool=tool)
        try:
            result = await read_only(call, proceed)
        except ToolCallError as error:  # a layer may raise it: the executor makes a result of it
            result = ToolResult.failure(call, error)
        yield f"a tool of category {category!r}: what ran", [name] if runs else [], list(ran)
        kind = "a ToolResult" if isinstance(result, ToolResult) else result
        yield f"category {category!r}: what your layer returned", "a ToolResult", kind
        yield f"category {category!r}: result.ok", runs, result.ok
        yield f"category {category!r}: answers the call", "c1", result.call_id
        if runs:
            yield f"category {category!r}: the tool's own result", "done", result.content
        else:
            yield f"category {category!r}: the text names {name!r}", True, name in result.content


async def _judge_patient(patient) -> AsyncIterator[Seen]:
    asked: list[str] = []

    async def quick(question):
        asked.append(question)
        await asyncio.sleep(0)
        return "session"

    async def silent(question):
        await asyncio.get_running_loop().create_future()

    yield "a quick answer is passed on", "session", await patient(quick, 0.5)("Delete?")
    yield "the question is passed on", ["Delete?"], list(asked)
    yield "nobody answers", "deny", await asyncio.wait_for(patient(silent, 0.02)("Delete?"), 2)
    yield "asked again afterwards", "session", await patient(quick, 0.5)("Delete?")


EXERCISES = [
    Exercise(
        id="6.1",
        title="A layer that lets only reading tools run",
        setup="from agentlib import ToolCallError, ToolResult",
        stub="""
async def read_only(call, proceed):
    ...
""",
        judge=_judge_read_only,
        hints=[
            'Two ways out: `return await proceed(call)` when call.tool.category is "data", and '
            "a ToolResult.failure otherwise.",
            'A failure is made of the call and an error: ToolResult.failure(call, ToolCallError("'
            '...")). An f-string puts call.name into the text.',
        ],
        solution="""
async def read_only(call, proceed):
    if call.tool and call.tool.category == "data":
        return await proceed(call)
    error = ToolCallError(f"{call.name} is not allowed: this agent only reads.")
    return ToolResult.failure(call, error)
""",
        wrong=[
            "async def read_only(call, proceed):\n    return await proceed(call)",
            "async def read_only(call, proceed):\n"
            "    result = await proceed(call)\n"
            "    if call.tool.category == 'data':\n        return result\n"
            "    return ToolResult.failure(call, ToolCallError(f'{call.name}: no'))",
            "async def read_only(call, proceed):\n"
            "    if call.tool.category != 'action':\n        return await proceed(call)\n"
            "    return ToolResult.failure(call, ToolCallError(f'{call.name}: no'))",
            "async def read_only(call, proceed):\n"
            "    if call.tool.category == 'data':\n        return await proceed(call)\n"
            "    return f'{call.name} is not allowed'",
        ],
    ),
    Exercise(
        id="6.2",
        title="An approver with patience, but not for ever",
        setup="import asyncio",
        stub="""
def patient(ask, seconds):
    ...
""",
        judge=_judge_patient,
        hints=[
            "It has the form of `scripted`: an `async def asking(question)` inside, which is "
            "returned. asyncio.wait_for(awaitable, seconds) waits so long and no longer.",
            'wait_for raises TimeoutError when the time is up: catch it and return "deny".',
        ],
        solution="""
def patient(ask, seconds):
    async def asking(question):
        try:
            return await asyncio.wait_for(ask(question), seconds)
        except TimeoutError:
            return "deny"
    return asking
""",
        wrong=[
            "def patient(ask, seconds):\n    return ask",
            "def patient(ask, seconds):\n"
            "    async def asking(question):\n"
            "        await asyncio.sleep(seconds)\n        return 'deny'\n"
            "    return asking",
            "def patient(ask, seconds):\n"
            "    async def asking(question):\n"
            "        return await asyncio.wait_for(ask(question), seconds)\n"
            "    return asking",
        ],
    ),
]
