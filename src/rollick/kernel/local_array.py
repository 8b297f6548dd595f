"""Arrays on the stack inside compiled code: scratch without work arrays among a system's data.

    n = dim(system)                          a constant of the type, literal for whoever asks
    z = local_array((n, n), complex128)      uninitialised, gone when the function returns

The shape must be known while compiling: a literal, a module constant, or a constant of a type such as `dim(system)`. The array must not
outlive the function that made it (do not return or store it), and a function that makes one must not be inlined into a loop by hand: the
room is taken once per call. A few kilobytes at most. On a GPU the scratch lives in registers or in local memory. Without the compiler
(`NUMBA_DISABLE_JIT=1`) it is a plain NumPy array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import complex128, float64, int64, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from .compiled import DISABLED
from .numba_inside import cgutils, ir

__all__ = ["complex128", "float64", "int64", "local_array", "square"]


def literal_shape(shape: Any) -> tuple[int, ...]:
    """The sizes, if all of them are known while compiling."""
    if isinstance(shape, types.IntegerLiteral):
        return (shape.literal_value,)
    if isinstance(shape, types.BaseTuple) and all(isinstance(d, types.IntegerLiteral) for d in shape.types):  # type: ignore[attr-defined]
        return tuple(d.literal_value for d in shape.types)  # type: ignore[attr-defined]
    raise TypingError(f"local_array needs a shape that is known while compiling, not {shape}")


def _plain_array(shape, dtype):
    """The same without the compiler: a NumPy array."""
    return np.empty(shape, np.dtype(dtype.name))


@intrinsic(prefer_literal=True)
def _stack_array(typingctx, shape, dtype):
    """An uninitialised array of this shape and element type in the stack frame of the calling function."""
    sizes = literal_shape(shape)
    kind = types.Array(dtype.dtype, len(sizes), "C")

    def codegen(context, builder, signature, args):
        element = context.get_data_type(kind.dtype)
        room = cgutils.alloca_once(builder, ir.ArrayType(element, max(1, int(np.prod(sizes)))))
        room.align = 16
        width = context.get_abi_sizeof(element)
        strides = [width * int(np.prod(sizes[i + 1 :])) for i in range(len(sizes))]
        intp = context.get_value_type(types.intp)
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array,
            data=builder.bitcast(room, element.as_pointer()),
            shape=[ir.Constant(intp, n) for n in sizes],
            strides=[ir.Constant(intp, n) for n in strides],
            itemsize=ir.Constant(intp, width),
            meminfo=None,
        )
        return array._getvalue()

    return kind(shape, dtype), codegen


local_array: Any = _plain_array if DISABLED else _stack_array


def _plain_square(numbers, m):
    """The same without the compiler."""
    return numbers.reshape((m, m))


@intrinsic
def _square(typingctx, numbers, m):
    """m*m numbers in a row as a square matrix, in place: what `reshape` does, which calls a function of the runtime library that a GPU does not have."""
    if not (isinstance(numbers, types.Array) and numbers.ndim == 1 and numbers.layout == "C"):
        raise TypingError(f"square needs numbers one after the other, not {numbers}")
    kind = types.Array(numbers.dtype, 2, "C")

    def codegen(context, builder, signature, args):
        side = context.cast(builder, args[1], signature.args[1], types.intp)
        row = context.make_array(numbers)(context, builder, args[0])
        width = row.itemsize
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array, data=row.data, shape=[side, side], strides=[builder.mul(width, side), width], itemsize=width, meminfo=None
        )  # fmt: skip
        return array._getvalue()

    return kind(numbers, m), codegen


square: Any = _plain_square if DISABLED else _square
