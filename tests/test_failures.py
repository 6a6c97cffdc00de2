"""Failures of the model request: what is tried again, what is not, and going on afterwards."""

import asyncio
import json

import anyio
import httpx
import pytest
from replies import Script, calls, chunk, sse, text

from agentlib import Agent, connect
from agentlib.model import explain


@pytest.fixture
def waits(monkeypatch):
    """The seconds that the client wants to wait; nothing waits for real."""
    noted = []

    async def note(seconds):
        noted.append(seconds)

    monkeypatch.setattr("openai._base_client.time.sleep", noted.append)
    monkeypatch.setattr("openai._base_client.anyio.sleep", note)
    return noted


def failing(status, **headers):
    return httpx.Response(status, headers=headers, json={"error": {"message": "no"}})


def run(script, kind="sync", retries=2, streamed=False):
    client = script.client(retries) if kind == "sync" else script.async_client()
    agent = Agent(client.with_options(max_retries=retries), "m", layers=())

    async def main():
        if not streamed:
            return await agent.run("x")
        session_events = [event async for event in agent.stream("x")]
        return session_events[-1]

    return asyncio.run(main())


both = pytest.mark.parametrize("kind", ["sync", "async"])


MAY_PASS = {
    **{str(status): lambda status=status: failing(status) for status in (429, 500, 502, 503, 504)},
    "refused": lambda: httpx.ConnectError("refused"),
    "dropped": lambda: httpx.RemoteProtocolError("dropped"),
    "slow": lambda: httpx.ReadTimeout("slow"),
}


@both
@pytest.mark.parametrize("failure", MAY_PASS)
def test_what_may_pass_is_tried_again_within_the_budget(waits, kind, failure):
    script = Script(MAY_PASS[failure](), MAY_PASS[failure](), text("there"))
    assert run(script, kind).text == "there"
    assert len(script.requests) == 3
    # the client's rule: 0.5 s, then doubled, each less up to a quarter
    assert [0.375 <= waits[0] <= 0.5, 0.75 <= waits[1] <= 1.0, len(waits)] == [True, True, 2]


@both
def test_the_budget_ends(waits, kind):
    script = Script(*[failing(503) for _ in range(4)], text("too late"))
    ended = run(script, kind)
    assert (ended.stopped, len(script.requests)) == ("error", 3)  # one, and two more
    assert "server failed" in ended.text


@both
@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("0.25", 0.25), ("30", 30.0)])
def test_retry_after_is_honoured(waits, kind, header, seconds):
    script = Script(failing(429, **{"retry-after": header}), text("there"))
    assert run(script, kind).text == "there" and waits == [seconds]


@both
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_would_fail_again_is_not_repeated(waits, kind, status):
    script = Script(failing(status), text("never asked for"))
    ended = run(script, kind)
    assert (ended.stopped, len(script.requests), waits) == ("error", 1, [])


@both
def test_a_stream_is_begun_again_too(waits, kind):
    answer = sse(chunk({"content": "there"}), chunk({}, "stop"))
    script = Script(failing(429, **{"retry-after": "3"}), answer)
    assert run(script, kind, streamed=True).text == "there" and waits == [3.0]


def body(message="no", code=None):
    return {"error": {"message": message, "type": "x", "param": None, "code": code}}


