"""The four names a lesson imports: check, hint, solution, progress."""

from typing import Any

from agentlib.course import exercises, show, store
from agentlib.course.checking import judge
from agentlib.course.exercise import Exercise, Outcome

_hints_given: dict[str, int] = {}


def check(id: str, answer: Any) -> None:
    """Try an answer to the exercise `id` ("3.1"), show the outcome and keep it.

    The outcome is one of: not started, wrong, raised, passed. ValueError: no such exercise.
    """
    exercise = exercises.find(id)
    outcome = judge(exercise, answer)
    head, lines = _report(exercise, outcome)
    text = "\n".join([head, *(f"  {line}" for line in lines)])
    show.put(text, show.status_html(outcome.status, head, lines))
    _mention(store.record(id, outcome.status))


def hint(id: str) -> None:
    """Show the hints of an exercise: folded in a notebook, one more at each call elsewhere."""
    hints = exercises.find(id).hints
    heads = [f"Exercise {id}, hint {number} of {len(hints)}" for number in range(1, len(hints) + 1)]
    if show.in_notebook():
        texts, html = heads, "".join(map(show.folded_html, heads, hints))
    else:
        _hints_given[id] = given = min(_hints_given.get(id, 0) + 1, len(hints))
        texts, html = [f"{heads[given - 1]}: {hints[given - 1]}"], ""
    show.put("\n".join(texts), html)


def solution(id: str) -> None:
    """Show the solution of an exercise, folded away in a notebook."""
    exercise = exercises.find(id)
    head, source = f"Exercise {id}, the solution", exercise.solution.strip()
    show.put(f"{head}:\n{source}", show.folded_html(head, source, code=True))


def progress() -> None:
    """Show how many exercises of each lesson have passed."""
    known = store.load()
    rows = counts(known.statuses)
    total = (sum(done for _, done, _ in rows), sum(of for _, _, of in rows), "all")
    bars = [(done, of, f"lesson {number:02d}") for number, done, of in rows] + [total]
    text = "\n".join(show.bar_text(*bar) for bar in bars)
    show.put(text, "".join(show.bar_html(*bar) for bar in bars))
    _mention(known.problem)


def counts(statuses: dict[str, str]) -> list[tuple[int, int, int]]:
    """(lesson, exercises passed, exercises) for each lesson that has exercises."""
    rows = []
    for number in exercises.lesson_numbers():
        ids = [exercise.id for exercise in exercises.of_lesson(number)]
        rows.append((number, sum(statuses.get(id) == "passed" for id in ids), len(ids)))
    return rows


def _report(exercise: Exercise, outcome: Outcome) -> tuple[str, list[str]]:
    head = f"{exercise.id} {exercise.title}: {outcome.status}"
    if outcome.status == "not started":
        return head, ["Write your answer in place of the dots and run the cell again."]
    if outcome.status == "wrong":
        return head, [
            f"case:     {outcome.case}",
            f"expected: {outcome.expected}",
            f"got:      {outcome.got}",
        ]
    if outcome.status == "raised":
        case = [f"case:     {outcome.case}"] if outcome.case else []
        return head, [*case, f"raised:   {outcome.note}"]
    return head, []


def _mention(problem: str) -> None:
    if problem:
        print(problem)
