"""Where an open question goes when its cell is run again or its page reloaded."""

import asyncio

import pytest

from agentlib.notebook import spots


def request(number: int, cell: str = "a", page: str = "page 1", kind="execute_request"):
    header = {"msg_id": f"m{number}", "msg_type": kind, "session": page}
    return {"header": header, "metadata": {"cellId": cell} if cell else {}}


class Session:
    """Reads messages as the kernel's session does; here they are what they are."""

    def deserialize(self, message, content=True):
        return message


@pytest.fixture
def kernel(monkeypatch):
    """A kernel whose running cell is `parent`, and the shell around it."""

    class Kernel:
        session, parent = Session(), request(1)

        def get_parent(self):
            return self.parent

    class Shell:
        kernel = Kernel()

    monkeypatch.setattr("IPython.get_ipython", lambda: Shell)
    monkeypatch.setattr(spots, "requests", spots.Requests())
    return Shell.kernel


def moves(kernel, *messages) -> bool:
    """Whether a question moves when the kernel reads these messages."""

    async def work():
        spot = spots.Spot()
        with spot.following():
            for message in messages:
                await asyncio.to_thread(kernel.session.deserialize, message, content=False)
            await asyncio.sleep(0)
            try:
                await asyncio.wait_for(spot.moved(), 0.05)
            except TimeoutError:
                return False
            return True

    return asyncio.run(work())


MOVES = {
    "its cell, run again": ([request(2)], True),
    "its cell, on a page loaded anew": ([request(2, page="page 2")], True),
    "another cell, on a page loaded anew": ([request(2, "b", "page 2")], True),
    "another cell of the same page": ([request(2, "b")], False),
    "a cell without a name": ([request(2, "")], False),
    "a click": ([request(2, kind="comm_msg")], False),
    "nothing": ([], False),
}


@pytest.mark.parametrize("case", MOVES)
def test_a_question_follows_the_person(kernel, case):
    messages, expected = MOVES[case]
    assert moves(kernel, *messages) is expected


def test_a_page_that_shows_it_keeps_it(kernel):
    """After a reload the first cell that is run takes it, and the next ones of that page don't."""

    async def work():
        spot = spots.Spot()
        with spot.following():
            kernel.session.deserialize(request(2, "b", "page 2"))
            await spot.moved()
            kernel.session.deserialize(request(3, "c", "page 2"))
            kernel.session.deserialize(request(2, "b", "page 2"))  # read again in its turn
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(spot.moved(), 0.05)

    asyncio.run(work())


def test_a_run_whose_cell_was_run_again_meanwhile_asks_under_the_newest(kernel):
    async def work():
        spots.Spot()  # begins to look on
        for number in (2, 3, 2):  # 2 is read a second time, when its turn comes
            kernel.session.deserialize(request(number))
        kernel.parent = request(2)
        return spots.Spot()._request["header"]["msg_id"]

    assert asyncio.run(work()) == "m3"
