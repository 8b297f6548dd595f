"""How the columns of a system are had: by one complex step of states and parameters, where its equations take it, or else by comparing neighbours."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import NumbaError

from ...kernel.compiled import DISABLED
from ...kernel.compiling import compiling
from ...kernel.derivative import EPS
from ...kernel.erased import COMPLEX, Packed, outline
from ...kernel.evaluate import rate_at
from ...kernel.system import rate
from ...motion.hybrid.differences import STEP, difference
from ...motion.ode.columns import Neighbours, Tilted, columns_of
from ...motion.ode.erased import Engine
from ...motion.ode.extended import Accumulating
from ...motion.problem import Problem
from ..steady.field import _complex_rates, complex_rate_entry
from .tilt import moved, tilted

COMPLEX_STEP, NEIGHBOURS = "complex step", "neighbours"
AGREE = 1e-6  # relative: how well both agree where both hold
_kinds: dict[Any, bool] = {}  # types whose equations take complex parameters
_right: dict[Any, bool] = {}  # types and parameters whose imaginary parts come through


def column_system(system: Any, direction: Mapping[str, float], problem: Problem) -> tuple[str, Any]:
    """How it is done, and the system with its column."""
    m = problem.m
    wrap = Accumulating if m else (lambda s: s)
    other = wrap(tilted(system, direction))
    y = np.concatenate([problem.start, problem.sums])
    key = outline(other), tuple(direction)
    if key not in _right:
        _right[key] = takes_complex(other, y, problem.t0) and _agrees(system, other, direction, y, problem.t0, wrap)
    if _right[key]:
        return COMPLEX_STEP, columns_of(wrap(system), 1, Tilted(other))
    step = STEP if direction else 0.0
    above = tuple(wrap(moved(system, direction, k * step)) for k in (1, 2, 3))
    below = tuple(wrap(moved(system, direction, -k * step)) for k in (1, 2, 3))
    return NEIGHBOURS, columns_of(wrap(system), 1, Neighbours(above, below, 1.0 / step if direction else 0.0))


def takes_complex(other: Any, y: np.ndarray, t: float) -> bool:
    """Whether the equations of a tilted system can be compiled."""
    key = outline(other)
    if key not in _kinds:
        try:
            with compiling("the sensitivities", other):
                ComplexRate(other)(t, y.astype(complex))
            _kinds[key] = True
        except (NumbaError, TypeError):
            _kinds[key] = False
    return _kinds[key]


class ComplexRate:
    """The rate of a tilted system at complex states."""

    def __init__(self, system: Any):
        self.system = system
        if not DISABLED:
            self.packed = Packed(system)
            self.entry = self.packed.entry(complex_rate_entry, types.float64, COMPLEX, COMPLEX)

    def __call__(self, t: float, z: np.ndarray) -> np.ndarray:
        out = np.empty((1, z.size), complex)
        if DISABLED:
            rate(self.system, t, z, out[0])
        else:
            _complex_rates(self.entry, self.packed.address, float(t), np.ascontiguousarray(z[None]), out)
        return out[0]


def real_rate(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """The rate of a system."""
    out = np.empty(y.size)
    engine = Engine(system)
    rate_at(engine.erased, float(t), y, out)
    return out


def _moved_rate(system: Any, direction: Mapping[str, float], t: float, x: np.ndarray, wrap: Any, h: float) -> np.ndarray:
    return real_rate(wrap(moved(system, direction, h)), t, x)


def _agrees(system: Any, other: Any, direction: Mapping[str, float], y: np.ndarray, t: float, wrap: Any) -> bool:
    """Whether the imaginary parts that parameters make come through, at the start and at states around it."""
    if not direction:
        return True
    rng = np.random.default_rng(0)
    for k in range(3):
        x = np.ascontiguousarray(y if k == 0 else y + 0.1 * (0.1 + np.abs(y)) * rng.normal(size=y.size))
        exact = ComplexRate(other)(t, x.astype(complex)).imag / EPS
        near = difference(functools.partial(_moved_rate, system, direction, t, x, wrap))
        if not np.all(np.isfinite(near)):
            continue
        size = max(float(np.abs(near).max()), 1e-9 * float(np.abs(real_rate(wrap(system), t, x)).max()))
        if np.abs(exact - near).max() > AGREE * size:
            return False
    return True
