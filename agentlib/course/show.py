"""How the course shows things: HTML in a notebook, plain text elsewhere."""

import re
import sys
from html import escape

COLOURS = {"passed": "#2e7d32", "wrong": "#c62828", "raised": "#c62828", "not started": "#757575"}
# JupyterLab breaks the words of a <pre> anywhere; here they stay whole where they fit a line.
UNBROKEN = "white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere"


class Shown:
    """One output in two forms; a notebook takes the HTML, a terminal the text."""

    def __init__(self, text: str, html: str) -> None:
        self.text = text
        self.html = html

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def in_notebook() -> bool:
    """True inside a Jupyter kernel, whoever drives it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def put(text: str, html: str) -> None:
    """Show one output now."""
    if in_notebook():
        from IPython.display import display

        display(Shown(text, html))
    else:
        print(text)


def status_html(status: str, head: str, lines: list[str]) -> str:
    """A coloured head with lines of code under it."""
    colour = COLOURS[status]
    rows = "".join(f"<div><code>{escape(line)}</code></div>" for line in lines)
    return (
        f'<div style="border-left: 4px solid {colour}; padding: 2px 10px">'
        f'<strong style="color: {colour}">{escape(head)}</strong>{rows}</div>'
    )


def folded_html(summary: str, body: str, code: bool = False) -> str:
    """A text that opens on a click."""
    prose = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(body))
    source = f'<pre style="{UNBROKEN}"><code>{escape(body)}</code></pre>'
    inner = source if code else f"<p>{prose}</p>"
    return f"<details><summary>{escape(summary)}</summary>{inner}</details>"


def bar_html(done: int, total: int, label: str) -> str:
    share = round(100 * done / total) if total else 0
    return (
        '<div style="display: flex; align-items: center; gap: 10px">'
        f'<span style="width: 7em">{escape(label)}</span>'
        '<span style="width: 200px; height: 10px; background: #e0e0e0">'
        f'<span style="display: block; width: {share}%; height: 10px; background: #2e7d32">'
        f"</span></span><span>{done} of {total}</span></div>"
    )


def bar_text(done: int, total: int, label: str, width: int = 20) -> str:
    filled = round(width * done / total) if total else 0
    return f"{label:<10} [{'#' * filled}{'.' * (width - filled)}] {done} of {total}"
