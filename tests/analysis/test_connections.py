"""Homo- and heteroclinic orbits against closed forms and published values."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError
from rollick.analysis.connections import connection_from_guess, find_connection, find_symmetric_connection
from rollick.analysis.melnikov import HamiltonianLimit, surviving_connection


def nagumo(a):
    """Travelling fronts u(x - c t) of u_t = u_xx + u (1 - u)(u - a)."""
    return lambda x, c: (x[1], -c * x[1] - x[0] * (1 - x[0]) * (x[0] - a))


@pytest.mark.parametrize(
    ("a", "between"), [(0.3, (0.25, 0.35)), *(pytest.param(a, (0.05, 0.75), marks=pytest.mark.slow) for a in (0.1, 0.3))]
)
def test_the_front_of_nagumo(a, between):
    found = find_connection(nagumo(a), (1, 0), (0, 0), between=between, names=("u", "v"))
    assert found.value == pytest.approx((1 - 2 * a) / np.sqrt(2), abs=1e-10)
    assert found.by_shooting == pytest.approx(found.by_boundary_value, abs=1e-10)
    assert found.x[1] == pytest.approx(
        -found.x[0] * (1 - found.x[0]) / np.sqrt(2), abs=1e-9
    )  # u' = -u (1 - u)/sqrt 2 on the front


def test_manifolds_compared_on_a_section():
    found = find_connection(nagumo(0.3), (1, 0), (0, 0), between=(0.1, 0.5), section=((0.5, 0), (1, 0)), count=3)
    assert found.by_shooting == pytest.approx(0.4 / np.sqrt(2), abs=1e-10)


def test_separatrices_without_damping():
    duffing = find_connection(
        lambda x, p: (x[1], x[0] - x[0] ** 3 + p * x[1]), (0, 0), between=(-0.006, 0.005), towards=(1, 1), count=3
    )
    assert duffing.value == pytest.approx(0.0, abs=1e-10)
    assert duffing.homoclinic
    assert np.abs(duffing.x[0]).max() == pytest.approx(np.sqrt(2.0), abs=1e-3)
    pendulum = find_connection(
        lambda x, p: (x[1], -np.sin(x[0]) - p * x[1]), (-np.pi, 0), (np.pi, 0), between=(-0.006, 0.005), count=3
    )
    assert pendulum.value == pytest.approx(0.0, abs=1e-10)
    assert pendulum.x[1] == pytest.approx(2.0 * np.cos(pendulum.x[0] / 2.0), abs=1e-9)


def test_bogdanov_takens_to_second_order():
    """w'' = w^2 - 4 + eps w'(p + w): p = 10/7 + 288/2401 eps^2 + O(eps^4) (Al-Hdaibat, Govaerts, Kuznetsov, Meijer 2016)."""
    off = []
    for eps in (0.1, 0.2):
        found = find_connection(
            lambda x, p, eps=eps: (x[1], x[0] ** 2 - 4 + eps * x[1] * (p + x[0])),
            (2, 0),
            between=(1.4, 1.46),
            towards=(-4, 0),
            count=3,
        )
        off.append((found.value - 10 / 7) / eps**2)
        assert found.agreement < 1e-10
        assert found.source.saddle_quantity == pytest.approx(eps * (found.value + 2.0), abs=1e-9)
    assert (4 * off[0] - off[1]) / 3 == pytest.approx(288 / 2401, abs=1e-5)


def test_a_heteroclinic_cycle_and_melnikov():
    """x'' = -x + x^3 + eps (p - x^2) x': both connections of +-1 exist at p = 1/5 + O(eps^2)."""
    found = []
    for eps in (0.1, 0.2):
        field = lambda x, p, eps=eps: (x[1], -x[0] + x[0] ** 3 + eps * (p - x[0] ** 2) * x[1])
        there = find_connection(field, (-1, 0), (1, 0), between=(0.15, 0.25), count=3)
        back = find_connection(field, (1, 0), (-1, 0), between=(0.15, 0.25), count=3)
        assert there.value == pytest.approx(back.value, abs=1e-10)  # x -> -x
        found.append(there.value)
    limit = HamiltonianLimit(lambda x: x[1] ** 2 / 2 + x[0] ** 2 / 2 - x[0] ** 4 / 4)
    first = surviving_connection(limit, lambda x, p: (0.0, (p - x[0] ** 2) * x[1]), (-1, 0), (1, 0), between=(0.0, 1.0), order=2)
    assert first.p0 == pytest.approx(0.2, abs=1e-12)
    assert first.p1 == pytest.approx(0.0, abs=1e-10)
    assert (found[1] - 0.2) / (found[0] - 0.2) == pytest.approx(4.0, abs=0.05)


LORENZ = lambda x, rho: (10 * (x[1] - x[0]), x[0] * (rho - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2])


