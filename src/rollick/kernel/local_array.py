"""Arrays on the stack inside compiled code: scratch without work arrays among a system's data.

    n = dim(system)                          a constant of the type, literal for whoever asks
    z = local_array((n, n), complex128)      uninitialised, gone when the function returns

The shape is known while compiling: a literal, a module constant, or a constant of a type such as `dim(system)`. Where a type has its sizes as data (`dispatch.constant`)
it need not be; a GPU cannot do that. The array must not
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


def sizes_in(shape: Any) -> tuple[Any, ...]:
    """The types of the sizes."""
    sizes: tuple[Any, ...] = tuple(shape.types) if isinstance(shape, types.BaseTuple) else (shape,)  # type: ignore[attr-defined]
    if not all(isinstance(d, types.Integer) for d in sizes):
        raise TypingError(f"local_array needs a shape of whole numbers, not {shape}")
    return sizes


def _plain_array(shape, dtype):
    """The same without the compiler: a NumPy array."""
    return np.empty(shape, np.dtype(dtype.name))


@intrinsic(prefer_literal=True)
def _stack_array(typingctx, shape, dtype):
    """An uninitialised array of this shape and element type in the stack frame of the calling function."""
    sizes = sizes_in(shape)
    kind = types.Array(dtype.dtype, len(sizes), "C")

    def of_known_shape(context, builder, signature, args):
        element = context.get_data_type(kind.dtype)
        known = [d.literal_value for d in sizes]
        room = cgutils.alloca_once(builder, ir.ArrayType(element, max(1, int(np.prod(known)))))
        room.align = 16
        width = context.get_abi_sizeof(element)
        strides = [width * int(np.prod(known[i + 1 :])) for i in range(len(known))]
        intp = context.get_value_type(types.intp)
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array,
            data=builder.bitcast(room, element.as_pointer()),
            shape=[ir.Constant(intp, n) for n in known],
            strides=[ir.Constant(intp, n) for n in strides],
            itemsize=ir.Constant(intp, width),
            meminfo=None,
        )
        return array._getvalue()

    def of_any_shape(context, builder, signature, args):
        element = context.get_data_type(kind.dtype)
        numbers = cgutils.unpack_tuple(builder, args[0]) if isinstance(shape, types.BaseTuple) else [args[0]]
        extents = [context.cast(builder, number, given, types.intp) for number, given in zip(numbers, sizes)]
        width = context.get_constant(types.intp, context.get_abi_sizeof(element))
        strides = [width]
        for extent in reversed(extents[1:]):
            strides.insert(0, builder.mul(strides[0], extent))
        total = extents[0]
        for extent in extents[1:]:
            total = builder.mul(total, extent)
        room = builder.alloca(element, size=total)
        room.align = 16
        array = context.make_array(kind)(context, builder)
        context.populate_array(array, data=room, shape=extents, strides=strides, itemsize=width, meminfo=None)
        return array._getvalue()

    known = all(isinstance(d, types.IntegerLiteral) for d in sizes)
    return kind(shape, dtype), of_known_shape if known else of_any_shape


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
