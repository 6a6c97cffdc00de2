"""Text as a set of concepts: English stems and Chinese words, with the synonyms of the lexicon."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache

from agentlib.offline.lexicon import CITIES, NEAR, SAME, STOP, VERBS, WEAK, WHOLE

CJK = re.compile(r"[\u3400-\u9fff]")
_PIECE = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_chinese(text: str) -> bool:
    """True when the text holds enough Chinese characters to be answered in Chinese."""
    chinese = len(CJK.findall(text))
    return chinese > 0 and chinese * 3 >= len(re.findall(r"[A-Za-z]+", text))


def stem(word: str) -> str:
    """A plain English stem: plural, -ing and -ed endings cut off."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("'s"):
        word = word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            if base[-1] == base[-2] and base[-1] not in "sld":
                base = base[:-1]
            return base
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bare(word: str) -> str:
    return word[:-1] if word.isascii() and len(word) > 3 and word.endswith("e") else word


def _build() -> tuple[dict[str, str], dict[str, str]]:
    exact: dict[str, str] = {}
    stems: dict[str, str] = {}
    for name, others in SAME.items():
        for word in (name, *others):
            exact.setdefault(word, name)
            stems.setdefault(_bare(stem(word)), name)
    return exact, stems


_EXACT, _STEMS = _build()
_TOWNS = {zh: en for en, names in CITIES.items() for zh in names}
_CHINESE = {w for w in (*_EXACT, *STOP, *WEAK, *_TOWNS, *WHOLE) if CJK.match(w)}
_LONGEST = max(map(len, _CHINESE))


@lru_cache(maxsize=8192)
def concept(word: str) -> str:
    """The concept a word stands for; a word nobody knows stands for its stem."""
    word = word.lower()
    if word in _EXACT:
        return _EXACT[word]
    short = word.removesuffix("'s")
    if len(short) <= 3 and short.isascii():  # Tim is not "time" without its end
        return _EXACT.get(short, short)
    root = _bare(stem(word))
    return _STEMS.get(root) or (_bare(stem(word)) if word.isascii() else word)


_NEAR = {concept(name): tuple(map(concept, others)) for name, others in NEAR.items()}


def chinese_words(run: str) -> list[str]:
    """Longest known words first; what nobody knows stays together as one piece."""
    words, unknown, at = [], "", 0
    while at < len(run):
        for size in range(min(_LONGEST, len(run) - at), 0, -1):
            if run[at : at + size] in _CHINESE:
                break
        else:
            unknown, at = unknown + run[at], at + 1
            continue
        if run[at : at + size] in WHOLE or _ends_word(run, at, size, unknown):
            unknown, at = unknown + run[at : at + size], at + size  # 人工智能: not "can"
            continue
        if run[at] == "都" and size == 1 and len(unknown) == 1:
            unknown, at = unknown + "都", at + 1  # 成都: not "all"
            continue
        if run[at] in "上中里" and size == 1 and _unknown_at(run, at + 1):
            unknown, at = unknown + run[at : at + 2], at + 2  # 上海, 中国: not a preposition
            continue
        if unknown:
            words, unknown = [*words, unknown], ""
        words.append(run[at : at + size])
        at += size
    return [*words, unknown] if unknown else words


def _ends_word(run: str, at: int, size: int, unknown: str) -> bool:
    """A modal verb that no verb follows ends the word before it: 太阳能, 社会是什么."""
    if size > 1 or run[at] not in "能会要" or not unknown:
        return False
    after = run[at + 1 : at + 2]
    return not after or after in "是的吗呢吧啊和与有怎什了多"


def _unknown_at(run: str, at: int) -> bool:
    sizes = range(1, min(_LONGEST, len(run) - at) + 1)
    return at < len(run) and not any(run[at : at + n] in _CHINESE for n in sizes)


def words(text: str) -> list[str]:
    """The words of a text or an identifier, in lower case and in order."""
    found: list[str] = []
    text = re.sub(r"\blook(s|ed|ing)? up\b", "lookup", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(check|log|sign) (out|in|up)\b", r"\1\2", text, flags=re.IGNORECASE)
    for piece in _PIECE.findall(_CAMEL.sub(" ", text)):
        found += chinese_words(piece) if CJK.match(piece) else [piece.lower()]
    return found


def placed_words(text: str) -> list[tuple[str, int, int]]:
    """(word, start, end) of every word as it is written, Chinese runs cut into their words."""
    found: list[tuple[str, int, int]] = []
    for match in re.finditer(r"[A-Za-z0-9][A-Za-z0-9_.-]*|[\u3400-\u9fff]+", text):
        at = match.start()
        for piece in chinese_words(match[0]) if CJK.match(match[0]) else [match[0]]:
            found.append((piece, at, at + len(piece)))
            at += len(piece)
    return found


@lru_cache(maxsize=4096)
def concepts(text: str) -> tuple[str, ...]:
    """The concepts of a text in order, each once, without the words that say nothing."""
    found: dict[str, None] = {}
    for word in words(text):
        if word not in STOP and not word.isdigit():
            found[concept(word)] = None
    return tuple(found)


def weight(name: str) -> float:
    """How much one concept says about what is wanted, 0.3 or 1."""
    return 0.3 if name in WEAK else 1.0


def near(name: str) -> tuple[str, ...]:
    """Concepts that hang together with this one."""
    return _NEAR.get(name, ())


def is_known(word: str) -> bool:
    """True for a word of the lexicon, a stop word or a weak word."""
    return (
        word in _EXACT
        or word in STOP
        or word in WEAK
        or word in VERBS
        or stem(word) in NEAR
        or _bare(stem(word)) in _STEMS
    )


def city_names(name: str) -> tuple[str, ...]:
    """A city's names in the other language: Beijing for 北京, and the other way round."""
    if name in _TOWNS:
        return (_TOWNS[name],)
    return next((zh for en, zh in CITIES.items() if en.lower() == name.strip().lower()), ())


def nearest(word: str, choices: list[str], cutoff: float = 0.75) -> str | None:
    """The closest of the choices in spelling, in any case; None when nothing is close."""
    folded = {c.lower(): c for c in reversed(choices)}
    if word.lower() in folded:
        return folded[word.lower()]
    found = get_close_matches(word.lower(), list(folded), n=1, cutoff=cutoff)
    return folded[found[0]] if found else None
