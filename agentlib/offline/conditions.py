"""Conditions of a task, held against results: "it does not rain", "超过 30 度", "a.txt exists"."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.reading import error_of, numbers_of, parsed, values_of
from agentlib.offline.values import as_number
from agentlib.offline.words import concept, concepts, words

_NOT = re.compile(
    r"\b(?:not|no|n't|without|never|isn't|doesn't|don't|won't|aren't|didn't|fails? to)\b"
    r"|n't\b|不|没有|没|无",
    re.I,
)
_MORE = (
    r"(?:above|over|more than|greater than|higher than|warmer than|hotter than|larger than"
    r"|bigger than|exceeds?|"
    r"at least|>=?|longer than|older than|超过|大于|高于|多于|不低于|不少于|至少)"
)
_LESS = (
    r"(?:below|under|less than|lower than|colder than|cooler than|smaller than|fewer than"
    r"|cheaper than|at most|<=?|"
    r"shorter than|younger than|低于|小于|少于|不到|不超过|至多|最多)"
)
_COMPARE = re.compile(rf"(?P<less>{_LESS})|(?P<more>{_MORE})", re.I)
_EQUAL = {"at least", "at most", ">=", "<=", "不低于", "不少于", "至少", "不超过", "至多", "最多"}
_EQUALS = re.compile(
    r"(?:\b(?:is|are|equals?|was)\b|==?|等于|为|是)\s*(?P<no>not|n't)?\s*(?:equal to\s*"
    r"|exactly\s*)?(?P<n>-?\d+(?:\.\d+)?)(?!\S*[A-Za-z])"
    r"|(?P<no2>不是|不等于|!=)\s*(?P<n2>-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_ALIKE = {
    "rain": ("rain", "storm", "thunder", "wet", "drizzle", "shower", "雨", "雷"),
    "snow": ("snow", "sleet", "blizzard", "雪"), "sunny": ("sun", "clear", "晴"),
    "cloudy": ("cloud", "overcast", "阴", "多云"), "windy": ("wind", "gale", "风"),
}  # fmt: skip
_SUCCESS = re.compile(
    r"\b(?:succe\w+|works?|worked|goes well|went well|is ok|passes|passed)\b|成功|顺利", re.I
)
_FAILURE = re.compile(r"\b(?:fails?|failed|goes wrong|error)\b|失败|出错", re.I)
_EMPTY = re.compile(
    r"\bempty\b|\bnothing\b|\bno (?:results?|files?|matches|items?)\b|为空|空的|没有结果", re.I
)
_CONTAINS = re.compile(
    r"\b(?:contains?|includes?|mentions?|says?|has|have|there (?:is|are)"
    r"|there's)\b\s*(?P<w>.+)|(?:包含|含有|提到|里有|中有|有)(?P<c>.+)",
    re.I,
)
_EXISTS = re.compile(
    r"there (?:is |are )?(?:already )?(?:an? |any )?(?:file|folder)s? (?:called "
    r"|named )?(?P<n>\S+)|"
    r"(?P<w>\S+)\s*(?:already )?(?:does not |doesn't |do not )?(?:exists?|is there"
    r"|is missing)\b|(?P<c>[^\s，]+?)\s*(?:已经|还)?(?:不)?存在",
    re.I,
)
_FALSE = ("no", "none", "false", "0", "not", "never", "无", "没有", "不")


def holds(condition: str, results: list[str], given: set[str] = frozenset()) -> bool | None:
    """Whether a condition is true of the results (latest counts first); None when they don't say.

    given: concepts of the calls' own arguments; that a result repeats them proves nothing.
    """
    for text in reversed(results):
        answer = _holds(condition, text, given)
        if answer is not None:
            return answer
    return None


def _holds(condition: str, text: str, given: set[str]) -> bool | None:
    negated, failed = bool(_NOT.search(condition)), error_of(text) is not None
    if re.search(r"is missing", condition, re.I):
        negated = not negated
    if _SUCCESS.search(condition):
        return failed if negated else not failed
    if _FAILURE.search(condition) and not _CONTAINS.search(condition):
        count = measured("failed", parsed(text)) if not failed and "fail" in text.lower() else None
        return (bool(count) or failed) != (negated or "nothing" in condition.lower())
    value = parsed(text)
    if _EMPTY.search(condition):
        empty = value in ("", [], {}, None, 0) or bool(
            re.match(r"\W*(?:empty|no |nothing)", text, re.I)
        )
        inverted = negated and not re.search(
            r"\bno (?:results?|files?|matches|items?)\b|没有结果", condition, re.I
        )
        return empty != inverted
    if (found := _COMPARE.search(condition)) and re.search(r"\d", condition):
        return None if failed else _compare(condition, found, value)
    if (equal := _EQUALS.search(condition)) and not failed:
        actual = measured(condition[: equal.start()], value)
        wanted = as_number(equal["n"] or equal["n2"])
        return None if actual is None else (actual == wanted) != bool(equal["no"] or equal["no2"])
    if (exists := _EXISTS.search(condition)) is not None:
        wanted = (exists["w"] or exists["c"] or exists["n"]).strip("'\"“”`")
        meant = wanted.lower() in ("it", "file", "它", "文件") or set(concepts(wanted)) <= given
        name = re.escape(wanted.rsplit("/", 1)[-1] or wanted)
        named = re.search(rf"(?<![\w-]){name}(?![\w-])", text, re.I)
        here = not failed and (meant or bool(named))
        return here != negated
    return None if failed else _said(condition, value, text, negated, given)


def _compare(condition: str, found: re.Match[str], value: Any) -> bool | None:
    limit = re.search(r"-?\d+(?:\.\d+)?", condition[found.end() :]) or re.search(
        r"-?\d+(?:\.\d+)?", condition
    )
    bound = as_number(limit[0])
    actual = measured(
        condition[: found.start()] + condition[found.start() + limit.end() :], value, condition
    )
    if actual is None:
        return None
    word = found[0].lower()
    result = actual < bound if found["less"] else actual > bound
    result = result or (word in _EQUAL and actual == bound)
    negated = bool(re.search(r"\bnot\b|n't\b", condition[: found.start()]))
    return result != negated


def measured(subject: str, value: Any, condition: str = "") -> int | float | None:
    """The number of a result that a phrase speaks of: by its key, else the only or first one."""
    wanted = set(concepts(subject)) | set(concepts(condition))
    wanted |= (
        {"temperature"}
        if re.search(r"degree|warm|hot|cold|cool|度|℃|热|冷", condition, re.I)
        else set()
    )
    numeric = [
        (k, v)
        for k, v in values_of(value)
        if isinstance(v, int | float) and not isinstance(v, bool)
    ]
    for key, leaf in numeric:
        keys = {concept(w) for w in words(key.replace("_", " "))} | {
            w for w in words(key.replace("_", " "))
        }
        if keys & wanted or ("temp" in keys and "temperature" in wanted):
            return leaf
    rest = numbers_of(value)
    return rest[0] if rest else None


def _said(condition: str, value: Any, text: str, negated: bool, given: set[str]) -> bool | None:
    contains = _CONTAINS.search(condition)
    if contains:
        wanted = (contains["w"] or contains["c"]).strip(" '\"“”`.吗")
        wanted = re.sub(
            r"^(?:the |a |an |any )?(?:word |text |line )?['\"“]?", "", wanted, flags=re.I
        )
        if wanted.lower() in text.lower():
            return not negated
    wanted = [c for c in concepts(condition) if c not in ("result", "weather", "then")]
    wanted = [c for c in wanted if c not in given] or wanted
    quoted = re.findall(r"[\"“'`]([^\"”'`]+)[\"”'`]", condition)
    if quoted:
        return (quoted[0].lower() in text.lower()) != negated
    if not wanted:
        return None
    hits = [_mentions(w, value, text) for w in wanted]
    known = [h for h in hits if h is not None]
    return any(known) != negated


def _mentions(name: str, value: Any, text: str) -> bool | None:
    """True or False where a result speaks of a concept; None where it is silent."""
    marks = (name, *_ALIKE.get(name, ()))
    answer = None
    for key, leaf in values_of(value):
        own = any(m in key.lower() for m in marks)
        if own and isinstance(leaf, bool):
            return leaf
        if own and isinstance(leaf, int | float):
            answer = leaf > (30 if re.search(r"chance|prob|percent|%|概率", key, re.I) else 0)
            continue
        if own and isinstance(leaf, str) and leaf.strip().lower() in _FALSE:
            return False
        for mark in marks:
            if isinstance(leaf, str) and (at := leaf.lower().find(mark)) >= 0:
                before = words(leaf[:at])[-3:]
                return not any(w in _FALSE for w in before) and not re.search(r"[不无]$", leaf[:at])
    if answer is None and name in {c for c in concepts(text[:5000])}:
        return True
    return answer
