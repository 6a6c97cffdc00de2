"""A tool: a function, and what the model is told about it."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

from agentlib.schema.signature import inner_function, is_unbound_method, name_of, refuse_unusable
from agentlib.tool_options import check_options, object_schema, refuse_unknown, words

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry
    from agentlib.schema.signature import Parameter

P = ParamSpec("P")
R = TypeVar("R")
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # the hosted API's rule for a tool's name


@dataclass(eq=False)
class Tool:
    """Everything known about one tool. The model sees name, description and parameters only.

    parameters: a JSON Schema of type object. confirm: True, or a function that is given the
    arguments and returns the question (None or "" asks nothing). timeout: seconds, None for the
    executor's default. rate_limit: "100/minute". max_retries counts only when `repeatable` is True.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., Any]
    category: str = "utility"
    tags: tuple[str, ...] = ()
    permissions: frozenset[str] = frozenset()
    rate_limit: str | None = None
    timeout: float | None = None
    max_retries: int = 3
    repeatable: bool = False
    confirm: bool | Callable[..., str | None] = False
    depends_on: tuple[str, ...] = ()
    from_hints: bool = False  # the schema came from the signature: arguments become its types
    successor: Tool | None = field(default=None, repr=False)
    signature: tuple[Parameter, ...] | None = field(default=None, repr=False)
    validator: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise ValueError(
                f"tool name {self.name!r}: use 1 to 64 characters, only A-Z, a-z, 0-9, _ and -. "
                "Give another one with name=."
            )
        if not callable(self.function):
            raise TypeError(f"tool {self.name}: function must be callable, got {self.function!r}")
        if not self.from_hints:
            self.parameters = object_schema(self.parameters, self.name)
        self.tags, self.depends_on = words(self.tags), words(self.depends_on)
        self.permissions = frozenset(words(self.permissions))
        check_options(self)
        self._schemas: dict[bool, dict[str, Any]] = {}

    @classmethod
    def from_function(cls, function: Callable[..., Any], **options: Any) -> Tool:
        """A tool whose schema comes from the function's hints, defaults and docstring.

        ValueError or TypeError: a signature that no schema can describe, with what to change.
        """
        from agentlib.schema import describe_function, describe_text

        options = {**getattr(function, "__tool_options__", {}), **options}
        if options.get("parameters") is None:
            described = describe_function(function)
            options["parameters"], options["from_hints"] = described.parameters, True
            options["signature"], description = described.signature, described.description
        else:  # a schema written by hand may say more than the signature, `**fields` for one
            refuse_unusable(function)
            description = describe_text(function)[0]
        refuse_unknown(options, [each.name for each in fields(cls) if each.init])
        name, told = options.pop("name", None), options.pop("description", None)
        return cls(name or name_of(function), told or description, function=function, **options)

    def schema(self, strict: bool = False) -> dict[str, Any]:
        """The entry of the request's `tools` list; strict where the schema can be made so."""
        if strict not in self._schemas:
            function = {"name": self.name, "description": self.description}
            parameters = self.parameters
            if strict:
                from agentlib.schema import strict_schema

                strict_form = strict_schema(parameters)
                parameters = strict_form or parameters
                function["strict"] = strict_form is not None
            function["parameters"] = parameters
            self._schemas[strict] = {"type": "function", "function": function}
        return self._schemas[strict]

    @property
    def strict_sent(self) -> bool:
        """True once the strict form was given out: there a null means that nothing was given."""
        return bool(self._schemas.get(True, {}).get("function", {}).get("strict"))

    @property
    def latest(self) -> Tool:
        """This tool, or what replaced it when its cell was run again."""
        tool = self
        while tool.successor is not None:
            tool = tool.successor
        return tool

    @property
    def origin(self) -> str:
        """Where the function was defined, as `module.qualname`."""
        inner = inner_function(self.function)
        return f"{inner.__module__}.{inner.__qualname__}"

    def redefines(self, other: Tool) -> bool:
        """True when both come from one place: a cell run again, not another function or object."""
        mine, theirs = inner_function(self.function), inner_function(other.function)
        if mine is theirs:
            return _same_binding(self.function, other.function)
        if self.origin != other.origin or "<lambda>" in self.origin:
            return False
        # an edited cell is a new file to Python; in one file another line is another function
        here, there = _place(mine), _place(theirs)
        return here[0] != there[0] or here == there or here[0] in ("<string>", "<stdin>")


def _place(function: Any) -> tuple[str, int]:
    code = getattr(function, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def _same_binding(one: Any, other: Any) -> bool:
    if isinstance(one, functools.partial) and isinstance(other, functools.partial):
        return (one.func, one.args, one.keywords) == (other.func, other.args, other.keywords)
    return one == other


class ToolDecorator(Protocol):
    """`@tool` and `@tool(name=..., ...)`; editors keep seeing the function's own signature."""

    @overload
    def __call__(self, function: Callable[P, R], /) -> Callable[P, R]: ...
    @overload
    def __call__(self, **options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def make_decorator(registry: ToolRegistry | None) -> ToolDecorator:
    """The `@tool` decorator of one registry (None: the `default_registry`)."""

    def tool(function: Any = None, /, **options: Any) -> Any:
        """Register a function as a tool, and give the function back unchanged."""
        if isinstance(function, str):
            raise TypeError(f"@tool takes its options by name: @tool(name={function!r}).")
        if function is None:
            return functools.partial(_decorate, registry, options)
        return _decorate(registry, options, function)

    return tool


def _decorate(
    registry: ToolRegistry | None, options: dict[str, Any], function: Callable[P, R]
) -> Callable[P, R]:
    options = {**getattr(function, "__tool_options__", {}), **options}
    target = options.pop("registry", registry)
    if target is None:
        from agentlib.registry import default_registry as target
    kept: dict[str, Any] = {"__tool_options__": options}
    if not is_unbound_method(function):  # in a class body: it waits for register(obj.method)
        kept["__tool__"] = target.register(Tool.from_function(function, **options))
    with contextlib.suppress(AttributeError):  # bound methods and builtins take no attributes
        for name, value in kept.items():
            setattr(function, name, value)
    return function


tool = make_decorator(None)
