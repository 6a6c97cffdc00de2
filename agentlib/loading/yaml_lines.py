"""YAML that remembers where everything stood, so that a fault can be found by its line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Path_ = tuple[str | int, ...]


class YamlFile:
    """The data of a YAML text, and the line (from 1) of each key and item by its path.

    ValueError: not YAML, a key given twice, or an alias, with the line.
    """

    def __init__(self, text: str, name: str = "<text>") -> None:
        import yaml

        self.name, self.lines = name, {(): 1}
        try:
            loader = yaml.SafeLoader(text)
            for event in yaml.parse(text, yaml.SafeLoader):
                if isinstance(event, yaml.AliasEvent):
                    raise self._at(event.start_mark.line + 1, "aliases (*name) are not read here")
            node = loader.get_single_node()
            self.data = self._build(loader, node, ()) if node is not None else None
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise self._at(line, f"not YAML: {error.problem}") from None
        except yaml.YAMLError as error:  # a character that YAML does not allow
            raise self._at(1, f"not YAML: {error}") from None

    @classmethod
    def read(cls, source: str | Path) -> YamlFile:
        """From a path, or from YAML text: a string with a line end in it is text."""
        if isinstance(source, str) and "\n" in source:
            return cls(source)
        path = Path(source)
        if not path.is_file():
            raise FileNotFoundError(f"no YAML file {path}: check the path.")
        return cls(path.read_text(encoding="utf-8-sig"), path.name)

    def _build(self, loader: Any, node: Any, path: Path_) -> Any:
        import yaml

        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            return [self._build(loader, n, (*path, i)) for i, n in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            return loader.construct_object(node)
        built: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key, line = str(key_node.value), key_node.start_mark.line + 1
            if key in built:
                raise self._at(line, f"{_dotted((*path, key))} is given twice")
            self.lines[(*path, key)] = line
            built[key] = self._build(loader, value_node, (*path, key))
        return built

    def line(self, path: Iterable[str | int]) -> int:
        """The line of a path, or of the nearest thing around it."""
        path = tuple(path)
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def _at(self, line: int, message: str) -> ValueError:
        return ValueError(f"{self.name}, line {line}: {message}.")

    def error(self, path: Sequence[str | int], message: str) -> ValueError:
        """The fault of one place: file, line, dotted path, what is wrong."""
        where = f"{_dotted(path)}: " if path else ""
        return self._at(self.line(path), f"{where}{message}")

    def check(self, schema: dict[str, Any]) -> None:
        """ValueError with a line for each way in which the data is not what the schema says."""
        from jsonschema import Draft202012Validator

        faults = []
        for error in Draft202012Validator(schema).iter_errors(self.data):
            path = list(error.absolute_path)
            if error.validator == "additionalProperties":
                known = ", ".join(error.schema["properties"])
                for key in error.instance.keys() - error.schema["properties"].keys():
                    faults.append(([*path, key], f"unknown key; the keys are {known}"))
            else:
                faults.append((path, error.schema.get("$comment") or error.message))
        if faults:
            faults.sort(key=lambda fault: self.line(fault[0]))
            raise ValueError("\n".join(str(self.error(*fault)) for fault in faults))


def _dotted(path: Iterable[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")
