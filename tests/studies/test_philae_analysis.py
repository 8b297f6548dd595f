"""The Sun from the panels, the fits and the crater rim: against other optimisers, other estimates of the same number, and known answers."""

import numpy as np
import pytest
from scipy.optimize import differential_evolution
from scipy.stats import wasserstein_distance

from rollick import InputError
from rollick.archetypes import lander as la
from rollick.archetypes.lander.sun import distribution_of, normalised
from rollick.archetypes.lander.telemetry import powers, published
from rollick.archetypes.lander.tumbling import Seen
from rollick.studies import philae
from rollick.studies.philae.candidates import EXCHANGED_SUN, PRINTED_SUN, seconds_between
from rollick.studies.philae.crater import EDGES, SPEED
from rollick.studies.philae.descent import PRINTED, angular_velocity, constant_speeds, descent_suns, turned
from rollick.studies.philae.patterns import contiguous
from rollick.studies.philae.uncertainty import tangents

PHILAE = la.Lander()


def test_published_directions_and_errors():
    known, column = published()
    sun, delta = la.find_sun(powers())
    good = np.isfinite(delta)
    np.testing.assert_array_equal(good, np.isfinite(column))
    away = la.angle_between(sun[good], known[good])
    assert np.median(away) < 0.03
    assert away.max() < 0.05
    assert np.median(np.abs(delta - column)[good]) < 2e-4
    assert np.abs(delta - column)[good].max() < 6e-4
    literal, other = la.find_sun(powers(), printed=True)  # E16: the formulas as printed do not give the table
    assert np.median(la.angle_between(literal[good], known[good])) > 0.1
    assert np.median(other[good] / np.maximum(column[good], 1e-3)) > 2.0


@pytest.mark.parametrize(
    "row", [pytest.param(r, marks=() if r in (14, 232) else pytest.mark.slow) for r in (7, 14, 191, 214, 232, 299)]
)
def test_minimum_against_another_optimiser(row):
    P = powers()[row - 1]
    measured = P / P.sum()

    def away(p):
        s = np.array([np.cos(p[0]) * np.cos(p[1]), np.sin(p[0]) * np.cos(p[1]), np.sin(p[1])])
        return 0.5 * np.linalg.norm(distribution_of(s) - measured)

    other = differential_evolution(away, [(-np.pi, np.pi), (0.0, np.pi / 2)], seed=row, tol=1e-12, popsize=20)
    _, delta = la.find_sun(P)
    assert delta[0] <= other.fun + 1e-9
    assert delta[0] == pytest.approx(other.fun, abs=1e-6)


