"""A smooth convex body near another one: its support function in spherical harmonics, about an ellipsoid.

A support function h tells a convex body K, its outermost plane with the normal n having the distance h(n) from the origin. Here

    h(n) = c.n + |A n| g(A n / |A n|),      g = sum of c_lm Y_lm up to a degree L,

so that K is the body of g, which is nearly a ball, stretched by the symmetric matrix A and moved to c. With m = A n / |A n| the point with the
normal n is p(n) = c + A q(m), and its derivative p'(n) dn = A Q(m) dm: q is the gradient of g (continued as a function of degree one) and Q its
second derivative, whose eigenvalues on the tangent plane are the radii of curvature of the body of g. The components of q and Q are sums of spherical
harmonics themselves, up to the degrees L + 1 and L + 2, and are summed as such: for each order m and degree l

    Y_l,+-m = P_lm(z) (Re, Im)(x + i y)^m,    P_lm = a_lm z P_l-1,m - b_lm P_l-2,m.

`smooth_fit` of `rollick.mechanics.shapes.smooth_fit` makes one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.scalar import Scalar
from ...kernel.vector import Vector, add, axpy, dot, matvec, norm, scale
from .convex import support, support_rate

POINT, RADII = 0, 3  # the first columns of q (3) and of Q (6: 11, 22, 33, 12, 13, 23)


class Fitted(NamedTuple):
    """A smooth convex body that was fitted to another one; made by `smooth_fit`.

    centre, stretch: c and A.  degree: L + 2, up to which is summed.
    recurrence: rows (a_lm, b_lm), by m and then by l; for l = m the first is the constant P_mm.  cosine, sine: rows of the nine coefficients.
    distance: the greatest distance from the body it was fitted to, in m.  size: half of that body's largest width, in m.
    least, greatest: bounds of its radii of curvature everywhere, in m.
    """

    centre: tuple[float, ...]
    stretch: tuple[tuple[float, ...], ...]
    degree: int
    recurrence: Any
    cosine: Any
    sine: Any
    distance: float
    size: float
    least: float
    greatest: float

    def __repr__(self) -> str:
        return f"Fitted({self.about()})"

    def about(self) -> str:
        """What it is, in words."""
        return (
            f"a smooth shape of degree {self.degree - 2}, at most {self.distance:.3g} m ({100.0 * self.distance / self.size:.2g} % of half its "
            f"largest width) from the convex hull it was fitted to; radii of curvature {self.least:.3g} .. {self.greatest:.3g} m"
        )


@compiled
def summed(degree: int, recurrence: np.ndarray, cosine: np.ndarray, sine: np.ndarray, n: Vector, first: int) -> Any:
    """The sums of three columns of coefficients, from the `first`, times the spherical harmonics at the unit vector n."""
    x, y, z = n
    re, im = 1.0 + 0.0 * x, 0.0 * x  # (x + i y)^m
    s1, s2, s3 = 0.0 * x, 0.0 * x, 0.0 * x
    row = 0
    for m in range(degree + 1):
        before, here = 0.0 * x, recurrence[row, 0] + 0.0 * x
        for l in range(m, degree + 1):
            if l > m:
                before, here = here, recurrence[row, 0] * z * here - recurrence[row, 1] * before
            c, s = here * re, here * im
            s1 = s1 + cosine[row, first] * c + sine[row, first] * s
            s2 = s2 + cosine[row, first + 1] * c + sine[row, first + 1] * s
            s3 = s3 + cosine[row, first + 2] * c + sine[row, first + 2] * s
            row += 1
        re, im = x * re - y * im, x * im + y * re
    return s1, s2, s3


@compiled
def stretched(stretch: tuple, n: Vector) -> tuple[Vector, Scalar]:
    """m = A n / |A n|, and |A n|."""
    along = matvec(stretch, n)
    length = norm(along)
    return scale(1.0 / length, along), length


@support.register(Fitted)
def _(shape: Fitted, n: Vector) -> Any:
    m, _ = stretched(shape.stretch, n)
    q = summed(shape.degree, shape.recurrence, shape.cosine, shape.sine, m, POINT)
    return add(shape.centre, matvec(shape.stretch, q))


@support_rate.register(Fitted)
def _(shape: Fitted, n: Vector, dn: Vector) -> Any:
    m, length = stretched(shape.stretch, n)
    along = matvec(shape.stretch, dn)
    dm = scale(1.0 / length, axpy(-dot(m, along), m, along))
    q11, q22, q33 = summed(shape.degree, shape.recurrence, shape.cosine, shape.sine, m, RADII)
    q12, q13, q23 = summed(shape.degree, shape.recurrence, shape.cosine, shape.sine, m, RADII + 3)
    return matvec(shape.stretch, matvec(((q11, q12, q13), (q12, q22, q23), (q13, q23, q33)), dm))


def fitted_part(shape: Any) -> Fitted | None:
    """The fitted shape that a shape is, or that it was made of by turning or by drawing it as a mesh; None if there is none."""
    while not isinstance(shape, Fitted):
        if not hasattr(shape, "shape"):
            return None
        shape = shape.shape
    return shape


def fit_lines(shape: Any) -> list[str]:
    """What a summary says of a fitted shape: a line, or none for other shapes."""
    fitted = fitted_part(shape)
    return [] if fitted is None else [f"shape: {fitted.about()}"]
