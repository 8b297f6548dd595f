"""Members whose system is the form of dry contacts (`motion.filippov.systems.form`): flowmeters, wheelsets. Their motions are computed without Python (`modes_loop`).

What is kept is measured as it is of a single motion, to the last bit. Where a motion ends at a zero, more than its end is measured one by one. On a GPU ends are kept, up to
rounding (`gpu.modes_kernel`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED
from ...kernel.erased import REALS
from ...kernel.errors import InputError
from ...kernel.system import project
from ...motion.events.erased import Watched, switch_entry
from ...motion.events.event import DIRECTIONS, watch
from ...motion.events.functions import StateLevel
from ...motion.filippov.by_address import ReadyForm
from ...motion.filippov.one_of_many import make_solver
from ...motion.filippov.stepper import ThroughModes
from ...motion.filippov.systems.form import is_form
from ...motion.filippov.words import how_it_ended
from ...motion.methods import EventDriven
from ...motion.ode import control as c
from ...motion.ode.block import empty_block
from ...motion.result.failure import out_of_steps
from ...motion.result.outcome import EVENT, FINISHED
from ..keep import FINAL
from ..task import WORDS, Chunk, Task
from .at_end import all_at_end
from .modes_loop import ASK, BLOCK, STOPPED, UNTIL_LOOKED, make_notes, run_measured, run_to_ends
from .prepared import Group, Preparation, packed
from .watching import CODE, DIRECTION, KIND, OF_FUNCTION, OF_STATE, PLACE, STOP

NOT_BEGUN = -3


def modes_suffice(task: Task, method: Any) -> bool:
    """Whether the compiled loop measures all that is kept."""
    if type(method) is not EventDriven or not is_form(task.source.system) or task.integrals:
        return False
    measures = task.keep.measures
    if not any(m.stops() for m in measures):
        return True
    return task.keep.path is None and sum(m.code != FINAL for m in measures) == 1


def ends_suffice(task: Task) -> bool:
    """Whether nothing but ends is kept, which is what a GPU can tell."""
    return task.keep.path is None and all(m.code == FINAL for m in task.keep.measures)


class ModesChunk:
    """Members at some places of a chunk that begins with the member `first`; `group_of` follows those whose systems are of one type."""

    def __init__(self, task: Task, method: Any, first: int, places: np.ndarray, group_of: Any):
        self.task, self.method, self.first, self.places, self.group_of = task, method, first, places, group_of

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        ready = Preparation(self.task, self.first, self.places, out, self.task.gpu, method=self.method)
        left = ready.left
        for group in ready.groups:
            good = self.suited(group)
            left += np.delete(group.places, good).tolist()
            if good.size:
                left += self.group_of(self.task, self.method, group.some(good)).run(out)
        return sorted(left)

    def suited(self, group: Group) -> np.ndarray:
        """The members of a group for which this is the method; `simulate` says why it is not for the others."""
        own = range(1) if is_form(group.lead.system) else range(len(group.places))  # a law may be another one
        same = np.array([self.is_suited(group, i) for i in own])
        forward = group.spans[:, 1] >= group.spans[:, 0]
        return np.flatnonzero(forward & same)

    def is_suited(self, group: Group, i: int) -> bool:
        """Whether `simulate` would take this method for a member."""
        try:
            return bool(self.task.method_for(group.system(i)) == self.method)
        except Exception:
            return False


class GroupInModes:
    """Members whose systems are of one type."""

    def __init__(self, task: Task, method: EventDriven, group: Group):
        self.task, self.method, self.group = task, method, group
        lead, keep = group.lead, task.keep
        self.count, self.n, self.measures = len(group.places), lead.n, keep.measures
        self.ready = ReadyForm(lead.system)
        self.systems: Any = None if DISABLED else packed(group, lambda system: system)
        self.starts, self.is_begun = self.begun()
        self.at = np.empty(0) if keep.path is None else keep.path.times()
        self.along = self.at.size > 0 or any(m.code != FINAL for m in self.measures)
        self.tolerance = method.tolerance(lead, self.n)
        self.out = (
            np.zeros((self.count, self.n)),
            np.zeros(self.count),
            np.zeros(self.count, np.int64),
            np.full(self.count, NOT_BEGUN),
        )
        self.values = np.full((self.count, len(self.measures)), np.nan)
        self.paths = np.full((self.count, self.at.size, self.n), np.nan)

    def make_ready(self) -> None:
        """The solver, and what is measured on the way."""
        none = np.empty(0), np.empty((0, self.n))
        block = empty_block(BLOCK if self.along else UNTIL_LOOKED, self.n, *none, self.along, self.along, False)
        self.solver = make_solver(self.ready.form, self.method, block, self.tolerance, self.task.max_steps)
        if self.along:
            self.notes, self.data, self.codes = self.measured(self.tolerance)

    def watched(self) -> list[Any]:
        """The quantities that are measured on the way, made ready to be looked at; None for what is asked for at the end."""
        lead, start = self.group.lead, self.group.starts[0]
        found = [None if m.code == FINAL else watch(m.event(), lead.system, lead.t0, start, 0) for m in self.measures]
        if any(w is not None and w.size != 1 for w in found):
            raise InputError("a measure is a single number; the function of one of them gives several.")
        return found

    def begun(self) -> tuple[np.ndarray, np.ndarray]:
        """The states at the start, and whether there is one (`simulate` says why there is none)."""
        group = self.group
        starts, is_begun = np.ascontiguousarray(group.starts).copy(), np.ones(self.count, bool)
        for i in range(self.count if project.knows(type(group.lead.system)) else 0):
            try:
                project(group.system(i), starts[i])
            except Exception:
                is_begun[i] = False
        return starts, is_begun

    def form(self, i: int) -> Any:
        """The form of a member."""
        if self.systems is None:
            return ReadyForm(self.group.system(i)).form
        return self.ready.form._replace(data=int(self.systems.addresses[i]))

    def measured(self, tolerance: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """What is measured on the way: memory, and the addresses of quantities of all members."""
        measures = self.measures
        known, levels = np.zeros((len(measures), 5), np.int64), np.zeros(len(measures))
        data, codes = np.zeros((self.count, len(measures)), np.int64), np.zeros(len(measures), np.int64)
        self.looked_at: list[Any] = []  # their addresses are used
        for j, (one, w) in enumerate(zip(measures, self.watched())):
            known[j, CODE] = one.code
            if w is None:
                continue
            known[j, [DIRECTION, STOP, KIND]] = DIRECTIONS[w.event.direction], one.stops(), OF_FUNCTION
            if isinstance(w.switch, StateLevel):
                known[j, [KIND, PLACE]], levels[j] = (OF_STATE, w.switch.place), w.switch.level
            memory = packed(self.group, lambda system, switch=w.switch: Watched(switch, system))
            data[:, j] = memory.addresses
            codes[j] = memory.entry(switch_entry, types.float64, REALS, types.int64, REALS, types.int64)
            self.looked_at.append(memory)
        return make_notes(self.n, known, levels, self.at, tolerance, self.solver.block), data, codes

    def follow(self, first: int) -> int:
        """Members from a place on, until one does not reach its end; the place after that."""
        solver, group = self.solver, self.group
        members = self.systems.addresses, self.starts, group.spans, first, self.out
        if not self.along:
            return int(run_to_ends(solver, *members))
        return int(run_measured(solver, self.notes, self.data, self.codes, group.starts, *members, self.values, self.paths))

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        self.make_ready()
        whys, left = self.out[3], ~self.is_begun
        after = 0
        while after < self.count:
            try:
                after = self.follow(after)
            except Exception:  # a system's own functions may raise anything; told by `simulate_member`
                if whys[after] == NOT_BEGUN:
                    raise
                after = 1 + int(np.flatnonzero(whys != NOT_BEGUN)[-1])
                left[after - 1] = True
            i = after - 1
            if whys[i] == ASK:
                left[i] = True
            elif not left[i] and whys[i] not in (c.REACHED, STOPPED):
                self.tell(i, int(self.group.places[i]), out)
        self.keep(np.flatnonzero(~left), left, out)
        return self.group.places[left].tolist()

    def tell(self, i: int, place: int, out: Chunk) -> None:
        """Write why the member that was the last to be computed did not reach its end."""
        solver, s = self.solver, self.solver.s
        if self.out[3][i] == c.MOST_STEPS:
            outcome = out_of_steps(float(s[c.TIME]), float(s[c.STEP]), self.task.max_steps, ThroughModes.advice)
        else:
            system, most = self.group.system(i), float(self.method.max_changes)
            outcome = how_it_ended(
                system, self.ready.form, solver.memory, float(s[c.TIME]), float(s[c.STEP]), solver.y, most
            ).outcome
        out.status[place], out.reasons[place] = WORDS.index(outcome.status), outcome.message

    def keep(self, good: np.ndarray, left: np.ndarray, out: Chunk) -> None:
        """Write what is kept of members; one of which something cannot be had is left."""
        ends, times, steps, whys = self.out
        here = self.group.places[good]
        at_end = all_at_end(self.group, self.measures, ends, times, steps, good, left)
        values = np.where(np.isnan(at_end), self.values[good], at_end)
        out.values[here], out.time[here], out.steps[here] = values, times[good], steps[good]
        out.status[here[whys[good] == c.REACHED]] = WORDS.index(FINISHED)
        out.status[here[whys[good] == STOPPED]] = WORDS.index(EVENT)
        if out.paths is not None:
            out.paths[here] = self.paths[good]
