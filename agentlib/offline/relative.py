"""Times told from now: "in two hours", 半小时后; and what a system message gives as now."""

from __future__ import annotations

import datetime as dt
import re

from agentlib.offline.dates import Moment, find_moments, number, stated_day

_COUNTS = re.split(" ", "one two three four five six seven eight nine ten eleven twelve")
_NUMBER = rf"\d+(?:\.\d+)?|an?(?: quarter of an)?|half an|a half|{'|'.join(_COUNTS)}"
_UNIT = r"(?P<u>hours?|hrs?|h|minutes?|mins?)\b"
_AHEAD = re.compile(
    rf"(?<!km )(?<!miles )(?<!\d )\bin (?:about )?(?P<n>{_NUMBER})[ -]{_UNIT}(?P<half> and a half)?"
    rf"(?!['’])|\b(?P<m>{_NUMBER})[ -]{_UNIT.replace('<u>', '<v>')} from now\b"
    r"|(?P<c>\d+|[零一二两三四五六七八九十]+|半)个?(?P<h>半)?(?P<w>小时|钟头|分钟)(?:之|以)?后",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?!\d)")
_SAID = re.compile(r"\b(?:today|date|time|it is|it's|now|current)\b|今天|日期|现在|时间", re.I)


def now_of(system: str, today: dt.date | None) -> dt.datetime:
    """The day and the minute that count as now: as the system message has it, else the clock's."""
    clock = dt.datetime.now()
    day, time = stated_day(system) or today or clock.date(), clock.time()
    for match in _CLOCK.finditer(system):
        if _SAID.search(system[max(0, match.start() - 40) : match.start()]) and int(match[1]) < 24:
            time = dt.time(int(match[1]), min(int(match[2]), 59))
            break
    else:
        told = [m for m in find_moments(system, day) if m.time]
        near = (m for m in told if _SAID.search(system[max(0, m.start - 40) : m.start]))
        time = next((m.time for m in near if m.time), time)
    return dt.datetime.combine(day, time.replace(second=0, microsecond=0))


def times_ahead(text: str, now: dt.date) -> list[Moment]:
    """The moments told from now; none where no time of day is known."""
    if not isinstance(now, dt.datetime):
        return []
    found = []
    for match in _AHEAD.finditer(text):
        unit = (match["u"] or match["v"] or match["w"]).lower()
        minutes = _count(match) * (60 if unit[0] in "h小钟" else 1)
        when = now + dt.timedelta(minutes=min(minutes, 60 * 24 * 365))
        found.append(Moment(*match.span(), when.date(), when.time(), match[0]))
    return found


def _count(match: re.Match[str]) -> float:
    text = (match["n"] or match["m"] or match["c"]).lower()
    extra = 0.5 if match["half"] or match["h"] else 0.0
    if "half" in text or text == "半":
        return 0.5
    if "quarter" in text:
        return 0.25
    if text in _COUNTS:
        return _COUNTS.index(text) + 1 + extra
    plain = 1.0 if text in ("a", "an") else float(text) if text[0].isdigit() else number(text)
    return plain + extra
