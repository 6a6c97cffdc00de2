"""A wait that an interrupt can end: the loop turns, the cancellation goes on."""

import asyncio

import pytest

from agentlib.waiting import wakeful


def turns(wait: float, interval: float) -> int:
    """How often an otherwise idle loop woke up, counted at its selector."""

    async def work() -> int:
        loop, count = asyncio.get_running_loop(), 0
        select = loop._selector.select

        def counted(timeout):
            nonlocal count
            count += 1
            return select(timeout)

        loop._selector.select = counted
        async with wakeful(interval):
            await asyncio.sleep(wait)
        return count

    return asyncio.run(work())


def test_the_loop_turns_while_it_waits():
    assert turns(0.1, 0.01) >= 5
    assert turns(0.1, 10) < 5


def test_nothing_is_left_behind():
    async def work():
        loop = asyncio.get_running_loop()
        async with wakeful(0.01):
            await asyncio.sleep(0.03)
        return [h for h in loop._scheduled if not h.cancelled()]

    assert asyncio.run(work()) == []


def test_a_cancellation_goes_through():
    async def wait():
        async with wakeful():
            await asyncio.Event().wait()

    async def work():
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())
