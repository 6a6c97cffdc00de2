"""Exercises of lesson 13: a safe path segment, the text of an MCP result, names that clash."""

from collections.abc import Iterator

from agentlib.course.exercise import Case, Exercise, Seen


def _text(*texts: str) -> list[dict]:
    return [{"type": "text", "text": text} for text in texts]


def _judge_full_text(full_text) -> Iterator[Seen]:
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    audio = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    for parts, expected in [
        (_text("one"), "one"),
        (_text("one", "two"), "one\ntwo"),
        ([*_text("a cup"), image], "a cup\n[image]"),
        ([audio], "[audio]"),
        ([], ""),
    ]:
        kinds = ", ".join(part["type"] for part in parts) or "nothing"
        result = {"content": [dict(part) for part in parts], "isError": False}
        yield f"full_text of {kinds}", expected, full_text(result)
    yield "full_text without the key isError", "one", full_text({"content": _text("one")})
    for parts, expected in [(_text("no soup"), "no soup"), ([image], "[image]")]:
        try:
            got = full_text({"content": parts, "isError": True})
        except RuntimeError as error:
            got = f"RuntimeError: {error}"
        yield "full_text with isError", f"RuntimeError: {expected}", got


EXERCISES = [
    Exercise(
        id="13.1",
        title="One segment, and no way out of it",
        setup="from urllib.parse import quote",
        stub="""
def segment(value):
    ...
""",
        cases=[
            Case(args=("oolong",), expected="oolong"),
            Case(args=("green tea",), expected="green%20tea"),
            Case(args=("oolong/buyers",), expected="oolong%2Fbuyers"),
            Case(args=("a?b#c",), expected="a%3Fb%23c"),
            Case(args=("乌龙",), expected="%E4%B9%8C%E9%BE%99"),
            Case(args=(7,), expected="7"),
            Case(args=("...",), expected="..."),
            Case(args=("v1.2",), expected="v1.2"),
            Case(args=("..",), raises=ValueError),
            Case(args=(".",), raises=ValueError),
            Case(args=("",), raises=ValueError),
        ],
        hints=[
            'quote(str(value), safe="") encodes everything but letters, digits and _ . - ~, so the '
            "dots stay. Look at the three texts yourself.",
            'Turn the value into text first, then: if text in ("", ".", ".."): raise ValueError.',
        ],
        solution="""
def segment(value):
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is no name for a part of a path.")
    return quote(text, safe="")
""",
        wrong=[
            "def segment(value):\n    return quote(str(value), safe='')",
            "def segment(value):\n"
            "    text = str(value)\n"
            "    if '..' in text or not text:\n        raise ValueError(text)\n"
            "    return quote(text, safe='')",
            "def segment(value):\n"
            "    text = str(value)\n"
            "    if text in ('', '.', '..'):\n        raise ValueError(text)\n"
            "    return quote(text)",
        ],
    ),
    Exercise(
        id="13.2",
        title="All that an MCP result says",
        stub="""
def full_text(result):
    ...
""",
        judge=_judge_full_text,
        hints=[
            'Go through result["content"]. A part is its "text" when its "type" is "text", and '
            'f"[{part[\'type\']}]" otherwise. Then "\\n".join(...).',
            'After that: if result.get("isError"): raise RuntimeError(text). Not result["isError"]: '
            "a server may leave the key out.",
        ],
        solution="""
def full_text(result):
    lines = []
    for part in result["content"]:
        kind = part["type"]
        lines.append(part["text"] if kind == "text" else f"[{kind}]")
    text = "\\n".join(lines)
    if result.get("isError"):
        raise RuntimeError(text)
    return text
""",
        wrong=[
            "def full_text(result):\n"
            "    return '\\n'.join(p['text'] for p in result['content'] if p['type'] == 'text')",
            "def full_text(result):\n"
            "    text = '\\n'.join(p.get('text', f\"[{p['type']}]\") for p in result['content'])\n"
            "    if result['isError']:\n        raise RuntimeError(text)\n"
            "    return text",
            "def full_text(result):\n"
            "    return '\\n'.join(p.get('text', f\"[{p['type']}]\") for p in result['content'])",
        ],
    ),
    Exercise(
        id="13.3",
        title="A name for each",
        stub="""
def choose_names(offered, taken, server):
    ...
""",
        cases=[
            Case(args=(["recipe"], {"tea_price"}, "kitchen"), expected=["recipe"]),
            Case(args=(["recipe"], {"recipe"}, "kitchen"), expected=["kitchen_recipe"]),
            Case(args=([], {"recipe"}, "kitchen"), expected=[]),
            Case(args=(["a", "b"], {"b"}, "k"), expected=["a", "k_b"]),
            Case(args=(["a"], {"a", "k_a"}, "k"), expected=["k_a_2"]),
            Case(args=(["a"], {"a", "k_a", "k_a_2"}, "k"), expected=["k_a_3"]),
            Case(args=(["a", "a", "a"], set(), "k"), expected=["a", "k_a", "k_a_2"]),
            Case(args=(["k_a", "a"], {"a"}, "k"), expected=["k_a", "k_a_2"]),
        ],
        hints=[
            "Three tries for each name: itself, with the server's name, then with a number as long "
            "as that is taken. Put each choice into the set of what is taken.",
            'The last try: number = 2, then while f"{server}_{name}_{number}" in taken: number += 1.'
            " Work on a copy, set(taken).",
        ],
        solution="""
def choose_names(offered, taken, server):
    taken, chosen = set(taken), []
    for wanted in offered:
        name, number = wanted, 1
        while name in taken:
            name = f"{server}_{wanted}"
            name += f"_{number}" if number > 1 else ""
            number += 1
        taken.add(name)
        chosen.append(name)
    return chosen
""",
        wrong=[
            "def choose_names(offered, taken, server):\n"
            "    return [f'{server}_{n}' if n in taken else n for n in offered]",
            "def choose_names(offered, taken, server):\n"
            "    return [f'{server}_{n}' for n in offered]",
            "def choose_names(offered, taken, server):\n"
            "    chosen = []\n"
            "    for n in offered:\n"
            "        name = n if n not in taken else f'{server}_{n}'\n"
            "        number = 2\n"
            "        while name in taken:\n"
            "            name = f'{server}_{n}_{number}'\n            number += 1\n"
            "        chosen.append(name)\n"
            "    return chosen",
        ],
    ),
]
