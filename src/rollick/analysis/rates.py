"""Formulas of states as the analysis tools take them: f(x), f(x, p) or f(x, p, t), at one point or at many at once, with exact derivatives.

x has the states along its first axis, p is the parameter, t the time; what a formula does not need it leaves out. Formulas are plain NumPy (x[0], np.sin, ...):
entries may be constants, they are broadcast. First derivatives are by complex step; those of a formula that drops imaginary parts would be silently wrong,
so that each formula is compared with differences once, and refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernel.compiled import compiled
from ..kernel.compiling import compiling
from ..kernel.names import InputError, called
from ..kernel.system import description, dim, rate
from ..motion.start import check_system

STEP = 1e-100  # of complex steps


def arguments_of(function: Callable, most: int, what: str) -> int:
    """How many of (x, p, t) a formula takes."""
    if not callable(function):
        raise InputError(f"{what} = {function!r} must be a function of the state.")
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1
    if any(q.kind is q.VAR_POSITIONAL for q in given):
        return most
    count = sum(q.kind in (q.POSITIONAL_ONLY, q.POSITIONAL_OR_KEYWORD) and q.default is q.empty for q in given)
    if not 1 <= count <= most:
        raise InputError(f"{what} takes {count} arguments; it must take (x), (x, p){' or (x, p, t)' if most > 2 else ''}.")
    return count


class Formula:
    """A function of states, parameter and time that returns `size` numbers (one, if `size` is 0) for each point."""

    def __init__(self, function: Callable, size: int, what: str):
        self.function, self.size, self.what = function, size, what
        self.arguments = arguments_of(function, 3, what)
        self.tried = False

    def raw(self, x: Any, p: Any = None, t: Any = 0.0) -> Any:
        """What the function itself returns."""
        return self.function(*(x, p, t)[: self.arguments])

    def __call__(self, x: Any, p: Any = None, t: Any = 0.0) -> np.ndarray:
        """The values: shape (size, points...), or (points...) for a single number."""
        x = np.asarray(x)
        value = self.raw(x, p, t)
        if self.size == 0:
            return np.asarray(value) + np.zeros(x.shape[1:])
        if len(value) != self.size:
            raise InputError(f"{self.what} returned {len(value)} numbers; there must be {self.size}.")
        shape = x.shape[1:]
        for entry in value:
            if np.shape(entry) != shape:
                shape = np.broadcast_shapes(shape, np.shape(entry))
        out = np.empty((self.size, *shape), dtype=np.result_type(float, x, *(np.asarray(v) for v in value)))
        for i, entry in enumerate(value):
            out[i] = entry
        return out

    def slopes(self, x: Any, p: Any = None, t: Any = 0.0) -> np.ndarray:
        """Derivatives with respect to the states: shape (size, states, points...), or (states, points...) for a single number."""
        x = np.asarray(x, float)
        if not self.tried:
            self._try(x, p, t)
        columns = []
        for j in range(x.shape[0]):
            z = x.astype(complex)
            z[j] += 1j * STEP
            columns.append(self(z, p, t).imag / STEP)
        return np.stack(columns, axis=0 if self.size == 0 else 1)

    def parameter_slope(self, x: Any, p: float, t: Any = 0.0) -> np.ndarray:
        """The derivative with respect to the parameter, a number."""
        return self(np.asarray(x, complex), complex(p, STEP), t).imag / STEP

    def _try(self, x: np.ndarray, p: Any, t: Any) -> None:
        """Whether complex steps tell what differences tell."""
        self.tried = True
        flat = x.reshape(x.shape[0], -1)
        p, t = (np.ravel(v)[0] if np.ndim(v) else v for v in (p, t))
        point = flat[:, :1] + 1e-3 * np.arange(1.0, 1.0 + x.shape[0])[:, None]
        exact = self.slopes(point, p, t)
        columns = []
        for j in range(x.shape[0]):
            step = np.zeros_like(point)
            step[j] = 1e-5 * max(1.0, abs(point[j, 0]))
            columns.append((self(point + step, p, t) - self(point - step, p, t)) / (2.0 * step[j]))
        near = np.stack(columns, axis=0 if self.size == 0 else 1)
        scale = np.abs(near).max(initial=1e-8)
        if np.all(np.isfinite(near)) and not np.all(np.abs(exact - near) <= 1e-3 * scale):
            raise InputError(
                f"the derivatives of {self.what} by complex step differ from differences: it drops imaginary parts (float(), abs, real arrays, np.maximum?). "
                f"Write it with + - * / ** and NumPy's sin, cos, exp, ...; for |x| np.sqrt(x**2)."
            )


class Backwards(Formula):
    """The same rates with time running backwards."""

    def __init__(self, rates: Formula):
        self.rates, self.size, self.what, self.arguments, self.tried = rates, rates.size, rates.what, rates.arguments, True

    def __call__(self, x: Any, p: Any = None, t: Any = 0.0) -> np.ndarray:
        """-f."""
        return -self.rates(x, p, t)

    def parameter_slope(self, x: Any, p: float, t: Any = 0.0) -> np.ndarray:
        """-f_p."""
        return -self.rates.parameter_slope(x, p, t)


@compiled
def _rates_at(system, y, out):
    for i in range(y.shape[0]):
        rate(system, 0.0, y[i], out[i])


class SystemRates(Formula):
    """The rate of a Rollick system, which does not depend on time, along one of its numbers."""

    def __init__(self, system: Any, parameter: str):
        self.system = check_system(system)
        if parameter not in self.system._fields or not isinstance(getattr(self.system, parameter), float):
            numbers = [name for name, value in zip(self.system._fields, self.system) if isinstance(value, float)]
            raise InputError(f"{parameter!r} is no number of {called(system)}; allowed: {', '.join(numbers)}.")
        self.parameter, self.size, self.what = parameter, int(dim(system)), f"the rate of {called(system)}"
        self.names = tuple(q.name for q in description(system).states)
        self.arguments, self.tried = 2, True

    def __call__(self, x: Any, p: Any = None, t: Any = 0.0) -> np.ndarray:
        """The rates, by compiled code."""
        x = np.asarray(x)
        x = x.astype(np.result_type(x, float))
        rows = np.ascontiguousarray(x.reshape(self.size, -1).T)
        out = np.empty_like(rows)
        values = np.broadcast_to(np.asarray(p, float), x.shape[1:]).ravel() if np.ndim(p) else None
        with compiling("the rate", self.system):
            if values is None:
                _rates_at(self.system if p is None else self.system._replace(**{self.parameter: float(p)}), rows, out)
            else:
                for i, value in enumerate(values):
                    _rates_at(self.system._replace(**{self.parameter: float(value)}), rows[i : i + 1], out[i : i + 1])
        return out.T.reshape(x.shape)

    def parameter_slope(self, x: Any, p: float, t: Any = 0.0) -> np.ndarray:
        """By differences of order six: parameters are real in compiled code."""
        step = 1e-3 * (abs(p) or 1.0)
        weights = (3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0)
        return sum(w * (self(x, p + k * step) - self(x, p - k * step)) for k, w in enumerate(weights, 1)) / step  # type: ignore[return-value]


def rates_of(field: Any, parameter: str | None, states: int) -> Formula:
    """The rates of a Rollick system along one of its numbers, or those of a formula f(x, p)."""
    if hasattr(field, "_fields"):
        if parameter is None:
            raise InputError(f"{called(field)} is a system: which of its numbers is the parameter? Give parameter=, a name.")
        return SystemRates(field, parameter)
    return Formula(field, states, "the field")
