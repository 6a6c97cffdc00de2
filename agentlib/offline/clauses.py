"""Where a task may be cut: sentences, "then", "and", conditions; never inside quotes or paths."""

from __future__ import annotations

import re

from agentlib.offline.patterns import EMAIL, PATH, QUOTE, URL

FILL = "\ue000"  # stands for a character of something that must not be split
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|[;；。！？\n]+|(?<=\w)[!?](?=\S)|(?<!\.)\.$")
NUMBERED = re.compile(SENTENCE.pattern + r"|(?<=\s)(?=\d[.)]\s+[A-Z\u3400-\u9fff])")
THEN = re.compile(
    r",?\s*\b(?:and\s+)?(?:then|after that|afterwards|finally|lastly)\b,?\s*|,\s*(?:and"
    r"|but)\s+also\s+"
    r"|[，,、]?\s*(?:然后|接着|随后|最后|之后再|并且|并把|同时|另外|还有|此外)\s*[，,]?\s*"
    r"|[，,]\s*(?:再|并|就)(?!且)\s*",
    re.IGNORECASE,
)
AND = re.compile(
    r"\s*,?\s+(?:and|&|but)\s+(?:also\s+)?|,\s+|[，]\s*|\s*再(?=\S{2})|\s*并(?=\S{2})",
    re.IGNORECASE,
)
NUMBERING = re.compile(
    r"^\s*(?:\d{1,2}[.)、](?!\d)|[-*•]|第[一二三四五六七八九十]步[，,：:]?|step \d+[:.]?|(?:first"
    r"|firstly|next|second|secondly|third)\b,?|首先|先)\s*",
    re.IGNORECASE,
)
BEFORE_IF = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:if|unless)\b|when\b[^,]+(?:,|\bthen\b))|,\s*(?=(?:if|unless)\b[^,]+,)"
    r"|[，,]\s*(?=(?:但|而)?(?:如果|要是|若是|假如|只要))",
    re.IGNORECASE,
)
IF_FRONT = re.compile(
    r"^\s*(?:and |but )?(?P<word>if|when(?!\s+(?:does|do|did|is|are|was|will|can)\b)"
    r"|in case|as long as|provided|unless)\b\s*(?P<cond>.+?)"
    r"(?:\s*,\s*(?:then\s+)?|\s+then\s+)(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
IF_BACK = re.compile(
    r"^(?P<rest>.+?)\s*,?\s+(?:but )?(?:only )?\b(?P<word>if|unless|in case)\b\s+(?P<cond>.+)$",
    re.IGNORECASE | re.DOTALL,
)
IF_CN = re.compile(
    r"^\s*(?:但)?(?P<word>如果|要是|若是|假如|倘若|若|只要"
    r"|当)(?P<cond>.+?)(?:的话)?(?:[，,]\s*(?:那么|那|就|则)?|(?:那么|就|则))(?P<rest>.+)$",
    re.DOTALL,
)
IF_CN_LATE = re.compile(
    r"^\s*(?P<cond>[^，,]{1,20})的话[，,]?\s*(?:那么|那|就|则)?(?P<rest>.+)$", re.DOTALL
)
ELSE = re.compile(
    r"^\s*(?:or\s+|if not,?\s*|otherwise,?\s*|else,?\s*|否则的话|否则|不然的话|不然"
    r"|要不然)[，,]?\s*",
    re.IGNORECASE,
)


FORBIDDEN = re.compile(  # "don't run it", "never write to a.txt", 不要删除
    r"^\W*(?:(?:and|but|or|please|so|then|also|you)\s+)*"
    r"(?:do not|don['’]?t|never|must not|mustn['’]t|should not|shouldn['’]t)\s+"
    r"(?!you\b|we\b|i\b|worry\b|hesitate\b)(?:ever\s+)?\w"
    r"|^\W*(?:请|但是?|也|先|千万)*(?:不要|别(?![的人名])|勿|不用|不必|无需)",
    re.IGNORECASE,
)
REMEMBER = re.compile(  # "don't forget to ..." asks for it
    r"\b(?:(?:do not|don['’]?t|never)\s+(?:forget|let me forget)\s+(?:to\s+|about\s+)?"
    r"|remember\s+to\s+(?=\w))|(?:不要|别)忘(?:了|记)?",
    re.IGNORECASE,
)
WITHOUT = re.compile(r",?\s*(?:but\s+)?\bwithout\s+\w+ing\b[^,.;!?]*", re.IGNORECASE)
RESTART = re.compile(r"\W*(?:only|just|instead|rather)\b|\W*(?:只|而是)", re.IGNORECASE)


ECHO = re.compile(  # what follows the "if" of "if so", "if it is", "if not"
    r"so|yes|(?:it|that|they|there) (?:is|does|are|do|will|did)(?P<no>n['’]t| not)?|是(?:的话)?",
    re.IGNORECASE,
)
ASKED = re.compile(r"^\W*(?:is|are|does|do|will|did|has|have)\s+", re.IGNORECASE)
OPEN_TEXT = re.compile(
    r"\b(?:text|content|contents|saying|message|body|words?|notes?)\s*:", re.IGNORECASE
)
_INTO = re.compile(rf"(?P<q>{QUOTE.pattern})\s+(?:to|into|in)\s+(?P<p>[\w./-]+\w)", re.DOTALL)


def expanded(text: str) -> str:
    """ "Write 'a' to a.txt and 'b' to b.txt" with its verb before each."""
    found = list(_INTO.finditer(text))
    verb = re.match(r"\W*(?:please\s+)?(\w+)\s+$", text[: found[0].start()]) if found else None
    gaps = [text[a.end() : b.start()] for a, b in zip(found, found[1:], strict=False)]
    if not verb or not gaps or not all(re.fullmatch(r"\s*(?:,|and|,\s*and)\s*", g) for g in gaps):
        return text
    return ". ".join(f"{verb[1]} {m[0]}" for m in found) + text[found[-1].end() :]


def belongs_to_last(sentence: str, nouns: frozenset[str]) -> bool:
    """True for "Name: value" with the name of a parameter."""
    named = re.match(r"\s*([A-Za-z][\w ]*?)\s*[:：]\s*\S", sentence)
    return bool(named) and named[1].lower().replace(" ", "_") in nouns


def drop(text: str, pattern: re.Pattern[str]) -> str:
    """The text without what the pattern matches outside quotes."""
    spans = [m.span() for m in pattern.finditer(mask(text))]
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def mask(text: str) -> str:
    """The text with quotes, URLs, paths and addresses blanked out, of the same length."""
    text = re.sub(r"\b[ap]\.m\.(?=\W|$)", lambda m: FILL * len(m[0]), text, flags=re.I)
    text = PATH.sub(lambda m: re.sub(r"[!-~]", FILL, m[0]) if m[0].strip("./") else m[0], text)
    for pattern in (QUOTE, URL, EMAIL):
        text = pattern.sub(lambda m: FILL * len(m[0]) if m[0].strip("./") else m[0], text)
    text = re.sub(r"(?<=\d)[.,](?=\d)", FILL, text)
    return text


def cut(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Pieces of the text between matches of the pattern, looked for in the masked text."""
    at, pieces = 0, []
    for match in pattern.finditer(mask(text)):
        end = match.start() + (1 if match[0][:1] in ("!", "?") else 0)
        pieces.append(text[at:end])
        at = match.end()
    pieces.append(text[at:])
    return [p.strip() for p in pieces if p.strip()]
