"""A task's text as steps, each with the condition it hangs on."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agentlib.offline.lexicon import VERBS
from agentlib.offline.values import _EMAIL, _PATH, _QUOTE, _URL
from agentlib.offline.words import concept, is_known, words

_FILL = "\ue000"  # stands for a character of something that must not be split
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=\S)|[;；。！？\n]+|(?<=\s)(?=\d[.)]\s+[A-Z\u3400-\u9fff])|(?<=\w)[!?](?=\S)|\.$"
)
_THEN = re.compile(
    r",?\s*\b(?:and\s+)?(?:then|after that|afterwards|finally|lastly)\b,?\s*|,\s*(?:and|but)\s+also\s+"
    r"|[，,、]?\s*(?:然后|接着|随后|最后|之后再|并且|并把|同时|另外|还有|此外)\s*[，,]?\s*"
    r"|[，,]\s*(?:再|并|就)(?!且)\s*",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*,?\s+(?:and|&|but)\s+(?:also\s+)?|,\s+|[，]\s*|\s*再(?=\S{2})|\s*并(?=\S{2})",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^\s*(?:\d{1,2}[.)、]|[-*•]|第[一二三四五六七八九十]步[，,：:]?|step \d+[:.]?|(?:first|firstly|next|second|secondly|third)\b,?|首先|先)\s*",
    re.IGNORECASE,
)
_BEFORE_IF = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:if|unless|when)\b[^,]+(?:,|\bthen\b))|,\s*(?=(?:if|unless)\b[^,]+,)"
    r"|[，,]\s*(?=(?:但|而)?(?:如果|要是|若是|假如|只要))",
    re.IGNORECASE,
)
_BEFORE_IF = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:if|unless|when)\b[^,]+(?:,|\bthen\b))|,\s*(?=(?:if|unless)\b[^,]+,)"
    r"|[，,]\s*(?=(?:但|而)?(?:如果|要是|若是|假如|只要))",
    re.IGNORECASE,
)
_IF_FRONT = re.compile(
    r"^\s*(?:and |but )?(?P<word>if|when|in case|as long as|provided|unless)\b\s*(?P<cond>.+?)"
    r"(?:\s*,\s*(?:then\s+)?|\s+then\s+)(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_IF_BACK = re.compile(
    r"^(?P<rest>.+?)\s*,?\s+(?:but )?(?:only )?\b(?P<word>if|unless|in case)\b\s+(?P<cond>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_IF_CN = re.compile(
    r"^\s*(?:但)?(?P<word>如果|要是|若是|假如|倘若|若|只要|当)(?P<cond>.+?)(?:的话)?(?:[，,]\s*(?:那么|那|就|则)?|(?:那么|就|则))(?P<rest>.+)$",
    re.DOTALL,
)
_IF_CN_LATE = re.compile(
    r"^\s*(?P<cond>[^，,]{1,20})的话[，,]?\s*(?:那么|那|就|则)?(?P<rest>.+)$", re.DOTALL
)
_ELSE = re.compile(
    r"^\s*(?:or\s+|if not,?\s*|otherwise,?\s*|else,?\s*|否则的话|否则|不然的话|不然|要不然)[，,]?\s*",
    re.IGNORECASE,
)
_ASKING = set("me check see know out us tell verify".split())  # in front of "if": whether
_QUESTION = set("what how who when where which is does do will are can".split())


@dataclass(frozen=True)
class Step:
    """One thing to do. condition: the text after "if"; negated: "unless" or "otherwise"."""

    text: str
    condition: str | None = None
    negated: bool = False


def mask(text: str) -> str:
    """The text with quotes, URLs, paths and addresses blanked out, of the same length."""
    text = _PATH.sub(lambda m: re.sub(r"[!-~]", _FILL, m[0]) if m[0].strip("./") else m[0], text)
    for pattern in (_QUOTE, _URL, _EMAIL):
        text = pattern.sub(lambda m: _FILL * len(m[0]) if m[0].strip("./") else m[0], text)
    text = re.sub(r"(?<=\d)[.,](?=\d)", _FILL, text)
    return re.sub(r"\b([ap])\.m\.?(?=\W|$)", lambda m: _FILL * len(m[0]), text, flags=re.I)


def split_steps(text: str) -> list[Step]:
    """The steps of a task in order; never empty for a text with words in it."""
    steps: list[Step] = []
    for sentence in _cut(text, _SENTENCE):
        steps += _sentence_steps(_NUMBERING.sub("", sentence), steps)
    return [s for s in steps if re.search(r"\w", s.text)]


def _cut(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Pieces of the text between matches of the pattern, looked for in the masked text."""
    at, pieces = 0, []
    for match in pattern.finditer(mask(text)):
        end = match.start() + (1 if match[0][:1] in ("!", "?") else 0)
        pieces.append(text[at:end])
        at = match.end()
    pieces.append(text[at:])
    return [p.strip() for p in pieces if p.strip()]


