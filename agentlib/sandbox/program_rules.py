"""Rules for programs with sub-commands (git, docker, package managers) and for the network."""

from __future__ import annotations

import re

from agentlib.sandbox.command_rules import RULES, Args, means, options, outside


def _text(args: Args) -> str:
    return " ".join(w.text for w in args)


def _git(args: Args) -> str | None:
    words = [w.text for w in args]
    while words[:1] and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else words[1:]
    if not words:
        return None
    short, long, rest = options(args[len(args) - len(words) + 1 :])
    named = {w.text for w in rest}
    forced = "f" in short or means(long, "force")
    risky = {
        "clean": forced or "x" in short or "d" in short,
        "reset": "hard" in long,
        "push": forced
        or bool({"force-with-lease", "mirror", "delete", "prune"} & set(long))
        or "d" in short
        or any(name.startswith((":", "+")) for name in named),
        "checkout": forced or "." in named,
        "switch": forced or "discard-changes" in long,
        "restore": bool(named & {".", "*", ":/"}),
        "branch": "D" in short or (forced and ("d" in short or "delete" in long)),
        "stash": bool(named & {"drop", "clear"}),
        "reflog": bool(named & {"expire", "delete"}),
        "gc": any(w.startswith("--prune") for w in words),
        "rm": "r" in short or forced,
        "update-ref": "d" in short,
        "worktree": "remove" in named and forced,
        "config": bool({"global", "system"} & set(long)),
    }
    if risky.get(words[0]) or words[0] in ("filter-branch", "filter-repo"):
        return "throws away work or history that git can't bring back"
    return None


def _curl(args: Args) -> str | None:
    text = _text(args)
    sends = r"(?:^| )(?:-T|--upload-file|--post-file|--body-file)\b|(?:^| )-?-\S*[ =]?\S*=?@"
    if re.search(sends, text):
        return "sends a file away"
    for flag, word in zip(args, args[1:], strict=False):
        if flag.text in ("-o", "-O", "--output", "--output-document", "-P"):
            reason = outside(word)
            if reason:
                return reason
    return None


def _packages(args: Args) -> str | None:
    verb = next((w.text for w in args if not w.text.startswith("-")), "")
    gone = ("remove", "purge", "autoremove", "erase", "uninstall", "delete", "-R", "-Rns")
    return "removes installed programs" if verb in gone or _text(args).startswith("-R") else None


def _docker(args: Args) -> str | None:
    text = _text(args)
    if re.search(r"--privileged|--pid[= ]host|docker\.sock|(?:-v|--volume)[= ]?/\S*:", text):
        return "gives a container the whole computer"
    gone = r"\b(?:prune|rmi?|kill|down)\b"
    return "removes containers or their data" if re.search(gone, text) else None


def _service(args: Args) -> str | None:
    verbs = (
        r"\b(?:stop|disable|mask|kill|poweroff|reboot|halt|kexec|isolate|rescue|enable|restart)\b"
    )
    return "stops or changes a service" if re.search(verbs, _text(args)) else None


def _database(args: Args) -> str | None:
    loss = r"\bdrop\s+(?:table|database|schema)|\btruncate\b|\bdelete\s+from\b|\bflush(?:all|db)\b"
    return "deletes data of a database" if re.search(loss, _text(args), re.IGNORECASE) else None


def _cloud(args: Args) -> str | None:
    loss = r"\b(?:delete\S*|destroy|rm|rb|terminate\S*|uninstall|drain)\b"
    return "deletes something in the cloud" if re.search(loss, _text(args)) else None


def _crontab(args: Args) -> str | None:
    return None if _text(args) == "-l" else "starts something later, or removes what does"


RULES.update(
    {
        "git": _git,
        "crontab": _crontab,
        "dropdb": lambda args: "deletes data of a database",
        "history": lambda args: "hides what was done" if _text(args).startswith("-c") else None,
        **dict.fromkeys(("curl", "wget"), _curl),
        **dict.fromkeys(
            ("apt", "apt-get", "yum", "dnf", "pacman", "brew", "apk", "zypper", "dpkg", "snap"),
            _packages,
        ),
        **dict.fromkeys(("docker", "podman", "docker-compose", "nerdctl"), _docker),
        **dict.fromkeys(("systemctl", "service", "sc"), _service),
        **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh"), _database),
        **dict.fromkeys(("kubectl", "helm", "terraform", "aws", "gcloud", "az", "gsutil"), _cloud),
    }
)
