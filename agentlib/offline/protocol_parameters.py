"""The referee on single parameters: a table of each known one's name and its check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentlib.offline import refusals as no
from agentlib.offline.protocol_tools import check_tools, schema_fault

MODEL = "scripted-1"
Check = Callable[[str, Any], None]


def _number(low: float, high: float) -> Check:
    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise no.Refusal(f"{value!r} is not of type 'number' - '{name}'")
        if value > high:
            raise no.Refusal(f"{value} is greater than the maximum of {high} - '{name}'")
        if value < low:
            raise no.Refusal(f"{value} is less than the minimum of {low} - '{name}'")

    return check


def _integer(low: int | None = None, high: int | None = None) -> Check:
    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise no.wrong_type(name, "an integer", value)
        if low is not None and value < low:
            text = f"Invalid '{name}': integer below minimum value. Expected at least {low}."
            raise no.Refusal(f"{text} Got {value}.", name, "integer_below_min_value")
        if high is not None and value > high:
            text = f"Invalid '{name}': integer above maximum value. Expected at most {high}."
            raise no.Refusal(f"{text} Got {value}.", name, "integer_above_max_value")

    return check


def _of(kind: type, words: str) -> Check:
    def check(name: str, value: Any) -> None:
        if not isinstance(value, kind):
            raise no.wrong_type(name, words, value)

    return check


def _stop(name: str, value: Any) -> None:
    if isinstance(value, str):
        return
    if not isinstance(value, list):
        raise no.wrong_type(name, "one of a string or an array of strings", value)
    if len(value) > 4:
        raise no.long_array(name, 4, len(value))
    for i, text in enumerate(value):
        if not isinstance(text, str):
            raise no.wrong_type(f"{name}[{i}]", "a string", text)


def _response_format(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise no.wrong_type(name, "an object", value)
    if "type" not in value:
        raise no.missing(f"{name}.type")
    kinds = ("text", "json_object", "json_schema")
    if value["type"] not in kinds:
        raise no.bad_value(f"{name}.type", value["type"], kinds)
    if value["type"] != "json_schema":
        return
    form = value.get("json_schema")
    if not isinstance(form, dict):
        raise no.missing(f"{name}.json_schema")
    if "name" not in form:
        raise no.missing(f"{name}.json_schema.name")
    if form.get("schema") is not None:
        fault = schema_fault(form["schema"], strict=bool(form.get("strict")))
        if fault:
            text = f"Invalid schema for response_format '{form['name']}': {fault}"
            raise no.Refusal(text, name)


def _legacy(name: str, value: Any) -> None:
    mend = "tools" if name == "functions" else "tool_choice"
    text = f"Unsupported parameter: '{name}' is not supported with this model. Use '{mend}'."
    raise no.Refusal(text, name, "unsupported_parameter")


def _text_only(name: str, value: Any) -> None:
    if name == "audio" or value != ["text"]:
        text = f"Invalid value for '{name}': the model '{MODEL}' writes text only."
        raise no.Refusal(text, name, "unsupported_value")


def _any(name: str, value: Any) -> None:
    """Taken and without effect here."""


_BOOLEAN, _OBJECT, _STRING = _of(bool, "a boolean"), _of(dict, "an object"), _of(str, "a string")
PARAMETERS: dict[str, Check] = {
    **dict.fromkeys(("model", "messages", "tool_choice", "prediction", "moderation"), _any),
    **dict.fromkeys(("stream", "store", "logprobs", "parallel_tool_calls"), _BOOLEAN),
    **dict.fromkeys(("stream_options", "metadata", "logit_bias", "web_search_options"), _OBJECT),
    **dict.fromkeys(("user", "safety_identifier", "prompt_cache_key", "service_tier"), _STRING),
    **dict.fromkeys(("reasoning_effort", "verbosity", "prompt_cache_retention"), _STRING),
    **dict.fromkeys(("frequency_penalty", "presence_penalty"), _number(-2, 2)),
    **dict.fromkeys(("max_tokens", "max_completion_tokens"), _integer(1)),
    **dict.fromkeys(("functions", "function_call"), _legacy),
    **dict.fromkeys(("audio", "modalities"), _text_only),
    "prompt_cache_options": _OBJECT,
    "temperature": _number(0, 2),
    "top_p": _number(0, 1),
    "n": _integer(1, 128),
    "top_logprobs": _integer(0, 20),
    "seed": _integer(),
    "stop": _stop,
    "tools": lambda name, value: check_tools(value),
    "response_format": _response_format,
}
