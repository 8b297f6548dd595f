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

NODES = 400
MOST_NODES = 1 << 17
DRIFT = 1e-9  # |e^(i phi) - 1| below which the yaw per period counts as a multiple of 2 pi


@dataclass(frozen=True)
class Nutation:
    """One nutation period: turning points, periods in t and tau, action, advances of psi and phi, and the track of the contact point.

    `displacement` is complex, x + i y per period, for a start with phi = 0 at theta- (or where `nutation_from` started). After k periods
    the contact point is at displacement * (1 + e^(i phi) + ... + e^(i (k-1) phi)): it stays between the radii `inner` and `outer` about
    a centre, unless the advance of phi is a multiple of 2 pi. `length` is that of the track in one period.
    """

    ell: float
    energy: float
    low: float
    high: float
    period: float
    period_tau: float
    action: float
    psi: float
    phi: float
    displacement: complex
    inner: float
    outer: float
    length: float
    nodes: int

    @property
    def frequency(self) -> float:
        """Nutations per second, in rad/s."""
        return 2.0 * np.pi / self.period

    @property
    def drifts(self) -> bool:
        """Whether the contact point drifts away along a straight line: the yaw per period is a multiple of 2 pi."""
        return abs(np.exp(1j * self.phi) - 1.0) < DRIFT

    @property
    def kind(self) -> str:
        """One of: annulus, straight drift, closed (neither turn nor displacement per period: a figure eight)."""
        if not self.drifts:
            return "annulus"
        return "closed" if abs(self.displacement) < 1e-7 * self.length else "straight drift"

    @property
    def centre(self) -> complex | None:
        """The centre of the annulus that the contact point stays in, seen from the start with phi = 0; None if it drifts away."""
        return None if self.drifts else complex(self.displacement / (1.0 - np.exp(1j * self.phi)))

    @property
    def drift(self) -> float:
        """The displacement per period if the contact point drifts away along a line, else 0."""
        return abs(self.displacement) if self.drifts else 0.0

    def sentence(self) -> str:
        """The nutation in words."""
        where = (
            "the track of the contact point is closed"
            if self.kind == "closed"
            else f"the contact point drifts by {self.drift:.6g} m per period along a straight line"
            if self.drifts
            else f"the contact point stays in an annulus of radii {self.inner:.6g} and {self.outer:.6g} m"
        )
        low, high, psi, phi = (float(np.degrees(a)) for a in (self.low, self.high, self.psi, self.phi))
        return (
            f"nutation: theta between {low:.4f} and {high:.4f} deg, period {self.period:.9g} s; per period psi advances by {psi:.6g} deg, "
            f"phi by {phi:.6g} deg; {where}"
        )


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


WALK = np.concatenate([np.linspace(1.0, 0.0, 2001)[:-1], np.geomspace(4.9e-4, 1e-15, 120)])  # fractions of the way to the axis


@compiled
def first_above(body, ell, energy, theta):
    """The index of the first angle, after the first, where the potential is not below the energy; 0 if there is none."""
    for j in range(1, theta.size):
        if not potential(body, ell, theta[j])[0] < energy:
            return j
    return 0


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
        grid = limit + (inside - limit) * WALK
        k = first_above(body, float(ell), float(energy), grid)
        if k > 0:
            ends.append(brentq(gap, grid[k], grid[k - 1], xtol=1e-16, rtol=4 * np.finfo(float).eps))
        else:
            raise InputError(
                f"with l = {ell:g} and E = {energy:g} the body reaches theta = {limit:.4g}: the barrier l^2/(2 sin^2) is too weak "
                f"to be resolved; choose |l| above {np.sqrt(2 * abs(energy)) * 1e-15:.1g}, or treat l = 0 as planar rolling."
            )
    return ends[0], ends[1]


