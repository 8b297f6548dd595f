"""Convex shapes, told by their support map: the point of the surface whose outward normal is n.

    support(shape, n)            the farthest point p(n) in the direction of the unit vector n, in the shape's own axes
    support_rate(shape, n, dn)   its derivative along dn: p'(n) dn, dn perpendicular to n

On a plane with upward normal gamma (seen from the body) the contact point is p(-gamma). A new shape needs one function, `support`, written
with `rollick.kernel` scalars; its derivative is then taken by complex step. Shapes combine: the Minkowski sum of two convex shapes has
the sum of their support maps, so that `Sum(shape, Sphere(r))` is the shape with its edges rounded. How smooth a shape is, `smoothness(shape)` tells.
"""

from __future__ import annotations

from numbers import Number
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ...kernel.compiled import inlined
from ...kernel.derivative import EPS
from ...kernel.dispatch import generic
from ...kernel.names import InputError, called, numbers
from ...kernel.scalar import Scalar, real, sqrt
from ...kernel.sources import is_foreign
from ...kernel.system import validate
from ...kernel.vector import Vector, add, matvec, scale, sub, vecmat
from ..mass.properties import rotation_matrix


class Sphere(NamedTuple):
    """A sphere about the origin."""

    radius: float


class Ellipsoid(NamedTuple):
    """An ellipsoid with semi-axes a, b, c along the body axes."""

    a: float
    b: float
    c: float


class Torus(NamedTuple):
    """The outer half of a torus about e3: a circle of radius R, thickened by r. Lying flat it would touch along a circle."""

    R: float
    r: float


class Rim(NamedTuple):
    """A thin edge: a circle of radius R about e3 (disk, hoop)."""

    R: float


class Cylinder(NamedTuple):
    """A solid of two edges: a circular cylinder of radius R and height h about e3, its middle at the origin (a can, a cup, a coin with its thickness)."""

    R: float
    h: float


class Superellipsoid(NamedTuple):
    """|x/a|^p + |y/b|^p + |z/c|^p = 1 with 1 < p <= 2: from an ellipsoid (p = 2) towards an octahedron (p = 1).

    Its edges are sharp where two coordinates vanish; `Sum(..., Sphere(r))` rounds them. For p > 2 it would be flat where a
    coordinate vanishes: the radius of curvature is infinite there and the contact point would cross these places infinitely fast.
    """

    a: float
    b: float
    c: float
    p: float


class Sum(NamedTuple):
    """The Minkowski sum of two shapes."""

    first: Any
    second: Any


class Turned(NamedTuple):
    """A shape turned by a rotation matrix (a tuple of rows) and then moved by a vector."""

    shape: Any
    rotation: tuple[tuple[float, ...], ...]
    shift: tuple[float, ...]


@generic
def support(shape: Any, n: Vector) -> Any:
    """The point of a shape whose outward unit normal is n."""


def _no_direction(shape: Any, n: Any) -> str:
    """Why n is no direction, as a sentence; "" if it is one."""
    whole = isinstance(n, (tuple, list, np.ndarray)) and len(n) == 3 and all(isinstance(x, Number) for x in n)
    return "" if whole and any(x != 0 for x in n) else f"n = {n!r} must be a direction: three numbers, not all zero."


support.generic.mistake = _no_direction


@generic
def flat_axis(shape: Any) -> Any:
    """(axis, radius) if a shape lies on a whole circle when the plane's normal is along its axis, as disks and tori do; else None. In Python only."""


@flat_axis.otherwise
def _(shape: Any) -> None:
    return None


@generic
def support_rate(shape: Any, n: Vector, dn: Vector) -> Any:
    """The rate of the support point when the normal n turns at the rate dn (perpendicular to n)."""


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@support.register(Sphere)
def _(shape: Sphere, n: Vector) -> Any:
    return scale(shape.radius, n)


@support_rate.register(Sphere)
def _(shape: Sphere, n: Vector, dn: Vector) -> Any:
    return scale(shape.radius, dn)


@support.register(Ellipsoid)
def _(shape: Ellipsoid, n: Vector) -> Vector:
    # p = Q n / sqrt(n.Q n), Q = diag(a^2, b^2, c^2)
    q1, q2, q3 = shape.a * shape.a * n[0], shape.b * shape.b * n[1], shape.c * shape.c * n[2]
    s = 1.0 / sqrt(q1 * n[0] + q2 * n[1] + q3 * n[2])
    return q1 * s, q2 * s, q3 * s


