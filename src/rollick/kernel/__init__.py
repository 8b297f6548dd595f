"""The kernel: compile-time dispatch, scalars, vectors, quaternions, small solves, derivatives, and what a system is.

What a user needs to write a system:

    from rollick.kernel import cos, rate, describe, signals, sin, sqrt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:  # each is imported when it is first used, so that a command that computes nothing need not load the compiler
    from .compiled import compiled as compiled
    from .compiled import inlined as inlined
    from .derivative import hessian as hessian
    from .derivative import jacobian as jacobian
    from .derivative import system_jacobian as system_jacobian
    from .dispatch import generic as generic
    from .hooks import kept as kept
    from .names import InputError as InputError
    from .scalar import absolute as absolute
    from .scalar import acos as acos
    from .scalar import asin as asin
    from .scalar import atan as atan
    from .scalar import atan2 as atan2
    from .scalar import cos as cos
    from .scalar import cosh as cosh
    from .scalar import exp as exp
    from .scalar import log as log
    from .scalar import maximum as maximum
    from .scalar import minimum as minimum
    from .scalar import pi as pi
    from .scalar import real as real
    from .scalar import sign as sign
    from .scalar import sin as sin
    from .scalar import sincos as sincos
    from .scalar import sinh as sinh
    from .scalar import sqrt as sqrt
    from .scalar import tan as tan
    from .scalar import tanh as tanh
    from .system import describe as describe
    from .system import dim as dim
    from .system import integrals as integrals
    from .system import rate as rate
    from .system import signals as signals
    from .system import validate as validate

lazily(__name__)
