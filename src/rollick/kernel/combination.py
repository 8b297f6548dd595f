"""Sums with fixed coefficients, w1 k[0, i] + w4 k[3, i] + ..., made directly as machine code.

Written out as Python, such sums cost more compilation than the rest of an integrator: every term is inferred, checked for negative indices
and lowered by itself. Here each is one operation, whose coefficients are constants of the machine code.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic as numba_intrinsic

from .abreast import ABREAST, constant
from .compiled import DISABLED

intrinsic: Any = numba_intrinsic


def combination(weights: dict[int, float]) -> Any:
    """A function (k, i) -> the sum of weights[j] k[j - 1, i] over j, in their order; k is an array of rows, counted from 1 in `weights`."""
    terms = tuple(weights.items())

    if DISABLED:
        return lambda k, i: sum(w * k[j - 1, i] for j, w in terms)

    @intrinsic
    def combine(typingctx, k, i):
        if not (isinstance(k, types.Array) and k.ndim == 2 and k.layout == "C" and k.dtype in (types.float64, ABREAST)):
            raise TypingError(f"a combination is of the rows of a table of real numbers, not of {k}")

        def codegen(context, builder, signature, args):
            table = context.make_array(k)(context, builder, args[0])
            place = context.cast(builder, args[1], i, types.intp)
            width = builder.extract_value(table.shape, 1)
            flags = ("contract",)  # as in `compiled.OPTIONS`
            total = None
            for j, w in terms:
                row = builder.mul(width, width.type(j - 1), flags=("nsw",))
                value = builder.load(builder.gep(table.data, [builder.add(row, place, flags=("nsw",))]))
                weight = constant(w) if k.dtype == ABREAST else value.type(w)
                term = builder.fmul(value, weight, flags=flags)
                total = term if total is None else builder.fadd(total, term, flags=flags)
            return total

        return k.dtype(k, i), codegen

    return combine
