"""Melnikov's integrals and branches of limit cycles against closed forms."""

import importlib

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from rollick import InputError
from rollick.analysis.melnikov import HamiltonianLimit, cycle_branch, melnikov, separatrix, surviving_connection

DUFFING = HamiltonianLimit(lambda x: x[1] ** 2 / 2 - x[0] ** 2 / 2 + x[0] ** 4 / 4)
PENDULUM = HamiltonianLimit(lambda x: x[1] ** 2 / 2 - np.cos(x[0]), names=("phi", "omega"))
TAKENS = HamiltonianLimit(lambda x: x[1] ** 2 / 2 - x[0] ** 3 / 3 + 4 * x[0])
CIRCLES = HamiltonianLimit(lambda x: (x[0] ** 2 + x[1] ** 2) / 2)


def test_separatrices_in_closed_form():
    orbit = separatrix(DUFFING, (0.1, 0.0), towards=(1, 0))
    assert np.abs(orbit.x[0] - np.sqrt(2.0) / np.cosh(orbit.t)).max() < 1e-12
    orbit = separatrix(PENDULUM, (-3.0, 0.0), (3.0, 0.0))
    assert np.abs(orbit.x[0] - 4.0 * np.arctan(np.tanh(orbit.t / 2.0))).max() < 1e-12
    assert not orbit.homoclinic


@pytest.mark.parametrize("omega", [60.0, pytest.param(125.6, marks=pytest.mark.slow)])
def test_a_force_in_step_with_the_nodes(omega):
    """2 pi/omega is about the distance of the nodes, or half of it: all nodes see a slow force. The truth is -4 delta/3, up to exp(-90)."""
    m = melnikov(DUFFING, lambda x, p, t: (0.0, np.cos(omega * t) - 0.1 * x[1]), (0, 0), towards=(1, 0), period=2 * np.pi / omega)
    assert np.abs(m.M1 + 0.4 / 3.0).max() < 1e-10
    assert m.zeros == []


@pytest.mark.parametrize("finest", [0.04, pytest.param(None, marks=pytest.mark.slow)])
def test_a_force_too_fast_is_refused(monkeypatch, finest):
    if finest is not None:
        monkeypatch.setattr(importlib.import_module("rollick.analysis.melnikov.melnikov"), "FINEST", finest)
    with pytest.raises(InputError, match="so fast in time"):
        melnikov(DUFFING, lambda x, p, t: (0.0, np.cos(2000.0 * t)), (0, 0), towards=(1, 0), period=np.pi / 1000.0)


