"""Who is at this notebook, and the answers given in advance for when nobody is."""

from __future__ import annotations

import contextlib
import contextvars
import os
import sys
from collections.abc import Iterable, Iterator

from agentlib.approvers import ApproverError, Decision

VARIABLE = "AGENTLIB_ANSWERS"  # "allow,deny": for runs without a person only

_script: contextvars.ContextVar[Answers | None]
_script = contextvars.ContextVar("agentlib_answers", default=None)


class Answers:
    """A list of answers, taken one after the other. ValueError: a word that is no answer."""

    def __init__(self, words: Iterable[str | Decision], source: str) -> None:
        self._answers = [Decision.from_word(word) for word in words]
        self._source = source
        self._taken = 0

    def take(self) -> Decision:
        """The next answer. ApproverError: there is none left."""
        if self._taken == len(self._answers):
            raise ApproverError(
                f"{self._source} gave {self._taken} answers and one more question came: "
                "give one answer per question."
            )
        self._taken += 1
        return self._answers[self._taken - 1]


@contextlib.contextmanager
def answers(*words: str | Decision) -> Iterator[None]:
    """Answer the questions of the body from this script: allow, deny, session, or Decisions.

    It answers for a person too: it stands in the code that the person runs. ValueError: an unknown
    word. A question more than there are answers raises ApproverError.
    """
    token = _script.set(Answers(words, "answers(...)"))
    try:
        yield
    finally:
        _script.reset(token)


class _Environment:
    """The answers in the environment variable; begun anew when its text changes."""

    text = ""
    script: Answers | None = None

    def current(self) -> Answers | None:
        text = os.environ.get(VARIABLE, "").strip()
        if text != self.text:
            self.text = text
            try:
                self.script = Answers(text.split(","), VARIABLE) if text else None
            except ValueError as error:
                self.text = ""
                raise ApproverError(f"{VARIABLE}: {error}") from None
        return self.script


_environment = _Environment()


def human_attached() -> bool:
    """True when a person's front end runs the cell; False under nbclient, nbconvert and nbval.

    A front end with a person in front of it says in each request that input may be asked for.
    What a click started has a person, too: it came by a widget's message.
    """
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    if getattr(shell, "kernel", None) is None:
        return False
    try:
        parent = shell.get_parent()
        if parent.get("header", {}).get("msg_type") == "comm_msg":
            return True
        return bool(parent["content"]["allow_stdin"])
    except (AttributeError, KeyError, TypeError):
        return False


def scripted_answer(unattended: Answers | None = None) -> Decision | None:
    """The answer given in advance, or None when a person has to be asked.

    In this order: a script in the code; with nobody attached, the environment variable, then the
    approver's own `unattended` answers, then a no.
    """
    script = _script.get()
    if script is None:
        if human_attached():
            return None
        script = _environment.current() or unattended
    return script.take() if script else Decision(False, NOBODY, by="nobody")


NOBODY = (
    "nobody is attached to this notebook to click; answers can be given in advance with "
    f'ButtonApprover(unattended=("allow",)) or {VARIABLE}=allow'
)
