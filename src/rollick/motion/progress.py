"""A progress bar for long runs: on terminals, and only once a run has lasted a second."""

from __future__ import annotations

import sys
import time
from typing import Any


class Progress:
    """Shows how far a run has come, in words made from `text`; `show=None` decides by itself, False is silent."""

    def __init__(self, show: bool | None, start: float, end: float, text: str = "simulating, t = {t:.4g} of {end:g}"):
        self.text = text
        self.wanted = sys.stderr.isatty() if show is None else bool(show)
        self.delay = 1.0 if show is None else 0.0
        self.start, self.end = start, end
        self.began = time.perf_counter()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_) -> None:
        if self.bar is not None:
            self.bar.stop()

    def update(self, t: float) -> None:
        """Tell the time reached."""
        if not self.wanted or self.start == self.end:
            return
        if self.bar is None and time.perf_counter() - self.began >= self.delay:
            from rich import progress
            from rich.console import Console

            self.bar = progress.Progress(
                progress.TextColumn("{task.description}"),
                progress.BarColumn(),
                progress.TaskProgressColumn(),
                progress.TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task("", total=1.0)
            self.bar.start()
        if self.bar is not None:
            fraction = (t - self.start) / (self.end - self.start)
            self.bar.update(self.task, completed=fraction, description=self.text.format(t=t, end=self.end))
