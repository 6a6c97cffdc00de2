"""What a function takes: its parameters, with their hints resolved where it was defined."""

from __future__ import annotations

import functools
import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from types import MethodDescriptorType, SimpleNamespace, WrapperDescriptorType
from typing import Any, NamedTuple

EMPTY = inspect.Parameter.empty
_STARS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


class Parameter(NamedTuple):
    """One parameter; `default` is EMPTY when a call must give it a value."""

    name: str
    hint: Any
    default: Any = EMPTY
    positional_only: bool = False

    @property
    def in_field(self) -> bool:
        """True for `x: int = Field(...)`: the default, if any, is inside pydantic's Field."""
        return type(self.default).__name__ == "FieldInfo"


def read_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters a model may fill: no `self`, nothing that a partial has bound already.

    TypeError, ValueError: a callable that no schema can describe, with what to do instead.
    """
    name = name_of(function)
    parameters = _signature(function, name).parameters
    bound = function.keywords if isinstance(function, functools.partial) else ()
    found = [each for key, each in parameters.items() if key not in bound]
    for each in found:
        if each.kind in _STARS:
            raise ValueError(
                f"{name}: {_STARS[each.kind]}{each.name} tells a model nothing about what to send. "
                "Name every parameter (`list[str]` for many values); put functools.wraps on a "
                "decorator's inner function; or pass parameters=<JSON Schema>."
            )
    hints = _resolve(function, {each.name: each.annotation for each in found}, name)
    last = inspect.Parameter.POSITIONAL_ONLY
    return tuple(Parameter(p.name, hints[p.name], p.default, p.kind is last) for p in found)


def name_of(function: Callable[..., Any]) -> str:
    """The function's own name; of a partial what it wraps, of an object its class."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def inner_function(function: Callable[..., Any]) -> Any:
    """The plain function inside partials, bound methods, callable objects and wrappers."""
    while not inspect.isclass(function):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, staticmethod | classmethod) or inspect.ismethod(function):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif inspect.isroutine(function):
            break
        else:
            function = type(function).__call__
    return function


def is_unbound_method(function: Any) -> bool:
    """True for a method that still waits for its object, such as `Foo.bar` or `str.upper`."""
    if isinstance(function, MethodDescriptorType | WrapperDescriptorType):
        return True
    owner, _, name = getattr(function, "__qualname__", "").rpartition(".")
    if not inspect.isfunction(function) or not owner or owner.endswith("<locals>"):
        return False
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is not None and first.name in ("self", "cls") and first.annotation is EMPTY:
        return True
    place: Any = sys.modules.get(function.__module__)
    for part in owner.split("."):
        place = getattr(place, part, None)
    return inspect.isclass(place) and inspect.isfunction(inspect.getattr_static(place, name, None))


def refuse_unusable(function: Any) -> None:
    """TypeError, ValueError for what can't be a tool: a class, a method without its object."""
    name = name_of(function)
    if inspect.isclass(function):
        raise TypeError(
            f"{name} is a class. Register a method of one object, an object with __call__, "
            "or a function that makes the object."
        )
    if not callable(function):
        raise TypeError(
            f"{function!r} can't be called. Register a function or the method of an object."
        )
    if is_unbound_method(function):
        raise ValueError(
            f"{function.__qualname__} is a method without its object. "
            f"Make the object, then register its method: register(obj.{name})."
        )


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    refuse_unusable(function)
    try:
        return inspect.signature(function)
    except NameError as error:  # Python 3.14 reads hints only when they are asked for
        raise _unknown_hint(name, error) from error
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name}: Python knows no signature of it. Wrap it in a function with type hints."
        ) from error


def _resolve(function: Callable[..., Any], hints: dict[str, Any], name: str) -> dict[str, Any]:
    """Texts (`from __future__ import annotations`, quoted hints) become the types they mean."""
    hints = {key: Any if hint is EMPTY else hint for key, hint in hints.items()}
    if all(map(_is_resolved, hints.values())):
        return hints
    inner = inner_function(function)
    holder = SimpleNamespace(__annotations__=hints)
    for local in _namespaces(function, inner):
        try:
            return typing.get_type_hints(
                holder, getattr(inner, "__globals__", {}), local, include_extras=True
            )
        except NameError as error:
            failure = error
        except (SyntaxError, TypeError) as error:
            raise TypeError(f"{name}: a type hint can't be read. {error}") from error
    raise _unknown_hint(name, failure) from failure


def _is_resolved(hint: Any) -> bool:
    if isinstance(hint, str | typing.ForwardRef) or hint is None:
        return False
    if type(hint) is type or getattr(hint, "__origin__", None) is typing.Literal:
        return True
    return all(map(_is_resolved, getattr(hint, "__args__", ())))


def _namespaces(function: Callable[..., Any], inner: Any) -> Iterator[dict[str, Any]]:
    """Where a hint's names may stand: the module alone, then also closure, class, callers."""
    yield {}
    while isinstance(function, functools.partial):
        function = function.func
    owner = getattr(function, "__self__", function)
    local: dict[str, Any] = {}
    for cls in reversed((owner if inspect.isclass(owner) else type(owner)).__mro__):
        local.update(vars(cls))
    names = getattr(getattr(inner, "__code__", None), "co_freevars", ())
    for key, cell in zip(names, getattr(inner, "__closure__", None) or (), strict=False):
        try:
            local[key] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    yield local
    yield {**_enclosing_locals(inner), **local}


def _enclosing_locals(inner: Any) -> dict[str, Any]:
    """The locals of the running functions that `inner` is defined in, the innermost last."""
    outer, places = getattr(inner, "__qualname__", ""), []
    while "<locals>" in outer:
        outer = outer.rpartition(".<locals>")[0]
        places.append(outer)
    frame, found = sys._getframe(), []
    while frame is not None:
        same_module = frame.f_globals is getattr(inner, "__globals__", None)
        if same_module and frame.f_code.co_qualname in places:
            found.append(frame.f_locals)
        frame = frame.f_back
    return {key: value for names in reversed(found) for key, value in names.items()}


def _unknown_hint(name: str, error: NameError) -> ValueError:
    return ValueError(
        f"{name}: the type hint {error.name!r} means nothing where {name} is defined. "
        "Import or define it at module level (not only under TYPE_CHECKING)."
    )
