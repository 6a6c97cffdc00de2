"""Reading tool results: is it an error and of what kind, and what values does it hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentlib.offline.words import concept, concepts, words

_DENIED = re.compile(
    r"\b(?:denied|refused|declined|rejected|forbidden|not (?:allowed|approved|permitted|confirmed)"
    r"|did ?n[o']t (?:allow|approve|confirm|permit|agree)|said no|lacks? (?:the )?permission"
    r"|needs? (?:the permission|a second factor)|nothing was sent|was not run)\b"
    r"|拒绝|不允许|未批准|没有权限",
    re.IGNORECASE,
)
_BY_USER = re.compile(
    r"^\W*(?:denied|refused|declined|rejected)\b|\b(?:user|person|human|operator)\b[^.]{0,40}"
    r"\b(?:denied|refused|declined|rejected|said no|did not (?:allow|approve|confirm))"
    r"|用户.{0,6}(?:拒绝|不同意|取消)|^已?拒绝",
    re.IGNORECASE,
)
_KINDS = (
    (
        "loop",
        r"\bloop(?:ing)?\b|repeat(?:ed|ing)\b.{0,30}\bcalls?\b|same call|in a row|consecutive"
        r"|循环|重复调用",
    ),
    (
        "transient",
        r"connection (?:refused|reset|error|aborted)|time[d ]?[- ]?out|timeout|rate.?limit"
        r"|too many requests|temporar|unavailable|overloaded|\b(?:429|50[0234])\b"
        r"|(?<!not )try again|超时|稍后",
    ),
    ("denied", _DENIED.pattern),
    (
        "unknown_tool",
        r"(?:unknown|no such|not? (?:registered|known|found|available)|there is no|no) "
        r"(?:tool|function)\b|(?:tool|function) ['\"`]?[\w.-]+['\"`]? (?:is |was )?"
        r"(?:not (?:found|known|registered|available)|unknown|does ?n[o']t exist)"
        r"|未知(?:的)?工具|没有.{0,12}(?:这个)?工具",
    ),
    (
        "json",
        r"\b(?:not (?:valid |be )?|no |must be )(?:one |a )?json\b|json breaks|invalid json"
        r"|json\w*decode|could not parse|cut off|malformed|不是有效的? ?json",
    ),
    (
        "missing",
        r"no such file|not found|does ?n[o']t exist|no file|cannot find|can't find|filenotfound"
        r"|不存在|找不到|没有找到",
    ),
    ("invalid", r"."),
)
_OFFER = re.compile(
    r"(?:one of|available|tools(?: there are)?|known|valid|allowed|choose from|options?|expected|"
    r"did you mean|supported|registered|exist\w*|only|可选|可用|支持"
    r"|现有)[^:：\[(]{0,40}[:：\[(]?\s*(?P<l>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LAST_LIST = re.compile(r"[:：]\s*(?P<l>[^:：]*[,，、][^:：]*)$", re.DOTALL)


@dataclass(frozen=True)
class Trouble:
    """An error result: its kind, its message, and the names it quotes or lists."""

    kind: str
    message: str
    listed: tuple[str, ...] = ()


def parsed(text: str) -> Any:
    """The result's JSON value, or the text itself."""
    stripped = text.strip()
    if stripped[:1] in ("{", "[") or re.fullmatch(r"-?\d+(?:\.\d+)?|true|false|null", stripped):
        try:
            return json.loads(stripped)
        except ValueError:
            return text
    return text


def error_of(text: str) -> str | None:
    """The message of an error result, or None for a good one."""
    if re.match(
        r"\s*(?:[^\w{\[]{0,3}error\b|错误|\[error\]|traceback \(most)", text, re.IGNORECASE
    ):
        return (
            re.sub(r"^\s*\W{0,3}(?:error|错误)\W?\s*[:：]?\s*", "", text, flags=re.I).strip()
            or text
        )
    if len(text) < 400 and _BY_USER.search(text):
        return text.strip()
    value = parsed(text)
    if isinstance(value, dict):
        found = value.get("error")
        if isinstance(found, dict):
            return str(found.get("message", found))
        if found and found is not True:
            return str(found)
        if found is True or value.get("status") in ("error", "denied") or value.get("ok") is False:
            return str(value.get("message") or value.get("reason") or text)
    return None


def trouble_of(text: str) -> Trouble | None:
    """What kind of error a result is; None for a good one."""
    message = error_of(text)
    if message is None:
        return None
    kind = next(
        k for k, shape in _KINDS if re.search(shape, message or " ", re.I | re.S) or k == "invalid"
    )
    return Trouble(kind, message, tuple(_listed(message)))


def is_warning(text: str) -> bool:
    """True for a result that warns of a loop without being an error."""
    return bool(
        re.match(r"\s*\W{0,3}(?:warning|警告)", text, re.I) and re.search(_KINDS[0][1], text, re.I)
    )


def _listed(message: str) -> Iterator[str]:
    """The names behind "one of", "available:" or the last colon: what is offered instead."""
    offers = [m["l"] for m in (_OFFER.search(message), _LAST_LIST.search(message)) if m]
    for offer in offers:
        for piece in re.split(r"[,，、;；\n\[\]()|?]|\bor\b|\band\b", offer):
            piece = piece.strip(" .'\"`:-")
            if piece and len(piece) < 60:
                yield piece


def values_of(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """All (key, leaf) pairs of a JSON value, in order, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from values_of(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from values_of(inner, name)
    else:
        yield name, value


def look_up(value: Any, name: str) -> Any:
    """The leaf whose key is the parameter's name, or means the same; None when there is none."""
    leaves = list(values_of(value))
    for key, leaf in leaves:
        if key.lower() == name.lower():
            return leaf
    own = [concept(w) for w in words(name)]
    for key, leaf in leaves:
        have = [concept(w) for w in words(key)]
        if have and (set(have) == set(own) or (have[-1] == own[-1] and len(have) * len(own) <= 2)):
            return leaf
    return None


def numbers_of(value: Any) -> list[int | float]:
    """The numbers of a result, from its JSON or its text."""
    if isinstance(value, str):
        found = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)", value)
        return [float(n) if "." in n else int(n) for n in found]
    leaves = [leaf for _, leaf in values_of(value)]
    return [v for v in leaves if isinstance(v, int | float) and not isinstance(v, bool)]


def names_of(value: Any) -> list[str]:
    """The entries of a listing: a JSON list of strings, or one name a line."""
    if isinstance(value, str):
        lines = (
            value.split("\n")
            if "\n" in value.strip()
            else re.split(r",\s*|\s{2,}|\s(?=\S+\.\w)", value)
        )
        return [ln.strip().lstrip("-* ") for ln in lines if ln.strip()]
    return [str(leaf) for _, leaf in values_of(value) if isinstance(leaf, str)]


def entries_of(value: Any) -> list[Any]:
    """The items of a result: a list, the first list inside an object, or the lines of a text."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return next((v for v in value.values() if isinstance(v, list)), [])
    return [ln for ln in str(value).splitlines() if ln.strip()]


def speaks_of(text: str, value: Any) -> int:
    """How many concepts of a text a result's keys and words share."""
    keys = " ".join(k for k, _ in values_of(value)) if not isinstance(value, str) else value[:2000]
    return len(set(concepts(text)) & set(concepts(keys.replace("_", " "))))
