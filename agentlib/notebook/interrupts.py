"""An interrupted cell shows one line: the place of an `await` says nothing to a reader."""

from __future__ import annotations

import asyncio
from typing import Any

LINE = "Interrupted. What was asked or waited for was not done; the history is kept."


def show_one_line() -> None:
    """Show `LINE` instead of a traceback if the cell that runs now ends cancelled."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None or shell.custom_exceptions:  # someone else's handler stays
        return

    def handler(shell: Any, kind: type, error: BaseException, _tb: Any, tb_offset: Any = None):
        shell._showtraceback(kind, error, [LINE])
        return [LINE]

    def restore(*_: Any) -> None:
        shell.set_custom_exc((), None)
        shell.events.unregister("post_run_cell", restore)

    shell.set_custom_exc((asyncio.CancelledError,), handler)
    shell.events.register("post_run_cell", restore)
