"""Where arguments come from: a step's text, what of it is used, and what surrounds it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline.patterns import JOINT
from agentlib.offline.values import Found, Value, find_values
from agentlib.offline.words import concept


@dataclass
class Source:
    """Where values come from: the step's text, and what is known from around it."""

    text: str
    today: dt.date
    skip: frozenset[str] = frozenset()  # words of the tool's name and verbs: never an argument
    context: str = ""  # earlier text of the task, for a date or a place not repeated
    given: dict[str, Any] = field(default_factory=dict)  # values known for a parameter by name
    writing: bool = False  # the tool writes a text: of two paths it wants the target
    numbers_wanted: int = 0  # required numbers: a bare number is theirs before it is an id
    acts: bool = False  # the tool changes something: its time of day is not guessed
    told: frozenset[str] = frozenset()  # words of the tool's description
    texts_wanted: int = 0  # required texts: a quote is theirs before it is a name
    required: int = 0  # how many parameters must be found
    single: bool = False  # several parameters want this kind: one value each
    last: bool = False  # leftover words may be taken now
    nouns: frozenset[str] = frozenset()  # names of the tool's parameters
    found: Found = field(init=False)
    used: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.found = find_values(self.text, self.today)

    def free(self, *kinds: str) -> list[Value]:
        """Values of these kinds whose place in the text is not used yet."""
        return [v for v in self.found.of(*kinds) if self.is_free(v.start, v.end)]

    def is_free(self, start: int, end: int) -> bool:
        return not any(s < end and start < e for s, e in self.used)

    def take(self, *spans: Value | tuple[int, int]) -> None:
        for span in spans:
            self.used.append((span.start, span.end) if isinstance(span, Value) else span)


@dataclass
class Several:
    """Values that each want a call of their own."""

    values: list[Any]


class Soft(str):
    """Leftover words: a value only when nothing better is found."""


def one_or_more(values: list[Value], source: Source, needed: bool) -> Any:
    """One value, or several that the text puts side by side ("a.txt and b.txt")."""
    if not values:
        return None
    group = side_by_side(values, source) if needed and not source.single else values[:1]
    source.take(*group)
    unique = list(dict.fromkeys(v.value for v in group))
    return Several(unique) if len(unique) > 1 else unique[0]


def side_by_side(values: list[Value], source: Source) -> list[Value]:
    group = values[:1]
    for value in values[1:]:
        gap = source.text[group[-1].end : value.start]
        noun = re.match(r"\s+([a-z]+)(?=\s|,)", gap)  # the desk lamp and the floor lamp
        if noun and concept(noun[1]) in source.skip | source.told:
            gap = gap[noun.end() :]
        if not JOINT.fullmatch(gap):
            break
        group.append(value)
    return group