def wave(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and coefficients of the trigonometric polynomial in u through values at the midpoints of equal intervals."""
    count = values.size
    k = np.fft.fftfreq(count, 1.0 / count)
    c = np.fft.fft(values) / count * np.exp(-1j * k * np.pi / count)
    if count % 2 == 0:
        c[count // 2] = 0.0
    return k, c


def nutation(
    body: RubberBody, ell: float, energy: float, inside: float, start: tuple[float, float] | None = None, count: int = NODES
) -> Nutation:
    """The nutation of a body with integral l and energy E through the angle `inside`.

    `start` = (theta, sign of theta') is where the displacement is measured from (default: theta-). The number of nodes is doubled until
    the period does not change in 13 digits, or rounding stops it: close to a separatrix it takes many.
    """
    low, high = turning_points(body, ell, energy, inside)
    before = change = np.inf
    while True:
        table = np.empty((count, 8))
        nodes(body, float(ell), float(energy), low, high, table)
        period = float(table[:, 0].mean() * 2.0 * np.pi)
        last, change = change, abs(period - before)
        if change <= 1e-13 * period or (last < 1e-9 * period and change > 0.25 * last) or count >= MOST_NODES:
            break
        before, count = period, 2 * count
    dt, dtau, pd, spin, turn, h, r, c = table.T
    total = lambda values: float(values.mean() * 2.0 * np.pi)
    yaw = -c * spin * dt  # dphi/du
    phi = total(yaw)
    mean = phi / (2.0 * np.pi)
    # phi(u) = mean u + periodic part; the contact point is at e^(i mean u) w(u) with w periodic, since it moves by
    # -(h psi' + i r theta') e^(i phi) dt, which is e^(i mean u) times something periodic. Both are integrated term by term.
    k, coefficients = wave(yaw - mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        swing = np.where(k == 0, 0.0, coefficients / (1j * k))
    periodic = np.fft.ifft(swing * np.exp(1j * k * np.pi / count)).real * count
    k, push = wave(-(h * spin + 1j * r * turn) * np.exp(1j * periodic) * dt)
    turned = k + mean
    u0 = 0.0
    if start is not None:
        rise = np.arcsin(np.clip((start[0] - 0.5 * (low + high)) / (0.5 * (high - low)), -1.0, 1.0))
        u0 = (rise if start[1] >= 0.0 else np.pi - rise) + 0.5 * np.pi
    yaw_start = float(np.sum(swing * np.exp(1j * k * u0)).real)  # the periodic part of phi at the start
    e = np.exp(2j * np.pi * turned) - 1.0
    resonant = np.abs(turned) < 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(resonant, 2.0 * np.pi, e / (1j * turned))  # the integral of e^(i (k + mean) u) over a period
        path = np.where(resonant, 0.0, push / (1j * turned))
    displacement = complex(np.sum(push * step * np.exp(1j * k * u0)) * np.exp(-1j * yaw_start))
    radius = np.abs(np.fft.ifft(path * np.exp(1j * k * np.pi / count)) * count)
    drifts = abs(np.exp(1j * phi) - 1.0) < DRIFT
    inner, outer = (np.nan, np.nan) if drifts else (float(radius.min()), float(radius.max()))
    action = total(pd) / (2.0 * np.pi)
    path_length = total(np.hypot(h * spin, r * turn) * dt)
    return Nutation(
        float(ell), float(energy), low, high, period, total(dtau), action, total(spin * dt), phi, displacement, inner, outer, path_length, count,
    )  # fmt: skip


def nutation_from(body: RubberBody, start: np.ndarray) -> Nutation:
    """The nutation of the motion through a reduced state (see `start_rolling`); its displacement is measured from there, with phi = 0."""
    theta, p, ell = (float(v) for v in start[:3])
    if ell == 0.0:
        raise InputError(
            "l = 0 is planar rolling: without a barrier at the axis theta need not turn back, and there is no nutation."
        )
    B, _ = mass_B(body, theta)
    energy = 0.5 * p * p / B + potential(body, ell, theta)[0]
    inside = theta
    if p == 0.0:  # the start is itself a turning point: step inward
        slope = potential(body, ell, theta)[1]
        if abs(slope) < 1e-13 * abs(energy):
            raise InputError("this start is a relative equilibrium: theta stays constant and there is no nutation.")
        inside = theta - np.sign(slope) * 1e-6
    return nutation(body, ell, energy, inside, (theta, np.sign(p)))
