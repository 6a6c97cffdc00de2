"""A docstring's two messages for the model: what the function does, and what each parameter is."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

_TITLES = "Args|Arguments|Parameters|Params"
_GOOGLE = re.compile(
    rf"^[ \t]*({_TITLES}|Raises|Returns|Yields|Examples?|Attributes):[ \t]*$", re.M
)
_MARKS = re.compile(r"^[-*`\s]+|[*`\s]+$")  # of a list, of bold or of code, around a name
_HEADING = re.compile(rf"[ \t]*({_TITLES}):[ \t]*")
_STYLES = (  # docstring-parser's name of a style, what its text holds (quick), its mark (sure)
    ("GOOGLE", (":\n",), rf"^({_TITLES}):[ \t]*\n+[ \t]+\S"),
    ("REST", (":param", ":arg", ":key", ":type"), r"^[ \t]*:(param|arg|key|type)[a-z]*\s.*?:"),
    ("EPYDOC", ("@param", "@type"), r"^[ \t]*@(param|type)\s.*?:"),
    ("NUMPYDOC", ("---",), r"^[ \t]*(Parameters|Returns|Raises)[ \t]*\n[ \t]*-{3,}[ \t]*$"),
    ("LOOSE", (":\n",), _GOOGLE.pattern),  # Google's, not yet at the margin or not indented
    ("REST", (":return", ":rtype", ":raise"), r"^[ \t]*:(returns?|rtype|raises?)\b.*?:"),
)


def read_docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """(description, {parameter: text}) of a Google, NumPy, reST or Epydoc docstring."""
    text = inspect.cleandoc((text or "").replace("\r\n", "\n"))
    style = next((style for style, *marks in _STYLES if _is_marked(text, *marks)), None)
    if style is None:
        return text, {}
    try:
        # the parser cleans once more: after a blank line that changes nothing
        parsed = _parser(style)("\n" + (_normalise(text) if style == "LOOSE" else text))
    except RuntimeError:  # its ParseError: what can't be taken apart is all description
        return text, {}
    texts = {
        _MARKS.sub("", each.arg_name): " ".join((each.description or "").split())
        for each in parsed.params
    }
    return (parsed.description or "").strip(), {name: each for name, each in texts.items() if each}


def _is_marked(text: str, quick: tuple[str, ...], mark: str) -> bool:
    return any(each in text for each in quick) and re.search(mark, text, re.M) is not None


@functools.cache
def _parser(style: str) -> Callable[[str], Any]:
    from docstring_parser import epydoc, google, numpydoc, rest

    if style in ("GOOGLE", "LOOSE"):
        return google.GoogleParser().parse
    modules = {"REST": rest, "EPYDOC": epydoc, "NUMPYDOC": numpydoc}
    return modules[style].parse


def _normalise(text: str) -> str:
    """The same docstring with `Args:` at the margin and its body indented under it."""
    lines, out, shift = text.split("\n"), [], 0
    for index, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if _HEADING.fullmatch(line):
            body = next((each for each in lines[index + 1 :] if each.strip()), "")
            flat = len(body) - len(body.lstrip()) <= indent and not _GOOGLE.match(body)
            shift = 4 - indent if flat else -indent
            out += ["", line.strip()]
            continue
        left = bool(line.strip()) and indent < -shift
        if not line.strip() and shift > 0 or _GOOGLE.match(line) or left:
            shift = 0
        out.append(" " * shift + line if shift > 0 else line[-shift:])
    return "\n".join(out)
