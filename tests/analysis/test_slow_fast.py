"""Critical and slow manifolds against closed forms."""

import numpy as np
import pytest

from rollick import InputError
from rollick.analysis.connections import find_connection
from rollick.analysis.slow_fast import SlowFast, TabulatedFlow, critical_curve, critical_sheets, slow_manifold
from rollick.analysis.taylor import variables

VAN_DER_POL = SlowFast(lambda x, y: (-y[0],), lambda x, y: (x[0] + y[0] - y[0] ** 3 / 3,), ["x"], ["y"])


def test_taylor_arithmetic_against_cauchy():
    """Coefficients of a formula of two variables, by Cauchy's integral on small circles."""
    f = lambda a, b: (
        np.arcsin(a * b / 2) + np.arccos(a / 3) * np.tan(b) + np.tanh(a * b) / (1 + b**2) + 2**a + np.log(1 + a) * np.sqrt(b) + np.arctan(a - b) + b**-1.5
        + 3 / np.cos(a) - np.exp(-a * b) * np.sinh(b) + np.cosh(a) * np.sin(b)
    )  # fmt: skip
    x = np.array([[0.3, 0.4], [0.7, 0.2]])
    found = f(*variables(x, 4))
    turn = np.exp(2j * np.pi * np.arange(16) / 16)
    for e in found.algebra.exponents:
        for k in range(2):
            values = f(x[0, k] + 0.02 * turn[:, None], x[1, k] + 0.02 * turn[None, :])
            expected = np.mean(values * turn[:, None] ** -e[0] * turn[None, :] ** -e[1]).real / 0.02 ** sum(e)
            assert found.part(*e)[k] == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_a_linear_system_has_an_exact_slow_manifold():
    """x' = -x, eps y' = x - y: y = x/(1 - eps). Two fast states with a rotation: (B + eps I) h = -c x."""
    linear = SlowFast(lambda x, y: (-x[0],), lambda x, y: (x[0] - y[0],), ["x"], ["y"])
    assert slow_manifold(linear, [0.0], order=9).terms([2.0, -1.0])[:, 0] == pytest.approx(
        np.repeat([[2.0, -1.0]], 10, axis=0), abs=1e-13
    )
    far = slow_manifold(linear, [0.0], order=1, at=[0.0])  # however far: one sheet
    assert far.terms([300.0, -1e4])[0, 0] == pytest.approx([300.0, -1e4])
    B, c = np.array([[-1.0, 2.0], [-2.0, -0.5]]), np.array([1.0, 0.3])
    two = SlowFast(
        lambda x, y: (-x[0],),
        lambda x, y: tuple(B[i, 0] * y[0] + B[i, 1] * y[1] + c[i] * x[0] for i in range(2)),
        ["x"],
        ["y", "z"],
    )
    manifold = slow_manifold(two, [0.0, 0.0], order=12)
    eps = 0.05
    assert manifold(1.7, eps).ravel() == pytest.approx(np.linalg.solve(B + eps * np.eye(2), -c * 1.7), rel=1e-13)


def test_michaelis_and_menten():
    """s' = -s + (s + k - l) c, eps c' = s - (s + k) c: c = s/(s + k) + eps k l s/(s + k)^4 + ..."""
    k, l = 1.3, 0.4
    system = SlowFast(lambda x, y: (-x[0] + (x[0] + k - l) * y[0],), lambda x, y: (x[0] - (x[0] + k) * y[0],), ["s"], ["c"])
    s = np.linspace(0.1, 3.0, 7)
    terms = slow_manifold(system, [0.5], order=2).terms(s)[:, 0]
    assert terms[0] == pytest.approx(s / (s + k), rel=1e-13)
    assert terms[1] == pytest.approx(k * l * s / (s + k) ** 4, rel=1e-12)
    # second order by hand: -(s + k) h2 = h0' (s + k - l) h1 + h1' f0,  f0 = -l s/(s + k)
    slope0, slope1 = k / (s + k) ** 2, k * l * (k - 3 * s) / (s + k) ** 5
    assert terms[2] == pytest.approx(-(slope0 * (s + k - l) * terms[1] + slope1 * (-l * s / (s + k))) / (s + k), rel=1e-11)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_the_residual_has_its_order(order):
    slope, sizes = slow_manifold(VAN_DER_POL, [2.5], order=order).residual_order(np.linspace(1.0, 2.0, 5))
    assert slope == pytest.approx(order + 1, abs=0.02)
    assert np.all(np.diff(sizes) < 0.0)


def test_van_der_pol_has_two_folds_and_three_sheets():
    curve = critical_curve(VAN_DER_POL, [1.5], [2.4], between=(-1.5, 1.5))
    assert sorted(float(f.x[0]) for f in curve.folds) == pytest.approx([-2 / 3, 2 / 3], abs=1e-10)
    assert all(float(f.y[0]) == pytest.approx(-np.sign(f.x[0]), abs=1e-8) for f in curve.folds)
    assert np.array_equal(curve.attracting, np.abs(curve.y[0]) > 1.0)
    y, growth = critical_sheets(VAN_DER_POL, [-1.0, 0.0, 1.0], [[-2.0], [0.1], [2.0]])
    assert y[:, 0, 1] == pytest.approx([-np.sqrt(3.0), 0.0, np.sqrt(3.0)], abs=1e-12)
    assert growth[:, 1] == pytest.approx([-2.0, 1.0, -2.0], abs=1e-12)
    assert np.isfinite(y[:, 0, 0]).sum() == 1


