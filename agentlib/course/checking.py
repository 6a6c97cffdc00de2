"""Runs a reader's answer on an exercise's cases, in a thread of its own with a time limit."""

import asyncio
import contextlib
import contextvars
import copy
import ctypes
import inspect
import re
import threading
import traceback
from collections.abc import Iterator
from types import FrameType
from typing import Any

from agentlib.course.exercise import Case, Exercise, Outcome
from agentlib.course.stubs import untouched

SHOWN = 300  # characters of a value that are shown


def judge(exercise: Exercise, answer: Any) -> Outcome:
    """Check an answer; never raises for what the answer does.

    The answer runs in a thread with an event loop of its own: async functions can so be checked
    from a running loop, and an endless loop ends after `exercise.seconds`.
    """
    if untouched(answer, exercise):
        return Outcome("not started")
    if exercise.cases and not callable(answer):
        return Outcome("wrong", "the answer itself", "a function", shown(answer))
    found: list[Outcome] = []
    context = contextvars.copy_context()  # what the answer prints belongs to the caller's cell

    def work() -> None:
        with contextlib.suppress(TimeoutError, SystemExit):  # a late answer is told below
            found.append(asyncio.run(asyncio.wait_for(_judge(exercise, answer), exercise.seconds)))

    thread = threading.Thread(target=context.run, args=(work,), daemon=True)
    thread.start()
    thread.join(exercise.seconds)
    return found[0] if found else _too_slow(thread, exercise)


async def _judge(exercise: Exercise, answer: Any) -> Outcome:
    case = ""
    try:
        if exercise.judge is None:
            for one in exercise.cases:
                case = call_text(exercise.answer_name, one)
                outcome = await _try(case, one, answer)
                if outcome.status != "passed":
                    return outcome
            return Outcome("passed")
        return await _listen(exercise.judge(answer))
    except NotImplementedError:
        return Outcome("not started")
    except (Exception, SystemExit) as error:  # whatever the reader's code raises is the outcome
        return Outcome("raised", case or _call_in(error), note=error_text(error))


async def _try(text: str, case: Case, answer: Any) -> Outcome:
    args, kwargs = copy.deepcopy((case.args, dict(case.kwargs)))
    wanted = case.raises.__name__ if case.raises else ""
    try:
        got = answer(*args, **kwargs)
        got = await got if inspect.isawaitable(got) else got
    except Exception as error:
        if case.raises and isinstance(error, case.raises):
            return Outcome("passed")
        if case.raises:
            return Outcome("wrong", text, f"{wanted} to be raised", error_text(error))
        raise
    if case.raises:
        return Outcome("wrong", text, f"{wanted} to be raised", shown(got))
    return _compare(text, case.expected, got)


async def _listen(seen: Any) -> Outcome:
    if hasattr(seen, "__aiter__"):
        async for what, expected, got in seen:
            outcome = _compare(what, expected, got)
            if outcome.status != "passed":
                return outcome
        return Outcome("passed")
    for what, expected, got in seen:
        outcome = _compare(what, expected, got)
        if outcome.status != "passed":
            return outcome
    return Outcome("passed")


def _compare(what: str, expected: Any, got: Any) -> Outcome:
    if got is ... and expected is not ...:
        return Outcome("not started")
    # True == 1 in Python; an answer that mixes them up is not right.
    if got == expected and isinstance(got, bool) == isinstance(expected, bool):
        return Outcome("passed")
    return Outcome("wrong", what, shown(expected), shown(got))


def _too_slow(thread: threading.Thread, exercise: Exercise) -> Outcome:
    # Only Python code can be stopped so; SystemExit ends a thread without a word.
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
    )
    thread.join(1.0)
    note = f"no answer after {exercise.seconds:g} s, so it was stopped: a loop that never ends?"
    if thread.is_alive():
        note += " It could not be stopped and still runs: restart the kernel."
    return Outcome("raised", note=note)


def call_text(name: str, case: Case) -> str:
    """The call of a case as a reader would write it."""
    parts = [*map(repr, case.args), *(f"{key}={value!r}" for key, value in case.kwargs.items())]
    return shorten(f"{name}({', '.join(parts)})")


def error_text(error: BaseException) -> str:
    """Class and message of an error, with the reader's own line when it is known."""
    lines = [line for _, line in _own_frames(error)]
    where = f" (line {lines[-1]} of your cell)" if lines else ""
    return shorten(f"{type(error).__name__}: {error}") + where


def _own_frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith(("<ipython", "<answer")):
            yield frame, line


def _call_in(error: BaseException) -> str:
    """The call of the reader's function in which a judge met the error, or "" if it was none."""
    for frame, _ in _own_frames(error):
        names, rest, keywords, values = inspect.getargvalues(frame)
        parts = [f"{name}={_repr(values[name])}" for name in names if name in values]
        parts += [_repr(value) for value in values.get(rest or "", ())]
        parts += [f"{name}={_repr(v)}" for name, v in values.get(keywords or "", {}).items()]
        return shorten(plain(f"{frame.f_code.co_name}({', '.join(parts)})"))
    return ""


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # exercises hand in objects that can't be shown, on purpose
        return f"<{type(value).__name__}>"


def shown(value: Any) -> str:
    """A value's repr, shortened, and a function by its name."""
    return shorten(plain(repr(value)))


def plain(text: str) -> str:
    """Functions and objects in a repr by their names, without addresses."""
    text = re.sub(r"<function (?:\S*\.)?(\S+) at 0x\w+>", r"the function \1", text)
    return re.sub(r" at 0x[0-9a-fA-F]+>", ">", text)


def shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 4] + " ..."
