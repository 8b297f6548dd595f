"""The flight of a rod: the first contact is never missed, and is accurate."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest

from rollick.archetypes.dropped_device.rod_flight import (
    end_height,
    fall_time,
    first_contact,
    half_turns,
    next_contact,
    release_time,
    sine_excess,
)


def height(s, sigma, phi, w, h, v):
    """The same height, written plainly."""
    return h + v * s - 0.5 * s * s + sigma * np.sin(phi + w * s)


def by_scanning(sigma, phi, w, h, v, begin):
    """The first downward crossing on a fine grid, then bisection; None if the grid shows none."""
    s = np.linspace(begin, fall_time(h, v) + 1e-9, int(4000 + 4000 * abs(w)))
    g = height(s, sigma, phi, w, h, v)
    down = np.flatnonzero((g[:-1] > 0.0) & (g[1:] <= 0.0))
    if not down.size:
        return None
    a, b = s[down[0]], s[down[0] + 1]
    for _ in range(80):
        m = 0.5 * (a + b)
        a, b = (m, b) if height(m, sigma, phi, w, h, v) > 0.0 else (a, m)
    return b


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("fastest", [0.5, 5.0, 60.0])
def test_against_a_fine_scan(fastest, count):
    rng = np.random.default_rng(int(fastest))
    found = 0
    for _ in range(count):
        phi, w, v = rng.uniform(-1.57, 1.57), rng.uniform(-fastest, fastest), rng.uniform(-4, 4)
        h = abs(math.sin(phi)) + rng.uniform(0.0, 3.0)
        for sigma in (1.0, -1.0):
            g0, g1 = h + sigma * math.sin(phi), v + sigma * w * math.cos(phi)
            told = by_scanning(sigma, phi, w, h, v, 0.0)
            ours = first_contact(sigma, phi, w, h, v, g0, g1, 0.0, fall_time(h, v))
            if told is None or abs(height(told, sigma, phi, w, h, v)) > 1e-9:
                continue
            assert ours <= told + 1e-9  # never later than what a scan sees
            assert abs(height(ours, sigma, phi, w, h, v)) < 1e-10
            found += 1
    assert found > 2 * count / 3


def test_grazing():
    """An end that dips to a least height of +-delta: below it must be found, above it must be passed."""
    w, phi = 6.0, 0.0
    for delta in (1e-3, 1e-6, 1e-9):
        for sign in (1.0, -1.0):
            # the dip: choose h so that the first minimum of the height of end 0 is sign*delta
            v = 1.5
            s = np.linspace(0.4, 1.2, 400_001)
            low = height(s, 1.0, phi, w, 0.0, v)
            k = int(low.argmin())
            fit = np.polyfit(s[k - 3 : k + 4] - s[k], low[k - 3 : k + 4], 2)
            least = fit[2] - fit[1] ** 2 / (4 * fit[0])
            h = -least + sign * delta
            found = first_contact(1.0, phi, w, h, v, h, v + w, 0.0, fall_time(h, v))
            if sign < 0:
                assert abs(found - s[k]) < 2.0 * math.sqrt(delta)
            else:
                assert found > s[k] + 0.3


def test_tiny_bounces_keep_their_digits():
    """A bounce with velocity 1e-3 .. 1e-13: its duration against Taylor's series in fifty digits."""
    getcontext().prec = 50
    phi, w, sigma = 0.4, 1.1, -1.0
    h = -sigma * math.sin(phi)
    for up in (1e-3, 1e-6, 1e-9, 1e-13):
        v = up - sigma * w * math.cos(phi)
        s = first_contact(sigma, phi, w, h, v, 0.0, up, 0.0, fall_time(h, v))
        a2 = Decimal(-1) - Decimal(sigma) * Decimal(w) ** 2 * Decimal(math.sin(phi))
        a3 = -Decimal(sigma) * Decimal(w) ** 3 * Decimal(math.cos(phi))
        a4 = Decimal(sigma) * Decimal(w) ** 4 * Decimal(math.sin(phi))
        a5 = Decimal(sigma) * Decimal(w) ** 5 * Decimal(math.cos(phi))
        x = -2 * Decimal(up) / a2
        for _ in range(60):
            x = -Decimal(up) / (a2 / 2 + a3 * x / 6 + a4 * x**2 / 24 + a5 * x**3 / 120)
        assert s == pytest.approx(float(x), rel=1e-12 if up < 1e-4 else 1e-10)
        back = end_height(s, sigma, math.sin(phi), math.cos(phi), w, 0.0, up)[1]
        assert back == pytest.approx(-up, rel=1e-2)
        assert back < 0.0


def test_sine_excess():
    getcontext().prec = 60
    for x in (1e-8, 1e-3, 0.1, 0.59, 0.61, 2.0):
        X, term, total = Decimal(x), Decimal(x), Decimal(0)
        for k in range(1, 40):
            term *= -X * X / ((2 * k) * (2 * k + 1))
            total += term
        assert sine_excess(x) == pytest.approx(float(total), rel=5e-15)


def test_both_ends_and_flat_fall():
    s, end = next_contact(1.0, 0.3, 0.0, 5.0, 0.0, 5 + math.sin(0.3), 0.0, 0.0, 5 - math.sin(0.3), 0.0, 0.0)
    assert end == 1
    assert s == pytest.approx(math.sqrt(2 * (5 - math.sin(0.3))), rel=1e-15)
    s, _ = next_contact(1.0, 0.0, 0.0, 5.0, 0.0, 5.0, 0.0, 0.0, 5.0, 0.0, 0.0)
    assert s == pytest.approx(math.sqrt(10.0), rel=1e-14)


def test_release():
    """Lift-off: height, velocity and acceleration vanish; the end stays above the floor at least for the promised time."""
    for phi in (0.2, 0.9, 1.4):
        w = 1.0 / math.sqrt(math.sin(phi))  # 1 - w^2 sin(phi) = 0 for the end at -sin(phi)
        s = np.linspace(0.0, release_time(-1.0, phi, w), 2001)[1:]
        assert min(end_height(x, -1.0, math.sin(phi), math.cos(phi), w, 0.0, 0.0)[0] for x in s) > 0.0


def test_half_turns():
    for phi in (0.1, 1.6, -1.6, 3.2, 100.0, -7.0):
        small, turns = half_turns(phi)
        assert abs(small) <= 0.5 * math.pi + 1e-12
        assert math.sin(small) * (-1) ** turns == pytest.approx(math.sin(phi), abs=1e-13)
    assert half_turns(math.pi)[0] == pytest.approx(-1.2246467991473532e-16, rel=1e-6)
