"""Coulomb-Contensou friction: sliding and pivoting on a small disk of contact, coupled (Sailer, section 3.5; errata E4, E24).

A disk of radius R carries the pressure p(s), s the distance from its middle over R, and dry friction mu at each point. With the
slip v of the middle and the angular velocity omega about the normal, the power lost is mu N w h(theta), with

    h(theta) = mean over the disk of sqrt((sin theta + s cos theta sin phi)^2 + (s cos theta cos phi)^2),
    (|v|, R |omega|) = w (sin theta, cos theta),

the *support function* of the reservoir: a convex surface of revolution in the space of (lambda_T, lambda_tau = couple/R). So
the force is its support map, xi = |lambda_T|/(mu N) = h sin + h' cos, eta = |lambda_tau|/(mu N) = h cos - h' sin, like the
meridian of a rolling body. The polynomial of T(3.32) approximates the reservoir of a Hertz pressure.

A reservoir is symmetric, eta -> -eta; so all searches run over the quarter theta in [0, pi/2] of its meridian. (In the half [0,
pi] a point beyond one pole may have a second normal, near the opposite pole, which a search could mistake for the nearest
point.)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.names import InputError, choose, number
from ...kernel.paths import measured
from ...kernel.scalar import Scalar, absolute, atan2, maximum, minimum, real, sincos
from ...kernel.system import validate
from ...kernel.vector import Vector
from .friction import pivots
from .limit_surface import PRESSURES, exact_surface, polynomial_surface
from .limits import check_not_negative, check_positive
from .sliding import LARGER, arm, is_tiny, jumps, prox, set_valued, size, traction


class Table(NamedTuple):
    """A reservoir by its support function h(theta): coefficients of quintics on equal intervals of [0, pi/2]."""

    coefficients: Any

    def __repr__(self) -> str:
        return f"Table(of {len(self.coefficients)} quintics)"


class Hull(NamedTuple):
    """A reservoir by points (xi, eta) of its boundary, in the order of the angle t of their outward normals (rows t, xi, eta)."""

    rows: Any

    def __repr__(self) -> str:
        return f"Hull(of {self.rows.shape[1]} points)"


@measured(radius="m")
class Contensou(NamedTuple):
    """Coulomb-Contensou friction: friction coefficient, radius of the disk of contact, and the surface of its reservoir."""

    mu: float
    radius: float
    surface: Any


@set_valued.register(Contensou)
def _(law: Contensou) -> bool:
    return True


@jumps.register(Contensou)
def _(law: Contensou) -> bool:
    return False  # smooth at zero slip, as long as the contact turns


@validate.register(Contensou)
def _(law: Contensou) -> None:
    check_not_negative(law, "mu")
    check_positive(law, "radius")


@pivots.register(Contensou)
def _(law: Contensou) -> bool:
    return True


@arm.register(Contensou)
def _(law: Contensou) -> Scalar:
    return law.radius


@generic
def boundary(surface: Any, t: Scalar) -> Any:
    """A point (xi, eta) of the boundary and its outward normal at t in [0, pi], from pure pivoting to its opposite."""


@generic
def slope(surface: Any) -> Scalar:
    """The radius of curvature at pure pivoting, xi/sin(t) as t -> 0: the force at small slip is mu N slope v/(R |omega|)."""


@generic
def nearest(surface: Any, rho: Scalar, height: Scalar) -> Scalar:
    """The parameter t in [0, pi] of the boundary point from which x = (rho, height), rho >= 0, lies along the normal.

    It is the nearest boundary point for x outside; inside it may be another.
    """


@generic
def project(surface: Any, rho: Scalar, height: Scalar) -> Any:
    """The point (xi, eta) of the quarter rho, height >= 0 of the reservoir that is nearest to x, x itself if inside."""


@compiled
def quintic(coefficients: np.ndarray, t: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """h, h' and h'' at t in [0, pi/2]."""
    count = coefficients.shape[0]
    width = 1.5707963267948966 / count
    j = min(count - 1, max(0, int(real(t) / width)))
    x = t - j * width
    h = coefficients[j, 5] + 0.0 * x
    dh = 0.0 * x
    ddh = 0.0 * x
    for k in range(4, -1, -1):
        ddh = ddh * x + 2.0 * dh
        dh = dh * x + h
        h = h * x + coefficients[j, k]
    return h, dh, ddh


