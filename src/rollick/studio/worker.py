"""A worker process: takes tasks from a pipe, sends parts, progress and refusals back, and lives on after a bad one."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from typing import Any

MOST_MEMORY = 12 * 2**30  # bytes of address space; a request that needs more fails by itself, not the machine
EVERY = 0.2  # s between words of progress


def watch_parent(parent: int) -> None:
    """End this process when the studio has gone, whatever it is doing."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def tell_progress(pipe: Any) -> None:
    """Let the bars of this process speak to the page instead of the terminal."""
    from ..motion.progress import Progress

    last = [0.0]

    def update(self: Any, t: float) -> None:
        now = time.monotonic()
        if now - last[0] < EVERY or self.start == self.end:
            return
        last[0] = now
        fraction = (t - self.start) / (self.end - self.start)
        if fraction == fraction:
            pipe.send(("progress", (min(max(float(fraction), 0.0), 1.0), self.text.format(t=t, end=self.end)), None))

    Progress.update = update  # type: ignore[method-assign]


def serve(pipe: Any, warm: list[tuple[str, Any]], parent: int) -> None:
    """The life of a worker. Each task ends with one of done, refused, failed or cancelled."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["ROLLICK_QUIET"] = "1"
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    threading.Thread(target=watch_parent, args=(parent,), daemon=True).start()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from .compute import TASKS

    tell_progress(pipe)
    for kind, given in warm:
        with contextlib.suppress(Exception):
            for _ in TASKS[kind](given):
                pass
    with contextlib.suppress(EOFError, OSError):
        pipe.send(("ready", None, None))
        while True:
            number, kind, given = pipe.recv()
            pipe.send(("taken", None, number))
            pipe.send((*one(TASKS, kind, given, lambda part, n=number: pipe.send((*part, n))), number))


def one(tasks: dict[str, Any], kind: str, given: Any, send: Any) -> tuple[str, Any]:
    """One task; its last word."""
    from ..kernel.errors import InputError

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for part in tasks[kind](given):
            send(part)
        return "done", None
    except InputError as error:
        return "refused", str(error)
    except KeyboardInterrupt:
        return "cancelled", None
    except MemoryError:
        return "failed", "this needs more memory than a computation may have; ask for less."
    except Exception as error:
        return "failed", f"this could not be computed ({type(error).__name__}: {str(error)[:300]})."
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_IGN)
