"""Dates and times in English and Chinese text, and how a schema wants them written."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

_MONTHS = "january february march april may june july august september october november december"
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTH = {m[:n]: i for i, m in enumerate(_MONTHS.split(), 1) for n in (3, len(m))}
_WORDS = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "tomorrow": 1, "today": 0, "tonight": 0,
    "yesterday": -1, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "大后天": 3, "后天": 2, "明天": 1, "明早": 1, "明晚": 1, "今天": 0, "今晚": 0, "昨天": -1,
}  # fmt: skip
_CN = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "日": 7, "天": 7}
_N = r"(\d{1,4}|[零一二两三四五六七八九十]{1,3})"
_MON = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY_WORDS = "|".join(w if not w.isascii() else rf"\b{w}\b" for w in _WORDS)
_DAY_NAMES = "|".join(_DAYS)
_DATE = re.compile(
    r"(?P<iso>(?<![A-Za-z0-9_-])\d{4}-\d{1,2}-\d{1,2}(?![\d-]))|(?P<slash>\b\d{4}/\d{1,2}/\d{1,2}\b)"
    rf"|(?P<cn>(?:(\d{{4}})年)?{_N}月{_N}[日号])"
    rf"|(?P<md>\b({_MON})\.?\s+(\d{{1,2}})"
    r"(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?)"
    rf"|(?P<dm>\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MON})\b(?:,?\s+(\d{{4}}))?)"
    rf"|(?P<word>{_DAY_WORDS})"
    rf"|(?P<in>\bin (\d+|a|two|three) (day|week)s?\b)|(?P<later>{_N}(天|周)后)"
    rf"|(?P<day>\b(?:(next|this|on|coming)\s+)?({_DAY_NAMES})\b)"
    r"|(?P<cnday>(下+|这|本)?(?:周|星期|礼拜)([一二三四五六日天]))"
    r"|(?P<week>\bnext week\b|下周)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?P<ampm>\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?)"
    r"|(?P<h24>(?:\b|(?<=\dT))(\d{1,2}):(\d{2})(?::\d{2})?\b)|(?P<clock>\b(\d{1,2})\s*o'?clock\b)"
    rf"|(?P<cn>(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚|早)?{_N}点(?:(半)|{_N}分?)?(?!钟后))"
    r"|(?P<noon>\bnoon\b|\bmidday\b|正午)|(?P<midnight>\bmidnight\b|午夜)"
    r"|(?P<at>(?<=\bat )(\d{1,2})(?= *(?:$|[,.;!?]"
    r"| (?:to|in|for|on|and|tomorrow|today|every|each|daily)\b)))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Moment:
    """A date, a time or both, and where it stands in the text."""

    start: int
    end: int
    date: dt.date | None = None
    time: dt.time | None = None
    text: str = ""


def stated_day(text: str) -> dt.date | None:
    """The day that a system message gives as today: "Today is 2026-11-30.", 今天是…; else None."""
    for match in _DATE.finditer(text):
        dated = match["iso"] or match["slash"] or re.search(r"\d{4}", match[0])
        before = text[max(0, match.start() - 40) : match.start()]
        if dated and re.search(r"\b(?:today|date|it is|it's|now)\b|今天|日期|现在", before, re.I):
            return _date(match, dt.date.min)
    return None


def number(text: str) -> int:
    """A number written in digits or in simple Chinese (up to 99)."""
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return _CN.get(tens, 1) * 10 + _CN.get(ones, 0)
    return _CN.get(text, 0)


def find_moments(text: str, today: dt.date) -> list[Moment]:
    """All dates and times of a text, in order."""
    found = []
    for match in _DATE.finditer(text):
        if (day := _date(match, today)) is not None:
            found.append(Moment(*match.span(), date=day, text=match[0]))
    for match in _TIME.finditer(text):
        taken = any(m.start < match.end() and match.start() < m.end for m in found)
        if not taken and (time := _time(match)) is not None:
            found.append(Moment(*match.span(), time=time, text=match[0]))
    return sorted(found, key=lambda m: m.start)


def _date(match: re.Match[str], today: dt.date) -> dt.date | None:
    kind, groups = match.lastgroup, [g for g in match.groups()[1:] if g is not None]
    kind = next(k for k, v in match.groupdict().items() if v is not None)
    try:
        return _read_date(kind, match[kind], groups, today)
    except (ValueError, KeyError, OverflowError):
        return None


def _read_date(kind: str, text: str, groups: list[str], today: dt.date) -> dt.date | None:
    low = text.lower()
    if kind in ("iso", "slash"):
        return dt.date(*map(int, re.split(r"[-/]", text)))
    if kind == "cn":
        numbers = [number(n) for n in re.findall(_N, text)]
        return dt.date(*numbers) if len(numbers) == 3 else _coming(*numbers, today)
    if kind in ("md", "dm"):
        month = _MONTH[re.search(r"[a-z]{3}", re.sub(r"\d+(st|nd|rd|th)?", "", low))[0]]
        numbers = [int(n) for n in re.findall(r"\d+", low)]
        return dt.date(numbers[1], month, numbers[0]) if numbers[1:] else _coming(
            month, numbers[0], today
        )  # fmt: skip
    if kind == "word":
        return today + dt.timedelta(days=_WORDS[low])
    if kind in ("in", "later"):
        count = {"a": 1, "two": 2, "three": 3}.get(groups[-2].lower()) or number(groups[-2])
        return today + dt.timedelta(days=count * (7 if groups[-1] in ("week", "周") else 1))
    if kind == "week":
        return today + dt.timedelta(days=7 - today.weekday())
    name = low.split()[-1]
    day = _DAYS.index(name) if name in _DAYS else number(low[-1]) - 1
    return _weekday(day, low.startswith(("next", "下")), today, kind == "cnday")


def _weekday(day: int, next_week: bool, today: dt.date, calendar: bool) -> dt.date:
    if next_week:
        return today + dt.timedelta(days=7 - today.weekday() + day)
    ahead = (day - today.weekday()) % 7
    return today + dt.timedelta(days=ahead if ahead or calendar else 7)


def _coming(month: int, day: int, today: dt.date) -> dt.date:
    found = dt.date(today.year, month, day)
    return found if found >= today else dt.date(today.year + 1, month, day)


def _time(match: re.Match[str]) -> dt.time | None:
    kind = next(k for k, v in match.groupdict().items() if v is not None)
    text = match[kind].lower()
    if kind in ("noon", "midnight"):
        return dt.time(12 if kind == "noon" else 0)
    numbers = [number(n) for n in re.findall(_N, text)]
    hour, minute = numbers[0], numbers[1] if numbers[1:] else (30 if "半" in text else 0)
    late = re.search(r"\dp|\sp|[下傍晚]", text) or ("中午" in text and hour < 3)
    if late and hour < 12:
        hour += 12
    elif hour == 12 and re.search(r"\d\s*a|凌晨", text):
        hour = 0
    return dt.time(hour, minute) if hour < 24 and minute < 60 else None


_DAY_SHAPE = re.compile(r"YYYY([-/]?)MM\1DD|\d{4}([-/])\d\d\2\d\d", re.IGNORECASE)
_CLOCK_SHAPE = re.compile(r"HH:MM(:SS)?|(?<!\d)\d\d:\d\d(:\d\d)?", re.IGNORECASE)


def shape_of(hints: str) -> str | None:
    """A strftime pattern where a schema's text or examples show how a moment is written."""
    day = _DAY_SHAPE.search(hints)
    clock = _CLOCK_SHAPE.search(hints, day.end() if day else 0)
    if not day and not clock:
        return "%Y-%m-%d" if re.search(r"\bISO\b", hints) else None
    mark = (day[1] or day[2] or "") if day else ""
    date = mark.join(("%Y", "%m", "%d")) if day else ""
    if not clock:
        return date
    between = hints[day.end() : clock.start()] if day else ""
    time = "%H:%M:%S" if clock[1] or clock[2] else "%H:%M"
    return f"{date}{between}{time}" if between in ("T", " ", "") else f"{date} {time}"
