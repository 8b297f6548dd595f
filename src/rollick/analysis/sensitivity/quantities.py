"""What can be asked of a motion by name, or as a function of (t, y) or (system, t, y): values, and derivatives along a direction.

A direction is (tau, w, d): the time moves by tau, the states (and integrals) by w, the parameters by d; the derivative of a quantity g along it is
g_t tau + grad g . w + g_p d. By complex step, which is compared with differences at the first instant it is used at: a function that
drops imaginary parts (`abs`, `float`) is noticed, and differentiated by differences of order six.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ...kernel.compiling import compiling
from ...kernel.derivative import EPS
from ...kernel.evaluate import signals_along
from ...kernel.names import InputError, called, choose
from ...kernel.system import description
from ...kernel.trial import try_signals
from ...motion.hybrid.saltation import time_shift
from .complex_signals import complex_signals
from .tilt import slope_along, tilted

AGREE = 1e-5  # relative: how well a complex step and differences agree, if both are right


class Quantity:
    """A quantity of a system: a state, an accumulated integral, a signal, or a function."""

    def __init__(self, system: Any, what: Any, integrals: int = 0):
        self.system = system
        about = description(system)
        self.n = len(about.states)
        kept = [*about.states, *about.integrals[:integrals]]
        self.place = self.signal = -1
        self.function: Callable | None = None
        self.by_differences = False
        self._checked = False
        if callable(what):
            self.function = getattr(what, "py_func", what)
            self.name, self.unit = getattr(what, "__name__", "function"), ""
            self.count = len(inspect.signature(self.function).parameters)
            if self.count not in (2, 3):
                raise InputError(f"the function {self.name} takes {self.count} arguments; write f(t, y) or f(system, t, y).")
            return
        names = [q.name for q in (*kept, *about.signals)]
        self.name = choose(what, names, f"state, signal or integral of {called(system)}")
        self.unit = next(q.unit for q in (*kept, *about.signals) if q.name == self.name)
        if self.name in names[: len(kept)]:
            self.place = names.index(self.name)
        else:
            self.signal = names.index(self.name) - len(kept)
            self.signals = len(about.signals)

    def values(self, t: Any, y: np.ndarray, system: Any = None) -> np.ndarray:
        """At some instants; `y` one row each, states and integrals."""
        system = self.system if system is None else system
        t = np.atleast_1d(np.asarray(t, float))
        if self.place >= 0:
            return y[:, self.place].astype(float)
        states = np.ascontiguousarray(y[:, : self.n], float)
        if self.function is not None:
            return np.array([float(np.real(self.call(system, t[i], states[i]))) for i in range(t.size)])
        out = np.empty((t.size, self.signals))
        with compiling("the signals", system):
            try_signals(system, float(t[0]), states[0])
            signals_along(system, t, states, out)
        return out[:, self.signal]

    def call(self, system: Any, t: Any, y: np.ndarray) -> Any:
        """A user's function at one instant."""
        assert self.function is not None
        found = self.function(t, y) if self.count == 2 else self.function(system, t, y)
        if np.ndim(found):
            raise InputError(f"the function {self.name} returns {np.size(found)} numbers; let it return one.")
        return found

    def slopes(self, t: Any, y: np.ndarray, tau: Any, w: np.ndarray, direction: Mapping[str, float]) -> np.ndarray:
        """The derivatives along (tau, w, direction) at some instants; y and w one row each."""
        t = np.atleast_1d(np.asarray(t, float))
        tau = np.broadcast_to(np.asarray(tau, float), t.shape)
        if self.place >= 0:
            return w[:, self.place].copy()
        if not self._checked:
            self._check(t[:1], y[:1], tau[:1], w[:1], direction)
        if self.by_differences:
            return self._differences(t, y, tau, w, direction)
        return self._complex(t, y, tau, w, direction)

    def time_shift(self, t: float, y: np.ndarray, w: np.ndarray, f: np.ndarray, direction: Mapping[str, float]) -> Any:
        """How the instant at which it passes a level moves, with a column or with each of several (n, k): `hybrid.saltation.time_shift`, f being the rate at (t, y)."""
        ways = np.atleast_2d(w.T)
        moves = self.slopes(np.full(len(ways), t), np.tile(y, (len(ways), 1)), 0.0, ways, direction)
        dt = time_shift(moves, float(self.slopes(t, y[None], 1.0, f[None], {})[0]))
        return dt if w.ndim > 1 else float(dt[0])

    def _check(self, t: np.ndarray, y: np.ndarray, tau: np.ndarray, w: np.ndarray, direction: Mapping[str, float]) -> None:
        """Whether a complex step can be trusted: along the direction given, and along one that moves everything."""
        every = np.ones_like(w) * (1.0 + np.abs(y[:, : w.shape[1]]))
        try:
            for d in (w, every):
                exact, near = self._complex(t, y, tau, d, direction), self._differences(t, y, tau, d, direction)
                size = max(1e-300, float(np.abs(near).max()), 1e-8 * float(np.abs(self.values(t, y)).max()))
                if not np.all(np.abs(exact - near) <= AGREE * size):
                    self.by_differences = True
        except (NumbaError, TypeError, ValueError):  # it takes no complex numbers
            self.by_differences = True
        self._checked = bool(direction) or self.by_differences  # once more when a parameter changes

    def _complex(
        self, t: np.ndarray, y: np.ndarray, tau: np.ndarray, w: np.ndarray, direction: Mapping[str, float]
    ) -> np.ndarray:
        other = tilted(self.system, direction)
        times = t + 1j * EPS * tau
        states = np.ascontiguousarray(y[:, : self.n] + 1j * EPS * w[:, : self.n])
        if self.function is not None:
            found = [complex(self.call(other, times[i], states[i])) for i in range(t.size)]
            return np.array(found).imag / EPS
        out = np.empty((t.size, self.signals), complex)
        with compiling("the derivatives of the signals", self.system):
            complex_signals(other, times, states, out)
        return out[:, self.signal].imag / EPS

    def _differences(
        self, t: np.ndarray, y: np.ndarray, tau: np.ndarray, w: np.ndarray, direction: Mapping[str, float]
    ) -> np.ndarray:
        return slope_along(lambda s, t, y: self.values(t, y, s), self.system, t, y[:, : w.shape[1]], tau, w, direction)
