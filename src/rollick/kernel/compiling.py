"""A word to the user while machine code is made: the first run of a kind of system takes some seconds.

Messages go to standard error, so that standard output stays clean; ``ROLLICK_QUIET=1`` silences them.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from numba.core import event

_lock = threading.local()


class _Notice(event.Listener):
    """Starts a spinner (a plain line where standard error is no terminal) at the first compilation, stops it at the end."""

    def __init__(self, what: str):
        self.what = what
        self.shown = False
        self.status: Any = None

    def on_start(self, event) -> None:
        if self.shown:
            return
        self.shown = True
        from rich.console import Console

        console = Console(stderr=True)
        text = f"compiling {self.what} (first time only; later runs start at once)"
        if console.is_terminal:
            self.status = console.status(text)
            self.status.start()
        else:
            print(f"rollick: {text}", file=sys.stderr, flush=True)

    def on_end(self, event) -> None:
        pass

    def close(self) -> None:
        if self.status is not None:
            self.status.stop()


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Within this context a compilation announces itself, once; nested contexts stay silent."""
    if os.environ.get("ROLLICK_QUIET") or getattr(_lock, "busy", False):
        yield
        return
    _lock.busy = True
    notice = _Notice(what)
    event.register("numba:compile", notice)
    try:
        yield
    finally:
        _lock.busy = False
        event.unregister("numba:compile", notice)
        notice.close()
