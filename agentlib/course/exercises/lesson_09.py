"""Exercises of lesson 09: the same call, the same result, the length of a circle."""

from agentlib.course.exercise import Case, Exercise

GONE = "Error: read_file failed: FileNotFoundError: {}.txt"

EXERCISES = [
    Exercise(
        id="9.1",
        title="Are two calls the same?",
        setup="import json",
        stub="""
def same_call(a, b):
    ...
""",
        cases=[
            Case(args=(("find", '{"a": 1, "b": 2}'), ("find", '{"b":2,"a":1}')), expected=True),
            Case(args=(("find", '{"a": 1}'), ("find", '{ "a": 1 }')), expected=True),
            Case(args=(("find", '{"a": 12}'), ("find", '{"a": 21}')), expected=False),
            Case(args=(("find", '{"a": 1}'), ("list", '{"a": 1}')), expected=False),
            Case(args=(("find", '{"a": 1}'), ("find", '{"a": "1"}')), expected=False),
            Case(args=(("find", '{"a": 1}'), ("find", '{"a": true}')), expected=False),
            Case(args=(("find", '{"a": 1}'), ("find", '{"a": 1, "b": 2}')), expected=False),
            Case(
                args=(("f", '{"x": {"a": 1, "b": [1, 2]}}'), ("f", '{"x": {"b": [1, 2], "a": 1}}')),
                expected=True,
            ),
            Case(args=(("f", '{"x": [1, 2]}'), ("f", '{"x": [2, 1]}')), expected=False),
        ],
        hints=[
            "Text that looks different may mean the same JSON: json.loads first.",
            "In Python `1 == True`, in JSON they are two things. What you have loaded, write again: "
            "`json.dumps(..., sort_keys=True)` writes the same JSON in one way only.",
        ],
        solution="""
def same_call(a, b):
    one, two = [json.dumps(json.loads(call[1]), sort_keys=True)
                for call in (a, b)]
    return a[0] == b[0] and one == two
""",
        wrong=[
            "def same_call(a, b):\n"
            "    return a[0] == b[0] and json.loads(a[1]) == json.loads(b[1])",
            "def same_call(a, b):\n    return a == b",
            "def same_call(a, b):\n    return json.loads(a[1]) == json.loads(b[1])",
            "def same_call(a, b):\n    return a[0] == b[0] and sorted(a[1]) == sorted(b[1])",
            "def same_call(a, b):\n    one, two = json.loads(a[1]), json.loads(b[1])\n"
            "    return a[0] == b[0] and all(one[k] == two[k] for k in one.keys() & two.keys())",
        ],
    ),
    Exercise(
        id="9.2",
        title="Are two results the same?",
        stub="""
def same_result(a, b):
    ...
""",
        cases=[
            Case(args=("Buy milk.", "Buy milk."), expected=True),
            Case(args=("Buy milk.", "Buy tea."), expected=False),
            Case(args=(GONE.format("a"), GONE.format("b")), expected=True),
            Case(
                args=(GONE.format("a"), "Error: read_file failed: PermissionError: a.txt"),
                expected=False,
            ),
            Case(
                args=(GONE.format("a"), "Error: list_dir failed: FileNotFoundError: a.txt"),
                expected=False,
            ),
            Case(args=(GONE.format("a"), "Buy milk."), expected=False),
            Case(args=("todo: a: b: milk", "todo: a: b: tea"), expected=False),
        ],
        hints=[
            'a.startswith("Error: ") tells an error. Other texts are the same only if equal.',
            'a.split(": ") cuts an error into its parts. Which of them say what failed, and how?',
        ],
        solution="""
def same_result(a, b):
    if a == b:
        return True
    errors = a.startswith("Error: ") and b.startswith("Error: ")
    return errors and a.split(": ")[:3] == b.split(": ")[:3]
""",
        wrong=[
            "def same_result(a, b):\n    return a == b",
            "def same_result(a, b):\n    return a == b or (a[:6] == b[:6] == 'Error:')",
            "def same_result(a, b):\n    return a.split(': ')[:3] == b.split(': ')[:3]",
            "def same_result(a, b):\n    return a == b or a.split(': ')[2:3] == b.split(': ')[2:3]",
        ],
    ),
    Exercise(
        id="9.3",
        title="How long is the circle?",
        stub="""
def cycle_length(names):
    ...
""",
        cases=[
            Case(args=([],), expected=0),
            Case(args=(["a"],), expected=0),
            Case(args=(["a", "a"],), expected=1),
            Case(args=(list("xabab"),), expected=2),
            Case(args=(list("abcabc"),), expected=3),
            Case(args=(list("aabaab"),), expected=3),
            Case(args=(list("abababab"),), expected=2),
            Case(args=(list("abab") + ["x"],), expected=0),
            Case(args=(list("aba"),), expected=0),
        ],
        hints=[
            "Try the lengths 1, 2, 3 … in turn, up to half of the list.",
            "The last n names are names[-n:], the n before them names[-2 * n:-n].",
        ],
        solution="""
def cycle_length(names):
    for n in range(1, len(names) // 2 + 1):
        if names[-n:] == names[-2 * n:-n]:
            return n
    return 0
""",
        wrong=[
            "def cycle_length(names):\n    for n in range(1, len(names) // 2):\n"
            "        if names[-n:] == names[-2 * n:-n]:\n            return n\n    return 0",
            "def cycle_length(names):\n    for n in range(len(names) // 2, 0, -1):\n"
            "        if names[-n:] == names[-2 * n:-n]:\n            return n\n    return 0",
            "def cycle_length(names):\n    for n in range(1, len(names) // 2 + 1):\n"
            "        if names[:n] == names[n:2 * n]:\n            return n\n    return 0",
            "def cycle_length(names):\n    return len(set(names)) if len(names) > 1 else 0",
        ],
    ),
]
