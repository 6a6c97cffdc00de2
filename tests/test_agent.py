"""The loop: what it sends, what it keeps, how it ends; one event at a time."""

import asyncio
import json

import httpx
import pytest
from replies import Script, body, calls, chunk, sse, text

from agentlib import Agent, ToolCall, ToolCallError
from agentlib.results import ToolResult


def double(n: int) -> int:
    """Double a number."""
    return 2 * n


def agent_for(script, **options):
    options = {"tools": [double], "layers": ()} | options
    return Agent(script.client(), "m", **options)


def test_a_call_is_run_and_answered():
    script = Script(calls(("double", {"n": 4})), text("It is 8."))
    agent = agent_for(script, system="Be brief.")
    run = agent.run_sync("Double 4")
    assert (run.text, run.stopped, run.steps, run.truncated) == ("It is 8.", "answer", 2, False)
    assert [r.value for r in run.calls] == [8]
    assert [m["role"] for m in agent.messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    sent = script.requests[1]
    assert sent["messages"][-1] == {"role": "tool", "tool_call_id": "c0", "content": "8"}
    assert sent["tools"][0]["function"]["name"] == "double"
    assert run.usage == {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}


def test_no_tools_no_tools_field_and_options_are_sent():
    script = Script(text("hi"))
    agent_for(script, tools=(), options={"temperature": 0}).run_sync("hello")
    assert "tools" not in script.requests[0] and script.requests[0]["temperature"] == 0


def test_every_call_of_a_turn_gets_one_message_in_call_order():
    script = Script(calls(("double", {"n": 1}), ("nope", {}), ("double", {"n": 2})), text("ok"))
    agent = agent_for(script)
    agent.run_sync("x")
    tools = [m for m in agent.messages if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in tools] == ["c0", "c1", "c2"]
    assert tools[0]["content"] == "2" and "no tool named 'nope'" in tools[1]["content"]


def test_running_out_of_steps_is_said():
    script = Script(*[calls(("double", {"n": i})) for i in range(3)])
    run = agent_for(script, max_steps=3).run_sync("x")
    assert (run.stopped, run.steps, run.truncated) == ("max_steps", 3, True)
    assert "3 steps" in run.text


def test_the_default_limit_is_ten_steps():
    script = Script(*[calls(("double", {"n": i})) for i in range(10)])
    assert agent_for(script).run_sync("x").steps == 10


def test_the_history_is_kept_between_runs_and_reset_clears_it():
    script = Script(text("one"), text("two"), text("three"))
    agent = agent_for(script, system="s")
    agent.run_sync("first")
    agent.run_sync("second")
    assert [m["content"] for m in script.requests[1]["messages"]] == ["s", "first", "one", "second"]
    agent.reset()
    agent.run_sync("third")
    assert [m["content"] for m in script.requests[2]["messages"]] == ["s", "third"]


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (httpx.Response(401, json={"error": {"message": "bad key"}}), "OPENAI_API_KEY"),
        (httpx.Response(404, json={"error": {"message": "no model"}}), "OPENAI_MODEL"),
        (httpx.Response(429, headers={"retry-after": "7"}, json={}), "in 7 s"),
        (httpx.Response(500, json={}), "server failed"),
        (httpx.ConnectError("refused"), "cannot be reached"),
        (httpx.ReadTimeout("slow"), "did not answer in time"),
        (httpx.Response(200, json={"hello": 1}), "no chat completion"),
        (httpx.Response(200, json={"error": {"message": "overloaded"}}), "an error: overloaded"),
        (httpx.Response(200, json=body({**text(None), "tool_calls": "f"})), "no chat completion"),
        (
            httpx.Response(200, json=body({**text(None), "tool_calls": [None]})),
            "no chat completion",
        ),
        (
            httpx.Response(
                400, json={"error": {"message": "long", "code": "context_length_exceeded"}}
            ),
            "too long",
        ),
    ],
)
def test_a_failed_request_ends_the_run_and_can_be_resumed(failure, said):
    script = Script(calls(("double", {"n": 2})), failure, text("4"))
    agent = agent_for(script)
    run = agent.run_sync("Double 2")
    assert run.stopped == "error" and said in run.text and run.error is not None
    assert [m["role"] for m in agent.messages] == ["user", "assistant", "tool"]
    assert agent.run_sync().text == "4"
    assert [m["role"] for m in script.requests[2]["messages"]] == ["user", "assistant", "tool"]


