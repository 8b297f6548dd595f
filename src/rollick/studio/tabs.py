"""What one server of the studio holds: its tabs, the workers they share, and what those have computed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .limits import MOST_TABS
from .own_body import FOLDER
from .pool import Pool
from .results import Results
from .session import Session
from .state import State


class Studio:
    """Everything that one server holds."""

    def __init__(self, workers: int = 2):
        self.folder = Path(tempfile.mkdtemp(prefix="rollick-studio-"))
        os.environ[FOLDER] = str(self.folder)
        self.results = Results()
        self.sessions: dict[str, Session] = {}
        self.waiting: dict[
            str, Callable[[], None]
        ] = {}  # pages whose browser has not connected yet, oldest first: how to give each up
        first = State()
        self.pool = Pool(workers, warm=[("motion", first.plain())])
        self.keep_first(first)

    def keep_first(self, first: State) -> None:
        """Compute what a new page shows before anybody asks."""
        found: dict[str, Any] = {}

        def hear(kind: str, value: Any) -> None:
            if kind in ("curves", "scene"):
                found[kind] = value
            if kind == "done":
                self.results.put(first.key, found)

        self.pool.submit("first", "motion", first.plain(), hear)

    def open(self, call: Any, first: State) -> Session:
        """A new tab."""
        session = Session(self.pool, self.results, call, first)
        self.sessions[session.name] = session
        return session

    def has_room(self) -> bool:
        """Whether another page may open. Where all places are taken, the page that has waited longest for its browser gives up its own."""
        if len(self.sessions) >= MOST_TABS and self.waiting:
            self.waiting.pop(next(iter(self.waiting)))()
        return len(self.sessions) < MOST_TABS

    def shut(self, session: Session) -> None:
        """A tab that has gone."""
        self.sessions.pop(session.name, None)
        session.close()

    def close(self) -> None:
        """The end."""
        self.pool.close()
        shutil.rmtree(self.folder, ignore_errors=True)
