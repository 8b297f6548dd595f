"""Jellett's integral and the two vertical spins of a tippe top that glides with friction.

The contact point lies at rho = a e3 - R n from the mass centre. Whatever force F acts there, L' = rho x F; for a body of revolution
L.e3' = 0, and n is fixed, so that

    J = -L.rho = R L.n - a L.e3      is constant under any friction force (not under a couple: pivoting, rolling friction, drag).

Friction only lowers the energy. At given J and tilt theta the least kinetic energy belongs to v = 0 and omega parallel to rho (then the contact
does not slip, and nothing is lost any more):

    E_J(theta) = J^2/(2 D) + m g (R - a cos theta),      D = rho.I rho = I1 R^2 sin^2 theta + I3 (R cos theta - a)^2.

A vertical spin Omega is stable if E_J has a minimum there, and unstable, by the loss of energy, if it has a maximum. With
dE_J/dcos(theta) = J^2 R (I1 R c - I3 (R c - a))/D^2 - m g a and J = I3 Omega (R - a) for the stem up (c = 1), I3 Omega (R + a) inverted (c = -1):

    stem up    unstable for Omega^2 > m g a (R - a)^2 / (R (I1 R - I3 (R - a)))      possible if I1/I3 > 1 - a/R
    inverted   stable for   Omega^2 > m g a (R + a)^2 / (R (I3 (R + a) - I1 R))      possible if I1/I3 < 1 + a/R

Group I, I1/I3 < 1 - a/R, never rises; group II, between the bounds, inverts; group III, I1/I3 > 1 + a/R, rises to a tilt below 180 degrees
(T. Ueda, K. Sasaki, S. Watanabe, SIAM J. Applied Dynamical Systems 4 (2005), from another criterion).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .tippe_top import TippeTop


class VerticalSpins(NamedTuple):
    """Critical spins in rad/s (inf: never): of the upright top, of the inverted top, and the upright spin that leads to a stable inverted one."""

    group: str
    upright_unstable_above: float
    inverted_stable_above: float
    inverts_above: float


def group(top: TippeTop) -> str:
    """ "I", "II" or "III", by I1/I3 against 1 - a/R and 1 + a/R."""
    ratio, e = top.I1 / top.I3, top.a / top.R
    return "I" if ratio <= 1.0 - e else ("II" if ratio < 1.0 + e else "III")


def _critical(top: TippeTop, arm: float, excess: float) -> float:
    """sqrt(m g a arm^2/(R excess)), infinite if the excess is not positive."""
    return math.sqrt(top.m * top.g * top.a / (top.R * excess)) * abs(arm) if excess > 0.0 else math.inf


def vertical_spins(top: TippeTop) -> VerticalSpins:
    """The critical spins of the two vertical states.

    A top that starts upright with Omega keeps J, so that it would spin with Omega (R - a)/(R + a) when inverted: it inverts completely if it is
    unstable at first and stable at the end.
    """
    R, a = top.R, top.a
    upright = _critical(top, R - a, top.I1 * R - top.I3 * (R - a))
    inverted = _critical(top, R + a, top.I3 * (R + a) - top.I1 * R)
    needed = max(upright, inverted * (R + a) / (R - a)) if a < R else math.inf
    return VerticalSpins(group(top), upright, inverted, needed)


def jellett(top: TippeTop, motion: Any) -> np.ndarray:
    """J = R L.n - a L.e3 along a motion of a `Sliding` top: R I1 (omega1 n1 + omega2 n2) + I3 omega3 (R n3 - a)."""
    return jellett_of(top, motion.y)


def jellett_of(top: TippeTop, y: np.ndarray) -> np.ndarray:
    """J of states of a `Sliding` body, one per row."""
    w, x, v, z = np.atleast_2d(y)[:, 3:7].T
    omega = np.atleast_2d(y)[:, 10:13]
    n1, n2, n3 = 2.0 * (x * z - w * v), 2.0 * (v * z + w * x), w * w - x * x - v * v + z * z
    return top.R * top.I1 * (omega[:, 0] * n1 + omega[:, 1] * n2) + top.I3 * omega[:, 2] * (top.R * n3 - top.a)


def upright_jellett(top: TippeTop, spin: float) -> float:
    """J of the spin Omega about the vertical with the stem up: I3 Omega (R - a)."""
    return top.I3 * spin * (top.R - top.a)


def least_energy(top: TippeTop, J: float, theta: Any) -> Any:
    """E_J(theta): the least energy at a tilt, over all velocities with the same J."""
    c, s = np.cos(theta), np.sin(theta)
    D = top.I1 * top.R**2 * s * s + top.I3 * (top.R * c - top.a) ** 2
    return 0.5 * J * J / D + top.m * top.g * (top.R - top.a * c)


def slope(top: TippeTop, J: float, theta: Any) -> Any:
    """-dE_J/dcos(theta): above zero where the energy grows with the tilt; it tells minima from maxima at 0 and 180 degrees too."""
    c, s = np.cos(theta), np.sin(theta)
    D = top.I1 * top.R**2 * s * s + top.I3 * (top.R * c - top.a) ** 2
    return top.m * top.g * top.a - J * J * top.R * (top.I1 * top.R * c - top.I3 * (top.R * c - top.a)) / (D * D)


def destination(top: TippeTop, spin: float, samples: int = 20001) -> float:
    """The tilt to which gliding friction leads a top that spins upright with `spin`: the first minimum of E_J downhill from theta = 0.

    On the body sphere: beyond `stem_angle` the stem takes over.
    """
    from scipy.optimize import brentq

    if not top.a < top.R:
        raise InputError(f"a = {top.a:g} m must be below R = {top.R:g} m: the top starts on its body sphere.")
    J = upright_jellett(top, spin)
    theta = np.linspace(0.0, math.pi, samples)
    rises = slope(top, J, theta) > 0.0
    if rises[0]:
        return 0.0
    up = np.flatnonzero(rises)
    if not up.size:
        return math.pi
    return float(brentq(lambda x: slope(top, J, x), theta[up[0] - 1], theta[up[0]], xtol=1e-14))
