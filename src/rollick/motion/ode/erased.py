"""Any system as one type for the integrators, which are then compiled once, not once per shape.

They call the system through addresses. With the system's equations inside the step of DOP853 it would be a twentieth faster, after a wait of one or two seconds for
each new system. With the number of states known while compiling, the step of two linear equations is a tenth faster, that of a rattleback a fiftieth, and a
system with another number waits for a second.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED, compiled
from ...kernel.derivative import rate_jacobian
from ...kernel.erased import COMPLEX, NO_SYSTEM, REALS, Erased, Packed, call_code, intrinsic, load, view
from ...kernel.evaluate import call_rate, rate_entry
from ...kernel.system import dim, project, rate
from .columns import Columns
from .dop853 import ROWS, dop853_trial, explicit_step
from .extended import Accumulating


class Rated(NamedTuple):
    """A system by the addresses of its data and of its rate: all that a step of DOP853 needs."""

    data: int
    rate: int


@compiled
def project_entry(address, kind, y):
    """`project` of the system at an address."""
    system = load(address, kind)
    return project(system, view(y, dim(system)))


@compiled
def step_entry(data, kind, n, code, t, y, h, k, rtol, atol):
    """A step of DOP853 of a system of n states, with its data at an address and the code of its rate at another."""
    system = Rated(data, code)
    return dop853_trial(system, n, t, view(y, n), h, view(k, (ROWS, n)), rtol, view(atol, n))


@functools.cache
def step_address() -> int:
    """Where the step of DOP853 lies."""
    whole, real = types.int64, types.float64
    return int(step_entry.by_address.address((whole, types.TypeRef(whole), whole, whole, real, REALS, real, REALS, real, REALS)))


@compiled
def jacobian_entry(address, kind, t, y, z, f, out):
    """`rate_jacobian` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    rate_jacobian(system, t, view(y, n), view(z, n), view(f, n), view(out, (n, n)))


@intrinsic
def _call_project(typingctx, address, data, y):
    return call_code(types.boolean, (y,))


@intrinsic
def _call_step(typingctx, address, data, count, code, t, y, h, k, rtol, atol):
    return call_code(types.float64, (types.int64, types.int64, types.float64, y, types.float64, k, types.float64, atol))


@intrinsic
def _call_jacobian(typingctx, address, data, t, y, z, f, out):
    return call_code(types.void, (types.float64, y, z, f, out))


@rate.register(Rated)
def _(s, t, y, out):
    call_rate(s.rate, s.data, t, y, out)


@rate.register(Erased)
def _(e, t, y, out):
    call_rate(e.rate, e.data, t, y, out)


@project.register(Erased)
def _(e, y):
    return _call_project(e.project, e.data, y) if e.project != 0 else False


@explicit_step.register(Erased)
def _(e, t, y, h, k, rtol, atol):
    return _call_step(e.step, e.data, e.states, e.rate, t, y, h, k, rtol, atol)


@rate_jacobian.register(Erased)
def _(e, t, y, z, f, out):
    _call_jacobian(e.jacobian, e.data, t, y, z, f, out)


WRAPPERS = (Accumulating, Columns)  # which project as what is inside them does


def projects(system: Any) -> bool:
    """Whether a system has a `project` of its own; most smooth ones have none, and are spared the call."""
    while isinstance(system, WRAPPERS):
        system = system.system
    return project.knows(type(system))


class Engine:
    """A system made ready for the integrators: `erased` is what they are given. Without the compiler it is the system itself."""

    def __init__(self, system: Any):
        self.system = system
        self.erased: Any = system
        if DISABLED:
            return
        self.packed = p = Packed(system)
        project_code = p.entry(project_entry, REALS) if projects(system) else 0
        self.erased = NO_SYSTEM._replace(
            data=p.address, states=int(dim(system)), rate=p.entry(rate_entry, types.float64, REALS, REALS), project=project_code
        )

    def for_explicit(self) -> Any:
        """With the step of DOP853."""
        if isinstance(self.erased, Erased) and not self.erased.step:
            self.erased = self.erased._replace(step=step_address())
        return self.erased

    def for_implicit(self) -> Any:
        """With the Jacobian of the rate: it takes complex numbers."""
        if isinstance(self.erased, Erased) and not self.erased.jacobian:
            entry = self.packed.entry(jacobian_entry, types.float64, REALS, COMPLEX, COMPLEX, REALS)
            self.erased = self.erased._replace(jacobian=entry)
        return self.erased

    def check(self, y: np.ndarray) -> None:
        """Pointers carry no length: the state must have the system's."""
        if y.size != int(dim(self.system)) or not y.flags.c_contiguous:
            raise ValueError(f"the state has {y.size} entries, the system {int(dim(self.system))}.")
