"""A docstring's two messages for the model: what the function does, and what each parameter is."""

from __future__ import annotations

import inspect
import re

_TITLES = "Args|Arguments|Parameters|Params"
_GOOGLE = re.compile(
    rf"^[ \t]*({_TITLES}|Raises|Returns|Yields|Examples?|Attributes):[ \t]*$", re.M
)
_HEADING = re.compile(rf"[ \t]*({_TITLES}):[ \t]*")
_STYLES = (  # the mark of a style, and docstring-parser's name for it
    (re.compile(r"^[ \t]*:(param|parameter|arg|argument|key|keyword|type)\s.*?:", re.M), "REST"),
    (re.compile(r"^[ \t]*@(param|type)\s.*?:", re.M), "EPYDOC"),
    (re.compile(r"^[ \t]*Parameters[ \t]*\n[ \t]*-{3,}[ \t]*$", re.M), "NUMPYDOC"),
    (_GOOGLE, "GOOGLE"),
    (re.compile(r"^[ \t]*:(returns?|rtype|raises)\b.*?:", re.M), "REST"),
    (re.compile(r"^[ \t]*(Returns|Raises)[ \t]*\n[ \t]*-{3,}[ \t]*$", re.M), "NUMPYDOC"),
)


def read_docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """(description, {parameter: text}) of a Google, NumPy, reST or Epydoc docstring."""
    text = inspect.cleandoc(text or "")
    style = next((style for mark, style in _STYLES if mark.search(text)), None)
    if style is None:
        return text, {}
    import docstring_parser

    try:
        parsed = docstring_parser.parse(
            _normalise(text), style=docstring_parser.DocstringStyle[style]
        )
    except docstring_parser.ParseError:
        return text, {}
    texts = {p.arg_name.lstrip("*"): " ".join((p.description or "").split()) for p in parsed.params}
    return (parsed.description or "").strip(), {name: each for name, each in texts.items() if each}


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
        if not line.strip() and shift > 0 or _GOOGLE.match(line) or indent < -shift:
            shift = 0
        out.append(" " * shift + line if shift > 0 else line[-shift:])
    return "\n".join(out)
