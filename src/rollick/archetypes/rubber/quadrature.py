"""Quadratures of the reduced motion: period, action, advances, displacement (Koiller, sections 6 and 7).

With turning points theta- < theta+ where V = E, theta = mid - amp cos v takes half a period for 0 <= v <= pi, and

    E - V = amp^2 sin^2(v) Q,    dt/dv = sqrt(B / (2 Q)),    theta' = amp sin(v) dv/dt.

Q > 0 is smooth, and goes to V''/2 with the amplitude: what is left is the linear theory of small nutations, 2 pi sqrt(B/V''). The other
half of the period is the mirror image in time, so that with I the displacement of the first half and Phi the advance of phi in a period
D = I + e^(i Phi) conj(I).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import cos, sin, sqrt
from .body import RubberBody, heights, mass_B, nose_squared, potential, reduced_only
from .level import Ends, Level, around, energy_level, gap_at, level_through, mean_slope, noise, turning_points, within_reach
from .loops import INTEGRATE, NODES, WEIGHTS
from .panels import Cut, adaptive

__all__ = ["Nutation", "nutation", "nutation_from", "turning_points"]
NOWHERE = float("nan")
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
        if self.low == self.high:
            return (
                f"steady rolling at theta = {low:.4f} deg; small nutations about it have the period {self.period:.9g} s; {where}"
            )
        return (
            f"nutation: theta between {low:.4f} and {high:.4f} deg, period {self.period:.9g} s; per period psi advances by {psi:.6g} deg, "
            f"phi by {phi:.6g} deg; {where}"
        )


@compiled
def nodes(body, level, ends, angles, above, v, out):
    """At each v: dt/dv, dtau/dv, p dtheta/dv, psi', theta', h, r, cos(theta) (columns of out).

    level = (l, E, scale), ends = (low, high, amp, critical points near both or NaN, turning points from there in units of amp).
    """
    ell, energy, scale = level
    low, high, amp, c_low, c_high, a_low, a_high = ends
    for j in range(v.size):
        sl, sh = sin(0.5 * v[j]), cos(0.5 * v[j])
        from_low, from_high = 2.0 * sl * sl, 2.0 * sh * sh  # the distances from both ends, in units of amp
        below = from_low <= 1.0
        end, centre, a = (low, c_low, a_low) if below else (high, c_high, a_high)
        theta = low + amp * from_low if below else high - amp * from_high
        V, slope, _ = potential(body, ell, theta)
        area = amp * amp * from_low * from_high
        Q = -1.0
        if energy - V < 0.05 * scale and within_reach(end, theta):
            if not within_reach(centre, theta):
                centre = NOWHERE
            if below:
                Q = -mean_slope(body, ell, end, amp, from_low, centre, a) / from_high
            else:
                Q = mean_slope(body, ell, end, amp, -from_high, centre, a) / from_low
            if not abs(Q * area - (energy - V)) <= noise(scale, slope):
                Q = -1.0
        if not Q > 0.0:
            Q = gap_at(body, ell, energy, scale, angles, above, theta) / area
        B, _ = mass_B(body, theta)
        z, dz, ddz = heights(body, theta)
        n, c = sin(theta), cos(theta)
        out[j, 0] = sqrt(0.5 * B / Q)
        out[j, 1] = sqrt(0.5 / Q)
        out[j, 2] = sqrt(2.0 * Q * B) * area
        out[j, 3] = ell / (sqrt(nose_squared(body, theta)) * n * n)
        out[j, 4] = amp * 2.0 * sl * sh / out[j, 0]
        out[j, 5] = z * n + dz * c
        out[j, 6] = z + ddz
        out[j, 7] = c


def weighed(table: np.ndarray) -> np.ndarray:
    """What is integrated over v: time, tau, action, psi, phi, length of the track."""
    dt, dtau, pd, spin, turn, h, r, c = np.moveaxis(table, -1, 0)
    return np.stack([dt, dtau, pd, spin * dt, -c * spin * dt, np.hypot(h * spin, r * turn) * dt], axis=-1)


def at_nodes(level: Level, ends: Ends, v: np.ndarray) -> np.ndarray:
    """The columns of `nodes` at each v."""
    out = np.empty((v.size, 8))
    places = (ends.low, ends.high, ends.amp, *ends.centres, *ends.offsets)
    nodes(level.body, (level.ell, level.energy, level.scale), places, level.angles, level.above, v, out)
    return out


def half_period(level: Level, ends: Ends, also: float | None = None) -> Cut:
    """The panels of half a period, from theta- to theta+; `also` is an edge between two of them."""
    edges = np.linspace(0.0, np.pi, 5)
    if also is not None and 0.0 < also < np.pi:
        edges = np.unique(np.append(edges, also))
    return adaptive(edges, lambda v: at_nodes(level, ends, v), weighed)


@dataclass(frozen=True)
class Track:
    """The first half of a period: yaw and contact point at the beginnings of the panels (and the end), and at the nodes."""

    yaw: np.ndarray
    place: np.ndarray
    places: np.ndarray
    rates: np.ndarray  # d place / dv at the nodes


def track_of(cut: Cut) -> Track:
    """The contact point along half a period, with phi = 0 and at the origin at theta-: it moves by -(h psi' + i r theta') e^(i phi) dt."""
    dt, _, _, spin, turn, h, r, c = np.moveaxis(cut.table, -1, 0)
    width = cut.width[:, None]
    turned = -c * spin * dt
    yaw = np.concatenate([[0.0], np.cumsum(turned @ WEIGHTS * cut.width)])
    phi = yaw[:-1, None] + turned @ INTEGRATE.T * width
    rates = -(h * spin + 1j * r * turn) * np.exp(1j * phi) * dt
    place = np.concatenate([[0.0], np.cumsum(rates @ WEIGHTS * cut.width)])
    return Track(yaw, place, place[:-1, None] + rates @ INTEGRATE.T * width, rates)


def radii(track: Track, centre: complex) -> tuple[float, float]:
    """The least and greatest distance of the contact point from the centre of its annulus.

    Extrema are at the turning points, or where the distance is stationary on the way: there on the polynomial through a panel's nodes.
    """
    from numpy.polynomial import legendre

    found = [abs(track.place[0] - centre), abs(track.place[-1] - centre)]
    square = np.abs(track.places - centre) ** 2
    found += [float(np.sqrt(square.min())), float(np.sqrt(square.max()))]
    slope = np.real(np.conj(track.places - centre) * track.rates)
    turns = np.flatnonzero(np.abs(np.diff(np.sign(slope), axis=1)).max(axis=1) > 0.0)
    x = legendre.leggauss(NODES)[0]
    for k in turns[np.argsort(-np.ptp(square[turns], axis=1))][:64]:
        shape = legendre.legfit(x, square[k] - square[k].mean(), NODES - 1)
        roots = legendre.legroots(legendre.legder(shape))
        real = roots[np.abs(roots.imag) < 1e-9].real
        for value in legendre.legval(real[np.abs(real) < 1.0], shape) + square[k].mean():
            if square[k].min() - 0.1 * np.ptp(square[k]) <= value <= square[k].max() + 0.1 * np.ptp(square[k]):
                found.append(float(np.sqrt(max(value, 0.0))))
    return float(min(found)), float(max(found))


def refuse_separatrix(level: Level, ends: Ends) -> None:
    """A motion that takes for ever to come to an unstable steady rolling has no period."""
    for k, theta in enumerate(level.angles):
        reached = k in ends.walls or ends.low < theta < ends.high
        bent = potential(level.body, level.ell, float(theta))[2]
        if reached and bent < 0.0 and abs(level.above[k]) <= level.doubt[k]:
            raise InputError(
                f"E = {level.energy:.12g} is the energy of the unstable steady rolling at theta = {theta:.9g}, as far as it is known: the "
                f"motion stays there or takes for ever to reach it, and has no period. separatrices(body, {level.ell:g}) describes it."
            )


def place_of(level: Level, ends: Ends, theta: float, rate: float | None) -> float:
    """v of an angle, mid - amp cos v = theta. Next to a turning point the angle tells v to half the digits; the rate, amp sin v dv/dt = |theta'|, tells it to all."""
    cosine = (0.5 * (ends.low + ends.high) - theta) / ends.amp
    v = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
    if rate is None:
        return v
    per_v = float(at_nodes(level, ends, np.array([v]))[0, 0])
    return float(np.arctan2(abs(rate) * per_v / ends.amp, cosine))


