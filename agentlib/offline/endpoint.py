"""The offline model's service: one HTTP request in, one answer out, over no matter what wire."""

from __future__ import annotations

import datetime
import hmac
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline import drafts, replies
from agentlib.offline.drafting import draft_reply
from agentlib.offline.protocol import judge, unknown_model
from agentlib.offline.protocol_parameters import MODEL
from agentlib.offline.quirks import switch_on
from agentlib.offline.refusals import Refusal

CHAT, MODELS = "/v1/chat/completions", "/v1/models"
_JSON = {"content-type": "application/json"}
_EVENTS = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}


@dataclass
class Answer:
    """Status, headers and the body: bytes, or an iterator of bytes for a stream.

    delay: seconds to wait before it. pause: seconds between a stream's pieces.
    """

    status: int
    body: bytes | Iterator[bytes]
    headers: dict[str, str] = field(default_factory=lambda: dict(_JSON))
    delay: float = 0.0
    pause: float = 0.0


def refused(refusal: Refusal) -> Answer:
    """An error as an answer; indented, since it is people who read it."""
    text = json.dumps(refusal.body, ensure_ascii=False, indent=2)
    return Answer(refusal.status, text.encode("utf-8", "replace"), {**_JSON, **refusal.headers})


class Endpoint:
    """The service with its settings; safe to use from several threads.

    quirks: names from `QUIRKS`. require_key: the one API key that is taken (None: any or none).
    today: the day that "tomorrow" counts from. plan: stands in for the planner in tests.
    """

    def __init__(
        self,
        quirks: str | Iterable[str] = (),
        require_key: str | None = None,
        today: datetime.date | None = None,
        plan: Callable[[dict[str, Any]], Any] | None = None,
    ) -> None:
        self.quirks = switch_on(quirks)
        self.require_key = require_key
        self.today = today
        self._plan = plan or self._scripted
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """The answer to one request; header names in `headers` are lower case.

        Raises `Dropped` where a quirk wants the connection closed.
        """
        try:
            self._check_key(headers.get("authorization"))
            return self._route(method.upper(), path.partition("?")[0].rstrip("/") or "/", body)
        except Refusal as refusal:
            return refused(refusal)

    def _route(self, method: str, path: str, body: bytes) -> Answer:
        if path == CHAT and method == "POST":
            return self._chat(_decode(body))
        if path == MODELS and method == "GET":
            return Answer(200, replies.to_bytes({"object": "list", "data": [_MODEL]}))
        if path.startswith(f"{MODELS}/") and method == "GET":
            name = path.removeprefix(f"{MODELS}/")
            if name != MODEL:
                raise unknown_model(name, "model")
            return Answer(200, replies.to_bytes(_MODEL))
        if path in (CHAT, MODELS):
            text = f"Not allowed to {method} on {path}."
            raise Refusal(text, None, "method_not_supported", status=405)
        text = f"Invalid URL ({method} {path}). Requests go to {CHAT}."
        raise Refusal(text, None, "unknown_url", status=404)

    def _chat(self, request: Any) -> Answer:
        refusal = judge(request)
        if refusal:
            raise refusal
        self._refuse_by_quirk(request)
        draft = self._draft(request)
        slow = {each.quirk.slows: float(each.value) for each in self.quirks if each.quirk.slows}
        delay, pause = slow.get("delay", 0.0), slow.get("pause", 0.0)
        if request.get("stream"):
            events = replies.sse(replies.chunks(request, draft))
            return Answer(200, events, dict(_EVENTS), delay, pause)
        body = replies.to_bytes(replies.completion(request, draft))
        return Answer(200, body, dict(_JSON), delay)

    def _draft(self, request: dict[str, Any]) -> drafts.Draft:
        draft = draft_reply(request, self._plan)
        for each in self.quirks:
            if each.quirk.spoil:
                each.quirk.spoil(draft, request, each.value)
        drafts.give_ids(draft, request["messages"])
        drafts.stop_at(draft, request.get("stop"))
        limits = (request.get("max_tokens"), request.get("max_completion_tokens"))
        drafts.limit_tokens(draft, min((n for n in limits if n is not None), default=None))
        return draft

    def _scripted(self, request: dict[str, Any]) -> Any:
        from agentlib.offline.planner import plan

        try:
            return plan(request, today=self.today)
        except Exception as error:  # whatever breaks in there, a client must get an answer
            text = f"The scripted model broke on this request: {type(error).__name__}: {error}"
            raise Refusal(text, status=500, kind="server_error") from error

    def _refuse_by_quirk(self, request: dict[str, Any]) -> None:
        for each in self.quirks:
            if each.quirk.refuse:
                with self._lock:
                    count = self._counts[each.name] = self._counts.get(each.name, 0) + 1
                each.quirk.refuse(request, each.value, count)

    def _check_key(self, authorization: str | None) -> None:
        if self.require_key is None:
            return
        scheme, _, key = (authorization or "").partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key:
            text = (
                "You didn't provide an API key. Send it in the Authorization header: "
                "`Authorization: Bearer YOUR_KEY`."
            )
            raise Refusal(text, status=401)
        if not hmac.compare_digest(key.encode(), self.require_key.encode()):
            text = f"Incorrect API key provided: {_masked(key)}."
            raise Refusal(text, None, "invalid_api_key", status=401)


_MODEL = {"id": MODEL, "object": "model", "created": replies.CREATED, "owned_by": "agentlib"}


def _masked(key: str) -> str:
    return f"{key[:4]}***{key[-4:]}" if len(key) > 12 else "***"


def _decode(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        text = (
            "We could not parse the JSON body of your request: the API expects a JSON payload. "
            f"({error})"
        )
        raise Refusal(text) from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
