"""A task's text as steps, each with the condition it hangs on."""

from __future__ import annotations

import re
from dataclasses import replace

from agentlib.offline.clauses import (
    ASKED,
    ECHO,
    FORBIDDEN,
    NUMBERED,
    NUMBERING,
    REMEMBER,
    SENTENCE,
    WITHOUT,
    belongs_to_last,
    cut,
    drop,
    expanded,
)
from agentlib.offline.lexicon import VERBS
from agentlib.offline.splitting import Splitter, Step


def split_steps(
    text: str, verbs: frozenset[str] = frozenset(), nouns: frozenset[str] = frozenset()
) -> list[Step]:
    """The steps of a task in order; never empty for a text with words in it.

    verbs: more words that open an instruction, from the tools' own names. nouns: names of
    parameters, which open none behind a bare comma ("..., note 'x'").
    """
    splitter, steps = Splitter(VERBS | verbs, nouns), []
    numbered = re.search(r"(?:^|\s)1[.)]\s", text)  # "1. Read a.txt 2. Delete it"
    text = expanded(drop(drop(text, REMEMBER), WITHOUT))
    for sentence in cut(text, NUMBERED if numbered else SENTENCE):
        if steps and belongs_to_last(sentence, nouns):  # "Notes: bring a towel."
            last = steps.pop()
            steps.append(replace(last, text=f"{last.text.rstrip('.')}, {sentence}"))
            continue
        steps += splitter.sentence(NUMBERING.sub("", sentence), steps)
    steps = [replace(s, text=re.sub(r"(?<=[^\s.])[.。]$", "", s.text)) for s in steps]
    steps = [_with_meaning(s, steps[:at]) for at, s in enumerate(steps)]
    steps = [replace(s, forbidden=bool(FORBIDDEN.match(s.text))) for s in steps]
    return [s for s in steps if re.search(r"\w", s.text)]


def _with_meaning(step: Step, earlier: list[Step]) -> Step:
    """ "If so", "if it is": the question before is the condition."""
    echo = ECHO.fullmatch((step.condition or "").strip(" ."))
    asked = next((s for s in reversed(earlier) if ASKED.match(s.text)), None)
    if not echo or not asked:
        return step
    condition = ASKED.sub("", asked.text).strip(" ?")
    return replace(step, condition=condition, negated=step.negated != bool(echo["no"]))
