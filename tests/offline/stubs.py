"""A planner that says what the test tells it to, and clients over the transport."""

import json
from types import SimpleNamespace

import httpx
import openai

from agentlib.offline.endpoint import Endpoint
from agentlib.offline.transport import OfflineTransport

WEATHER = ("get_weather", {"city": "Paris", "days": 2})


def saying(content=None, *calls):
    """Calls as long as the last message is the user's and tools are offered, then the text."""

    def plan(request):
        offered = {tool["function"]["name"] for tool in request["tools"]}
        if request["messages"][-1]["role"] == "user" and calls and offered:
            return SimpleNamespace(content=None, calls=list(calls))
        return SimpleNamespace(content=content, calls=[])

    return plan


def post(body, *, plan=None, endpoint=None, **settings):
    """The decoded answer to a chat request: an object, or the list of a stream's events."""
    endpoint = endpoint or Endpoint(plan=plan or saying("Done."), **settings)
    raw = json.dumps(body).encode()
    answer = endpoint.answer("POST", "/v1/chat/completions", {}, raw)
    if isinstance(answer.body, bytes):
        return json.loads(answer.body)
    events = b"".join(answer.body).decode().split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    return [json.loads(event.removeprefix("data: ")) for event in events[:-2]]


def client(asynchronous=False, **settings):
    transport = OfflineTransport(**settings)
    where = {"api_key": "k", "base_url": "http://offline.invalid/v1", "max_retries": 0}
    if asynchronous:
        return openai.AsyncOpenAI(**where, http_client=httpx.AsyncClient(transport=transport))
    return openai.OpenAI(**where, http_client=httpx.Client(transport=transport))
