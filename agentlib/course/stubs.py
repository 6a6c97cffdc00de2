"""Telling an untouched stub from an answer, by bytecode: comments and spacing play no part."""

import dis
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from agentlib.course.exercise import Exercise

# Instructions that say nothing about what a body does.
SILENT = {"NOP", "RESUME", "CACHE", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL"}


def untouched(answer: Any, exercise: Exercise) -> bool:
    """True when the answer is still the exercise's stub, or does nothing at all."""
    if answer is ...:
        return True
    if inspect.isclass(answer):
        methods = [m for m in vars(answer).values() if isinstance(m, FunctionType)]
        return bool(methods) and all(_same_as_stub(m, exercise) for m in methods)
    function = inspect.unwrap(answer) if callable(answer) else None
    return isinstance(function, FunctionType) and _same_as_stub(function, exercise)


def _same_as_stub(function: FunctionType, exercise: Exercise) -> bool:
    shape = _shape(function.__code__)
    if any(shape == _shape(empty.__code__) for empty in _empty_functions()):
        return True
    stub = compile(exercise.stub, "<stub>", "exec", dont_inherit=True)
    codes = (code for code in _codes(stub) if code.co_name == function.__name__)
    return any(shape == _shape(code) for code in codes)


def _empty_functions() -> tuple[FunctionType, ...]:
    def plain(): ...

    async def asynchronous(): ...

    return plain, asynchronous


def _shape(code: CodeType) -> list[tuple[str, Any]]:
    """Instructions with their arguments, free of positions and of offsets into tables."""
    shape = []
    for one in dis.get_instructions(code):
        if one.opname not in SILENT:
            value = _shape(one.argval) if isinstance(one.argval, CodeType) else one.argval
            shape.append((one.opname, repr(value)))
    return shape


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
