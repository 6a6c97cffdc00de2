"""How people point at a value: "city: Paris", "with the text", "from A to B", "把 A 改成 B"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentlib.offline.schemas import hints_of, kind_of
from agentlib.offline.values import Value
from agentlib.offline.words import concept, concepts, is_known, nearest, stem, words

if TYPE_CHECKING:
    from agentlib.offline.filling import Source

JOINT = re.compile(
    r"\s*(?:,?\s*\b(?:and|or|vs\.?|versus|with|plus)\b|[,&+、，]|和|与|跟|及|以及|还有)\s*(?:(?:and|in|the|for|of|at|\w+ (?:of|in|for))\s+)*",
    re.I,
)
NUMBER_WORDS = {
    w: i for i, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]) if i > 1
} | {"eleven": 11, "twelve": 12, "dozen": 12, "twenty": 20, "hundred": 100} | {
    c: i for i, c in enumerate("零一二三四五六七八九十") if i
} | {"两": 2}  # fmt: skip
NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|hundred)\b"
    r"|[一两二三四五六七八九十](?=[个张件份条次位只本台盒瓶天人间晚])(?!个?下)",
    re.I,
)
CONTENT_MARK = re.compile(
    r"(?:\b(?:saying|that says|which says|(?:with|and|using) (?:the |a )?(?:text|contents?|message|body|words?|note)"
    r"|containing|that contains|reading|to say|telling (?:him|her|them|us))\b(?:\s+that)?"
    r"|(?:正文|内容|文字|文本)(?:为|是|写|：|:)+|写着|写上|并写入|说)\s*[:：]?\s*",
    re.I,
)
_LIMIT = {
    "limit",
    "max",
    "top",
    "count",
    "k",
    "n",
    "size",
    "maximum",
    "number",
    "quantity",
    "amount",
}
_LIMIT_MARK = re.compile(
    r"\b(?:top|first|at most|up to|only|limit(?: to)?|maximum|max)\s*$|(?:前|最多)\s*$", re.I
)

_SIDES = {
    "max": re.compile(r"\b(?:under|below|less than|cheaper than|at most|up to|max\w*(?: of)?)\W*$|不超过\W*$", re.I),
    "min": re.compile(r"\b(?:over|above|more than|at least|from|min\w*(?: of)?)\W*$|至少\W*$|超过\W*$", re.I),
}  # fmt: skip


def enum_hits(choices: list[Any], hints: str, source: Source) -> list[Value]:
    """Where the text names an enum value, or a word that the description ties to one."""
    hits: list[Value] = []
    for choice in choices:
        for spelling in (str(choice), *_aliases(str(choice), hints)):
            span = _find_word(spelling, source)
            if span:
                hits.append(Value("enum", choice, *span))
                break
    hits = hits or _enum_by_meaning(choices, source)
    hits.sort(key=lambda v: (v.start, v.start - v.end))
    return [h for i, h in enumerate(hits) if not any(h.overlaps(o) for o in hits[:i])]


def _find_word(spelling: str, source: Source) -> tuple[int, int] | None:
    shape = re.escape(spelling.strip()).replace("_", r"[ _-]").replace(r"\-", r"[ _-]")
    edge = r"(?<![A-Za-z0-9_])" if spelling[:1].isascii() else ""
    for match in re.finditer(
        rf"{edge}{shape}" + (r"(?![A-Za-z0-9_])" if edge else ""), source.text, re.I
    ):
        if source.is_free(*match.span()):
            return match.span()
    return None


def _aliases(choice: str, hints: str) -> list[str]:
    """`Beijing (北京)`, `logistics: 物流, delivery`, `北京=Beijing` in a description."""
    name = re.escape(choice)
    found = re.findall(
        rf"(?<!\w){name}['\"]?\s*(?:[(（]|[:：=]|\bmeans\b|表示)\s*([^,;，；)）|.。]+)", hints, re.I
    )
    found += re.findall(rf"([\u3400-\u9fff]+)\s*[(（:：=]\s*['\"]?{name}(?!\w)", hints, re.I)
    return [p.strip() for f in found for p in re.split(r"[/、]|\bor\b", f) if len(p.strip()) > 1]


def _enum_by_meaning(choices: list[Any], source: Source) -> list[Value]:
    """A word of the same stem or concept ("daily" for "day"), or a slip of the keyboard."""
    by_concept = {concept(str(c)): c for c in choices if len(words(str(c))) == 1}
    hits = []
    for match in re.finditer(r"[A-Za-z]{3,}|[\u3400-\u9fff]+", source.text):
        if not source.is_free(*match.span()):
            continue
        found = [concept(w) for w in words(match[0])]
        hit = next((by_concept[c] for c in found if c in by_concept), None)
        if hit is None and len(match[0]) > 3 and not is_known(match[0].lower()):
            close = nearest(match[0], [str(c) for c in choices], 0.8)
            hit = next((c for c in choices if str(c) == close), None) if close else None
        if hit is not None:
            hits.append(Value("enum", hit, *match.span()))
    return hits


def enum_in(schema: dict[str, Any], text: str) -> Any:
    """The one enum value that a text names, or None."""
    for choice in schema["enum"]:
        spellings = [str(choice), *_aliases(str(choice), hints_of(schema))]
        if any(re.search(re.escape(s), text, re.I) for s in spellings):
            return choice
    close = nearest(text.strip(), [str(c) for c in schema["enum"]])
    return next((c for c in schema["enum"] if str(c) == close), None) if close else None


def mentions(name: str, text: str) -> bool:
    """True when the text holds one of the parameter's own words."""
    own = {concept(w) for w in words(name.replace("_", " "))}
    return bool(own & set(concepts(text)))


