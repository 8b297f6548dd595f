"""The rate of a system as a function of states and of some of its numbers: values, exact Jacobians, complex values.

The system is packed in memory once (`kernel.erased`). A parameter, a float field of the system or of a part of it, is a place in that memory: to
change it is to write eight bytes, and the same machine code goes on. Derivatives with respect to the states are by complex step; those with
respect to parameters, which are real in machine code, by central differences of order six.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED, compiled
from ...kernel.compiling import compiling
from ...kernel.derivative import rate_jacobian
from ...kernel.erased import COMPLEX, Packed, call_code, intrinsic, load, view
from ...kernel.names import InputError, called
from ...kernel.paths import path_of, replaced, value_at
from ...kernel.system import description, dim, rate
from ...kernel.trial import try_once
from ...motion.methods import has_dry_friction
from ...motion.ode.columns import WEIGHTS
from ...motion.ode.erased import Engine
from ...motion.start import check_system, with_rate

STEP = 3e-3  # of such differences, times the size of what is changed


@compiled
def complex_rate_entry(address, kind, t, y, out):
    """`rate` of the system at an address, at a complex state."""
    system = load(address, kind)
    n = dim(system)
    rate(system, t, view(y, n), view(out, n))


@intrinsic
def _call_complex_rate(typingctx, address, data, t, y, out):
    return call_code(types.void, (types.float64, y, out))


@compiled
def _complex_rates(entry, data, t, y, out):
    for i in range(y.shape[0]):
        _call_complex_rate(entry, data, t, y[i], out[i])


@compiled
def _rate_and_jacobian(system, t, y, z, f, value, matrix):
    rate(system, t, y, value)
    rate_jacobian(system, t, y, z, f, matrix)


@compiled
def _rate(system, t, y, value):
    rate(system, t, y, value)


class Field:
    """y -> rate(y; parameters). One thread at a time: parameters are places in memory."""

    def __init__(self, system: Any, parameters: tuple[str, ...] = ()):
        system = check_system(with_rate(system))
        if has_dry_friction(system):
            raise InputError(
                f"{called(system)} has dry friction: its rates jump at zero slip, so that they have no Jacobian there. Take a smooth law "
                f"(mechanics.laws), or the tools for such fields in analysis.filippov."
            )
        self.system, self.n = system, int(dim(system))
        self.names = tuple(q.name for q in description(system).states)
        self.paths = tuple(path_of(system, name) for name in parameters)
        self.values = [value_at(system, path) for path in self.paths]
        self.own = list(self.values)
        self.sizes = [abs(v) or 1.0 for v in self.values]  # typical sizes, for differences
        self._z, self._f = np.empty(self.n, complex), np.empty(self.n, complex)
        with compiling("the Jacobian", system):
            self._engine = Engine(system)
            self._erased = self._engine.for_implicit()
            self._complex = 0
            self._places = [] if DISABLED else [self._place(path) for path in self.paths]

    def _place(self, path: str) -> np.ndarray:
        """The eight bytes of a parameter in the packed system: those that differ when it is packed with another value."""
        here = value_at(self.system, path)
        other = Packed(replaced(self.system, path, -here - 1.2345678901))
        mine = self._engine.packed.bytes
        differ = np.flatnonzero(mine != other.bytes)
        words = np.unique(differ // 8)
        if words.size != 1 or mine[8 * words[0] : 8 * words[0] + 8].view(np.float64)[0] != here:
            raise InputError(f"{path} of {called(self.system)} is not one number in memory, and cannot be a parameter.")
        return mine[8 * words[0] : 8 * words[0] + 8].view(np.float64)

    def set(self, values: Any) -> None:
        """Give the parameters other values."""
        for k, value in enumerate(values):
            value = float(value)
            if value != self.values[k]:
                self.values[k] = value
                if self._places:
                    self._places[k][0] = value
                else:
                    self._erased = replaced(self._erased, self.paths[k], value)

    def at(self, values: Any) -> Any:
        """The system with these values of the parameters."""
        system = self.system
        for path, value in zip(self.paths, values):
            system = replaced(system, path, float(value))
        return system

    def try_at(self, y: np.ndarray) -> None:
        """Refuse a rate that does not do what it must, and one that depends on time."""
        try_once(self.system, 0.0, y)
        a, b = np.empty(self.n), np.empty(self.n)
        _rate(self._erased, 0.0, y, a)
        _rate(self._erased, 1.2345, y, b)
        if not np.array_equal(a, b, equal_nan=True):
            raise InputError(
                f"the rate of {called(self.system)} depends on time: it has no steady motions. Its periodic orbits are what to look for."
            )

    def rate(self, y: np.ndarray) -> np.ndarray:
        """The rates at a state."""
        value = np.empty(self.n)
        _rate(self._erased, 0.0, y, value)
        return value

    def rate_and_jacobian(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rates and their derivatives with respect to the states."""
        value, matrix = np.empty(self.n), np.empty((self.n, self.n))
        _rate_and_jacobian(self._erased, 0.0, y, self._z, self._f, value, matrix)
        return value, matrix

    def complex_rates(self, states: np.ndarray) -> np.ndarray:
        """The rates at complex states, one in each row."""
        states = np.ascontiguousarray(states, complex)
        out = np.empty_like(states)
        if DISABLED:
            for y, o in zip(states, out):
                rate(self._erased, 0.0, y, o)
            return out
        if not self._complex:
            with compiling("the rate at complex states", self.system):
                self._complex = self._engine.packed.entry(complex_rate_entry, types.float64, COMPLEX, COMPLEX)
        _complex_rates(self._complex, self._engine.packed.address, 0.0, states, out)
        return out

    def slope(self, what: Any, k: int) -> np.ndarray:
        """d what() / d parameter k, by differences of order six; what() is evaluated with the parameter changed."""
        here = list(self.values)
        step = STEP * self.sizes[k]
        for _ in range(8):  # shorter where the equations do not hold on both sides
            total: Any = 0.0
            for j, weight in enumerate(WEIGHTS, 1):
                for sign in (1.0, -1.0):
                    self.set([*here[:k], here[k] + sign * j * step, *here[k + 1 :]])
                    total = total + sign * weight * what()
            self.set(here)
            if np.all(np.isfinite(total)):
                return total / step
            step *= 0.1
        return total / step
