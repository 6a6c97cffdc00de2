"""Run inside a backend by the probe: try each thing that must not work, and say what happened.

Standard library only; the targets come as JSON in the first argument. Prints {name: True} for a
guarantee that held, and a text for one that did not.
"""

import json
import os
import resource
import socket
import sys


def _fails(act: object) -> bool:
    try:
        act()
    except OSError:
        return True
    return False


def _connect(family: int, address: object) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as outside:
        outside.settimeout(1)
        outside.connect(address)


def _environment(allowed: list) -> list:
    leaks = sorted(set(os.environ) - set(allowed))
    for pid in ("1", "self", "thread-self"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                names = {part.split(b"=")[0].decode() for part in file.read().split(b"\0") if part}
        except OSError:
            continue
        leaks += sorted(names - set(allowed))
    return leaks


def main() -> None:
    target = json.loads(sys.argv[1])
    found: dict = {}
    leaks = _environment(target["names"])
    found["environment"] = f"variables are seen: {', '.join(leaks)}" if leaks else True
    reads = [lambda: open(target["secret"]).close(), lambda: os.listdir(target["outside"])]
    if target["home"]:
        reads.append(lambda: os.listdir(target["home"]))
    found["read"] = all(_fails(r) for r in reads) or "a file outside can be read"
    writes = [
        lambda: open(target["secret"], "a").close(),
        lambda: open(target["outside"] + "/new", "w").close(),
        lambda: open(target["python"] + "/agentlib-canary", "x").close(),
        lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)),
    ]
    found["write"] = all(_fails(w) for w in writes) or "a file outside can be changed"
    reached = not _fails(lambda: _connect(socket.AF_INET, ("127.0.0.1", target["port"])))
    found["network"] = "a port of this computer can be reached" if reached else True
    apart = [
        lambda: _connect(socket.AF_UNIX, target["socket"]),
        lambda: _connect(socket.AF_UNIX, "\0" + target["abstract"]),
        lambda: os.kill(target["victim"], 0),
    ]
    found["processes apart"] = all(_fails(a) for a in apart) or "a process outside can be reached"
    with open("canary", "w") as file:  # and what must work does
        file.write("x")
    os.unlink("canary")
    found["data"] = resource.getrlimit(resource.RLIMIT_DATA)[0]
    print(json.dumps(found))


main()
