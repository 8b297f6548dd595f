"""How neighbours go along a motion through modes: variational equations inside the modes, saltation where they change (`motion.hybrid.saltation`).

Inside a mode Phi' = J Phi, J by complex step, on the nodes of Radau's collocation method along the motion's own steps: linear equations, solved exactly, so that stiff
directions of small slips do no harm. Where a mode ends on a surface g(t, y) = 0 the state goes on and the rate jumps: nothing happens to neighbours where forces leave a cone or a
normal force vanishes, since the rate is continuous there. Where a slip of two components ends there is no such surface: all motions nearby arrive at u = 0, along the limit
direction w*, sooner or later by dt = -(w* . du)/(w* . u'), and what they differ by across w* has gone by then: du = 0 after it.

Where a motion begins with contacts that roll, the slip of motions nearby has gone at once in the same way: at its start Phi = I, right after it the derivative of taking slip away.
So that this holds, slip is followed down to what counts as none (`memory.CAREFUL`), not only until its end can be foretold.

A parameter p may be one more state, which does not move: columns are (dy, dp) then, and J has the column f_p beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ..hybrid.saltation import across, time_shift
from ..hybrid.transition import Transition, jacobians
from ..ode.collocation import STAGES
from ..ode.dense import copy, interpolate
from .algebra.code import contact_code
from .algebra.forces import ROLL
from .by_address import field
from .changing import FORK, LIFTS, STOPS
from .ends import PLACES
from .memory import LOG_BEGINS, LOG_CONTACT, LOG_GIVEN, LOG_NEW, LOG_STATE, LOG_TIME, LOG_WHY
from .records import put_state
from .slip.slips import take_slip_away
from .steady import forget
from .systems.mode import FilippovMode
from .watched import watched_at
from .words import passed_forks

DIFFERENCE = 1e-6  # of a state, for differences of smooth functions
JUMP = 1e-7  # relative: a rate that changes by less is continuous


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


class Owed(Protocol):
    """What is owed to a parameter, in units of the distance that it moves by: f_p in a mode, and the form of the system at +DIFFERENCE and -DIFFERENCE."""

    above: Any
    below: Any

    def __call__(self, modes: tuple[int, int], t: float, y: np.ndarray) -> np.ndarray:
        """f_p."""
        ...


class ModesTransition(Transition):
    """Columns along the recorded steps of a motion through modes; `stepper` made them, with dense output. With `owed` their last entry is the parameter."""

    def __init__(self, stepper: Any, times: np.ndarray, states: np.ndarray, dense: np.ndarray, owed: Owed | None = None):
        self.stepper, self.form, self.memory, self.owed = stepper, stepper.form, stepper.memory, owed
        n = states.shape[1]
        super().__init__(times, states, dense, n if owed is None else n + 1)
        rows = stepper.changes
        self.changes = [row for row in rows[~passed_forks(rows)] if row[LOG_TIME] <= times[-1]]
        refuse_chosen_forks(self.changes, stepper.system)
        self.room = np.zeros(n), np.zeros(n, complex), np.zeros(n, complex), np.zeros((STAGES, n, n))
        self.modes, self.ends = self._steps()

    def _steps(self) -> tuple[list[tuple[int, int]], list[np.ndarray | None]]:
        """The modes of each step, and the change (a row of the log) that ends it, if one does."""
        modes, ends, waiting = [], [], list(self.changes)
        now = self.after(waiting[0])
        for t, end in zip(self.times, self.times[1:]):
            while waiting and waiting[0][LOG_TIME] <= t:  # a change without a step before it
                now = self.after(waiting.pop(0))
            modes.append(now)
            ends.append(waiting.pop(0) if waiting and waiting[0][LOG_TIME] == end else None)
            if ends[-1] is not None:
                now = self.after(ends[-1])
        return modes, ends

    # -- along the motion --------------------------------------------------------------------------------------------------------

    def factors(self) -> Iterator[tuple[float, np.ndarray, Any]]:
        """Step by step: its end, its transition matrix, and why a mode ended there (None: it did not)."""
        yield float(self.times[0]), self.begun(), "start" if ROLL in self.after(self.changes[0]) else None
        for i, end in enumerate(self.times[1:]):
            row = self.ends[i]
            yield float(end), self.over(i, np.eye(self.m))[0], None if row is None else int(row[LOG_WHY])

    def begun(self) -> np.ndarray:
        """What the start does to neighbours: the slip of contacts that roll goes at once."""
        modes = self.after(self.changes[0])
        return self.without_slip(modes, self.times[0], self.states[0]) if ROLL in modes else np.eye(self.m)

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns v from the start of a step to its end, behind the change of mode that may end it; how the instant of that moves (None: there is none)."""
        row = self.ends[i]
        if row is not None and row[LOG_WHY] == STOPS and self.form.size == 2:
            return self.arrival(i, row, v)
        v = self.inside(i, self.times[i + 1]) @ v
        return (v, None) if row is None else self.at_surface(i, row, v)

    @staticmethod
    def after(row: np.ndarray) -> tuple[int, int]:
        """The modes after a change."""
        return int(row[LOG_NEW]), int(row[LOG_NEW + 1])

    def since(self, t: float) -> np.ndarray:
        """The last change before an instant."""
        return next((row for row in reversed(self.changes) if row[LOG_TIME] < t), self.changes[0])

    # -- inside modes ------------------------------------------------------------------------------------------------------------

    def slopes_at(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """J at some fractions of a step; with f_p beside it, and zeros below, if there is a parameter."""
        t, long, modes = float(self.times[i]), float(self.times[i + 1] - self.times[i]), self.modes[i]
        state, z, work, J = self.room
        mode = FilippovMode(self.stepper.system, modes, contact_code())
        jacobians(mode, t, long, self.states[i], self.dense[i], nodes, state, z, work, J)
        if self.owed is None:
            return J
        wide = np.pad(J, ((0, 0), (0, 1), (0, 1)))
        for node, one in zip(nodes, wide):
            interpolate(float(node), self.states[i], self.dense[i], state)
            one[: self.n, self.n] = self.owed(modes, t + float(node) * long, state)
        return wide

    # -- rates -------------------------------------------------------------------------------------------------------------------

    def rate(self, modes: tuple[int, int], given: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in a mode; a parameter stays."""
        out = np.zeros(self.m)
        rate_in(self.form, modes, given, self.memory, float(t), np.ascontiguousarray(y), out[: self.n])
        return out

    def new_rate(self, row: np.ndarray) -> np.ndarray:
        """dy/dt after a change: along the directions in which slip begins, if it does."""
        given = np.concatenate([row[LOG_GIVEN : LOG_GIVEN + 4], row[LOG_BEGINS : LOG_BEGINS + 2]])
        return self.rate(self.after(row), given, row[LOG_TIME], row[LOG_STATE:])

    def rate_at(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        row = self.since(t)
        given = np.concatenate([row[LOG_GIVEN : LOG_GIVEN + 4], np.zeros(2)])
        return self.rate(self.after(row), given, t, y)[: self.n]

    # -- derivatives by differences ----------------------------------------------------------------------------------------------

    def along(self, f: Callable, t: float, y: np.ndarray, dt: float, dy: np.ndarray) -> Any:
        """f_t dt + f_y dy of some f(t, y, form)."""
        reach = max(abs(dt) / max(1.0, abs(t)), float(np.max(np.abs(dy) / np.maximum(1.0, np.abs(y)))))
        h = DIFFERENCE / reach
        return (f(t + h * dt, y + h * dy, self.form) - f(t - h * dt, y - h * dy, self.form)) / (2.0 * h)

    def slope(self, f: Callable, t: float, y: np.ndarray) -> np.ndarray:
        """The derivatives of some f(t, y, form) by the entries of columns, one behind the other."""
        found = [self.along(f, t, y, 0.0, way) for way in np.eye(self.n)]
        if self.owed is not None:
            found.append((f(t, y, self.owed.above) - f(t, y, self.owed.below)) / (2.0 * DIFFERENCE))
        return np.stack(found, axis=-1)

    def slip(self, modes: tuple[int, int], k: int) -> Callable:
        """The slip of a contact, a function of (t, y, form)."""
        out = np.zeros(self.n)

        def slip(t: float, y: np.ndarray, form: Any) -> np.ndarray:
            rate_in(form, modes, np.zeros(6), self.memory, t, y, out)
            return self.memory.here.slip[2 * k : 2 * k + 2].copy()

        return slip

    # -- changes of mode -----------------------------------------------------------------------------------------------------------

    def at_surface(self, i: int, row: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns behind a change on a surface, and how its instant moves."""
        t, y, modes = float(self.times[i + 1]), self.states[i + 1], self.modes[i]
        which = int(row[LOG_WHY]) + (int(row[LOG_CONTACT]) if row[LOG_WHY] in (STOPS, LIFTS) else 0)
        given = np.concatenate([row[LOG_GIVEN + 4 : LOG_GIVEN + 8], np.zeros(2)])
        before, after = self.rate(modes, given, t, y), self.new_rate(row)
        surface = lambda t, y, form: watched_value(form, modes, given, self.memory, t, y, which)
        dt = time_shift(self.slope(surface, t, y) @ v, self.along(surface, t, y, 1.0, before[: self.n]))
        if np.abs(after - before).max() <= JUMP * max(np.abs(before).max(), np.abs(after).max()):
            return v, dt
        return across(v, dt, before, after), dt

    def arrival(self, i: int, row: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns from the start of a step to behind the end of a slip of two components in it, and how its instant moves; what is left of slip has gone."""
        k, t, y, modes = int(row[LOG_CONTACT]), float(self.times[i]), self.states[i], self.modes[i]
        slip = self.slip(modes, k)
        slope, u, before = self.slope(slip, t, y), slip(t, y, self.form), self.rate(modes, np.zeros(6), t, y)
        toward = u @ slope / np.hypot(*u)  # w* . du/dy
        dt = time_shift(toward @ v, float(toward @ before))
        held = (ROLL if k == 0 else modes[0], ROLL if k == 1 else modes[1])
        return self.without_slip(held, row[LOG_TIME], row[LOG_STATE:]) @ across(v, dt, before, self.new_rate(row)), dt

    def without_slip(self, held: tuple[int, int], t: float, y: np.ndarray) -> np.ndarray:
        """The derivative of taking the slip of contacts that are to roll away by impulses, which is a linear map of velocities."""

        def without(t: float, y: np.ndarray, form: Any) -> np.ndarray:
            kept = y.copy()
            slip_taken_away(form, held, t, kept, self.memory)
            return kept

        found = np.eye(self.m)
        found[: self.n] = self.slope(without, float(t), y)
        return found
