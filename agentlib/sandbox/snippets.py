"""Look at a Python snippet's imports and names before it runs: a teaching layer, no boundary.

`json.codecs.sys.modules` reaches everything without one forbidden word. The process sandbox is
what holds; this says early, and in words, what a snippet should not try.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

MODULES = ("math", "json", "re", "datetime")
_NAMES = {"exec", "eval", "compile", "open", "input", "breakpoint", "globals", "locals", "vars"}
_NAMES |= {"getattr", "setattr", "delattr", "memoryview"}


def check_snippet(code: str, allowed_modules: Iterable[str] = MODULES) -> None:
    """ValueError listing every import, call or dunder that is not allowed, with its line.

    A snippet that is no Python passes: running it shows the error.
    """
    allowed = frozenset(allowed_modules)
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return
    faults = [fault for node in ast.walk(tree) for fault in _faults(node, allowed)]
    if faults:
        modules = ", ".join(sorted(allowed)) or "none"
        raise ValueError(f"snippet refused: {'; '.join(faults)}. Modules allowed: {modules}.")


def _faults(node: ast.AST, allowed: frozenset[str]) -> list[str]:
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = ["." * node.level + (node.module or "")]
    elif isinstance(node, ast.Attribute) and _dunder(node.attr):
        return [f"attribute {node.attr} (line {line})"]
    elif isinstance(node, ast.Name) and (node.id in _NAMES or _dunder(node.id)):
        return [] if node.id == "__name__" else [f"name {node.id} (line {line})"]
    else:
        return []
    return [f"import {n} (line {line})" for n in names if n.split(".")[0] not in allowed]


def _dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
