"""Which client and which model: the scripted offline one, or a live one; its errors in words."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

OFFLINE_MODEL = "scripted-1"
LIVE_MODEL = "gpt-5-mini"  # when OPENAI_MODEL names no other


def connect(
    *,
    offline: bool | None = None,
    model: str | None = None,
    quirks: Iterable[str] = (),
    asynchronous: bool = False,
    check: bool = True,
) -> tuple[Any, str]:
    """(client, model name): the scripted offline model, or a live one when the environment says so.

    Live when OPENAI_API_KEY or OPENAI_BASE_URL is set; OPENAI_MODEL names the model. `quirks`
    switch on faults of the offline model and imply it. ConnectionError: the live endpoint does
    not answer, or refuses the key; the message says what to do.
    """
    quirks = (quirks,) if isinstance(quirks, str) else tuple(quirks)
    wanted = bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))
    if offline or quirks or (offline is None and not wanted):
        return _offline_client(quirks, asynchronous), model or OFFLINE_MODEL
    if not wanted:
        raise ConnectionError(
            "no live model is set: put a key in OPENAI_API_KEY, or a server's address in "
            "OPENAI_BASE_URL, or use connect() for the offline model."
        )
    from openai import AsyncOpenAI, OpenAI

    key = os.environ.get("OPENAI_API_KEY", "").strip() or "not-needed"
    if not (key.isascii() and key.isprintable()):
        raise ConnectionError(
            "OPENAI_API_KEY holds characters that no key has: copy the key again, without quotes."
        )
    if check:
        _check(OpenAI(api_key=key, timeout=10, max_retries=0))
    client = (AsyncOpenAI if asynchronous else OpenAI)(api_key=key)
    return client, model or os.environ.get("OPENAI_MODEL") or LIVE_MODEL


def _offline_client(quirks: tuple[str, ...], asynchronous: bool) -> Any:
    import httpx
    from openai import AsyncOpenAI, OpenAI

    from agentlib.offline.transport import OfflineTransport

    transport = OfflineTransport(quirks=quirks)
    where = {"api_key": "offline", "base_url": "http://offline.invalid/v1"}
    if asynchronous:
        return AsyncOpenAI(**where, http_client=httpx.AsyncClient(transport=transport))
    return OpenAI(**where, http_client=httpx.Client(transport=transport))


def _check(client: Any) -> None:
    """One small request, so that a wrong key or address is met here and not in a lesson."""
    from openai import NotFoundError, OpenAIError

    live = " and ".join(n for n in ("OPENAI_API_KEY", "OPENAI_BASE_URL") if os.environ.get(n))
    offline = f"Or unset {live} to use the offline model."
    try:
        client.models.list()
    except NotFoundError:  # an endpoint without a list of models, or the /v1 is missing
        below = str(client.base_url).rstrip("/") + "/v1"
        if not below.endswith("/v1/v1") and _answers(client.with_options(base_url=below)):
            raise ConnectionError(
                f"{client.base_url} is not the whole address: set OPENAI_BASE_URL={below} . "
                f"{offline}"
            ) from None
    except OpenAIError as error:
        said = f"{explain(error)} (endpoint: {client.base_url}) {offline}"
        raise ConnectionError(said) from None
    finally:
        client.close()


def _answers(client: Any) -> bool:
    """True when there is a list of models at the client's address, if only for other keys."""
    from openai import OpenAIError

    try:
        client.models.list()
    except OpenAIError as error:
        return getattr(error, "status_code", 404) in (401, 403)
    return True


def explain(error: Exception) -> str:
    """A failed model request in one sentence, with the mend."""
    import openai

    said = " ".join(str(getattr(error, "message", error)).split())[:300]
    if isinstance(error, openai.AuthenticationError):
        return f"The model refused the key: set a valid OPENAI_API_KEY. It said: {said}"
    if isinstance(error, openai.PermissionDeniedError):
        return f"This key may not use that model or endpoint. It said: {said}"
    if isinstance(error, openai.NotFoundError):
        return f"{_not_found(error)} It said: {said}"
    if isinstance(error, openai.RateLimitError):
        when = _when(error.response.headers)
        return f"The model's rate limit or quota is reached: try again {when}. It said: {said}"
    if _too_long(error, said):
        return f"The conversation is too long for the model: trim or reset it. It said: {said}"
    if isinstance(error, openai.APITimeoutError):
        return "The model did not answer in time: try again, or raise the client's timeout."
    if isinstance(error, openai.APIConnectionError):
        return "The model cannot be reached: check the network and OPENAI_BASE_URL, then run again."
    if isinstance(error, openai.InternalServerError):
        return f"The model's server failed: run again later. It said: {said}"
    if getattr(error, "status_code", None) is None:
        return f"The model's reply can't be used: {said}"
    return f"The model refused the request: {said}"


def _not_found(error: Any) -> str:
    if "/v1" in error.request.url.path:
        return "The endpoint has no such model or path: check OPENAI_MODEL."
    return "The endpoint has no such path or model: does OPENAI_BASE_URL lack its /v1?"


def _when(headers: Any) -> str:
    """ "in 7 s", "at <date>" or "later", from the Retry-After of a reply."""
    wait = headers.get("retry-after", "").strip()
    if wait.replace(".", "", 1).isdigit():
        return f"in {wait} s"
    return f"at {wait}" if wait else "later"


_LENGTH = ("context length", "context window", "context_length", "prompt is too long")


def _too_long(error: Exception, said: str) -> bool:
    """True for a conversation over the model's limit; servers that set no code say it in words."""
    if getattr(error, "code", None) == "context_length_exceeded":
        return True
    refused = getattr(error, "status_code", None) in (400, 413, 422)
    return refused and any(words in said.lower() for words in _LENGTH)
