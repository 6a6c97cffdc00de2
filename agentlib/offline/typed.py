"""Values that are known by their looks: URLs, addresses, paths, patterns, commands."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.schemas import SHAPES
from agentlib.offline.source import Source, one_or_more
from agentlib.offline.values import Value
from agentlib.offline.words import CJK, is_known


def typed(*kinds: str) -> Any:
    def extractor(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
        return one_or_more(source.free(*kinds), source, needed)

    return extractor


_INTO = re.compile(
    r"(?:\b(?:to|into|as)|到|进|入)\s*(?:the\s+)?(?:file\s+)?['\"`]?$", re.IGNORECASE
)
_IN = re.compile(r"(?:\bin|在|为)\s*(?:the\s+)?(?:file\s+)?['\"`]?$", re.IGNORECASE)


_IS_THERE = re.compile(
    r"\b(?:is|are) there\b|\bexists?\b|\bdo (?:i|we|you) have\b|有没有|存在|有.+吗", re.IGNORECASE
)


def _folder_of(found: list[Value], source: Source) -> str:
    """Where the one file that a question is about would lie; "" when it is about no file."""
    files = [v.value for v in found if re.search(r"\w\.\w+$", v.value)]
    folders = [v.value for v in found if v.value not in files]
    if len(files) != 1:
        return ""
    last = re.search(r"\bin\s+(?:the\s+|my\s+)?([\w-]+)\W*$", source.text)
    said = [last[1]] if last and not is_known(last[1].lower()) else []
    return next(iter([*folders, *said]), files[0].rpartition("/")[0] or ".")


def path(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A path; a tool that writes text takes the one behind "to" or "into", else behind "in"."""
    found = source.free("path")
    lists = needed and source.skip & {"list", "directory"} and "file" not in source.skip
    if lists and _IS_THERE.search(source.text) and (folder := _folder_of(found, source)):
        source.take(*found)
        return folder
    if source.writing and len(found) > 1:
        for mark in (_IN, _INTO):
            found.sort(key=lambda v, m=mark: not m.search(source.text[: v.start]))
        found = found[:1]
    if not found and lists:
        return "."  # a listing of no folder in particular
    return one_or_more(found, source, needed)


def matching(schema: dict[str, Any], text: str) -> list[Value]:
    """Words of the text that match a schema's pattern or format."""
    wanted = re.compile(schema.get("pattern") or SHAPES[schema["format"]])
    hits, loose = [], bool(wanted.search("word"))
    for match in re.finditer(r"[A-Za-z0-9_@#./:+-]+", text):
        word = match[0] if wanted.fullmatch(match[0]) else match[0].rstrip(".,:;")
        plain = loose and not re.search(r"[\dA-Z]", word)
        if wanted.search(word) and not plain:
            hits.append(Value("pattern", word, match.start(), match.start() + len(word)))
    return hits


def pattern(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A word or a quote that matches the schema's pattern."""
    wanted = re.compile(schema.get("pattern") or SHAPES[schema["format"]])
    hits = [h for h in matching(schema, source.text) if source.is_free(h.start, h.end)]
    hits += [v for v in source.free("quote") if wanted.search(v.value)]
    return one_or_more(hits, source, needed)


def phone(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A telephone number: six digits or more, with a plus, blanks, dashes or brackets."""
    hits = [
        Value("phone", m[0].strip(), m.start(), m.start() + len(m[0].strip()))
        for m in re.finditer(r"(?<![A-Za-z0-9_.])\+?\d[\d ()-]{4,}\d", source.text)
        if source.is_free(*m.span())
    ]
    return one_or_more(hits, source, needed)


def command(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A quoted command, or what follows "run" when it looks like one."""
    if quotes := source.free("quote"):
        return one_or_more(quotes[:1], source, needed)
    match = re.search(
        r"(?:\b(?:run|execute|exec)|运行|执行)(?:\s+(?:the\s+)?(?:shell\s+)?(?:command"
        r"|命令))?\s*[:：]?\s*(?P<c>[^，。；]+)",
        source.text,
        re.IGNORECASE,
    )
    text = match["c"].strip().rstrip(".") if match else ""
    text = re.sub(r"^(?:the )?(?:command\s+)?", "", text, flags=re.I)
    text = re.sub(r"\s+(?:command|in the (?:shell|terminal))$", "", text, flags=re.I)
    if (
        not text
        or not needed
        or CJK.search(text)
        or text.split()[0].lower() in ("a", "it", "that", "this", "some")
    ):
        return None
    source.take(match.span("c"))
    return text
