"""A word to the user while machine code is made: the first run of a kind of system takes some seconds.

Messages go to standard error, so that standard output stays clean; ``ROLLICK_QUIET=1`` silences them.

Python's collector of cyclic garbage rests meanwhile: a compilation makes millions of objects that live to its end, and looking through them
again and again takes a tenth of the time.

Ctrl-C is heard: pressed while LLVM is at work it arrives in one of its callbacks, from which no exception gets out; so it is remembered,
and raised again when the compilation is over.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from .names import called
from .numba_inside import event
from .shipped import why_not

_lock = threading.local()
_said: set[str] = set()  # what was said in this process, where it stays on the screen
_seconds = [0.0]  # that compilations took in this process, as far as they announced themselves


def compiling_seconds() -> float:
    """How long this process has spent on compilations that announced themselves (`compiling`)."""
    return _seconds[0]


def kind_of(system: Any) -> str:
    """What machine code of a system is made for: its type and the types of its innermost parts, as "Marble (Ellipsoid)"."""
    parts = [name for part in system for name in _innermost(part)] if isinstance(system, tuple) else []
    inside = ", ".join(dict.fromkeys(parts))
    return f"{called(system)} ({inside})" if inside else called(system)


def _innermost(part: Any) -> list[str]:
    if not isinstance(part, tuple):
        return []
    inside = [name for piece in part for name in _innermost(piece)]
    return inside or ([called(part)] if hasattr(part, "_fields") else [])


class _Notice(event.Listener):
    """A spinner while something is compiled; where standard error is no terminal a plain line, once in a process."""

    def __init__(self, what: str, system: Any, quiet: bool = False):
        self.what, self.system, self.quiet = what, system, quiet
        self.pressed = False  # Ctrl-C, during this compilation
        self.listening = False
        self.depth = 0  # a compilation contains those of the functions that are called
        self.collecting = False  # whether Python's collector was at work before
        self.spinner: Any = None
        self.began = 0.0

    def on_start(self, event) -> None:
        self.depth += 1
        if self.depth > 1:
            return
        self.began = time.perf_counter()
        self.collecting = gc.isenabled()
        gc.disable()
        self.listen()
        if self.quiet:
            return
        what = self.what if self.system is None else f"{self.what} of {kind_of(self.system)}"
        text = self.text(what)
        from rich.console import Console

        console = Console(stderr=True)
        if console.is_terminal:
            from rich.live import Live
            from rich.spinner import Spinner

            # Nothing is redirected: what a user prints meanwhile belongs to standard output.
            turning = Spinner("dots", text)
            self.spinner = Live(
                turning, console=console, transient=True, refresh_per_second=12, redirect_stdout=False, redirect_stderr=False
            )
            self.spinner.start()
        elif what not in _said:
            _said.add(what)
            print(f"rollick: {text}", file=sys.stderr, flush=True)

    def text(self, what: str) -> str:
        """What is compiled. How long it takes depends on the system, the method and the machine by a factor of a hundred, and is not foretold."""
        why = why_not()
        not_used = "" if why is None else f"; the compiled code that came with the package is not used: {why}"
        return f"compiling {what} (first time only, which may take a minute or more; later runs start at once{not_used})"

    def on_end(self, event) -> None:
        self.depth -= 1
        if self.depth <= 0:
            _seconds[0] += time.perf_counter() - self.began
            self.close()
            if self.pressed:
                self.pressed = False
                raise KeyboardInterrupt

    def listen(self) -> None:
        """Remember Ctrl-C, where nobody else handles it in a way of their own."""
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self.hear)
            self.listening = True

    def hear(self, number: int, frame: Any) -> None:
        """Ctrl-C was pressed."""
        self.pressed = True
        if not in_callback(frame):
            signal.default_int_handler(number, frame)

    def close(self) -> None:
        """Take the spinner away, and leave Ctrl-C and the collector as they were."""
        if self.collecting:
            self.collecting = False
            gc.enable()
        if self.listening:
            self.listening = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.spinner is not None:
            self.spinner.stop()
            self.spinner = None


def in_callback(frame: Any) -> bool:
    """Whether LLVM called Python here: an exception would get no farther, and only be printed with a traceback."""
    while frame is not None:
        if "llvmlite" in frame.f_code.co_filename and frame.f_code.co_name.startswith("_raw_object_cache"):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def compiling(what: str, system: Any = None) -> Iterator[None]:
    """Within this context a compilation announces itself, as one of `what` (of a system), once; nested contexts stay silent."""
    if getattr(_lock, "busy", False):
        yield
        return
    _lock.busy = True
    notice = _Notice(what, system, bool(os.environ.get("ROLLICK_QUIET")))
    event.register("numba:compile", notice)
    try:
        yield
    finally:
        _lock.busy = False
        event.unregister("numba:compile", notice)
        notice.close()
