"""Derivatives by complex step against closed forms: of functions, of systems, and second derivatives."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick.kernel import cos, describe, exp, hessian, jacobian, maximum, rate, sin, sqrt, system_jacobian
from rollick.kernel.compiled import compiled
from rollick.kernel.derivative import EPS, rate_jacobian, rate_time_derivative


class Pendulum(NamedTuple):
    """A driven pendulum: phi'' = -k sin(phi) - c phi' + t^2 cos(phi)."""

    k: float
    c: float


@rate.register(Pendulum)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = -p.k * sin(y[0]) - p.c * y[1] + t * t * cos(y[0])


describe(Pendulum, states={"phi": "rad", "omega": "rad/s"})


class Pair(NamedTuple):
    """Two pendulums side by side, the first pulling the second."""

    first: Pendulum
    second: Pendulum
    pull: float


@rate.register(Pair)
def _(p, t, y, out):
    rate(p.first, t, y[:2], out[:2])
    rate(p.second, t, y[2:], out[2:])
    out[3] += p.pull * exp(y[0]) * y[2]


describe(Pair, states={"a": "", "b": "", "c": "", "d": ""})


class Linear(NamedTuple):
    """A system that knows its own Jacobian matrix (and tells a lie, to be recognised)."""

    slope: float


@rate.register(Linear)
def _(s, t, y, out):
    out[0] = s.slope * y[0]


@rate_jacobian.register(Linear)
def _(s, t, y, z, f, out):
    out[0, 0] = 1000.0 * s.slope


describe(Linear, states={"x": ""})


def f(x):
    """A function of three variables with a closed Jacobian."""
    return x[0] * x[1], sin(x[0]) * exp(x[2]), sqrt(x[1] + x[2] ** 2), x[2] ** 3 / x[0]


def df(x):
    a, b, c = x
    root = math.sqrt(b + c * c)
    return np.array(
        [
            [b, a, 0.0],
            [math.cos(a) * math.exp(c), 0.0, math.sin(a) * math.exp(c)],
            [0.0, 0.5 / root, c / root],
            [-(c**3) / a**2, 0.0, 3.0 * c * c / a],
        ]
    )


POINTS = np.random.default_rng(0).uniform(0.3, 2.0, (20, 3))


@pytest.mark.parametrize("way", ["python", "compiled", "array"])
def test_jacobian_of_a_function(way):
    function = {"python": f, "compiled": compiled(f), "array": lambda x: np.array(f(x))}[way]
    for x in POINTS:
        found = jacobian(function, x)
        assert found.shape == (4, 3)
        assert np.abs(found - df(x)).max() <= 1e-14 * np.abs(df(x)).max()


def test_jacobian_of_a_scalar_function_with_more_arguments():
    gradient = jacobian(lambda x, p, q: p * x[0] ** 2 * x[1] ** q, [3.0, 2.0], 5.0, 3)
    assert gradient.shape == (1, 2)
    assert gradient[0] == pytest.approx([240.0, 540.0], rel=1e-15)
    assert jacobian(lambda x: sin(x[0]), 0.5) == pytest.approx(np.array([[math.cos(0.5)]]), rel=1e-15)
    assert np.array_equal(jacobian(lambda x: [1.0, 2.0], [3.0, 4.0]), np.zeros((2, 2)))


def test_jacobian_takes_the_branch_that_is_taken():
    branch = lambda x: maximum(x[0] ** 2, x[1])
    assert jacobian(branch, [2.0, 1.0])[0] == pytest.approx([4.0, 0.0])
    assert jacobian(branch, [0.5, 1.0])[0] == pytest.approx([0.0, 1.0])


def test_no_digits_are_lost_at_any_size():
    for size in (1e-8, 1.0, 1e8):
        assert jacobian(lambda x: x[0] ** 3, [size])[0, 0] == pytest.approx(3.0 * size**2, rel=1e-15)


def pendulum_jacobian(p, t, phi):
    return np.array([[0.0, 1.0], [-p.k * math.cos(phi) - t * t * math.sin(phi), -p.c]])


