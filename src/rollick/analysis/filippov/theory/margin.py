"""The static margin of rolling at both contacts: the largest slack of the friction cones over the undetermined force.

In rolling-rolling the forces are known up to a pair along the line of contacts, of size tau. The slack of a contact, mu N - |T|, is concave in tau;
so is the smaller of both, and its maximum is a problem in one unknown, solved by cases: the maximum of one slack where the other is not less, else the only
point between both maxima at which the slacks are equal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ....kernel.names import InputError


class StaticForces(NamedTuple):
    """Forces (N, T1, T2) at P+ and P- (rows) in rolling-rolling: `forces + tau * free` for any tau; mu of both contacts."""

    forces: np.ndarray
    free: np.ndarray
    mu: tuple[float, float]


class Margin(NamedTuple):
    """The largest smaller slack (>= 0: rolling is statically possible), the tau that has it, and both slacks there."""

    value: float
    tau: float
    slacks: tuple[float, float]


def slack(static: StaticForces, contact: int, tau: float) -> float:
    """mu N - |T| at contact 0 (P+) or 1 (P-)."""
    n, t1, t2 = np.asarray(static.forces[contact]) + tau * np.asarray(static.free[contact])
    return float(static.mu[contact] * n - np.hypot(t1, t2))


def _top(static: StaticForces, contact: int) -> float:
    """Where the slack of a contact is largest; +-inf if it grows (or does not fall) for ever.

    mu(N + tau n) - sqrt(|T|^2 + 2 tau T.t + tau^2 |t|^2): with tau = tau0 + s, tau0 = -T.t/|t|^2, it is mu n s - sqrt(d^2 + |t|^2 s^2) and a constant.
    """
    force, free = np.asarray(static.forces[contact], float), np.asarray(static.free[contact], float)
    rise, t = static.mu[contact] * free[0], float(np.hypot(free[1], free[2]))
    if t == 0.0:
        return 0.0 if rise == 0.0 else float(np.copysign(np.inf, rise))
    centre = -float(force[1:] @ free[1:]) / t**2
    if abs(rise) >= t * (1.0 - 1e-15):
        return float(np.copysign(np.inf, rise))
    d = abs(float(force[1] * free[2] - force[2] * free[1])) / t
    return centre + rise * d / (t * np.sqrt(t * t - rise * rise))


def static_margin(static: StaticForces) -> Margin:
    """The static margin; infinite where both slacks grow with the same sign of tau for ever (the body wedges itself)."""
    forces, free = np.asarray(static.forces, float), np.asarray(static.free, float)
    if forces.shape != (2, 3) or free.shape != (2, 3) or not (np.all(np.isfinite(forces)) and np.all(np.isfinite(free))):
        raise InputError(
            "static forces are two rows (P+, P-) of N, T1, T2, and two such rows per unit of the free force, all finite."
        )
    static = StaticForces(forces, free, static.mu)
    tops = [_top(static, 0), _top(static, 1)]
    constant = [not np.any(free[k]) for k in (0, 1)]
    if constant[0] or constant[1]:  # one slack does not depend on tau: the top of the other one decides
        k = 1 if constant[0] else 0
        return _at(static, tops[k])
    if np.isinf(tops[0]) and tops[0] == tops[1]:
        return _at(static, tops[0])
    for k in (0, 1):
        if np.isfinite(tops[k]) and slack(static, 1 - k, tops[k]) >= slack(static, k, tops[k]):
            return _at(static, tops[k])
    difference = lambda tau: slack(static, 0, tau) - slack(static, 1, tau)
    low, high = min(tops), max(tops)
    reach = 1.0 + float(np.abs(forces).max() / np.abs(free).max())
    base = low if np.isfinite(low) else high if np.isfinite(high) else 0.0
    a, b = (low if np.isfinite(low) else base - reach), (high if np.isfinite(high) else base + reach)
    for _ in range(200):
        if difference(a) * difference(b) <= 0.0:
            return _at(static, float(brentq(difference, a, b, xtol=1e-300, rtol=8.9e-16, maxiter=500)))
        reach *= 2.0
        a, b = (a if np.isfinite(low) else base - reach), (b if np.isfinite(high) else base + reach)
    return _at(static, high if np.isinf(high) else low)


def _at(static: StaticForces, tau: float) -> Margin:
    if np.isfinite(tau):
        slacks = (slack(static, 0, tau), slack(static, 1, tau))
        return Margin(min(slacks), tau, slacks)
    ends = []
    for k in (0, 1):
        force, free = static.forces[k], static.free[k]
        t = float(np.hypot(free[1], free[2]))
        growth = static.mu[k] * free[0] * np.sign(tau) - t
        if abs(growth) > 1e-15 * (t + abs(free[0])):
            ends.append(float(np.copysign(np.inf, growth)))
        else:  # a horizontal asymptote
            along = float(force[1:] @ free[1:]) / t * np.sign(tau) if t > 0.0 else float(np.hypot(force[1], force[2]))
            ends.append(float(static.mu[k] * force[0] - along))
    return Margin(min(ends), tau, (ends[0], ends[1]))
