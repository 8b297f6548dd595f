"""One column of sensitivities along a motion through modes: the transition matrices of `motion.filippov.saltation`, with a parameter as one more state.

    (w, 1)' = [[J, f_p], [0, 0]] (w, 1)         inside a mode, f_p by complex step,
    w+ = w - (F+ - F-) dt,   dt = -(grad g . w + g_p)/(g_t + grad g . F-)         where a mode ends on a surface g(t, y, p) = 0.

Where a slip of two components ends, dt = (w* . (du/dy w + u_p))/|R*|, and slip is gone afterwards, for whatever p.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ...kernel.derivative import EPS
from ...kernel.names import InputError, called
from ...motion.filippov.by_address import ReadyForm
from ...motion.filippov.changing import LIFTS, STOPS
from ...motion.filippov.code import contact_code
from ...motion.filippov.collocation import RADAU, STAGES
from ...motion.filippov.forces import ROLL
from ...motion.filippov.memory import LOG_CONTACT, LOG_GIVEN, LOG_STATE, LOG_TIME, LOG_WHY
from ...motion.filippov.mode import FilippovMode
from ...motion.filippov.saltation import DIFFERENCE, Transition, jacobians, slip_taken_away, watched_value
from ...motion.ode.dense import interpolate
from .columns import ComplexRate
from .tilt import moved, tilted

HELD = 1e-9  # relative: slip at the start that a change of the input would make, in a contact that rolls


class ModeColumns(Transition):
    """(w, 1) along the recorded steps. `changes_moved`: how the time of each change moves."""

    def __init__(
        self,
        stepper: Any,
        dense: tuple[np.ndarray, np.ndarray, np.ndarray],
        direction: Mapping[str, float],
        w: np.ndarray,
        checked: bool = True,
    ):
        super().__init__(stepper, *dense)
        self.direction = direction
        self.tilted = tilted(stepper.system, direction)
        self._near = [ReadyForm(moved(stepper.system, direction, sign * DIFFERENCE)) for sign in (1.0, -1.0)]
        self.changes_moved: list[tuple[float, float, np.ndarray]] = []
        self._rates: dict[tuple[int, int], ComplexRate] = {}
        self.nothing = not (direction or np.any(w))
        if self.nothing:
            self.changes_moved = [(float(row[LOG_TIME]), 0.0, row[LOG_STATE:].copy()) for row in self.changes[1:]]
        else:
            if checked:
                self.check_start(np.array(w, float))
            self.march(np.array(w, float))

    # -- inside modes ----------------------------------------------------------------------------------------------------------

    def collocated(self, modes: tuple[int, int], i: int, a: float, b: float) -> np.ndarray:
        """The transition matrix of (w, 1) over a part of a step, by one step of collocation."""
        n, s = self.n, STAGES
        t, long = float(self.times[i]), float(self.times[i + 1] - self.times[i])
        h = (b - a) * long
        mode = FilippovMode(self.stepper.system, modes, contact_code())
        state, z, work, J = self.room
        nodes = a + RADAU.nodes * (b - a)
        jacobians(mode, t, long, self.states[i], self.dense[i], nodes, state, z, work, J)
        big = np.zeros((s, n + 1, n + 1))
        big[:, :n, :n] = J
        for j in range(s):
            interpolate(float(nodes[j]), self.states[i], self.dense[i], state)
            big[j, :n, n] = self.owed(modes, t + float(nodes[j]) * long, state)
        m = n + 1
        system = np.eye(s * m)
        for j in range(s):
            for q in range(s):
                system[j * m : (j + 1) * m, q * m : (q + 1) * m] -= h * RADAU.weights[j, q] * big[j]
        K = np.linalg.solve(system, big.reshape(s * m, m)).reshape(s, m, m)
        return np.eye(m) + h * np.einsum("q,qij->ij", RADAU.weights[-1], K)

    def owed(self, modes: tuple[int, int], t: float, y: np.ndarray) -> np.ndarray:
        """f_p: what the rate owes to the parameter."""
        if not self.direction:
            return np.zeros(self.n)
        try:
            if modes not in self._rates:
                self._rates[modes] = ComplexRate(FilippovMode(self.tilted, modes, contact_code()))
            return self._rates[modes](t, y.astype(complex)).imag / EPS
        except (NumbaError, TypeError):
            raise InputError(
                f"the contact form of {called(self.stepper.system)} does not take complex parameters (it compares them, or stores them among real numbers), so that it "
                f"has no sensitivities to {', '.join(self.direction)}; write it with the functions of rollick.kernel. Those to the start can be had."
            ) from None

    # -- where modes change ----------------------------------------------------------------------------------------------------

    def march(self, w: np.ndarray) -> None:
        """Carry w from the start to the end; kept where each step begins."""
        v, modes, waiting = np.append(w, 1.0), self.first_modes, list(self.changes)
        self.begun: list[np.ndarray] = []
        self.modes_of: list[tuple[int, int]] = []
        for i in range(len(self.times) - 1):
            t, end = self.times[i], self.times[i + 1]
            while waiting and waiting[0][LOG_TIME] <= t:
                modes = self.after(waiting.pop(0))
            self.begun.append(v)
            self.modes_of.append(modes)
            ends = waiting[0] if waiting and waiting[0][LOG_TIME] == end else None
            if ends is None:
                v = self.inside(modes, i, 1.0) @ v if end > t else v
            elif ends[LOG_WHY] == STOPS and self.form.size == 2:
                v = self.arrived(modes, i, ends, v)
            else:
                v = self.across(modes, end, self.states[i + 1], ends, self.inside(modes, i, 1.0) @ v)
            if ends is not None:
                modes = self.after(waiting.pop(0))
        self.last = v

    def column(self, t: float) -> np.ndarray:
        """The column at a time; at a change of mode the one before it."""
        if self.nothing:
            return np.zeros(self.n)
        i = int(np.clip(np.searchsorted(self.times, t, side="left") - 1, 0, len(self.times) - 2))
        if t >= self.times[-1] and not any(row[LOG_TIME] == self.times[-1] for row in self.changes[1:]):
            return self.last[:-1]
        start, end = self.times[i], self.times[i + 1]
        part = (t - start) / (end - start) if end > start else 0.0
        v = self.begun[i]
        return (self.inside(self.modes_of[i], i, float(part)) @ v if part > 0.0 else v)[:-1]

    def moves_after(self, t: float, dt: float) -> np.ndarray:
        """How the state at a change of mode moves with it: w + f dt, right after it."""
        row = next(row for row in self.changes if row[LOG_TIME] == t)
        i = int(np.searchsorted(self.times, t, side="right")) - 1
        w = self.begun[i][:-1] if i < len(self.begun) else self.last[:-1]
        return w + self.new_rate(row) * dt

    def check_start(self, w: np.ndarray) -> None:
        """Refuse a change of the start that would make a contact slip that rolls: one side slips one way, the other side the other."""
        y, t, modes = self.states[0], float(self.times[0]), self.first_modes
        for k in range(self.stepper.count):
            if modes[k] == ROLL:
                slope = self.slip_gradient(modes, k, t, y)
                made = (slope @ w + self.slip_owed(modes, k, t, y))[: self.form.size]
                if np.abs(made).max() > HELD * max(1.0, float(np.abs(slope).max() * np.abs(w).max())):
                    raise InputError(
                        f"contact {k} of {called(self.stepper.system)} rolls at the start, and would slip if this input changed: one way if it grew, the other "
                        f"way if it shrank. That has no derivative; start with some slip, or ask for other inputs."
                    )

    def slip_owed(self, modes: tuple[int, int], k: int, t: float, y: np.ndarray) -> np.ndarray:
        """u_p of a contact."""
        if not self.direction:
            return np.zeros(2)
        sides, own = [], self.form
        for ready in self._near:
            self.form = ready.form
            self.rate(modes, np.zeros(6), t, y)
            sides.append(self.memory.here.slip[2 * k : 2 * k + 2].copy())
        self.form = own
        found = (sides[0] - sides[1]) / (2.0 * DIFFERENCE)
        return np.where([True, self.form.size == 2], found, 0.0)

    def arrived(self, modes: tuple[int, int], i: int, row: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(w, 1) after a slip of two components ended, from the start of the last step."""
        k, t, y, w = int(row[LOG_CONTACT]), float(self.times[i]), self.states[i], v[:-1]
        slope, owed = self.slip_gradient(modes, k, t, y), self.slip_owed(modes, k, t, y)
        before = self.rate(modes, np.zeros(6), t, y)
        u = self.memory.here.slip[2 * k : 2 * k + 2]
        along = u / np.hypot(*u)
        dt = float(along @ (slope @ w + owed)) / -float(along @ slope @ before)
        moved_on = w + (before - self.new_rate(row)) * dt
        when, after = float(row[LOG_TIME]), row[LOG_STATE:]
        self.changes_moved.append((when, dt, after.copy()))
        held = (ROLL if k == 0 else modes[0], ROLL if k == 1 else modes[1])
        sides = []
        if self.direction:
            for ready in self._near:
                y2 = after.copy()
                slip_taken_away(ready.form, held, when, y2, self.memory)
                sides.append(y2)
            gone = (sides[0] - sides[1]) / (2.0 * DIFFERENCE)
        else:
            gone = np.zeros(self.n)
        return np.append(self.without_slip(held, when, after) @ moved_on + gone, 1.0)

    def across(self, modes: tuple[int, int], t: float, y: np.ndarray, row: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(w, 1) after a mode ended on a surface."""
        w = v[:-1]
        which = int(row[LOG_WHY]) + (int(row[LOG_CONTACT]) if row[LOG_WHY] in (STOPS, LIFTS) else 0)
        given = np.concatenate([row[LOG_GIVEN + 4 : LOG_GIVEN + 8], np.zeros(2)])
        before, after = self.rate(modes, given, t, y), self.new_rate(row)
        step = DIFFERENCE / max(1.0, float(np.max(np.abs(w) / np.maximum(1.0, np.abs(y)))))

        def g(when: float, at: np.ndarray, form: Any) -> float:
            return float(watched_value(form, modes, given, self.memory, float(when), np.ascontiguousarray(at), which))

        moves = (g(t, y + step * w, self.form) - g(t, y - step * w, self.form)) / (2.0 * step)
        if self.direction:
            moves += (g(t, y, self._near[0].form) - g(t, y, self._near[1].form)) / (2.0 * DIFFERENCE)
        pace = DIFFERENCE / max(1.0, float(np.max(np.abs(before) / np.maximum(1.0, np.abs(y)))))
        speed = (g(t + pace, y + pace * before, self.form) - g(t - pace, y - pace * before, self.form)) / (2.0 * pace)
        dt = -moves / speed if speed != 0.0 else np.nan
        self.changes_moved.append((float(t), dt, row[LOG_STATE:].copy()))
        jump = after - before
        if np.abs(jump).max() <= 1e-7 * max(np.abs(before).max(), np.abs(after).max()):
            return v
        return np.append(w - jump * dt, 1.0)
