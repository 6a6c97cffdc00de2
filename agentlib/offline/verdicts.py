"""A word in front of an answer: yes or no, or how many, where a result really tells."""

from __future__ import annotations

import re

from agentlib.offline.conditions import holds
from agentlib.offline.reading import entries_of, parsed
from agentlib.offline.references import Outcome
from agentlib.offline.words import concepts

_HOW_MANY = re.compile(r"\bhow many\b|\bcount\b|多少个|几个|有几|多少行|统计|数一下", re.IGNORECASE)
_YES_NO = re.compile(
    r"\s*(?:is|are|does|do|will|did|has|have)\b(?!\s+not\b)"
    r"(?P<q>(?:(?!(?<=\w{3})[.!]\s).)+)\?",
    re.IGNORECASE | re.DOTALL,
)
_YES_NO_CN = re.compile(r"(?!.*(?:能|可以|帮))(?P<q>.*)吗", re.DOTALL)
_LINES = re.compile(r"\blines?\b|行", re.IGNORECASE)
_FILES = re.compile(r"\b(?:files?|folders?|director\w+|exists?)\b|\S\.\w|文件|目录", re.IGNORECASE)


def verdict(lang: str, question: str, good: list[Outcome], given: set[str]) -> str:
    """ "Yes." or "There are 3."; "" where the question asks for neither or no result tells."""
    if _HOW_MANY.search(question) and good:
        return _how_many(lang, question, good[-1])
    asks = _YES_NO.match(question) or _YES_NO_CN.match(question)
    if not asks:
        return ""
    telling = [o for o in good if not _lists_files(o) or _FILES.search(question)]
    answer = holds(asks["q"], [o.result for o in telling], given) if telling else None
    if answer is None:
        return ""
    if lang == "en":
        return "Yes." if answer else "No."
    return "会。" if answer else "不会。"


def _how_many(lang: str, question: str, outcome: Outcome) -> str:
    value = parsed(outcome.result)
    if not _is_about(question, outcome):
        return ""  # files are listed, eggs were asked for
    lines = _LINES.search(question)
    counted = str(outcome.result).splitlines() if lines else entries_of(value)
    if isinstance(value, dict) and not counted:
        return ""
    if len(counted) != 1 or not re.search(r"\d", str(counted[0])):
        return f"There are {len(counted)}." if lang == "en" else f"共 {len(counted)} 个。"
    return ""


def _is_about(question: str, outcome: Outcome) -> bool:
    """Whether the tool gives what is counted: its words, or the lines of any text."""
    asked = re.search(r"\b(?:how many|count(?: all)?(?: the)?)\s+([a-z ]+)", question, re.I)
    if (
        outcome.tool is not None
        and _reads_file(outcome)
        and isinstance(parsed(outcome.result), str)
    ):
        return bool(_OF_TEXT.search(question))  # a line is not an egg
    if not asked or outcome.tool is None or not _lists_files(outcome):
        return True
    told = {"file", "line", "directory", "entry", *outcome.tool.named} - {"list"}
    return bool(told & set(concepts(asked[1])))


_OF_TEXT = re.compile(r"\b(?:lines?|rows?|items?|entr(?:y|ies))\b|行|条|项", re.IGNORECASE)


def _reads_file(outcome: Outcome) -> bool:
    tool = outcome.tool
    return tool is not None and "read" in tool.named and any(k == "path" for _, k, _ in tool.kinds)


def _lists_files(outcome: Outcome) -> bool:
    tool = outcome.tool
    return tool is not None and "directory" in tool.named | tool.first and "list" in tool.all()
