"""Commands that run another command (env, xargs, find -exec, sh -c): what is really run."""

from __future__ import annotations

import re

from agentlib.sandbox.shell_words import Word

SHELLS = {"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh"}
INTERPRETERS = {"python", "perl", "ruby", "node", "nodejs", "php", "lua", "deno", "bun", "tclsh"}
INTERPRETERS |= {"powershell", "pwsh", "osascript", "awk", "gawk", "mawk", "ex", "vim", "ed", "R"}
# wrapper: its options that take a value, and how many plain words come before the command
_WRAPPERS: dict[str, tuple[set[str], int]] = {
    "env": ({"-u", "-C", "--unset", "--chdir"}, 0),
    "nohup": (set(), 0),
    "setsid": (set(), 0),
    "command": (set(), 0),
    "builtin": (set(), 0),
    "exec": ({"-a"}, 0),
    "time": ({"-f", "-o"}, 0),
    "nice": ({"-n"}, 0),
    "ionice": ({"-c", "-n", "-p"}, 0),
    "stdbuf": ({"-i", "-o", "-e"}, 0),
    "timeout": ({"-s", "-k", "--signal", "--kill-after"}, 1),
    "busybox": (set(), 0),
    "toybox": (set(), 0),
    "unshare": (set(), 0),
    "strace": ({"-e", "-o", "-p"}, 0),
    "watch": ({"-n", "--interval"}, 0),
    "parallel": ({"-j", "--jobs"}, 0),
    "xargs": ({"-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E", "--max-args", "--max-procs"}, 0),
    "chronic": (set(), 0),
    "flock": ({"-w", "-E"}, 1),
}
_MASS = {"xargs", "parallel"}


def base_name(word: str) -> str:
    """`/usr/bin/RM.exe` -> `rm`; `python3.11` -> `python`."""
    name = word.rstrip("/").rpartition("/")[2].casefold().removesuffix(".exe")
    return re.sub(r"^(python|pypy|perl|ruby|lua|php|node)[\d.]+$", r"\1", name)


def unwrap(words: list[Word]) -> tuple[str, list[Word], bool, list[str]]:
    """The name and arguments of the command that is really run.

    Also: whether it runs once for each of many things, and further command texts to judge.
    """
    mass, texts = False, []
    while True:
        name, args = base_name(words[0].text), words[1:]
        if name == "find":
            return _find(args, texts)
        if name not in _WRAPPERS or not (inner := _after_options(name, args, texts)):
            return name, args, mass, texts
        mass, words = mass or name in _MASS, inner


def _after_options(name: str, args: list[Word], texts: list[str]) -> list[Word]:
    with_value, plain = _WRAPPERS[name]
    at = 0
    while at < len(args):
        text = args[at].text
        if name == "env" and text.startswith(("-S", "--split-string")):
            rest = text.removeprefix("--split-string").removeprefix("-S").lstrip("=")
            texts.append(" ".join([rest, *(w.text for w in args[at + 1 :])]))
            return []
        if text in with_value:
            at += 2
        elif text.startswith("-") or (name == "env" and re.match(r"[A-Za-z_]\w*=", text)):
            at += 1
        elif plain:
            plain, at = plain - 1, at + 1
        else:
            break
    inner = args[at:]
    if name in ("watch", "parallel") and len(inner) == 1:
        texts.append(inner[0].text)
    return inner


def _find(args: list[Word], texts: list[str]) -> tuple[str, list[Word], bool, list[str]]:
    """`find`: its -delete, or the worst of the commands behind -exec."""
    if any(w.text == "-delete" for w in args):
        return "-delete", args, True, texts
    for at, word in enumerate(args):
        if word.text in ("-exec", "-execdir", "-ok", "-okdir") and args[at + 1 :]:
            end = next((i for i, w in enumerate(args[at:], at) if w.text in (";", "+")), len(args))
            name, inner, _, more = unwrap(args[at + 1 : end])
            texts.extend(more)
            rest = [w.raw for w in args[end + 1 :]]
            if rest:
                texts.append("find . " + " ".join(rest))
            return name, inner, True, texts
    return "find", args, False, texts


def code_argument(name: str, args: list[Word]) -> Word | None:
    """The code an interpreter is given on its command line (`-c`, `-e`, awk's program)."""
    if name in ("awk", "gawk", "mawk"):
        runs = [w for w in args if re.search(r"system\s*\(|\|\s*\"|\"\s*\||getline", w.text)]
        return runs[0] if runs else None
    flags = "c" if name in SHELLS or name == "python" else "eErc"
    for at, word in enumerate(args):
        text = word.text
        long = text.split("=")[0] in (
            "--eval",
            "--print",
            "--command",
            "-Command",
            "-EncodedCommand",
        )
        short = re.fullmatch(rf"-[A-Za-z]*[{flags}]", text) or text.casefold().startswith("-enc")
        if long or short:
            return args[at + 1] if args[at + 1 :] else word
        if re.match(r"-[eEc].", text) and name not in SHELLS:
            return word
        if not text.startswith("-"):
            return None
    return None
