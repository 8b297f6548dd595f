"""Parameters of systems by name, and a system with its transition matrix and with what its flow owes to one of them.

States (y, Phi, w) with

    y' = f(t, y, p),   Phi' = J Phi,   w' = J w + f_p,      Phi(0) = 1,  w(0) = 0

(`motion.ode.columns`). A system whose equations do not take a complex parameter (they compare it, say) is compared with its neighbours instead.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...kernel.derivative import EPS
from ...kernel.names import InputError, called, choose
from ...kernel.system import dim
from ...motion.ode.columns import Columns, Neighbours, Tilted, columns_of

NEAR = 1e-5  # relative distance of neighbours where two are compared
STEP = 2e-3  # the same for differences of order six


def parameter_of(system: Any, name: str) -> float:
    """The value of a parameter, a field of a system or of one of its parts ("law.mu")."""
    if not isinstance(name, str):
        raise InputError(f"the parameter {name!r} of {called(system)} is no name; write e.g. parameter='mu' or 'law.mu'.")
    value = system
    for part in name.split("."):
        if not hasattr(value, "_fields"):
            raise InputError(f"{called(system)} has no parameter {name!r}: {part!r} has no parts.")
        value = getattr(value, choose(part, value._fields, f"parameter of {called(system)}"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"the parameter {name!r} of {called(system)} is {value!r}, not a number.")
    return float(value)


def with_parameter(system: Any, name: str, value: Any) -> Any:
    """The same system with another value of a parameter, a field of it or of one of its parts."""
    *path, last = name.split(".")
    holders = [system]
    for part in path:
        holders.append(getattr(holders[-1], part))
    steps = list(zip(holders, [*path, last]))
    return reduce(lambda inner, step: step[0]._replace(**{step[1]: inner}), reversed(steps), value)


def tilted(system: Any, name: str) -> Any:
    """The system with the parameter p + i eps."""
    return with_parameter(system, name, complex(parameter_of(system, name), EPS))


def sensitive(system: Any, name: str) -> Columns:
    """A system with derivatives with respect to a parameter."""
    return columns_of(system, int(dim(system)) + 1, Tilted(tilted(system, name)))


def compared(system: Any, name: str) -> Columns:
    """The same by comparison with neighbours."""
    p = parameter_of(system, name)
    h = STEP * max(1.0, abs(p))
    above, below = (tuple(with_parameter(system, name, p + sign * k * h) for k in (1, 2, 3)) for sign in (1.0, -1.0))
    return columns_of(system, int(dim(system)) + 1, Neighbours(above, below, 1.0 / h))
