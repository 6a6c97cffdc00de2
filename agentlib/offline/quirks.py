"""Faults of a model and of its service, switched on by name: `quirks=("malformed_json",)`.

A quirk that spoils a call does so in the first turn of calls after a user's message, so that the
model can mend it once it has read the error. All but the counting ones look at nothing but the
request: the same request gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from agentlib.offline import quirk_effects as effects
from agentlib.offline import spoiling
from agentlib.offline.drafts import Draft

Request = dict[str, Any]


@dataclass(frozen=True)
class Quirk:
    """What a quirk does, in words, and how.

    value: what `name:value` sets when only `name` is given; it may be a number or a word.
    refuse(request, value, count): raises `Refusal` or `Dropped`; count is 1 for the first request.
    spoil(draft, request, value): changes the draft. delay, pause: seconds before the answer and
    between the pieces of a stream.
    """

    description: str
    value: str = ""
    refuse: Callable[[Request, str, int], None] | None = None
    spoil: Callable[[Draft, Request, str], None] | None = None
    slows: str | None = None


@dataclass(frozen=True)
class Active:
    """A quirk that is switched on, with its value."""

    name: str
    quirk: Quirk
    value: str


def switch_on(names: str | Iterable[str]) -> tuple[Active, ...]:
    """The quirks for names such as "malformed_json" or "rate_limited:3" (or a comma list)."""
    given = names.split(",") if isinstance(names, str) else names
    return tuple(_switch_on(name.strip()) for name in given if name.strip())


def _switch_on(text: str) -> Active:
    name, _, value = text.partition(":")
    if name not in QUIRKS:
        raise ValueError(f"unknown quirk {name!r}; there are: {', '.join(QUIRKS)}")
    quirk = QUIRKS[name]
    if value and not quirk.value:
        raise ValueError(f"quirk {name!r} takes no value; write it without ':{value}'")
    value = value or quirk.value
    if name == "bad_arguments":
        if value not in ("all", *spoiling.KINDS):
            kinds = ", ".join(spoiling.KINDS)
            raise ValueError(f"quirk 'bad_arguments' knows no kind {value!r}; there are: {kinds}")
    elif value and not _is_positive(value):
        raise ValueError(f"quirk {name!r} takes a number above 0, as in '{name}:{quirk.value}'")
    return Active(name, quirk, value)


def _is_positive(text: str) -> bool:
    try:
        return 0 < float(text) < 1e9
    except ValueError:
        return False


QUIRKS: dict[str, Quirk] = {
    "malformed_json": Quirk(
        "arguments that are not JSON, once", spoil=effects.spoil_first("not_json")
    ),
    "cut_off": Quirk(
        'arguments cut in the middle, finish_reason "length", once',
        spoil=effects.first_attempt(effects.cut_off),
    ),
    "made_up_tool": Quirk(
        "a call of a tool that is not there, once",
        spoil=effects.first_attempt(effects.made_up_tool),
    ),
    "wrong_type": Quirk(
        "an argument of a wrong type, once", spoil=effects.spoil_first("wrong_type")
    ),
    "extra_key": Quirk("an argument nobody declared, once", spoil=effects.spoil_first("extra")),
    "missing_key": Quirk(
        "a required argument left out, once", spoil=effects.spoil_first("missing")
    ),
    "bad_arguments": Quirk(
        "every kind of bad arguments, one per turn; `bad_arguments:KIND` for one kind, once: "
        + ", ".join(spoiling.KINDS),
        "all",
        spoil=effects.bad_arguments,
    ),
    "repeat_call": Quirk("the same call again and again, without end", spoil=effects.repeat_call),
    "repeat_until_warned": Quirk(
        "the same call again and again, until a result says that it is a loop",
        spoil=effects.repeat_until_warned,
    ),
    "ping_pong": Quirk("two calls in turn, A, B, A, B, without end", spoil=effects.ping_pong),
    "duplicate_ids": Quirk("every call has the same id", spoil=effects.duplicate_ids),
    "rate_limited": Quirk(
        "429 with Retry-After for the first request, or the first N",
        "1",
        refuse=effects.rate_limited,
    ),
    "server_error": Quirk(
        "500 for the first request, or the first N", "1", refuse=effects.server_error
    ),
    "dropped": Quirk(
        "the connection closes without an answer, for the first request or the first N",
        "1",
        refuse=effects.dropped,
    ),
    "wrong_key": Quirk(
        "401 for every request, as for a key that is wrong", refuse=effects.wrong_key
    ),
    "context_length": Quirk(
        "400 context_length_exceeded for a prompt over 2,000 tokens, or over N",
        "2000",
        refuse=effects.context_length,
    ),
    "slow": Quirk("2 seconds, or N, before every answer", "2", slows="delay"),
    "slow_stream": Quirk("0.1 seconds, or N, between a stream's pieces", "0.1", slows="pause"),
}
