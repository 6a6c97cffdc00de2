"""Imports and calls side by side, as ratios to what they are compared with in the same run.

python tests/benchmarks/bench_start.py
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time
import tracemalloc

from bench_step import PARAMETERS, double, endpoint

from agentlib import Agent, Executor, Tool, ToolCall

CLIENT = """
import httpx
from openai import OpenAI
def answer(request):
    message = {"role": "assistant", "content": "hi"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    reply = {"id": "r", "object": "chat.completion", "created": 0, "model": "m"}
    return httpx.Response(200, json=reply | {"choices": [choice]})
http = httpx.Client(transport=httpx.MockTransport(answer))
client = OpenAI(api_key="k", base_url="http://m.invalid/v1", http_client=http)
"""
RAW = (
    CLIENT
    + """
client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
"""
)
OURS = (
    CLIENT
    + """
from agentlib import Agent
assert Agent(client, "m").run_sync("hi").text == "hi"
"""
)


def seconds(code: str, rounds: int = 5) -> float:
    """Median seconds of processor time of a fresh Python that runs the code."""
    taken = []
    for _ in range(rounds):
        began = sum(os.times()[2:4])
        subprocess.run([sys.executable, "-c", code], check=True)
        taken.append(sum(os.times()[2:4]) - began)
    return statistics.median(taken)


def side_by_side(count: int = 8, nap: float = 0.2) -> float:
    """Seconds for `count` sync tools that each sleep `nap` seconds, in one turn."""

    def sleep() -> None:
        time.sleep(nap)

    executor = Executor([Tool("sleep", "Sleep.", {"type": "object", "properties": {}}, sleep)])
    calls = [ToolCall("sleep") for _ in range(count)]
    asyncio.run(executor.execute_all(calls[:1]))
    began = time.perf_counter()
    asyncio.run(executor.execute_all(calls))
    return time.perf_counter() - began


def memory(steps: int = 400) -> tuple[float, float]:
    """Megabytes held after `steps` steps: the raw loop's messages, and the agent with its trace."""
    tool = Tool("double", "Double a number.", PARAMETERS, double)
    agent = Agent(endpoint(steps), "m", [tool], max_steps=steps + 1, layers=())
    tracemalloc.start()
    agent.run_sync("go")
    ours = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    tracemalloc.start()
    client, messages = endpoint(steps), [{"role": "user", "content": "go"}]
    for i in range(steps):
        reply = client.chat.completions.create(model="m", messages=messages)
        messages.append(reply.choices[0].message)
        call_id = reply.choices[0].message.tool_calls[0].id
        messages.append({"role": "tool", "tool_call_id": call_id, "content": str(i)})
    raw = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return raw, ours


def main() -> None:
    empty = seconds("pass")
    openai, ours = seconds("import openai") - empty, seconds("import agentlib") - empty
    print(f"import agentlib: {ours / openai:.3f} of import openai ({1000 * openai:.0f} ms)")
    raw, agent = seconds(RAW), seconds(OURS)
    print(f"start to first answer: {agent / raw:.2f} of the raw client ({raw:.2f} s)")
    print(f"eight calls of 0.2 s: {side_by_side() / 0.2:.2f} of one")
    raw_mb, our_mb = memory()
    print(f"memory at 400 steps: raw {raw_mb:.1f} MB, agent {our_mb:.1f} MB")


if __name__ == "__main__":
    main()
