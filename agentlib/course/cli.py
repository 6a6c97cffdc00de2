"""The command line: thin commands over the modules beside this one."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from agentlib.course import places
from agentlib.course.refresh import refresh as refresh_notebook

app = typer.Typer(
    name="agentlib",
    help="The tool-calling agent course: open the lessons, check the machine, check the lessons.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console(highlight=False, soft_wrap=True)

Lessons = Annotated[
    list[str] | None, typer.Argument(help="Lesson numbers, such as 03. None: all of them.")
]


def stop(message: str) -> typer.Exit:
    """Say one message on stderr and end with exit code 1: `raise stop("...")`."""
    typer.echo(message, err=True)
    return typer.Exit(1)


def chosen(numbers: list[str] | None) -> list[Path]:
    """The notebooks that were asked for, or all."""
    try:
        files = [places.find_lesson(number) for number in numbers or []] or places.lesson_files()
    except (ValueError, FileNotFoundError) as error:
        raise stop(str(error)) from error
    if not files:
        raise stop(f"there are no lessons in {places.lessons_folder()}.")
    return files


def bar() -> Progress:
    """A progress bar for cells; on a pipe it shows only its last state."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=out
    )


@app.callback(invoke_without_command=True)
def front(
    version: Annotated[bool, typer.Option("--version", help="Show the version and end.")] = False,
) -> None:
    if version:
        from agentlib import __version__

        typer.echo(f"agentlib {__version__}")
        raise typer.Exit()


@app.command()
def progress() -> None:
    """Show how many exercises of each lesson you have passed."""
    from agentlib.course import progress as show_progress

    show_progress()


@app.command()
def refresh(lessons: Lessons = None) -> None:
    """For authors: run the lessons of this checkout and store their outputs in the notebooks."""
    if not places.in_checkout():
        raise stop("refresh changes the lessons of a checkout; this is an installed copy.")
    failed = False
    for path in chosen(lessons):
        with bar() as progress:
            task = progress.add_task(path.stem, total=None)
            faults = refresh_notebook(
                path, lambda done, of, task=task: progress.update(task, completed=done, total=of)
            )
        for fault in faults:
            out.print(f"{path.name}: {fault}", markup=False)
        failed = failed or bool(faults)
    if failed:
        raise stop("A lesson with a fault is left as it was. Mend it and run refresh again.")
