"""Chapter 1 of the thesis: the (inferred) data of Example 1.2, and second routes to what the archetype computes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...archetypes.wheelset.contact import rolling_rates, solve
from ...archetypes.wheelset.geometry import Geometry, simple
from ...archetypes.wheelset.period import linear_omega, periods
from ...archetypes.wheelset.profiles import POLYNOMIAL, Profile, Section
from ...archetypes.wheelset.series import Coefficients

V, R, B, H, R_W, R_R, SLOPE = 50.0, 0.4, 0.7, 0.05, 0.5, 0.25, 30.0  # inferred; SLOPE is R_w' of K3
INFERRED = "data inferred: v = 50 m/s, r = .4, b = .7, h = .05, R_w = .5, R_r = .25 m"
INFERRED_SLOPE = f"{INFERRED}, R_w' = 30"


def constant_curvature() -> Geometry:
    """The set of K1 and K2."""
    return simple(H, R_W, R_R, B, R)


def changing_curvature() -> Geometry:
    """The set of K3: the radius of the wheels' profile is R_w + 30 U."""
    return simple(H, R_W, R_R, B, R, R1_w=SLOPE)


def quartic(g: Geometry, reach: float) -> Geometry:
    """The same with both profiles cut off after their fourth power: as smooth as the thesis asks for; so the reference was
    computed.
    """
    cut = []
    for profile in (g.wheel, g.rail):
        terms = tuple(float(c) / math.factorial(k) for k, c in enumerate(profile.at(0.0, 4)))
        cut.append(Profile("Taylor polynomial of degree 4", profile.name, (Section(-reach, reach, POLYNOMIAL, 0.0, terms),)))
    return Geometry(cut[0], cut[1], g.b, g.r)


def cauchy_coefficients(g: Geometry, way: float, points: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """All a_ij, b_ij by Cauchy's formula: the exact contact at complex y and psi on circles, and Fourier transforms of y' and
    psi'.
    """
    turn = np.exp(2j * math.pi * np.arange(points) / points)
    y, psi = np.meshgrid(way * turn, way * turn, indexing="ij")
    f = rolling_rates(solve(g, y.ravel(), psi.ravel()))
    scale = way ** np.add.outer(np.arange(points), np.arange(points)).astype(float)
    a, b = (np.fft.fft2(x.reshape(points, points)).real / points**2 / scale for x in (f.y, f.psi))
    return a, b


def normal_form_beta(c: Coefficients) -> float:
    """beta from the transformation (1.36) to (1.37): its cubic terms are four linear equations for A20, A02, B20, B02 and beta."""
    w = math.sqrt(-c.a01 * c.b10)
    B00 = c.a01 / w
    left = np.array(
        [
            [0.0, c.a01, 0.0, -w, -w * B00**3],  # psi^3 in y*'
            [3.0 * c.a01, 2.0 * c.b10, -w, 0.0, -w * B00],  # y^2 psi in y*'
            [w, 0.0, c.b10, 0.0, w],  # y^3 in psi*'
            [0.0, w, 2.0 * c.a01, 3.0 * c.b10, w * B00**2],  # y psi^2 in psi*'
        ]
    )
    right = -np.array([c.a03, c.a21, B00 * c.b30, B00 * c.b12])
    return float(np.linalg.lstsq(left, right, rcond=None)[0][4])


class Quarter(NamedTuple):
    """A quarter period by an event."""

    omega: float
    misfit: float


def by_event(g: Geometry, amplitude: float) -> Quarter:
    """The angular frequency of an oscillation of the compiled system, per metre of way, from the event y = 0; DOP853, rtol 1e-11."""
    from ...archetypes.wheelset.rolling import wheelset_rolling
    from ...motion.events.event import Event
    from ...motion.simulate import simulate

    stop = Event("y", "falling", terminal=True)
    motion = simulate(wheelset_rolling(g, V), {"y": amplitude}, 1.0, rtol=1e-11, atol=1e-14, events=[stop], progress=False)
    return Quarter(0.5 * math.pi / motion.events[0].t / V, float(np.abs(motion["misfit"]).max()))


def richardson_beta(g: Geometry, amplitude: float) -> float:
    """beta from exact frequencies at amplitudes a and a/2, extrapolated: (omega/omega_L - 1)/a^2 = beta + O(a^2)."""
    made = periods(g, [amplitude, 0.5 * amplitude], 1e-12)
    first, second = (made.omega / linear_omega(g) - 1.0) / made.amplitude**2
    return float((4.0 * second - first) / 3.0)


def random_places(count: int, seed: int) -> Iterator[tuple[Geometry, float, float]]:
    """Random wheelsets, displacements up to 6 mm and yaw angles up to 6 mrad."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        h, b, r = rng.uniform(0.02, 0.15), rng.uniform(0.5, 0.9), rng.uniform(0.3, 0.6)
        R_r = rng.uniform(0.15, 0.4)
        R_w = R_r * rng.uniform(1.5, 4.0) if rng.random() < 0.7 else math.inf
        g = simple(float(h), float(R_w), float(R_r), float(b), float(r))
        yield g, float(rng.uniform(-6e-3, 6e-3)), float(rng.uniform(-6e-3, 6e-3))


def self_test() -> float:
    """How far theta' and z' of a rolling wheelset are from d theta, d z of the geometric solution along (y', psi'), by complex
    step; 25 random wheelsets.
    """
    worst, step = 0.0, 1e-30
    for g, y, psi in random_places(25, 148):
        c = solve(g, y, psi)
        f = rolling_rates(c)
        p, m = c.left, c.right
        k = 1.0 / ((p.Z - m.Z) * p.Y - (p.Y - m.Y) * p.Z)  # Omega = k (r+ - r-), and v_C = -Omega x r+ = (1, y', z')
        theta = k * (p.W - m.W) + f.phi * np.sin(psi)
        z = -k * ((p.W - m.W) * p.Y - (p.Y - m.Y) * p.W)
        moved = solve(g, y + step * 1j * f.y, psi + step * 1j * f.psi, c.unknowns.astype(complex))
        worst = max(worst, float(np.abs(theta - moved.theta.imag / step).max()), float(np.abs(z - moved.z.imag / step).max()))
    return worst