@support_rate.register(Ellipsoid)
def _(shape: Ellipsoid, n: Vector, dn: Vector) -> Vector:
    q1, q2, q3 = shape.a * shape.a, shape.b * shape.b, shape.c * shape.c
    s = 1.0 / sqrt(q1 * n[0] * n[0] + q2 * n[1] * n[1] + q3 * n[2] * n[2])
    p1, p2, p3 = q1 * n[0] * s, q2 * n[1] * s, q3 * n[2] * s
    turn = (p1 * dn[0] + p2 * dn[1] + p3 * dn[2]) * s
    return q1 * dn[0] * s - turn * p1, q2 * dn[1] * s - turn * p2, q3 * dn[2] * s - turn * p3


@support.register(Torus)
def _(shape: Torus, n: Vector) -> Vector:
    s = shape.R / sqrt(n[0] * n[0] + n[1] * n[1]) + shape.r
    return s * n[0], s * n[1], shape.r * n[2]


@support_rate.register(Torus)
def _(shape: Torus, n: Vector, dn: Vector) -> Vector:
    e = circle_rate(shape.R, n, dn)
    return e[0] + shape.r * dn[0], e[1] + shape.r * dn[1], shape.r * dn[2]


@support.register(Rim)
def _(shape: Rim, n: Vector) -> Vector:
    s = shape.R / sqrt(n[0] * n[0] + n[1] * n[1])
    return s * n[0], s * n[1], 0.0 * s


@support_rate.register(Rim)
def _(shape: Rim, n: Vector, dn: Vector) -> Vector:
    e = circle_rate(shape.R, n, dn)
    return e[0], e[1], 0.0 * e[0]


@support.register(Cylinder)
def _(shape: Cylinder, n: Vector) -> Vector:
    s = shape.R / sqrt(n[0] * n[0] + n[1] * n[1])
    return s * n[0], s * n[1], (0.5 if real(n[2]) >= 0.0 else -0.5) * shape.h + 0.0 * s


@support_rate.register(Cylinder)
def _(shape: Cylinder, n: Vector, dn: Vector) -> Vector:
    e = circle_rate(shape.R, n, dn)
    return e[0], e[1], 0.0 * e[0]


@support.register(Superellipsoid)
def _(shape: Superellipsoid, n: Vector) -> Vector:
    # The dual exponent q = p/(p-1) >= 2: p(n) = grad H, H = (|a n1|^q + |b n2|^q + |c n3|^q)^(1/q).
    q = shape.p / (shape.p - 1.0)
    e = 0.5 * q - 1.0
    u, v, w = shape.a * n[0], shape.b * n[1], shape.c * n[2]
    fu, fv, fw = (u * u) ** e * u, (v * v) ** e * v, (w * w) ** e * w
    s = (fu * u + fv * v + fw * w) ** (1.0 / q - 1.0)
    return shape.a * fu * s, shape.b * fv * s, shape.c * fw * s


@flat_axis.register(Torus)
@flat_axis.register(Rim)
@flat_axis.register(Cylinder)
def _(shape: Torus | Rim | Cylinder) -> tuple[Vector, float]:
    return (0.0, 0.0, 1.0), shape.R


@flat_axis.register(Sum)
def _(shape: Sum) -> Any:
    return flat_axis(shape.first) or flat_axis(shape.second)


@flat_axis.register(Turned)
def _(shape: Turned) -> tuple[Vector, float] | None:
    inner = flat_axis(shape.shape)
    return None if inner is None else (matvec(shape.rotation, inner[0]), inner[1])


@support.register(Sum)
def _(shape: Sum, n: Vector) -> Any:
    return add(support(shape.first, n), support(shape.second, n))


@support_rate.register(Sum)
def _(shape: Sum, n: Vector, dn: Vector) -> Any:
    return add(support_rate(shape.first, n, dn), support_rate(shape.second, n, dn))


@support.register(Turned)
def _(shape: Turned, n: Vector) -> Any:
    return add(matvec(shape.rotation, support(shape.shape, vecmat(n, shape.rotation))), shape.shift)


@support_rate.register(Turned)
def _(shape: Turned, n: Vector, dn: Vector) -> Any:
    r = shape.rotation
    return matvec(r, support_rate(shape.shape, vecmat(n, r), vecmat(dn, r)))


@inlined
def circle_rate(R: float, n: Vector, dn: Vector) -> tuple[Scalar, Scalar]:
    """The rate of R (n1, n2)/sqrt(n1^2 + n2^2)."""
    s = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1])
    u, v = n[0] * s, n[1] * s
    turn = R * s * (u * dn[1] - v * dn[0])
    return -v * turn, u * turn


@support_rate.otherwise
def _(shape: Any, n: Vector, dn: Vector) -> Vector:
    return differentiated_support(shape, n, dn)


def differentiated_support(shape: Any, n: Vector, dn: Vector) -> Vector:
    """The derivative of a support map that does not come with one: by complex step, or inside a complex step by differences."""
    return _by_differences(shape, n, dn) if isinstance(n[0] + dn[0], complex) else _by_complex_step(shape, n, dn)


