"""Look at a shell command before it runs: dangerous, opaque, or plain.

*dangerous*: a part does damage that is known by its text. *opaque*: a part can't be judged before
it runs (a variable, a substitution, an interpreter with code): ask a person. *plain*: nothing
was found, which is not a proof. No list like this is complete; the process sandbox is the boundary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agentlib.sandbox import program_rules  # noqa: F401 - fills RULES
from agentlib.sandbox.command_rules import ALWAYS, RULES, SECRET, outside
from agentlib.sandbox.shell_words import (
    Simple,
    Unreadable,
    Word,
    drop_heredocs,
    lift_substitutions,
    simple_commands,
)
from agentlib.sandbox.wrappers import INTERPRETERS, SHELLS, code_argument, unwrap

Kind = Literal["dangerous", "opaque", "plain"]
_ORDER = {"plain": 0, "opaque": 1, "dangerous": 2}
_FORK_BOMB = re.compile(r"([\w:.-]+)\s*\(\s*\)\s*\{[^}]*\1\s*(?:\|\s*\1|&)[^}]*\}")
_DOWNLOADERS = {"curl", "wget", "fetch"}
_OPENING = {"PATH", "IFS", "LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "PYTHONPATH"}
_OPENING |= {"PYTHONSTARTUP", "NODE_OPTIONS", "GIT_SSH_COMMAND", "PROMPT_COMMAND", "EDITOR"}
_HARMLESS = {"echo", "printf", "test", "[", "true", "false", ":", "exit", "wc", "pwd"}
_FETCHING = {"install", "add", "i", "ci", "exec", "x", "dlx", "download", "update", "upgrade"}
_MANAGERS = {"pip", "pip3", "pipx", "uv", "npm", "yarn", "pnpm", "npx", "uvx", "gem", "cargo", "go"}
_MANAGERS |= {"apt", "apt-get", "brew", "dnf", "yum", "pacman", "conda", "ssh", "scp", "sftp"}


@dataclass(frozen=True)
class Verdict:
    """kind: "dangerous", "opaque" or "plain"; reason, part: why, and which piece of the line."""

    kind: Kind
    reason: str = ""
    part: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: `{self.part}` {self.reason}" if self.reason else self.kind


PLAIN = Verdict("plain")


def check_command(command: str) -> None:
    """ValueError with the reason and the part, unless nothing speaks against running `command`.

    Dangerous: "command refused". Opaque: "command not certainly safe", so ask a person first
    (`run_shell` does; `judge_command` tells the two apart).
    """
    verdict = judge_command(command)
    if verdict.kind == "dangerous":
        raise ValueError(f"command refused: `{verdict.part}` {verdict.reason}.")
    if verdict.kind == "opaque":
        raise ValueError(
            f"command not certainly safe: `{verdict.part}` {verdict.reason}. Ask a person first."
        )


def judge_command(command: str, depth: int = 0) -> Verdict:
    """The worst verdict over every part of the command line. TypeError: not a string."""
    if not isinstance(command, str):
        raise TypeError(f"command must be a string, got {type(command).__name__}.")
    if "\0" in command or depth > 8:
        return Verdict("opaque", "can't be read", command[:80])
    if _FORK_BOMB.search(command):
        return Verdict("dangerous", "starts copies of itself without an end", command[:80])
    try:
        text, inner = lift_substitutions(drop_heredocs(command))
        parts = simple_commands(text)
    except Unreadable as error:
        return Verdict("opaque", str(error), command[:80])
    verdicts = [judge_command(each, depth + 1) for each in inner]
    verdicts += [Verdict("opaque", "is only known when it runs", f"$({each})") for each in inner]
    before: Simple | None = None
    for part in parts:
        verdicts.append(_judge_part(part, before, depth))
        before = part
    return _worst(verdicts)


def _worst(verdicts: list[Verdict]) -> Verdict:
    return max(verdicts, key=lambda v: _ORDER[v.kind], default=PLAIN)


def _judge_part(part: Simple, before: Simple | None, depth: int) -> Verdict:
    found = [_judge_redirect(op, target, part) for op, target in part.redirects]
    words = list(part.words)
    while words and re.match(r"[A-Za-z_]\w*\+?=", words[0].raw):
        name = words.pop(0).text.split("=")[0].rstrip("+")
        if name in _OPENING or name.startswith(("LD_", "DYLD_")):
            found.append(Verdict("opaque", f"changes {name}", part.text))
    if words:
        fed = before if part.before in ("|", "|&") else None
        found.append(_judge_words(words, part, fed, depth))
    return _worst(found)


def _judge_redirect(operator: str, target: Word, part: Simple) -> Verdict:
    if "/dev/tcp/" in target.text or "/dev/udp/" in target.text:
        return Verdict("dangerous", "opens a raw connection", part.text)
    if SECRET.search(target.text):
        return Verdict("dangerous", "touches secrets", part.text)
    if ">" not in operator or (operator == ">&" and re.fullmatch(r"\d+|-", target.text)):
        return PLAIN
    reason = outside(target)
    if reason:
        return Verdict("dangerous", reason, part.text)
    if part.words and part.words[0].text == "yes":
        return Verdict("dangerous", "fills the disk", part.text)
    if target.live or target.glob:
        return Verdict("opaque", "writes where only the run will tell", part.text)
    return PLAIN


def _judge_words(words: list[Word], part: Simple, fed: Simple | None, depth: int) -> Verdict:
    first = words[0]
    if first.live or first.glob:
        return Verdict("opaque", "has a command name that only the run will tell", part.text)
    name, args, mass, texts = unwrap(words)
    found = [judge_command(text, depth + 1) for text in texts]
    found.append(_judge_command_name(name, args, mass, part))
    found.append(_judge_interpreter(name, args, part, fed, depth))
    if first.disguised:
        found.append(Verdict("opaque", "writes its command name in disguise", part.text))
    if name not in _HARMLESS and any(w.live for w in args):
        found.append(Verdict("opaque", "has arguments that only the run will tell", part.text))
    return _worst(found)


def _judge_command_name(name: str, args: list[Word], mass: bool, part: Simple) -> Verdict:
    reason = ALWAYS.get(name) or ("makes a file system" if name.startswith("mkfs") else None)
    if reason is None and mass and name in ("rm", "unlink", "mv", "truncate", "-delete"):
        reason = "removes everything that is found"
    if reason is None and name in RULES:
        reason = RULES[name](args)
    if reason is None and name not in _HARMLESS and any(SECRET.search(w.text) for w in args):
        reason = "touches secrets"
    if reason:
        return Verdict("dangerous", reason, part.text)
    if name in _MANAGERS and (name in ("npx", "uvx", "ssh", "scp", "sftp") or _fetches(args)):
        return Verdict("opaque", "brings code or a connection from elsewhere", part.text)
    return PLAIN


def _fetches(args: list[Word]) -> bool:
    return any(w.text in _FETCHING for w in args[:2])


def _judge_interpreter(
    name: str, args: list[Word], part: Simple, fed: Simple | None, depth: int
) -> Verdict:
    if name in ("eval", "source", ".", "alias", "trap", "exec", "function"):
        inner = judge_command(" ".join(re.sub(r"^\w+=", "", w.text) for w in args), depth + 1)
        asked = Verdict("opaque", "runs text as a command", part.text)
        return _worst([inner, asked]) if args else PLAIN
    if name not in SHELLS and name not in INTERPRETERS:
        return PLAIN
    if fed is not None and fed.words and unwrap(fed.words)[0] in _DOWNLOADERS:
        return Verdict("dangerous", "runs what was just downloaded", f"{fed.text} | {part.text}")
    code = code_argument(name, args)
    if code is not None and name in SHELLS and not code.live:
        return judge_command(code.text, depth + 1)
    files = [w for w in args if not w.text.startswith("-")]
    if code is not None or (not files and (fed is not None or part.redirects)):
        return Verdict("opaque", "is an interpreter with code of its own", part.text)
    return PLAIN
