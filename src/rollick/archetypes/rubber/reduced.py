"""The reduced flow of a rubber body of revolution: one degree of freedom, with everything reconstructed (Koiller, Theorem 1, section 7).

    theta' = p/B,   p' = p^2 B'/(2 B^2) + l^2 cos/sin^3 - m g Lambda - sigma p/B,   l' = -sigma l/N^2,
    psi' = l/(N sin^2),   phi' = -cos psi',   (x + i y)' = -(h psi' + i r theta') e^(i phi)

in the original time; without damping l = N sin^2 psi' and H = p^2/(2B) + V are conserved. (x, y) is the contact point. `InTau` is the flow
in the time tau, dt = sqrt(B) dtau, where theta'' = -dV/dtheta: the phase portrait that knows neither I1 nor I3 (58)-(61).
"""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.scalar import pi, real, sincos, sqrt
from ...kernel.system import describe, rate, signals
from . import start  # registers how such a body starts
from .body import RubberBody, heights, mass_B, nose_squared, potential
from .start import full_start, start_rolling

NOWHERE = float("nan")

__all__ = ["InTau", "full_start", "start", "start_rolling"]


@rate.register(RubberBody)
def _(b, t, y, out):
    theta, p, ell = y[0], y[1], y[2]
    if not 0.0 < real(theta) < pi:  # beyond the axis there is no such angle: the step is taken again, shorter
        theta = theta + NOWHERE
    n, c = sincos(theta)
    z, dz, ddz = heights(b, theta)
    B, dB = mass_B(b, theta)
    N2 = nose_squared(b, theta)
    turn = p / B
    spin = ell / (sqrt(N2) * n * n)
    sp, cp = sincos(y[4])
    h, r = z * n + dz * c, z + ddz
    out[0] = turn
    out[1] = 0.5 * turn * turn * dB + ell * ell * c / (n * n * n) - b.m * b.g * dz - b.sigma * turn
    out[2] = -b.sigma * ell / N2
    out[3] = spin
    out[4] = -c * spin
    out[5] = -(h * spin * cp - r * turn * sp)
    out[6] = -(h * spin * sp + r * turn * cp)


@signals.register(RubberBody)
def _(b, t, y, out):
    theta, p, ell = y[0], y[1], y[2]
    z, _, _ = heights(b, theta)
    B, _ = mass_B(b, theta)
    V, _, _ = potential(b, ell, theta)
    n, _ = sincos(theta)
    out[0] = 0.5 * p * p / B + V
    out[1] = z
    out[2] = p / B
    out[3] = ell / (sqrt(nose_squared(b, theta)) * n * n)


describe(
    RubberBody,
    {
        "theta": ("rad", "nutation"),
        "p": ("kg m^2/s", "momentum B theta'"),
        "ell": ("(J)^(1/2)", "Koiller's integral l = N sin^2(theta) psi'"),
        "psi": ("rad", "rotation about the body's axis"),
        "phi": ("rad", "yaw of the nodal line"),
        "x": ("m", "contact point"),
        "y": ("m", "contact point"),
    },
    {"energy": "J", "height": ("m", "of the mass centre"), "theta_rate": "rad/s", "psi_rate": "rad/s"},
    about="A rubber body of revolution, reduced to one degree of freedom",
    plot=("theta", "psi", "phi"),
)


class InTau(NamedTuple):
    """The reduced flow in the time tau at a fixed l."""

    body: RubberBody
    ell: float


@rate.register(InTau)
def _(s, tau, y, out):
    _, dV, _ = potential(s.body, s.ell, y[0])
    out[0] = y[1]
    out[1] = -dV


describe(InTau, {"theta": "rad", "theta_prime": ("", "d theta / d tau")}, about="The reduced flow in the time tau")
