"""Exercises of lesson 08: null content, a trim that keeps the system message, unique ids."""

import copy
from collections.abc import Iterator
from typing import Any

from agentlib.course.exercise import Case, Exercise, Seen

TURNS = """
def call_ids(message):
    return [call["id"] for call in message.get("tool_calls") or []]

def turns_of(messages):
    turns = []
    for message in messages:
        if message["role"] == "tool" and turns:
            turns[-1].append(message)
        else:
            turns.append([message])
    return turns

def trim(messages, most):
    kept = []
    for turn in reversed(turns_of(messages)):
        if len(kept) + len(turn) > most:
            break
        kept = turn + kept
    return kept
"""
SYSTEM = {"role": "system", "content": "Be brief."}
GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "go on"}


def _calling(*ids: str, content: str | None = None) -> dict[str, Any]:
    function = {"name": "read_file", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": dict(function)} for i in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def _result(call_id: str, content: str | None = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def _judged(answer: Any, what: str, given: list, expected: list) -> Iterator[Seen]:
    before = copy.deepcopy(given)
    got = answer(given)
    yield what, *_first_difference(expected, got)
    yield f"{what}: the list it was given, afterwards", before, given
    yield f"{what}: applied twice", expected, answer(answer(given))


def _first_difference(expected: list, got: Any) -> tuple[Any, Any]:
    """The first two messages that differ; the lists where one is longer, or is no list."""
    if isinstance(got, list) and len(got) == len(expected):
        for pair in zip(expected, got, strict=True):
            if pair[0] != pair[1]:
                return pair
    return expected, got


def _judge_null(never_null: Any) -> Iterator[Seen]:
    for what, given, expected in [
        ("nothing to do", [GO, _result("a")], [GO, _result("a")]),
        ("null beside calls", [GO, _calling("a")], [GO, _calling("a", content="")]),
        ("text beside calls", [_calling("a", content="Let me look.")],
         [_calling("a", content="Let me look.")]),
        ("a null result", [_calling("a"), _result("a", None)],
         [_calling("a", content=""), _result("a", "")]),
    ]:  # fmt: skip
        yield from _judged(never_null, what, given, expected)


def _judge_ids(unique_ids: Any) -> Iterator[Seen]:
    a, b = "call_0", "call_1"
    again, third = "call_0_2", "call_0_3"
    for what, given, expected in [
        ("unique already", [GO, _calling(a, b), _result(a), _result(b)],
         [GO, _calling(a, b), _result(a), _result(b)]),
        ("the same id in two turns", [_calling(a), _result(a, "1"), ON, _calling(a), _result(a)],
         [_calling(a), _result(a, "1"), ON, _calling(again), _result(again)]),
        ("in three turns", [_calling(a), _result(a), _calling(a), _result(a), _calling(a),
                            _result(a)],
         [_calling(a), _result(a), _calling(again), _result(again), _calling(third),
          _result(third)]),
        ("two calls, one id used before, results the other way round",
         [_calling(a), _result(a), _calling(a, b), _result(b, "1"), _result(a, "0")],
         [_calling(a), _result(a), _calling(again, b), _result(b, "1"), _result(again, "0")]),
    ]:  # fmt: skip
        yield from _judged(unique_ids, what, given, expected)


EXERCISES = [
    Exercise(
        id="8.1",
        title="A pass: content is never null",
        stub='''
def never_null(messages):
    """After it: no content is null."""
    ...
''',
        judge=_judge_null,
        hints=[
            "A new list: [... for m in messages]. A new message: {**m, 'content': ''}.",
            "Take m itself where its content is not None; only `is None` tells null from an empty text.",
        ],
        solution='''
def never_null(messages):
    """After it: no content is null."""
    return [m if m["content"] is not None else {**m, "content": ""}
            for m in messages]
''',
        wrong=[
            "def never_null(messages):\n    for m in messages:\n"
            "        m['content'] = m['content'] or ''\n    return messages",
            "def never_null(messages):\n    return [m for m in messages if m['content']]",
            "def never_null(messages):\n    return [{**m, 'content': str(m['content'])} "
            "for m in messages]",
        ],
    ),
    Exercise(
        id="8.2",
        title="A trim that keeps the system message",
        setup=TURNS,
        stub="""
def trim_keeping_system(messages, most):
    ...
""",
        cases=[
            Case(args=([SYSTEM, GO, ON], 3), expected=[SYSTEM, GO, ON]),
            Case(args=([SYSTEM, GO, ON], 2), expected=[SYSTEM, ON]),
            Case(args=([GO, ON], 1), expected=[ON]),
            Case(args=([SYSTEM, GO, _calling("a"), _result("a"), ON], 3), expected=[SYSTEM, ON]),
            Case(
                args=([SYSTEM, GO, _calling("a"), _result("a"), ON], 4),
                expected=[SYSTEM, _calling("a"), _result("a"), ON],
            ),
            Case(args=([], 4), expected=[]),
        ],
        hints=[
            "Cut the history in two: the system message (if it is there), and the rest.",
            "head = [m for m in messages[:1] if m['role'] == 'system']. The rest is "
            "messages[len(head):], and `most` is smaller by len(head) for it.",
        ],
        solution="""
def trim_keeping_system(messages, most):
    head = [m for m in messages[:1] if m["role"] == "system"]
    return head + trim(messages[len(head):], most - len(head))
""",
        wrong=[
            "def trim_keeping_system(messages, most):\n    return trim(messages, most)",
            "def trim_keeping_system(messages, most):\n"
            "    return messages[:1] + trim(messages[1:], most - 1)",
            "def trim_keeping_system(messages, most):\n"
            "    head = [m for m in messages[:1] if m['role'] == 'system']\n"
            "    return head + trim(messages[len(head):], most)",
            "def trim_keeping_system(messages, most):\n"
            "    head = [m for m in messages[:1] if m['role'] == 'system']\n"
            "    return head + messages[len(head):][-(most - len(head)):]",
        ],
    ),
    Exercise(
        id="8.3",
        title="No id twice",
        setup=TURNS,
        stub='''
def unique_ids(messages):
    """After it: no call id is used twice."""
    ...
''',
        judge=_judge_ids,
        hints=[
            "Go turn by turn: `for first, *results in turns_of(messages)`. A dict counts how "
            "often each id was seen in all turns so far.",
            "Within one turn, make a dict old id -> new id from call_ids(first). Then write the "
            "calls and the results anew with it: {**call, 'id': ...}, "
            "{**r, 'tool_call_id': ...}.",
        ],
        solution='''
def unique_ids(messages):
    """After it: no call id is used twice."""
    seen, out = {}, []
    for first, *results in turns_of(messages):
        new = {}
        for i in call_ids(first):
            seen[i] = seen.get(i, 0) + 1
            new[i] = i if seen[i] == 1 else f"{i}_{seen[i]}"
        if new:
            calls = [{**c, "id": new[c["id"]]} for c in first["tool_calls"]]
            first = {**first, "tool_calls": calls}
        out.append(first)
        out += [{**r, "tool_call_id": new[r["tool_call_id"]]} for r in results]
    return out
''',
        wrong=[
            "def unique_ids(messages):\n    return list(messages)",
            "def unique_ids(messages):\n    seen, out = {}, []\n    for m in messages:\n"
            "        if call_ids(m):\n            calls = []\n"
            "            for c in m['tool_calls']:\n                i = c['id']\n"
            "                seen[i] = seen.get(i, 0) + 1\n"
            "                calls.append({**c, 'id': i if seen[i] == 1 else f'{i}_{seen[i]}'})\n"
            "            m = {**m, 'tool_calls': calls}\n        out.append(m)\n    return out",
            "def unique_ids(messages):\n    seen, new = {}, {}\n    for m in messages:\n"
            "        for c in m.get('tool_calls') or []:\n            i = c['id']\n"
            "            seen[i] = seen.get(i, 0) + 1\n"
            "            c['id'] = new[i] = i if seen[i] == 1 else f'{i}_{seen[i]}'\n"
            "        if m['role'] == 'tool':\n"
            "            m['tool_call_id'] = new[m['tool_call_id']]\n    return messages",
        ],
    ),
]
