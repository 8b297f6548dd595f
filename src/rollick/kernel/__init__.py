"""The kernel: compile-time dispatch, scalars, vectors, quaternions, small solves, derivatives, and what a system is.

What a user needs to write a system:

    from rollick.kernel import cos, rate, describe, signals, sin, sqrt
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names once more, for editors and type checkers (a test compares the two)
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

# Public names and where they live; each is imported when first used, so that a command that computes nothing need not load the compiler.
_HOMES = {
    "InputError": "names",
    "absolute": "scalar",
    "acos": "scalar",
    "asin": "scalar",
    "atan": "scalar",
    "atan2": "scalar",
    "compiled": "compiled",
    "cos": "scalar",
    "cosh": "scalar",
    "describe": "system",
    "dim": "system",
    "exp": "scalar",
    "generic": "dispatch",
    "hessian": "derivative",
    "inlined": "compiled",
    "integrals": "system",
    "jacobian": "derivative",
    "kept": "hooks",
    "log": "scalar",
    "maximum": "scalar",
    "minimum": "scalar",
    "pi": "scalar",
    "rate": "system",
    "real": "scalar",
    "sign": "scalar",
    "signals": "system",
    "sin": "scalar",
    "sincos": "scalar",
    "sinh": "scalar",
    "sqrt": "scalar",
    "system_jacobian": "derivative",
    "tan": "scalar",
    "tanh": "scalar",
    "validate": "system",
}
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
    "kept",
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


class _Kernel(ModuleType):
    """This package: `compiled` is the function of that name, and not the module it stands in, which Python would put in its place."""

    @property
    def compiled(self) -> Any:
        return importlib.import_module(f"{__name__}.compiled").compiled

    @compiled.setter
    def compiled(self, module: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Kernel

if not TYPE_CHECKING:  # seen by a type checker, it would answer for every name with Any

    def __getattr__(name: str) -> Any:
        if name in _HOMES:
            return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
