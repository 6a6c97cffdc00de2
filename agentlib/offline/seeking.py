"""The tool for a step: the best fit by words, else the only one that looks things up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentlib.offline.choosing import choose, rank
from agentlib.offline.filling import fill
from agentlib.offline.judging import lacking
from agentlib.offline.toolview import ToolView, is_acting
from agentlib.offline.undoing import is_asked
from agentlib.offline.values import Found
from agentlib.offline.words import CJK

if TYPE_CHECKING:
    from agentlib.offline.work import Work


def tool_for(work: Work, found: Found) -> ToolView | None:
    """The tool that fits a step best; when one is required, the first in rank."""
    tools = [t for t in work.tools if is_asked(t.undoes, found.text)]
    if work.required and work.tools and not work.turn.records:
        return rank(found.text, found, tools or work.tools)[0][2]
    best = choose(found.text, found, tools, lacking(work, found.text))
    return best or only_search(work, found)


_LOOKS_UP = frozenset({"find", "query", "information", "meaning"})
_TITLE = {"title", "query", "string", "person"}


def only_search(work: Work, found: Found) -> ToolView | None:
    """The one tool that looks things up by a name, for a question about a name.

    "When did The Matrix come out?" shares no word with find_movie(title).
    """
    asked = _ASKS_ABOUT.match(found.text)
    if not asked or work.outcomes or work.pending or _OF_MODEL.search(found.text):
        return None
    seekers = [t for t in work.tools if not is_acting(t) and (t.named | t.first) & _LOOKS_UP]
    fitting = [t for t in seekers if [k for _, k, n in t.kinds if n and k in _TITLE]]
    if len(fitting) != 1 or len(fitting[0].required) != 1:
        return None
    filled = fill(fitting[0].parameters, work.source(found.text, fitting[0]))
    value = filled.arguments.get(fitting[0].required[0])
    named = [v.value for v in found.of("name", "quote")]
    chinese = isinstance(value, str) and bool(CJK.search(value)) and len(value) < 16
    return fitting[0] if value is not None and (value in named or chinese) else None


_ASKS_ABOUT = re.compile(
    r"\W*(?:who|when|where|what|which|how|is|was|did|does|tell me)\b"
    r"|\W*(?:请|帮我)*(?:查一下|查查|查|搜一下|搜索|搜|什么是|谁是|介绍)"
    r"|.*(?:是什么|是谁|什么意思|怎么样|哪一年|哪里|多少)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_OF_MODEL = re.compile(r"\b(?:you|your|I|my|we|our|me)\b(?<!tell me)|[你我]", re.IGNORECASE)
