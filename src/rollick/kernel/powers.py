"""Powers of complex numbers by whole exponents, in compiled code: by products, as Python and NumPy take them.

Numba takes every power of a complex number but the square by its logarithm, exp(n log x). Complex steps, which tell derivatives (`derivative`), carry them in an imaginary part of 1e-100: for
negative x the angle of x + 1e-100 i is pi, to rounding, and what came out as the derivative of x**3 was noise of rounding, 1e-16 times 1e100. Products keep it. Code
of the package takes products (`target.Context`), for `**` and `**=`; the exponents of others than whole numbers up to `MOST` are Numba's own.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types

from .numba_inside import cgutils, complex_power_impl, signature

MOST = 100.0  # the largest exponent taken by products, as in Python


def _is_whole(exponent):
    return exponent.imag == 0.0 and abs(exponent.real) <= MOST and float(int(exponent.real)) == exponent.real


def _by_products(x, exponent):
    n = int(abs(exponent.real))
    found, square = x * 0.0 + 1.0, x
    if n > 0:
        found = x
        n -= 1
    while n > 0:
        if n & 1:
            found = found * square
        n >>= 1
        if n > 0:
            square = square * square
    return found if exponent.real >= 0.0 else 1.0 / found


def is_complex_power(function: Any, sig: Any) -> bool:
    """Whether a function that is asked for is the power of a complex number by a complex one."""
    if len(sig.args) != 2 or not all(isinstance(kind, types.Complex) for kind in sig.args):
        return False
    key = function.get_impl_key(sig) if isinstance(function, types.Function) else function
    return key in (operator.pow, operator.ipow)


def complex_power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """x ** n."""
    result = cgutils.alloca_once(builder, context.get_value_type(sig.return_type))
    whole = context.compile_internal(builder, _is_whole, signature(types.boolean, sig.args[1]), (args[1],))
    with builder.if_else(whole) as (products, logarithm):
        with products:
            builder.store(context.compile_internal(builder, _by_products, sig, args), result)
        with logarithm:
            builder.store(complex_power_impl(context, builder, sig, args), result)
    return builder.load(result)
