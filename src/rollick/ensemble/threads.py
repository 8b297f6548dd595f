"""Pieces of work in threads: each spends its time in compiled code, which leaves the other threads running."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any

from ..kernel.names import whole


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(
    work: Callable[[Any], Any], pieces: Iterable[Any], done: Callable[[Any, Any], None], workers: int | None = None
) -> None:
    """Call `work(piece)` for all pieces, in threads; this thread is told of each as it is done, `done(piece, result)`.

    An exception in a piece ends the work and is raised here, and so is an interruption, after the pieces that were under way are finished and told.
    """
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    count = 0
    for piece in pieces:
        waiting.put(piece)
        count += 1
    ready: queue.SimpleQueue[tuple[Any, Any, BaseException | None]] = queue.SimpleQueue()
    stop = threading.Event()

    def labour() -> None:
        while not stop.is_set():
            try:
                piece = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                ready.put((piece, work(piece), None))
            except BaseException as error:  # handed to the collecting thread, which raises it
                ready.put((piece, None, error))
                return

    threads = [
        threading.Thread(target=labour, daemon=True)
        for _ in range(max(1, min(whole(workers, "workers", 1) if workers else cores(), count)))
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(count):
            piece, result, error = ready.get()
            if error is not None:
                raise error
            done(piece, result)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        while not ready.empty():  # what was finished meanwhile is kept
            piece, result, error = ready.get()
            if error is None:
                done(piece, result)
