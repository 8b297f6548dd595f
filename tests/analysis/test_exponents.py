"""Lyapunov exponents and sections: a system whose exponent is known, a control that must be zero, and rubber bodies."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError, describe, rate
from rollick.analysis.lyapunov import largest_exponent
from rollick.analysis.section import poincare
from rollick.archetypes.rubber.chaos import energy_of, sections, start_on_section
from rollick.mechanics.body import Body
from rollick.mechanics.mass.primitives import solid_ellipsoid
from rollick.mechanics.rolling import rolling
from rollick.mechanics.shapes.convex import Ellipsoid


class Lorenz(NamedTuple):
    s: float = 10.0
    r: float = 28.0
    b: float = 8.0 / 3.0


@rate.register(Lorenz)
def _(p, t, y, out):
    out[0] = p.s * (y[1] - y[0])
    out[1] = y[0] * (p.r - y[2]) - y[1]
    out[2] = y[0] * y[1] - p.b * y[2]


describe(Lorenz, states={"x": "", "y": "", "z": ""})


def ellipsoid(a, b, c, centre=(0.0, 0.0, 0.0)):
    return rolling(Body.from_inertia(1.0, solid_ellipsoid(1.0, a, b, c).inertia, Ellipsoid(a, b, c), centre), how="rubber", g=1.0)


def test_lorenz():
    found = largest_exponent(Lorenz(), [1.0, 1.0, 20.0], 2000.0, rtol=1e-8)
    assert found.value == pytest.approx(0.9056, abs=0.012)
    assert found.chaotic
    assert "chaotic" in str(found)
    calm = largest_exponent(Lorenz(r=10.0), [1.0, 1.0, 8.0], 50.0)
    assert calm.value == pytest.approx(-0.5955, abs=0.01)  # the least stable eigenvalue of its fixed point
    assert not calm.chaotic
    with pytest.raises(InputError, match="intervals"):
        largest_exponent(Lorenz(), [1.0, 1.0, 20.0], 10.0, intervals=3)


def test_section_names_are_checked():
    with pytest.raises(InputError, match="state or signal"):
        poincare(Lorenz(), [1.0, 1.0, 20.0], "w", ("x",))


def test_rubber_sections():
    """On a body of revolution the section's points lie on curves l = const and neighbours do not part; a triaxial body is chaotic."""
    round_body = ellipsoid(1.0, 1.0, 0.6)
    (kept,) = sections(round_body, 1.2, [0.6], returns=40, exponent_time=500.0)
    for theta, theta_rate in kept.points:
        state = start_on_section(round_body, 1.2, theta, theta_rate)
        assert energy_of(round_body, state) == pytest.approx(1.2, rel=1e-12)
        c, s = np.cos(theta), np.sin(theta)
        i1, i3 = 0.2 * (1.0 + 0.36), 0.4
        ell = np.sqrt(i1 * c * c + i3 * s * s + s * s + 0.36 * c * c) * state[6]  # l = N Omega3
        if theta == kept.points[0][0]:
            first = ell
        assert ell == pytest.approx(first, rel=1e-7)
    assert not kept.exponent.chaotic
    (lost,) = sections(ellipsoid(1.0, 0.6, 0.4), 1.1, [np.radians(15.0)], returns=20, exponent_time=500.0)
    assert lost.exponent.chaotic
    assert lost.exponent.value > 5.0 * abs(kept.exponent.value)
    (unbalanced,) = sections(ellipsoid(1.0, 1.0, 0.6, (0.1, 0.0, 0.0)), 1.2, [np.radians(83.0)], returns=20, exponent_time=2000.0)
    assert unbalanced.exponent.chaotic
    with pytest.raises(InputError, match="cannot be reached"):
        start_on_section(round_body, 0.5, 0.6, 1.0)