def _sentence_steps(sentence: str, earlier: list[Step]) -> list[Step]:
    steps: list[Step] = []
    for clause in _cut(sentence, _BEFORE_IF):
        steps += _clause_steps(clause, [*earlier, *steps])
    return steps


def _clause_steps(sentence: str, earlier: list[Step]) -> list[Step]:
    otherwise = _ELSE.match(sentence)
    if otherwise and (last := next((s for s in reversed(earlier) if s.condition), None)):
        rest = _plain_steps(sentence[otherwise.end() :])
        return [replace(s, condition=last.condition, negated=not last.negated) for s in rest]
    masked = mask(sentence)
    for pattern in (_IF_CN, _IF_CN_LATE, _IF_FRONT, _IF_BACK):
        found = pattern.match(masked)
        if not found or _asks_whether(masked, found, pattern):
            continue
        condition = sentence[slice(*found.span("cond"))].strip(" ,，.。?？")
        negated = found.groupdict().get("word", "").lower() == "unless"
        return _with_condition(sentence[slice(*found.span("rest"))], condition, negated, pattern)
    return _plain_steps(sentence)


def _asks_whether(masked: str, found: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """ "Tell me if it rains", "check if a.txt exists": a question, not a condition."""
    if pattern is not _IF_BACK:
        return False
    before = found["rest"].lower().split()
    return bool(before) and before[-1] in _ASKING


def _with_condition(
    rest: str, condition: str, negated: bool, pattern: re.Pattern[str]
) -> list[Step]:
    pieces = re.split(
        r"[,，;；]?\s*(?:\b(?:otherwise|or else|else|if not)\b|否则|不然)[，,]?\s*",
        rest,
        maxsplit=1,
    )
    steps = _plain_steps(pieces[0])
    if pattern is _IF_BACK:  # "read a.txt and send it if ..." binds the last step only
        steps = [*steps[:-1], replace(steps[-1], condition=condition, negated=negated)]
    else:
        nested = [s.condition is None for s in steps]
        steps = [
            replace(s, condition=condition, negated=negated) if free else s
            for s, free in zip(steps, nested, strict=True)
        ]
    if len(pieces) > 1:
        other = _plain_steps(pieces[1])
        steps += [replace(s, condition=condition, negated=not negated) for s in other]
    return steps


def _plain_steps(text: str) -> list[Step]:
    steps: list[Step] = []
    for part in _cut(text, _THEN):
        inner = _IF_CN.match(part) or _IF_FRONT.match(part)
        if inner and part != text:
            steps += _sentence_steps(part, steps)
        else:
            steps += [Step(p.strip()) for p in _split_and(_NUMBERING.sub("", part))]
    return steps or [Step(text)]


def _split_and(text: str) -> list[str]:
    """Cut at "and" or a comma only where a new instruction or question starts."""
    masked, pieces, at = mask(text), [], 0
    for match in _AND.finditer(masked):
        before, after = masked[at : match.start()], masked[match.end() :]
        if before.strip() and _starts_step(after, match[0]) and not _is_preamble(before):
            pieces.append(text[at : match.start()])
            at = match.end()
    return [*pieces, text[at:]]


def _is_preamble(text: str) -> bool:
    low = [w for w in words(text)]
    return len(low) <= 2 and all(is_known(w) and concept(w) not in VERBS for w in low)


def _starts_step(after: str, mark: str) -> bool:
    found = words(after[:60])
    while found and found[0] in (
        "please",
        "also",
        "can",
        "could",
        "you",
        "then",
        "请",
        "帮我",
        "把",
        "再",
        "给",
        "并",
        "就",
    ):
        found = found[1:]
    if not found or (len(found) == 1 and _FILL not in after and "，" not in mark):
        return False
    if found[0].split("'")[0] in _QUESTION or found[0] == "whats":
        return len(found) > 1
    if re.match(r"\s*[A-Z]\w*\s+[A-Z]", after) or found[0] == "new":
        return False  # a name: "Oslo and New York"
    return found[0] in VERBS or concept(found[0]) in VERBS
