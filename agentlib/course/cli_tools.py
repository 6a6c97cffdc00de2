"""The commands for engineers and authors: serve and refresh."""

from typing import Annotated

import typer

from agentlib.course import places
from agentlib.course.cli import Lessons, app, cell_bar, chosen, out, stop


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="The port to serve on.", min=1, max=65535)] = 8765,
    quirk: Annotated[
        list[str] | None,
        typer.Option(help="A fault to switch on, such as malformed_json. May be repeated."),
    ] = None,
    require_key: Annotated[
        str | None, typer.Option(help="Refuse requests that bring another key.", metavar="KEY")
    ] = None,
) -> None:
    """Serve the offline model on this machine, for any client of the OpenAI protocol.

    Point the client at http://127.0.0.1:8765/v1 and ask for the model scripted-1. Ctrl+C ends it.
    """
    from agentlib.offline.server import serve as serve_model

    try:
        serve_model("127.0.0.1", port, quirks=tuple(quirk or ()), require_key=require_key)
    except ValueError as error:
        raise stop(str(error)) from error
    except OSError as error:
        raise stop(error.strerror or str(error)) from error


@app.command()
def refresh(lessons: Lessons = None) -> None:
    """For authors: run the lessons of this checkout and store their outputs in the notebooks."""
    from agentlib.course.refresh import refresh as refresh_notebook

    if not places.in_checkout():
        raise stop("refresh changes the lessons of a checkout; this is an installed copy.")
    failed = False
    for path in chosen(lessons):
        with cell_bar() as progress:
            task = progress.add_task(f"{path.stem:<22}", total=None)
            faults = refresh_notebook(
                path, lambda done, of, task=task: progress.update(task, completed=done, total=of)
            )
        for fault in faults:
            out.print(f"{path.name}: {fault}", markup=False)
        failed = failed or bool(faults)
    if failed:
        raise stop("A lesson with a fault is left as it was. Mend it and run refresh again.")
