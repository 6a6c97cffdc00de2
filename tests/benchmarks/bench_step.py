"""One agent step, as a ratio to the hand-written `create()` loop run beside it.

    python tests/benchmarks/bench_step.py

Both talk to the same in-process endpoint, so what is compared is the client's work.
"""

from __future__ import annotations

import json
import statistics
import time

import httpx
from openai import OpenAI

from agentlib import Agent, Tool

PARAMETERS = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def endpoint(steps: int) -> OpenAI:
    """A client whose model asks for one call per turn, `steps` times, then answers."""
    count = iter(range(10**9))

    def answer(request: httpx.Request) -> httpx.Response:
        i = next(count)
        function = {"name": "double", "arguments": json.dumps({"n": i})}
        call = {"id": f"c{i}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        if i == steps:
            message = {"role": "assistant", "content": "done"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": "r", "object": "chat.completion", "created": 0, "model": "m"}
        return httpx.Response(200, json=reply | {"choices": [choice]})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    return OpenAI(api_key="k", base_url="http://m.invalid/v1", http_client=http)


def double(n: int) -> int:
    return 2 * n


def hand_written(steps: int) -> float:
    """Seconds for the loop as lesson 01 writes it."""
    client = endpoint(steps)
    tools = [{"type": "function", "function": {"name": "double", "parameters": PARAMETERS}}]
    messages: list = [{"role": "user", "content": "go"}]
    began = time.perf_counter()
    while True:
        reply = client.chat.completions.create(model="m", messages=messages, tools=tools)
        message = reply.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return time.perf_counter() - began
        for call in message.tool_calls:
            text = str(double(**json.loads(call.function.arguments)))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


def library(steps: int, layers: tuple | None = ()) -> float:
    """Seconds for the same run by `Agent`."""
    tool = Tool("double", "Double a number.", PARAMETERS, double)
    agent = Agent(endpoint(steps), "m", [tool], max_steps=steps + 1, layers=layers)
    began = time.perf_counter()
    assert agent.run_sync("go").stopped == "answer"
    return time.perf_counter() - began


def main() -> None:
    hand_written(5), library(5)  # imports and caches
    for steps, rounds in ((50, 5), (400, 2)):
        hand, lib = [], []
        for _ in range(rounds):
            hand.append(hand_written(steps))
            lib.append(library(steps))
        ours, theirs = statistics.median(lib), statistics.median(hand)
        print(
            f"{steps:>4} steps: agent {1000 * ours / steps:.2f} ms a step, "
            f"hand-written {1000 * theirs / steps:.2f} ms, ratio {ours / theirs:.3f}"
        )


if __name__ == "__main__":
    main()
