"""The referee: is this request one that the hosted Chat Completions API would take?

Where public sources disagree about the hosted API, the request is let through.
"""

from __future__ import annotations

from typing import Any

from agentlib.offline import refusals as no
from agentlib.offline.protocol_messages import check_messages
from agentlib.offline.protocol_parameters import MODEL, PARAMETERS
from agentlib.offline.protocol_tools import check_tool_choice
from agentlib.offline.protocol_turns import check_turns


def judge(request: Any) -> no.Refusal | None:
    """None for a good request, else the error answer (`.status`, `.body`).

    request: the decoded JSON body. One pass over messages and tools; nothing is changed.
    """
    try:
        _check(request)
    except no.Refusal as refusal:
        return refusal
    return None


def _check(request: Any) -> None:
    if not isinstance(request, dict):
        raise no.Refusal(f"Invalid body: expected an object, but got {no.kind_of(request)}.")
    _check_model(request.get("model"))
    for name, value in request.items():
        check = PARAMETERS.get(name)
        if check is None:
            text = f"Unknown parameter: '{name}'. Check its spelling, or leave it out."
            raise no.Refusal(text, name, "unknown_parameter")
        if value is not None:
            check(name, value)
    if "messages" not in request:
        raise no.missing("messages")
    check_messages(request["messages"])
    _check_together(request)
    check_turns(request["messages"])


def _check_model(model: Any) -> None:
    if model is None or model == "":
        raise no.Refusal("You must provide a model parameter.")
    if not isinstance(model, str):
        raise no.wrong_type("model", "a string", model)
    if model != MODEL:
        raise unknown_model(model)


def unknown_model(model: str, param: str | None = None) -> no.Refusal:
    """The 404 for a model that is not served here."""
    text = (
        f"The model `{model}` does not exist or you do not have access to it. "
        f"This endpoint serves `{MODEL}`."
    )
    return no.Refusal(text, param, "model_not_found", status=404)


def _check_together(request: dict[str, Any]) -> None:
    tools, choice = request.get("tools"), request.get("tool_choice")
    for name in ("tool_choice", "parallel_tool_calls"):
        if request.get(name) is not None and not tools:
            raise no.only_with(name, "when 'tools' are specified")
    if choice is not None:
        check_tool_choice(choice, tools or [])
    if request.get("stream_options") is not None and not request.get("stream"):
        raise no.only_with("stream_options", "when 'stream' is enabled")
    form = request.get("response_format")
    if form and form["type"] == "json_object" and not _mentions_json(request["messages"]):
        text = (
            "'messages' must contain the word 'json' in some form, "
            "to use 'response_format' of type 'json_object'."
        )
        raise no.Refusal(text, "messages")


def _mentions_json(messages: list[dict[str, Any]]) -> bool:
    return any("json" in str(message.get("content")).lower() for message in messages)
