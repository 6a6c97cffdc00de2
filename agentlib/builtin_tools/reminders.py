"""Reminders in an SQLite file: they survive a restart, and fire once while somebody watches."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agentlib.tools import Tool

Repeat = Literal["none", "daily", "weekly"]
_EVERY = {"daily": dt.timedelta(days=1), "weekly": dt.timedelta(weeks=1)}
_TABLE = """CREATE TABLE IF NOT EXISTS reminders (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, due TEXT NOT NULL,
    repeat TEXT NOT NULL, notes TEXT NOT NULL, fired INTEGER NOT NULL DEFAULT 0)"""


@dataclass(frozen=True)
class Reminder:
    """One reminder. when: local time, no zone. fired: it has rung and will not again."""

    id: int
    title: str
    when: dt.datetime
    repeat: str
    notes: str
    fired: bool


class ReminderStore:
    """Reminders in the file `path`; every change is on disk when the call returns.

    clock: returns the local time; handed in by tests and lessons. sqlite3.Error: the file is no
    database, or cannot be written.
    """

    def __init__(
        self, path: str | Path, *, clock: Callable[[], dt.datetime] = dt.datetime.now
    ) -> None:
        self.path, self.clock = Path(path).resolve(), clock
        with self._open() as db:
            db.execute(_TABLE)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self.path, timeout=10)
        try:
            with db:
                yield db
        finally:
            db.close()

    def add(self, title: str, when: dt.datetime, repeat: Repeat, notes: str) -> Reminder:
        """Keep a reminder. ValueError: no title, or a time that has passed.

        A repeating one whose first time has passed begins at its next: "every day at 7", said at
        noon, means tomorrow.
        """
        if not title.strip():
            raise ValueError("a reminder needs a title: what is to be done?")
        when = when.astimezone().replace(tzinfo=None) if when.tzinfo else when
        now = self.clock()
        if when <= now and repeat in _EVERY:
            when = _next(when, repeat, now) or when
        if when <= now:
            raise ValueError(f"{when:%Y-%m-%d %H:%M} has passed: it is {now:%Y-%m-%d %H:%M} now.")
        with self._open() as db:
            row = (title.strip(), when.isoformat(), repeat, notes)
            insert = "INSERT INTO reminders (title, due, repeat, notes) VALUES (?, ?, ?, ?)"
            key = db.execute(insert, row).lastrowid
        return Reminder(int(key or 0), title.strip(), when, repeat, notes, False)

    def all(self) -> list[Reminder]:
        """Every reminder, the earliest first."""
        with self._open() as db:
            return [
                _reminder(row) for row in db.execute("SELECT * FROM reminders ORDER BY due, id")
            ]

    def delete(self, id: int) -> bool:
        """Remove a reminder; False when there was none."""
        with self._open() as db:
            return db.execute("DELETE FROM reminders WHERE id = ?", (id,)).rowcount > 0

    def take_due(self) -> list[Reminder]:
        """Those whose time has come, each handed out once even to two watchers of one file.

        A repeating one moves on to its next time that is still to come.
        """
        now = self.clock()
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            select = "SELECT * FROM reminders WHERE fired = 0 AND due <= ? ORDER BY due, id"
            due = [_reminder(row) for row in db.execute(select, (now.isoformat(),))]
            for one in due:
                later = _next(one.when, one.repeat, now)
                change = (int(later is None), (later or one.when).isoformat(), one.id)
                db.execute("UPDATE reminders SET fired = ?, due = ? WHERE id = ?", change)
        return due

    async def watch(self, ring: Callable[[Reminder], Any], *, every: float = 1.0) -> None:
        """Call `ring` for each reminder whose time comes; looks every `every` seconds, for ever."""
        while True:
            for reminder in await asyncio.to_thread(self.take_due):
                ring(reminder)
            await asyncio.sleep(every)


def _reminder(row: tuple[Any, ...]) -> Reminder:
    key, title, due, repeat, notes, fired = row
    return Reminder(key, title, dt.datetime.fromisoformat(due), repeat, notes, bool(fired))


def _next(when: dt.datetime, repeat: str, now: dt.datetime) -> dt.datetime | None:
    """The first of the repeated times that is after `now`; None where nothing repeats."""
    step = _EVERY.get(repeat)
    return None if step is None else when + step * ((now - when) // step + 1)


def reminder_tools(store: ReminderStore) -> list[Tool]:
    """The tools `set_reminder` and `list_reminders` over one store."""

    def set_reminder(
        title: str, when: dt.datetime, repeat: Repeat = "none", notes: str = ""
    ) -> dict[str, Any]:
        """Set a reminder for the user at a date and time, once or repeating.

        Use it when the user asks to be reminded of something. It is kept until it has rung.

        Args:
            title: what to remind of, such as "go to the gym"
            when: date and local time, such as 2026-12-01T09:00:00
            repeat: how often it comes back
            notes: anything more to say with it
        """
        made = store.add(title, when, repeat, notes)
        return {"id": made.id, "title": made.title, "when": made.when.isoformat(), "repeat": repeat}

    def list_reminders() -> list[dict[str, Any]]:
        """List the reminders that are set, the earliest first."""
        return [
            {"id": r.id, "title": r.title, "when": r.when.isoformat(), "repeat": r.repeat}
            for r in store.all()
            if not r.fired
        ]

    return [
        Tool.from_function(set_reminder, category="action", tags=("reminder", "提醒")),
        Tool.from_function(list_reminders, category="search", tags=("reminder", "提醒")),
    ]
