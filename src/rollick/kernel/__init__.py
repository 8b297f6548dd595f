"""The kernel: compile-time dispatch, scalars, vectors, quaternions, small solves, derivatives, and what a system is.

What a user needs to write a system:

    from rollick.kernel import cos, rate, describe, signals, sin, sqrt
"""

from .compiled import compiled, inlined
from .derivative import hessian, jacobian, system_jacobian
from .dispatch import generic
from .names import InputError
from .scalar import (
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    log,
    maximum,
    minimum,
    pi,
    real,
    sign,
    sin,
    sincos,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .system import describe, dim, integrals, rate, signals, validate

__all__ = [
    "InputError",
    "absolute",
    "acos",
    "asin",
    "atan",
    "atan2",
    "compiled",
    "cos",
    "cosh",
    "describe",
    "dim",
    "exp",
    "generic",
    "hessian",
    "inlined",
    "integrals",
    "jacobian",
    "log",
    "maximum",
    "minimum",
    "pi",
    "rate",
    "real",
    "sign",
    "signals",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "system_jacobian",
    "tan",
    "tanh",
    "validate",
]