def test_jacobian_of_a_system():
    p = Pendulum(9.81, 0.3)
    for phi, t in ((0.4, 0.0), (-2.5, 1.5), (1e-9, 3.0)):
        assert np.abs(system_jacobian(p, [phi, 0.7], t) - pendulum_jacobian(p, t, phi)).max() <= 1e-14


def test_jacobian_of_a_system_of_systems():
    pair = Pair(Pendulum(9.81, 0.3), Pendulum(2.0, 0.1), 0.25)
    y, t = np.array([0.4, 0.7, -1.1, 0.2]), 1.5
    exact = np.zeros((4, 4))
    exact[:2, :2] = pendulum_jacobian(pair.first, t, y[0])
    exact[2:, 2:] = pendulum_jacobian(pair.second, t, y[2])
    exact[3, 0] = pair.pull * math.exp(y[0]) * y[2]
    exact[3, 2] += pair.pull * math.exp(y[0])
    assert np.abs(system_jacobian(pair, y, t) - exact).max() <= 1e-14


def test_jacobian_agrees_with_the_general_one():
    p = Pendulum(9.81, 0.3)

    def rates(z):
        out = np.empty(2, complex)
        rate(p, 1.5, z, out)
        return out

    assert np.abs(system_jacobian(p, [0.4, 0.7], 1.5) - jacobian(rates, [0.4, 0.7])).max() <= 1e-15


def test_a_system_may_bring_its_own_jacobian():
    assert system_jacobian(Linear(2.0), [1.0])[0, 0] == 2000.0


def test_wrong_number_of_states_is_named():
    with pytest.raises(ValueError, match="the state of Pendulum has 2 entries, not 3"):
        system_jacobian(Pendulum(1.0, 0.0), [0.0, 0.0, 0.0])


def test_time_derivative_of_a_rate():
    y, out = np.array([0.4, 0.7]), np.empty(2)
    rate_time_derivative(Pendulum(9.81, 0.3), 1.5, y, np.empty(2, complex), np.empty(2, complex), out)
    assert out == pytest.approx([0.0, 3.0 * math.cos(0.4)], rel=1e-15)


def test_step_is_small_enough_to_be_exact_and_large_enough_to_survive():
    assert 0.0 < EPS**2 < 1e-190  # what is neglected
    assert abs(1e-150 * EPS / EPS - 1e-150) < 1e-165  # a derivative as small as this


def energy(x):
    """cos(x) y^2 + x^2 z + exp(y z)."""
    return cos(x[0]) * x[1] ** 2 + x[0] ** 2 * x[2] + exp(x[1] * x[2])


def energy_hessian(p):
    x, y, z = p
    e = math.exp(y * z)
    return np.array(
        [
            [-math.cos(x) * y * y + 2.0 * z, -2.0 * math.sin(x) * y, 2.0 * x],
            [-2.0 * math.sin(x) * y, 2.0 * math.cos(x) + z * z * e, (1.0 + y * z) * e],
            [2.0 * x, (1.0 + y * z) * e, y * y * e],
        ]
    )


def test_hessian():
    """Central differences of an exact gradient: the error is step^2/6 of a fourth derivative and rounding over step."""
    for p in POINTS:
        found = hessian(energy, p)
        assert np.array_equal(found, found.T)
        assert np.abs(found - energy_hessian(p)).max() <= 5e-10 * np.abs(energy_hessian(p)).max()


def test_hessian_of_a_quadratic_form_has_rounding_errors_only():
    a = np.array([[2.0, -1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.25, 1.0]])
    form = lambda x: 0.5 * x @ a @ x
    assert np.abs(hessian(form, [0.3, -0.2, 0.7]) - a).max() <= 1e-10
    assert np.abs(hessian(form, [0.3, -0.2, 0.7], step=1.0) - a).max() <= 1e-14


def test_hessian_converges_with_the_square_of_its_step():
    p = POINTS[0]
    coarse, fine = (np.abs(hessian(energy, p, step=s) - energy_hessian(p)).max() for s in (4e-2, 2e-2))
    assert coarse / fine == pytest.approx(4.0, rel=0.05)
