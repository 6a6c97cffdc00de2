"""What the detector says of a call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LoopVerdict:
    """kind: "ok", "warn" or "stop". rule: what tripped: "repeat", "similar", "cycle", "total".

    A verdict equals its kind, too: `detector.check(call) == "warn"`.
    """

    kind: str = "ok"
    reason: str = ""
    rule: str = ""

    @property
    def ok(self) -> bool:
        return self.kind == "ok"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self.kind == other
        return isinstance(other, LoopVerdict) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.kind)

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}" if self.reason else self.kind
