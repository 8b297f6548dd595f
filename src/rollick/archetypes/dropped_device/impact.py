"""Impacts of the rod's ends with the floor: (5.17)-(5.20), both ends at once, and the impulse that takes a small velocity away."""

from __future__ import annotations

import math

from ...kernel.compiled import inlined


@inlined
def impulse(gamma, rho2, c, vn):
    """zeta (5.20) for the velocity vn of the hit end, c = cos(phi)."""
    return -(1.0 + gamma) * vn / (1.0 + c * c / rho2)


@inlined
def both_ends(gamma, rho2, c, v0, v1):
    """Impulses at both ends at once: Newton's restitution as a complementarity problem.

    v+ = v- + G p with G = [[a, b], [b, a]], a = 1 + c^2/rho^2, b = 1 - c^2/rho^2; p >= 0, v+ + gamma v- >= 0, and one of the two is zero
    at either end. The energy changes by -(1-gamma)/(1+gamma) p.G p/2.
    """
    a, b = 1.0 + c * c / rho2, 1.0 - c * c / rho2
    q0, q1 = (1.0 + gamma) * v0, (1.0 + gamma) * v1
    det = a * a - b * b
    p0, p1 = (b * q1 - a * q0) / det, (b * q0 - a * q1) / det
    if p0 >= 0.0 and p1 >= 0.0:
        return p0, p1
    if -q0 / a >= 0.0 and q1 - b * q0 / a >= 0.0:
        return -q0 / a, 0.0
    if -q1 / a >= 0.0 and q0 - b * q1 / a >= 0.0:
        return 0.0, -q1 / a
    return 0.0, 0.0


@inlined
def take_away(dev, sigma, sign, phi, vn, v, w, du):
    """The impulse at an end that makes its small velocity vn zero: the rest of an infinite sequence of impacts. (h', phi', u') after it."""
    rho2, c = dev.rho * dev.rho, math.cos(phi)
    z = -vn / (1.0 + c * c / rho2)
    return v + z, w + sigma * z * c / rho2, du - sign * c * (1.0 + sigma * sign * dev.r / rho2) * z