def over_period(level: Level, inside: float, start: tuple[float, float] | None = None, rate: float | None = None) -> Nutation:
    """The nutation on a level through the angle `inside`; `start` = (theta, sign of theta') is where the displacement is measured from, `rate` theta' there, if it is known."""
    ends = around(level, inside)
    refuse_separatrix(level, ends)
    v0 = place_of(level, ends, start[0], rate) if start is not None and ends.amp > 0.0 else 0.0
    cut = half_period(level, ends, v0)
    track = track_of(cut)
    time, tau, action, psi, _, length = (2.0 * cut.total(column) for column in np.moveaxis(weighed(cut.table), -1, 0))
    if not np.isfinite(time):
        raise InputError(
            f"the nutation at l = {level.ell:g}, E = {level.energy:.12g} cannot be resolved: E is too close to that of an unstable steady rolling."
        )
    half = complex(track.place[-1])
    phi = 2.0 * float(track.yaw[-1])
    turned = np.exp(1j * phi)
    displacement = half + turned * half.conjugate()
    centre = displacement / (1.0 - turned) if abs(turned - 1.0) >= DRIFT else None
    inner, outer = radii(track, complex(centre)) if centre is not None else (np.nan, np.nan)
    if start is not None:
        k = int(np.argmin(np.abs(np.append(cut.start, np.pi) - v0)))
        place, yaw = complex(track.place[k]), float(track.yaw[k])
        if start[1] < 0.0:  # on the way back, the mirror image in time
            place, yaw = displacement - turned * place.conjugate(), phi - yaw
        displacement = complex((displacement + (turned - 1.0) * place) * np.exp(-1j * yaw))
    return Nutation(
        level.ell, level.energy, ends.low, ends.high, time, tau, action / (2.0 * np.pi), psi, phi, complex(displacement), inner, outer,
        length, cut.nodes.size,
    )  # fmt: skip


