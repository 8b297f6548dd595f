"""Some members by the compiled loop: their systems and starts made ready in Python, their motions computed without it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ..kernel.compiled import DISABLED
from ..kernel.erased import REALS, PackedMany, outline
from ..kernel.errors import InputError
from ..kernel.hooks import guard
from ..kernel.system import description, dim, integral_count
from ..kernel.trial import try_once
from ..mechanics.contact import contact_count
from ..motion.events.erased import Watched, switch_entry
from ..motion.events.event import DIRECTIONS, watch
from ..motion.methods import DOP853, has_dry_friction, method_of
from ..motion.methods.smooth import Adaptive, Auto, tolerances
from ..motion.ode.block import Tolerance
from ..motion.ode.erased import Engine
from ..motion.ode.extended import Accumulating
from ..motion.problem import Problem, make_problem
from ..motion.result.outcome import EVENT, FINISHED
from .cuda import run_on_gpu
from .keep import FINAL
from .loop import ASK, DONE, AtEnd, OnTheWay, make_desk, run_members
from .task import REFUSED, WORDS, Chunk, Task
from .watching import chained


def chosen_method(task: Task, system: Any) -> Any:
    """The method that `simulate` would take."""
    return method_of(task.method, dict(task.options), system)


def can_be_compiled(task: Task) -> bool:
    """Whether the compiled loop knows the method and everything that is asked: DOP853 on smooth equations that hold everywhere."""
    if (DISABLED and not task.gpu) or not task.source.is_motion or task.keep.functions or task.wall_limit is not None:
        return False
    system = task.source.system
    if contact_count.knows(type(system)) or has_dry_friction(system) or guard(system) is not None:
        return False
    return type(chosen_method(task, system)) in (DOP853, Auto)


class CompiledChunk:
    """Members from `first` to before `last` of a task."""

    def __init__(self, task: Task, first: int, last: int, gpu: bool = False):
        self.task, self.first, self.count, self.gpu = task, first, last - first, gpu
        self.problems: dict[int, Problem] = {}

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        left: list[int] = []
        groups: dict[Any, list[int]] = {}
        for k in range(self.count):
            try:
                problem = self.problem(self.first + k)
            except InputError as error:
                out.status[k], out.reasons[k] = WORDS.index(REFUSED), str(error)
                continue
            except Exception:  # told by `simulate_member`
                left.append(k)
                continue
            if self.task.keep.path is not None and problem.t1 < problem.t0:
                left.append(k)
                continue
            self.problems[k] = problem
            groups.setdefault(outline(problem.moving), []).append(k)
        for places in groups.values():
            left += self.run_group(places, out)
        return sorted(left)

    def problem(self, i: int) -> Problem:
        """What is to be computed for a member, as `simulate` has it."""
        values, start, since, until = self.task.parts(i)
        system = self.task.source.make(values)
        return make_problem(
            system, start, until, since=since, at=None, dense=False, events=None, variational=False,
            integrals=int(integral_count(system)) if self.task.integrals else 0,
            max_steps=self.task.max_steps, wall_limit=None, progress=False, began=0.0,
        )  # fmt: skip

    def run_group(self, places: list[int], out: Chunk) -> list[int]:
        """Members whose systems are of one type."""
        task, problems = self.task, [self.problems[k] for k in places]
        lead, measures = problems[0], task.keep.measures
        method: Adaptive = chosen_method(task, lead.system)
        n, m = lead.n, lead.m
        engines = [Accumulating(p.moving) if m else p.moving for p in problems]
        starts = np.array([np.concatenate([p.start, p.sums]) for p in problems])
        try_once(engines[0], lead.t0, starts[0])
        names = [q.name for q in description(lead.system).states]
        tolerance = Tolerance(*tolerances(method.rtol, method.atol, n + m, int(dim(lead.system)), names))
        watched = [watch(one.event(), lead.system, lead.t0, starts[0], m) for one in measures]
        if any(w.size != 1 for w in watched):
            raise InputError("a measure is a single number; the function of one of them gives several.")
        known = np.zeros((len(measures), 3), np.int64)
        for j, (one, w) in enumerate(zip(measures, watched)):
            known[j] = one.code, DIRECTIONS[w.event.direction], one.stops()
        along = any(one.code != FINAL for one in measures)
        at = np.empty(0) if task.keep.path is None else task.keep.path.times()
        spans = np.array([[p.t0, p.t1] for p in problems])
        limits = np.array([method.max_step, float(task.max_steps)])
        given = starts, spans, tolerance, limits, known, at, along
        if self.gpu:
            values, _, ended, status, paths = run_on_gpu(engines, chained([w.switch for w in watched]), *given)
            values, times, steps = values[:, : len(measures)], ended[:, 0], ended[:, 1].astype(np.int64)
        else:
            values, times, steps, status, paths = run_here(
                engines, [w.switch for w in watched], problems, isinstance(method, Auto), *given
            )
        good = np.flatnonzero(status != ASK)
        here = np.array(places)[good]
        out.values[here], out.time[here], out.steps[here] = values[good], times[good], steps[good]
        out.status[here] = np.where(status[good] == DONE, WORDS.index(FINISHED), WORDS.index(EVENT))
        if out.paths is not None:
            out.paths[here] = paths[good][:, : at.size, :n]
        return [places[j] for j in np.flatnonzero(status == ASK)]


def run_here(
    engines: list[Any], switches: list[Any], problems: list[Problem], watch_stiffness: bool, starts: np.ndarray, spans: np.ndarray,
    tolerance: Tolerance, limits: np.ndarray, known: np.ndarray, at: np.ndarray, along: bool,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Values, times, steps, status and paths of members whose systems are of one type, by this thread."""
    count, n, measures = len(engines), starts.shape[1], len(switches)
    template = Engine(engines[0]).for_explicit()
    systems = PackedMany(engines)
    data, codes, kept = np.zeros((count, measures), np.int64), np.zeros(measures, np.int64), []
    for j, switch in enumerate(switches):
        packed = PackedMany([Watched(switch, p.system) for p in problems])
        kept.append(packed)  # its addresses are used below
        data[:, j] = packed.addresses
        codes[j] = packed.entry(switch_entry, types.float64, REALS, types.int64, REALS, types.int64)
    desk = make_desk(n, measures, along, at, tolerance, watch_stiffness)
    values, ends, times = np.full((count, measures), np.nan), np.zeros((count, n)), np.zeros(count)
    steps, status, paths = np.zeros(count, np.int64), np.full(count, ASK, np.int64), np.full((count, at.size, n), np.nan)
    run_members(
        template, systems.addresses, desk, starts, spans, tolerance, limits, known, data, codes, OnTheWay() if along else AtEnd(),
        (values, ends, times, steps, status, paths),
    )  # fmt: skip
    return values, times, steps, status, paths
