"""Elements of arrays in machine code: `a[i]`, `a[i, j]`, and what is put there.

Numba puts the array into memory and reads there where it begins, how long it is and what follows what; some thirty instructions for one element, of which LLVM leaves
three. An element of an array of numbers is so common in the package that a thirtieth of a first motion went into that. Here they are written down as what is left.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types

from .numba_inside import cgutils, ir


def element_code(operation: Any, kinds: tuple) -> Callable | None:
    """What writes down an operation, if it takes an element out of an array of numbers or puts one into it; else None."""
    if operation not in (operator.getitem, operator.setitem) or len(kinds) < 2 or type(kinds[0]) is not types.Array:
        return None
    array, index, *value = kinds
    indices = index.types if isinstance(index, types.BaseTuple) else (index,)  # type: ignore[attr-defined]
    numbers = (types.Float, types.Integer, types.Complex)
    of_numbers = all(isinstance(kind, numbers) for kind in (array.dtype, *value))
    if not of_numbers or len(indices) != array.ndim or not all(isinstance(kind, types.Integer) for kind in indices):
        return None
    return _put if value else _take


def _take(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    kind, index_kind = signature.args
    array, index = given
    place = _place(context, builder, kind, array, index_kind, index)
    return context.unpack_value(builder, kind.dtype, place, align=_alignment(kind))


def _put(context: Any, builder: Any, signature: Any, given: Any) -> None:
    kind, index_kind, value_kind = signature.args
    array, index, value = given
    place = _place(context, builder, kind, array, index_kind, index)
    context.pack_value(builder, kind.dtype, context.cast(builder, value, value_kind, kind.dtype), place, align=_alignment(kind))


def _alignment(kind: Any) -> int | None:
    return None if kind.aligned else 1


def _place(context: Any, builder: Any, kind: Any, array: Any, index_kind: Any, index: Any) -> Any:
    """Where an element lies."""
    model, axes = context.data_model_manager[kind], range(kind.ndim)

    def field(name: str, *inside: int) -> Any:
        return builder.extract_value(array, [model.get_field_position(name), *inside])

    if isinstance(index_kind, types.BaseTuple):
        kinds, given = index_kind.types, cgutils.unpack_tuple(builder, index, count=kind.ndim)  # type: ignore[attr-defined]
    else:
        kinds, given = (index_kind,), (index,)
    shape = [field("shape", axis) for axis in axes]
    indices = [_from_the_start(context, builder, *each) for each in zip(kinds, given, shape)]
    if kind.ndim == 1 and kind.layout in "CF":
        return builder.gep(field("data"), indices)
    strides = [field("strides", axis) for axis in axes]
    return cgutils.get_item_pointer2(context, builder, field("data"), shape, strides, kind.layout, indices)


def _from_the_start(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index that is counted from the start, where one below zero is counted from the end."""
    if not kind.signed:
        return context.cast(builder, index, kind, types.uintp)
    whole = context.cast(builder, index, kind, types.intp)
    if isinstance(whole, ir.Constant) and isinstance(whole.constant, int) and whole.constant >= 0:
        return whole
    below = builder.icmp_signed("<", whole, whole.type(0))
    return builder.select(below, builder.add(whole, size), whole)
