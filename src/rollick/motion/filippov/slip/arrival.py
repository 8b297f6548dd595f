"""How slip ends: the last bit of its way, r = |u| from r0 to 0, along a limit direction.

With everything but the direction frozen, r' = R(phi), r phi' = V(phi). Near the limit direction phi* (V = 0, R* < 0) the angle is left behind like
phi - phi* ~ r^kappa, kappa = V'/R*, so that the rate F and the time, as functions of r, are

    F/|R| = F*/|R*| + (F0/|R0| - F*/|R*|) (r/r0)^kappa,      the last way  y1 - y0 = r0 [F*/|R*| + (F0/|R0| - F*/|R*|)/(kappa + 1)].

What the rest of the state does to the field on the way is added by the trapezoidal rule. Both corrections tell how far that can be trusted: the way is taken
when their squares, relative to the way, are below the tolerance, so that slip need not be followed down to rounding.
"""

from __future__ import annotations

import math

import numpy as np

from ....kernel.compiled import compiled
from ...ode.explicit import scaled_norm
from ..algebra.forces import SLIP
from ..by_address import add_up, forces_here, see_again, slip_rate, slip_rates
from ..records import fields
from .directed import slip_by_angle

FAR = 0.5  # rad: a limit direction so far away is not the one that slip is about to end in
CLOSE = 3.0  # times the time left: another contact that stops so soon after must have found its direction
GOOD = 0.2  # of the tolerance
STRAIGHT = 1e-13  # rad: so close to a limit direction, it is one


def arrival_kind(n: int) -> np.dtype:
    """Memory for n states: the rate at the limit direction, at the end, derivatives by an angle; slip rates (three); the state on the way; the rate in the middle."""
    return fields(F=(n,), F1=(n,), dF=(n,), U=(4,), U1=(4,), dU=(4,), y=(n,), M=(n,))


@compiled
def norm(form, v, y, rtol, atol):
    """The root mean square of a vector relative to the tolerances, over the states there are."""
    return scaled_norm(v, y, rtol, atol) * math.sqrt(v.size / form.n)


@compiled
def rates_at_limit(form, modes, here, a):
    """Rate and slip rates for the directions here.w."""
    forces_here(form, modes, here)
    add_up(form, modes, here, a.F)
    slip_rates(form, modes, here, a.U)


@compiled
def limit_from(form, modes, k, phi, here, a):
    """The limit direction near an angle, the contacts frozen as `here`: (whether there is one, angle, R*, kappa); rate and slip rates there in a.F, a.U."""
    start = phi
    for _ in range(12):
        w1, w2 = math.cos(phi), math.sin(phi)
        here.w[2 * k], here.w[2 * k + 1] = w1, w2
        forces_here(form, modes, here)
        u1, u2 = slip_rate(form, modes, here, 3 * k + 1), slip_rate(form, modes, here, 3 * k + 2)
        radial = w1 * u1 + w2 * u2
        round_ = w1 * u2 - w2 * u1
        d1, d2 = slip_by_angle(form, modes, k, phi, here, u1, u2)
        slope = w1 * d2 - w2 * d1 - radial
        if radial < 0.0 and abs(round_) <= STRAIGHT * -radial:  # it goes along it already, whatever its neighbours do
            rates_at_limit(form, modes, here, a)
            return True, phi, radial, max(1.0, slope / radial)
        if not abs(slope) > 0.0 or not radial < 0.0:
            return False, phi, radial, 0.0
        turn = -round_ / slope
        if abs(turn) < 1e-13:
            rates_at_limit(form, modes, here, a)
            return True, phi, radial, slope / radial
        phi += turn
        if not abs(phi - start) < FAR:
            return False, phi, radial, 0.0
    return False, phi, 0.0, 0.0


@compiled
def look_along(form, modes, k, phi, t, y, also, other1, other2, here):
    """The contacts at an instant of the last way of contact k, along the limit direction; the other one along its own slip, or if that stops as well, as before."""
    o = 1 - k
    see_again(form, modes, t, y, here)
    here.w[2 * k], here.w[2 * k + 1] = math.cos(phi), math.sin(phi)
    if form.total == 2 and modes[o] == SLIP:
        p, q = here.slip[2 * o], here.slip[2 * o + 1]
        size = math.sqrt(p * p + q * q)
        if also or size == 0.0:
            here.w[2 * o], here.w[2 * o + 1] = other1, other2
        else:
            here.w[2 * o], here.w[2 * o + 1] = p / size, q / size
    forces_here(form, modes, here)