@overload(differentiated_support, strict=False)
def _choose(shape: Any, n: Any, dn: Any) -> Any:
    complex_in = any(isinstance(t, types.Complex) for t in (*n.types, *dn.types))
    return _by_differences if complex_in else _by_complex_step


def _by_complex_step(shape: Any, n: Vector, dn: Vector) -> Vector:
    p = support(shape, (complex(n[0], EPS * dn[0]), complex(n[1], EPS * dn[1]), complex(n[2], EPS * dn[2])))
    return p[0].imag / EPS, p[1].imag / EPS, p[2].imag / EPS


def _by_differences(shape: Any, n: Vector, dn: Vector) -> Any:
    # Central differences of order 6 with a step of 1e-3 rad: 1e-12 or better. Only Jacobians of user-made shapes come here.
    size = sqrt(real(dn[0]) ** 2 + real(dn[1]) ** 2 + real(dn[2]) ** 2)
    d = 1e-3 / size if size > 0.0 else 1.0
    one = sub(support(shape, add(n, scale(d, dn))), support(shape, sub(n, scale(d, dn))))
    two = sub(support(shape, add(n, scale(2.0 * d, dn))), support(shape, sub(n, scale(2.0 * d, dn))))
    three = sub(support(shape, add(n, scale(3.0 * d, dn))), support(shape, sub(n, scale(3.0 * d, dn))))
    return add(add(scale(0.75 / d, one), scale(-0.15 / d, two)), scale(1.0 / (60.0 * d), three))


def turned(
    shape: Any, rotation: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), shift: Any = (0.0, 0.0, 0.0)
) -> Turned:
    """A shape turned by a rotation (a matrix, or (axis, angle)) and then moved."""
    r, by = rotation_matrix(rotation), numbers(shift, "shift", "m")
    if by.shape != (3,):
        raise InputError(f'shift = {shift!r} must be three lengths, e.g. (0, 0, "2mm").')
    return Turned(shape, tuple(tuple(float(x) for x in row) for row in r), tuple(by.tolist()))


def types_in(value: Any) -> Any:
    """The type of a shape or body, and those of its parts: NamedTuples of equal numbers are equal whatever their types, and what is remembered of them must not be."""
    return (type(value), *map(types_in, value)) if isinstance(value, tuple) else type(value)


def impossible_shape(shape: Any) -> str:
    """Why a shape cannot exist, as a sentence; "" if it can. A shape of one's own says so itself, by `validate`."""
    if not (isinstance(shape, tuple) and support.knows(type(shape))):
        return support.complaint(type(shape)) if isinstance(shape, tuple) else f"{shape!r} is not a shape such as Sphere(0.1)."
    try:
        validate(shape)
    except InputError as error:
        return str(error)
    if is_foreign(type(shape).__module__) and (problem := _not_a_point(shape)):
        return problem
    for inner in (getattr(shape, name, None) for name in ("first", "second", "shape")):
        if inner is not None and impossible_shape(inner):
            return impossible_shape(inner)
    axes = ("a", "b", "c")
    sizes = {Sphere: ("radius",), Ellipsoid: axes, Superellipsoid: axes, Torus: ("R", "r"), Rim: ("R",), Cylinder: ("R", "h")}
    for name in sizes.get(type(shape), ()):
        if not getattr(shape, name) > 0.0:
            return f"{name} = {getattr(shape, name):g} of {type(shape).__name__.strip()} must be above zero."
    if isinstance(shape, Superellipsoid) and not 1.0 < shape.p <= 2.0:
        why = (
            "for p <= 1 it is not strictly convex (an octahedron, or hollow faces)"
            if shape.p <= 1.0
            else "for p > 2 its surface is flat wherever a coordinate vanishes: the radius of curvature is infinite there, so that a contact "
            "point would cross these places infinitely fast and the equations of rolling, which contain its velocity, are not finite; "
            "rounding by a Sum leaves them flat"
        )
        return f"p = {shape.p:g} of Superellipsoid must lie above 1 and not above 2: {why}. p = 2 is the ellipsoid."
    return ""


def _not_a_point(shape: Any) -> str:
    """What is wrong with the support map of a shape of one's own: whether it answers a normal, real or complex, by three numbers; "" if it does."""
    for n in ((0.36, 0.48, 0.8), (0.36 + 1e-20j, 0.48 + 0j, 0.8 + 0j)):
        try:
            point = support(shape, n)
        except Exception as error:
            return f"`support` of {called(shape)} cannot be computed for the normal {n}: {type(error).__name__}: {error}."
        if not (isinstance(point, tuple) and len(point) == 3 and all(isinstance(x, (int, float, complex)) for x in point)):
            return f"`support` of {called(shape)} returns {point!r}; let it return the point with normal n as three numbers, (x, y, z)."
    return ""
