"""Worker processes and the tasks that wait for them.

A process that dies, for whatever reason, ends its task with a sentence and is replaced; the page lives on. A task that is given up is interrupted, and
its process ended if it does not listen. Of each tab one task of a kind waits at most: a newer one takes the place of the one that waits.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .limits import LONG_SECONDS, MOTION_SECONDS
from .worker import serve

GRACE = 1.5  # s between an interruption and the end of a process that does not listen
LAST_WORDS = ("done", "refused", "failed", "cancelled", "replaced")
Listener = Callable[[str, Any], None]


@dataclass
class Task:
    """A task: whose, what, with which values, and who hears of it (called from threads of the pool)."""

    owner: str
    kind: str
    given: Any
    listener: Listener
    number: int = 0
    cancelled: bool = False
    ended: bool = False
    began: float = field(default_factory=time.monotonic)

    def tell(self, kind: str, value: Any = None) -> None:
        """Tell the listener; after the last word there is no other."""
        if self.ended:
            return
        self.ended = kind in LAST_WORDS
        with contextlib.suppress(Exception):  # a tab that has gone
            self.listener(kind, value)


class Place:
    """A place for a worker: its thread starts a process, hands it tasks one by one, and starts another when it dies."""

    def __init__(self, pool: Pool, kinds: tuple[str, ...], warm: list[tuple[str, Any]]):
        self.pool, self.kinds, self.warm = pool, kinds, warm
        self.process: Any = None
        self.task: Task | None = None
        self.ready = threading.Event()
        self.deaths = 0
        self.taken = False  # whether the process has begun with the task
        self.thread = threading.Thread(target=self.live, daemon=True, name="studio-worker")

    def start(self) -> Any:
        """A new process; the pipe to it."""
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        self.process = context.Process(target=serve, args=(there, self.warm, os.getpid()), daemon=True)
        self.process.start()
        there.close()
        return here

    def live(self) -> None:
        """Hand out tasks until the pool ends."""
        pipe = None
        while not self.pool.closing:
            if pipe is None:
                pipe = self.start()
                self.hear(pipe, None)
            task = self.pool.next(self)
            if task is None:
                if not self.process.is_alive():
                    pipe = self.renew(pipe)
                continue
            alive = self.hand(pipe, task)
            if not alive and not self.taken and not task.cancelled:
                # it died while nothing was asked of it: the task is not to blame
                pipe = self.renew(pipe)
                alive = self.hand(pipe, task)
            self.task = None
            if not alive:
                self.process.join(1.0)
                code = self.process.exitcode
                how = f"signal {-code}" if isinstance(code, int) and code < 0 else f"exit code {code}"
                if task.cancelled:
                    task.tell("cancelled")
                else:
                    task.tell(
                        "failed",
                        f"the computation ended abruptly ({how}); the page goes on, and so can you: change something, or run it again.",
                    )
                pipe = self.renew(pipe)
        with contextlib.suppress(Exception):
            self.process.kill()

    def hand(self, pipe: Any, task: Task) -> bool:
        """Hand a task to the process and pass on what it says; whether the process is alive."""
        self.taken = False
        try:
            pipe.send((task.number, task.kind, task.given))
            return self.hear(pipe, task)
        except (OSError, EOFError, ValueError):
            return False

    def renew(self, pipe: Any) -> Any:
        """Another process instead of one that has died, as soon as it is ready; the pipe to it."""
        self.deaths += 1
        self.ready.clear()
        pipe.close()
        if self.pool.closing:
            return pipe
        pipe = self.start()
        self.hear(pipe, None)
        return pipe

    def hear(self, pipe: Any, task: Task | None) -> bool:
        """Pass on what a process says until the task's last word (None: until it is ready); whether it is alive."""
        limit = time.monotonic() + (MOTION_SECONDS if task is not None and task.kind == "motion" else LONG_SECONDS)
        interrupted: float | None = None
        while not self.pool.closing:
            try:
                if pipe.poll(0.05):
                    kind, value, number = pipe.recv()
                    if kind == "ready":
                        self.ready.set()
                        if task is None:
                            return True
                    elif kind == "taken":
                        self.taken = True
                    elif task is not None and (number == task.number or number is None):
                        if task.cancelled and kind in LAST_WORDS:
                            kind, value = "cancelled", None
                        if not task.cancelled or kind in LAST_WORDS:
                            task.tell(kind, value)
                        if kind in LAST_WORDS:
                            return True
                elif not self.process.is_alive():
                    return False
            except (EOFError, OSError):
                return False
            now = time.monotonic()
            if task is not None and task.cancelled and interrupted is None:
                interrupted = now
                with contextlib.suppress(OSError):
                    os.kill(self.process.pid, signal.SIGINT)
            if interrupted is not None and now > interrupted + GRACE:
                self.process.kill()
            if task is not None and now > limit:
                task.tell(
                    "failed",
                    f"this took longer than the studio waits ({limit - task.began:.0f} s); ask for less, or take the command line.",
                )
                task.cancelled = True
                limit = float("inf")
        return False


class Pool:
    """The workers: `motions` of them for motions and files, one for what takes long."""

    def __init__(self, motions: int = 2, warm: list[tuple[str, Any]] | None = None):
        self.closing = False
        self.waiting: list[Task] = []
        self.changed = threading.Condition()
        self.numbers = itertools.count(1)
        self.places = [Place(self, ("motion", "file"), warm or []) for _ in range(motions)] + [Place(self, ("map", "branch"), [])]
        for place in self.places[:-1]:
            place.thread.start()

    def submit(self, owner: str, kind: str, given: Any, listener: Listener) -> Task:
        """A new task; one of the same owner and kind that still waits is replaced."""
        task = Task(owner, kind, given, listener, next(self.numbers))
        with self.changed:
            old = [t for t in self.waiting if (t.owner, t.kind) == (owner, kind)]
            self.waiting = [t for t in self.waiting if t not in old] + [task]
            last = self.places[-1]
            if kind in last.kinds and not last.thread.is_alive():
                last.thread.start()
            self.changed.notify_all()
        for replaced in old:
            replaced.tell("replaced")
        return task

    def next(self, place: Place) -> Task | None:
        """A task for a place; None after a while without one. One owner has one motion at a time, so that others come to theirs."""
        with self.changed:
            busy = {(p.task.owner, p.task.kind) for p in self.places if p.task is not None}
            for task in self.waiting:
                if task.kind in place.kinds and (task.owner, task.kind) not in busy:
                    self.waiting.remove(task)
                    place.task = task
                    task.tell("begun")
                    return task
            self.changed.wait(0.2)
        return None

    def cancel(self, task: Task) -> None:
        """Give a task up."""
        with self.changed:
            if task in self.waiting:
                self.waiting.remove(task)
                waiting = True
            else:
                task.cancelled, waiting = True, False
        if waiting:
            task.tell("cancelled")

    def forget(self, owner: str) -> None:
        """Give up all tasks of an owner who has gone."""
        for task in [*self.waiting, *(p.task for p in self.places if p.task is not None)]:
            if task.owner == owner:
                self.cancel(task)

    def close(self) -> None:
        """End all processes."""
        self.closing = True
        for place in self.places:
            if place.process is not None:
                with contextlib.suppress(Exception):
                    place.process.kill()
