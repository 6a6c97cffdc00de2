"""The recorded runs under chosen limits, as one picture, and sliders that move the limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentlib.course.recorded_runs import RECORDED_RUNS, RecordedRun, rating, replay
from agentlib.notebook.answers import human_attached
from agentlib.notebook.loop_picture import LANE, LEFT, SIGNS, WIDTH, mark, svg, text_at
from agentlib.notebook.views import show

GOOD, BAD = "#2a8a4a", "#c8382e"
STEP = 11  # pixels between two calls


class RunsPicture:
    """A row for each recorded run: its calls as marks, and whether it was judged rightly.

    limits: as in LoopDetectionConfig.
    """

    def __init__(self, runs: Sequence[RecordedRun] = RECORDED_RUNS, **limits: Any) -> None:
        self.runs, self.rows = runs, []
        for run in runs:
            verdicts = replay(run, **limits)
            kinds = [v.kind for v in verdicts] + ["left"] * (len(run.calls) - len(verdicts))
            rule = next((v.rule for v in verdicts if v.kind != "ok"), "")
            self.rows.append((run, kinds, rule, rating(run, **limits)))

    @property
    def summary(self) -> str:
        """How many of each outcome, in one line."""
        found = [row[3] for row in self.rows]
        loops = sum(run.looping for run in self.runs)
        return (
            f"{found.count('caught')} of {loops} loops caught, "
            f"{found.count('false alarm')} of {len(self.runs) - loops} honest runs stopped."
        )

    def __repr__(self) -> str:
        rows = [
            f"{run.name:<15} {_label(run):<7} {''.join(map(SIGNS.get, kinds)):<25}"
            f"{rated:<12} {rule}".rstrip()
            for run, kinds, rule, rated in self.rows
        ]
        return "\n".join([*rows, self.summary])

    def _repr_html_(self) -> str:
        parts = []
        for place, (run, kinds, rule, rated) in enumerate(self.rows):
            y = LANE * place + LANE / 2
            parts += [text_at(0, y + 4, run.name), text_at(140, y + 4, _label(run))]
            parts += [mark(LEFT + STEP * i, y, kind) for i, kind in enumerate(kinds)]
            colour = GOOD if rated in ("caught", "left alone") else BAD
            said = text_at(WIDTH, y + 4, f"{rated} ({rule})" if rule else rated, "end")
            parts.append(f'<g fill="{colour}">{said}</g>')
        return svg(LANE * len(self.rows), parts) + f"<div><b>{self.summary}</b></div>"


def _label(run: RecordedRun) -> str:
    return "loop" if run.looping else "honest"


def show_runs(runs: Sequence[RecordedRun] = RECORDED_RUNS, **limits: Any) -> None:
    """Display what a loop detector with these limits makes of recorded runs."""
    show(RunsPicture(runs, **limits))


def move_limits(runs: Sequence[RecordedRun] = RECORDED_RUNS) -> None:
    """Sliders for the four limits above the picture; where nobody is attached, the picture."""
    if not human_attached():
        show_runs(runs)
        return
    import ipywidgets as w
    from IPython.display import display

    def slider(name: str, kind: type = w.IntSlider, **more: Any) -> Any:
        wide, style = w.Layout(width="440px"), {"description_width": "150px"}
        return kind(description=name, layout=wide, style=style, **more)

    sliders = {
        "max_consecutive_calls": slider("calls of a loop", value=5, min=1, max=12),
        "max_total_calls": slider("calls of a run", value=20, min=5, max=40),
        "similarity": slider("similarity", w.FloatSlider, value=0.8, min=0.5, max=1, step=0.05),
        "window_seconds": slider("window (s)", value=60, min=10, max=300, step=10),
    }
    picture = w.HTML()

    def redraw(_: Any = None) -> None:
        limits = {name: each.value for name, each in sliders.items()}
        picture.value = RunsPicture(runs, **limits)._repr_html_()

    for each in sliders.values():
        each.observe(redraw, names="value")
    redraw()
    display(w.VBox([*sliders.values(), picture]))
