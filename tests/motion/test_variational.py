"""The state-transition matrix: closed forms, Liouville, differences, and the monodromy matrix of a Kepler orbit."""

import math

import numpy as np
import pytest
from systems import Kepler, Oscillator, VanDerPol

from rollick import simulate


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_oscillator(method):
    w, t = 2.0, 1.7
    m = simulate(Oscillator(w), [0.3, -0.2], t, variational=True, rtol=1e-10, method=method, at=[0.0, t])
    expected = [[math.cos(w * t), math.sin(w * t) / w], [-w * math.sin(w * t), math.cos(w * t)]]
    np.testing.assert_array_equal(m.transition[0], np.eye(2))
    np.testing.assert_allclose(m.transition[1], expected, atol=1e-8)


def test_integrals_have_sensitivities_too():
    t = 1.3
    m = simulate(Oscillator(), [1.0, 0.0], t, variational=True, integrals=True, rtol=1e-11)
    assert m.transition.shape[1:] == (3, 2)
    np.testing.assert_allclose(
        m.transition[-1][2], [math.sin(t), 1.0 - math.cos(t)], atol=1e-9
    )  # area = x0 sin t + v0 (1 - cos t)


def test_against_differences_and_liouville():
    mu, start, t = 3.0, np.array([1.0, 0.5]), 4.0
    m = simulate(VanDerPol(mu), start, t, variational=True, rtol=1e-12, method="dop853", dense=True)
    d = 1e-4
    for j in range(2):
        e = np.zeros(2)
        e[j] = d
        ahead, behind = (simulate(VanDerPol(mu), start + s * e, t, rtol=1e-13, method="dop853").end_state for s in (1.0, -1.0))
        np.testing.assert_allclose(m.transition[-1][:, j], (ahead - behind) / (2.0 * d), rtol=1e-6, atol=1e-7)
    times = np.linspace(0.0, t, 4001)
    trace = mu * (1.0 - m.at(times)[:, 0] ** 2)
    assert np.linalg.det(m.transition[-1]) == pytest.approx(math.exp(np.trapezoid(trace, times)), rel=1e-5)


def test_monodromy_of_a_kepler_orbit_has_unit_eigenvalues():
    m = simulate(Kepler(), [0.4, 0.0, 0.0, 2.0], 2.0 * math.pi, variational=True, rtol=1e-13, at=[2.0 * math.pi])
    (monodromy,) = m.transition
    characteristic = np.poly(monodromy)
    np.testing.assert_allclose(characteristic, [1.0, -4.0, 6.0, -4.0, 1.0], atol=1e-7)
    flow = np.array([0.0, 2.0, -1.0 / 0.16, 0.0])
    np.testing.assert_allclose(monodromy @ flow, flow, atol=1e-8)
