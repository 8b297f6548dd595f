"""Eight members abreast: a number that is eight floats side by side, for compiled code that brings eight motions on at once.

`ABREAST` is a type of compiled code: one vector of the processor, whose sums, products and quotients are those of floats, lane by lane.
It has no comparisons: what branches on a number cannot go abreast. Functions written for floats (`kernel.scalar`) have a form for it, or go lane by lane.

No lane ever decides about another: a lane has the same bits whatever the others hold, also if that is no number, and wherever it is. Against code for one float
sums may be rounded otherwise: the compiler is free to fuse a*b + c*d on either side (`compiled.OPTIONS`), and chooses by what surrounds it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic as numba_intrinsic

from .numba_inside import AbstractTemplate, Conversion, cgutils, ir, models, register_default, signature
from .target import lowered, typed

intrinsic: Any = numba_intrinsic
WIDTH = 8
DOUBLE, LONG = ir.DoubleType(), ir.IntType(64)
VECTOR = ir.VectorType(DOUBLE, WIDTH)
FLAGS = ("contract",)  # as in `compiled.OPTIONS`


class Abreast(types.Number):
    """The type of eight floats side by side."""

    def __init__(self) -> None:
        super().__init__(name="abreast")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A float is the same in all lanes."""
        return Conversion.promote if isinstance(other, (types.Float, types.Integer)) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """With a float it stays what it is."""
        return self if isinstance(other, (types.Float, types.Integer)) else None


ABREAST = Abreast()
LANES = types.CPointer(ABREAST)


@register_default(Abreast)
class _Model(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, VECTOR)


def splat(builder: Any, x: Any) -> Any:
    """A float in all lanes."""
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        first, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    )


def constant(x: float) -> Any:
    """A known number in all lanes."""
    return ir.Constant(VECTOR, [x] * WIDTH)


@lowered.lower_cast(types.Float, Abreast)
@lowered.lower_cast(types.Integer, Abreast)
def _from_number(context, builder, fromty, toty, val):
    return splat(builder, context.cast(builder, val, fromty, types.float64))


class _OfTwo(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) == 2 and any(isinstance(a, Abreast) for a in args):
            if all(isinstance(a, (Abreast, types.Float, types.Integer)) for a in args):
                return signature(ABREAST, ABREAST, ABREAST)
        return None


class _OfOne(AbstractTemplate):
    def generic(self, args, kws):
        return signature(ABREAST, ABREAST) if len(args) == 1 and isinstance(args[0], Abreast) else None


def _binary(names: tuple[Any, ...], made: Callable) -> None:
    for name in names:
        typed.register_global(name)(type(f"Abreast_{name.__name__}", (_OfTwo,), {"key": name}))
        lowered.lower(name, ABREAST, ABREAST)(lambda context, builder, sig, args: made(builder, *args))


_binary((operator.add, operator.iadd), lambda b, x, y: b.fadd(x, y, flags=FLAGS))
_binary((operator.sub, operator.isub), lambda b, x, y: b.fsub(x, y, flags=FLAGS))
_binary((operator.mul, operator.imul), lambda b, x, y: b.fmul(x, y, flags=FLAGS))
_binary((operator.truediv, operator.itruediv), lambda b, x, y: b.fdiv(x, y, flags=FLAGS))
typed.register_global(operator.neg)(type("Abreast_neg", (_OfOne,), {"key": operator.neg}))
typed.register_global(operator.pos)(type("Abreast_pos", (_OfOne,), {"key": operator.pos}))
lowered.lower(operator.neg, ABREAST)(lambda context, builder, sig, args: builder.fneg(args[0]))
lowered.lower(operator.pos, ABREAST)(lambda context, builder, sig, args: args[0])


def _by_processor(name: str) -> Any:
    """A function of one number that the processor has for vectors."""

    @intrinsic
    def call(typingctx, x):
        def codegen(context, builder, sig, args):
            kind = ir.FunctionType(VECTOR, [VECTOR])
            function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")
            return builder.call(function, args)

        return ABREAST(ABREAST), codegen

    return call


floor_abreast, sqrt_abreast, absolute_abreast = _by_processor("floor"), _by_processor("sqrt"), _by_processor("fabs")


@intrinsic
def same(typingctx, x):
    """A float in all lanes."""
    return ABREAST(types.float64), lambda context, builder, sig, args: splat(builder, args[0])


@intrinsic
def lane(typingctx, x, j):
    """The float in one lane."""
    return types.float64(ABREAST, types.intp), lambda context, builder, sig, args: builder.extract_element(args[0], args[1])


@intrinsic
def with_lane(typingctx, x, j, value):
    """The same with another float in one lane."""

    def codegen(context, builder, sig, args):
        return builder.insert_element(args[0], args[2], args[1])

    return ABREAST(ABREAST, types.intp, types.float64), codegen


@intrinsic
def all_below(typingctx, x, bound):
    """Whether all lanes are smaller than a bound; not so if one is not a number."""

    def codegen(context, builder, sig, args):
        below = builder.fcmp_ordered("<", args[0], splat(builder, args[1]))
        bits = builder.bitcast(below, ir.IntType(WIDTH))
        return builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(WIDTH), 2**WIDTH - 1))

    return types.boolean(ABREAST, types.float64), codegen


@intrinsic
def larger(typingctx, x, y):
    """The larger in each lane: x if x >= y else y."""

    def codegen(context, builder, sig, args):
        return builder.select(builder.fcmp_ordered(">=", *args), *args)

    return ABREAST(ABREAST, ABREAST), codegen


