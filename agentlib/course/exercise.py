"""The form of an exercise: plain data that a lesson author writes and one checker reads."""

import ast
from collections.abc import AsyncIterable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Status = Literal["not started", "wrong", "raised", "passed"]
Seen = tuple[str, Any, Any]
"""One thing a judge looked at: what it is, the expected value, the value got."""


@dataclass(frozen=True)
class Case:
    """One call of the reader's function and what must come of it.

    `raises` is the exception class that is wanted instead of a value.
    """

    args: tuple = ()
    expected: Any = None
    kwargs: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    raises: type[BaseException] | None = None


@dataclass(frozen=True)
class Exercise:
    """An exercise of a lesson; `id` is "3.1" for the first one of lesson 03.

    stub      the source the reader starts from; the notebook's stub cell holds this very text
    cases     calls with their expected values, or
    judge     a function that is given the answer and yields (what, expected, got), sync or async
    hints     texts, from a nudge to nearly the answer
    solution  source that takes the stub's place and passes
    wrong     sources that take the stub's place and must not pass
    setup     source the tests run first: what the notebook has defined by then
    seconds   how long all the cases together may take
    """

    id: str
    title: str
    stub: str
    solution: str
    hints: tuple[str, ...] | list[str]
    wrong: tuple[str, ...] | list[str]
    cases: tuple[Case, ...] | list[Case] = ()
    judge: Callable[[Any], Iterable[Seen] | AsyncIterable[Seen]] | None = None
    setup: str = ""
    seconds: float = 5.0

    def __post_init__(self) -> None:
        if bool(self.cases) == bool(self.judge):
            raise ValueError(f"exercise {self.id}: give either cases or a judge.")

    @property
    def lesson(self) -> int:
        return int(self.id.split(".")[0])

    @property
    def answer_name(self) -> str:
        """The name that the stub defines last: the one the notebook hands to `check`."""
        for node in reversed(ast.parse(self.stub).body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return node.name
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                return node.targets[0].id
        raise ValueError(f"exercise {self.id}: its stub defines no name.")


@dataclass(frozen=True)
class Outcome:
    """What a check found; the texts are shortened for reading."""

    status: Status
    case: str = ""
    expected: str = ""
    got: str = ""
    note: str = ""