@pytest.mark.parametrize(("between", "count"), [((13.9, 13.95), 2), pytest.param((13.8, 14.0), 3, marks=pytest.mark.slow)])
def test_the_homoclinic_explosion_of_lorenz(between, count):
    found = find_connection(LORENZ, (0, 0, 0), between=between, towards=(1, 1, 0), count=count, names=("x", "y", "z"))
    assert found.value == pytest.approx(13.926557407520, abs=2e-10)
    assert found.agreement < 1e-10
    turned = lambda x, rho: tuple(-f for f in LORENZ(x, rho))  # time backwards: two unstable directions, one stable
    back = find_connection(turned, (0, 0, 0), between=between, towards=(1, 1, 0), count=count)
    assert back.value == pytest.approx(found.value, abs=1e-10)
    t = np.linspace(0.0, found.t[-1], 80)
    guess = np.stack([np.interp(t, found.t, row) for row in found.x]) * (1.0 + 0.02 * np.sin(3.0 * t))
    alone = connection_from_guess(LORENZ, t, guess, 13.8)
    assert alone.value == pytest.approx(found.value, abs=1e-8)
    assert alone.by_shooting is None


MICHELSON = lambda x, c: (x[1], x[2], c**2 - x[0] ** 2 / 2 - x[1])


def test_the_connection_of_bykov_type_cycles_in_closed_form():
    """d3y/dt3 = c^2 - y^2/2 - dy/dt (Michelson): y = A (11 tanh^3 - 9 tanh)(B t), A = 15 sqrt(11/19^3), 2 B = sqrt(11/19), at c = sqrt 2 A (Kuramoto, Tsuzuki)."""
    A, B = 15.0 * np.sqrt(11.0 / 19.0**3), 0.5 * np.sqrt(11.0 / 19.0)
    mirror = np.diag([-1.0, 1.0, -1.0])
    found = find_symmetric_connection(MICHELSON, (-1.2, 0, 0), mirror, between=(0.84, 0.86), crossing=2)
    assert found.value == pytest.approx(np.sqrt(2.0) * A, abs=1e-12)
    assert found.agreement < 1e-10
    s = B * (found.t - found.t[-1] / 2.0)
    assert found.x[0] == pytest.approx(A * (11.0 * np.tanh(s) ** 3 - 9.0 * np.tanh(s)), abs=1e-10)
    with pytest.raises(InputError, match="no symmetric connection"):
        find_symmetric_connection(MICHELSON, (-1.2, 0, 0), mirror, between=(0.84, 0.86), crossing=1)
    with pytest.raises(InputError, match="not reversed by R"):
        find_symmetric_connection(MICHELSON, (-1.2, 0, 0), np.diag([1.0, -1.0, -1.0]), between=(0.84, 0.86))


class DampedDuffing(NamedTuple):
    """x'' = x - x^3 + p x'."""

    p: float = 0.0


@pytest.mark.slow
def test_a_system_of_rollick():
    from rollick.kernel import describe, rate

    @rate.register(DampedDuffing)
    def _(system, t, y, out):
        out[0] = y[1]
        out[1] = y[0] - y[0] ** 3 + system.p * y[1]

    describe(DampedDuffing, states={"x": "m", "v": "m/s"}, parameters={"p": "1/s"})
    found = find_connection(DampedDuffing(), (0, 0), between=(-0.06, 0.05), parameter="p", towards=(1, 1), count=3)
    assert found.value == pytest.approx(0.0, abs=1e-10)
    assert found.names == ("x", "v")
    with pytest.raises(InputError, match="'q' is no number of DampedDuffing"):
        find_connection(DampedDuffing(), (0, 0), between=(-0.06, 0.05), parameter="q", towards=(1, 1))


@pytest.mark.parametrize(("count", "longest"), [(3, 10.0), pytest.param(5, 20.0, marks=pytest.mark.slow)])
def test_aliasing_is_refused(count, longest):
    with pytest.raises(InputError, match=r"no connection between p = 0.3 and 0.5.*misses"):
        find_connection(nagumo(0.3), (1, 0), (0, 0), between=(0.3, 0.5), count=3)
    with pytest.raises(InputError, match=r"aliasing|no connection"):
        find_connection(LORENZ, (0, 0, 0), between=(14.5, 60.0), towards=(1, 1, 0), count=count, longest=longest)
    with pytest.raises(InputError, match="towards="):
        find_connection(LORENZ, (0, 0, 0), between=(13.8, 14.0))
    with pytest.raises(InputError, match="one-dimensional manifold"):
        find_connection(lambda x, p: (x[0], x[1], -x[2], -x[3] + p), (0, 0, 0, 0), between=(0, 1), towards=(1, 0, 0, 0))
    with pytest.raises(InputError, match="no equilibrium was found near the source"):
        find_connection(lambda x, p: (x[1], 1.0 + x[0] ** 2 + p), (0, 0), between=(0, 1), towards=(1, 0))
    with pytest.raises(InputError, match="imaginary axis"):
        find_connection(lambda x, p: (x[1], -x[0]), (0, 0), between=(0, 1), towards=(1, 0))


def test_a_connection_tells_itself(tmp_path):
    found = find_connection(nagumo(0.3), (1, 0), (0, 0), between=(0.25, 0.3), count=2, names=("u", "v"))
    told = found.to_dict()
    assert told["value"] == found.value
    assert set(told["states"]) == {"u", "v"}
    assert "saddle quantity" in found.summary()
    found.plot(path=tmp_path / "c.png")
    found.to_netcdf(tmp_path / "c.nc")
