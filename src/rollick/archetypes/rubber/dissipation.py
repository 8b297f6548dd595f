"""Rubber rolling with the couple -sigma omega: how the motion decays, and how a nearly flat torus ends (Koiller, sections 4.5, 5.2).

    p' = -dH/dtheta - sigma p/B,   l' = -sigma l/N^2,   dE/dt = -sigma (theta'^2 + sin^2(theta) psi'^2)

Nearly flat, where a body lies almost on its circle of radius R (torus, disk), steady rolling has

    sin(theta) = (l^2/(m g R))^(1/3),   E - m g z_C(0) = 3/2 (m g R)^(2/3) l^(2/3),
    contact speed = R |l| / (N0 sin^2(theta)) = R (m g R)^(2/3) |l|^(-1/3) / N0,   N0^2 = I1 + m z_C(0)^2        (section 4.5, corrected)

and l' = -sigma l/N0^2 makes l decay like exp(-t/tau), tau = N0^2/sigma: the angle falls like exp(-2t/(3 tau)), the energy alike, and the
contact point runs ever faster, like exp(t/(3 tau)). So with this couple the motion never ends: there is no finite-time singularity as in
Euler's disk with other dissipation. Nutation outlives it: its action decays like exp(-sigma t/B0), B0 = I1 + m |CP|^2, more slowly than l,
and its frequency grows like l^(-1/3), so that the amplitude relative to theta grows like exp(kappa t), kappa = sigma/2 (1/N0^2 - 1/B0) > 0
(B0 - N0^2 = m R^2): in the end the body rocks rather than rolls. And since l keeps its sign, psi never turns back: no retrograde motion, no ringing of the yaw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...mechanics.shapes.convex import flat_axis
from ...motion.simulate import simulate
from .body import RubberBody, heights, mass_B, reduced_only
from .equilibria import equilibria
from .start import start_rolling


@dataclass(frozen=True)
class NearlyFlat:
    """Steady rolling of a nearly flat torus or disk at a given l: the leading terms, and (with damping) the time scale of l."""

    theta: float
    energy: float  # above that of lying flat
    speed: float  # of the contact point
    tau: float  # l decays like exp(-t/tau); infinite without damping
    kappa: float  # the nutation relative to theta grows like exp(kappa t)


@reduced_only
def nearly_flat(body: RubberBody, ell: float) -> NearlyFlat:
    """The limit of small l; for bodies that lie flat on a circle."""
    flat = flat_axis(body.shape)
    if flat is None:
        raise InputError("only a body that lies flat on a circle (torus, disk, hoop) has a nearly flat rolling.")
    if ell == 0.0:
        raise InputError("l = 0 has no steady rolling; give l as small as you like, but not zero.")
    R, weight = flat[1], body.m * body.g
    sine = (ell * ell / (weight * R)) ** (1.0 / 3.0)
    if sine >= 1.0:
        raise InputError(f"l = {ell:g} is not small: nearly flat rolling needs l^2 well below m g R = {weight * R:g}.")
    n0 = body.I1 + body.m * heights(body, 0.0)[0] ** 2
    tau = math.inf if body.sigma == 0.0 else n0 / body.sigma
    kappa = 0.5 * body.sigma * (1.0 / n0 - 1.0 / mass_B(body, 0.0)[0])
    rise = 1.5 * (weight * R) ** (2 / 3) * abs(ell) ** (2 / 3)
    return NearlyFlat(math.asin(sine), rise, R * abs(ell) / (math.sqrt(n0) * sine**2), tau, kappa)


@reduced_only
def decay(body: RubberBody, ell: float, until: float, points: int = 2001, rtol: float = 1e-10) -> Any:
    """The damped motion from the steady rolling with the smallest theta at a given l, at equal times."""
    if body.sigma <= 0.0:
        raise InputError(f"sigma = {body.sigma:g}: without damping a steady rolling stays as it is; give the body sigma > 0.")
    e = equilibria(body, ell)[0]
    start = start_rolling(body, e.theta, 0.0, e.psi_rate)
    return simulate(body, start, until, rtol=rtol, at=np.linspace(0.0, until, points))


def contact_speed(body: RubberBody, motion: Any) -> np.ndarray:
    """The speed of the contact point along a reduced motion, |h psi' + i r theta'|."""
    speed = []
    for theta, rate, spin in zip(motion["theta"], motion["theta_rate"], motion["psi_rate"]):
        z, dz, ddz = heights(body, float(theta))
        h, r = z * math.sin(theta) + dz * math.cos(theta), z + ddz
        speed.append(math.hypot(h * spin, r * rate))
    return np.array(speed)


def lost_power(body: RubberBody, motion: Any) -> np.ndarray:
    """sigma (theta'^2 + sin^2 psi'^2) along a reduced motion; minus the rate of its energy."""
    return body.sigma * (motion["theta_rate"] ** 2 + (np.sin(motion["theta"]) * motion["psi_rate"]) ** 2)
