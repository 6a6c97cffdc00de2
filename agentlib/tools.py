"""A tool: a function, and what the model is told about it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry
    from agentlib.signature import Parameter

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
                f"tool name {self.name!r}: 1 to 64 characters, only letters, digits, _ and -."
            )
        if not callable(self.function):
            raise TypeError(f"tool {self.name}: function must be callable, got {self.function!r}")
        self.tags, self.depends_on = _words(self.tags), _words(self.depends_on)
        self.permissions = frozenset(_words(self.permissions))
        if self.rate_limit is not None:
            from agentlib.layers.rate_limit import parse_rate

            parse_rate(self.rate_limit, self.name)
        self._schemas: dict[bool, dict[str, Any]] = {}

    @classmethod
    def from_function(cls, function: Callable[..., Any], **options: Any) -> Tool:
        """A tool whose schema comes from the function's hints, defaults and docstring.

        ValueError or TypeError: a signature that no schema can describe, with what to change.
        """
        from agentlib.schema import describe_function

        options = {**getattr(function, "__tool_options__", {}), **options}
        described = describe_function(function)
        parameters = options.pop("parameters", None)
        return cls(
            name=options.pop("name", None) or described.name,
            description=options.pop("description", None) or described.description,
            parameters=described.parameters if parameters is None else parameters,
            function=function,
            from_hints=parameters is None,
            signature=described.signature,
            **options,
        )

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
        function = inspect.unwrap(self.function)
        while isinstance(function, functools.partial):
            function = function.func
        name = getattr(function, "__qualname__", type(function).__qualname__)
        return f"{getattr(function, '__module__', '?')}.{name}"

    def redefines(self, other: Tool) -> bool:
        """True when both come from the same function of the same place, defined again."""
        return self.origin == other.origin and "<lambda>" not in self.origin


def _words(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def make_decorator(registry: ToolRegistry | None) -> Any:
    """The `@tool` decorator of one registry (None: the `default_registry`)."""

    @overload
    def tool(function: Callable[P, R], /) -> Callable[P, R]: ...
    @overload
    def tool(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
    def tool(function: Callable[P, R] | None = None, /, **options: Any) -> Any:
        """Register a function as a tool, and give the function back unchanged."""
        if function is None:
            return functools.partial(_decorate, registry, options)
        return _decorate(registry, {}, function)

    return tool


def _decorate(
    registry: ToolRegistry | None, options: dict[str, Any], function: Callable[P, R]
) -> Callable[P, R]:
    options = dict(options)
    target = options.pop("registry", None) or registry
    if target is None:
        from agentlib.registry import default_registry as target
    function.__tool_options__ = options
    if not _in_class_body(function):  # a method waits for its object: register(obj.method)
        target.register(Tool.from_function(function))
    return function


def _in_class_body(function: Callable[..., Any]) -> bool:
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    names = list(inspect.signature(function).parameters)[:1]
    return bool(owner) and not owner.endswith("<locals>") and names in (["self"], ["cls"])


tool = make_decorator(None)
