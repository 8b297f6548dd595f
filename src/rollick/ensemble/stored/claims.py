"""Which chunks of a store somebody computes at this moment, so that processes that share a store share its work.

A claim is a lock on one byte of the file `claims`, the byte of the chunk's number. The system takes it back when the process ends, however it ends.
Nothing depends on claims but the work: a chunk that two processes compute is written twice, whole, with the same numbers. So it is no harm
where there are none: at addresses of object stores, on file systems without locks, on Windows.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HELD = (errno.EACCES, errno.EAGAIN)


class _Claims:
    """What this process has claimed: of each file its handle, and the numbers. The locks go when any handle of the file is closed, so there is one."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.files: dict[str, tuple[int, set[int]]] = {}


_mine = _Claims()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mine.__init__)  # type: ignore[misc]  # a child has no locks of its parent


@contextlib.contextmanager
def claimed(path: Path, number: int) -> Iterator[bool]:
    """Claim a chunk for as long as the context lasts; False if it is somebody else's. `FileNotFoundError` if the folder is gone."""
    if fcntl is None:
        yield True
        return
    with _mine.guard:
        taken = _take(str(path), number)
    try:
        yield taken
    finally:
        if taken:
            with _mine.guard:
                _give_back(str(path), number)


def _take(path: str, number: int) -> bool:
    if path not in _mine.files:
        try:
            _mine.files[path] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), set()
        except FileNotFoundError:
            raise
        except OSError:  # no file of ours: nothing can be claimed there
            return True
    handle, numbers = _mine.files[path]
    if number in numbers:
        return False
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
    except OSError as error:
        if error.errno in HELD:
            _close_if_idle(path)
            return False
    numbers.add(number)
    return True


def _give_back(path: str, number: int) -> None:
    if path not in _mine.files:
        return
    handle, numbers = _mine.files[path]
    numbers.discard(number)
    with contextlib.suppress(OSError):
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, number)
    _close_if_idle(path)


def _close_if_idle(path: str) -> None:
    handle, numbers = _mine.files[path]
    if not numbers:
        os.close(handle)
        del _mine.files[path]
