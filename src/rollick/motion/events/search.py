"""Looking for events in the blocks of a run, in the order in which they happen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import interpreted
from ...mechanics.contact import contact_count
from ..ode import control
from ..ode.dense import interpolate
from ..ode.dop853 import ROWS as STAGES
from ..ode.erased import NO_SYSTEM
from ..ode.later import Later, is_put_off
from ..result import outcome as o
from ..result.outcome import Outcome
from .at_ends import arrives, is_zero
from .erased import Switch
from .event import DIRECTIONS, INNER, KINDS, Occurrence, Watch
from .functions import StateLevel
from .jumps import crossed_by_jump
from .probe import ALL, BAD, COMPONENT, probe, resolution, value_at
from .roots import zeros_in_step
from .scan import CAREFUL, NO_ROOM, begin, enter, scan
from .shape import TABLES
from .skim import sort_of
from .standing import COLUMNS, FOUND, FRACTION, MADE, NEAR, ROW, STEP, TOLD, UPTO

AT_INSTANT = 1e-12  # s, and relative to the time: two moments that are one


class Stop(NamedTuple):
    """Where a motion ends before its time: the moment, the state, the step of the block it lies in, and why."""

    t: float
    state: np.ndarray
    step: int
    outcome: Outcome


class Zero(NamedTuple):
    """A zero of a component of a watch; `order` is its time, negative if the motion runs backward, x its fraction of the step."""

    order: float
    watch: int
    component: int
    kind: int
    step: int
    x: float
    state: np.ndarray


def state_at(ys: np.ndarray, fs: np.ndarray, step: int, x: float) -> np.ndarray:
    """The full state at the fraction x of a step."""
    if x in (0.0, 1.0):
        return ys[step + int(x)].copy()
    state = np.empty(ys.shape[1])
    interpolate(x, ys[step], fs[step], state)
    return state


class Watchman:
    """Searches each block for each event; keeps the occurrences in order of their located times."""

    def __init__(self, run: Any):
        self.run = run
        self.forward = 1.0 if run.t1 >= run.t0 else -1.0
        rtol, atol = run.tolerance.relative, run.tolerance.absolute[: run.n + run.m]
        self.switches = [Switch(watch.switch, watch.system) for watch in run.watches]
        self.straight = straight = bool(getattr(run.stepper, "straight", False))
        self.probes = [
            probe(s.erased, None, watch.size, rtol, atol, straight, sort_of(watch.switch, watch.system))
            for s, watch in zip(self.switches, run.watches)
        ]
        engine = getattr(run.stepper, "engine", None)  # of DOP853, which puts off its dense output
        self.source = Later(
            NO_SYSTEM if engine is None else engine.erased,
            np.zeros((STAGES, atol.size if engine is None else run.y.size)),
        )
        self.latest = [np.zeros((watch.size, COLUMNS)) for watch in run.watches]  # see `scan`
        self.may_stand = contact_count.knows(
            type(run.system)
        )  # contacts can hold what they hold at zero, to rounding, from the start on
        self.counts = run.counts = [0] * len(run.watches)
        run.occurrences = []
        self.begins = False  # whether the search begins anew, behind a jump of the state
        self.by_jumps = run.by_jumps = []  # the occurrences at jumps

    def look_at_start(self, t: float) -> Stop | None:
        """Record the events at an impact at the very start."""
        jump = getattr(self.run.stepper, "jump", None)
        if jump is None:
            return None
        before, after = jump
        return self.jump(t, before, after, 0, None)

    def jump(self, t: float, before: np.ndarray, after: np.ndarray, step: int, stop: Stop | None) -> Stop | None:
        """Record the events at a jump of the state at the end of a block, which is its last step. stop: where an event ends the motion in the steps before; the jump is still made
        if it came at that instant.

        The search begins anew behind it.
        """
        if stop is not None and abs(t - stop.t) > AT_INSTANT * max(1.0, abs(t)):
            return stop
        run = self.run
        crossed, outcome, counts = crossed_by_jump(run.watches, self.counts, t, before, after, run.n, run.tolerance)
        run.occurrences += crossed
        self.by_jumps += crossed
        for k, more in enumerate(counts):
            self.counts[k] += more
        self.latest, self.begins = [np.zeros_like(latest) for latest in self.latest], True
        outcome = outcome if stop is None else stop.outcome
        return None if outcome is None else Stop(t, after, step, outcome)

    def look(
        self, ts: np.ndarray, ys: np.ndarray, fs: np.ndarray, steps: int, first: bool, final: bool, bad: Stop | None = None
    ) -> Stop | None:
        """Record the events of a block, until `bad` if the motion ends there anyhow; a `Stop` if one of them, or that, ends the motion."""
        first, self.begins = first or self.begins, False
        zeros: list[Zero] = []
        needed = steps  # what comes after the end of the motion is not looked at: it may be nothing but noise
        for number, watch in enumerate(self.run.watches):
            found, trouble = self._scan(number, ts, ys, fs, needed, first, final and needed == steps)
            zeros += found
            left = watch.stop_after - self.counts[number]
            if 0 < left <= len(found):
                needed = min(needed, sorted(found, key=lambda zero: zero[:3])[left - 1].step + 2)
            if trouble is not None and (bad is None or self.forward * trouble.t < self.forward * bad.t):
                bad = trouble
        zeros.sort(key=lambda zero: zero[:3])
        end: Zero | None = None
        stop: Stop | None = None
        together: set[tuple[int, int]] = set()
        for zero in zeros:
            if bad is not None and zero.order > self.forward * bad.t:
                break
            if end is None or stop is None:
                t = float(self.forward * zero.order)
                if self._note(zero, t):
                    occurrence = self.run.occurrences[-1]
                    message = f"stopped by the event {occurrence.name} ({occurrence.kind}) at t = {t:.10g}."
                    state = state_at(ys, fs, zero.step, zero.x)
                    state[: zero.state.size] = zero.state
                    end, stop = zero, Stop(t, state, zero.step, Outcome(o.EVENT, message))
            elif self.straight:
                if zero.step == end.step:
                    self._note(zero, float(self.forward * zero.order))
                    together.add((zero.watch, zero.component))
            elif (zero.watch, zero.component) not in together and self._together(zero, end, ts, ys, fs):
                self._note(zero, stop.t)
                together.add((zero.watch, zero.component))
        if end is not None and stop is not None:
            if self.straight:
                end, stop = self._whole_step(end, stop, ts, ys)
            self._come_to_rest(zeros, end, stop, together, ts, ys, fs)
        return stop or bad

    def _whole_step(self, end: Zero, stop: Stop, ts: np.ndarray, ys: np.ndarray) -> tuple[Zero, Stop]:
        """The end of a motion by steps that may hold an impact: that of the whole step. Between its ends there is no state to go on from."""
        after = end.step + 1
        t, state = float(ts[after]), ys[after].copy()
        ended = end._replace(order=self.forward * t, x=1.0, state=state[: end.state.size].copy())
        return ended, Stop(t, state, after, stop.outcome)

    def _come_to_rest(self, zeros: list[Zero], end: Zero, stop: Stop, told: set[tuple[int, int]], ts, ys, fs) -> None:
        """Keep the events of functions that come to zero, to tolerance, just where another event ends the motion.

        A motion that goes on from there takes them as having fired already: slip that ends where a contact begins to stick.
        """
        for number, watch in enumerate(self.run.watches):
            for i in set(range(watch.size)) - {k for w, k in told | {(end.watch, end.component)} if w == number}:
                kind, since = self._coming(number, i, end, ts, ys, fs)
                known = any(z[1:3] == (number, i) and z.step >= since and z.order <= end.order for z in zeros)
                if kind and not known and kind * DIRECTIONS[watch.event.direction] >= 0:
                    self._note(end._replace(watch=number, component=i, kind=kind, state=end.state.copy()), stop.t)

    def _coming(self, number: int, component: int, end: Zero, ts, ys, fs) -> tuple[int, int]:
        """How a function comes to the zero at which it is, to tolerance, at the end (0: it does not, or was there all the time), and since which step."""
        p = self.probes[number]
        p.note[COMPONENT] = component
        interpreted(enter)(p, ts, ys, fs, end.step)
        here, near = resolution(p, end.x)
        if not abs(here) <= near:
            return 0, 0
        for step in range(end.step, -1, -1):
            interpreted(enter)(p, ts, ys, fs, step)
            before = value_at(p, 0.0)
            if abs(before) > 10.0 * near:
                return (1 if before < 0.0 else -1), step
        return 0, 0

    def _note(self, zero: Zero, t: float) -> bool:
        """Keep an event; whether it ends the motion."""
        run, watch = self.run, self.run.watches[zero.watch]
        self.counts[zero.watch] += 1
        ends = 0 < watch.stop_after <= self.counts[zero.watch]
        if zero.kind and isinstance(watch.switch, StateLevel):
            zero.state[watch.switch.place] = watch.switch.level
        run.occurrences.append(Occurrence(t, watch.names[zero.component], KINDS[zero.kind], zero.state[: run.n].copy(), ends))
        return ends

    def _together(self, zero: Zero, end: Zero, ts: np.ndarray, ys: np.ndarray, fs: np.ndarray) -> bool:
        """Whether a later zero of another function is, to tolerance, at the end already: going on from there it would count as having fired.

        That is so if its function stays as good as zero from the end to that zero; a later zero that it has to come back to is none of
        this motion.
        """
        if zero.step > end.step + 1 or (zero.watch, zero.component) == (end.watch, end.component):
            return False
        p = self.probes[zero.watch]
        p.note[COMPONENT] = zero.component
        near = 0.0
        for step in range(end.step, zero.step + 1):  # all the way from the end to that zero
            interpreted(enter)(p, ts, ys, fs, step)
            a = end.x if step == end.step else 0.0
            b = zero.x if step == zero.step else 1.0
            if step == end.step:
                here, near = resolution(p, a)
                if not abs(here) <= near:
                    return False
            if not all(abs(resolution(p, a + k / 8 * (b - a))[0]) <= near for k in range(1, 8)):
                return False
        return True

    def _scan(self, number: int, ts, ys, fs, steps, first, final) -> tuple[list[Zero], Stop | None]:
        watch, p = self.run.watches[number], self.probes[number]
        direction = DIRECTIONS[watch.event.direction]
        if first:
            interpreted(enter)(p, ts, ys, fs, 0)
            for i in range(watch.size):
                self.latest[number][i, [FRACTION, ROW]] = is_zero(p, i, 0.0), TOLD
                if self.may_stand and is_zero(p, i, 0.0):
                    self.latest[number][i, NEAR] = resolution(p, 0.0)[1]
        room, status, latest = 64 + 4 * steps * watch.size, NO_ROOM, self.latest[number].copy()
        while status == NO_ROOM:
            out, places = np.empty((room, 5)), np.empty((room, p.box.shape[1]))
            self.latest[number][:] = latest
            place = begin(p, self.latest[number])
            status = CAREFUL
            while status == CAREFUL:
                status = scan(
                    self.source,
                    p,
                    ts,
                    ys,
                    fs,
                    steps,
                    self.latest[number],
                    direction,
                    watch.event.touch,
                    out,
                    places,
                    TABLES,
                    place,
                )
                if status == CAREFUL:
                    zeros_in_step(p, TABLES)
            room *= 8
            if place[MADE]:
                self.run.control[control.EVALUATIONS] += 3.0 * place[MADE]
        found = []
        for (t, component, kind, i, x), state in zip(out[: int(place[FOUND])].tolist(), places):
            found.append(Zero(self.forward * t, number, int(component), int(kind), int(i), x, state))
        if status != ALL:
            step, reached = int(place[STEP]), float(place[UPTO])
            t = float(ts[step] + reached * (ts[step + 1] - ts[step]))
            return found, Stop(t, state_at(ys, fs, step, reached), step, Outcome(o.BAD_EVENT, self._complaint(watch, status, t)))
        if final and not interpreted(is_put_off)(fs, steps - 1):  # what is plainly no zero in the last step does not arrive there
            longest = float(np.abs(np.diff(ts[: steps + 1])).max())
            for i in np.flatnonzero(
                self.latest[number][:, NEAR] == 0.0
            ).tolist():  # the others have been at zero since it was told
                kind = arrives(p, i, self.latest[number][i, FRACTION], longest)
                if kind * direction > 0 or (kind and not direction):
                    found.append(Zero(self.forward * ts[steps], number, i, kind, steps - 1, 1.0, ys[steps, : p.box.shape[1]]))
        return found, None

    @staticmethod
    def _complaint(watch: Watch, status: float, t: float) -> str:
        what, advice = "is not a finite number", "Check the function at that state, or leave the event out."
        if status != BAD:
            what = "has thousands of zeros within one step"
            advice = "If it oscillates fast, shorten the steps with max_step; if it is noise or nearly zero all the time, leave the event out."
        told = f"the event {watch.event.label}"
        if watch.event.label.startswith(INNER):  # no event of the user's
            told = "the quantity that tells where a mode of the motion ends"
            advice = "Another rtol, or a shorter max_step, may get further; contacts are also stepped by method='moreau'."
        return f"{told} {what} just after t = {t:.10g}; the motion is kept until there. {advice}"