def refuse_planar(ell: float) -> None:
    """l = 0 has no barrier at the axis."""
    if ell == 0.0:
        raise InputError(
            "l = 0 is planar rolling: without a barrier at the axis theta need not turn back, and there is no nutation."
        )


@reduced_only
def nutation(body: RubberBody, ell: float, energy: float, inside: float, start: tuple[float, float] | None = None) -> Nutation:
    """The nutation of a body with integral l and energy E through the angle `inside`.

    `start` = (theta, sign of theta') is where the displacement is measured from (default: theta-). At the energy of a stable steady
    rolling it is the limit of small nutations about it. All numbers are good to rounding, except as E itself is not known better: next to
    steady rolling the amplitude, and next to a separatrix the period, depend on E strongly; `nutation_from` does better there.
    """
    refuse_planar(ell)
    return over_period(energy_level(body, ell, energy), float(inside), start)


@reduced_only
def nutation_from(body: RubberBody, start: np.ndarray) -> Nutation:
    """The nutation of the motion through a reduced state (see `start_rolling`); its displacement is measured from there, with phi = 0."""
    theta, p, ell = (float(v) for v in start[:3])
    refuse_planar(ell)
    inertia = mass_B(body, theta)[0]
    return over_period(level_through(body, ell, theta, 0.5 * p * p / inertia), theta, (theta, float(np.sign(p))), p / inertia)
