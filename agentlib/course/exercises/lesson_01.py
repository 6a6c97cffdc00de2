"""Exercises of lesson 01: the two messages of a call, and what is still unanswered."""

from agentlib.course.exercise import Case, Exercise


def _assistant(*ids: str) -> dict:
    function = {"name": "read_file", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": function} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _tool(call_id: str) -> dict:
    return {"role": "tool", "tool_call_id": call_id, "content": "text"}


_USER = {"role": "user", "content": "hello"}
_TEXT = {"role": "assistant", "content": "hello"}

EXERCISES = [
    Exercise(
        id="1.1",
        title="The message that answers a call",
        stub="""
def tool_message(call_id, text):
    ...
""",
        cases=[
            Case(args=("call_7", "milk"), expected=_tool("call_7") | {"content": "milk"}),
            Case(args=("a", ""), expected=_tool("a") | {"content": ""}),
        ],
        hints=[
            "It is a dict with three keys. You wrote one in part 5 of the lesson.",
            "The keys are role, tool_call_id and content. The role is always the same.",
        ],
        solution="""
def tool_message(call_id, text):
    return {"role": "tool", "tool_call_id": call_id, "content": text}
""",
        wrong=[
            'def tool_message(call_id, text):\n    return {"role": "tool", "content": text}',
            "def tool_message(call_id, text):\n"
            '    return {"role": "user", "tool_call_id": call_id, "content": text}',
        ],
    ),
    Exercise(
        id="1.2",
        title="Calls without a result",
        stub="""
def unanswered(history):
    ...
""",
        cases=[
            Case(args=([_USER, _TEXT],), expected=[]),
            Case(args=([_USER, _assistant("a", "b"), _tool("b")],), expected=["a"]),
            Case(args=([_USER, _assistant("a"), _tool("a")],), expected=[]),
            Case(
                args=([_USER, _assistant("a"), _tool("a"), _assistant("b", "c")],),
                expected=["b", "c"],
            ),
        ],
        hints=[
            "First collect the ids that tool messages answer. Then look at every call's id.",
            'Not every message has calls: message.get("tool_calls") or [] gives a list always.',
        ],
        solution="""
def unanswered(history):
    answered = {m["tool_call_id"] for m in history if m["role"] == "tool"}
    calls = [c for m in history for c in m.get("tool_calls") or []]
    return [c["id"] for c in calls if c["id"] not in answered]
""",
        wrong=[
            'def unanswered(history):\n    return [c["id"] for c in history[-1].get("tool_calls", [])]',
            "def unanswered(history):\n    return []",
        ],
    ),
]
