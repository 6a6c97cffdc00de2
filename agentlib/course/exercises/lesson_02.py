"""Exercises of lesson 02: a registering decorator, and a shorthand with optional parameters."""

from collections.abc import Iterator

from agentlib.course.exercise import Case, Exercise, Seen


def _judge_command(command) -> Iterator[Seen]:
    def shout(text: str) -> str:
        return text.upper()

    table = getattr(command, "__globals__", {}).get("COMMANDS", {})
    before = dict(table)
    try:
        decorated = command("shout")(shout)
        yield "what the decorator gives back", shout, decorated
        yield 'COMMANDS["shout"]', shout, table.get("shout")
        again = command("whisper")(str.lower)
        yield "what it gives back for str.lower", str.lower, again
        yield "both names in COMMANDS", True, {"shout", "whisper"} <= set(table)
    finally:
        table.clear()
        table.update(before)


def _parameters(properties: dict[str, str], required: list[str]) -> dict:
    described = {p: {"type": "string", "description": t} for p, t in properties.items()}
    return {"type": "object", "properties": described, "required": required}


EXERCISES = [
    Exercise(
        id="2.1",
        title="A decorator that files a function",
        setup="COMMANDS = {}",
        stub="""
COMMANDS = {}

def command(name):
    ...
""",
        judge=_judge_command,
        hints=[
            "command(name) must return a function that takes a function.",
            "Inside: COMMANDS[name] = function, then return function.",
        ],
        solution="""
COMMANDS = {}

def command(name):
    def register(function):
        COMMANDS[name] = function
        return function
    return register
""",
        wrong=[
            "COMMANDS = {}\n\ndef command(name):\n    def register(function):\n"
            "        COMMANDS[name] = function\n    return register",
            "COMMANDS = {}\n\ndef command(name):\n    return lambda function: function",
        ],
    ),
    Exercise(
        id="2.2",
        title="Optional parameters in the shorthand",
        stub="""
def parameters_of(shorthand):
    ...
""",
        cases=[
            Case(args=({"city": "a city"},), expected=_parameters({"city": "a city"}, ["city"])),
            Case(
                args=({"city": "a city", "date?": "a day"},),
                expected=_parameters({"city": "a city", "date": "a day"}, ["city"]),
            ),
            Case(args=({},), expected=_parameters({}, [])),
        ],
        hints=[
            'name.endswith("?") tells an optional one; name.rstrip("?") is its real name.',
            "Build properties from all names, and required from those without the ?.",
        ],
        solution="""
def parameters_of(shorthand):
    properties = {name.rstrip("?"): {"type": "string", "description": text}
                  for name, text in shorthand.items()}
    required = [name for name in shorthand if not name.endswith("?")]
    return {"type": "object", "properties": properties, "required": required}
""",
        wrong=[
            "def parameters_of(shorthand):\n    properties = {n: {'type': 'string', 'description': t}"
            " for n, t in shorthand.items()}\n    return {'type': 'object', "
            "'properties': properties, 'required': list(shorthand)}",
            "def parameters_of(shorthand):\n    return {'type': 'object', 'properties': {}}",
        ],
    ),
]
