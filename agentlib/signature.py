"""What a function takes: its parameters with their hints resolved where it was defined."""

from __future__ import annotations

import functools
import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

EMPTY = inspect.Parameter.empty
_VARIADIC = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter; `default` is EMPTY when a call must give it a value."""

    name: str
    hint: Any
    default: Any = EMPTY
    positional_only: bool = False


def read_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters a model may fill: no `self`, nothing that a partial has bound already.

    TypeError, ValueError: a callable that no schema can describe, with what to do instead.
    """
    name = name_of(function)
    signature = _signature(function, name)
    bound = function.keywords if isinstance(function, functools.partial) else {}
    found = [p for p in signature.parameters.values() if p.name not in bound]
    for each in found:
        if each.kind in _VARIADIC:
            raise ValueError(
                f"{name}: {_VARIADIC[each.kind]}{each.name} tells a model nothing about what to "
                "send. Name each parameter (one `list[str]` for many values), use functools.wraps "
                "if this is a decorator's wrapper, or give Tool(...) a schema of your own."
            )
    hints = _resolve(function, {p.name: p.annotation for p in found}, name)
    return tuple(
        Parameter(p.name, hints[p.name], p.default, p.kind is inspect.Parameter.POSITIONAL_ONLY)
        for p in found
    )


def name_of(function: Callable[..., Any]) -> str:
    """The function's own name; of a partial what it wraps, of an object its class."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def inner_function(function: Callable[..., Any]) -> Any:
    """The plain function inside partials, bound methods, callable objects and wrappers."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = type(function).__call__
    return inspect.unwrap(getattr(function, "__func__", function))


def is_unbound_method(function: Any) -> bool:
    """True for a method that still waits for its object, such as `Foo.bar`."""
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


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    if inspect.isclass(function):
        raise TypeError(
            f"{name} is a class. Register a method of one object, an object with __call__, "
            "or a function that makes the object."
        )
    if not callable(function):
        raise TypeError(f"{function!r} can't be called. Register a function or a bound method.")
    try:
        unbound = is_unbound_method(function)
        signature = inspect.signature(function)
    except NameError as error:
        raise _unknown_hint(name, error) from error
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name}: Python knows no signature of it. Wrap it in a function with type hints."
        ) from error
    if unbound:
        raise ValueError(
            f"{function.__qualname__} is a method without its object. "
            f"Register the method of an object: register(obj.{name})."
        )
    return signature


def _resolve(function: Callable[..., Any], hints: dict[str, Any], name: str) -> dict[str, Any]:
    """Texts (`from __future__ import annotations`, quoted hints) become the types they mean."""
    hints = {key: Any if hint is EMPTY else hint for key, hint in hints.items()}
    if all(isinstance(hint, type) and not hasattr(hint, "__args__") for hint in hints.values()):
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
    raise _unknown_hint(name, failure) from failure


def _namespaces(function: Callable[..., Any], inner: Any) -> Iterator[dict[str, Any]]:
    """Where names of hints may stand: the module; then also closure, class and callers' locals."""
    yield {}
    owner = getattr(function, "__self__", function)
    local: dict[str, Any] = {}
    for cls in reversed(type(owner).__mro__):
        local.update(vars(cls))
    code = getattr(inner, "__code__", None)
    for key, cell in zip(getattr(code, "co_freevars", ()), inner.__closure__ or (), strict=False):
        try:
            local[key] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    yield local
    yield {**_enclosing_locals(inner), **local}


def _enclosing_locals(inner: Any) -> dict[str, Any]:
    """The locals of the running functions that `inner` is defined in, innermost last."""
    outer = getattr(inner, "__qualname__", "")
    places = []
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
