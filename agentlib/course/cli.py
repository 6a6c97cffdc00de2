"""The command line: thin commands over the modules beside this one."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from agentlib.course import copies, places

app = typer.Typer(
    name="agentlib",
    help="The tool-calling agent course. Begin with: agentlib lab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console(highlight=False, soft_wrap=True)

Lessons = Annotated[
    list[str] | None, typer.Argument(help="Lesson numbers, such as 03. None: all of them.")
]
Folder = Annotated[
    Path | None, typer.Option(help="Your folder of lessons. By default my-lessons.", metavar="PATH")
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


def unwritable(folder: Path, error: OSError) -> typer.Exit:
    if error.errno is None:  # not the system's: the lessons are missing, and the message says so
        return stop(str(error))
    reason = error.strerror or str(error)
    return stop(
        f"your lessons can't be written to {folder} ({reason}). "
        "Choose a folder that you can write to: --folder PATH"
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
def lab(
    folder: Folder = None,
    source: Annotated[
        bool, typer.Option("--source", help="For authors: open the checkout's lessons/ itself.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser window, or only serve.")
    ] = True,
    port: Annotated[
        int | None,
        typer.Option(
            help="The port to serve on. By default a free one from 8888.", min=1, max=65535
        ),
    ] = None,
) -> None:
    """Open the lessons in JupyterLab, on your own copy of them.

    The copy is the folder my-lessons. It is made on first use; later, new lessons are added to it
    and nothing in it is ever overwritten. Ctrl+C ends JupyterLab.
    """
    from agentlib.course import lab as jupyter

    if source and not places.in_checkout():
        raise stop("--source opens a checkout's lessons/; this is an installed copy.")
    target = (folder or copies.default_folder()).absolute()
    try:
        jupyter.require_jupyter()
        port = jupyter.free_port(port)
        target = places.lessons_folder() if source else _prepared(target)
    except jupyter.LabError as error:
        raise stop(str(error)) from error
    except OSError as error:
        raise unwritable(target, error) from error
    out.print(f"JupyterLab serves {target} on port {port}. Ctrl+C ends it.", markup=False)
    line = jupyter.command(target, port, browser, jupyter.quiet_settings())
    raise typer.Exit(jupyter.run(line, target))


def _prepared(target: Path) -> Path:
    update = copies.update(target)
    if update.added:
        count = len(update.added)
        names = ", ".join(update.added) if count <= 3 else f"{count} files"
        out.print(f"New in {target}: {names}.", markup=False)
    for name in update.newer:
        line = f"{places.program()} reset {name[:2]}"
        out.print(f"{name} has a newer version: `{line}` gets it, keeping yours.", markup=False)
    return target


@app.command()
def doctor() -> None:
    """Check what the course needs on this machine, and say how to mend what is missing."""
    from agentlib.course.doctor import examine

    table = Table("", "what", "found")
    marks = {"ok": "[green]ok[/]", "note": "[yellow]note[/]", "fault": "[red]fault[/]"}
    mends = []
    with out.status("Looking ..."):
        for finding in examine():
            table.add_row(marks[finding.state], finding.name, escape(finding.what))
            if finding.mend:
                mends.append(f"{finding.state}: {finding.name}: {finding.mend}")
    out.print(table, soft_wrap=False)
    for mend in mends:
        out.print(mend, markup=False)
    if any(mend.startswith("fault") for mend in mends):
        raise stop("Some of what the course needs is missing: mend the faults above.")
    out.print("Everything the course needs is here.")


@app.command()
def verify(lessons: Lessons = None) -> None:
    """Run the lessons as they were written and say which cell of which lesson differs.

    It runs the original lessons, not your copy, without a key. It takes about 10 s a lesson.
    """
    from agentlib.course.verify import verify as verify_notebook

    failed = []
    for path in chosen(lessons):
        with cell_bar() as progress:
            task = progress.add_task(f"{path.stem:<22}", total=None)
            verdict = verify_notebook(
                path, lambda done, of, task=task: progress.update(task, completed=done, total=of)
            )
        for difference in verdict.differences:
            out.print(f"{difference}\n", markup=False)
        if verdict.problem:
            out.print(verdict.problem, markup=False)
        if not verdict.ok:
            failed.append(path.stem)
    if failed:
        raise stop(f"Not as stored (- stored, + now): {', '.join(failed)}.")
    out.print("Every cell came out as stored.")


def cell_bar() -> Progress:
    """A progress bar for cells; on a pipe it shows only its last state."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=out)


@app.command()
def reset(
    lesson: Annotated[str, typer.Argument(help="The lesson's number, such as 03.")],
    folder: Folder = None,
) -> None:
    """Put the original of a lesson back in your folder, and keep your version beside it."""
    target = (folder or copies.default_folder()).absolute()
    try:
        restored, kept = copies.reset(lesson, target)
    except ValueError as error:
        raise stop(str(error)) from error
    except OSError as error:
        raise unwritable(target, error) from error
    out.print(f"{restored.name} is as it was written.", markup=False)
    if kept:
        out.print(f"Your version is kept as {kept.name}.", markup=False)


@app.command()
def progress() -> None:
    """Show how many exercises of each lesson you have passed."""
    from agentlib.course import progress as show_progress

    show_progress()