def stands_beside(name: str, schema: dict[str, Any], value: Value, text: str) -> bool:
    """True when the words next to a value are the parameter's name or its description's unit."""
    before, after = text[max(0, value.start - 24) : value.start], text[value.end : value.end + 18]
    own = {stem(w) for w in words(name.replace("_", " "))}
    if own & _LIMIT and _LIMIT_MARK.search(before):
        return True
    for side, mark in _SIDES.items():
        if side in own and mark.search(before):
            return True
    around = {stem(w) for w in words(before)[-3:] + words(after)[:2]} | {
        concept(w) for w in words(before)[-3:] + words(after)[:2]
    }
    told = {stem(w) for w in words(hints_of(schema)) if len(w) > 3}
    first = {stem(w) for w in words(after)[:1]}
    return bool(own & around) or bool(told & first) or any(concept(o) in around for o in own)


def names_one(name: str, source: Source) -> bool:
    """True for a number that names a thing ("user_id", "ticket"), not an amount."""
    own = set(words(name.replace("_", " ")))
    return (
        bool(own & {"id", "no", "number", "code", "index", "page"}) or concept(name) in source.skip
    )


def with_lead(name: str, value: Value, source: Source) -> tuple[int, int]:
    """The value's span with the words that lead to it: "with a maximum price of 10"."""
    own = "|".join(re.escape(w) for w in words(name.replace("_", " ")))
    lead = re.search(
        rf"(?:\b(?:with|for|at|and|under|below|over|above|most|least|up|to|less|more|cheaper|than|a|an|the|of|is|"
        rf"maximum|minimum|top|first|{own})\s+)+$", source.text[: value.start], re.I
    )  # fmt: skip
    start = value.start - len(lead[0]) if lead else value.start
    return (start, value.end) if source.is_free(start, value.start) else (value.start, value.end)


def yes_or_no(name: str, schema: dict[str, Any], needed: bool, source: Source) -> bool | None:
    """A boolean's value where the text speaks of it; "turn off", "without", "不" make it False."""
    text, own = (
        source.text,
        [w for w in words(name.replace("_", " ")) if w not in ("is", "include", "with")],
    )
    if (
        {"on", "enabled", "enable", "state", "active", "power", "open"} & set(own)
        or needed
        and len(own) == 1
    ):
        if re.search(r"\b(?:off|disable\w*|deactivate)\b|关", text, re.I):
            return False
        if re.search(r"\b(?:on|enable\w*|activate)\b|开", text, re.I):
            return True
    for word in own:
        found = next(
            (m for m in re.finditer(r"[\w'-]+", text) if concept(m[0]) == concept(word)), None
        )
        if found:
            before = text[max(0, found.start() - 16) : found.start()]
            if found[0].lower().startswith(("un", "dis", "de")) and not word.startswith(
                found[0].lower()[:3]
            ):
                return False
            return not re.search(
                r"\b(?:no|not|non|without|don't|never|exclude)\b|不|无", before, re.I
            )
    return None


_CHINESE_NAMES = {
    "title": ("主题", "标题"),
    "content": ("内容", "正文"),
    "person": ("姓名", "名字"),
}


