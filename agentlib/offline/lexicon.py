"""The words the scripted model knows, read from lexicon.txt beside this module."""

from __future__ import annotations

from importlib.resources import files


def _sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for line in files(__package__).joinpath("lexicon.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line[1 : line.index("]")], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


def _groups(lines: list[str]) -> dict[str, tuple[str, ...]]:
    pairs = (line.partition(":") for line in lines)
    return {name: tuple(rest.split()) for name, _, rest in pairs}


_READ = _sections()
SAME = _groups(_READ["same"])  # concept -> the words that stand for it
NEAR = _groups(_READ["near"])  # concept -> concepts that hang together with it
STOP = frozenset(" ".join(_READ["stop"]).split())  # say nothing about the tool wanted
WEAK = frozenset(" ".join(_READ["weak"]).split())  # say little about it
VERBS = frozenset(" ".join(_READ["verbs"]).split())  # open an instruction
POLITE = frozenset(" ".join(_READ["polite"]).split())  # in front of a request, no part of it
NOUNS = frozenset(" ".join(_READ["nouns"]).split())  # Chinese: open no instruction
CITIES = _groups(_READ["cities"])  # English name -> Chinese names
WHOLE = frozenset(" ".join(_READ["whole"]).split())  # never cut, though a part is known
POINTING = frozenset(" ".join(_READ["pointing"]).split())  # only point at a result
