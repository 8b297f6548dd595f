"""All chunks of an ensemble: what a store has is taken from it, the rest is computed, or awaited from another process that computes it."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

from ..motion.progress import Progress
from .backends import ELSEWHERE, Ended, WorkersLost, run_chunks
from .stored.store import Store
from .stored.store_files import Damaged, StoreError
from .task import Chunk, Task

APPEARS = 60.0  # seconds in which a chunk that another host has written is expected to be seen here
LONG = 20.0  # seconds of waiting for other processes after which that is told


def compute(task: Task, size: int, place: Store | None, on: Any, workers: int | None, progress: bool | None, text: str) -> Chunk:
    """All members; an interruption is passed on, after what was finished has been kept. text: what is shown on the way."""
    count = task.members.count
    path = task.keep.path
    paths = np.full((count, path.times().size, len(task.state_names())), np.nan) if path is not None else None
    found = Chunk(
        np.full((count, len(task.keep.labels)), np.nan), np.full(count, -1, np.int16), np.full(count, np.nan), np.zeros(count, np.int64), paths
    )  # fmt: skip
    left = list(range(-(-count // size))) if place is None else place.restore(found)
    reached = count - sum(min(size, count - k * size) for k in left)
    elsewhere: list[int] = []  # chunks that other processes compute

    def done(number: int, ended: Ended) -> None:
        nonlocal reached
        if ended == ELSEWHERE:
            elsewhere.append(number)
            return
        chunk = ended if isinstance(ended, Chunk) else written(place, number)
        found.put(number * size, chunk)
        reached += len(chunk.status)
        bar.update(float(reached))

    def kept() -> str:
        """What is kept, in words."""
        if place is None:
            return "nothing is kept without a store; name one: store='FOLDER'"
        members = sum(max(0, min(size, count - k * size)) for k in place.marked())
        return f"{members} of {count} members are kept in {place.place}; the same call goes on with them"

    try:
        with Progress(progress, 0.0, float(count), text) as bar, warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # what happened to members is in their status; threads share these filters, so here for all of them
            bar.update(float(reached))
            waits = Waiting()
            while left:
                run_chunks(on, task, left, size, place, done, workers)
                left = sorted(elsewhere)
                elsewhere.clear()
                waits.after(left, size, place)
    except KeyboardInterrupt:
        if place is not None:
            print(f"rollick: {kept()}.", file=sys.stderr)
        raise
    except WorkersLost as error:
        raise WorkersLost(f"{error}; {kept()}.") from error.__cause__
    return found


def written(place: Store | None, number: int) -> Chunk:
    """A chunk that somebody has written to a store. What is written on another host may take a while to appear on a shared file system."""
    assert place is not None
    began, why = time.monotonic(), ""
    while True:
        try:
            chunk = place.get(number)
            if chunk is not None:
                return chunk
            why = "is not there; a store must be a place that all workers reach"
        except Damaged as error:
            why = f"is not what was written ({error}); the disk may be failing"
        if place.is_gone() or time.monotonic() - began > APPEARS:
            raise StoreError(f"chunk {number} was written to the store {place.place}, but {why}.")
        time.sleep(0.05)


class Waiting:
    """The pauses in which other processes compute what is left; a long wait is told once."""

    def __init__(self) -> None:
        self.pause, self.began, self.before, self.told = 0.02, time.monotonic(), 0, False

    def after(self, left: list[int], size: int, place: Store | None) -> None:
        """Wait a moment, if something is left; longer each time, as long as nothing happens."""
        if not left:
            return
        if len(left) != self.before:
            self.pause, self.began, self.before = 0.02, time.monotonic(), len(left)
        if not self.told and time.monotonic() - self.began > LONG and place is not None:
            self.told = True
            print(f"rollick: waiting for another process, which computes the last members of {place.place}.", file=sys.stderr)
        time.sleep(self.pause)
        self.pause = min(1.0, 1.5 * self.pause)
