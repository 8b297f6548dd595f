"""Looking for events in the blocks of a run, in the order in which they happen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import outcome as o
from .events import DIRECTIONS, KINDS, Occurrence, Watch
from .outcome import Outcome
from .roots import BERNSTEIN
from .scan import BAD, CROWDED, scan


class Stop(NamedTuple):
    """Where a motion ends before its time: the moment, the state, the step of the block it lies in, and why."""

    t: float
    state: np.ndarray
    step: int
    outcome: Outcome


class Watchman:
    """Searches each block for each event; keeps the occurrences in order of their located times."""

    def __init__(self, run: Any):
        self.run = run
        self.counts = [0] * len(run.watches)
        run.occurrences = []

    def look(self, ts: np.ndarray, ys: np.ndarray, fs: np.ndarray, steps: int, first: bool, final: bool) -> Stop | None:
        """Record the events of a block; a `Stop` if one of them ends the motion."""
        run = self.run
        forward = 1.0 if run.t1 >= run.t0 else -1.0
        rows: list[tuple[float, int, int, int, int, np.ndarray]] = []
        bad: Stop | None = None
        for number, watch in enumerate(run.watches):
            found, trouble = self._scan(watch, ts, ys, fs, steps, first, final)
            rows += [(forward * t, number, component, kind, step, state) for t, component, kind, step, state in found]
            if trouble is not None and (bad is None or forward * trouble.t < forward * bad.t):
                bad = trouble
        rows.sort(key=lambda row: row[:3])
        for t, number, component, kind, step, state in rows:
            if bad is not None and t > forward * bad.t:
                break
            watch = run.watches[number]
            self.counts[number] += 1
            ends = watch.stop_after > 0 and self.counts[number] >= watch.stop_after
            name = watch.names[component]
            run.occurrences.append(Occurrence(float(forward * t), name, KINDS[kind], state[: run.n].copy(), ends))
            if ends:
                message = f"stopped by the event {name} ({KINDS[kind]}) at t = {forward * t:.10g}."
                return Stop(float(forward * t), state, step, Outcome(o.EVENT, message))
        return bad

    def _scan(self, watch: Watch, ts, ys, fs, steps, first, final):
        run = self.run
        room = 64 + 16 * steps * watch.size
        out = np.empty((room, 4))
        places = np.empty((room, ys.shape[1]))
        direction = DIRECTIONS[watch.event.direction]
        status, count, t = scan(
            watch.switch, run.system, watch.size, ts, ys, fs, steps, first, final, run.rtol, run.atol, direction, watch.event.touch, out, places, BERNSTEIN
        )  # fmt: skip
        found = [(out[i, 0], int(out[i, 1]), int(out[i, 2]), int(out[i, 3]), places[i]) for i in range(count)]
        if status not in (BAD, CROWDED):
            return found, None
        step = max(
            0, int(np.searchsorted(ts[: steps + 1] if run.t1 >= run.t0 else -ts[: steps + 1], t if run.t1 >= run.t0 else -t))
        )
        what = (
            "is not a finite number"
            if status == BAD
            else "has thousands of zeros within one stretch of steps (is it noise, or identically zero?)"
        )
        message = (
            f"the event {watch.event.label} {what} just after t = {t:.10g}; the motion is kept until there. "
            f"Check the function at that state, or leave the event out."
        )
        return found, Stop(float(t), ys[step].copy(), min(step, steps - 1), Outcome(o.BAD_EVENT, message))
