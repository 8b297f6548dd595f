"""Any system as one type for the integrators, which are then compiled once, not once per shape.

The step of DOP853 is compiled with the system's equations inside, since it is where the time goes; everything around it (control, dense output,
output times, the stiff method) calls the system through addresses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED, compiled
from ...kernel.derivative import rate_jacobian
from ...kernel.erased import COMPLEX, REALS, Packed, call_code, intrinsic, load, view
from ...kernel.system import dim, project, rate
from .columns import Columns
from .dop853 import ROWS, dop853_trial, explicit_step
from .extended import Accumulating


class Erased(NamedTuple):
    """A system by addresses: of its data and of its functions (the Jacobian's is 0 until it is asked for)."""

    data: int
    rate: int
    project: int
    step: int
    jacobian: int


@compiled
def rate_entry(address, kind, t, y, out):
    """`rate` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    rate(system, t, view(y, n), view(out, n))


@compiled
def project_entry(address, kind, y):
    """`project` of the system at an address."""
    system = load(address, kind)
    return project(system, view(y, dim(system)))


@compiled
def step_entry(address, kind, t, y, h, k, rtol, atol):
    """A step of DOP853 of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    return dop853_trial(system, n, t, view(y, n), h, view(k, (ROWS, n)), rtol, view(atol, n))


@compiled
def jacobian_entry(address, kind, t, y, z, f, out):
    """`rate_jacobian` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    rate_jacobian(system, t, view(y, n), view(z, n), view(f, n), view(out, (n, n)))


@intrinsic
def _call_rate(typingctx, address, data, t, y, out):
    return call_code(types.void, (types.float64, y, out))


@intrinsic
def _call_project(typingctx, address, data, y):
    return call_code(types.boolean, (y,))


@intrinsic
def _call_step(typingctx, address, data, t, y, h, k, rtol, atol):
    return call_code(types.float64, (types.float64, y, types.float64, k, types.float64, atol))


@intrinsic
def _call_jacobian(typingctx, address, data, t, y, z, f, out):
    return call_code(types.void, (types.float64, y, z, f, out))


@rate.register(Erased)
def _(e, t, y, out):
    _call_rate(e.rate, e.data, t, y, out)


@project.register(Erased)
def _(e, y):
    return _call_project(e.project, e.data, y) if e.project != 0 else False


@explicit_step.register(Erased)
def _(e, t, y, h, k, rtol, atol):
    return _call_step(e.step, e.data, t, y, h, k, rtol, atol)


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
        real = types.float64
        self.erased = Erased(
            p.address,
            p.entry(rate_entry, real, REALS, REALS),
            p.entry(project_entry, REALS) if projects(system) else 0,
            0,
            0,
        )

    def for_explicit(self) -> Any:
        """With the step of DOP853."""
        if isinstance(self.erased, Erased) and not self.erased.step:
            real = types.float64
            self.erased = self.erased._replace(step=self.packed.entry(step_entry, real, REALS, real, REALS, real, REALS))
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
