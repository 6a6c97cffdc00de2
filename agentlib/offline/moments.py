"""Dates and times as the schema wants them written."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from agentlib.offline.dates import shape_of
from agentlib.offline.schemas import hints_of
from agentlib.offline.source import Source
from agentlib.offline.values import Value, find_values
from agentlib.offline.words import words


def moment(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A date, a time or both, written the way the schema wants it."""
    found = source.free("moment")
    wants = moment_form(name, schema)
    if wants == "%H:%M" or wants == "%H:%M:%S":
        found = [v for v in found if v.value.time]
    elif "%H" not in wants:
        found = [v for v in found if v.value.date]
    if not found:
        return None
    first, spans = found[0].value, [found[0]]
    date, time = first.date, first.time
    for other in found[1:]:
        if date is None and other.value.date:
            date = other.value.date
        elif time is None and other.value.time and "%H" in wants:
            time = other.value.time
        else:
            continue
        spans.append(other)
    source.take(*spans)
    if date is None and "%Y" in wants:
        around = [m.value.date for m in find_values(source.context, source.today).of("moment")]
        date = next((d for d in reversed(around) if d), None)
    exact = bool(schema.get("format") or shape_of(hints_of(schema)))
    if needed and source.acts and exact and time is None and "%H" in wants:
        return None  # tomorrow, but when?
    return _written(date, time, wants, schema, spans, source)


def moment_form(name: str, schema: dict[str, Any]) -> str:
    """The strftime pattern wanted: by format, by hints, else by the parameter's name."""
    by_format = {"date": "%Y-%m-%d", "date-time": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M:%S"}
    form = by_format.get(schema.get("format", "")) or shape_of(hints_of(schema))
    if form:
        return form
    parts = set(words(name.replace("_", " ")))
    if parts & {"date", "day", "日期"}:
        return "%Y-%m-%d"
    if "time" in parts and not re.search(r"date|日期", hints_of(schema), re.I):
        return "%H:%M"
    return "%Y-%m-%d %H:%M"


def _written(
    date: dt.date | None,
    time: dt.time | None,
    form: str,
    schema: dict[str, Any],
    spans: list[Value],
    source: Source,
) -> str:
    exact = bool(schema.get("format") or shape_of(hints_of(schema)))
    if not exact and re.search(r"tomorrow|明天", hints_of(schema), re.I) and date and time is None:
        return spans[0].value.text  # the schema takes words for dates
    if "%Y" in form and "%H" in form and not exact:
        form = "%Y-%m-%d %H:%M" if date and time else "%Y-%m-%d" if date else "%H:%M"
    when = dt.datetime.combine(date or source.today, time or dt.time(0))
    return when.strftime(form)
