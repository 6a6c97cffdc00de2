"""A command line taken apart: simple commands, their words and redirections.

Not a shell. It knows quoting, operators, comments, here-documents and where an expansion stands;
whatever it can't read becomes an `Unreadable`, and the caller asks instead of guessing.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

EXPANDED = "\ue000"  # stands for the output of a substitution, unknown before it runs
_TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t\r]|\\\n)+)
      | (?P<comment>\#[^\n]*)
      | (?P<redirect>\d*(?:&>>|&>|>>|>\||>&|<>|<<<|<&|<|>))
      | (?P<operator>\n|;;&?|;&|;|&&|\|\||\|&|\||&|\(|\))
      | (?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|<>()'"\\])+)
    """,
    re.VERBOSE | re.DOTALL,
)
_HEREDOC = re.compile(r"<<(-?)[ \t]*(\\?)(['\"]?)([\w.]+)\3")
RESERVED = {"if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "time", "fi"}
RESERVED |= {"done", "esac", "coproc"}


class Unreadable(ValueError):
    """The text is no complete command line (an open quote, say)."""


@dataclass(frozen=True)
class Word:
    """raw: as written. text: with quotes and backslashes taken away. live: the shell changes it."""

    raw: str
    text: str
    live: bool = False  # a variable or a substitution
    glob: bool = False  # * ? [ or a brace list, unquoted

    @property
    def disguised(self) -> bool:
        """Quotes or backslashes in the middle of what could be written plainly."""
        return any(mark in self.raw for mark in "'\"\\")


@dataclass
class Simple:
    """One simple command: assignments before it, its words, (operator, target) redirections.

    before, after: the operators around it ("|" means a pipe).
    """

    words: list[Word] = field(default_factory=list)
    redirects: list[tuple[str, Word]] = field(default_factory=list)
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        shown = [w.raw for w in self.words] + [f"{op}{w.raw}" for op, w in self.redirects]
        return " ".join(shown).replace(EXPANDED, "$(...)")


def lift_substitutions(text: str) -> tuple[str, list[str]]:
    """`text` with each `$(...)`, backtick and process substitution replaced, and their insides."""
    out, inner, at, quote = [], [], 0, ""
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            out.append(text[at : at + 2])
            at += 2
        elif char in "'\"" and quote in ("", char):
            quote = "" if quote else char
            out.append(char)
            at += 1
        elif quote != "'" and (char == "`" or text[at : at + 2] in ("$(", "<(", ">(")):
            end = text.find("`", at + 1) if char == "`" else _closing(text, at + 1)
            if end < 0:
                raise Unreadable("a substitution isn't closed")
            inner.append(text[at + (1 if char == "`" else 2) : end])
            out.append(EXPANDED)
            at = end + 1
        else:
            out.append(char)
            at += 1
    return "".join(out), inner


def _closing(text: str, at: int) -> int:
    """Where the parenthesis at `at` closes; -1: nowhere."""
    depth, quote = 0, ""
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 1
        elif char in "'\"" and quote in ("", char):
            quote = "" if quote else char
        elif not quote:
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return at
        at += 1
    return -1


def drop_heredocs(text: str) -> str:
    """`text` without the bodies of its here-documents, which are data, not commands."""
    lines, out = text.split("\n"), []
    while lines:
        line = lines.pop(0)
        out.append(_HEREDOC.sub("< /dev/stdin", line))
        for dash, _, _, end in _HEREDOC.findall(line):
            while lines and (lines[0].lstrip("\t") if dash else lines[0]) != end:
                lines.pop(0)
            if lines:
                lines.pop(0)
    return "\n".join(out)


def simple_commands(text: str) -> list[Simple]:
    """Every simple command of the line, in order. Unreadable: an open quote or the like."""
    commands, at = [Simple()], 0
    pending = ""
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(f"can't be read from {text[at : at + 20]!r} on")
        at, kind, token = match.end(), match.lastgroup, match.group()
        if kind == "operator":
            commands[-1].after = token
            commands.append(Simple(before=token))
        elif kind == "redirect":
            pending = token.lstrip("0123456789")
        elif kind == "word" and pending:
            commands[-1].redirects.append((pending, _word(token)))
            pending = ""
        elif kind == "word" and not (not commands[-1].words and token in RESERVED):
            commands[-1].words.append(_word(token))
    return [c for c in commands if c.words or c.redirects]


def _word(raw: str) -> Word:
    try:
        text = "".join(shlex.split(raw, comments=False))
    except ValueError as error:
        raise Unreadable(str(error)) from None
    open_part = re.sub(r"\\.|'[^']*'", "", raw, flags=re.DOTALL)  # where expansion happens
    bare = re.sub(r'"(?:\\.|[^"\\])*"', "", open_part, flags=re.DOTALL)
    live = "$" in open_part or EXPANDED in open_part or "`" in open_part
    return Word(raw, text, live, bool(re.search(r"[*?\[]|\{.*[,.].*\}", bare)))