@intrinsic
def smaller(typingctx, x, y):
    """The smaller in each lane: x if x <= y else y."""

    def codegen(context, builder, sig, args):
        return builder.select(builder.fcmp_ordered("<=", *args), *args)

    return ABREAST(ABREAST, ABREAST), codegen


@intrinsic
def by_quadrant(typingctx, q, s, c):
    """(s, c), (c, -s), (-s, -c) or (-c, s) for the quadrants q = 0, 1, 2, 3 modulo 4."""
    pair = types.UniTuple(ABREAST, 2)

    def codegen(context, builder, sig, args):
        q, s, c = args
        longs = ir.VectorType(LONG, WIDTH)

        def same(number: int) -> Any:
            return ir.Constant(longs, [number] * WIDTH)

        quadrant = builder.and_(builder.fptosi(q, longs), same(3))
        swap = builder.icmp_unsigned("!=", builder.and_(quadrant, same(1)), same(0))
        a, b = builder.select(swap, c, s), builder.select(swap, s, c)
        back = builder.icmp_unsigned(">=", quadrant, same(2))
        left = builder.or_(builder.icmp_unsigned("==", quadrant, same(1)), builder.icmp_unsigned("==", quadrant, same(2)))
        sine, cosine = builder.select(back, builder.fneg(a), a), builder.select(left, builder.fneg(b), b)
        return context.make_tuple(builder, pair, (sine, cosine))

    return pair(ABREAST, ABREAST, ABREAST), codegen


def lane_by_lane(function: Callable) -> Callable:
    """A function of one float, of eight."""

    def call(x):
        found = same(0.0)
        for j in range(WIDTH):
            found = with_lane(found, j, function(lane(x, j)))
        return found

    return call


def pairs_by_lane(function: Callable) -> Callable:
    """A function of two floats, of eight pairs of them."""

    def call(x, y):
        found = same(0.0)
        for j in range(WIDTH):
            found = with_lane(found, j, function(lane(x, j), lane(y, j)))
        return found

    return call


@intrinsic
def load_abreast(typingctx, address, kind):
    """The values of a type at eight addresses, which lie at an address, as one, whose floats are abreast; of what is no float, the first."""

    def widened(of: Any) -> Any:
        if isinstance(of, types.Float):
            return ABREAST
        if isinstance(of, types.BaseTuple):
            inside = [widened(part) for part in of.types]  # type: ignore[attr-defined]
            if hasattr(of, "instance_class"):
                if inside and all(part == inside[0] for part in inside):
                    return types.NamedUniTuple(inside[0], len(inside), of.instance_class)
                return types.NamedTuple(inside, of.instance_class)
            return types.Tuple(inside)
        return of

    one = kind.instance_type
    many = widened(one)

    def join(context: Any, builder: Any, of: Any, into: Any, values: list[Any]) -> Any:
        if into == ABREAST and of != ABREAST:
            found = ir.Constant(VECTOR, ir.Undefined)
            for j, value in enumerate(values):
                found = builder.insert_element(
                    found, context.cast(builder, value, of, types.float64), ir.Constant(ir.IntType(32), j)
                )
            return found
        if isinstance(of, types.BaseTuple):
            parts = [
                join(context, builder, a, b, [builder.extract_value(value, i) for value in values])
                for i, (a, b) in enumerate(zip(of.types, into.types))  # type: ignore[attr-defined]
            ]
            return context.make_tuple(builder, into, parts)
        return values[0]

    def codegen(context, builder, sig, args):
        model = context.data_model_manager[one]
        values = []
        for j in range(WIDTH):
            address = builder.load(builder.gep(builder.inttoptr(args[0], LONG.as_pointer()), [ir.Constant(LONG, j)]))
            pointer = builder.inttoptr(address, model.get_data_type().as_pointer())
            values.append(model.from_data(builder, builder.load(pointer)))
        return join(context, builder, one, many, values)

    return many(types.int64, kind), codegen


def sincos_abreast(polynomials: Callable) -> Callable:
    """sin and cos of eight floats, as `scalar.sincos` of one; `polynomials` are those of it.

    Lanes with large numbers are exchanged afterwards, so that a lane has the same bits whatever is beside it.
    """

    def call(x):
        q = floor_abreast(x * 0.6366197723675814 + 0.5)
        r = (x - q * 1.57079632673412561417) - q * 6.07710050650619224932e-11
        s, c = polynomials(r)
        s, c = by_quadrant(q, s, c)
        if not all_below(absolute_abreast(x), 1e5):
            for j in range(WIDTH):
                one = lane(x, j)
                if not (math.fabs(one) < 1e5):
                    s, c = with_lane(s, j, math.sin(one)), with_lane(c, j, math.cos(one))
        return s, c

    return call


VECTORS: dict[str, Callable] = {
    "sqrt": lambda x: sqrt_abreast(x),
    "absolute": lambda x: absolute_abreast(x),
    "maximum": lambda x, y: larger(x, y),
    "minimum": lambda x, y: smaller(x, y),
}


def abreast_of(name: str, plain: Callable, polynomials: Callable) -> Callable | None:
    """The form of a function of `kernel.scalar` for eight floats; None where there is none."""
    if name in ("sign", "real"):
        return None
    if name == "sincos":
        made = sincos_abreast(polynomials)
    elif name in VECTORS:
        made = VECTORS[name]
    else:
        made = pairs_by_lane(plain) if name == "atan2" else lane_by_lane(plain)
    made.__name__ = made.__qualname__ = f"{name}_abreast"  # see `compiled.named`
    return made