def test_towards_in_skew_coordinates():
    """q = X, p = P + 3 X: towards the apex of a loop is towards that loop, though the unstable direction makes an obtuse angle with it in (X, P)."""
    skew = HamiltonianLimit(lambda x: (x[1] + 3 * x[0]) ** 2 / 2 - x[0] ** 2 / 2 + x[0] ** 4 / 4)
    for side in (1.0, -1.0):
        apex = side * np.sqrt(2.0) * np.array([1.0, -3.0])
        orbit = separatrix(skew, (0.0, 0.0), towards=apex)
        assert np.abs(orbit.x[0] - side * np.sqrt(2.0) / np.cosh(orbit.t - orbit.t[np.argmax(np.abs(orbit.x[0]))])).max() < 1e-2
        assert np.abs(orbit.x[0]).max() == pytest.approx(np.sqrt(2.0), rel=1e-2)
        assert np.sign(orbit.x[0][orbit.t.size // 2]) == side
    with pytest.raises(InputError, match="two numbers"):
        separatrix(skew, (0.0, 0.0), towards="left")


@pytest.mark.parametrize("count", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_loops_in_bent_coordinates(count):
    """Random linear and quadratic coordinates: the loop is found, and M1 of damping in them is the area's, -4/3 a^1.5 / b."""
    rng, tried = np.random.default_rng(11), 0
    for _ in range(count):
        a, b = rng.uniform(0.3, 3.0, 2)
        L, bend = np.array([[1.5, 0.0], [0.0, 1.5]]) + rng.normal(size=(2, 2)), 0.2 * rng.normal()
        if abs(np.linalg.det(L)) < 0.5:
            continue
        K = np.linalg.inv(L)

        def own(x, K=K, bend=bend):
            u = K[0, 0] * x[0] + K[0, 1] * x[1]
            return u, K[1, 0] * x[0] + K[1, 1] * x[1] - bend * u**2

        def field(x, a=a, b=b, L=L, bend=bend, own=own):
            q, p = own(x)
            v = a * q - b * q**3 + 2 * bend * q * p
            return L[0, 0] * p + L[0, 1] * v, L[1, 0] * p + L[1, 1] * v

        limit = HamiltonianLimit(
            lambda x, own=own, a=a, b=b: own(x)[1] ** 2 / 2 - a * own(x)[0] ** 2 / 2 + b * own(x)[0] ** 4 / 4, field
        )
        q = np.sqrt(2.0 * a / b)
        apex = L @ [q, bend * q**2]
        found = melnikov(
            limit, lambda x, p, own=own, L=L: (-L[0, 1] * own(x)[1], -L[1, 1] * own(x)[1]), (0.01, 0.01), towards=apex
        )
        assert own(found.orbit.x[:, found.orbit.t.size // 2])[0] > 0.0
        assert found.value == pytest.approx(-4.0 / 3.0 * a**1.5 / b, rel=1e-9)
        tried += 1
    assert tried  # not all were too skew


@pytest.mark.parametrize("omega", [0.5, 1.0, 5.0])
def test_forced_damped_duffing(omega):
    delta, gamma = 0.25, 0.3
    m = melnikov(
        DUFFING, lambda x, p, t: (0.0, gamma * np.cos(omega * t) - delta * x[1]), (0, 0), towards=(1, 0), period=2 * np.pi / omega
    )
    size = np.sqrt(2.0) * np.pi * gamma * omega / np.cosh(np.pi * omega / 2.0)
    assert np.abs(m.M1 - (-4.0 * delta / 3.0 + size * np.sin(omega * m.t0))).max() < 1e-11
    expected = np.arcsin(4.0 * delta / 3.0 / size) / omega if size > 4.0 * delta / 3.0 else None
    if expected is None:
        assert m.zeros == []
    else:
        assert [z.t0 for z in m.zeros] == pytest.approx([expected, np.pi / omega - expected], abs=1e-10)
        assert m.zeros[0].slope == pytest.approx(size * omega * np.cos(omega * expected), rel=1e-6)


def test_pendulum_with_damping():
    assert melnikov(PENDULUM, lambda x: (0.0, -x[1]), (-np.pi, 0), (np.pi, 0)).value == pytest.approx(-8.0, abs=1e-11)


def test_the_perturbed_homoclinic_to_second_order():
    """w'' = w^2 - 4 + eps w'(p + w): p = 10/7 + 0 eps + ...; with 0.7 w + 0.3 added shooting of both manifolds tells the slope."""
    plain = surviving_connection(TAKENS, lambda x, p: (0.0, x[1] * (p + x[0])), (2, 0), between=(1, 2), order=2)
    assert plain.p0 == pytest.approx(10.0 / 7.0, abs=1e-12)
    assert plain.p1 == pytest.approx(0.0, abs=1e-11)
    more = surviving_connection(TAKENS, lambda x, p: (0.0, x[1] * (p + x[0]) + 0.7 * x[0] + 0.3), (2, 0), between=(1, 2), order=2)

    def gap(p, eps):  # q where both manifolds of the saddle cross the line y = 0, by plain integration
        f = lambda t, y: (y[1], y[0] ** 2 - 4 + eps * (y[1] * (p + y[0]) + 0.7 * y[0] + 0.3))
        saddle = (-0.7 * eps + np.sqrt(0.49 * eps**2 + 4 * (4 - 0.3 * eps))) / 2
        matrix = np.array([[0, 1], [2 * saddle + 0.7 * eps, eps * (p + saddle)]])
        ends = []
        for pick, sign in ((np.argmax, 1.0), (np.argmin, -1.0)):
            values, vectors = np.linalg.eig(matrix)
            v = vectors[:, pick(values)]
            start = np.array([saddle, 0.0]) - 1e-6 * v * np.sign(v[0])
            event = lambda t, y: y[1]
            event.terminal, event.direction = True, sign
            done = solve_ivp(f, (0.0, sign * 30.0), start, method="DOP853", rtol=1e-12, atol=1e-13, events=event)
            ends.append(done.y_events[0][0][0])
        return ends[0] - ends[1]

    eps = 1e-3
    ahead, behind = (brentq(lambda p, e=e: gap(p, e), 1.3, 1.6, xtol=1e-12) for e in (eps, -eps))
    assert more.p1 == pytest.approx((ahead - behind) / (2 * eps), abs=2e-6)
    assert abs(more.p1) > 0.1


def test_second_order_of_a_periodic_force():
    """H of both manifolds where they cross the line p = 0 at the time t0, by plain integration, against eps M1 + eps^2 M2."""
    omega, t0, T, eps = 2.0, 0.4, 14.0, 0.01
    f1 = lambda x, p, t: (0.0, np.cos(omega * t) + 0.5 * x[0] ** 2 * np.sin(omega * t) - 0.3 * x[1])
    m = melnikov(DUFFING, f1, (0, 0), towards=(1, 0), period=2 * np.pi / omega, t0=[t0], order=2)

    def level(eps, sign):
        """H at t0 on the manifold that is bounded as t -> -oo (sign +) or oo; the motion at the saddle is linear up to eps^3."""
        response = np.linalg.solve(1j * omega * np.eye(2) - np.array([[0.0, 1.0], [1.0, -0.3 * eps]]), np.array([0.0, 1.0]))
        begin = t0 - sign * T

        def land(a):
            y = (eps * response * np.exp(1j * omega * begin)).real + a * np.array([1.0, sign])
            f = lambda t, y: (y[1], y[0] - y[0] ** 3 + eps * f1(y, None, t)[1])
            return solve_ivp(f, (begin, t0), y, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]

        near = 2.0 * np.sqrt(2.0) * np.exp(-T)
        a = brentq(lambda a: land(a)[1], 0.8 * near, 1.25 * near, xtol=1e-20, rtol=1e-13)
        return float(DUFFING.energy(land(a)))

    ahead, behind = (level(e, 1.0) - level(e, -1.0) for e in (eps, -eps))
    assert (ahead - behind) / (2 * eps) == pytest.approx(m.M1[0], abs=1e-3)
    assert (ahead + behind) / (2 * eps**2) == pytest.approx(m.M2[0], abs=2e-3)
    assert abs(m.M2[0]) > 0.1


def test_van_der_pol_and_bautin():
    branch = cycle_branch(CIRCLES, lambda x, p: (0.0, (p - x[0] ** 2) * x[1]), (0, 0), (3, 0), count=40)
    assert np.abs(branch.p - (3.0 * branch.s) ** 2 / 4.0).max() < 1e-13
    (cycle,) = branch.cycles_at(1.0)
    assert 3.0 * cycle.s == pytest.approx(2.0, abs=1e-12)
    assert cycle.exponent == pytest.approx(-1.0, abs=1e-12)  # r' = eps (r/2 - r^3/8) at r = 2
    # mean of (p + x^2 - x^4) y^2 over a circle: p/2 + r^2/8 - r^4/16
    branch = cycle_branch(CIRCLES, lambda x, p: (0.0, (p + x[0] ** 2 - x[0] ** 4) * x[1]), (0, 0), (2, 0), count=40)
    r = 2.0 * branch.s
    assert np.abs(branch.p - (r**4 / 8.0 - r**2 / 4.0)).max() < 1e-13
    (fold,) = branch.folds
    assert (2.0 * fold.s, fold.p) == pytest.approx((1.0, -0.125), abs=1e-10)
    assert branch.hopf.p == pytest.approx(0.0, abs=1e-12)
    assert branch.criticality == pytest.approx(-0.5, abs=1e-9)
    assert np.array_equal(branch.stable, r > 1.0)
    assert len(branch.cycles_at(-0.1)) == 2
    assert branch.cycles_at(-0.2) == []


def test_bogdanov_takens_by_elliptic_integrals():
    branch = cycle_branch(TAKENS, lambda x, p: (0.0, (p + x[0]) * x[1]), (-2, 0), (2, 0), count=24)
    for k in (0, 10, 18, 23):
        e1, e2, e3 = np.sort(np.roots([1.0, 0.0, -12.0, 3.0 * branch.h[k]]).real)
        I0, I1 = (
            quad(lambda x, n=n, e3=e3: x**n * np.sqrt(e3 - x), e1, e2, weight="alg", wvar=(0.5, 0.5), epsabs=1e-13, epsrel=1e-13)[
                0
            ]
            for n in (0, 1)
        )
        m = (e2 - e1) / (e3 - e1)
        assert (
            pytest.approx(2 / 15 * (e3 - e1) ** 2.5 * (2 * (1 - m + m * m) * ellipe(m) - (1 - m) * (2 - m) * ellipk(m)), rel=1e-6)
            == I0
        )
        assert branch.p[k] == pytest.approx(-I1 / I0, rel=3e-10)
        assert branch.period[k] == pytest.approx(2.0 * np.sqrt(1.5) * 2.0 * ellipk(m) / np.sqrt(e3 - e1), rel=1e-9)
    assert branch.hopf.p == pytest.approx(2.0, abs=1e-10)
    assert branch.p[-1] == pytest.approx(10.0 / 7.0, abs=1e-3)


def test_coordinates_do_not_matter():
    """Lotka and Volterra: x' = x (1 - y), y' = y (x - 1) has H = x - ln x + y - ln y; in u = ln x, v = ln y it is canonical."""
    own = HamiltonianLimit(
        lambda x: -(x[0] - np.log(x[0]) + x[1] - np.log(x[1])), lambda x: (x[0] * (1 - x[1]), x[1] * (x[0] - 1))
    )
    logs = HamiltonianLimit(lambda u: -(np.exp(u[0]) - u[0] + np.exp(u[1]) - u[1]))
    g = lambda x, y, p: (p * x**2 - x**3 / 8, y * (x - 1) ** 2 - 0.2 * p * y**2)
    a = cycle_branch(own, lambda x, p: g(*x, p), (1, 1), (2.0, 1.0), count=30)
    b = cycle_branch(
        logs,
        lambda u, p: tuple(f / np.exp(w) for f, w in zip(g(np.exp(u[0]), np.exp(u[1]), p), u)),
        (0, 0),
        (np.log(2.0), 0.0),
        count=30,
    )
    for k in (0, 12, 29):
        s = np.log(1.0 + a.s[k]) / np.log(2.0)  # the same point on the edge
        other = b.cycle(s)
        assert (other.h, other.p, other.period, other.slope) == pytest.approx(
            (a.h[k], a.p[k], a.period[k], a.slope[k]), rel=1e-9, abs=1e-11
        )


def test_the_multiplier_is_that_of_the_cycle():
    """At eps = 1e-3 the return map of x'' + x = eps (1 - x^2) x' has the multiplier exp(eps dI/dh), by plain integration."""
    eps, period = 1e-3, 2.0 * np.pi
    f = lambda t, y: (y[1], -y[0] + eps * (1 - y[0] ** 2) * y[1])
    turn = lambda t, y: y[1] if t > 1.0 else -1.0
    turn.direction, turn.terminal = -1.0, True

    def back(x):
        return solve_ivp(f, (0.0, 2 * period), [x, 0.0], method="DOP853", rtol=1e-12, atol=1e-13, events=turn).y_events[0][0][0]

    slope = (back(2.01) - back(1.99)) / 0.02
    (cycle,) = cycle_branch(CIRCLES, lambda x, p: (0.0, (p - x[0] ** 2) * x[1]), (0, 0), (3, 0), count=20).cycles_at(1.0)
    assert np.log(slope) / eps == pytest.approx(cycle.slope, rel=3e-3)


def test_what_is_refused():
    with pytest.raises(InputError, match="is a centre of H, not a saddle"):
        melnikov(DUFFING, lambda x: (0.0, -x[1]), (1, 0))
    with pytest.raises(InputError, match="both orbits that leave"):
        melnikov(DUFFING, lambda x: (0.0, -x[1]), (0, 0))
    with pytest.raises(InputError, match="give its period"):
        melnikov(DUFFING, lambda x, p, t: (0.0, np.cos(t)), (0, 0), towards=(1, 0))
    limit = HamiltonianLimit(
        lambda x: x[1] ** 2 / 2 - np.cos(x[0]), lambda x: (x[1], -np.sin(x[0]) - 0.01 * x[1] * np.cos(x[0] / 2))
    )
    with pytest.raises(InputError, match="H is no first integral"):
        cycle_branch(limit, lambda x, p: (0.0, (p - x[0] ** 2) * x[1]), (0, 0), (2, 0), count=10)
    with pytest.raises(InputError, match="does not close"):
        cycle_branch(PENDULUM, lambda x, p: (0.0, (p - x[0] ** 2) * x[1]), (0, 0), (0, 2.5), count=8)
    with pytest.raises(InputError, match="drops imaginary parts"):
        cycle_branch(CIRCLES, lambda x, p: (0.0, (p - np.abs(x[0])) * x[1]), (0, 0), (1, 0), count=10)
    with pytest.raises(InputError, match="no sign change"):
        surviving_connection(TAKENS, lambda x, p: (0.0, x[1] * (p + x[0])), (2, 0), between=(2, 3))


def test_results_tell_themselves(tmp_path):
    m = melnikov(DUFFING, lambda x, p, t: (0.0, np.cos(t) - 0.2 * x[1]), (0, 0), towards=(1, 0), period=2 * np.pi)
    assert m.to_dict()["zeros"][0]["t0"] == m.zeros[0].t0
    m.plot(path=tmp_path / "m.png")
    branch = cycle_branch(
        CIRCLES, lambda x, p: (0.0, (p + x[0] ** 2 - x[0] ** 4) * x[1]), (0, 0), (2, 0), count=20, name="lambda"
    )
    assert "fold     lambda = -0.125" in branch.summary()
    branch.plot(path=tmp_path / "b.png")
    branch.to_netcdf(tmp_path / "b.nc")
    assert branch.data["lambda"].size == 20
    assert branch.to_dict()["folds"][0]["p"] == pytest.approx(-0.125)
