"""The state-transition matrix Phi(t) = d y(t) / d y(0): closed forms, finite differences, Liouville, and the monodromy of an orbit."""

import math

import numpy as np
import pytest
from systems import Kepler, Oscillator, Pendulum, VanDerPol

from rollick import Event, simulate

SPRING = Oscillator(w=1.3)


def rotation(t, w=1.3):
    """The transition matrix of the oscillator, which is its flow: one matrix per time."""
    c, s = np.cos(w * t), np.sin(w * t)
    return np.moveaxis(np.array([[c, s / w], [-w * s, c]]), -1, 0) if np.ndim(t) else np.array([[c, s / w], [-w * s, c]])


def differences(system, start, until, step=1e-5, **options):
    """Phi by central differences of whole motions."""
    start = np.asarray(start, float)
    columns = []
    for j in range(start.size):
        d = np.zeros(start.size)
        d[j] = step
        ahead, behind = (simulate(system, start + sign * d, until, integrals=False, **options).end_state for sign in (1.0, -1.0))
        columns.append((ahead - behind) / (2.0 * step))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_oscillator(method):
    """A linear system: Phi does not depend on the start, and is known."""
    motion = simulate(SPRING, [1.0, -0.4], 10.0, variational=True, method=method)
    assert motion.transition.shape == (motion.t.size, 2, 2)
    np.testing.assert_array_equal(motion.transition[0], np.eye(2))
    np.testing.assert_allclose(motion.transition, rotation(motion.t), atol=1e-7)
    np.testing.assert_allclose(
        motion.y, motion.transition @ [1.0, -0.4], atol=1e-9
    )  # the flow of a linear system, to the last digits


def test_rows_are_results_and_columns_are_starts():
    """Phi[i, j] = d y_i(t) / d y_j(0), not its transpose."""
    motion = simulate(SPRING, [1.0, 0.0], 0.5, variational=True)
    assert motion.transition[-1][0, 1] == pytest.approx(math.sin(0.65) / 1.3, abs=1e-9)
    assert motion.transition[-1][1, 0] == pytest.approx(-math.sin(0.65) * 1.3, abs=1e-9)


def test_at_chosen_times_backward_and_of_no_time():
    at = np.array([0.0, 1.0, 4.0])
    motion = simulate(SPRING, [1.0, 0.0], 4.0, variational=True, at=at)
    np.testing.assert_allclose(motion.transition, rotation(at), atol=1e-8)
    back = simulate(SPRING, [1.0, 0.0], -4.0, variational=True, at=-at)
    np.testing.assert_allclose(back.transition, rotation(-at), atol=1e-8)
    np.testing.assert_array_equal(simulate(SPRING, [1.0, 0.0], 0.0, variational=True).transition, [np.eye(2)])


def test_the_motion_is_the_same():
    plain = simulate(Pendulum(), [2.0, 0.0], 10.0, rtol=1e-11)
    rides = simulate(Pendulum(), [2.0, 0.0], 10.0, rtol=1e-11, variational=True)
    np.testing.assert_allclose(rides.end_state, plain.end_state, atol=1e-9)


def test_there_and_back_is_the_identity():
    there = simulate(Pendulum(), [2.0, 0.3], 7.0, rtol=1e-11, variational=True)
    back = simulate(Pendulum(), there, 0.0, rtol=1e-11, variational=True)
    np.testing.assert_array_equal(back.transition[0], np.eye(2))  # a continued motion counts from where it starts
    np.testing.assert_allclose(back.transition[-1] @ there.transition[-1], np.eye(2), atol=1e-8)


@pytest.mark.parametrize(("method", "tolerance"), [("dop853", 2e-8), ("radau", 2e-7)])
def test_against_differences_of_a_pendulum(method, tolerance):
    options = {"rtol": 1e-12, "method": "dop853"}
    expected = differences(Pendulum(), [2.0, 0.3], 8.0, **options)
    found = simulate(Pendulum(), [2.0, 0.3], 8.0, rtol=1e-10, method=method, variational=True).transition[-1]
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * np.abs(expected).max())


def test_against_differences_of_an_orbit():
    start = [0.4, 0.0, 0.0, 2.0]
    expected = differences(Kepler(), start, 5.0, rtol=1e-13)
    found = simulate(Kepler(), start, 5.0, rtol=1e-11, variational=True).transition[-1]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_liouville():
    """det Phi = exp of the integral of the trace: 1 for a pendulum and an orbit, shrinking for van der Pol's oscillator."""
    pendulum = simulate(Pendulum(), [2.5, 0.0], 30.0, rtol=1e-11, variational=True)
    np.testing.assert_allclose(np.linalg.det(pendulum.transition), 1.0, atol=1e-7)
    orbit = simulate(Kepler(), [0.4, 0.0, 0.0, 2.0], 6.0, rtol=1e-11, variational=True)
    np.testing.assert_allclose(np.linalg.det(orbit.transition), 1.0, atol=1e-6)
    x = simulate(VanDerPol(0.5), [1.0, 0.0], 8.0, rtol=1e-11, variational=True, dense=True)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    trace = np.dot(weights, 0.5 * (1.0 - x.at(4.0 + 4.0 * nodes)[:, 0] ** 2)) * 4.0
    assert np.linalg.det(x.transition[-1]) == pytest.approx(math.exp(trace), rel=1e-8)


