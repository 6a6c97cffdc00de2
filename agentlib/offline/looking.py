"""Calls made before the one asked for: which files are "all files", which is "the notes file"."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from agentlib.offline import mending
from agentlib.offline.clauses import mask
from agentlib.offline.filling import Filled
from agentlib.offline.reading import names_of, parsed
from agentlib.offline.references import Outcome
from agentlib.offline.steps import Step
from agentlib.offline.toolview import ToolView, is_acting

if TYPE_CHECKING:
    from agentlib.offline.work import Work

_EACH = re.compile(
    r"\b(?:all|every|each)\b(?: (?:of )?(?:the|my|these|those))?(?: \w+)? files?\b"
    r"|(?:所有|全部|每个|每一个)(?:的)?\w{0,4}文件",
    re.IGNORECASE,
)
_SOME_FILE = re.compile(
    r"\bfile\b|文件|^\W*(?:please\s+)?(?:read|open|show)\s+(?:me\s+)?(?:the\s+|my\s+)?"
    r"(?!it\b|that\b|this\b|them\b|all\b)[\w-]+\W*$",
    re.IGNORECASE,
)
_APPEND = re.compile(
    r"\W*(?:please\s+)?(?:add|append)\b.+\bto\b|.*(?:追加|添加到|加到|加入)"
    r"|\W*(?:please\s+)?(?:write|put|insert|add)\b.+\b(?:to|at|on)\s+(?:the\s+|its\s+)?"
    r"(?:very\s+)?(?:end|bottom)\b|.*写.*(?:末尾|结尾)|.*(?:末尾|结尾).*写",
    re.I | re.S,
)
MOST_FILES = 10  # files that "all files" may mean


def look_first(work: Work, text: str, tool: ToolView, filled: Filled) -> bool:
    """Make what calls the step needs before its own; False while waiting for their results."""
    key = next((n for n, k, needed in tool.kinds if k == "path" and needed), None)
    if key is None or "list" in tool.named:
        return True
    if _EACH.search(text):
        return _each_file(work, text, tool, filled, key)
    return keep_first(work, text, tool, filled, key)


def keep_first(work: Work, text: str, tool: ToolView, filled: Filled, key: str) -> bool:
    """Read what a text is to be added to; False while waiting for it."""
    texts = [n for n, k, needed in tool.kinds if k == "content" and needed]
    rewrites = texts and is_acting(tool) and not {"append", "add"} & (tool.named | tool.told)
    if (
        rewrites
        and key in filled.arguments
        and texts[0] in filled.arguments
        and _APPEND.match(mask(text))
    ):
        return _keep_old(work, text, filled, key, texts[0])
    return True


def find_file(work: Work, text: str, tool: ToolView) -> None:
    """ "What is in the notes file?": a listing shows which file that may be."""
    listed = any(o.tool and "list" in o.tool.named for o in work.outcomes)
    key = next((n for n, k, _ in tool.kinds if k == "path"), None)
    if not listed and key and _SOME_FILE.search(text) and not is_acting(tool):
        _listing(work, text, tool, {key: "x"})


def _listing(work: Work, text: str, tool: ToolView, beside: dict[str, str]) -> list[Outcome]:
    look = mending.listing_call(tool, beside, work.tools)
    lister = work.tool(look[0]) if look else None
    if look is None or lister is None:
        return []
    return _made(work, text, lister, look[1])


def _made(work: Work, text: str, tool: ToolView, arguments: dict[str, object]) -> list[Outcome]:
    """The outcomes of a call made first; none, and the work is waiting, while it is under way."""
    before = len(work.outcomes)
    work.call(Step(text), tool, arguments)
    if work.ready:
        work.waiting = True
    return work.outcomes[before:]


def _each_file(work: Work, text: str, tool: ToolView, filled: Filled, key: str) -> bool:
    """ "Read all files here": list them, then one call for each."""
    folder = str(filled.arguments.get(key) or ".")
    beside = {key: os.path.join(folder, "x") if folder != "." else "x"}
    listed = [o for o in _listing(work, text, tool, beside) if o.state == "ok"]
    names = [n for o in listed for n in names_of(parsed(o.result)) if not n.endswith("/")]
    paths = [n if folder == "." else f"{folder.rstrip('/')}/{n}" for n in names[:MOST_FILES]]
    if paths:
        filled.arguments[key], filled.several = paths[0], (key, paths)
        filled.missing = [n for n in filled.missing if n != key]
    return bool(paths) or not (work.waiting or listed)


def _keep_old(work: Work, text: str, filled: Filled, key: str, content: str) -> bool:
    """ "Add a line to a.txt" with a tool that rewrites files: read it first, keep what is there."""
    readers = [t for t in work.tools if "read" in t.named and not is_acting(t)]
    reader = next((t for t in readers if [k for _, k, n in t.kinds if n] == ["path"]), None)
    if reader is None:
        return True
    path = filled.arguments[key]
    seen = [o for o in work.outcomes if o.state == "ok" and path in (o.arguments or {}).values()]
    made = [o for o in seen[-1:] if o.name == reader.name]  # "read a.txt, then add ..."
    made = made or _made(work, text, reader, {reader.required[0]: path})
    if work.waiting:
        return False
    old = next((o.result for o in made if o.state == "ok"), "")
    old += "\n" if old and not old.endswith("\n") else ""
    filled.arguments[content] = f"{old}{filled.arguments[content]}"
    return True
