"""The response of Coulomb-Contensou friction in a time step: the nearest point of its reservoir, in the metric of the factors, and its slopes."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.scalar import sincos
from .contensou import Contensou, Hull, Table, boundary, quintic
from .response import NONE, own_metric, respond


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
