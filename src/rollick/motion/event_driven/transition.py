"""How neighbours go along a motion from event to event: variational equations inside modes, saltation where they change (`hybrid.saltation`).

All of it is told by the log of the motion afterwards. Where a mode ends, a row of the log says by which guard g(t, y) = 0, and what became of the state: y+ = R(t, y), the impact law
at the contacts that touched, then the projection onto what contacts hold from there on. Its derivative is by differences, with the contacts and modes of the row; where they would
not be those of neighbours (an impact at the edge between slip and stick, or one that grazes) there is none, and that is said.

Rebounds that are summed are left out: derivatives beyond a series of impacts are good to three to five digits.

Where a slip ends there is no such surface: all motions nearby arrive at u = 0 along the slip w* there is, sooner or later by dt = -(w* . du)/(w* . u'). The projection takes away what
they differ by across it. Where forces leave a cone, or a normal force vanishes, the rate is continuous, and only the projection is left.

A parameter p may be one more state, which does not move: columns are (dy, dp) then, J has the column f_p beside it, and guards and changes owe g_p and R_p. All three are differences between
bodies with other parameters, in the same modes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count, positions, restitution
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
from .owed import SIDES, owed_at
from .resting import bring_to_rest, hit, without_rebounds
from .several_closed import copy_choice
from .sight import see, slips

CONTINUOUS = 1e-6  # relative: a rate that changes by less goes on
NEARLY = 1e-5  # of the velocities: how well a change that is repeated has to be what it was
GRAZES = 1e-6  # of the velocities: an approach so slow is not a crossing
STEEP = 1e-6  # of the state: steps of differences of guards, some of which are smooth over short distances only
TOGETHER = 1e-6  # s: how much sooner one of several contacts may close for neighbours, if they hit at once
BLOW = 1e-3  # of the velocities: an approach that matters to those who hit in another order
HELD = 1e-8  # relative: how far a contact that is held at the start may move with what is changed
NUDGE = 1e-3  # of a parameter, to see whether a contact would rebound


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


@compiled
def restitution_at(system, k):
    """The restitution of contact k, for Python."""
    return restitution(system, k)


class ContactTransition(Transition):
    """Columns along the recorded steps of a motion from event to event; `stepper` made them, with dense output.

    `moved(h)` makes the body ready with its parameters moved by h (`ByAddress`); then the last entry of columns is the parameter.
    """

    def __init__(
        self,
        stepper: Any,
        times: np.ndarray,
        states: np.ndarray,
        dense: np.ndarray,
        moved: Callable[[float], Any] | None = None,
    ):
        n = stepper.n
        m = n if moved is None else n + 1
        super().__init__(times, np.ascontiguousarray(states[:, :n]), np.ascontiguousarray(dense[:, :, :n]), m)
        self.moved = moved
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
        self.sides = [] if moved is None else [moved(h) for h in SIDES]

    # -- inside modes --------------------------------------------------------------------------------------------------------------

    def slopes_at(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """J at some fractions of a step; with f_p beside it, and zeros below, if there is a parameter."""
        t, long, choice = float(self.times[i]), float(self.times[i + 1] - self.times[i]), self.rows[i].choice
        jacobians(HeldBody(self.system, choice), t, long, self.states[i], self.dense[i], nodes, *self.room)
        J = self.room[-1]
        if self.moved is None:
            return J
        wide, owed = np.zeros((STAGES, self.m, self.m)), np.zeros((STAGES, self.n))
        bodies = tuple(side.body for side in self.sides)
        owed_at(bodies, choice, self.memory, t, long, self.states[i], self.dense[i], nodes, J, owed)
        wide[:, : self.n, : self.n], wide[:, : self.n, self.n] = J, owed
        return wide

    def body(self, h: float) -> Any:
        """The body with its parameters moved by h."""
        if self.moved is None or h == 0.0:
            return self.system
        self.latest = self.moved(h)  # kept as long as the body is used
        return self.latest.body

    def rate(self, choice: Any, t: float, y: np.ndarray, body: Any = None) -> np.ndarray:
        """dy/dt in a choice of modes."""
        out = np.zeros(self.n)
        held_rate(self.system if body is None else body, choice, float(t), np.ascontiguousarray(y), out)
        return out

    def rate_at(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        return self.rate(self.rows[self.step_at(t)].choice, t, y)

    def wide(self, f: np.ndarray) -> np.ndarray:
        """A rate of columns: a parameter stays."""
        return np.append(f, np.zeros(self.m - self.n))

    # -- changes of mode -----------------------------------------------------------------------------------------------------------

    def begun(self) -> np.ndarray:
        """What the start does to neighbours: an impact, if there is one, and what contacts hold takes away."""
        start = np.array(list(self.stepper.run.problem.start), float)
        if not np.any(self.modes(self.first) != OPEN) and self.first.landed == 0.0:
            return np.eye(self.m)
        return self.repeated(self.first, start, self.states[0])(np.zeros(self.m), np.eye(self.m))

    def check_start(self, v: np.ndarray) -> None:
        """Refuse a column at the start by which a contact would open, hit or slip that is held: one side goes one way, the other side another."""
        m, row, t, y = self.memory, self.first, float(self.times[0]), np.array(list(self.stepper.run.problem.start), float)
        modes, hits = self.modes(row), row.landed > 0.0
        still = (modes == STICK) | (row.choice.begins[: self.count] > 0.0)
        closed = (row.touching[: self.count] > 0.0) if hits else modes != OPEN

        def holds(t: float, y: np.ndarray, body: Any) -> np.ndarray:
            see(body, float(t), np.ascontiguousarray(y), 0.0, m.sight)
            slips_at = m.sight.gamma[: 3 * self.count].reshape(-1, 3)
            held = np.column_stack([m.sight.gaps[: self.count], slips_at * (not hits)])
            held[:, 2:] *= still[:, None]
            return held[closed]

        moves = self.along(holds, t, y, 0.0, v)
        if moves.size and np.abs(moves).max() > HELD * max(1.0, float(np.abs(v).max())):
            k = int(np.flatnonzero(closed)[np.argmax(np.abs(moves).max(axis=1))])
            raise InputError(
                f"contact {k} of {called(self.owner)} is {'held' if not still[k] else 'held, and sticks'} at the start, and would open, hit or slip if this input changed: one way if it grew, "
                f"another way if it shrank. That has no derivative; start away from the contact or with some slip, or ask for other inputs."
            )

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns over a step, or over the change that a step of no length stands for."""
        if self.times[i + 1] > self.times[i]:
            return super().over(i, v)
        change = self.around(i)
        self.refuse_chosen(self.rows[i], self.before(i))
        if change is None:
            return v, None
        row, before, (t, y, f, _, f_after) = self.rows[i], self.before(i), change
        goes_on = row.landed == 0.0 and np.abs(f_after - f).max() <= CONTINUOUS * max(np.abs(f).max(), np.abs(f_after).max())
        dt = self.instant_moves(row, before, t, y, f, v, not goes_on)
        jump = self.repeated(row, y, self.states[i + 1])
        return across(v, np.zeros(v.shape[1]) if goes_on else dt, self.wide(f), self.wide(f_after), jump), dt

    def around(self, i: int) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """(t, y, f, y+, f+) of the change that a step of no length stands for; None if it is none, or only changes guards. y+ is y where the state goes on."""
        row, t = self.rows[i], float(self.times[i])
        if self.times[i + 1] > t:
            return None
        before = self.before(i)
        if row.landed == 0.0 and np.array_equal(self.modes(row), self.modes(before)) and not np.any(row.choice.begins > 0.0):
            return None
        y = self.states[i]
        after = self.states[i + 1] if row.landed > 0.0 else y
        return t, y, self.rate(before.choice, t, y), after, self.rate(row.choice, t, self.states[i + 1])

    def before(self, i: int) -> Any:
        """The row that a change in a step follows."""
        return self.rows[i - 1] if i > 0 else self.first

    def merges(self, i: int) -> bool:
        """Whether a step takes differences of neighbours away: by an impact, or where a contact sticks from then on."""
        if self.around(i) is None:
            return False
        row = self.rows[i]
        return bool(row.landed > 0.0 or np.any((self.modes(row) == STICK) & (self.modes(self.before(i)) != STICK)))

    def factors(self) -> Iterator[tuple[float, np.ndarray, bool]]:
        """Step by step: its end, its transition matrix, and whether neighbours that differ may be one then."""
        yield float(self.times[0]), self.begun(), True
        for i, end in enumerate(self.times[1:]):
            yield float(end), self.over(i, np.eye(self.m))[0], self.merges(i)

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

    def instant_moves(
        self, row: Any, before: Any, t: float, y: np.ndarray, f: np.ndarray, v: np.ndarray, jumps: bool
    ) -> np.ndarray:
        """By how much (s) the instant of a change moves with each column; `jumps`: the state or its rate does."""
        which, size = int(row.ending), 1.0 + np.abs(y[self.nq :]).max()
        dt, speed = self.zero_moves(which, before, t, y, f, v)
        least = GRAZES * size if which < PER_CONTACT * self.count else 0.0
        if jumps and not abs(speed) > least:
            raise InputError(
                f"a change of mode of {called(self.owner)} at t = {t:.9g} grazes: neighbours pass there, or do not, and nothing after it has a derivative. "
                f"Let until end before, or ask for another start."
            )
        for k in np.flatnonzero((row.touching[: self.count] > 0.0) & (self.modes(before) == OPEN)) if row.landed > 0.0 else ():
            if PER_CONTACT * k <= which < PER_CONTACT * (k + 1):
                continue
            late, speed = self.zero_moves(PER_CONTACT * int(k), before, t, y, f, v)
            if -speed > BLOW * size and np.abs(late - dt).max() > TOGETHER * max(1.0, np.abs(dt).max()):
                raise InputError(
                    f"contact {k} of {called(self.owner)} closes at t = {t:.9g} together with another change, and sooner or later than that for neighbours, which hit in another order: "
                    f"nothing after it has a derivative. Let until end before, or ask for another start."
                )
        return dt

    def zero_moves(
        self, which: int, before: Any, t: float, y: np.ndarray, f: np.ndarray, v: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """By how much (s) the zero of a guard moves with each column, and how fast the guard passes it."""
        value = self.ending(which, before, t, y)
        speed = float(self.along(value, t, y, 1.0, self.wide(f)))
        slope = np.array([self.along(value, t, y, 0.0, way) for way in v.T])
        return np.asarray(time_shift(slope, speed)), speed

    def ending(self, which: int, before: Any, t: float, y: np.ndarray) -> Callable[[float, np.ndarray, Any], float]:
        """The quantity whose zero ended a mode, a function of (t, y, body); where slip ends, slip along its direction."""
        m, place = self.memory, which - PER_CONTACT * self.count

        def guard(t: float, y: np.ndarray, body: Any) -> float:
            copy_choice(self.system, before.choice, m.choice)
            guards_at(Guards(body, m, self.stepper.code), float(t), np.ascontiguousarray(y), self.values)
            return float(self.values[which])

        if place != guards.STOPS:
            return guard
        see(self.system, t, y, 0.0, m.sight)
        slip = m.sight.gamma[: 3 * self.count].reshape(-1, 3)[:, 1:].copy()
        rubs = (before.choice.modes[: self.count] == SLIP) & (m.sight.mu[: self.count] > 0.0)
        k = int(np.argmin(np.where(rubs, np.hypot(*slip.T), np.inf)))
        toward = slip[k] / np.hypot(*slip[k])

        def along_slip(t: float, y: np.ndarray, body: Any) -> float:
            see(body, float(t), np.ascontiguousarray(y), 0.0, m.sight)
            return float(m.sight.gamma[3 * k + 1 : 3 * k + 3] @ toward)

        return along_slip

    def on_the_way(self, f: Callable[..., Any], t: float, y: np.ndarray, dt: float, way: np.ndarray) -> tuple[Callable, float]:
        """f(t, y, body) along (dt, a column), a function of the distance in units of the state, and how many of these a unit of the column reaches."""
        dy, dp = way[: self.n], float(way[self.n :].sum())
        reach = max(abs(float(dt)), float(np.max(np.abs(dy) / (1.0 + np.abs(y)))), abs(dp), 1e-300)
        return lambda h: f(t + h * dt / reach, y + h * dy / reach, self.body(h * dp / reach)), reach

    def along(self, f: Callable[..., Any], t: float, y: np.ndarray, dt: float, way: np.ndarray) -> Any:
        """f_t dt + f_y dy + f_p dp of some f(t, y, body), by differences."""
        one, reach = self.on_the_way(f, t, y, dt, way)
        return difference(one, STEEP) * reach

    def refuse_rebound(self, row: Any) -> None:
        """Refuse a contact that lasts after an impact because its restitution is zero, and would rebound if this parameter changed."""
        new = (row.lasting[: self.count] > 0.0) & (row.held[: self.count] == 0.0)
        for k in np.flatnonzero(new):
            if restitution_at(self.system, int(k)) == 0.0 != restitution_at(self.body(NUDGE), int(k)):
                raise InputError(
                    f"contact {k} of {called(self.owner)} lasts after the impact at t = {row.t:.9g}, and would rebound if this input changed: there is no derivative with respect to "
                    f"it. Take a restitution above zero, or leave this input out."
                )

    def repeated(self, row: Any, y: np.ndarray, after: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """(dt, dy) -> R_y dy + R_t dt + R_p dp, a column each, of the change of a row from a state y."""
        t, m, modes = float(row.t), self.memory, self.modes(row)
        begins = row.choice.begins[: self.count] > 0.0
        closed, still = np.zeros(m.closed.size), np.zeros(m.closed.size)
        closed[: self.count], still[: self.count] = modes != OPEN, (modes == STICK) | begins
        lasting, quiet, nothing, wanted = row.lasting.copy(), None, np.zeros(3 * m.closed.size), np.zeros(3 * m.closed.size)
        if row.landed > 0.0:
            self.refuse_rebound(row)
        see(self.system, t, after, 0.0, m.sight)
        for k in np.flatnonzero(begins):  # the first trace of a slip that begins
            wanted[3 * k + 1 : 3 * k + 3] = m.sight.gamma[3 * k + 1 : 3 * k + 3]

        def change(t: float, y: np.ndarray, body: Any) -> np.ndarray:
            made = np.ascontiguousarray(y, float).copy()
            if row.landed > 0.0:
                hit_again(body, m, float(t), made, row)
                bring_to_rest(body, float(t), made, lasting, m.still.copy() if quiet is None else quiet, nothing)
            bring_to_rest(body, float(t), made, closed, still, wanted)
            return made

        middle = change(t, y, self.system)
        quiet = m.still.copy() if row.landed > 0.0 else None
        if np.abs(middle - after)[self.nq :].max() > NEARLY * (1.0 + np.abs(after[self.nq :]).max()):
            raise InputError(
                f"the change of mode of {called(self.owner)} at t = {t:.9g} cannot be repeated from states nearby (it sums several impacts): derivatives through it are not known."
            )

        def slope(dt: np.ndarray, dy: np.ndarray) -> np.ndarray:
            moves = dy.copy()  # of a parameter, which stays what it is
            for j, late in enumerate(dt):
                one, reach = self.on_the_way(change, t, y, float(late), dy[:, j])
                found = smooth_difference(one, middle, 1.0)
                if found is None:
                    raise InputError(
                        f"the change of mode of {called(self.owner)} at t = {t:.9g} lies at the edge between two outcomes (sliding and sticking, say): it has no derivative there. "
                        f"Ask for another start, or other parameters."
                    )
                moves[: self.n, j] = found * reach
            return moves

        return slope
