"""What is left of a step when values, politeness and the tool's own words are gone."""

from __future__ import annotations

import re

from agentlib.offline.lexicon import POLITE
from agentlib.offline.source import Source
from agentlib.offline.words import CJK, chinese_words, concept, concepts

_TAIL = re.compile(
    r"(?:[\s,，]*(?:\b(?:please|for me|now|to|into|in|at|on|by|as|with|and|from|for|the"
    r"|called|named|file|mean)"
    r"|吗|呢|吧|是什么|怎么样|是多少|有哪些|到|在|里|中|的))+[\s?？.。!！,，]*$",
    re.I,
)


_SUBJECT = re.compile(  # "have any books by Frank Herbert", "articles about bees"
    r"^\s*(?:have\s+)?(?:any\s+|some\s+|all\s+)?(?:new\s+)?(?:books?|articles?|papers?|posts?|songs?"
    r"|movies?|films?|recipes?|pictures?|things?|something|anything|stuff|entries)\s+"
    r"(?:by|about|on|from|of|for|with)\s+",
    re.IGNORECASE,
)


_IS = re.compile(
    r"\s*(?:is|are|what (?:does|do)|how (?:much|long|far|old|big) (?:does|do|is|are))\s",
    re.IGNORECASE,
)


_PACKS = re.compile(
    r"^\s*(?:packs?|packets?|pieces?|bottles?|cups?|bags?|box(?:es)?|copies|pairs?|slices?|cans?)\s+of\s+",
    re.IGNORECASE,
)


def remainder(source: Source) -> str:
    """What is left of the step when used values, politeness and the tool's own words are gone."""
    text = source.text
    spans = [*source.used, *((m.start, m.end) for m in source.found.of("moment"))]
    for start, end in spans:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    text = re.sub(
        r"(?:,?\s*\b(?:at most|up to|the first|the top|top|maximum|limit|at|on|by|in|for|to"
        r"|from|with)\s+(?:the\s+)?)?['\"`“”]?\x00+['\"`“”]?",
        " ",
        text,
        flags=re.I,
    )
    text = _without_end(_without_front(text.strip(), source), source)
    text = re.sub(r"^\W*(?:in|at|on|from|with|by|of|into|as)\s+(?:the\s+)?", "", text, flags=re.I)
    text = _strip_back(_TAIL.sub("", " ".join(text.split())), source.skip | source.told)
    text = _TAIL.sub("", text).strip(" .,;:!?，。；：！？、\"'")
    text = re.sub(r",\s*(?:starting|beginning|from|until|[A-Z]\w+)$", "", text)
    named = re.search(r"(?:^|,?\s+)(?:(?:with|the|a)\s+)*([a-z_]+)$", text)
    if named and named[1] in source.nouns and source.used:
        text = text[: named.start()]  # ", subject", whose value is taken
    last = re.search(r"\s+([a-z]+)$", text)
    if (
        last
        and concept(last[1]) in source.skip
        and re.search(rf"\b(?:the|my)\s+{re.escape(text)}", source.text)
    ):
        text = text[: last.start()]  # "cancel the yoga event"
    return text


def _without_front(text: str, source: Source) -> str:
    """Without the request's verb and the kind of thing asked for."""
    text = _strip_front(re.sub(r"^\W*look up\b", "", text, flags=re.I), source.skip)
    where = re.match(
        r"\s*(?:(?:the|latest|newest|recent|current)\s+)*([A-Za-z]+)\s+(?:for|about|on)\s+(?=\S)",
        text,
    )
    if where and concept(where[1]) in source.told:  # "search the encyclopedia for ..."
        text = re.sub(r"^an?\s+", "", text[where.end() :])
    text = _PACKS.sub("", _SUBJECT.sub("", text))
    verb = re.match(r"\s*([A-Za-z]+)\s+(?:an?|the|my)\s+", text)
    if verb and concept(verb[1]) in source.told:  # "how often should I water a fern"
        text = _strip_front(text[verb.end() :], source.skip)  # "record an expense for tea"
    return text


def _without_end(text: str, source: Source) -> str:
    """Without where it is to be looked for or put, and without what is asked of it."""
    own = source.told | source.skip
    where = re.search(r"\s+(?:to|into|onto|in|on|from)\s+(?:my|the|our|your)\s+([\w -]+)$", text)
    if where and set(concepts(where[1])) <= own | {"list"}:
        text = text[: where.start()]  # "... to my todo list"
    end = re.search(r"\s+([a-z]+)\W*$", text) if _IS.match(source.text) else None
    if end and concept(end[1]) in source.told:  # "is the basil dry?"
        text = text[: end.start()]
    tail = re.compile(r"\s+(?:in|on|from|at|with)\s+(?:the\s+|my\s+)?([A-Za-z]+)\W*$")
    while (found := tail.search(text)) and concept(found[1]) in own:
        text = text[: found.start()]  # "... in the encyclopedia"
    return text


def _strip_front(text: str, skip: frozenset[str]) -> str:
    lead = re.compile(r"\s*(?:[A-Za-z][\w'-]*|[\u3400-\u9fff]+|[,:;，：、])")
    while match := lead.match(text):
        piece = match[0].strip()
        if CJK.match(piece):
            first = chinese_words(piece)[0]
            if re.match(r"给.{1,6}?(?:打|发|写|寄|买|送|做)", piece):
                break  # 给安娜打电话
            if first not in POLITE and concept(first) not in skip:
                break
            text = text[match.end() - len(piece) + len(first) :]
            continue
        if (
            piece.isalpha()
            and piece.lower() not in POLITE
            and concept(piece) not in skip
            and "'" not in piece
        ):
            break
        if (
            piece[0].isalpha()
            and not piece.isalpha()
            and piece.lower() not in POLITE
            and "'" not in piece
        ):
            break
        text = text[match.end() :]
    return text


def _strip_back(text: str, skip: frozenset[str]) -> str:
    """Chinese puts the verb behind: 把你好写入 a.txt."""
    while run := re.search(r"[\u3400-\u9fff]+$", text):
        last = chinese_words(run[0])[-1]
        if last not in "到在里中进的成为作" and concept(last) not in skip:
            break
        text = text[: -len(last)]
    return text
