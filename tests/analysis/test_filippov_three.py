"""Two contacts at once: limit directions, static margin, what happens next, compatibility."""

import numpy as np
import pytest
from filippov_machines import flowmeter, wheelset

from rollick import InputError
from rollick.analysis.filippov import (
    DoubleSwitching,
    StaticForces,
    compatibility,
    direction,
    double_directions,
    slack,
    static_margin,
    what_next,
)

G, D, J = (1 - 1000 / 1160) * 9.81, 0.1, 0.4


def bisected(changes, low, high, steps=32):
    """Where a condition turns from true to false."""
    assert changes(low)
    assert not changes(high)
    for _ in range(steps):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if changes(middle) else (low, middle)
    return 0.5 * (low + high)


def test_the_unit_vector_of_two_slip_directions():
    n = direction(0.7, 2.1)
    assert np.linalg.norm(n) == pytest.approx(1.0)
    assert np.arctan2(n[2], n[0]) == pytest.approx(0.7)
    assert np.arctan2(n[2], n[1]) == pytest.approx(2.1)
    with pytest.raises(InputError, match="sines of one sign"):
        direction(0.7, -2.1)


def test_the_flowmeter_stops_rolling_where_proposition_4_2_says():
    """F3, F4: mu < j: both contacts start to slip, upwards, at sqrt(g d mu (1 + mu)/(mu^2 (1 + j) + j - mu)) = 0.217719."""
    mu = 0.1
    limit = np.sqrt(G * D * mu * (1 + mu) / (mu**2 * (1 + J) + J - mu))
    assert limit == pytest.approx(0.217719, abs=5e-7)
    rolls = lambda v: what_next(flowmeter(v, mu), [0, 0, 0, v]).mode == "RR"
    assert bisected(rolls, 0.2, 0.24) == pytest.approx(limit, abs=1e-9)
    after = what_next(flowmeter(1.001 * limit, mu), [0, 0, 0, 1.001 * limit])
    assert after.mode == "SS"
    np.testing.assert_allclose(after.departure.direction[:2], np.pi / 2, atol=1e-9)
    assert after.margin.value < 0
    assert "no forces of rolling exist" in str(after)


def test_the_flowmeter_lifts_where_proposition_4_1_says():
    """mu > j: N+ reaches zero at sqrt(g d/j) = 0.581615; beyond it every way to leave would need a pull."""
    limit = np.sqrt(G * D / J)
    assert limit == pytest.approx(0.581615, abs=5e-7)
    rolls = lambda v: what_next(flowmeter(v, 0.5), [0, 0, 0, v]).mode == "RR"
    assert bisected(rolls, 0.55, 0.61) == pytest.approx(limit, abs=1e-9)
    after = what_next(flowmeter(0.59, 0.5), [0, 0, 0, 0.59])
    assert after.mode == "contact loss"
    assert all("N+" in c.reason for c in after.candidates if c.pulls)
    bare = what_next(flowmeter(0.59, 0.5, normals=False), [0, 0, 0, 0.59])
    assert bare.modes == ("SR",)


def test_the_wedging_band_of_the_flowmeter_is_ambiguous():
    """From rest the wall slips; RR is entered at mu (1 + j)(1 + 2j) v^2/d = j c (v_f - v), static forces exist a little earlier."""
    v_f, mu, c = 0.15, 0.1, 0.03879
    system = flowmeter(v_f, mu)
    k = mu * (1 + J) * (1 + 2 * J) / D
    entry = (-J * c + np.sqrt((J * c) ** 2 + 4 * k * J * c * v_f)) / (2 * k)
    slips = lambda v: any(w.mode == "RS" and w.admissible for w in what_next(system, [0, 0, 0, v]).candidates)
    assert bisected(slips, 0.02, 0.04) == pytest.approx(entry, abs=1e-9)
    feasible = bisected(lambda v: static_margin(system.static(np.array([0, 0, 0, v]))).value < 0, 0.02, 0.04)
    assert 1e-3 < (entry - feasible) / entry < 0.03  # 0.2 % here; its width depends on v_f
    edge = system.static(np.array([0, 0, 0, feasible]))
    scan = static_margin(edge).tau + np.linspace(-0.01, 0.01, 4001)
    assert max(min(slack(edge, 0, t), slack(edge, 1, t)) for t in scan) == pytest.approx(0.0, abs=1e-10)
    inside = what_next(system, [0, 0, 0, 0.5 * (entry + feasible)])
    assert inside.mode == "ambiguous"
    assert inside.modes == ("RR", "RS")
    assert what_next(system, [0, 0, 0, 0.99 * feasible]).mode == "RS"
    assert what_next(system, [0, 0, 0, 1.01 * entry]).mode == "RR"


