"""Where the chunks of an ensemble are computed: in threads, by an executor of `concurrent.futures`, or by the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, as_completed
from typing import Any

from ..kernel.names import InputError
from .gpu.cuda import Devices
from .stored.store import Store
from .stored.store_files import Damaged
from .task import Chunk, Task
from .threads import in_threads

IN_STORE, ELSEWHERE = "in the store", "elsewhere"  # a chunk that was written to the store; one that another process computes
Ended = Chunk | str
Done = Callable[[int, Ended], None]
AHEAD = 4  # chunks that wait at each worker of an executor: enough to keep it busy, few enough to stop soon


class WorkersLost(ConnectionError):
    """Those who compute the chunks are no more; the message is a sentence."""


def run_chunk(task: Task, number: int, size: int, store: Store | None) -> Ended:
    """Compute a chunk. With a store it is written there and not sent back, and what another process computes, or has computed, is left to it."""
    first = number * size
    last = min(first + size, task.members.count)
    if store is None:
        return task.chunk(first, last)
    with store.claimed(number) as free:
        if not free:
            return ELSEWHERE
        with contextlib.suppress(Damaged):
            if store.get(number) is not None:
                return IN_STORE
        began = time.perf_counter()
        chunk = task.chunk(first, last)
        store.put(number, chunk, time.perf_counter() - began)
    return IN_STORE


def run_chunks(on: Any, task: Task, numbers: list[int], size: int, store: Store | None, done: Done, workers: int | None) -> None:
    """Compute chunks where they are to be computed; `done(number, chunk)` is told of each."""
    if on == "cuda":
        devices = Devices()

        def on_one(number: int) -> Ended:
            with devices:
                return run_chunk(task, number, size, store)

        in_threads(on_one, numbers, done, devices.places)
    elif on == "threads":
        in_threads(lambda number: run_chunk(task, number, size, store), numbers, done, workers)
    elif isinstance(on, Executor):
        _by_executor(on, task, numbers, size, store, done)
    elif is_dask(on):
        _by_dask(on, task, numbers, size, store, done)
    else:
        raise InputError(f"on = {on!r}: give 'threads', 'cuda', an Executor of concurrent.futures, or a dask.distributed Client.")


def is_dask(on: Any) -> bool:
    """Whether this is a client of a Dask cluster."""
    return type(on).__module__.partition(".")[0] == "distributed" and hasattr(on, "submit")


def _by_executor(on: Executor, task: Task, numbers: list[int], size: int, store: Store | None, done: Done) -> None:
    room = AHEAD * max(1, int(getattr(on, "_max_workers", 1) or 1))
    waiting = list(reversed(numbers))
    under_way: dict[Any, int] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < room:
                number = waiting.pop()
                sent = task.only(number * size, (number + 1) * size) if isinstance(task, Task) else task
                under_way[on.submit(run_chunk, sent, number, size, store)] = number
            future = next(as_completed(under_way))
            done(under_way.pop(future), future.result())
    except BaseException as error:
        for future in under_way:
            future.cancel()
        if isinstance(error, BrokenExecutor):
            raise WorkersLost(f"a worker of the executor died ({error})") from error
        raise


def _by_dask(client: Any, task: Task, numbers: list[int], size: int, store: Store | None, done: Done) -> None:
    """A worker that dies takes no chunk with it: its chunks are computed by the others."""
    from distributed import as_completed as as_finished

    futures: dict[Any, int] = {}
    try:
        [shared] = client.scatter([task], broadcast=True)
        futures = {client.submit(run_chunk, shared, number, size, store, pure=False, retries=3): number for number in numbers}
        for future in as_finished(list(futures)):
            done(futures[future], future.result())
            future.release()
    except BaseException as error:
        if client.status == "running":
            with contextlib.suppress(Exception):  # what is raised is the first error
                client.cancel(list(futures))
        if _is_of_cluster(error):
            why = " ".join(str(error).split())[:200]
            raise WorkersLost(f"the Dask cluster was lost ({type(error).__name__}: {why})") from error
        raise


def _is_of_cluster(error: BaseException) -> bool:
    """Whether an error comes from Dask itself: its scheduler is gone, or a chunk has brought down worker after worker."""
    module = type(error).__module__.partition(".")[0]
    return isinstance(error, (CancelledError, TimeoutError)) or module in ("distributed", "tornado")