def test_a_server_error_is_tried_again_within_the_clients_budget():
    script = Script(httpx.Response(500, headers={"retry-after-ms": "1"}, json={}), text("ok"))
    agent = Agent(script.client(retries=2), "m", layers=())
    assert agent.run_sync("x").text == "ok" and len(script.requests) == 2


def test_an_answer_in_parts_is_one_text():
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "It "}]
    script = Script(text([*parts, {"type": "text", "text": "rains."}]))
    assert agent_for(script).run_sync("x").text == "It rains."


def test_without_task_or_history_there_is_nothing_to_go_on_with():
    with pytest.raises(ValueError, match="give a task"):
        agent_for(Script()).run_sync()


def test_a_cut_off_call_is_refused():
    reply = body(calls(("double", '{"n": 4')), finish="length")
    script = Script(httpx.Response(200, json=reply), text("sorry"))
    run = agent_for(script).run_sync("x")
    assert not run.calls[0].ok and "cut off" in run.calls[0].content
    json.loads(script.requests[1]["messages"][1]["tool_calls"][0]["function"]["arguments"])


def test_a_call_without_an_id_gets_one_on_both_sides():
    reply = calls(("double", {"n": 1}))
    del reply["tool_calls"][0]["id"]
    script = Script(reply, text("ok"))
    agent_for(script).run_sync("x")
    assistant, result = script.requests[1]["messages"][1:]
    assert assistant["tool_calls"][0]["id"] == result["tool_call_id"] != ""


def test_a_loop_error_that_is_final_ends_the_run():
    async def guard(call, proceed):
        return ToolResult.failure(call, ToolCallError("again", category="loop", recoverable=False))

    script = Script(calls(("double", {"n": 1})))
    run = agent_for(script, layers=[guard]).run_sync("x")
    assert (run.stopped, run.text) == ("loop", "Stopped: again")


def test_an_async_client_does_the_same():
    script = Script(calls(("double", {"n": 4})), text("8"))
    run = asyncio.run(Agent(script.async_client(), "m", [double], layers=()).run("x"))
    assert run.text == "8"


def test_run_sync_inside_a_running_loop():  # R7
    async def notebook():
        return agent_for(Script(text("fine"))).run_sync("x").text

    assert asyncio.run(notebook()) == "fine"


def test_an_edited_tool_is_the_one_that_is_called():  # N5
    from agentlib import ToolRegistry

    registry = ToolRegistry()
    namespace = {"registry": registry}
    cell = "@registry.tool\ndef price() -> int:\n    '''The price.'''\n    return {}"
    exec(cell.format(1), namespace)
    agents = [
        Agent(Script(calls(("price", {})), text("ok")).client(), "m", tools, layers=())
        for tools in (registry, list(registry), [namespace["price"]])
    ]
    exec(cell.format(2), namespace)
    assert [a.run_sync("x").calls[0].value for a in agents[:2]] == [2, 2]


def test_cancelling_in_a_tool_goes_up_and_the_history_can_be_used_again():
    started = asyncio.Event()

    async def wait() -> str:
        """Wait."""
        started.set()
        await asyncio.sleep(30)
        return "late"

    async def main():
        script = Script(calls(("wait", {})), text("after"))
        agent = agent_for(script, tools=[wait])
        task = asyncio.create_task(agent.run("x"))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [m["role"] for m in agent.messages] == ["user", "assistant"]
        run = await agent.run("again")
        return run.text, [m["role"] for m in script.requests[1]["messages"]]

    assert asyncio.run(main()) == ("after", ["user", "user"])


def steps_of(agent, task):
    async def main():
        session, kinds = agent.start(task), []
        while not session.done:
            kinds.append((await session.step()).kind)
        with pytest.raises(RuntimeError, match="ended"):
            await session.step()
        return session, kinds

    return asyncio.run(main())


def test_one_event_at_a_time():
    script = Script(calls(("double", {"n": 1}), ("double", {"n": 2})), text("done"))
    session, kinds = steps_of(agent_for(script), "x")
    assert kinds == (
        ["task", "request", "reply", "call", "call", "result", "result"]
        + ["request", "reply", "end"]
    )
    assert [e.kind for e in session.run.trace] == kinds and session.run.text == "done"


