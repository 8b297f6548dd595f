"""Stationary states, thresholds and bifurcations of the flowmeter; design report; calibration."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import root

from rollick import InputError
from rollick.archetypes.flowmeter.bifurcations import bifurcations, chart_case, hysteresis
from rollick.archetypes.flowmeter.calibration import Pairs, calibrate, read_pairs, seldom
from rollick.archetypes.flowmeter.characteristic import characteristic
from rollick.archetypes.flowmeter.design import design_report, friction_for
from rollick.archetypes.flowmeter.engineering import flowmeter
from rollick.archetypes.flowmeter.fields import field, jacobian, normals
from rollick.archetypes.flowmeter.pictures import calibration_picture, characteristic_picture, chart_picture
from rollick.archetypes.flowmeter.response import largest_pulsation
from rollick.archetypes.flowmeter.stationary import branch, folds, slipping, stationary_states, swirl_slope, x_rs, x_sr
from rollick.archetypes.flowmeter.thresholds import friction_of_fold, rolling_ends, thresholds

METERS = [flowmeter(mu=mu, drag=law) for mu in (0.02, 0.1, 0.5) for law in ("stokes", "quadratic", "schiller-naumann")]


@pytest.mark.parametrize(
    "meter",
    [pytest.param(m, id=f"mu={m.mu:g}", marks=() if k in (0, 3, 4, 8) else pytest.mark.slow) for k, m in enumerate(METERS)],
)
def test_stationary_states_are_at_rest_and_none_is_missed_in_SS(meter):
    """F = 0 to rounding; a root finder from 60 random starts meets no X_SS with N >= 0 that is not in the list."""
    rng = np.random.default_rng(5)
    limits = thresholds(meter)
    for v_f in (0.6 * limits.rolling, 1.2 * limits.rolling, 1.02 * limits.SR_SS, 2.0 * max(limits.SR_SS, limits.rolling)):
        found = stationary_states(meter, v_f)
        for s in found:
            assert np.abs(field(meter, s.mode, s.x, v_f)).max() < 1e-10 * meter.g
            assert min(s.normals) > -1e-12 * meter.g
        known = [s.x for s in found if s.mode == "SS"]
        seen = 0
        for _ in range(60):
            start = np.array([rng.uniform(-1, 1), rng.uniform(-0.1, 0.1), rng.uniform(-1, 1), rng.uniform(0.2, 1.0)]) * v_f
            made = root(lambda x, v_f=v_f: field(meter, "SS", x, v_f), start, tol=1e-13)
            x = made.x
            if (
                not made.success
                or np.abs(made.fun).max() > 1e-9 * meter.g
                or np.hypot(x[0], x[2]) < 1e-6 * v_f
                or abs(x[2]) < 1e-6 * v_f
            ):
                continue
            if min(normals(meter, "SS", x)) < 0.0:
                continue
            seen += 1
            assert any(np.abs(x - k).max() < 1e-5 * v_f for k in known), (v_f, x, known)
        if known and limits.rolling < v_f < limits.SR_SS and meter.drag.a == meter.drag.q == 0.0:
            assert seen > 0


def test_jacobians_are_those_of_differences():
    meter, x = flowmeter(drag="schiller-naumann", swirl=0.4), np.array([0.2, 0.05, 0.1, 0.3])
    near = np.empty((4, 4))
    for k in range(4):
        e = 1e-6 * np.eye(4)[k]
        near[:, k] = (field(meter, "SS", x + e) - field(meter, "SS", x - e)) / 2e-6
    np.testing.assert_allclose(jacobian(meter, "SS", x), near, rtol=1e-6, atol=1e-6)
    wall = x * [1, 0, 0, 1]
    step = [(field(meter, "SR", wall + e) - field(meter, "SR", wall - e))[[0, 3]] / 2e-6 for e in 1e-6 * np.eye(4)[[0, 3]]]
    np.testing.assert_allclose(jacobian(meter, "SR", wall), np.array(step).T, rtol=1e-6, atol=1e-7)


def test_thresholds_meet_proposition_3_3_and_the_forces():
    for mu in (0.07, 0.5):
        meter = flowmeter(mu=mu)
        end, after = rolling_ends(meter)
        assert end == pytest.approx(thresholds(meter).rolling, rel=1e-9)
        assert after == ("SS" if mu < meter.j else "contact loss")
        assert rolling_ends(meter, "static")[0] == pytest.approx(end, rel=1e-9)
    with pytest.raises(InputError, match="wedge itself"):
        thresholds(flowmeter(mu=1.2))


def test_the_fold_is_born_at_mu_fold_and_its_slope_is_the_derivative():
    meter = flowmeter()
    c = friction_of_fold(meter)
    assert folds(meter._replace(mu=0.999 * c)) == ()
    assert len(folds(meter._replace(mu=1.001 * c))) == 1
    for law in ("stokes", "schiller-naumann"):
        meter = flowmeter(drag=law, mu=0.2)
        for phi in (0.05, 0.4, 1.2):
            near = (slipping(meter, phi + 1e-6).v_f - slipping(meter, phi - 1e-6).v_f) / 2e-6
            assert swirl_slope(meter, phi) == pytest.approx(near, rel=1e-5)


@pytest.mark.parametrize(
    ("mu", "law", "case", "names"),
    [
        (0.02, "stokes", "A", "P3 P2"),
        (0.1, "stokes", "B", "P3 NF2 F"),
        (0.5, "stokes", "C", "DNF2 DNT1"),
        (0.1, "quadratic", "B", "P3 NF2 F"),
        (0.1, "schiller-naumann", "B", "P3 NF2 F"),
        (0.5, "schiller-naumann", "C", "DNF2 DNT1"),
    ],
)
def test_bifurcations_are_detected_and_named(mu, law, case, names):
    meter = flowmeter(mu=mu, drag=law)
    found = bifurcations(meter)
    assert chart_case(meter) == case
    assert " ".join(b.name for b in found) == names
    assert all(b.meaning for b in found)
    if "F" in names.split():
        last = found[-1]
        assert last.below == ("SS stable", "SS unstable")
        assert last.above == ()
        assert hysteresis(meter) == (found[1].v_f, last.v_f)
    else:
        assert hysteresis(meter) is None


def test_stability_along_the_branches():
    meter = flowmeter()
    (turn,) = folds(meter)
    for s in branch(meter, "SS", 0.0, 10.0, 20):
        if abs(s.phi - turn) > 1e-6:
            assert s.stability == ("unstable" if s.phi < turn else "stable")
    assert {s.stability for s in branch(meter, "RR", 0.0, 1.0, 5)} == {"stable"}
    high = flowmeter(mu=0.5)
    assert x_sr(high, 0.55).stability == "unstable"
    assert x_sr(high, 0.6).stability == "stable"
    assert x_sr(high, 0.5) is None
    spot = x_rs(meter, 0.3)
    assert spot.stability == "neutral"
    assert np.abs(field(meter, "RS", spot.x, 0.0)).max() == 0.0
    with pytest.raises(InputError, match="swirls above zero"):
        stationary_states(meter, 0.0)


def test_the_characteristic_has_a_way_up_and_a_way_down():
    meter = flowmeter()
    made = characteristic(meter, [0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 3.5, 4.0])
    up, down = made.speeds("up"), made.speeds("down")
    np.testing.assert_allclose(up[:2], [0.1, 0.2])
    assert up[4] < 0.3
    assert down[4] == pytest.approx(2.0)
    np.testing.assert_allclose(up[-2:], down[-2:])
    with pytest.raises(InputError, match="swirls above zero"):
        characteristic(meter, [])


def test_the_design_report_says_what_limits():
    meter = flowmeter()
    report = design_report(meter, frequency=0.5, wanted=0.4, nu=1e-6, density_ratio=1000 / 1160, swirl_per_flow=500.0)
    text = report.summary()
    assert "up to v_f = 0.217719 m/s" in text
    assert "two stable states from v_f = 1.16323 to 3.37163" in text
    assert "times the drag of Schiller and Naumann" in text
    assert report.to_dict()["flow_rate"] == pytest.approx(report.range / 500.0)
    assert thresholds(meter._replace(mu=report.friction_needed)).rolling == pytest.approx(0.4, rel=1e-9)
    assert friction_for(meter, 0.6) is None
    assert "no friction suffices" in design_report(meter, wanted=0.6).summary()
    assert design_report(flowmeter(mu=0.5)).case == "C"
    most = largest_pulsation(flowmeter(drag="schiller-naumann"), 0.15, 0.5)
    assert 0.0 < most < 0.15
    assert largest_pulsation(meter, 0.3, 0.5) == 0.0


@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_calibration_recovers_line_and_scatter(count):
    """Covariance against closed forms of the straight line; the band holds what it promises over many repetitions."""
    rng = np.random.default_rng(9)
    x = np.linspace(1.0, 10.0, 12)
    inside = hits = 0
    for _ in range(count):
        y = 0.3 + 2.0 * x + rng.normal(0.0, 0.05, x.size)
        made = calibrate(Pairs(x, y), probability=0.9)
        new = 0.3 + 2.0 * 4.2 + rng.normal(0.0, 0.05)
        line, _, wide = made.speed(4.2)
        inside += abs(new - line[0]) <= wide[0]
        _, low, high = made.flow(new)
        hits += low <= 4.2 <= high
    assert inside / count == pytest.approx(0.9, abs=0.03)
    assert hits / count == pytest.approx(0.9, abs=0.03)
    y = 0.3 + 2.0 * x + rng.normal(0.0, 0.05, x.size)
    made = calibrate(Pairs(x, y))
    slope, offset = np.polyfit(x, y, 1)
    np.testing.assert_allclose([made.slope, made.offset], [slope, offset], rtol=1e-10)
    s = math.sqrt(np.sum((y - offset - slope * x) ** 2) / 10)
    spread = np.sum((x - x.mean()) ** 2)
    np.testing.assert_allclose(
        np.sqrt(np.diag(made.covariance)), [s * math.sqrt(np.mean(x**2) / spread), s / math.sqrt(spread)], rtol=1e-9
    )
    assert not made.bent
    assert made.outliers == ()
    wild = y.copy()
    wild[5] += 2.0
    assert calibrate(Pairs(x, wild)).outliers == (5,)
    bent = calibrate(Pairs(x, 2.0 * x - 0.05 * x**2 + rng.normal(0.0, 0.01, x.size)))
    assert bent.bent
    assert "bent" in bent.summary()
    kinked = calibrate(Pairs(x, np.minimum(2.0 * x, 17.0 + 0.2 * x) + rng.normal(0.0, 0.005, x.size)))
    assert kinked.runs < 0.025
    assert "too seldom for chance" in kinked.summary()
    assert made.runs > 0.025
    zero = calibrate(Pairs(x, 2.0 * x + rng.normal(0.0, 0.05, x.size)), through_zero=True)
    assert zero.offset == 0.0
    assert zero.coefficients.size == 1


def test_the_probability_of_few_runs_is_that_of_all_orders():
    """Against all orders of four and three signs, one by one."""
    orders = set(itertools.permutations([1, 1, 1, 1, -1, -1, -1]))
    runs = lambda signs: 1 + sum(a != b for a, b in itertools.pairwise(signs))
    for signs in ([1, 1, 1, 1, -1, -1, -1], [1, -1, -1, 1, 1, -1, 1], [1, -1, 1, -1, 1, -1, 1], [1, 1, -1, -1, -1, 1, 1]):
        share = sum(runs(order) <= runs(signs) for order in orders) / len(orders)
        assert seldom(np.array(signs)) == pytest.approx(share)
    assert seldom(np.ones(5)) == 1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("flow,speed\n", "no pairs"),
        ("1,2\n2,x\n3,4\n4,5\n", "line 2: '2,x' is not a pair"),
        ("1,2,3\n", "line 1: two numbers are wanted"),
        ("1\n2\n", "line 1: two numbers are wanted"),
        ("1,2\n2,nan\n3,4\n4,5\n", "line 2: '2,nan' is not finite"),
        ("flow [furlong],speed\n1,2\n2,3\n3,4\n4,5\n", "unit 'furlong'"),
        ("1,2\n2,3\n3,4\n", "3 pairs are too few"),
        ("1,2\n1,3\n1,4\n1,2\n", "all flows are 1"),
        ("1,2\n2,3\n-3,4\n4,5\n", "is negative"),
        ("1,5\n2,4\n3,3\n4,2\n", "does not grow with the flow"),
    ],
)
def test_bad_files_are_refused_in_a_sentence(tmp_path, text, sentence):
    file = tmp_path / "pairs.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        calibrate(read_pairs(file))
    with pytest.raises(InputError, match="there is no file"):
        read_pairs(tmp_path / "none.csv")
    file.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match="cannot be read as text"):
        read_pairs(file)


def test_files_with_headings_semicolons_and_remarks(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("# of a Tuesday\nflow [dm^3/min]; speed [Hz]\n1; 2.01\n2; 3.99\n3; 6.02\n4; 8.0\n", encoding="utf-8")
    pairs = read_pairs(file)
    assert pairs.units == ("dm^3/min", "Hz")
    assert pairs.names == ("flow", "speed")
    np.testing.assert_allclose(pairs.speed, [2.01, 3.99, 6.02, 8.0])


@pytest.mark.parametrize("count", [9, pytest.param(25, marks=pytest.mark.slow)])
def test_pictures_are_drawn(tmp_path, count):
    meter = flowmeter()
    for k, fig in enumerate((characteristic_picture(meter), chart_picture(meter, np.linspace(0.02, 0.6, count)))):
        fig.savefig(tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").stat().st_size > 10_000
    x = np.linspace(1.0, 5.0, 9)
    calibration_picture(calibrate(Pairs(x, 2.0 * x + 0.01 * np.sin(9.0 * x)))).savefig(tmp_path / "c.png")
