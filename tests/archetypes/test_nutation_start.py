"""Displacement of a nutation, measured from a turning point: the angle alone tells that place to half the digits only."""

import pytest
from reduced_flow import state_after

from rollick.archetypes.rubber import nutation_from, start_rolling, torus

WHEEL = torus(R=1.0, r=0.25, m=1.0, g=1.0)


@pytest.mark.parametrize("theta", [0.3, 0.5, 0.7, 0.9, 1.1, 1.3])
@pytest.mark.parametrize("theta_rate", [0.0, 1e-7, -1e-4, 0.05])
def test_the_displacement_is_that_of_the_motion(theta, theta_rate):
    start = start_rolling(WHEEL, theta, theta_rate, 0.9)
    n = nutation_from(WHEEL, start)
    end = state_after(WHEEL, start, n.period, rtol=1e-13, atol=1e-15)
    assert complex(end[5], end[6]) == pytest.approx(n.displacement, abs=1e-11)
