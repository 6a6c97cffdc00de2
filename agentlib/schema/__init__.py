"""JSON Schema from a function: its hints, defaults and docstring are the one source."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from agentlib.schema.docstrings import read_docstring
from agentlib.schema.inlining import inline
from agentlib.schema.plain_hints import allows_none, own_text, plain_property
from agentlib.schema.signature import EMPTY, Parameter, inner_function, name_of, read_parameters
from agentlib.schema.strict import strict_schema

__all__ = ["Described", "describe_function", "describe_text", "signature_model", "strict_schema"]


class Described(typing.NamedTuple):
    """What a model is told about a function, and the signature it was read from."""

    name: str
    description: str
    parameters: dict[str, Any]
    signature: tuple[Parameter, ...]


def describe_function(function: Callable[..., Any]) -> Described:
    """Name, description and parameter schema of a callable.

    TypeError, ValueError: what no schema can describe, with what to change.
    """
    name, signature = name_of(function), read_parameters(function)
    description, texts = describe_text(function)
    properties = {each.name: plain_property(each) for each in signature}
    if all(each is not None for each in properties.values()):
        required = [each.name for each in signature if each.default is EMPTY]
        schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    else:
        schema = _by_pydantic(name, signature)
    for each in signature:
        text = own_text(each) or texts.get(each.name)
        if text:
            schema["properties"][each.name]["description"] = text
    schema["additionalProperties"] = False
    return Described(name, description, schema, signature)


def describe_text(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """(description, parameter texts) by the docstring; without one, the name in words."""
    inner = inner_function(function)
    text = inner.__doc__
    if not text and getattr(inner, "__name__", "") == "__call__":
        text = type(function).__doc__
    description, texts = read_docstring(text)
    return description or name_of(function).replace("_", " ").strip(), texts


def signature_model(name: str, signature: tuple[Parameter, ...]) -> Any:
    """A pydantic model of the parameters: field p0 has the first one's name as its alias.

    The alias lets a parameter be called `schema`, `copy` or `_x`, which a field may not be.
    TypeError: a type that JSON can't carry.
    """
    from pydantic import ConfigDict, Field, create_model
    from pydantic.errors import PydanticUserError
    from pydantic_core import SchemaError

    fields: dict[str, Any] = {}
    for index, each in enumerate(signature):
        hint = _portable(each.hint)
        if each.default is None and not allows_none(hint):
            hint = typing.Optional[hint]  # noqa: UP045
        alias = Field(alias=each.name, validation_alias=each.name)
        hint = typing.Annotated[hint, alias]
        fields[f"p{index}"] = hint if each.default is EMPTY else (hint, each.default)
    for engine in ("rust-regex", "python-re"):  # the second knows look-around, and is slower
        config = ConfigDict(extra="forbid", allow_inf_nan=False, regex_engine=engine)
        try:
            return create_model(name, __config__=config, **fields)
        except PydanticUserError as error:
            raise _no_schema(name, signature, error) from error
        except SchemaError as error:
            failure = error
    raise _no_schema(name, signature, failure) from failure


def _by_pydantic(name: str, signature: tuple[Parameter, ...]) -> dict[str, Any]:
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import GenerateJsonSchema

    class Quiet(GenerateJsonSchema):
        ignored_warning_kinds: typing.ClassVar = {"skipped-choice", "non-serializable-default"}

    try:
        schema = signature_model(name, signature).model_json_schema(schema_generator=Quiet)
    except PydanticUserError as error:
        raise _no_schema(name, signature, error) from error
    schema.pop("description", None)
    return {"type": "object", "properties": {}, "required": [], **inline(schema)}


def _portable(hint: Any) -> Any:
    """The hint as pydantic can check it, whole and at once.

    It looks at an Iterable's items only while they are taken: a list is one. And before Python
    3.12 it wants the TypedDict of typing_extensions: the same, rebuilt.
    """
    if (typing.get_origin(hint) or hint) is Iterable:
        return list[tuple(map(_portable, typing.get_args(hint))) or Any]
    old = sys.version_info < (3, 12)
    if old and typing.is_typeddict(hint) and type(hint).__module__ == "typing":
        import typing_extensions as later

        fields = typing.get_type_hints(hint, include_extras=True)
        for key, each in fields.items():
            form, bare = typing.get_origin(each), each
            if form in (typing.Required, typing.NotRequired):
                bare = each.__args__[0]
            else:
                form = typing.Required if key in hint.__required_keys__ else typing.NotRequired
            fields[key] = form[_portable(bare)]
        made = later.TypedDict(hint.__name__, fields)
        made.__doc__ = hint.__doc__
        return made
    parts = typing.get_args(hint)
    changed = tuple(map(_portable, parts)) if typing.get_origin(hint) is not typing.Literal else ()
    if all(new is old for new, old in zip(changed, parts, strict=False)):
        return hint
    if isinstance(hint, types.UnionType):
        return typing.Union[changed]  # noqa: UP007
    if typing.get_origin(hint) is typing.Annotated:
        return typing.Annotated[changed]
    return hint.copy_with(changed) if hasattr(hint, "copy_with") else hint.__origin__[changed]


def _no_schema(name: str, signature: tuple[Parameter, ...], error: Exception) -> TypeError:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError
    from pydantic_core import SchemaError

    guilty = "one of its parameters"
    for each in signature:
        try:
            TypeAdapter(_portable(each.hint)).json_schema()
        except (PydanticUserError, SchemaError):
            guilty = f"parameter `{each.name}` ({getattr(each.hint, '__name__', each.hint)})"
            break
    return TypeError(
        f"{name}: {guilty} has a type that JSON can't carry. Use a JSON type, a dataclass or a "
        f"pydantic model, or bind the value with functools.partial. ({str(error).splitlines()[0]})"
    )
