"""`agentlib` on the command line, and `python -m agentlib`."""

import sys


def main() -> None:
    """Run the command line, or say how to install what it needs."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ModuleNotFoundError as error:
        sys.exit(
            f"agentlib: the command line needs {error.name}, which the light install leaves out. "
            'Install the course beside it: pip install ".[course]" in a checkout, '
            'or pip install "tool-calling-agent-course[course]".'
        )
    from agentlib.course.cli import app
    from agentlib.course.cli_local import local  # noqa: F401 - adds its commands to the app
    from agentlib.course.cli_tools import serve  # noqa: F401 - and so does this one

    app()


if __name__ == "__main__":
    main()
