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

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.names import InputError, choose, number
from ...kernel.scalar import absolute, atan2, maximum, minimum, real, sincos
from ...kernel.system import validate
from .friction import pivots
from .limit_surface import PRESSURES, exact_surface, polynomial_surface
from .limits import check_not_negative, check_positive
from .response import NONE, own_metric, respond
from .sliding import arm, jumps, prox, set_valued, size, traction


class Table(NamedTuple):
    """A reservoir by its support function h(theta): coefficients of quintics on equal intervals of [0, pi/2]."""

    coefficients: Any


class Hull(NamedTuple):
    """A reservoir by points (xi, eta) of its boundary, in the order of the angle t of their outward normals (rows t, xi, eta)."""

    rows: Any


class Contensou(NamedTuple):
    """Coulomb-Contensou friction: friction coefficient, radius of the disk of contact, and the surface of its reservoir."""

    mu: float
    radius: float
    surface: Any


@set_valued.register(Contensou)
def _(law):
    return True


@jumps.register(Contensou)
def _(law):
    return False  # smooth at zero slip, as long as the contact turns


@validate.register(Contensou)
def _(law):
    check_not_negative(law, "mu")
    check_positive(law, "radius")


@pivots.register(Contensou)
def _(law):
    return True


@arm.register(Contensou)
def _(law):
    return law.radius


@generic
def boundary(surface, t):
    """A point (xi, eta) of the boundary and its outward normal at t in [0, pi], from pure pivoting to its opposite."""


@generic
def slope(surface):
    """The radius of curvature at pure pivoting, xi/sin(t) as t -> 0: the force at small slip is mu N slope v/(R |omega|)."""


@generic
def nearest(surface, rho, height):
    """The parameter t in [0, pi] of the boundary point from which x = (rho, height), rho >= 0, lies along the normal.

    It is the nearest boundary point for x outside; inside it may be another.
    """


@generic
def project(surface, rho, height):
    """The point (xi, eta) of the quarter rho, height >= 0 of the reservoir that is nearest to x, x itself if inside."""


@compiled
def quintic(coefficients, t):
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
def _(surface, t):
    side = 1.0 if real(t) <= 1.5707963267948966 else -1.0
    folded = t + 0.0 if side > 0.0 else 3.141592653589793 - t
    h, dh, _ = quintic(surface.coefficients, folded)
    s, c = sincos(folded)
    return h * s + dh * c, side * (h * c - dh * s), s, side * c


@slope.register(Table)
def _(surface):
    return surface.coefficients[0, 0] + 2.0 * surface.coefficients[0, 2]


@compiled
def normal_angle(coefficients, rho, height):
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
def _(surface, rho, height):
    t = normal_angle(surface.coefficients, rho, absolute(height))
    return t if real(height) >= 0.0 else 3.141592653589793 - t


@project.register(Table)
def _(surface, rho, height):
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
def interval(rows, rho, height):
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
def along(rows, k, rho, height):
    """Where on piece k of the hull its point nearest to x lies, from 0 to 1; on a corner 0."""
    dx, dy = rows[1, k + 1] - rows[1, k], rows[2, k + 1] - rows[2, k]
    length = dx * dx + dy * dy
    if length == 0.0:
        return 0.0 * (rho + height)
    x = ((rho - rows[1, k]) * dx + (height - rows[2, k]) * dy) / length
    return minimum(maximum(x, 0.0), 1.0)


@boundary.register(Hull)
def _(surface, t):
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
def _(surface):
    return surface.rows[1, 1] / surface.rows[0, 1]


@nearest.register(Hull)
def _(surface, rho, height):
    rows = surface.rows
    k = interval(rows, rho, absolute(height))
    t = rows[0, k] + along(rows, k, rho, absolute(height)) * (rows[0, k + 1] - rows[0, k])
    return t if real(height) >= 0.0 else 3.141592653589793 - t


@project.register(Hull)
def _(surface, rho, height):
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
def _(law, v1, v2, spin):
    turn = law.radius * spin
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
def _(law, x1, x2, xt, normal):
    bound = law.mu * normal
    zero = 0.0 * (x1 + x2 + xt + bound)
    if not real(bound) > 0.0:
        return zero, zero, zero
    rho = size(x1, x2)
    xi, eta = project(law.surface, rho / bound, absolute(xt) / bound)
    k = bound * xi / rho if real(rho) > 0.0 else 1.0 + zero
    return k * x1, k * x2, (bound * eta if real(xt) >= 0.0 else -bound * eta)


@generic
def project_slope(surface, rho, height, weight):
    """The point (xi, eta) nearest to x in the metric drho^2 + weight dheight^2, and its derivatives (dxi/drho, dxi/dh, deta/drho, deta/dh, outside).

    At the boundary point with the normal (s, c) and the radius of curvature R, x - b = d (s, c/weight); t follows x by
    dt = (c drho - weight s dh)/K, K = R (c^2 + weight s^2) + d, and the point by R (c, -s) dt. outside < 0: x is inside.
    """


