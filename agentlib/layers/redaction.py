"""Redaction: secrets out of a value before it is written down, by key and by pattern.

What is left is still the same kind of value: JSON stays JSON, also inside a string. A pattern
finds the shapes of known secrets; a secret that looks like any other word is found by its key only.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from agentlib.results import to_text

HIDDEN = "[redacted]"
LONGEST = 20_000  # characters of one text that are looked at; the rest is left out

_WORDS = (
    r"pass[-_ ]?(?:word|wd|phrase|code)|pwd|secret(?!ar)|credential|authorization|cookie|cvv|cvc"
    r"|(?:api|access|private|signing|encryption|session)[-_ ]?(?:key|id)|(?:card)[-_ ]?number"
    r"|token(?!s\b|[-_ ]?(?:count|limit|usage|iz))|bearer|密码|口令|密钥|令牌"
)
_KEY = re.compile(rf"(?:{_WORDS})|^(?:x[-_])?auth$|^otp$|^pin$", re.IGNORECASE)
_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,20}[-_]){0,4}[A-Za-z0-9]{12,}"  # OpenAI, Stripe, …
    r"|\b(?:gh[a-z]|github_pat|glpat|hf|xox[a-z])[-_][A-Za-z0-9_-]{10,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?"  # JSON Web Token
    r"|(?<=://)[^\s/:@]{0,200}:[^\s/@]{1,200}(?=@)"  # user:password@ in an address
    r"|(?<=\s-u\s)\S{1,200}:\S{1,200}"  # curl -u user:password
    r"|\b(?<=bearer\s)[A-Za-z0-9._~+/=-]{6,}|\b(?<=basic\s)[A-Za-z0-9+/=]{6,}",
    re.DOTALL | re.IGNORECASE,
)
_PAIR = re.compile(  # key: value, key=value, "key": "value, \\"key\\": \\"value, --key value
    rf"(?P<key>(?:{_WORDS})[\w-]{{0,40}}(?:\\*[\"'])?\s{{0,9}}[:=：]\s{{0,9}}"
    rf"|(?<![\w-])--?[\w-]{{0,20}}(?:{_WORDS})\s)"
    r"(?:(?P<quote>[\"'])(?:\\.|(?!(?P=quote)).)*(?P<end>(?P=quote))?"
    r"|(?P<escaped>\\+[\"'])(?:(?!(?<!\\)(?P=escaped)).)*(?P<escaped_end>(?P=escaped))?"
    r"|(?:(?:bearer|basic|token)\s+)?[^\s,;&\"'{}\[\]]+)",
    re.DOTALL | re.IGNORECASE,
)


def is_secret_key(key: str) -> bool:
    """True for a name such as "apiKey", "X-Auth-Token" or "db_password"."""
    return bool(_KEY.search(key))


def redact(value: Any) -> Any:
    """A copy of `value` that JSON can say, without secrets; texts are cut at 20,000 characters."""
    try:
        return _redact(value)
    except RecursionError:  # nested deeper than Python walks: its text is looked at instead
        return redact_text(to_text(value))


def _redact(value: Any) -> Any:
    if isinstance(value, dict):
        return _redact_dict(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        items = list(value)
        if len(items) == 2 and isinstance(items[0], str) and is_secret_key(items[0]):
            return [items[0], _hide(items[1])]  # a header as a pair
        return [_redact(item) for item in items]
    if isinstance(value, str):
        return _redact_string(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no NaN
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _redact_string(to_text(value))


def _redact_dict(value: dict[Any, Any]) -> dict[str, Any]:
    named = value.get("name", value.get("key", value.get("header")))
    pair = isinstance(named, str) and is_secret_key(named)  # {"name": "Cookie", "value": …}
    return {
        redact_text(str(k)): _hide(v)
        if is_secret_key(str(k)) or (pair and k == "value")
        else _redact(v)
        for k, v in value.items()
    }


def _hide(value: Any) -> Any:
    return value if value is None or isinstance(value, bool) or value == "" else HIDDEN


def _redact_string(text: str) -> str:
    if text.lstrip()[:1] in ("{", "[", '"') and len(text) <= LONGEST:
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            return redact_text(text)
        return json.dumps(_redact(parsed), ensure_ascii=False)  # a key given twice is gone, too
    return redact_text(text)


def redact_text(text: str) -> str:
    """Plain or broken text without the secrets that patterns and `key: value` pairs show."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}[cut, {len(text)} characters]"
    return _SHAPES.sub(HIDDEN, _PAIR.sub(_hide_pair, text))


def _hide_pair(match: re.Match[str]) -> str:
    begin, end = match["quote"] or match["escaped"], match["end"] or match["escaped_end"]
    return f"{match['key']}{begin or ''}{HIDDEN}{end or ''}"
