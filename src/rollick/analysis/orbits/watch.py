"""A search that may take long: how far it is, and how long it may take.

Whoever searches says so once (`watched`); what takes time inside, the flow between two blocks of steps, Newton's method between two steps, looks up now and then (`look`). There a bar is
moved, Ctrl-C is heard, and a search that has used up its `wall_limit` is given up in a sentence.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from ...kernel.compiling import compiling_seconds
from ...kernel.names import InputError
from ...motion.problem import positive
from ...motion.progress import Progress

_present: ContextVar[Watch | None] = ContextVar("watch", default=None)


class Watch:
    """The clock and the bar of one search; compilation does not count."""

    def __init__(self, what: str, wall_limit: Any, bar: Progress):
        self.what, self.bar, self.words = what, bar, "at its beginning"
        self.limit = math.inf if wall_limit is None else positive(wall_limit, "wall_limit")
        self.began, self.compiled = time.perf_counter(), compiling_seconds()

    def left(self) -> float:
        """Seconds that are left."""
        return self.limit - (time.perf_counter() - self.began) + (compiling_seconds() - self.compiled)

    def look(self, done: float) -> None:
        """Move the bar, and see what time it is."""
        self.bar.text = f"orbit: {self.words}"
        self.bar.update(done)
        if not self.left() > 0.0:
            raise InputError(
                f"the search for {self.what} was given up after wall_limit = {self.limit:g} s, {self.words}. Raise wall_limit, or give a guess nearer to an orbit."
            )


@contextlib.contextmanager
def watched(what: str, wall_limit: Any = None, progress: bool | None = None) -> Iterator[Watch]:
    """Within this context whatever looks up is about this search."""
    with Progress(progress, 0.0, 1.0, what) as bar:
        watch = Watch(what, wall_limit, bar)
        token = _present.set(watch)
        try:
            yield watch
        finally:
            _present.reset(token)


def look(done: float = 0.0, words: str | None = None) -> None:
    """Look up from the work, `done` being the part of it (0 to 1) that is; `words` say where it is, from now on."""
    watch = _present.get()
    if watch is None:
        return
    if words is not None:
        watch.words = words
    watch.look(done)


def seconds_left() -> float | None:
    """How long the present search may go on; None: as long as it likes."""
    watch = _present.get()
    return None if watch is None or math.isinf(watch.limit) else max(1e-3, watch.left())
