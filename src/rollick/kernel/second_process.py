"""Machine code made in a second process while this one is at something else.

Numba compiles one function at a time in a process. Much of what a first motion needs does not depend on the system (the search for events, the control
of steps), so that another process can compile it into the common cache while this one compiles the system's own equations; whoever needs it
first waits until it is there (`wait_for`). A second process that is slow, cannot be started or dies costs nothing but its time: what is not there is
compiled here, as ever. It ends when this one ends.

`ROLLICK_COMPILERS` tells how many processes may compile at once: 1 is this one alone; by default as many as there are cores, at most three.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .numba_inside import config, event

PACKAGE = Path(__file__).resolve().parents[1]
MOST = 3  # processes
PATIENCE = 120.0  # seconds after which this process compiles what it waits for

_at_work: list[tuple[subprocess.Popen, frozenset[str], int]] = []  # the process, what it compiles, and by whom it was started


def compilers() -> int:
    """How many processes may compile at once."""
    given = os.environ.get("ROLLICK_COMPILERS", "").strip()
    if given.isdigit():
        return max(1, int(given))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST)


def can_start() -> bool:
    """Whether a second process can be started: compiled code is made at all, by a Python that can be called, and this is not such a process itself."""
    multiprocessing = sys.modules.get("multiprocessing")
    worker = multiprocessing is not None and multiprocessing.parent_process() is not None
    python = Path(sys.executable or "").stem.lower().startswith(("python", "pypy"))
    return (
        compilers() > 1 and python and not worker and not getattr(sys, "frozen", False) and not getattr(config, "DISABLE_JIT", 0)
    )


def start(module: str, functions: Iterable[str]) -> None:
    """Let another process run `python -m module FUNCTION ...`, which is to compile those functions (`package.module.name`) into the cache."""
    names = list(functions)
    places = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "ROLLICK_COMPILERS": "1", "PYTHONPATH": os.pathsep.join(places)}
    hidden: Any = {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}  # on Windows, a console of its own
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            **hidden,
        )
    except (OSError, ValueError):  # no more processes, none allowed: this one compiles all
        return
    if not _at_work:
        atexit.register(_end_all)
    _at_work.append((process, frozenset(names), os.getpid()))


def _end_all() -> None:
    """End the processes that this one has started: they go when what they read from closes."""
    for process, _, starter in _at_work:
        if starter != os.getpid():
            continue
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def under_way(function: str) -> subprocess.Popen | None:
    """The process that is to compile a function, if it is still at work."""
    for process, names, starter in _at_work:
        if function in names and starter == os.getpid() and process.poll() is None:
            return process
    return None


def wait_for(function: str, path: Path) -> None:
    """Wait until the machine code of a function is in its file, if another process is to put it there; not for ever."""
    process = under_way(function) if _at_work else None
    if process is None or path.exists():
        return
    with event.trigger_event("numba:compile", data={}):  # for those who tell the user, or count the seconds
        end = time.monotonic() + PATIENCE
        while process.poll() is None and not path.exists() and time.monotonic() < end:
            time.sleep(0.02)


def end_with_starter() -> None:
    """In the second process: end as soon as the first one has."""

    def listen() -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
