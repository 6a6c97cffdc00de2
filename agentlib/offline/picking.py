"""Which entry of a result is meant: "the first", "the cheapest", 第二个."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.reading import numbers_of

POINTS = re.compile(
    r"\b(?:it|its|that|this|them|those|these|they|there|results?|outputs?|answers?|both|same"
    r"|which ones?)\b"
    r"|它|他们|结果|这个|那个|这些|那些|上面|该|那里",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"\b(?:(first|second|third|last|latest|newest)|(\d+)(?:st|nd|rd|th))\b|第([一二三1-9])"
    r"|最后一?个",
    re.I,
)
_ORDINAL = {"first": 0, "second": 1, "third": 2, "last": -1, "latest": -1, "newest": -1}
EXTREME = re.compile(
    r"\b(?P<low>cheapest|lowest|smallest|shortest|least|coldest|earliest)\b"
    r"|\b(?P<high>most expensive|highest|largest|biggest|longest|"
    r"most|warmest|hottest|best|top)\b|(?P<l>最便宜|最低|最小|最短|最冷)|(?P<h>最贵|最高"
    r"|最大|最长|最热|最好)",
    re.I,
)


def pick(entries: list[Any], text: str) -> Any:
    """The entry that "the first", 第二个 or "the cheapest" means; None when the text picks none."""
    files = [e for e in entries if not (isinstance(e, str) and e.strip().endswith("/"))]
    entries = files or entries
    if not entries:
        return None
    if (extreme := EXTREME.search(text)) and not all(isinstance(e, str) for e in entries):
        return _extreme(entries, bool(extreme["low"] or extreme["l"]))
    found = PLACE.search(text)
    if not found:
        return entries[0] if len(entries) == 1 and POINTS.search(text) else None
    if found[1]:
        at = _ORDINAL[found[1].lower()]
    elif found[2] or found[3]:
        digit = found[2] or found[3]
        at = "一二三".find(digit) if digit in "一二三" else int(digit) - 1
    else:
        at = -1
    return entries[at] if -len(entries) <= at < len(entries) else None


def _extreme(entries: list[Any], low: bool) -> Any:
    """The entry with the lowest or highest first number that is no id."""
    sized = []
    for entry in entries:
        plain = (
            {k: v for k, v in entry.items() if not k.endswith("id")}
            if isinstance(entry, dict)
            else {}
        )
        if numbers := numbers_of(plain):
            sized.append((numbers[0], entry))
    return (min if low else max)(sized, key=lambda s: s[0])[1] if sized else None
