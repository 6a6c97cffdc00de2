"""Started as a script, between the library and the command, where there is no bubblewrap.

It adopts every orphan below it (a subreaper), confines the command, waits for it, and ends what is
left over. The settings come by marshal through the descriptor that the first argument names. Only
small modules are imported, as each run pays for them (`_signal` is `signal` without its enums).
"""

import _signal as signal
import marshal
import os
import sys

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def _prctl(option: int, value: int) -> None:
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def _confine_and_run(settings: dict) -> None:
    """In the child: limits, Landlock, the filter, then the command. Never returns."""
    import resource

    for sign in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, signal.SIG_DFL)
    for name, value in settings["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    os.setsid()
    os.chdir(settings["folder"])
    if settings["landlock"]:
        import landlock

        confined = settings["landlock"]
        landlock.drop_capabilities()
        paths = (confined[name] for name in ("read", "write", "devices"))
        landlock.restrict(*paths, network=confined["network"])
        landlock.load_filter(confined["filter"])
    try:
        os.execvpe(settings["command"][0], settings["command"], os.environ)
    except OSError as error:
        os.write(2, f"{settings['command'][0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _end_the_rest() -> None:
    """Kill until no child is left; the orphans have become ours."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        import tree  # only when there is something left: it isn't small

        tree.kill_descendants(os.getpid())
        os.waitpid(-1, 0)


def main() -> int:
    """The command's exit code, 128 + the signal's number where a signal ended it."""
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    with open(int(sys.argv[1]), "rb") as file:
        settings = marshal.load(file)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda *_: (_end_the_rest(), os._exit(143)))
    if os.getppid() != settings["parent"]:  # the library died before the line above
        return 143
    child = os.fork()
    if child == 0:
        try:
            _confine_and_run(settings)
        except BaseException as error:  # whatever it is, nothing may run unconfined after it
            os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
            os._exit(125)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            break
    _end_the_rest()
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


if __name__ == "__main__":
    sys.exit(main())
