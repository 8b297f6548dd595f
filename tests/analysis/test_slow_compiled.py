"""Slow manifolds of compiled systems: a closed form, Taylor arithmetic on the same equations, slopes of the residual, what is refused."""

import numpy as np
import pytest
from slow_systems import Relaxation, Slaved, ThreeStates, slaved_closed_form, three_state_formulas

from rollick import InputError, simulate
from rollick.analysis.slow_fast import SlowFast, SystemSplit, critical_curve, critical_sheets, slow_manifold

SQUARE = {"x1": (-1.0, 1.0), "x2": (-0.8, 1.2)}


@pytest.fixture(scope="module")
def slaved():
    return SystemSplit(Slaved(), ["x1", "x2"], ["y"], small="eps")


@pytest.fixture(scope="module")
def three():
    return SystemSplit(ThreeStates(), ["beta", "gamma"], ["y"], small="eps")


def test_a_closed_form(slaved):
    """To rounding, with its reduced flow, its stability and its gap (2 w are the fastest rates along it)."""
    manifold = slow_manifold(slaved, [0.0], None, box=SQUARE)
    x = np.random.default_rng(1).uniform(-0.8, 1.0, (2, 50))
    assert manifold(x)[0] == pytest.approx(slaved_closed_form(Slaved(), x), abs=1e-14)
    assert np.abs(manifold.residual(x)).max() < 1e-14
    assert manifold.reduced_flow(x) == pytest.approx(1.3 * np.array([-x[1], x[0]]), abs=1e-15)
    assert manifold.growth == pytest.approx(-20.0)
    assert manifold.attracting
    assert manifold.gap == pytest.approx(20.0 / 1.3)
    assert "attracts" in manifold.summary()
    assert manifold.to_dict()["fast"] == ["y"]
    assert manifold.states(x)[:, 2] == pytest.approx(manifold(x)[0])


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_each_step_is_one_order(slaved, order):
    slope, sizes = slow_manifold(slaved, [0.0], order, box=SQUARE).residual_order((0.02, 0.01, 0.005))
    assert slope == pytest.approx(order + 1.0, abs=1e-4)
    assert np.all(np.diff(sizes) < 0.0)


@pytest.mark.slow
def test_against_taylor_arithmetic_on_the_same_equations(three):
    """The tippedisk of three states: order five of the series in eps, and the manifold itself, agree to 1e-8; each step wins an order."""
    box = {"beta": (1.0, 2.1), "gamma": (0.2, 2.6)}
    formulas = SlowFast(*three_state_formulas(ThreeStates()), ["beta", "gamma"], ["y"])
    x = np.random.default_rng(2).uniform([[1.0], [0.2]], [[2.1], [2.6]], (2, 20))
    series = slow_manifold(formulas, [0.0], order=5)
    exact = slow_manifold(three, [0.0], None, box=box, eps=0.005)
    assert exact(x) == pytest.approx(series(x, 0.005), abs=1e-9)
    assert exact.reduced_flow(x) == pytest.approx(series.reduced_flow(x, 0.005), abs=1e-9)
    assert exact.residuals[-1] < 1e-15
    slope, _ = slow_manifold(three, [0.0], 2, box=box, nodes=19).residual_order((0.004, 0.002))
    assert slope == pytest.approx(3.0, abs=0.2)


@pytest.mark.slow
def test_where_the_series_has_stopped_newton_goes_on(three):
    """eps = 0.02: the iteration stops near 6e-11; all nodes at once come to rounding, and a motion stays on it."""
    manifold = slow_manifold(three, [0.0], None, box={"beta": (1.0, 2.1), "gamma": (0.2, 2.6)}, nodes=28)
    assert manifold.newton >= 1
    assert manifold.residuals[-1] < 1e-13 < 1e-11 < manifold.residuals[-1 - manifold.newton]
    motion = simulate(ThreeStates(), manifold.states(np.array([[1.7], [1.0]]))[0], 0.5, rtol=1e-12, at=[0.25, 0.5])
    for row in motion.y:
        assert manifold(row[:2, None])[0, 0] == pytest.approx(row[2], abs=1e-12)