# status, headers, message, code -> what the explanation must say
EXPLAINED = {
    "seconds": (429, {"retry-after": "7"}, "slow down", None, "try again in 7 s"),
    "half a second": (429, {"retry-after": "0.5"}, "slow down", None, "try again in 0.5 s"),
    "a date": (
        429,
        {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"},
        "slow down",
        None,
        "try again at Wed, 21 Oct 2026 07:28:00 GMT",
    ),
    "no header": (429, {}, "slow down", None, "try again later"),
    "quota": (429, {}, "You exceeded your quota", "insufficient_quota", "quota"),
    "length by its code": (400, {}, "n", "context_length_exceeded", "conversation is too long"),
    "length in words": (
        400,
        {},
        "This model's maximum context length is 8192 tokens.",
        None,
        "conversation is too long",
    ),
    "length as 413": (413, {}, "prompt is too long", None, "conversation is too long"),
    "window": (400, {}, "exceeds the context window", None, "trim or reset"),
    "another 400": (400, {}, "tools[0] is bad", None, "tools[0] is bad"),
    "a 500 that names the length": (500, {}, "context length", None, "server failed"),
    "key": (401, {}, "Incorrect API key", "invalid_api_key", "set a valid OPENAI_API_KEY"),
    "not allowed": (403, {}, "no access", None, "may not use that model"),
    "no model": (404, {}, "gpt-99", "model_not_found", "OPENAI_MODEL"),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_explained_in_one_sentence_with_the_mend(case):
    status, headers, message, code, said = EXPLAINED[case]
    script = Script(httpx.Response(status, headers=headers, json=body(message, code)))
    ended = run(script, retries=0)
    assert said in ended.text and "\n" not in ended.text
    assert explain(ended.error) == ended.text


QUIRKS = {
    "rate_limited": "try again in 1 s",
    "server_error": "server failed",
    "dropped": "cannot be reached",
}


def double(n: int) -> int:
    """Double a number."""
    return 2 * n


def offline(*quirks, retries=0, timeout=None):
    client, model = connect(quirks=quirks)
    options = {"timeout": timeout} if timeout else {}
    return Agent(client.with_options(max_retries=retries, **options), model, [double], layers=())


@pytest.mark.parametrize("quirk", QUIRKS)
def test_the_offline_models_failures_end_the_run_and_it_goes_on(quirk):
    agent = offline(quirk)
    ended = agent.run_sync("Double 21.")
    assert (ended.stopped, ended.truncated, ended.steps) == ("error", True, 1)
    assert QUIRKS[quirk] in ended.text
    assert agent.messages == [{"role": "user", "content": "Double 21."}]
    again = agent.run_sync()
    assert again.stopped == "answer" and "42" in again.text


@pytest.mark.parametrize("quirk", QUIRKS)
def test_the_client_gets_over_the_offline_models_failures(quirk, waits):
    ended = offline(quirk, retries=2).run_sync("Double 21.")
    assert "42" in ended.text and len(waits) == 1
    assert quirk != "rate_limited" or waits == [1.0]  # what its Retry-After says


def test_a_slow_model_is_not_waited_for_longer_than_the_clients_limit():
    ended = offline("slow:60", timeout=0.01).run_sync("Double 21.")
    assert (ended.stopped, "did not answer in time" in ended.text) == ("error", True)


def test_a_wrong_key_is_said_at_once(waits):
    ended = offline("wrong_key", retries=2).run_sync("Double 21.")
    assert "OPENAI_API_KEY" in ended.text and waits == []


def test_too_long_is_named_and_a_shorter_history_goes_through():
    agent = offline("context_length:300")
    agent.messages += [{"role": "user", "content": "tea " * 900}]
    agent.messages += [{"role": "assistant", "content": "Noted."}]
    ended = agent.run_sync("Double 21.")
    assert "too long" in ended.text and len(agent.messages) == 3
    agent.messages[:2] = []
    assert "42" in agent.run_sync().text


def test_what_was_done_before_the_failure_is_not_done_again():
    paid = []

    def pay(to: str, amount: int) -> str:
        """Pay."""
        paid.append((to, amount))
        return "paid"

    script = Script(calls(("pay", {"to": "Ana", "amount": 5})), failing(500), text("Ana has it."))
    agent = Agent(script.client(), "m", [pay], layers=())
    assert agent.run_sync("Pay Ana 5.").stopped == "error" and paid == [("Ana", 5)]
    assert agent.run_sync().text == "Ana has it." and paid == [("Ana", 5)]
    roles = [m["role"] for m in script.requests[-1]["messages"]]
    assert roles == ["user", "assistant", "tool"]


def test_a_failure_is_in_the_trace():
    agent = offline("server_error")
    trace = agent.run_sync("Double 21.").trace
    assert [event.kind for event in trace] == ["task", "request", "end"]
    assert "server failed" in trace[-1].text
    assert json.loads(trace.to_jsonl().splitlines()[-1])["kind"] == "end"


def test_the_event_loop_lives_while_the_model_is_slow():
    agent = offline("slow:0.2")

    async def main():
        turns = 0

        async def tick():
            nonlocal turns
            while True:
                turns += 1
                await anyio.sleep(0.01)

        ticking = asyncio.ensure_future(tick())
        ended = await agent.run("Double 21.")
        ticking.cancel()
        return ended.text, turns

    answer, turns = asyncio.run(main())
    assert "42" in answer and turns >= 5
