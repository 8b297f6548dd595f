"""Scalar mathematics on floats and on complex numbers, in Python, in machine code and in CUDA kernels.

Inside kernels use these, not NumPy's: NumPy's functions on scalars do not compile for CUDA, and the ones here are chosen
so that the *complex step* works: at x + i*eps*v every function returns f(x) + i*eps*f'(x)*v + O(eps^2). Comparisons are
made on the real part, so that `absolute`, `maximum` and `minimum` are differentiated on the branch that is taken.
"""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from numba import types
from numba.extending import overload, register_jitable

from .abreast import Abreast, abreast_of
from .compiled import OPTIONS, named

pi = math.pi

# A number that compiled code computes with: a float, a complex number (which carries a derivative), or lanes of floats (`abreast`).
Scalar: TypeAlias = Any
JIT_OPTIONS: Any = {"error_model": OPTIONS["error_model"], "fastmath": OPTIONS["fastmath"], "forceinline": True}


@functools.cache
def inside(function: Callable) -> Callable:
    """A plain function that compiled code may call too."""
    return register_jitable(**JIT_OPTIONS)(function)


def _unary(name: str, doc: str, for_float: Callable, for_complex: Callable) -> Any:
    """A function of one scalar `x` that picks its implementation by the type of x, when compiled at compile time."""
    named(for_float, f"{name}_of_float")
    named(for_complex, f"{name}_of_complex")

    def call(x):
        return for_complex(x) if isinstance(x, complex) else for_float(x)

    def choose(x):
        if isinstance(x, Abreast):
            return abreast_of(name, inside(for_float), near_zero)
        return for_complex if isinstance(x, types.Complex) else for_float

    overload(call, jit_options=JIT_OPTIONS)(choose)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


def _binary(name: str, doc: str, for_float: Callable, for_complex: Callable) -> Any:
    """As `_unary` for two scalars `x, y`: complex if either is."""
    named(for_float, f"{name}_of_floats")
    named(for_complex, f"{name}_of_complexes")

    def call(x, y):
        return for_complex(x, y) if isinstance(x, complex) or isinstance(y, complex) else for_float(x, y)

    def choose(x, y):
        if isinstance(x, Abreast) or isinstance(y, Abreast):
            return abreast_of(name, inside(for_float), near_zero)
        return for_complex if isinstance(x, types.Complex) or isinstance(y, types.Complex) else for_float

    overload(call, jit_options=JIT_OPTIONS)(choose)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


def _atan2_complex(x, y):
    # The analytic continuation to first order, which is all a complex step needs: d atan2(x, y) = (y dx - x dy)/(x^2 + y^2).
    u, v = complex(x.real, x.imag), complex(y.real, y.imag)  # not x + 0j, which loses the sign of a zero
    slope = (v.real * u.imag - u.real * v.imag) / (u.real * u.real + v.real * v.real)
    return complex(math.atan2(u.real, v.real), slope)


def _maximum_complex(x, y):
    u, v = x + 0j, y + 0j
    return u if u.real >= v.real else v


def _minimum_complex(x, y):
    u, v = x + 0j, y + 0j
    return u if u.real <= v.real else v


@register_jitable(**JIT_OPTIONS)
def near_zero(r):
    """(sin r, cos r) for |r| at most pi/4: the minimax polynomials of fdlibm."""
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (
        1.0
        - 0.5 * z
        + z
        * z
        * (
            4.16666666666666019037e-02
            + z
            * (
                -1.38888888888741095749e-03
                + z
                * (
                    2.48015872894767294178e-05
                    + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))
                )
            )
        )
    )
    return s, c


def _sincos_float(x):
    # Reduction by multiples of pi/2 in two parts (the first of 33 bits, so that q times it is exact), then
    # polynomials. One reduction for both: twice as fast as two library calls, and it inlines.
    if not (math.fabs(x) < 1e5):
        return math.sin(x), math.cos(x)
    q = math.floor(x * 0.6366197723675814 + 0.5)
    r = (x - q * 1.57079632673412561417) - q * 6.07710050650619224932e-11
    s, c = near_zero(r)
    # Branch-free choice by quadrant: 0: (s, c), 1: (c, -s), 2: (-s, -c), 3: (-c, s).
    quadrant = int(q) & 3
    swap = quadrant & 1
    a = c if swap else s
    b = s if swap else c
    return (-a if quadrant >= 2 else a), (-b if quadrant == 1 or quadrant == 2 else b)


sincos = _unary("sincos", "The pair (sin x, cos x).", _sincos_float, lambda x: (cmath.sin(x), cmath.cos(x)))
sqrt = _unary("sqrt", "Square root.", lambda x: math.sqrt(x), lambda x: cmath.sqrt(x))
sin = _unary("sin", "Sine.", lambda x: math.sin(x), lambda x: cmath.sin(x))
cos = _unary("cos", "Cosine.", lambda x: math.cos(x), lambda x: cmath.cos(x))
tan = _unary("tan", "Tangent.", lambda x: math.tan(x), lambda x: cmath.tan(x))
asin = _unary("asin", "Inverse sine.", lambda x: math.asin(x), lambda x: cmath.asin(x))
acos = _unary("acos", "Inverse cosine.", lambda x: math.acos(x), lambda x: cmath.acos(x))
atan = _unary("atan", "Inverse tangent.", lambda x: math.atan(x), lambda x: cmath.atan(x))
exp = _unary("exp", "Exponential.", lambda x: math.exp(x), lambda x: cmath.exp(x))
log = _unary("log", "Natural logarithm.", lambda x: math.log(x), lambda x: cmath.log(x))
sinh = _unary("sinh", "Hyperbolic sine.", lambda x: math.sinh(x), lambda x: cmath.sinh(x))
cosh = _unary("cosh", "Hyperbolic cosine.", lambda x: math.cosh(x), lambda x: cmath.cosh(x))
tanh = _unary("tanh", "Hyperbolic tangent.", lambda x: math.tanh(x), lambda x: cmath.tanh(x))
real = _unary("real", "Real part: what to compare on.", lambda x: float(x), lambda x: x.real)
absolute = _unary(
    "absolute",
    "Absolute value, by the sign of the real part.",
    lambda x: math.fabs(x),
    lambda x: x if x.real >= 0.0 else -x,
)
sign = _unary(
    "sign",
    "-1.0, 0.0 or 1.0, by the real part.",
    lambda x: 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0),
    lambda x: 1.0 if x.real > 0.0 else (-1.0 if x.real < 0.0 else 0.0),
)
atan2 = _binary("atan2", "Angle of the point (y, x): atan2(sine, cosine).", lambda x, y: math.atan2(x, y), _atan2_complex)
maximum = _binary("maximum", "The larger, by the real part.", lambda x, y: x if x >= y else y, _maximum_complex)
minimum = _binary("minimum", "The smaller, by the real part.", lambda x, y: x if x <= y else y, _minimum_complex)