@compiled
def last_way(form, modes, k, t, y, F0, U0, here, a, none, rtol, atol):
    """(how long, whether it can be trusted) of the rest of the slip of contact k; the state at its end in a.y. `here`, F0, U0: at (t, y).

    Asked only while |u| becomes smaller. A slip below `none` always goes straight to its end.
    """
    n = y.size
    u, v = here.slip[2 * k], here.slip[2 * k + 1]
    r = math.sqrt(u * u + v * v)
    w1, w2 = u / r, v / r
    R0 = w1 * U0[2 * k] + w2 * U0[2 * k + 1]
    phi0 = math.atan2(v, u)
    o = 1 - k
    other1, other2 = here.w[2 * o], here.w[2 * o + 1]
    also, lost = False, 0.0
    if form.total == 2 and modes[o] == SLIP:
        p, q = here.slip[2 * o], here.slip[2 * o + 1]
        size = math.sqrt(p * p + q * q)
        radial = other1 * U0[2 * o] + other2 * U0[2 * o + 1]
        also = radial < 0.0 and size < -CLOSE * radial * r / -R0
        if also:
            lost = abs(other1 * U0[2 * o + 1] - other2 * U0[2 * o]) / -radial
    fine, phi, R, kappa = limit_from(form, modes, k, phi0, here, a)
    fine = fine and kappa > 0.0
    if not fine:
        if r > none:
            return 0.0, False
        for i in range(n):
            a.F[i] = F0[i]
        R, kappa, phi = R0, 1.0, phi0
    share = 1.0 / (kappa + 1.0)
    lasts = r * (1.0 / -R + (1.0 / -R0 - 1.0 / -R) * share)
    for i in range(n):
        a.dF[i] = r * (F0[i] / -R0 - a.F[i] / -R) * share
        a.y[i] = y[i] + r * a.F[i] / -R + a.dF[i]
    turned = norm(form, a.dF, y, rtol, atol)
    for i in range(n):
        a.dF[i] = a.y[i] - y[i]
    way = norm(form, a.dF, y, rtol, atol)
    for i in range(n):
        a.dF[i] = 0.5 * (y[i] + a.y[i])
    look_along(form, modes, k, phi, t + 0.5 * lasts, a.dF, also, other1, other2, here)
    add_up(form, modes, here, a.M)
    look_along(form, modes, k, phi, t + lasts, a.y, also, other1, other2, here)
    add_up(form, modes, here, a.F1)
    slip_rates(form, modes, here, a.U1)
    R1 = here.w[2 * k] * a.U1[2 * k] + here.w[2 * k + 1] * a.U1[2 * k + 1]
    if not R1 < 0.0:
        return lasts, r <= none
    left = here.slip[2 * k] * here.w[2 * k] + here.slip[2 * k + 1] * here.w[2 * k + 1]
    for i in range(4):
        a.dU[i] = 0.5 * lasts * (a.U1[i] - a.U[i]) if fine else 0.0
    left += a.dU[2 * k] * here.w[2 * k] + a.dU[2 * k + 1] * here.w[2 * k + 1]
    more = left / -R1
    for i in range(n):
        a.dF[i] = (0.5 * lasts * (a.F1[i] - a.F[i]) if fine else 0.0) + more * a.F1[i]
        a.y[i] += a.dF[i]
    moved = norm(form, a.dF, y, rtol, atol)
    if r <= none or way == 0.0:
        return lasts + more, True
    bent = moved / way
    aside = turned / way
    for i in range(n):  # of the trapezoidal rule, from the middle: forcing may come and go in between
        a.M[i] = lasts * (2.0 / 3.0) * (a.M[i] - 0.5 * (a.F[i] + a.F1[i]))
    doubt = way * (bent * bent + aside * abs(phi - phi0) + bent * aside + lost) + norm(form, a.M, y, rtol, atol)
    return lasts + more, doubt < GOOD and abs(more) < 0.5 * lasts
