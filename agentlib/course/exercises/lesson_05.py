"""Exercises of lesson 05: a strict boolean, undeclared keys at every level."""

from agentlib.course.exercise import Case, Exercise

_RANGE = {
    "type": "object",
    "properties": {"start": {"type": "string"}, "end": {"type": "string"}},
}
_QUERY = {"type": "object", "properties": {"id": {"type": "string"}, "range": _RANGE}}
_DEEP = {"type": "object", "properties": {"query": _QUERY}}

EXERCISES = [
    Exercise(
        id="5.1",
        title="A boolean and nothing else",
        stub="""
def to_boolean(value):
    ...
""",
        cases=[
            Case(args=(True,), expected=True),
            Case(args=(False,), expected=False),
            Case(args=("true",), expected=True),
            Case(args=("false",), expected=False),
            Case(args=("yes",), raises=ValueError),
            Case(args=(1,), raises=ValueError),
            Case(args=(0,), raises=ValueError),
            Case(args=(1.0,), raises=ValueError),
            Case(args=("",), raises=ValueError),
            Case(args=(None,), raises=ValueError),
            Case(args=(["true"],), raises=ValueError),
        ],
        hints=[
            "bool('false') is True: every text that is not empty is. Compare with the two words.",
            "1 == True in Python, so `value in (True, False)` takes 1 and 0. "
            "isinstance(value, bool) does not.",
        ],
        solution="""
def to_boolean(value):
    if isinstance(value, bool):
        return value
    if value == "true":
        return True
    if value == "false":
        return False
    raise ValueError(f"must be true or false. You sent: {value!r}")
""",
        wrong=[
            "def to_boolean(value):\n    return bool(value)",
            "def to_boolean(value):\n"
            "    if value in (True, False):\n        return bool(value)\n"
            "    if value in ('true', 'false'):\n        return value == 'true'\n"
            "    raise ValueError(value)",
            "def to_boolean(value):\n    return {'true': True, 'false': False}[str(value).lower()]",
        ],
    ),
    Exercise(
        id="5.2",
        title="Undeclared keys at every level",
        stub="""
def undeclared(value, schema, path=""):
    ...
""",
        cases=[
            Case(args=({"id": "7"}, _QUERY), expected=[]),
            Case(args=({"id": "7", "loud": True}, _QUERY), expected=["loud"]),
            Case(args=({"range": {"start": "a", "until": "b"}}, _QUERY), expected=["range.until"]),
            Case(
                args=({"loud": 1, "range": {"until": "b"}, "id": "7", "x": {}}, _QUERY),
                expected=["loud", "range.until", "x"],
            ),
            Case(
                args=({"query": {"range": {"until": 1}, "y": 2}}, _DEEP),
                expected=["query.range.until", "query.y"],
            ),
            Case(args=({"id": {"not": "an object by the schema"}}, _QUERY), expected=[]),
        ],
        hints=[
            "For each key of `value`: not among schema['properties'] means that its path is one of "
            "the answers. Otherwise look into it.",
            "Look into it by calling undeclared itself, when the value is a dict and its rule has "
            "'properties'. The path handed on is path + key + '.'.",
        ],
        solution="""
def undeclared(value, schema, path=""):
    found = []
    for name, given in value.items():
        rule = schema["properties"].get(name)
        if rule is None:
            found.append(path + name)
        elif isinstance(given, dict) and "properties" in rule:
            found += undeclared(given, rule, path + name + ".")
    return found
""",
        wrong=[
            "def undeclared(value, schema, path=''):\n"
            "    return [n for n in value if n not in schema['properties']]",
            "def undeclared(value, schema, path=''):\n"
            "    found = [path + n for n in value if n not in schema['properties']]\n"
            "    for n, v in value.items():\n"
            "        if n in schema['properties'] and isinstance(v, dict):\n"
            "            found += undeclared(v, schema['properties'][n], n + '.')\n"
            "    return found",
        ],
    ),
]
