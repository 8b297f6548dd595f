"""How neighbours go along a motion from event to event: variational equations inside modes, saltation where they change (`hybrid.saltation`).

All of it is told by the log of the motion afterwards. Where a mode ends, a row of the log says by which guard g(t, y) = 0, and what became of the state: y+ = R(t, y), the impact law
at the contacts that touched, then the projection onto what contacts hold from there on. Its derivative is by differences, with the contacts and modes of the row; where they would
not be those of neighbours (an impact at the edge between slip and stick, or one that grazes) there is none, and that is said.

Rebounds that are summed are left out: derivatives beyond a series of impacts are good to about five digits.

Where a slip ends there is no such surface: all motions nearby arrive at u = 0 along the slip w* there is, sooner or later by dt = -(w* . du)/(w* . u'). The projection takes away what
they differ by across it. Where forces leave a cone, or a normal force vanishes, the rate is continuous, and only the projection is left.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count, positions
from ..contact.by_address import STIFF_MODES
from ..contact.held import OPEN, SLIP, STICK
from ..hybrid.differences import difference, smooth_difference
from ..hybrid.saltation import across, time_shift
from ..hybrid.transition import Transition, jacobians
from ..ode.collocation import STAGES
from ..ode.dense import copy
from . import guards
from .follow import STARTS, STRUCK
from .guards import PER_CONTACT, Guards, guards_at
from .held_body import HeldBody, held_rate
from .memory import memory
from .resting import bring_to_rest, hit, without_rebounds
from .several_closed import copy_choice
from .sight import see, slips

CONTINUOUS = 1e-6  # relative: a rate that changes by less goes on
NEARLY = 1e-5  # of the velocities: how well a change that is repeated has to be what it was
GRAZES = 1e-6  # of the velocities: an approach so slow is not a crossing
STEEP = 1e-6  # of the state: steps of differences of guards, some of which are smooth over short distances only


@compiled
def hit_again(system, m, t, y, row):
    """The impact of a row of the log, from another state before it; m.still: which of the contacts that last do not slip then."""
    for k in range(contact_count(system)):
        m.touching[k], m.closed[k] = row.touching[k], row.lasting[k]
    copy(y, m.struck)
    hit(system, t, y, m.touching, m.blows)
    see(system, t, y, 0.0, m.sight)
    without_rebounds(system, m, y)
    see(system, t, y, 0.0, m.sight)
    for k in range(contact_count(system)):
        m.still[k] = 1.0 if m.closed[k] > 0.0 and not slips(m.sight, k) else 0.0


class ContactTransition(Transition):
    """Columns along the recorded steps of a motion from event to event; `stepper` made them, with dense output."""

    def __init__(self, stepper: Any, times: np.ndarray, states: np.ndarray, dense: np.ndarray):
        n = stepper.n
        super().__init__(times, np.ascontiguousarray(states[:, :n]), np.ascontiguousarray(dense[:, :, :n]), n)
        stepper.by_address.add(STIFF_MODES)  # with complex numbers
        self.stepper, self.system, self.count, self.nq = stepper, stepper.system, stepper.count, int(positions(stepper.system))
        self.owner, self.memory = stepper.policy.system, memory(stepper.system)
        rows = [row for row in stepper.words.rows if row.t <= times[-1]]
        starts = [row for row in rows if row.ending == STARTS]
        changes = [row for row in rows if row.ending != STARTS]
        self.first, self.rows, now = starts[-1], [], starts[-1]
        for begin, end in pairwise(times):  # the change in each step of no length; the row that each other step follows
            now = changes.pop(0) if begin == end else now
            self.rows.append(now)
        self.room = np.zeros(n), np.zeros(n, complex), np.zeros(n, complex), np.zeros((STAGES, n, n))
        self.values = np.zeros(self.memory.values.shape[1])

    # -- inside modes --------------------------------------------------------------------------------------------------------------

    def slopes_at(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """J at some fractions of a step."""
        t, long = float(self.times[i]), float(self.times[i + 1] - self.times[i])
        body = HeldBody(self.system, self.rows[i].choice)
        jacobians(body, t, long, self.states[i], self.dense[i], nodes, *self.room)
        return self.room[-1]

    def rate(self, choice: Any, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in a choice of modes."""
        out = np.zeros(self.n)
        held_rate(self.system, choice, float(t), np.ascontiguousarray(y), out)
        return out

    # -- changes of mode -----------------------------------------------------------------------------------------------------------

    def begun(self) -> np.ndarray:
        """What the start does to neighbours: an impact, if there is one, and what contacts hold takes away."""
        start = np.array(list(self.stepper.run.problem.start), float)
        if not np.any(self.modes(self.first) != OPEN) and self.first.landed == 0.0:
            return np.eye(self.n)
        return self.repeated(self.first, start, self.states[0])(np.zeros(self.n), np.eye(self.n))

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns over a step, or over the change that a step of no length stands for."""
        if self.times[i + 1] > self.times[i]:
            return super().over(i, v)
        before, row = self.rows[i - 1] if i > 0 else self.first, self.rows[i]
        t, y = float(row.t), self.states[i]
        self.refuse_chosen(row, before)
        if row.landed == 0.0 and np.array_equal(self.modes(row), self.modes(before)) and not np.any(row.choice.begins > 0.0):
            return v, None
        f, f_after = self.rate(before.choice, t, y), self.rate(row.choice, t, self.states[i + 1])
        is_continuous = np.abs(f_after - f).max() <= CONTINUOUS * max(np.abs(f).max(), np.abs(f_after).max())
        dt = np.zeros(v.shape[1]) if row.landed == 0.0 and is_continuous else self.instant_moves(row, before, t, y, f, v)
        return across(v, dt, f, f_after, self.repeated(row, y, self.states[i + 1])), dt

    def modes(self, row: Any) -> np.ndarray:
        """The modes after a change."""
        made: np.ndarray = row.choice.modes[: self.count].astype(int)
        return made

    def refuse_chosen(self, row: Any, before: Any) -> None:
        """An error where somebody chose what follows: how such an instant moves with the state is not known."""
        place = int(row.ending) - PER_CONTACT * self.count
        turned = not np.array_equal(self.modes(row), self.modes(before))
        if row.ending == STRUCK or (turned and row.ending >= 0.0 and place in (guards.JAMS, guards.FREES, guards.FORKS)):
            raise InputError(
                f"{called(self.owner)} goes on by choice at t = {row.t:.10g}, where its future is not unique: derivatives through such a fork are not known. "
                f"Take an `until` before it."
            )

    def instant_moves(self, row: Any, before: Any, t: float, y: np.ndarray, f: np.ndarray, v: np.ndarray) -> np.ndarray:
        """By how much (s) the instant of a change moves with each column."""
        which, size = int(row.ending), 1.0 + np.abs(y[self.nq :]).max()
        value, reach = self.ending(which, before, t, y)
        slope = [self.along(value, t, y, 0.0, way, reach) for way in v.T]
        speed = float(self.along(value, t, y, 1.0, f, reach))
        least = GRAZES * size if which < PER_CONTACT * self.count else 0.0
        if not abs(speed) > least:
            raise InputError(
                f"a change of mode of {called(self.owner)} at t = {t:.9g} grazes: neighbours pass there, or do not, and nothing after it has a derivative. "
                f"Let until end before, or ask for another start."
            )
        return np.asarray(time_shift(np.array(slope), speed))

    def ending(self, which: int, before: Any, t: float, y: np.ndarray) -> tuple[Callable[[float, np.ndarray], float], float]:
        """The quantity whose zero ended a mode, a function of (t, y), and the steps of its differences; where slip ends, slip along its direction."""
        m, place = self.memory, which - PER_CONTACT * self.count

        def guard(t: float, y: np.ndarray) -> float:
            copy_choice(self.system, before.choice, m.choice)
            guards_at(Guards(self.system, m, self.stepper.code), float(t), np.ascontiguousarray(y), self.values)
            return float(self.values[which])

        if place != guards.STOPS:
            return guard, STEEP
        see(self.system, t, y, 0.0, m.sight)
        slip = m.sight.gamma[: 3 * self.count].reshape(-1, 3)[:, 1:].copy()
        rubs = (before.choice.modes[: self.count] == SLIP) & (m.sight.mu[: self.count] > 0.0)
        k = int(np.argmin(np.where(rubs, np.hypot(*slip.T), np.inf)))
        toward = slip[k] / np.hypot(*slip[k])

        def along_slip(t: float, y: np.ndarray) -> float:
            see(self.system, float(t), np.ascontiguousarray(y), 0.0, m.sight)
            return float(m.sight.gamma[3 * k + 1 : 3 * k + 3] @ toward)

        return along_slip, STEEP

    @staticmethod
    def along(f: Callable[[float, np.ndarray], Any], t: float, y: np.ndarray, dt: float, dy: np.ndarray, step: float) -> Any:
        """f_t dt + f_y dy, by differences."""
        reach = max(abs(dt), float(np.max(np.abs(dy) / (1.0 + np.abs(y)))))
        if reach == 0.0:
            return 0.0 * difference(lambda h: f(t, y), step)
        return difference(lambda h: f(t + h * dt / reach, y + h * dy / reach), step) * reach

    def repeated(self, row: Any, y: np.ndarray, after: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """(dt, dy) -> R_y dy + R_t dt, a column each, of the change of a row from a state y."""
        t, m, modes = float(row.t), self.memory, self.modes(row)
        begins = row.choice.begins[: self.count] > 0.0
        closed, still = np.zeros(m.closed.size), np.zeros(m.closed.size)
        closed[: self.count], still[: self.count] = modes != OPEN, (modes == STICK) | begins
        lasting, quiet, nothing, wanted = row.lasting.copy(), None, np.zeros(3 * m.closed.size), np.zeros(3 * m.closed.size)
        see(self.system, t, after, 0.0, m.sight)
        for k in np.flatnonzero(begins):  # the first trace of a slip that begins
            wanted[3 * k + 1 : 3 * k + 3] = m.sight.gamma[3 * k + 1 : 3 * k + 3]

        def change(t: float, y: np.ndarray) -> np.ndarray:
            made = np.ascontiguousarray(y, float).copy()
            if row.landed > 0.0:
                hit_again(self.system, m, float(t), made, row)
                bring_to_rest(self.system, float(t), made, lasting, m.still.copy() if quiet is None else quiet, nothing)
            bring_to_rest(self.system, float(t), made, closed, still, wanted)
            return made

        middle = change(t, y)
        quiet = m.still.copy() if row.landed > 0.0 else None
        if np.abs(middle - after)[self.nq :].max() > NEARLY * (1.0 + np.abs(after[self.nq :]).max()):
            raise InputError(
                f"the change of mode of {called(self.owner)} at t = {t:.9g} cannot be repeated from states nearby (it sums several impacts): derivatives through it are not known."
            )

        def slope(dt: np.ndarray, dy: np.ndarray) -> np.ndarray:
            columns = []
            for late, way in zip(dt, dy.T):
                reach = max(abs(float(late)), float(np.max(np.abs(way) / (1.0 + np.abs(y)))), 1e-300)
                one = lambda h, late=late, way=way, reach=reach: change(t + h * late / reach, y + h * way / reach)
                found = smooth_difference(one, middle, 1.0)
                if found is None:
                    raise InputError(
                        f"the change of mode of {called(self.owner)} at t = {t:.9g} lies at the edge between two outcomes (slip and stick, say): it has no derivative there. "
                        f"Ask for another start, or other parameters."
                    )
                columns.append(found * reach)
            return np.stack(columns, axis=-1)

        return slope