@boundary.register(Table)
def _(surface: Table, t: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    side = 1.0 if real(t) <= 1.5707963267948966 else -1.0
    folded = t + 0.0 if side > 0.0 else 3.141592653589793 - t
    h, dh, _ = quintic(surface.coefficients, folded)
    s, c = sincos(folded)
    return h * s + dh * c, side * (h * c - dh * s), s, side * c


@slope.register(Table)
def _(surface: Table) -> Scalar:
    return surface.coefficients[0, 0] + 2.0 * surface.coefficients[0, 2]


@compiled
def normal_angle(coefficients: np.ndarray, rho: Scalar, height: Scalar) -> Scalar:
    """t in [0, pi/2] with (x - b(t)) along the tangent zero: rho cos t - height sin t = h'(t), for rho, height >= 0.

    Newton's method within a bracket; a last step carries complex increments of x.
    """
    low, high = 0.0, 1.5707963267948966
    a, b = real(rho), real(height)
    t = math.atan2(a * (1.0 - 0.6 / max(1.0, a * a + b * b)), b)  # far away along x, near by as on an ellipse
    for _ in range(60):
        _, dh, ddh = quintic(coefficients, t)
        s, c = sincos(t)
        f = a * c - b * s - dh
        if f > 0.0:
            low = t
        else:
            high = t
        bend = a * s + b * c + ddh
        new = t + f / bend if bend > 0.0 else 2.0
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - t) < 1e-8:  # the last step below squares what is missing
            break
        t = new
    _, dh, ddh = quintic(coefficients, t)
    s, c = sincos(t)
    bend = a * s + b * c + ddh
    step = (rho * c - height * s - dh) / bend if bend > 0.0 else 0.0 * (rho + height)
    return t + step


@nearest.register(Table)
def _(surface: Table, rho: Scalar, height: Scalar) -> Scalar:
    t = normal_angle(surface.coefficients, rho, absolute(height))
    return t if real(height) >= 0.0 else 3.141592653589793 - t


@project.register(Table)
def _(surface: Table, rho: Scalar, height: Scalar) -> tuple[Scalar, Scalar]:
    c = surface.coefficients
    same = 0.0 * (rho + height)
    if real(rho) + real(height) / c[0, 0] <= 1.0:  # within the chord from pure pivoting to pure sliding
        return rho + same, height + same
    t = normal_angle(c, rho, height)
    xi, eta, nx, ny = boundary(surface, t)
    if real((rho - xi) * nx + (height - eta) * ny) <= 0.0:
        return rho + same, height + same
    return xi, eta