def test_symplectic():
    """The flow of a Hamiltonian system: Phi^T J Phi = J."""
    j = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    motion = simulate(Kepler(), [0.4, 0.0, 0.0, 2.0], 6.0, rtol=1e-11, variational=True)
    for phi in motion.transition[::5]:
        np.testing.assert_allclose(phi.T @ j @ phi, j, atol=1e-8 * np.linalg.norm(phi) ** 2)


def test_monodromy_of_an_orbit():
    """After one period: four eigenvalues 1 (a Jordan block), a period that depends on the energy, and the flow's own direction kept."""
    start = np.array([0.4, 0.0, 0.0, 2.0])  # semi-axis 1, eccentricity 0.6: the period is 2 pi
    motion = simulate(Kepler(), start, 2.0 * math.pi, rtol=1e-13, variational=True)
    np.testing.assert_allclose(motion.end_state, start, atol=1e-10)
    monodromy = motion.transition[-1]
    # The eigenvalue is defective: an error d in the matrix moves it by sqrt(d), its characteristic polynomial only by d.
    np.testing.assert_allclose(np.poly(monodromy), [1.0, -4.0, 6.0, -4.0, 1.0], atol=1e-8)
    assert np.abs(np.linalg.eigvals(monodromy) - 1.0).max() < 1e-3
    flow = np.array([0.0, 2.0, -1.0 / 0.4**2, 0.0])
    np.testing.assert_allclose(monodromy @ flow, flow, atol=1e-8)
    # A start with a little more energy E is late: dT/dE = 3 pi a^2/mu, since T = 2 pi a^(3/2) and a = -1/(2E).
    gradient = np.array([1.0 / 0.4**2, 0.0, 0.0, 2.0])
    energy_row = gradient @ gradient
    lag = (monodromy - np.eye(4)) @ gradient
    np.testing.assert_allclose(lag, -6.0 * math.pi * energy_row * flow, rtol=1e-6, atol=1e-6)


def test_monodromy_of_a_limit_cycle():
    """Van der Pol's cycle, mu = 1: a multiplier 1 along it and exp(integral of the trace) across, found from a section."""
    cycle = simulate(VanDerPol(1.0), [2.0, 0.0], 200.0, events=Event("v", "falling", terminal=25), rtol=1e-12)
    once = simulate(VanDerPol(1.0), cycle.end_state, 20.0, events=Event("v", "falling", terminal=1), rtol=1e-12, variational=True)
    assert once.end_time == pytest.approx(6.663286859323, abs=1e-8)  # the period, from the literature
    multipliers = np.sort(np.abs(np.linalg.eigvals(once.transition[-1])))
    assert multipliers[1] == pytest.approx(1.0, abs=1e-8)
    assert multipliers[0] == pytest.approx(np.linalg.det(once.transition[-1]), rel=1e-6)
    assert multipliers[0] == pytest.approx(8.6e-4, rel=0.01)


def test_stiff():
    """Along the slow manifold of van der Pol's oscillator, mu = 1000: Phi collapses at once to rank one, the slow direction."""
    motion = simulate(VanDerPol(1000.0), [2.0, -2.0 / 3000.0], 100.0, variational=True, method="radau", rtol=1e-8)
    assert motion.complete
    phi = motion.transition[-1]
    step = 1e-4
    ends = [
        simulate(VanDerPol(1000.0), [2.0 + d, -2.0 / 3000.0], 100.0, method="radau", rtol=1e-10, atol=1e-13).end_state
        for d in (step, -step)
    ]
    np.testing.assert_allclose(phi[:, 0], (ends[0] - ends[1]) / (2.0 * step), rtol=1e-5)
    assert abs(np.linalg.det(phi)) < 1e-10 * np.linalg.norm(phi) ** 2


def test_with_integrals():
    """Asked for, the integrals are rows of Phi too: d area(t) / d y(0) = the integral of the first row."""
    motion = simulate(SPRING, [1.0, 0.0], 2.0, variational=True, integrals=True)
    assert motion.transition.shape[1:] == (3, 2)
    w, t = 1.3, 2.0
    np.testing.assert_allclose(motion.transition[-1][2], [math.sin(w * t) / w, (1.0 - math.cos(w * t)) / w**2], atol=1e-9)
    np.testing.assert_allclose(motion["area"][-1], math.sin(w * t) / w, atol=1e-9)
    assert simulate(SPRING, [1.0, 0.0], 2.0, variational=True).q is None


def test_no_variational_no_matrix():
    assert simulate(SPRING, [1.0, 0.0], 1.0).transition is None


def test_against_differences_of_van_der_pol():
    start, t, d = np.array([1.0, 0.5]), 4.0, 1e-4
    found = simulate(VanDerPol(3.0), start, t, variational=True, rtol=1e-12, method="dop853").transition[-1]
    np.testing.assert_allclose(found, differences(VanDerPol(3.0), start, t, d, rtol=1e-13, method="dop853"), rtol=1e-6, atol=1e-7)
