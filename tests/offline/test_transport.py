"""The official client over the transport: sync, async, streams, errors, many threads."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import openai
import pytest
from published import request, tool, user
from stubs import WEATHER, client, saying

from agentlib.offline.transport import OfflineTransport

PLAN = saying("It is sunny.", WEATHER)
BODY = request(user(), tools=[tool()])


def stream_text(chunks):
    return "".join(each.choices[0].delta.content or "" for each in chunks if each.choices)


def test_sync():
    official = client(plan=PLAN)
    made = official.chat.completions.create(**BODY)
    message = made.choices[0].message
    assert message.tool_calls[0].function.name == "get_weather"
    history = [user(), message]
    history.append({"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "Sunny"})
    final = official.chat.completions.create(**{**BODY, "messages": history})
    assert final.choices[0].message.content == "It is sunny."
    with official.chat.completions.stream(**request()) as stream:
        assert stream.get_final_completion().choices[0].message.content == "It is sunny."
    assert [model.id for model in official.models.list()] == ["scripted-1"]
    assert official.models.retrieve("scripted-1").owned_by == "agentlib"


def test_sync_stream():
    chunks = client(plan=PLAN).chat.completions.create(**request(), stream=True)
    assert stream_text(chunks) == "It is sunny."


def test_async():
    async def run():
        async with client(True, plan=PLAN) as official:
            made = await official.chat.completions.create(**BODY)
            chunks = await official.chat.completions.create(**request(), stream=True)
            return made, [each async for each in chunks]

    made, chunks = asyncio.run(run())
    assert made.choices[0].finish_reason == "tool_calls"
    assert stream_text(chunks) == "It is sunny."
    assert made == client(plan=PLAN).chat.completions.create(**BODY)


def test_create_and_post_get_the_same():
    official = client(plan=PLAN)
    posted = official.post("/chat/completions", cast_to=openai.types.chat.ChatCompletion, body=BODY)
    assert posted == official.chat.completions.create(**BODY)


def test_parse():
    import pydantic

    class Answer(pydantic.BaseModel):
        text: str
        count: int

    made = client(plan=PLAN).chat.completions.parse(**request(), response_format=Answer)
    assert made.choices[0].message.parsed.text == "It is sunny."


@pytest.mark.parametrize(
    ("settings", "body", "error"),
    [
        ({}, {**BODY, "temperature": 3}, openai.BadRequestError),
        ({}, {**BODY, "model": "other"}, openai.NotFoundError),
        ({"require_key": "right"}, BODY, openai.AuthenticationError),
        ({"quirks": "rate_limited"}, BODY, openai.RateLimitError),
        ({"quirks": "server_error"}, BODY, openai.InternalServerError),
        ({"quirks": "dropped"}, BODY, openai.APIConnectionError),
        ({"quirks": "slow:9"}, {**BODY, "timeout": 3}, openai.APITimeoutError),
    ],
)
def test_errors(settings, body, error):
    slept = []
    with pytest.raises(error):
        client(plan=PLAN, sleep=slept.append, **settings).chat.completions.create(**body)

    async def run():
        async with client(True, plan=PLAN, sleep=slept.append, **settings) as official:
            await official.chat.completions.create(**body)

    with pytest.raises(error):
        asyncio.run(run())
    assert slept == ([3, 3] if "timeout" in body else [])


def test_the_client_mends_a_rate_limit_by_itself(monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    official = client(plan=PLAN, quirks="rate_limited").with_options(max_retries=1)
    assert official.chat.completions.create(**BODY).choices
    assert waits == [1]  # what Retry-After asked for


def test_slow_answers_wait():
    slept = []
    official = client(plan=PLAN, quirks=["slow:2", "slow_stream:0.5"], sleep=slept.append)
    chunks = list(official.chat.completions.create(**request(), stream=True))
    assert slept == [2, *[0.5] * (len(chunks) + 1)]  # and one for [DONE]

    async def run():
        async with client(True, plan=PLAN, quirks="slow_stream", sleep=slept.append) as official:
            async for _ in await official.chat.completions.create(**request(), stream=True):
                pass

    slept.clear()
    asyncio.run(run())
    assert slept == [0.1] * (len(chunks) + 1)


def test_keys():
    for key, status, code in (
        (None, 401, None),
        ("Bearer ", 401, None),
        ("Basic right", 401, None),
        ("Bearer wrong-key-1234567", 401, "invalid_api_key"),
        ("Bearer schlüssel".encode(), 401, "invalid_api_key"),
        ("Bearer right", 200, None),
    ):
        transport = OfflineTransport(require_key="right", plan=PLAN)
        headers = {"authorization": key} if key else {}
        with httpx.Client(transport=transport, headers=headers) as bare:
            answer = bare.post("http://x/v1/chat/completions", json=BODY)
        assert answer.status_code == status, key
        if status == 401:
            assert answer.json()["error"]["code"] == code
            assert "wrong-key-1234567" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "/v1/chat/completion", 404, "unknown_url"),
        ("GET", "/", 404, "unknown_url"),
        ("GET", "/v1/chat/completions", 405, "method_not_supported"),
        ("GET", "/v1/models/other", 404, "model_not_found"),
        ("GET", "/v1/models/", 200, None),
        ("GET", "/v1/models?limit=3", 200, None),
    ],
)
def test_paths(method, path, status, code):
    with httpx.Client(transport=OfflineTransport()) as bare:
        answer = bare.request(method, f"http://x{path}")
    assert answer.status_code == status
    if status != 200:
        error = answer.json()["error"]
        assert error["code"] == code
        assert code != "unknown_url" or f"{method} {path}" in error["message"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"a": "x\ty"}', b"\xff", b'{"temperature": NaN}', b"[" * 100_000, b"1" * 5_000],
)
def test_bodies_that_are_not_json(body):
    with httpx.Client(transport=OfflineTransport()) as bare:
        answer = bare.post("http://x/v1/chat/completions", content=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert "could not parse the JSON body" in error["message"]
    assert (error["param"], error["code"]) == (None, None)


def test_a_planner_that_breaks_is_a_500(monkeypatch):
    from agentlib.offline import planner

    def broken(request, today=None):
        raise KeyError("oops")

    monkeypatch.setattr(planner, "plan", broken)
    with pytest.raises(openai.InternalServerError, match="KeyError: 'oops'"):
        client().chat.completions.create(**BODY)


def test_many_threads_count_right():
    official = client(plan=PLAN, quirks="rate_limited:10")

    def ask(_):
        try:
            return official.chat.completions.create(**BODY).choices[0].finish_reason
        except openai.RateLimitError:
            return "limited"

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(40)))
    assert (found.count("limited"), found.count("tool_calls")) == (10, 30)