def named_value(
    name: str, schema: dict[str, Any], source: Source, coerce: Callable[[Any, dict[str, Any]], Any]
) -> Any:
    """`city: Paris`, `limit=5`, `subject "Hello"`, `subject Hello and body ...`."""
    kind = kind_of(name, schema)
    if kind in ("array", "object", "old", "new", "boolean"):
        return None
    shape = re.escape(name).replace("_", r"[ _-]?")
    shape = "|".join((shape, *_CHINESE_NAMES.get(kind, ())))
    short = len(name) < 3 or name in (
        "from",
        "when",
        "name",
        "what",
        "date",
        "time",
        "text",
        "content",
    )
    link = r"\s*[=:：]\s*" if short else r"\s*(?:[=:：]|\bis\b|\bof\b|为|是)?\s*"
    value = r"(?P<q>\"[^\"]+\"|'[^']+'|“[^”]+”|「[^」]+」)|(?P<w>[^\s,;，；。]+)"
    for match in re.finditer(
        rf"(?<![A-Za-z0-9_-])(?:{shape})(?P<link>{link})(?:{value})", source.text, re.I
    ):
        strong = bool(match["link"].strip())
        text = match["q"][1:-1] if match["q"] else match["w"].rstrip(".?!")
        plain = kind in ("number", "id", "pattern") and re.search(r"\d", text)
        if not (
            match["q"]
            or plain
            or (strong and match["link"].strip() in "=:：为是" and kind != "moment")
        ):
            continue
        group = "q" if match["q"] else "w"
        if source.is_free(*match.span(group)) and (found := coerce(text, schema)) is not None:
            source.take(match.span(group))
            return found
    return None


def listed(name: str, source: Source) -> list[Value]:
    """The words of a list behind the parameter's name or a colon: "tags: red, green and blue"."""
    own = "|".join(
        re.escape(w) for w in {*words(name), *(stem(w) for w in words(name))} if len(w) > 2
    )
    match = re.search(
        rf"(?:(?:\b(?:{own or 'items'})s?\b(?:\s*[:：=]|\s+are)?)|[:：])\s*(?P<l>[^.;。；]+)",
        source.text,
        re.I,
    )
    if not match or not re.search(r"[A-Za-z\u3400-\u9fff]", match["l"]):
        match = re.search(
            r"\b(?:with|using|from|for|of|containing|to)\s+(?P<l>[^.;。；]+)|[用把](?P<c>.+)",
            source.text,
            re.I,
        )
    if not match:
        return []
    group = "l" if match["l"] else "c"
    return _pieces_of_list(match[group], match.start(group), source)


def _pieces_of_list(text: str, at: int, source: Source) -> list[Value]:
    hits = []
    for piece in re.split(r"(\s*,\s*and\s+|\s*[,，、]\s*|\s+and\s+|和)", text):
        stop = re.search(r"\s+(?:to|in|for|on|at|with)\b", piece)
        word = piece[: stop.start()] if stop else piece
        if word.strip() and not JOINT.fullmatch(piece) and source.is_free(at, at + len(word)):
            hits.append(Value("listed", word.strip(), at, at + len(word)))
        at += len(piece)
        if stop:
            break
    return hits


def after_marker(source: Source, mark: re.Pattern[str]) -> str | None:
    """What follows a marker: the quote behind it, else everything up to the step's end."""
    match = mark.search(source.text)
    if not match or not source.is_free(*match.span()):
        return None
    for quote in source.free("quote"):
        if quote.start - match.end() in (0, 1):
            source.take(quote, match.span())
            return quote.value
    text = source.text[match.end() :]
    stop = re.search(r"\s+(?:to|into|in) (?:the )?(?:file )?\S+\.\w{1,4}$", text)
    text = text[: stop.start()] if stop else text
    if not source.is_free(match.end(), match.end() + len(text)):
        return None
    source.take((match.start(), match.end() + len(text)))
    return text.strip().rstrip("。.") or None


def after_colon(source: Source) -> str | None:
    """What stands behind the last colon of a step, to its end."""
    match = re.search(r"(?<=[^\d\s])\s*[:：]\s*(?P<t>[^\s/].*?)[。.]?\s*$", source.text, re.DOTALL)
    if not match:
        return None
    moments = [v for v in source.found.of("moment") if v.start >= match.start("t")]
    taken = set(source.used) - {(m.start, m.end) for m in moments}
    if any(s < match.end("t") and match.start("t") < e for s, e in taken):
        return None
    text = source.text[match.start("t") : match.end("t")]
    for found in moments:  # "add a todo: hand in the report tomorrow"
        if (found.start, found.end) in source.used:
            text = text.replace(found.value.text, "").strip(" ,，")
    source.take(match.span("t"))
    return text
