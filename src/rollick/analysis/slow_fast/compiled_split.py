"""A system of Rollick's, of compiled equations, with slow and fast states: what `SlowFast` is for formulas.

    x' = f(x, y),   eps y' = g(x, y)

x and y are states of the system, or formulas of them over a chart (x, y) -> states: where states are tied to each other (a body that stays on its plane), or
slow and fast are no states (a slip velocity). eps is a number of the system by which the rates of the fast states are divided, or nothing: then eps = 1, and
the gap between fast and slow eigenvalues tells how far apart the two are. All other states must not matter (positions on a plane, say): it is checked
that no rate of a slow or fast state changes as they move on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, listed, number
from ...kernel.system import description
from ...motion.start import state_vector
from ..rates import STEP as TILT
from ..rates import Formula
from ..steady.field import WEIGHTS, Field

NONE = 1e-40  # times eps: as good as zero
STEP = 2e-3  # of differences of order six, times the size of what is changed
MATTERS = 1e-6  # relative: a rate that changes by more with a state that was left out


class SystemSplit:
    """The split of a system; `slow_rates`, `fast_rates` and `fast_slopes` as of `SlowFast`. One thread at a time."""

    def __init__(
        self,
        system: Any,
        slow: Sequence[Any],
        fast: Sequence[Any],
        small: str | None = None,
        others: Any = None,
        chart: Callable | None = None,
        parameter: str | None = None,
    ):
        wanted = tuple(name for name in (small, parameter) if name is not None)
        self.field = Field(system, wanted)
        self.system, self.small, self.parameter, self.chart = self.field.system, small, parameter, chart
        self._slow, self._fast = _listed(slow, "slow"), _listed(fast, "fast")
        self.m, self.n = len(self._slow), len(self._fast)
        both = [*self._slow, *self._fast]
        if chart is None:
            names = list(self.field.names)
            self.places = [names.index(choose(name, names, f"state of {called(system)}")) for name in both]
            if len({*self.places}) != len(self.places):
                raise InputError(f"slow = {slow!r} and fast = {fast!r} name a state twice; each is either slow or fast.")
            labels = [names[k] for k in self.places]
            self.rest = state_vector(self.system, others)
        else:
            if others is not None:
                raise InputError("with a chart there are no other states: it returns all of them; leave others out.")
            labels = [one if isinstance(one, str) else getattr(one, "__name__", "") for one in both]
            if len(set(labels)) < len(labels):
                raise InputError(
                    f"slow = {slow!r} and fast = {fast!r} must have names, each once: give functions by def, not by lambda."
                )
            self.formulas = [self._formula(one) for one in both]
        self.slow_names, self.fast_names = tuple(labels[: self.m]), tuple(labels[self.m :])
        self.eps = 1.0 if small is None else self.field.own[0]
        if not self.eps > 0.0:
            raise InputError(f"{small} = {self.eps!r} of {called(system)} must be above zero to be its small number.")
        self._tried = False

    # -- the rates -----------------------------------------------------------------------------------------------------------------

    def states(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The states of the system at points (m, points) and (n, points), one in each row."""
        x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
        if self.chart is None:
            rows = np.repeat(self.rest[None], x.shape[1], axis=0)
            rows[:, self.places] = np.concatenate([x, y]).T
            return rows
        made = list(self.chart(x, y))
        if len(made) != self.field.n:
            raise InputError(
                f"the chart returns {len(made)} numbers; {called(self.system)} has the {self.field.n} states {', '.join(self.field.names)}."
            )
        return np.stack([np.broadcast_to(np.asarray(row, float), x.shape[1:]) for row in made], axis=1)

    def _formula(self, one: Any) -> Formula:
        """A state, or a formula of all states, as a formula."""
        if callable(one):
            return Formula(one, 0, f"the formula {one.__name__}")
        place = self.field.names.index(choose(one, list(self.field.names), f"state of {called(self.system)}"))
        return Formula(lambda y: y[place], 0, one)

    def _moving(self, states: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """How the slow and fast quantities change while states (in rows) move by `rows`: shape (m + n, points)."""
        found = []
        for formula in self.formulas:
            if not formula.tried:
                formula.slopes(states.T)  # refuses a formula that drops imaginary parts
            found.append(np.imag(np.asarray(formula.raw(states.T + 1j * TILT * rows.T))) / TILT)
        return np.stack([np.broadcast_to(row, states.shape[:1]) for row in found])

    def _check_chart(self, x: np.ndarray, y: np.ndarray, states: np.ndarray) -> None:
        """Refuse a chart whose states do not have the slow and fast quantities that they are made of."""
        told = np.stack([np.broadcast_to(f(states.T), states.shape[:1]) for f in self.formulas])
        off = np.abs(told - np.concatenate([x, y])).max(axis=1)
        if np.any(off > 1e-9 * (1.0 + np.abs(told).max())):
            k = int(np.argmax(off))
            raise InputError(
                f"the chart returns states whose {(*self.slow_names, *self.fast_names)[k]} is off by {off[k]:.3g}: chart and slow and fast states do not belong together."
            )

    def set(self, p: Any, eps: Any) -> float:
        """Give the parameter and the small number their values; what the fast rates are to be multiplied by."""
        values = []
        used = 1.0
        if self.small is not None:
            given = self.eps if eps is None else number(eps, "eps")
            used = given if given != 0.0 else NONE * self.eps
            values.append(used)
        if self.parameter is not None:
            values.append(self.field.own[-1] if p is None else number(p, self.parameter))
        elif p is not None:
            raise InputError(f"p = {p!r} was given, and no parameter was named; write SystemSplit(..., parameter=name).")
        self.field.set(values)
        return used

    def _rates(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """(x', y'), shape (m + n, points)."""
        states = self.states(x, y)
        if not self._tried and len(states):
            self.field.try_at(states[0].copy())
            if self.chart is not None:
                self._check_chart(x, y, states)
            self._tried = True
        rows = self.field.complex_rates(states).real
        return rows[:, self.places].T if self.chart is None else self._moving(states, rows)

    def slopes(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(x', y') and their derivatives by (x, y): shapes (m + n, points), (m + n, m + n, points). Exact for states, by differences over a chart."""
        x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
        size = self.m + self.n
        if self.chart is None:
            values, matrices = np.empty((size, x.shape[1])), np.empty((size, size, x.shape[1]))
            for k, state in enumerate(self.states(x, y)):
                value, J = self.field.rate_and_jacobian(state)
                values[:, k], matrices[:, :, k] = value[self.places], J[np.ix_(self.places, self.places)]
            return values, matrices
        both = np.concatenate([x, y])
        h = STEP * np.maximum(np.abs(both).max(axis=1), 1e-3)
        columns = []
        for j in range(size):
            total: Any = 0.0
            for k, weight in enumerate(WEIGHTS, 1):
                for sign in (1.0, -1.0):
                    z = both.copy()
                    z[j] += sign * k * h[j]
                    total = total + sign * weight * self._rates(z[: self.m], z[self.m :])
            columns.append(total / h[j])
        return self._rates(x, y), np.stack(columns, axis=1)

    # -- as SlowFast has them --------------------------------------------------------------------------------------------------------

    def slow_rates(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """f, shape (m, points...)."""
        self.set(p, eps)
        return self._shaped(lambda a, b: self._rates(a, b)[: self.m], x, y)

    def fast_rates(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """g = eps y', shape (n, points...)."""
        used = self.set(p, eps)
        return self._shaped(lambda a, b: used * self._rates(a, b)[self.m :], x, y)

    def fast_slopes(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """g_y, shape (n, n, points...)."""
        used = self.set(p, eps)
        return self._shaped(lambda a, b: used * self.slopes(a, b)[1][self.m :, self.m :], x, y)

    def _shaped(self, function: Callable, x: Any, y: Any) -> np.ndarray:
        """A function of points (m, points), (n, points) for points of any shape."""
        if np.iscomplexobj(x) or np.iscomplexobj(y):
            raise InputError(
                "compiled equations are had at real slow and fast states here; complex ones are for formulas (SlowFast)."
            )
        x, y = np.asarray(x, float), np.asarray(y, float)
        shape = np.broadcast_shapes(x.shape[1:], y.shape[1:])
        x, y = (np.broadcast_to(a, (a.shape[0], *shape)) for a in (x, y))
        out = function(x.reshape(self.m, -1), y.reshape(self.n, -1))
        return out.reshape(*out.shape[:-1], *shape)

    def points(self, x: Any, what: str = "x") -> np.ndarray:
        """Slow states as an array (m, points...); one slow state may be given without its axis."""
        array = np.asarray(x, float)
        if self.m == 1 and (array.ndim == 0 or array.shape[0] != 1):
            array = array[None]
        if array.ndim == 0 or array.shape[0] != self.m:
            raise InputError(
                f"{what} has the shape {np.shape(x)}; its first axis must be that of the {self.m} slow states {', '.join(self.slow_names)}."
            )
        return array

    # -- what was left out -----------------------------------------------------------------------------------------------------------

    def check_others(self, x: np.ndarray, y: np.ndarray) -> None:
        """Refuse a split whose rates depend on states that were left out: r = Y' - E_x x' - E_y y', by which the state leaves the chart E, must not change them."""
        x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
        for k in range(x.shape[1]):
            one, two = x[:, k : k + 1], y[:, k : k + 1]
            state = self.states(one, two)[0]
            rate = self.field.rate(state)
            own = self._rates(one, two)[:, 0]
            if self.chart is None:
                r = rate.copy()
                r[self.places] = 0.0
                J = self.field.rate_and_jacobian(state)[1][self.places]
                change, size = J @ r, np.abs(J) @ np.abs(rate) + np.abs(own)
            else:
                r = rate - self._along_chart(one, two, own)
                change = self._along_state(state, r)
                size = np.abs(self._along_state(state, rate)) + np.abs(own)
            wrong = np.abs(change) > MATTERS * max(float(size.max()), 1e-300)
            if np.any(wrong):
                names = [*self.slow_names, *self.fast_names]
                left = [
                    q.name
                    for q, v in zip(description(self.system).states, r)
                    if abs(v) > 1e-9 * max(float(np.abs(rate).max()), 1e-300)
                ]
                raise InputError(
                    f"the rate of {', '.join(n for n, w in zip(names, wrong) if w)} of {called(self.system)} changes with states that are neither slow nor fast and move "
                    f"on ({', '.join(left)}): the split does not close. Name them among the slow or fast states, or give a chart that holds what ties them."
                )

    def _along_chart(self, x: np.ndarray, y: np.ndarray, way: np.ndarray) -> np.ndarray:
        """E_x x' + E_y y', by differences of order six."""
        return _difference(
            lambda h: self.states(x + h * way[: self.m, None], y + h * way[self.m :, None])[0], way, np.concatenate([x, y])[:, 0]
        )

    def _along_state(self, state: np.ndarray, r: np.ndarray) -> np.ndarray:
        """How (x', y') change along r in the space of all states."""

        def rates(h: float) -> np.ndarray:
            moved = np.ascontiguousarray(state + h * r)
            return self._moving(moved[None], self.field.rate(moved)[None])[:, 0]

        return _difference(rates, r, state)


def _difference(f: Callable, way: np.ndarray, at: np.ndarray) -> np.ndarray:
    step = STEP / max(1.0, float(np.max(np.abs(way) / (0.1 + np.abs(at)), initial=0.0)))
    total: Any = 0.0
    for k, weight in enumerate(WEIGHTS, 1):
        total = total + weight * (f(k * step) - f(-k * step))
    return np.asarray(total / step)


def _listed(names: Any, what: str) -> list[Any]:
    found = listed(names, what, "['x', 'y']")
    if not found:
        raise InputError(f"{what} = {names!r} must name at least one state.")
    return found


def of_start(split: SystemSplit, given: Any, names: Sequence[str], what: str) -> np.ndarray:
    """Numbers by name (with units) or in order."""
    units = {q.name: q.unit for q in description(split.system).states}
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise InputError(f"{what} = {given!r} must have the names {', '.join(names)}.")
        return np.array([number(given[n], n, units.get(n, "")) for n in names])
    values = np.asarray(given, float).reshape(-1)
    if values.size != len(names):
        raise InputError(f"{what} = {given!r} must be {len(names)} numbers, for {', '.join(names)}.")
    return values
