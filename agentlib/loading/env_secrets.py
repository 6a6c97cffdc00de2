"""Secrets in headers: `${NAME}` in the file, the value from the environment, never in any text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from urllib.parse import quote

from agentlib.layers.redaction import HIDDEN, is_secret_key, redact_text

_NAME = re.compile(r"\$\{([^}]*)\}")


def names_in(text: str) -> list[str]:
    """The names of a text's `${NAME}` places."""
    return _NAME.findall(text)


def read_secret(name: str) -> str:
    """The environment variable's value without blanks around it.

    ValueError: not set, empty, or nothing a header can carry. The value is never in the message.
    """
    value = os.environ.get(name, "").strip() if name else ""
    if not value:
        raise ValueError(f"the environment variable {name} is not set. Set it, then load again.")
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"the environment variable {name} has characters no header can carry.")
    return value


def fill(text: str) -> tuple[str, list[str]]:
    """The text with every `${NAME}` replaced, and the values that were put in."""
    values = {name: read_secret(name) for name in names_in(text)}
    return _NAME.sub(lambda match: values[match[1]], text), list(values.values())


def find_literal(header: str, value: str) -> bool:
    """True when a header seems to hold a secret that does not come from the environment."""
    if not value or names_in(value):
        return False
    return is_secret_key(header) or redact_text(value) != value


def scrub(text: str, values: Iterable[str]) -> str:
    """The text without the values, also where a server sent them back escaped."""
    for value in sorted(values, key=len, reverse=True):
        for form in {value, json.dumps(value)[1:-1], quote(value, safe=""), quote(value)}:
            text = text.replace(form, HIDDEN)
    return text
