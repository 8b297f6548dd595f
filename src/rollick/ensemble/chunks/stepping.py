"""Members by time stepping (Moreau's scheme, midpoint, thesis) with equal steps: only their ends are kept, so that nothing but the steps is computed.

Each step is that of `simulate`, in the same machine code. What else may be asked of such motions (events, paths, extremes) is measured one by one.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...motion.contact.stepper import LOST
from ...motion.methods.stepping import Stepping
from ...motion.ode import control as c
from ...motion.ode.block import empty_block
from ...motion.result.outcome import FINISHED
from ..keep import FINAL
from ..task import WORDS, Chunk, Task
from .at_end import named_at_end
from .loop import ASK, DONE
from .prepared import Group, Preparation


def steps_suffice(task: Task, method: Any) -> bool:
    """Whether the steps are all that is needed: equal ones, and named quantities at the end."""
    named = all(m.code == FINAL and isinstance(m.what, str) for m in task.keep.measures)
    return isinstance(method, Stepping) and method.rtol is None and named and task.keep.path is None


class SteppedChunk:
    """Members at some places of a chunk that begins with the member `first`."""

    def __init__(self, task: Task, method: Stepping, first: int, places: np.ndarray):
        self.task, self.method, self.first, self.places = task, method, first, places

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        ready = Preparation(self.task, self.first, self.places, out, self.task.gpu, method=self.method)
        left = ready.left
        for group in ready.groups:
            if self.task.method_for(group.lead.system) != self.method:  # a law of a member may ask for another one
                left += group.places.tolist()
                continue
            forward = group.spans[:, 1] >= group.spans[:, 0]  # simulate says why not
            left += group.places[~forward].tolist()
            if forward.any():
                left += self.run_group(group.some(np.flatnonzero(forward)), out)
        return sorted(left)

    def run_group(self, group: Group, out: Chunk) -> list[int]:
        """Members whose systems are of one type."""
        starts, most = with_sums(group), float(self.task.max_steps)
        if self.task.gpu:
            from ..gpu.stepping_kernel import step_on_gpu

            ends, times, steps, status = step_on_gpu(group, starts, self.method, most)
        else:
            ends, times, steps, status = step_here(group, starts, self.method, most)
        good = np.flatnonzero(status == DONE)
        here = group.places[good]
        out.time[here], out.steps[here], out.status[here] = times[good], steps[good], WORDS.index(FINISHED)
        out.values[here] = named_at_end(group, self.task.keep.measures, ends, times, good)
        return group.places[status == ASK].tolist()


def with_sums(group: Group) -> np.ndarray:
    """(q, u, sums) at the start, a row each."""
    y = np.zeros((len(group.starts), group.lead.n + LOST))
    y[:, : group.starts.shape[1]] = group.starts
    return y


def step_here(group: Group, ends: np.ndarray, method: Stepping, max_steps: float) -> tuple[np.ndarray, ...]:
    """Ends, times, steps and status of members whose systems are of one type, by this thread; `ends` come as their starts, (q, u, sums)."""
    count, size = ends.shape
    times, steps, status = group.spans[:, 1].copy(), np.zeros(count, np.int64), np.full(count, ASK, np.int64)
    tolerance = method.tolerance(group.lead, size)
    block = empty_block(1, size, np.empty(0), np.empty((0, size)), False, False, method.switches)
    for i in range(count):
        t0, t1 = group.spans[i].tolist()
        system = group.system(i)
        problem = replace(group.lead, system=system, moving=system, t0=t0, t1=t1)
        s, y = np.zeros(c.SIZE), ends[i].copy()
        s[c.TIME], s[c.END], s[c.LEFT], s[c.MOST_STEP] = t0, t1, max_steps, np.inf
        stepper = method.begin(SimpleNamespace(problem=problem, every=method.total(problem), engine=system), s)  # type: ignore[arg-type]
        if stepper.advance(system, s, y, tolerance, block) == c.REACHED:
            status[i], steps[i], ends[i] = DONE, int(s[c.ACCEPTED]), y
    return ends, times, steps, status