@pytest.mark.parametrize("count", [500, pytest.param(5000, marks=pytest.mark.slow)])
def test_exact_powers_give_the_direction_back(count):
    rng = np.random.default_rng(5)
    s = rng.normal(size=(count, 3))
    s[:, 2] = np.abs(s[:, 2])
    s /= np.linalg.norm(s, axis=1)[:, None]
    P = 5.0 * distribution_of(s)
    good = la.reconstructible(P)
    assert 0.5 < good.mean() < 0.8
    found, delta = la.find_sun(P)
    assert np.all(np.isnan(found[~good]))
    assert la.angle_between(found[good], s[good]).max() < 1e-6
    assert delta[good].max() < 1e-9
    np.testing.assert_allclose(normalised(P).sum(axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize("rows", [(14,), pytest.param((13, 14, 214), marks=pytest.mark.slow)], ids=str)
def test_uncertainty_against_monte_carlo(rows):
    track = philae.sun_track()
    noise = philae.power_noise()
    assert 0.1 < noise < 1.0
    rng = np.random.default_rng(0)
    for row in rows:
        P, s = powers()[row - 1], track.sun[row - 1]
        shaken = np.where(P > 0.0, np.maximum(P + 0.2 * noise * rng.normal(size=(3000, 6)), 1e-6), 0.0)
        moved = (la.find_sun(shaken)[0] - s) @ tangents(s).T
        spread = np.degrees(np.sqrt(np.linalg.eigvalsh(np.cov(moved.T))[-1]))
        assert 0.2 * track.spread[row - 1] == pytest.approx(spread, rel=0.08)


def test_patterns():
    assert philae.possible() == {(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (2, 3, 4), (2, 3, 4, 5), (3, 4, 5), (4, 5), (5,)}
    rng = np.random.default_rng(1)
    for s in rng.normal(size=(500, 3)):
        lit = tuple(int(k) + 1 for k in np.flatnonzero(distribution_of(s)[:5] > 0.0))
        assert lit in philae.possible()
        assert contiguous(lit)
    bad = philae.violations()
    assert {v.lit for v in bad if v.phase == "rest"} == {(2,), (2, 3), (2, 3, 6)}
    assert [v.row for v in bad if v.phase != "rest"] == [7]
    assert all(1 in v.cured_by for v in bad if v.phase == "rest")


def test_descent():
    """The mean speed read from the printed coefficients agrees with windows that know no polynomial; as omega(t) they do not (E20)."""
    assert philae.direct_misfit(PRINTED) > 0.12
    assert philae.direct_misfit(PRINTED, mean=True) < 0.006
    t, _ = descent_suns()
    assert t.size == 113
    fit = philae.fit_descent(3)
    assert fit.misfit == pytest.approx(0.00454, abs=2e-5)
    assert fit.misfit < philae.fit_descent(3, free_start=False).misfit < philae.direct_misfit(PRINTED, mean=True)
    windows = constant_speeds()
    np.testing.assert_allclose(angular_velocity(fit.coefficients, windows[:, 0]), windows[:, 1], atol=2e-4)
    np.testing.assert_allclose(angular_velocity(PRINTED, windows[:, 0], mean=True), windows[:, 1], atol=2e-4)
    assert np.abs(angular_velocity(PRINTED, windows[:, 0]) - windows[:, 1]).max() > 8e-4
    h = 1.0
    for mean in (False, True):
        slope = (turned(PRINTED, t + h, mean) - turned(PRINTED, t - h, mean)) / (2 * h)
        np.testing.assert_allclose(slope, angular_velocity(PRINTED, t, mean), rtol=1e-7)
    with pytest.raises(InputError, match="degree"):
        philae.fit_descent(20)


def test_earth_movers_distance():
    """Against SciPy's Wasserstein distance on the same samples; and zero against itself."""
    seen = la.seen_after_td1()
    assert seen.t.size == 18
    assert np.all(seen.t == np.round(seen.t))
    for omega in ((0.3, -0.2, 0.1), (-0.2116, 0.5308, 0.1185), (0.9, 0.8, -0.2)):
        emd, edf, share, theta = la.judge(PHILAE, [omega])[0]
        states = la.states_along(PHILAE, la.state(seen.s[0], omega), 0.5, 5400, substeps=1)
        s = la.suns(states)
        found = la.reconstructible(distribution_of(s))
        assert share == pytest.approx(found.mean(), abs=1e-12)
        assert emd == pytest.approx(0.5 * wasserstein_distance(s[found, 2], seen.z), abs=1.2e-4)
        at = s[np.round(2 * seen.t).astype(int)]
        assert edf == pytest.approx(0.5 * np.mean(1.0 - np.sum(at * seen.s, axis=1)), abs=1e-9)
        w, x, y, z = states[:, :4].T
        axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
        assert theta == pytest.approx(np.arccos(np.min(axis @ axis[0])) / np.pi, abs=1e-9)
        itself = Seen(seen.t, seen.s, np.sort(s[found, 2]))
        assert la.judge(PHILAE, [omega], seen=itself)[0, 0] < 1e-9


def test_lines():
    rng = np.random.default_rng(3)
    way = np.array([0.6, 0.0, 0.8])
    points = np.array([0.1, 0.2, 0.0]) + rng.uniform(-0.5, 0.5, 60)[:, None] * way + 1e-3 * rng.normal(size=(60, 3))
    line = philae.fit_line(points)
    assert abs(line.direction @ way) > 1.0 - 1e-4
    other = np.array([0.5, -0.3, 0.1]) + rng.uniform(-0.5, 0.5, 50)[:, None] * np.array([0.0, 1.0, 0.0])
    both = philae.fit_lines(np.concatenate([points, other]), 2)
    assert sorted(round(abs(float(l.direction[1])), 2) for l in both) == [0.0, 1.0]
    inside = philae.along(philae.printed_line("L3"))
    assert inside[:, 2].min() == pytest.approx(-0.3, abs=2e-3)
    with pytest.raises(InputError, match="L1"):
        philae.printed_line("L7")


def test_touchdown():
    assert seconds_between("TD1") == -43.0
    assert seconds_between("C1") == 2713.0
    least = {
        name: philae.speeds_at_touchdown(PHILAE, philae.along(philae.printed_line(name), 61), PRINTED_SUN).min()
        for name in ("L1", "L2", "L3", "L4")
    }
    assert min(least.values()) == pytest.approx(0.18, abs=0.005)
    assert least["L3"] < least["L4"] < least["L2"] < least["L1"]


def test_fit_map_is_resumed(tmp_path):
    axes = {"omega_x": np.array([-0.2, 0.1]), "omega_y": np.array([0.3, 0.5]), "omega_z": np.array([0.0])}
    first = philae.fit_map(axes=axes, store=tmp_path / "m.nc", progress=False)
    again = philae.fit_map(axes=axes, store=tmp_path / "m.nc", progress=False)
    np.testing.assert_array_equal(first["emd"], again["emd"])
    np.testing.assert_allclose(first["emd"].values[1, 0, 0], la.judge(PHILAE, [(0.1, 0.3, 0.0)])[0, 0], rtol=1e-14)
    with pytest.raises(InputError, match="another map"):
        philae.fit_map(axes=axes, spin=800.0, store=tmp_path / "m.nc", progress=False)
    _, numbers = philae.refine(PHILAE, np.array([[0.1, 0.3, 0.0]]), 0.05, 2)
    assert numbers[0, 0] <= first["emd"].values[1, 0, 0]
    with pytest.raises(InputError, match="step"):
        philae.fit_map(0.0)


def test_crater():
    study = philae.crater(6, seed=4, progress=False)
    assert study.complete
    one = philae.crater(6, seed=4, progress=False, workers=1)
    np.testing.assert_array_equal(study.data["counts_on"], one.data["counts_on"])
    assert not np.array_equal(study.data["vx"], philae.crater(6, seed=5, progress=False).data["vx"])
    speed = np.sqrt(study.data["vx"] ** 2 + study.data["vy"] ** 2 + study.data["vz"] ** 2)
    np.testing.assert_allclose(speed, SPEED, rtol=1e-12)
    assert float(study.data["vz"].max()) < 0.0
    np.testing.assert_allclose(study.data["counts_off"].sum("bin"), 3901)
    assert study.density("off") @ np.diff(EDGES) == pytest.approx(1.0)
    low, high = study.density_band("off", 200)
    assert np.all(low <= high)
    assert study.share_below(-0.2, "on") <= study.share_below(0.0, "on")
    assert "wheel" in study.summary()
    assert set(study.as_dict()) >= {"off", "on", "seed"}
    with pytest.raises(InputError, match="count"):
        philae.crater(0)


def test_chance_and_count():
    """The EMD of measurements of the flight itself falls as their number grows; the count test is the binomial tail."""
    omega = (-0.1, 0.25, 0.05)
    few, many = (philae.sampling_spread(PHILAE, omega, count, draws=200) for count in (18, 288))
    assert np.median(few) / np.median(many) == pytest.approx(4.0, rel=0.25)  # 1/sqrt(n)
    assert 0.01 < np.median(few) < 0.06
    rng = np.random.default_rng(0)
    drawn = (rng.random((200_000, 23)) < 0.62).sum(axis=1) >= 18
    assert float(philae.count_test(0.62)) == pytest.approx(drawn.mean(), abs=3e-3)
    assert float(philae.count_test(0.3)) < 1e-5


def test_printed_lines_belong_to_the_exchanged_start():
    """With s_x and s_y of the start exchanged the four lines are alike, show the Sun often enough, and keep it above the horizon."""
    emd = {}
    for words, s0 in (("printed", PRINTED_SUN), ("exchanged", EXCHANGED_SUN)):
        numbers = [la.judge(PHILAE, philae.along(philae.printed_line(name), 9)[3:7], s0=s0) for name in ("L1", "L2", "L3", "L4")]
        emd[words] = np.array([np.median(v[:, 0]) for v in numbers])
        if words == "exchanged":
            assert min(philae.count_test(np.median(v[:, 2])) for v in numbers) > 0.05
    assert np.ptp(emd["exchanged"]) < 0.005
    assert np.ptp(emd["printed"]) > 0.04
    assert emd["exchanged"].max() < 0.046
    middle = np.degrees(np.arctan2(EXCHANGED_SUN[1], EXCHANGED_SUN[0]))
    azimuth = {name: np.degrees(np.arctan2(*philae.printed_line(name).point[1::-1])) for name in ("L1", "L2", "L3", "L4")}
    for one, other in (("L1", "L2"), ("L3", "L4")):  # they lie symmetrically about the azimuth of the Sun
        assert 0.5 * (azimuth[one] + azimuth[other]) == pytest.approx(middle, abs=2.0)


@pytest.mark.slow
def test_coarse_map_has_better_fits_than_the_printed_lines():
    from rollick.studies.philae.printed import fits

    found = fits()
    assert found.numbers[0, 0] < 0.0326
    assert min(*found.printed.values(), *found.exchanged.values()) > 0.0326
