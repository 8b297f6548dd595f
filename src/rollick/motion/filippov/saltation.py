"""The state-transition matrix of a motion through modes: variational equations inside the modes, saltation where they change.

Inside a mode Phi' = J Phi, J by complex step, on the nodes of Radau's collocation method along the motion's own steps: linear equations, solved exactly, so that stiff
directions of small slips do no harm. Where a mode ends on a surface g(t, y) = 0 and the rate jumps from F- to F+,

    S = I + (F+ - F-) grad g / (g_t + grad g . F-),

which is the identity where forces leave a cone or a normal force vanishes, since the rate is continuous there. Where a slip of two components ends there is no such surface:
all motions nearby arrive at u = 0, along the limit direction w*, sooner or later, and what they differ by across w* has gone by then:

    S = I + (F- - F+) (w* . du/dy)/|R*|,      R* = w* . u' < 0,      and du = 0 after it.

Where a motion begins with contacts that roll, the slip of motions nearby has gone at once in the same way: at its start Phi = I, right after it the derivative of taking slip away.
So that this holds, slip is followed down to what counts as none (`memory.CAREFUL`), not only until its end can be foretold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.derivative import rate_jacobian
from ...kernel.names import InputError, called
from ..ode.dense import copy, interpolate
from .by_address import field
from .changing import FORK, LIFTS, STOPS
from .code import contact_code
from .collocation import RADAU, STAGES
from .ends import PLACES
from .forces import ROLL
from .held import forget
from .memory import LOG_BEGINS, LOG_CONTACT, LOG_GIVEN, LOG_NEW, LOG_STATE, LOG_TIME, LOG_WHY
from .mode import FilippovMode
from .records import put_state
from .slips import take_slip_away
from .telling import passed_forks
from .watched import watched_at

DIFFERENCE = 1e-6  # of a state, for differences of smooth functions
AGREE, DEEPEST = 1e-8, 3  # relative: how well halves of a step agree with the whole; how often it is halved at most
JUMP = 1e-7  # relative: a rate that changes by less is continuous


@compiled
def jacobians(mode, t, h, y, f, nodes, state, z, work, out):
    """J at the nodes of a step with dense output f."""
    for j in range(nodes.size):
        interpolate(nodes[j], y, f, state)
        rate_jacobian(mode, t + nodes[j] * h, state, z, work, out[j])


@compiled
def rate_in(form, modes, given, m, t, y, out):
    """dy/dt in a mode."""
    forget(m.here)
    put_state(m, y)
    field(form, modes, given, t, m.state, m.here, m.y)
    copy(m.y, out)


@compiled
def slip_taken_away(form, modes, t, y, m):
    """`take_slip_away`, for Python."""
    forget(m.here)
    put_state(m, y)
    take_slip_away(form, modes, t, m.state, m)
    copy(m.state, y)


@compiled
def watched_value(form, modes, given, m, t, y, which):
    """A quantity that ends a mode."""
    forget(m.here)
    put_state(m, y)
    watched_at(form, modes, given, t, m.state, m, m.values[PLACES])
    return m.values[PLACES, which]


def refuse_chosen_forks(changes: list[np.ndarray], system: Any) -> None:
    """An error if slip was chosen where rolling could go on: how such an instant moves with the state is not known."""
    for row in changes:
        if row[LOG_WHY] == FORK:
            raise InputError(
                f"{called(system)} leaves rolling at t = {row[LOG_TIME]:.10g} by choice, where rolling could go on: derivatives through such a fork are not known. "
                "Choose ambiguous='roll', or an `until` before it."
            )


class Transition:
    """Phi along the recorded steps of a motion through modes; `stepper` made them, with dense output."""

    def __init__(self, stepper: Any, times: np.ndarray, states: np.ndarray, dense: np.ndarray):
        self.stepper, self.form, self.memory = stepper, stepper.form, stepper.memory
        self.times, self.states, self.dense = times, states, dense
        self.n = n = states.shape[1]
        rows = stepper.changes
        self.changes = [row for row in rows[~passed_forks(rows)] if row[LOG_TIME] <= times[-1]]
        refuse_chosen_forks(self.changes, stepper.system)
        self.room = np.zeros(n), np.zeros(n, complex), np.zeros(n, complex), np.zeros((STAGES, n, n))

    def at(self, wanted: np.ndarray) -> np.ndarray:
        """Phi at some times, in their order."""
        found, phi, place = [], np.eye(self.n), 0
        modes, steps = self.first_modes, len(self.times) - 1
        waiting = list(self.changes)
        while place < len(wanted) and wanted[place] <= self.times[0]:
            found.append(phi)
            place += 1
        if ROLL in modes:
            phi = self.without_slip(modes, float(self.times[0]), self.states[0])
        for i in range(steps):
            t, end = self.times[i], self.times[i + 1]
            while waiting and waiting[0][LOG_TIME] <= t:  # a change without a step before it
                modes = self.after(waiting.pop(0))
            while place < len(wanted) and wanted[place] < end:
                found.append(self.inside(modes, i, (wanted[place] - t) / (end - t)) @ phi if wanted[place] > t else phi)
                place += 1
            ends = waiting[0] if waiting and waiting[0][LOG_TIME] == end else None
            phi = self.over_step(modes, i, ends) @ phi
            if ends is not None:
                modes = self.after(waiting.pop(0))
        return np.array(found + [phi] * (len(wanted) - place))

    def over_step(self, modes: tuple[int, int], i: int, ends: np.ndarray | None) -> np.ndarray:
        """The transition matrix of a step, with the change of mode (`ends`, a row of the log) that it may end with."""
        if ends is None:
            return self.inside(modes, i, 1.0)
        if ends[LOG_WHY] == STOPS and self.form.size == 2:
            return self.arrival(modes, i, ends)
        return self.at_surface(modes, self.times[i + 1], self.states[i + 1], ends) @ self.inside(modes, i, 1.0)

    def factors(self, until: float = np.inf) -> Iterator[tuple[float, np.ndarray, Any]]:
        """Step by step, as far as an instant: its end, its transition matrix, and why a mode ended there (None: it did not)."""
        modes, waiting = self.first_modes, list(self.changes)
        if ROLL in modes:
            yield float(self.times[0]), self.without_slip(modes, float(self.times[0]), self.states[0]), "start"
        for i in range(len(self.times) - 1):
            t, end = self.times[i], self.times[i + 1]
            if t >= until:
                return
            while waiting and waiting[0][LOG_TIME] <= t:  # a change without a step before it
                modes = self.after(waiting.pop(0))
            if end > until:
                yield float(until), self.inside(modes, i, (until - t) / (end - t)), None
                return
            ends = waiting[0] if waiting and waiting[0][LOG_TIME] == end else None
            yield float(end), self.over_step(modes, i, ends), None if ends is None else int(ends[LOG_WHY])
            if ends is not None:
                modes = self.after(waiting.pop(0))

    @property
    def first_modes(self) -> tuple[int, int]:
        """The modes at the start."""
        row = self.changes[0]
        return self.after(row)

    @property
    def first_rate(self) -> np.ndarray:
        """dy/dt right after the start."""
        return self.new_rate(self.changes[0])

    @staticmethod
    def after(row: np.ndarray) -> tuple[int, int]:
        """The modes after a change."""
        return int(row[LOG_NEW]), int(row[LOG_NEW + 1])

    def inside(self, modes: tuple[int, int], i: int, upto: float) -> np.ndarray:
        """The transition matrix of a step until a fraction of it."""
        return self.between(modes, i, 0.0, upto, self.collocated(modes, i, 0.0, upto), 0)

    def between(self, modes: tuple[int, int], i: int, a: float, b: float, whole: np.ndarray, depth: int) -> np.ndarray:
        """The same from one fraction to another, in halves of halves until they agree with the whole: slip that ends makes it steep."""
        middle = 0.5 * (a + b)
        first, second = self.collocated(modes, i, a, middle), self.collocated(modes, i, middle, b)
        halves = second @ first
        if depth == DEEPEST or np.abs(halves - whole).max() <= AGREE * max(1.0, float(np.abs(halves).max())):
            return halves
        return self.between(modes, i, middle, b, second, depth + 1) @ self.between(modes, i, a, middle, first, depth + 1)

    def collocated(self, modes: tuple[int, int], i: int, a: float, b: float) -> np.ndarray:
        """The same by one step of collocation: K_j = J_j (I + h sum_q a_jq K_q) at the nodes."""
        n, s = self.n, STAGES
        t, long = float(self.times[i]), float(self.times[i + 1] - self.times[i])
        h = (b - a) * long
        mode = FilippovMode(self.stepper.system, modes, contact_code())
        state, z, work, J = self.room
        jacobians(mode, t, long, self.states[i], self.dense[i], a + RADAU.nodes * (b - a), state, z, work, J)
        big = np.eye(s * n)
        for j in range(s):
            for q in range(s):
                big[j * n : (j + 1) * n, q * n : (q + 1) * n] -= h * RADAU.weights[j, q] * J[j]
        K = np.linalg.solve(big, J.reshape(s * n, n)).reshape(s, n, n)
        return np.eye(n) + h * np.einsum("q,qij->ij", RADAU.weights[-1], K)

    def rate(self, modes: tuple[int, int], given: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in a mode."""
        out = np.zeros(self.n)
        rate_in(self.form, modes, given, self.memory, float(t), np.ascontiguousarray(y), out)
        return out

    def new_rate(self, row: np.ndarray) -> np.ndarray:
        """dy/dt after a change: along the directions in which slip begins, if it does."""
        given = np.concatenate([row[LOG_GIVEN : LOG_GIVEN + 4], row[LOG_BEGINS : LOG_BEGINS + 2]])
        return self.rate(self.after(row), given, float(row[LOG_TIME]), row[LOG_STATE:])

    def slip_gradient(self, modes: tuple[int, int], k: int, t: float, y: np.ndarray) -> np.ndarray:
        """du_k/dy, by differences."""
        found = np.empty((2, self.n))
        for j in range(self.n):
            step = DIFFERENCE * max(1.0, abs(y[j]))
            sides = []
            for sign in (1.0, -1.0):
                moved = y.copy()
                moved[j] += sign * step
                self.rate(modes, np.zeros(6), t, moved)
                sides.append(self.memory.here.slip[2 * k : 2 * k + 2].copy())
            found[:, j] = (sides[0] - sides[1]) / (2.0 * step)
        return found

    def arrival(self, modes: tuple[int, int], i: int, row: np.ndarray) -> np.ndarray:
        """The saltation where a slip of two components ends, from the step's start to after the change; what is left of slip has gone."""
        k, t, y = int(row[LOG_CONTACT]), float(self.times[i]), self.states[i]
        slope = self.slip_gradient(modes, k, t, y)
        before = self.rate(modes, np.zeros(6), t, y)
        u = self.memory.here.slip[2 * k : 2 * k + 2]
        w = u / np.hypot(*u)
        S = np.eye(self.n) + np.outer(before - self.new_rate(row), w @ slope) / -float(w @ slope @ before)
        held = (ROLL if k == 0 else modes[0], ROLL if k == 1 else modes[1])
        return self.without_slip(held, float(row[LOG_TIME]), row[LOG_STATE:]) @ S

    def without_slip(self, held: tuple[int, int], t: float, y: np.ndarray) -> np.ndarray:
        """The derivative of taking the slip of contacts that are to roll away by impulses, which is a linear map of velocities."""
        found = np.empty((self.n, self.n))
        for j in range(self.n):
            step, sides = DIFFERENCE * max(1.0, abs(y[j])), []
            for sign in (1.0, -1.0):
                moved = y.copy()
                moved[j] += sign * step
                slip_taken_away(self.form, held, t, moved, self.memory)
                sides.append(moved)
            found[:, j] = (sides[0] - sides[1]) / (2.0 * step)
        return found

    def at_surface(self, modes: tuple[int, int], t: float, y: np.ndarray, row: np.ndarray) -> np.ndarray:
        """The saltation where a mode ends on a surface."""
        which = int(row[LOG_WHY]) + (int(row[LOG_CONTACT]) if row[LOG_WHY] in (STOPS, LIFTS) else 0)
        given = np.concatenate([row[LOG_GIVEN + 4 : LOG_GIVEN + 8], np.zeros(2)])
        before, after = self.rate(modes, given, t, y), self.new_rate(row)
        jump = after - before
        if np.abs(jump).max() <= JUMP * max(np.abs(before).max(), np.abs(after).max()):
            return np.eye(self.n)
        slope = np.empty(self.n)
        for j in range(self.n + 1):
            step = DIFFERENCE * max(1.0, abs(y[j] if j < self.n else t))
            sides = []
            for sign in (1.0, -1.0):
                moved = y.copy()
                if j < self.n:
                    moved[j] += sign * step
                when = t + (sign * step if j == self.n else 0.0)
                sides.append(watched_value(self.form, modes, given, self.memory, float(when), moved, which))
            value = (sides[0] - sides[1]) / (2.0 * step)
            if j < self.n:
                slope[j] = value
            else:
                speed = value + float(slope @ before)
        return np.eye(self.n) + np.outer(jump, slope) / speed