def test_another_sheet_is_not_taken_for_this_one():
    """Beyond the fold at x = -2/3 only the lower sheet is left; the upper one, followed from x = 1, ends there."""
    upper = slow_manifold(VAN_DER_POL, [2.3], order=1, at=[1.0])
    x = np.linspace(-0.6, 2.0, 9)
    y = upper.terms(x)[0, 0]
    assert np.all(y > 1.0)
    assert y**3 / 3 - y == pytest.approx(x, abs=1e-12)
    assert upper.terms(x)[1, 0] == pytest.approx(y / (1 - y**2) ** 2, rel=1e-11)  # g_y h1 = h0' f, h0' = -1/g_y, f = -y
    with pytest.raises(InputError, match="the sheet ends on the way"):
        upper.terms([0.0, -0.8])


def test_a_motion_stays_on_it():
    """FitzHugh and Nagumo: from a point of the manifold of order six the fast state stays on it, by plain integration of the full system."""
    from scipy.integrate import solve_ivp

    eps, a, b = 0.02, 0.7, 0.8
    system = SlowFast(lambda x, y: (y[0] + a - b * x[0],), lambda x, y: (y[0] - y[0] ** 3 / 3 - x[0],), ["w"], ["v"])
    manifold = slow_manifold(system, [-1.8], order=6)
    w0 = 0.2
    start = [w0, float(manifold(w0, eps)[0])]
    f = lambda t, z: (z[1] + a - b * z[0], (z[1] - z[1] ** 3 / 3 - z[0]) / eps)
    done = solve_ivp(f, (0.0, 0.6), start, method="Radau", rtol=1e-11, atol=1e-13)
    w, v = done.y[:, -1]
    assert v == pytest.approx(float(manifold(w, eps)[0]), abs=1e-9)
    assert abs(v - float(slow_manifold(system, [-1.8], order=0)(w, eps)[0])) > 1e-3
    reduced = solve_ivp(lambda t, x: manifold.reduced_flow(x, eps), (0.0, 0.6), [w0], rtol=1e-10, atol=1e-12)
    assert reduced.y[0, -1] == pytest.approx(w, abs=1e-8)


def test_complex_steps_pass_through():
    manifold = slow_manifold(VAN_DER_POL, [2.5], order=2)
    slope = manifold.reduced_flow(np.array([1.5 + 1e-100j]), 0.1).imag / 1e-100
    near = (manifold.reduced_flow(1.5 + 1e-5, 0.1) - manifold.reduced_flow(1.5 - 1e-5, 0.1)) / 2e-5
    assert slope.ravel() == pytest.approx(near.ravel(), rel=1e-8)


@pytest.mark.slow
def test_a_front_on_the_slow_manifold():
    """u' = v, v' = w, eps w' = N(u, v, c) - w: Nagumo's front with a fast third state. The manifold of order k has its speed to order k + 1 in eps."""
    a, eps = 0.3, 0.02
    acceleration = lambda u, v, c: -c * v - u * (1 - u) * (u - a)
    full = lambda x, c: (x[1], x[2], (acceleration(x[0], x[1], c) - x[2]) / eps)
    exact = find_connection(full, (1, 0, 0), (0, 0, 0), between=(0.27, 0.29), towards=(0, -0.1, 0), count=2, longest=200.0).value
    system = SlowFast(lambda x, y: (x[1], y[0]), lambda x, y, c: (acceleration(x[0], x[1], c) - y[0],), ["u", "v"], ["w"])
    off = []
    for order in (0, 1, 2):
        flow = TabulatedFlow(slow_manifold(system, [0.0], order=order), [(-0.3, 1.2), (-0.5, 0.3)], nodes=16, tolerance=1e-12)
        found = find_connection(lambda x, c, flow=flow: flow(x, eps, c), (1, 0), (0, 0), between=(0.27, 0.29), count=2)
        off.append(abs(found.value - exact))
    assert off[0] == pytest.approx(abs(0.4 / np.sqrt(2) - exact), abs=1e-9)
    assert off[1] < 0.1 * off[0]
    assert off[2] < 0.1 * off[1]
    x = np.array([[0.3, 0.8], [-0.1, -0.2]])
    N, N_u = acceleration(*x, 0.28), 3 * x[0] ** 2 - 2 * (1 + a) * x[0] + a
    assert slow_manifold(system, [0.0], order=1).terms(x, 0.28)[1, 0] == pytest.approx(-(N_u * x[1] - 0.28 * N), abs=1e-13)
    with pytest.raises(InputError, match="take more nodes"):
        TabulatedFlow(slow_manifold(VAN_DER_POL, [2.5], order=2), [(0.0, 2.0)], nodes=4)(1.0, 0.1)


def test_what_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no critical manifold over x = 0.8 near"):
        slow_manifold(SlowFast(lambda x, y: (-1.0,), lambda x, y: (-x[0] - y[0] ** 2,), ["x"], ["y"]), [1.0]).terms(0.8)
    with pytest.raises(InputError, match="has no Taylor series here"):
        slow_manifold(SlowFast(lambda x, y: (-1.0,), lambda x, y: (np.floor(x[0]) - y[0],), ["x"], ["y"]), [1.0]).terms(0.8)
    with pytest.raises(InputError, match="its first axis"):
        slow_manifold(SlowFast(lambda x, y: (y[0], 0.0), lambda x, y: (x[0] - y[0],), ["u", "v"], ["y"]), [0.0]).terms(
            [1.0, 2.0, 3.0]
        )
    with pytest.raises(InputError, match="must be the 1 fast states"):
        slow_manifold(VAN_DER_POL, [1.0, 2.0])
    curve = critical_curve(VAN_DER_POL, [1.5], [2.4], between=(-1.5, 1.5))
    curve.plot(path=tmp_path / "c.png")
    assert len(curve.to_dict()["folds"]) == 2
    assert curve.data["growth"].size == curve.x.shape[1]
