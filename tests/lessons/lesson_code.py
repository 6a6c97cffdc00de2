"""Takes a lesson's own definitions out of its notebook, for the library's table of cases."""

import ast
import contextlib
import tempfile
from types import SimpleNamespace
from typing import Any

from agentlib.course import places
from agentlib.course.notebooks import code_cells

DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
AWAITING = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
MAKERS = {"compile", "dict", "frozenset", "list", "namedtuple", "set", "tuple"}


def definitions(lesson: str, *names: str, tag: str | None = None, **given: Any) -> SimpleNamespace:
    """Run the definitions of a lesson and return those named, as attributes.

    Imports, functions, classes and constants of the code cells are run in order in a fresh
    namespace, so the last definition of a name wins; all other statements are left out, and so are
    constants made from what they leave missing. With `tag` only the cells that carry it count.
    `given` are names that the lesson gets by running something. AssertionError: no such name.
    """
    namespace: dict[str, Any] = {"__name__": f"lesson_{lesson}", **given}
    cells = code_cells(places.find_lesson(lesson, places.CHECKOUT / "lessons"))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in cells:
            if tag is None or tag in cell.get("metadata", {}).get("tags", ()):
                run_definitions(cell["source"], namespace)
    missing = [name for name in names if name not in namespace]
    assert not missing, f"lesson {lesson} does not define {', '.join(missing)}"
    return SimpleNamespace(**{name: namespace[name] for name in names or namespace})


def run_definitions(source: str, namespace: dict[str, Any]) -> None:
    """Run the defining statements of one cell in the namespace."""
    lines = [line for line in source.split("\n") if not line.lstrip().startswith(("%", "!"))]
    where = "<string>"  # a registry takes a tool defined again from there, as from another cell
    for node in compile("\n".join(lines), where, "exec", AWAITING).body:
        code = ast.Module([node], type_ignores=[])
        if isinstance(node, DEFINING):
            exec(compile(code, where, "exec", dont_inherit=True), namespace)
        elif _is_constant(node):
            with contextlib.suppress(NameError, ValueError):
                exec(compile(code, where, "exec", dont_inherit=True), namespace)


def _is_constant(node: ast.stmt) -> bool:
    """True for an assignment that calls nothing but constructors."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    parts = list(ast.walk(node.value))
    calls = [part.func for part in parts if isinstance(part, ast.Call)]
    names = [getattr(call, "attr", None) or getattr(call, "id", "") for call in calls]
    constructs = all(name[:1].isupper() or name in MAKERS for name in names)
    return constructs and not any(isinstance(part, ast.Await) for part in parts)


def lines_of(lesson: str, *names: str) -> int:
    """How many lines these definitions of a lesson have together, blank ones left out."""
    found: dict[str, int] = {}
    for cell in code_cells(places.find_lesson(lesson, places.CHECKOUT / "lessons")):
        lines = cell["source"].split("\n")
        for node in compile(cell["source"], "<cell>", "exec", AWAITING).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            name = getattr(node, "name", getattr(target, "id", ""))
            if name in names:
                own = lines[node.lineno - 1 : node.end_lineno]
                found[name] = sum(bool(line.strip()) for line in own)
    assert set(found) == set(names), f"lesson {lesson} lacks {set(names) - set(found)}"
    return sum(found.values())
