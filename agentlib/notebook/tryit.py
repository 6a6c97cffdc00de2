"""A box to play in: choose or type a task, press Run, read the answer below it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from agentlib.course.show import UNBROKEN
from agentlib.notebook.answers import human_attached


def try_it(run: Callable[[str], Any], examples: Sequence[str], *, label: str = "task") -> None:
    """Show the box. run: takes the text, returns the answer, or an awaitable of it.

    label: what stands before the text, a word that says what it is.
    Where nobody is attached (a test, a plain script) it says what it would offer.
    """
    if human_attached():
        _show(run, list(examples), label)
    else:
        print("In a notebook, a box to type in. To begin with:")
        print("\n".join(f"  {example}" for example in examples))


def _show(run: Callable[[str], Any], examples: list[str], label: str) -> None:
    import ipywidgets as w
    from IPython.display import display

    wide = w.Layout(width="640px")
    pick = w.Dropdown(options=examples, description="example", layout=wide)
    task = w.Text(value=examples[0], description=label, layout=wide)
    button, answer = w.Button(description="Run", button_style="primary"), w.HTML()
    # A click comes later and from elsewhere; its task runs as if this cell did, so that a question
    # is put to the person who clicked, and under this cell.
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()

    def choose(change: dict[str, Any]) -> None:
        task.value = change["new"]

    def press(_: Any) -> None:
        work = _work(run, task.value, button, answer)
        loop.call_soon_threadsafe(lambda: loop.create_task(work, context=context.copy()))

    pick.observe(choose, names="value")
    button.on_click(press)
    display(w.VBox([pick, w.HBox([task, button]), answer]))


async def _work(run: Callable[[str], Any], task: str, button: Any, answer: Any) -> None:
    button.disabled, answer.value = True, "working…"
    try:
        said = run(task)
        said = await said if inspect.isawaitable(said) else said
        answer.value = f'<pre style="{UNBROKEN}">{escape(str(said))}</pre>'
    except Exception as error:  # shown to the reader, who is there to see it
        answer.value = f"<b>{escape(type(error).__name__)}</b>: {escape(str(error))}"
    finally:
        button.disabled = False
