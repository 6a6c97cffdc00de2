"""Cutting a sentence into steps: at "then", at "and" before a new instruction, at conditions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agentlib.offline.clauses import (
    AND,
    BEFORE_IF,
    ELSE,
    FILL,
    FORBIDDEN,
    IF_BACK,
    IF_CN,
    IF_CN_LATE,
    IF_FRONT,
    NUMBERING,
    OPEN_TEXT,
    RESTART,
    THEN,
    cut,
    mask,
)
from agentlib.offline.lexicon import NOUNS
from agentlib.offline.words import concept, is_known, words

_ASKING = {"me", "check", "see", "know", "out", "us", "tell", "verify"}  # before "if": whether


_OPENS_QUESTION = re.compile(
    r"(?:whats?|how|who|when|where|which|is|does|do|will|are|can)(?:'|$)", re.IGNORECASE
)


_LEAD = {"please", "also", "only", "just", "instead", "can", "could", "you", "then"} | set(
    ["只", "请", "帮我", "把", "再", "给", "并", "就"]
)


@dataclass(frozen=True)
class Step:
    """One thing to do, or not to do (forbidden).

    condition: the text after "if"; negated: "unless" or "otherwise".
    """

    text: str
    condition: str | None = None
    negated: bool = False
    forbidden: bool = False


def _asks_whether(masked: str, found: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """ "Tell me if it rains", "check if a.txt exists": a question, not a condition."""
    if pattern is not IF_BACK:
        return False
    before = found["rest"].lower().split()
    return bool(before) and before[-1] in _ASKING


@dataclass(frozen=True)
class Splitter:
    """Splits with one set of words that may open an instruction."""

    verbs: frozenset[str]
    nouns: frozenset[str] = frozenset()

    def sentence(self, sentence: str, earlier: list[Step]) -> list[Step]:
        steps: list[Step] = []
        for clause in cut(sentence, BEFORE_IF):
            steps += self._clause_steps(clause, [*earlier, *steps])
        return steps

    def _clause_steps(self, sentence: str, earlier: list[Step]) -> list[Step]:
        otherwise = ELSE.match(sentence)
        if otherwise and (last := next((s for s in reversed(earlier) if s.condition), None)):
            rest = self._plain_steps(sentence[otherwise.end() :])
            return [replace(s, condition=last.condition, negated=not last.negated) for s in rest]
        masked = mask(sentence)
        for pattern in (IF_CN, IF_CN_LATE, IF_FRONT, IF_BACK):
            found = pattern.match(masked)
            if not found or _asks_whether(masked, found, pattern):
                continue
            condition = sentence[slice(*found.span("cond"))].strip(" ,，.。?？")
            negated = found.groupdict().get("word", "").lower() == "unless"
            return self._with_condition(
                sentence[slice(*found.span("rest"))], condition, negated, pattern
            )
        if found := self._without_comma(masked):
            negated = found["word"].lower() == "unless"
            rest = sentence[found.end() :]
            return self._with_condition(
                rest, sentence[slice(*found.span("cond"))], negated, IF_FRONT
            )
        return self._plain_steps(sentence)

    def _without_comma(self, masked: str) -> re.Match[str] | None:
        """ "If it rains take an umbrella": cut at the first word that may open an instruction."""
        opening = "|".join(
            re.escape(v) for v in sorted(self.verbs, key=len, reverse=True) if v.isascii()
        )
        return re.match(
            rf"\s*(?P<word>if|unless)\s+(?P<cond>\S+(?:\s+\S+)+?(?<!\bnot)(?<!\bto)(?<!n't))\s+(?=(?:{opening})\b)",
            masked,
            re.IGNORECASE,
        )

    def _with_condition(
        self, rest: str, condition: str, negated: bool, pattern: re.Pattern[str]
    ) -> list[Step]:
        pieces = re.split(
            r"[,，;；]?\s*(?:\b(?:otherwise|or else|else|if not)\b|否则|不然)[，,]?\s*",
            rest,
            maxsplit=1,
        )
        steps = self._plain_steps(pieces[0])
        if pattern is IF_BACK:  # "read a.txt and send it if ..." binds the last step only
            steps = [*steps[:-1], replace(steps[-1], condition=condition, negated=negated)]
        else:
            nested = [s.condition is None for s in steps]
            steps = [
                replace(s, condition=condition, negated=negated) if free else s
                for s, free in zip(steps, nested, strict=True)
            ]
        if len(pieces) > 1:
            other = self._plain_steps(pieces[1])
            steps += [replace(s, condition=condition, negated=not negated) for s in other]
        return steps

    def _plain_steps(self, text: str) -> list[Step]:
        steps: list[Step] = []
        for part in cut(text, THEN):
            inner = IF_CN.match(part) or IF_FRONT.match(part)
            if inner and part != text:
                steps += self.sentence(part, steps)
            else:
                steps += [Step(p.strip()) for p in self._split_and(NUMBERING.sub("", part))]
        return steps or [Step(text)]

    def _split_and(self, text: str) -> list[str]:
        """Cut at "and" or a comma only where a new instruction or question starts."""
        masked, pieces, at = mask(text), [], 0
        for match in AND.finditer(masked):
            before, after = masked[at : match.start()], masked[match.end() :]
            if (
                before.strip()
                and self._may_part(before, match[0], after)
                and self._starts_step(before, after, match[0])
                and not self._is_preamble(before)
            ):
                pieces.append(text[at : match.start()])
                at = match.end()
        return [*pieces, text[at:]]

    @staticmethod
    def _may_part(before: str, mark: str, after: str) -> bool:
        """False in "don't read a.txt and delete it": both are forbidden."""
        return not FORBIDDEN.match(before) or "and" not in mark or bool(RESTART.match(after))

    def _is_preamble(self, text: str) -> bool:
        low = [w for w in words(text)]
        return len(low) <= 2 and all(is_known(w) and concept(w) not in self.verbs for w in low)

    def _starts_step(self, before: str, after: str, mark: str) -> bool:
        if "and" not in mark and OPEN_TEXT.search(before):
            return False  # "with the text: buy milk, call mum"
        if FORBIDDEN.match(after):
            return True
        found = words(after[:60])
        while found and found[0] in _LEAD:
            found = found[1:]
        if not found or (len(found) == 1 and FILL not in after and "，" not in mark):
            return False
        if _OPENS_QUESTION.match(found[0]):
            return len(found) > 1
        if re.match(r"\s*(?:text|message|sms|ping) (?:her|him|them|me|us|my|[A-Z])", after):
            return True
        if re.match(r"\s*[A-Z]\w*\s+[A-Z]", after) or found[0] == "new":
            return False  # a name: "Oslo and New York"
        if found[0].endswith("ing") and found[0] not in self.verbs:
            return False  # ", starting tomorrow"
        if found[0] in self.nouns and "and" not in mark or found[0] in NOUNS:
            return False
        if "and" not in mark and re.fullmatch(r"\s*\w+ (?:number |no\.? |id )?#?\d+\W*", after):
            return False  # "refund 12 EUR, order 7"
        return bool({found[0], concept(found[0])} & self.verbs)