@compiled
def weighted_angle(c, rho, height, weight):
    """t in [0, pi/2] with (rho - xi) cos t - weight (height - eta) sin t = 0, for rho, height >= 0: Newton's method within a bracket."""
    low, high = 0.0, 1.5707963267948966
    root = math.sqrt(weight)
    far = 1.0 / max(1.0, rho * rho + height * height)
    t = (
        math.atan2(rho * (1.0 - 0.6 * far), weight * height + 1e-300)
        if weight <= 1.0
        else math.atan2(rho, root * height + 1e-300)
    )
    for _ in range(100):
        h, dh, ddh = quintic(c, t)
        s, co = sincos(t)
        up, side = rho - (h * s + dh * co), height - (h * co - dh * s)
        f = up * co - weight * side * s
        if f > 0.0:
            low = t
        else:
            high = t
        bend = max(h + ddh, 0.0)
        steep = bend * (co * co + weight * s * s) + up * s + weight * side * co
        new = t + f / steep if steep > 0.0 else 2.0
        if not low < new < high:
            new = 0.5 * (low + high)
        done = abs(new - t) <= 4e-16 * t
        t = new
        if done or high - low <= 2e-16 * high:
            break
    return t


@project_slope.register(Table)
def _(surface, rho, height, weight):
    c = surface.coefficients
    if rho + height / c[0, 0] <= 1.0:
        return rho, height, 1.0, 0.0, 0.0, 1.0, -1.0
    t = weighted_angle(c, rho, height, weight)
    h, dh, ddh = quintic(c, t)
    s, co = sincos(t)
    xi, eta = h * s + dh * co, h * co - dh * s
    away = (rho - xi) * s + weight * (height - eta) * co
    if away <= 0.0:
        return rho, height, 1.0, 0.0, 0.0, 1.0, -1.0
    bend = max(h + ddh, 0.0)
    share = bend / (bend * (co * co + weight * s * s) + away)
    return xi, eta, share * co * co, -share * weight * s * co, -share * s * co, share * weight * s * s, 1.0


@project_slope.register(Hull)
def _(surface, rho, height, weight):
    rows = surface.rows
    if rho + height / rows[2, 0] <= 1.0:
        return rho, height, 1.0, 0.0, 0.0, 1.0, -1.0
    low, high = 0, rows.shape[1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        s, co = sincos(rows[0, middle])
        if (rho - rows[1, middle]) * co - weight * (height - rows[2, middle]) * s > 0.0:
            low = middle
        else:
            high = middle
    dx, dy = rows[1, low + 1] - rows[1, low], rows[2, low + 1] - rows[2, low]
    size_of = dx * dx + weight * dy * dy
    x = ((rho - rows[1, low]) * dx + weight * (height - rows[2, low]) * dy) / size_of if size_of > 0.0 else 0.0
    inner = 0.0 < x < 1.0
    x = min(max(x, 0.0), 1.0)
    xi, eta = rows[1, low] + x * dx, rows[2, low] + x * dy
    s, co = -dy, dx
    if size_of == 0.0:  # a corner
        s, co = sincos(rows[0, low])
    if (rho - xi) * s + (height - eta) * co <= 0.0:
        return rho, height, 1.0, 0.0, 0.0, 1.0, -1.0
    if not inner:
        return xi, eta, 0.0, 0.0, 0.0, 0.0, 1.0
    return xi, eta, dx * dx / size_of, weight * dx * dy / size_of, dx * dy / size_of, weight * dy * dy / size_of, 1.0


@own_metric.register(Contensou)
def _(law):
    return True


@respond.register(Contensou)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    bound = law.mu * normal
    rho, height = math.sqrt(x1 * x1 + x2 * x2), abs(xt)
    side = 1.0 if xt >= 0.0 else -1.0
    far = math.sqrt(rho * rho + height * height)
    if far == 0.0 or law.mu == 0.0:
        if bound > 0.0 and far == 0.0:
            return (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
        return (0.0, 0.0, 0.0), NONE, NONE, NONE
    d1, d2 = (x1 / rho, x2 / rho) if rho > 0.0 else (1.0, 0.0)
    if bound <= 1e-14 * far:  # a point of the reservoir with its normal along x
        xi, eta, _, _ = boundary(law.surface, math.atan2(rho, (kt / k if k > 0.0 and kt > 0.0 else 1.0) * height))
        return (
            (bound * xi * d1, bound * xi * d2, side * bound * eta),
            (0.0, 0.0, 0.0, law.mu * xi * d1),
            (0.0, 0.0, 0.0, law.mu * xi * d2),
            (0.0, 0.0, 0.0, side * law.mu * eta),
        )
    weight = kt / k if k > 0.0 and kt > 0.0 else 1.0
    xi, eta, a, b, e, f, outside = project_slope(law.surface, rho / bound, height / bound, weight)
    if outside < 0.0:
        return (x1, x2, xt), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
    round_ = bound * xi / rho if rho > 0.0 else a  # across the meridian the point turns with x
    more1 = law.mu * (xi - (a * rho + b * height) / bound)
    more2 = law.mu * (eta - (e * rho + f * height) / bound)
    cross = (a - round_) * d1 * d2
    return (
        (bound * xi * d1, bound * xi * d2, side * bound * eta),
        (a * d1 * d1 + round_ * d2 * d2, cross, side * b * d1, more1 * d1),
        (cross, a * d2 * d2 + round_ * d1 * d1, side * b * d2, more1 * d2),
        (side * e * d1, side * e * d2, f, side * more2),
    )


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
