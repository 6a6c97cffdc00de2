"""Exercises of lesson 07: names that leave a folder, a command inside another, public addresses."""

from agentlib.course.exercise import Case, Exercise

EXERCISES = [
    Exercise(
        id="7.1",
        title="Names that would leave the folder",
        stub="""
import posixpath

def escaping(names):
    ...
""",
        cases=[
            Case(args=(["a.txt", "b/c.txt", "./d"],), expected=[]),
            Case(args=(["ok", "../../start.sh", "../x"],), expected=["../../start.sh", "../x"]),
            Case(
                args=(["a/../b", "a/../../b", "a/b/../../.."],),
                expected=["a/../../b", "a/b/../../.."],
            ),
            Case(args=(["/etc/start.sh", "etc/start.sh"],), expected=["/etc/start.sh"]),
            Case(args=(["..a/x", "a/..b", "...", "a.."],), expected=[]),
            Case(args=([".."],), expected=[".."]),
            Case(args=([],), expected=[]),
        ],
        hints=[
            "After normpath a name that leaves begins with `..` as its first folder, or with `/`.",
            'path.split("/")[0] == ".." looks at the first folder; startswith("..") would also '
            "take the file `..a`.",
        ],
        solution="""
import posixpath

def escaping(names):
    found = []
    for name in names:
        path = posixpath.normpath(name)
        if path.startswith("/") or path.split("/")[0] == "..":
            found.append(name)
    return found
""",
        wrong=[
            "def escaping(names):\n    return [n for n in names if '..' in n]",
            "def escaping(names):\n    return [n for n in names if n.startswith(('../', '/'))]",
            "import posixpath\n"
            "def escaping(names):\n"
            "    return [n for n in names if posixpath.normpath(n).startswith(('..', '/'))]",
            "import posixpath\n"
            "def escaping(names):\n"
            "    return [n for n in names if posixpath.normpath(n).split('/')[0] == '..']",
        ],
    ),
    Exercise(
        id="7.2",
        title="The command that is really run",
        setup="import shlex",
        stub="""
def really_run(command):
    ...
""",
        cases=[
            Case(args=("sh -c 'rm -rf x'",), expected="rm -rf x"),
            Case(args=('bash -c "echo hi"',), expected="echo hi"),
            Case(args=("/bin/sh -c ls",), expected="ls"),
            Case(args=("sh -c \"bash -c 'rm -r y'\"",), expected="rm -r y"),
            Case(args=("ls -l  'my file'",), expected="ls -l  'my file'"),
            Case(args=("sh script.sh",), expected="sh script.sh"),
            Case(args=("grep -c tea notes.txt",), expected="grep -c tea notes.txt"),
            Case(args=("sh",), expected="sh"),
        ],
        hints=[
            "shlex.split(command) gives the words. The text behind -c is one word, for it is in "
            "quotes.",
            "Three things to test: more than two words, the name without its folder is sh or bash, "
            "and words[1] is -c. Then the inner text may be another one: call yourself.",
        ],
        solution="""
def really_run(command):
    words = shlex.split(command)
    if len(words) > 2 and words[1] == "-c":
        if words[0].rpartition("/")[2] in ("sh", "bash"):
            return really_run(words[2])
    return command
""",
        wrong=[
            "def really_run(command):\n    return command",
            "def really_run(command):\n"
            "    words = shlex.split(command)\n"
            "    return words[2] if '-c' in words else command",
            "def really_run(command):\n"
            "    words = shlex.split(command)\n"
            "    return words[2] if words[:2] in (['sh', '-c'], ['bash', '-c']) else command",
            "def really_run(command):\n"
            "    words = shlex.split(command)\n"
            "    if len(words) > 2 and words[1] == '-c' and words[0].endswith('sh'):\n"
            "        return words[2]\n"
            "    return command",
            "def really_run(command):\n"
            "    words = shlex.split(command)\n"
            "    if len(words) > 2 and words[1] == '-c' and words[0].endswith('sh'):\n"
            "        return really_run(words[2])\n"
            "    return ' '.join(words)",
        ],
    ),
    Exercise(
        id="7.3",
        title="Is this address public?",
        setup="import ipaddress",
        stub="""
def is_public(address):
    ...
""",
        cases=[
            Case(args=("8.8.8.8",), expected=True),
            Case(args=("2001:4860:4860::8888",), expected=True),
            Case(args=("127.0.0.1",), expected=False),
            Case(args=("10.1.2.3",), expected=False),
            Case(args=("169.254.169.254",), expected=False),
            Case(args=("::1",), expected=False),
            Case(args=("224.0.0.1",), expected=False),
            Case(args=("ff0e::1",), expected=False),
            Case(args=("64:ff9b::7f00:1",), expected=False),
            Case(args=("64:ff9b::a9fe:a9fe",), expected=False),
            Case(args=("64:ff9b::808:808",), expected=True),
            Case(args=("example.com",), expected=False),
            Case(args=("",), expected=False),
        ],
        hints=[
            "ipaddress.ip_address(text) raises ValueError for what is no address. Then two "
            "attributes: is_global and is_multicast.",
            'ip in ipaddress.ip_network("64:ff9b::/96") tells NAT64. Its IPv4 address is '
            "ipaddress.ip_address(int(ip) & 0xFFFFFFFF): judge that one instead.",
        ],
        solution="""
def is_public(address):
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if ip in ipaddress.ip_network("64:ff9b::/96"):
        ip = ipaddress.ip_address(int(ip) & 0xFFFFFFFF)
    return ip.is_global and not ip.is_multicast
""",
        wrong=[
            "def is_public(address):\n    return ipaddress.ip_address(address).is_global",
            "def is_public(address):\n"
            "    try:\n        return ipaddress.ip_address(address).is_global\n"
            "    except ValueError:\n        return False",
            "def is_public(address):\n"
            "    try:\n        ip = ipaddress.ip_address(address)\n"
            "    except ValueError:\n        return False\n"
            "    return ip.is_global and not ip.is_multicast",
            "def is_public(address):\n"
            "    try:\n        ip = ipaddress.ip_address(address)\n"
            "    except ValueError:\n        return False\n"
            "    nat = ip in ipaddress.ip_network('64:ff9b::/96')\n"
            "    return ip.is_global and not ip.is_multicast and not nat",
        ],
    ),
]
