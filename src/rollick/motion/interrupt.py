"""Ctrl-C at the right moment: what was computed must be kept whole, and what was cut short must not pass for whole."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Within this context Ctrl-C waits; at its end it is heard."""
    handler = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if not callable(handler):  # another thread, which never hears of it, or a program that ignores it
        yield
        return
    pressed: list = []
    signal.signal(signal.SIGINT, lambda *args: pressed.append(args))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        handler(*pressed[0])


@contextlib.contextmanager
def listening() -> Iterator[Callable[[], bool]]:
    """Within this context the function says whether Ctrl-C was pressed since it began, also where somebody caught the `KeyboardInterrupt`.

    Python itself writes the number of each signal that arrives into a socket; no handler is replaced.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    reading, writing = socket.socketpair()
    arrived = set[int]()

    def pressed() -> bool:
        with contextlib.suppress(BlockingIOError):
            arrived.update(reading.recv(4096))
        return signal.SIGINT in arrived

    with reading, writing:
        reading.setblocking(False)
        writing.setblocking(False)
        before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        try:
            yield pressed
        finally:
            signal.set_wakeup_fd(before)