def test_what_a_reader_edits_is_what_happens():
    script = Script(calls(("double", {"n": 1})), text("done"))
    agent = agent_for(script)

    async def main():
        session = agent.start("x")
        while not session.done:
            event = await session.step()
            if event.kind == "call":
                event.call = event.call.with_arguments({"n": 21})
            if event.kind == "result":
                assert event.result.value == 42
                event.result.content = "forty-two"
            if event.kind == "reply" and not event.message.get("tool_calls"):
                event.message = {"role": "assistant", "content": "edited"}
        return session.run

    run = asyncio.run(main())
    assert run.text == "edited" and script.requests[1]["messages"][-1]["content"] == "forty-two"
    assert agent.messages[-1]["content"] == "edited"


def test_back_to_a_snapshot_and_on_again():
    script = Script(calls(("double", {"n": 1})), text("first"), text("second"))
    agent = agent_for(script)

    async def main():
        session = agent.start("x")
        while (await session.step()).kind != "result":
            pass
        state = session.snapshot()
        while not session.done:
            await session.step()
        assert session.run.text == "first" and session.run.steps == 2
        session.restore(state)
        assert [m["role"] for m in agent.messages] == ["user", "assistant"] and not session.done
        while not session.done:
            await session.step()
        return session.run

    run = asyncio.run(main())
    assert (run.text, run.steps, len(run.calls)) == ("second", 2, 1)
    assert script.requests[1] == script.requests[2]


def streamed(*deltas, finish="stop"):
    chunks = [chunk(d) for d in deltas] + [chunk({}, finish)]
    return sse(*chunks)


@pytest.mark.parametrize("kind", ["client", "async_client"])
def test_streaming_gives_text_in_pieces_and_the_same_run(kind):
    call = {"index": 0, "id": "c0", "function": {"name": "double", "arguments": '{"n"'}}
    rest = {"index": 0, "function": {"arguments": ": 3}"}}
    script = Script(
        streamed({"tool_calls": [call]}, {"tool_calls": [rest]}, finish="tool_calls"),
        streamed({"content": "It "}, {"content": "is 6."}),
    )
    agent = Agent(getattr(script, kind)(), "m", [double], layers=())

    async def main():
        events = [e async for e in agent.stream("Double 3")]
        return [e.text for e in events if e.kind == "delta"], events[-1]

    pieces, last = asyncio.run(main())
    assert pieces == ["It ", "is 6."] and (last.kind, last.text) == ("end", "It is 6.")
    assert script.requests[0]["stream"] is True
    assert agent.messages[2]["content"] == "6"


def raw(text):
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (sse(chunk({"content": "half"}), done=False), "without a finish_reason"),
        (raw("data: {half\n\n"), "a piece is no JSON"),
        (raw("data: [1]\n\n"), "no chat completion chunk: [1]"),
        (raw('data: {"error": {"message": "overloaded"}}\n\n'), "overloaded"),
    ],
)
def test_a_stream_that_breaks_ends_the_run_as_an_error(reply, said):
    agent = agent_for(Script(reply))

    async def main():
        return [e async for e in agent.stream("x")][-1]

    last = asyncio.run(main())
    assert said in last.text
    assert [m["role"] for m in agent.messages] == ["user"]


def test_context_reaches_the_tool_with_the_runs_id():
    from agentlib import Context

    seen = []

    def who() -> str:
        """Who."""
        seen.append(Context.current())
        return "me"

    run = agent_for(
        Script(calls(("who", {})), text("ok")), tools=[who], context=Context(user="ana")
    ).run_sync("x")
    assert (seen[0].user, seen[0].run) == ("ana", run.id)


def test_max_steps_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        Agent(None, "m", max_steps=0)


def test_a_call_object_is_what_layers_get():
    seen = []

    async def look(call, proceed):
        seen.append((call.tool.name, call.context.run != "", isinstance(call, ToolCall)))
        return await proceed(call)

    agent_for(Script(calls(("double", {"n": 1})), text("ok")), layers=[look]).run_sync("x")
    assert seen == [("double", True, True)]
