"""Quadratures of the reduced motion: period, action, advances, displacement (Koiller, sections 6 and 7).

With turning points theta- < theta+ where V = E, theta = mid + amp sin u makes every integrand periodic and smooth in u, so that the midpoint
rule converges exponentially. The yaw along the period comes from the same nodes by spectral integration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import cos, sin, sqrt
from .body import RubberBody, heights, mass_B, nose_squared, potential

NODES = 800


@dataclass(frozen=True)
class Nutation:
    """One nutation period: turning points, periods in t and tau, action, advances of psi and phi, displacement of the contact point.

    `displacement` is complex, x + i y, for a start at theta- with phi = 0. After k periods the contact point is at
    displacement * (1 + e^(i phi) + ... ): on a circle unless the advance of phi is a multiple of 2 pi.
    """

    low: float
    high: float
    period: float
    period_tau: float
    action: float
    psi: float
    phi: float
    displacement: complex

    @property
    def centre(self) -> complex | None:
        """The centre of the annulus that the contact point stays in; None if it drifts away."""
        turn = np.exp(1j * self.phi)
        return None if abs(1.0 - turn) < 1e-9 else complex(self.displacement / (1.0 - turn))

    @property
    def drift(self) -> float:
        """The displacement per period if the contact point drifts away along a line, else 0."""
        return abs(self.displacement) if self.centre is None else 0.0


@compiled
def nodes(body, ell, energy, low, high, out):
    """At midpoints u_j: dt/du, dtau/du, p dtheta/du, psi', theta', h, r (columns of out); u runs once round from theta-."""
    count = out.shape[0]
    mid, amp = 0.5 * (low + high), 0.5 * (high - low)
    for j in range(count):
        u = -1.5707963267948966 + (j + 0.5) * 6.283185307179586 / count
        theta = mid + amp * sin(u)
        V, _, _ = potential(body, ell, theta)
        gap = energy - V
        across = amp * cos(u)  # dtheta/du, with the sign of theta'
        inverse = abs(across) / sqrt(2.0 * gap)  # dtau/du
        B, _ = mass_B(body, theta)
        z, dz, ddz = heights(body, theta)
        n, c = sin(theta), cos(theta)
        out[j, 0] = sqrt(B) * inverse
        out[j, 1] = inverse
        out[j, 2] = sqrt(2.0 * gap * B) * abs(across)
        out[j, 3] = ell / (sqrt(nose_squared(body, theta)) * n * n)
        out[j, 4] = across / out[j, 0]
        out[j, 5] = z * n + dz * c
        out[j, 6] = z + ddz
        out[j, 7] = c


def turning_points(body: RubberBody, ell: float, energy: float, inside: float) -> tuple[float, float]:
    """The ends of the interval around `inside` in which V <= E."""
    from scipy.optimize import brentq

    def gap(theta: float) -> float:
        return energy - potential(body, float(ell), float(theta))[0]

    if not gap(inside) > 0.0:
        raise InputError(f"at theta = {inside:g} the energy {energy:g} lies below the potential; the motion cannot be there.")
    ends = []
    for limit in (0.0, np.pi):
        # Walk outward in ever smaller steps towards the barrier at the axis until the potential exceeds the energy.
        grid = limit + (inside - limit) * np.concatenate([np.linspace(1.0, 0.0, 2001)[:-1], np.geomspace(5e-4, 1e-15, 120)])
        grid = np.sort(grid) if limit > inside else np.sort(grid)[::-1]
        before = inside
        for theta in grid:
            if gap(theta) <= 0.0:
                ends.append(brentq(gap, theta, before, xtol=1e-16, rtol=4 * np.finfo(float).eps))
                break
            before = theta
        else:
            raise InputError(
                f"with l = {ell:g} and E = {energy:g} the body reaches theta = {limit:.4g}: the barrier l^2/(2 sin^2) is too weak "
                f"to be resolved; choose |l| above {np.sqrt(2 * abs(energy)) * 1e-15:.1g}, or treat l = 0 as planar rolling."
            )
    return ends[0], ends[1]


def nutation(body: RubberBody, ell: float, energy: float, inside: float, count: int = NODES) -> Nutation:
    """The nutation of a body with integral l and energy E through the angle `inside`."""
    low, high = turning_points(body, ell, energy, inside)
    table = np.empty((count, 8))
    nodes(body, float(ell), float(energy), low, high, table)
    dt, dtau, pd, spin, turn, h, r, c = table.T
    du = 2.0 * np.pi / count
    yaw_rate = -c * spin * dt  # dphi/du
    phi = float(yaw_rate.sum() * du)
    # phi(u) from u = -pi/2: mean part plus the integral of the periodic rest, exact for the trigonometric polynomial through the nodes.
    rest = np.fft.rfft(yaw_rate - phi / (2.0 * np.pi))
    k = np.arange(rest.size)
    k[0] = 1
    integral = rest / (1j * k)
    integral[0] = 0.0
    if count % 2 == 0:
        integral[-1] = 0.0
    periodic = np.fft.irfft(integral, count)
    u = (np.arange(count) + 0.5) * du
    start = np.real(np.sum(integral[1:] * np.exp(-1j * k[1:] * 0.5 * du)) * 2.0 / count)  # the periodic part at u = -pi/2
    along = phi / (2.0 * np.pi) * u + periodic - start
    displacement = complex(np.sum(-(h * spin + 1j * r * turn) * np.exp(1j * along) * dt) * du)
    return Nutation(
        low,
        high,
        float(dt.sum() * du),
        float(dtau.sum() * du),
        float(pd.sum() * du / (2 * np.pi)),
        float((spin * dt).sum() * du),
        phi,
        displacement,
    )


def nutation_from(body: RubberBody, start: np.ndarray) -> Nutation:
    """The nutation of the motion through a reduced state (see `start_rolling`)."""
    theta, p, ell = (float(v) for v in start[:3])
    B, _ = mass_B(body, theta)
    energy = 0.5 * p * p / B + potential(body, ell, theta)[0]
    inside = theta
    if p == 0.0:  # the start is itself a turning point: step inward
        slope = potential(body, ell, theta)[1]
        inside = theta - np.sign(slope) * 1e-6
        if slope == 0.0:
            raise InputError("this start is a relative equilibrium: theta stays constant and there is no nutation.")
    return nutation(body, ell, energy, inside)