def test_the_wheelset_slips_outside_an_ellipse_and_always_at_both_wheels():
    """(5.58): B^2 y^2 + (A/M_psi)^2 Psi^2 = 4 C^2; departure phi+ = atan2(-B y, A Psi/M_psi), phi- = pi - phi+."""
    system, A, B = wheelset()
    for angle in (0.0, 0.4, np.pi / 2, 3.0):
        y, psi = 16.0 / B * np.cos(angle), 16.0 * 1.4 / A * np.sin(angle)
        assert what_next(system, [(1 - 1e-7) * y, (1 - 1e-7) * psi, 0, 0, 0]).mode == "RR"
        after = what_next(system, [(1 + 1e-7) * y, (1 + 1e-7) * psi, 0, 0, 0])
        assert after.mode == "SS"
        plus = np.arctan2(-B * y, A * psi / 1.4)
        wrap = lambda a: (a + np.pi) % (2 * np.pi) - np.pi
        found = after.departure.direction
        np.testing.assert_allclose([wrap(found.phi_plus - plus), wrap(found.phi_minus - np.pi + plus)], 0.0, atol=1e-6)
        assert found.normal[1] == pytest.approx(-found.normal[0], abs=1e-7)  # so near, G is 1e-7 of the forces
    flat = what_next(system, [0.0, 0.01, 0, 0, 0])  # ua = 0 exactly: the edge of the parametrisation
    assert flat.mode == "SS"
    assert flat.departure.direction.normal[2] == 0.0


@pytest.mark.parametrize(
    "made",
    [lambda full: (flowmeter(0.25, full=full), [0, 0, 0, 0.25]), lambda full: (wheelset(full=full)[0], [0.01, 0.004, 0, 0, 0])],
)
def test_limits_given_and_extrapolated_agree(made):
    (given, x), (plain, _) = made(True), made(False)
    one, two = double_directions(given, x), double_directions(plain, x)
    assert len(one) == len(two) >= 1
    key = lambda d: (round(d.phi_plus, 5), round(d.phi_minus, 5))
    for a, b in zip(sorted(one, key=key), sorted(two, key=key)):
        np.testing.assert_allclose(a.normal, b.normal, atol=1e-8)
        assert a.radial == pytest.approx(b.radial, abs=1e-7)
    assert what_next(given, x).mode == what_next(plain, x).mode
    np.testing.assert_allclose(given.near(np.array(x, float), np.pi, 0.8), plain.near(np.array(x, float), np.pi, 0.8), atol=1e-8)


def test_compatibility_of_both_machines_at_random_states():
    rng = np.random.default_rng(5)
    meter = compatibility(flowmeter(0.3), rng.uniform(-0.6, 0.6, (40, 4)))
    wheels = compatibility(wheelset()[0], rng.uniform(-0.05, 0.05, (40, 5)))
    for found in (meter, wheels):
        assert found.holds(1e-10), found.differences
        assert found.states == 40
    good = flowmeter(0.3)
    wrong = DoubleSwitching(good.SS, good.SR, good.RS, lambda x: 1.01 * good.RR(x), good.index, good.directed, good.one_sided)
    bad = compatibility(wrong, rng.uniform(-0.6, 0.6, (3, 4)))
    assert not bad.holds()
    assert bad.differences["SR on RR"] == pytest.approx(0.01, rel=0.02)
    assert bad.differences["SS on SR"] < 1e-10


def test_the_static_margin_against_a_fine_scan():
    rng = np.random.default_rng(6)
    for _ in range(60):
        static = StaticForces(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), tuple(rng.uniform(0.05, 0.8, 2)))
        found = static_margin(static)
        if not np.isfinite(found.tau):
            continue
        scan = found.tau + np.concatenate([np.linspace(-3, 3, 601), np.linspace(-1e-3, 1e-3, 41), np.linspace(-50, 50, 201)])
        best = max(min(slack(static, 0, t), slack(static, 1, t)) for t in scan)
        assert found.value >= best - 1e-12
        assert found.value == pytest.approx(min(found.slacks))


def test_static_margins_by_hand():
    wedge = StaticForces(np.array([[1.0, 0, 0], [1.0, 0, 0]]), np.array([[1.0, 0, 0.3], [1.0, 0, -0.3]]), (0.5, 0.5))
    assert static_margin(wedge).value == np.inf
    apart = StaticForces(np.array([[2.0, 3, 0], [2.0, 0, 0]]), np.array([[0.0, 0, 1.0], [0.0, 0, -1.0]]), (1.0, 1.0))
    assert static_margin(apart).value == pytest.approx(-1.0)
    fixed = StaticForces(np.array([[2.0, 1, 0], [2.0, 0, 1.5]]), np.array([[0.0, 0, 0], [0.0, 0, -1.0]]), (1.0, 1.0))
    assert static_margin(fixed).value == pytest.approx(1.0)
    with pytest.raises(InputError, match="two rows"):
        static_margin(StaticForces(np.ones(3), np.ones(3), (0.1, 0.1)))


def test_what_is_refused_by_name():
    system = flowmeter(0.2)
    with pytest.raises(InputError, match="both contacts must roll"):
        what_next(system, [0.1, 0, 0, 0.2])
    with pytest.raises(InputError, match="index says where"):
        DoubleSwitching(system.SS, system.SR, system.RS, system.RR, (0, 0, 1))
    with pytest.raises(InputError, match="point of Sigma_RR"):
        system.extended("SR").at([0, 0, 0, 0.2])
    with pytest.raises(InputError, match="unknown mode"):
        system.switching("RR")
    with pytest.raises(InputError, match="must not be zero"):
        compatibility(system, [[0.0, 0.1, 0.1, 0.2]])