@compiled
def interval(rows: np.ndarray, rho: Scalar, height: Scalar) -> int:
    """The index k of the piece of the hull between whose ends' normals x = (rho, height) lies, for rho, height >= 0."""
    low, high = 0, rows.shape[1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        s, c = sincos(rows[0, middle])
        if (real(rho) - rows[1, middle]) * c - (real(height) - rows[2, middle]) * s > 0.0:
            low = middle
        else:
            high = middle
    return low


@compiled
def along(rows: np.ndarray, k: int, rho: Scalar, height: Scalar) -> Scalar:
    """Where on piece k of the hull its point nearest to x lies, from 0 to 1; on a corner 0."""
    dx, dy = rows[1, k + 1] - rows[1, k], rows[2, k + 1] - rows[2, k]
    length = dx * dx + dy * dy
    if length == 0.0:
        return 0.0 * (rho + height)
    x = ((rho - rows[1, k]) * dx + (height - rows[2, k]) * dy) / length
    return minimum(maximum(x, 0.0), 1.0)


@boundary.register(Hull)
def _(surface: Hull, t: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    rows = surface.rows
    side = 1.0 if real(t) <= 1.5707963267948966 else -1.0
    folded = t + 0.0 if side > 0.0 else 3.141592653589793 - t
    low, high = 0, rows.shape[1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if rows[0, middle] <= real(folded):
            low = middle
        else:
            high = middle
    x = (folded - rows[0, low]) / (rows[0, high] - rows[0, low])
    s, c = sincos(folded)
    return (
        rows[1, low] + x * (rows[1, high] - rows[1, low]),
        side * (rows[2, low] + x * (rows[2, high] - rows[2, low])),
        s,
        side * c,
    )


@slope.register(Hull)
def _(surface: Hull) -> Scalar:
    return surface.rows[1, 1] / surface.rows[0, 1]


@nearest.register(Hull)
def _(surface: Hull, rho: Scalar, height: Scalar) -> Scalar:
    rows = surface.rows
    k = interval(rows, rho, absolute(height))
    t = rows[0, k] + along(rows, k, rho, absolute(height)) * (rows[0, k + 1] - rows[0, k])
    return t if real(height) >= 0.0 else 3.141592653589793 - t


@project.register(Hull)
def _(surface: Hull, rho: Scalar, height: Scalar) -> tuple[Scalar, Scalar]:
    rows = surface.rows
    same = 0.0 * (rho + height)
    if real(rho) + real(height) / rows[2, 0] <= 1.0:
        return rho + same, height + same
    k = interval(rows, rho, height)
    x = along(rows, k, rho, height)
    dx, dy = rows[1, k + 1] - rows[1, k], rows[2, k + 1] - rows[2, k]
    xi, eta = rows[1, k] + x * dx, rows[2, k] + x * dy
    s, c = (-dy, dx) if dx != dy else sincos(rows[0, k])  # the outward normal; dx >= 0 >= dy, so equal only on a corner
    if real((rho - xi) * s + (height - eta) * c) <= 0.0:
        return rho + same, height + same
    return xi + same, eta + same


@traction.register(Contensou)
def _(law: Contensou, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    turn = law.radius * spin
    if is_tiny(v1) and is_tiny(v2) and is_tiny(turn):
        v1, v2, turn = LARGER * v1, LARGER * v2, LARGER * turn
    s = size(v1, v2)
    w = size(s, turn)
    zero = 0.0 * (v1 + v2 + spin)
    if not real(w) > 0.0:
        return (zero, zero, zero), (zero, zero, zero)
    sine = s / w
    side = 1.0 if real(turn) >= 0.0 else -1.0
    xi, eta, _, _ = boundary(law.surface, atan2(sine, side * turn / w))  # its normal is along the slip: most dissipation
    k = -law.mu * (xi / sine if real(sine) > 1e-7 else slope(law.surface) + zero)
    return (k * (v1 / w), k * (v2 / w), -law.mu * law.radius * side * eta), (zero, zero, zero)


@prox.register(Contensou)
def _(law: Contensou, x1: Scalar, x2: Scalar, xt: Scalar, normal: Scalar) -> Vector:
    bound = law.mu * normal
    zero = 0.0 * (x1 + x2 + xt + bound)
    if not real(bound) > 0.0:
        return zero, zero, zero
    rho = size(x1, x2)
    xi, eta = project(law.surface, rho / bound, absolute(xt) / bound)
    k = bound * xi / rho if real(rho) > 0.0 else 1.0 + zero
    return k * x1, k * x2, (bound * eta if real(xt) >= 0.0 else -bound * eta)


def contensou(mu: float, radius: float, surface: str = "hertz") -> Contensou:
    """A Coulomb-Contensou law: exact for a pressure ("hertz", "uniform", "parabolic"), or the "polynomial" of T(3.32)."""
    mu, radius = number(mu, "mu"), number(radius, "radius", "m")
    if mu < 0.0 or radius <= 0.0:
        raise InputError(f"mu = {mu!r} must not be negative, and radius = {radius!r} must be above zero.")
    choose(surface, [*PRESSURES, "polynomial"], "surface")
    shape: Any = Hull(polynomial_surface()) if surface == "polynomial" else Table(exact_surface(surface))
    return Contensou(mu, radius, shape)


def equivalent_eps(radius: float, spin: float) -> float:
    """eps = 8 R |omega|/(3 pi): with it the regularised law equals Contensou friction (Hertz) at small slip."""
    return 8.0 * radius * abs(spin) / (3.0 * math.pi)


def equivalent_radius(eps: float, spin: float) -> float:
    """The contact radius whose Contensou friction equals the regularised law with eps at small slip."""
    if spin == 0.0:
        raise InputError(
            "spin = 0: without pivoting Contensou friction is Coulomb's, and no radius makes it smooth; give a spin."
        )
    return 3.0 * math.pi * eps / (8.0 * abs(spin))
