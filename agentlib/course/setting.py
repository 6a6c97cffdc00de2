"""The model's setting for a few lines of a lesson: lent, and put back afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def setting(**values: str | None) -> Iterator[None]:
    """Set OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL within a block; None unsets.

    values: by the ends of the names, `setting(api_key="k", model=None)`. What is not named stays.
    """
    names = {f"OPENAI_{name.upper()}": value for name, value in values.items()}
    before = {name: os.environ.get(name) for name in names}
    try:
        _change(names)
        yield
    finally:
        _change(before)


def _change(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
