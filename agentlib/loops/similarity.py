"""How alike two calls' arguments are, from 0 to 1; the same number from either side.

The mean over the keys of both calls: a key that only one of them has counts 0. Texts are compared
by their characters, in any case. Two texts with different numbers in them are different things
(page 1 and page 2, chapter1.txt and chapter2.txt) and count 0, as long as numbers matter.
"""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from typing import Any

COMPARED = 300  # characters of a text that are looked at, half of them from each end


def similarity(a: Any, b: Any, *, numbers_matter: bool = True) -> float:
    """1.0 for equal arguments, 0.0 for unlike ones. Dicts compare by key, the rest as text."""
    if a == b:
        return 1.0
    if isinstance(a, dict) and isinstance(b, dict):
        keys = a.keys() | b.keys()
        both = a.keys() & b.keys()
        return sum(similarity(a[k], b[k], numbers_matter=numbers_matter) for k in both) / len(keys)
    return _of_texts(_text(a), _text(b), numbers_matter)


def _of_texts(a: str, b: str, numbers_matter: bool) -> float:
    if numbers_matter and re.findall(r"\d+", a) != re.findall(r"\d+", b):
        return 0.0
    first, second = sorted((_ends(a.casefold()), _ends(b.casefold())))  # ratio() has an order
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=repr)


def _ends(text: str) -> str:
    half = COMPARED // 2
    return text if len(text) <= COMPARED else text[:half] + text[-half:]