def test_critical_manifold_of_a_compiled_system():
    """Folds of the relaxation oscillator, its three sheets, and a box beyond a fold that is refused."""
    split = SystemSplit(Relaxation(), ["x"], ["y"], small="eps")
    curve = critical_curve(split, [1.5], [2.4], between=(-1.5, 1.5))
    assert sorted((f.x[0], f.y[0]) for f in curve.folds) == [
        (pytest.approx(-2 / 3, abs=1e-10), pytest.approx(1.0, abs=1e-8)),
        (pytest.approx(2 / 3, abs=1e-10), pytest.approx(-1.0, abs=1e-8)),
    ]
    y, growth = critical_sheets(split, np.array([[0.0]]), [[-2.0], [0.0], [2.0]])
    assert y[:, 0, 0] == pytest.approx([-np.sqrt(3.0), 0.0, np.sqrt(3.0)], abs=1e-12)
    assert growth[:, 0] == pytest.approx([-2.0, 1.0, -2.0])
    with pytest.raises(InputError, match="fold"):
        slow_manifold(split, [2.4], box=[(-1.5, 1.5)], at=[1.2])


@pytest.mark.slow
def test_a_chart(slaved):
    """The same system in polar coordinates of its slow states, and the fast one measured from the circle's mean: the same manifold."""

    def r(y):
        return np.sqrt(y[0] ** 2 + y[1] ** 2)

    def angle(y):
        return np.arctan(y[1] / y[0])

    def lag(y):
        return y[2] - 0.5 * (y[0] ** 2 + y[1] ** 2)

    chart = lambda x, y: (x[0] * np.cos(x[1]), x[0] * np.sin(x[1]), y[0] + 0.5 * x[0] ** 2, 0.3)
    split = SystemSplit(Slaved(), [r, angle], [lag], small="eps", chart=chart)
    manifold = slow_manifold(split, [0.0], None, box=[(0.5, 1.0), (-0.7, 0.7)])
    x = np.random.default_rng(3).uniform([[0.5], [-0.7]], [[1.0], [0.7]], (2, 10))
    states = manifold.states(x)
    assert states[:, 2] == pytest.approx(slaved_closed_form(Slaved(), states[:, :2].T), abs=1e-10)
    assert manifold.residuals[-1] < 1e-10
    with pytest.raises(InputError, match="off by"):
        slow_manifold(
            SystemSplit(Slaved(), [r, angle], [lag], chart=lambda x, y: (x[0], x[1], y[0], 0.0)),
            [0.0],
            box=[(0.5, 1.0), (0.1, 0.7)],
        )


def test_what_is_refused(slaved):
    with pytest.raises(InputError, match=r"rate of y .*\(phi\)"):
        slow_manifold(SystemSplit(Slaved(k=0.3), ["x1", "x2"], ["y"], small="eps"), [0.0], box=SQUARE)
    with pytest.raises(InputError, match="box"):
        slow_manifold(slaved, [0.0])
    with pytest.raises(InputError, match="twice"):
        SystemSplit(Slaved(), ["x1", "x2"], ["x1"])
    with pytest.raises(InputError, match="outside"):
        slow_manifold(slaved, [0.0], 1, box=SQUARE)([[2.0], [0.0]])
    with pytest.raises(InputError, match="no parameter was named"):
        slow_manifold(slaved, [0.0], 1, box=SQUARE, p=2.0)
    with pytest.raises(InputError, match="compiled systems"):
        slow_manifold(SlowFast(lambda x, y: (-x[0],), lambda x, y: (x[0] - y[0],), ["x"], ["y"]), [0.0], box=[(0, 1)])
