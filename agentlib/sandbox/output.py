"""Output of a command: kept at both ends, made fit to show."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|[\x1b\x9b]\[?[0-9;:<=>?]*[ -/]*[@-~]",
    re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Stream:
    """The first and the last bytes of what is fed, `limit` together."""

    def __init__(self, limit: int) -> None:
        self._head, self._tail = bytearray(), bytearray()
        self._half = limit // 2
        self.total = 0

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        del self._tail[: -self._half]

    @property
    def truncated(self) -> bool:
        return self.total > len(self._head) + len(self._tail)

    def text(self) -> str:
        """Readable text: bad bytes replaced, terminal escapes and control characters gone."""
        if not self.truncated:
            return clean(bytes(self._head + self._tail))
        left_out = self.total - len(self._head) - len(self._tail)
        gap = f"\n[{left_out:,} bytes left out]\n"
        return clean(bytes(self._head)) + gap + clean(bytes(self._tail))


def clean(data: bytes) -> str:
    """`data` as text that a terminal or a notebook shows without obeying it."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text))
