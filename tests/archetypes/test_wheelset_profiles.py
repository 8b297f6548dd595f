"""Profiles of wheels and rails: derivatives, published tables, measured points, and what is refused."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick import InputError
from rollick.archetypes.wheelset.geometry import Geometry, geometry, radius_and_derivatives, simple
from rollick.archetypes.wheelset.profiles_analytic import Curved, arc, cone
from rollick.archetypes.wheelset.profiles_compiled import profile_at, profile_of
from rollick.archetypes.wheelset.profiles_measured import measured
from rollick.archetypes.wheelset.profiles_published import gauge_offset, head_arcs, s1002, uic60
from rollick.archetypes.wheelset.track import on_track

PROFILES = [cone(0.1), arc(0.05, 0.5), arc(0.05, -0.3), arc(0.05, 0.5, 30.0, 200.0), arc(0.02, 0.3, -4.0), s1002(True), uic60()]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: p.name)
def test_derivatives_are_those_of_the_height(profile):
    """Each derivative against a complex step of the one before it."""
    edges = [s.low for s in profile.sections[1:]]
    u = np.linspace(profile.low, profile.high, 203)[1:-1]
    u = np.array([x for x in u if all(abs(x - e) > 1e-6 for e in edges)])
    slopes = profile.at(u + 1e-30j, 5).imag / 1e-30
    told = profile.at(u, 6)
    for n in range(5):
        np.testing.assert_allclose(told[n + 1], slopes[n], rtol=1e-9, atol=1e-9 * np.abs(told[n + 1]).max())


@pytest.mark.parametrize(("R", "R1", "R2"), [(0.5, 0.0, 0.0), (0.5, 30.0, 0.0), (0.4, -6.0, 300.0), (-0.3, 2.0, 0.0)])
def test_an_arc_has_the_radius_it_was_asked_for(R, R1, R2):
    profile = arc(0.07, R, R1, R2)
    told = radius_and_derivatives(profile)
    np.testing.assert_allclose(told, (R, R1, R2), rtol=1e-8, atol=1e-5)
    u = np.linspace(0.8 * profile.low, 0.8 * profile.high, 21)
    _, c1, c2 = profile.at(u, 2)
    np.testing.assert_allclose(-((1.0 + c1**2) ** 1.5) / c2, R + R1 * u + 0.5 * R2 * u * u, rtol=1e-8)


def test_derivatives_of_flat_profiles():
    """(1.60), with R^3 in its third line (erratum 6)."""
    h, R, R1, R2 = 1e-6, 0.5, 0.7, 3.0
    c = arc(h, R, R1, R2, reach=1e-3).at(0.0, 4)
    assert c[2] == pytest.approx(-1.0 / R, rel=1e-10)
    assert c[3] == pytest.approx((R1 + 3.0 * h) / R**2, rel=1e-10)
    assert c[4] == pytest.approx((R2 * R - 2.0 * R1**2 - 3.0) / R**3, rel=1e-5)


def test_the_height_of_an_arc_is_the_solution_of_its_definition():
    """c'' = -(1 + c'^2)^(3/2)/R(U), by SciPy."""
    R, R1, R2 = 0.5, 25.0, 100.0
    rate = lambda u, c: [c[1], -((1.0 + c[1] ** 2) ** 1.5) / (R + R1 * u + 0.5 * R2 * u * u)]
    profile = arc(0.05, R, R1, R2)
    for end in (0.8 * profile.low, 0.03):
        made = solve_ivp(rate, (0.0, end), [0.0, 0.05], method="DOP853", rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(profile.at(end, 1), made.y[:, -1], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    "profile",
    [arc(0.05, 0.5), cone(0.1), arc(0.05, 0.5, 30.0, 200.0), s1002().placed(0.003), uic60().placed(0.002)],
    ids=lambda p: p.name,
)
def test_compiled_profiles_are_the_same(profile):
    u = np.linspace(max(profile.low, -0.05) + 1e-5, min(profile.high, 0.05) - 1e-5, 101)
    seen = np.array([profile_at(profile.data, float(x)) for x in u]).T
    np.testing.assert_allclose(seen, profile.at(u, 2), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(profile_of(profile.data).at(u, 2), profile.at(u, 2), rtol=1e-12, atol=1e-14)


def test_s1002_as_published():
    """The sections meet to 0.2 um and 1e-5 in slope; the tape circle is at F = 0, the cone is 1:15, the flange 70 degrees."""
    wheel = s1002(True)
    assert max(abs(j.height) for j in wheel.jumps()) < 2e-7
    assert max(abs(j.slope) for j in wheel.jumps()) < 1e-5
    assert wheel.height(0.0) == 0.0
    assert wheel.at(0.05, 1)[1] == pytest.approx(1.0 / 15.0, abs=1e-8)
    assert math.degrees(math.atan(wheel.at(-0.039, 1)[1])) == pytest.approx(70.0, abs=1e-3)
    assert wheel.height(-0.055) == pytest.approx(-0.028, abs=1e-9)  # height of the flange


def test_uic60_closes_as_drawn():
    """From radii and meeting points: 72 mm wide 14.3 mm below the top, both to a micrometre; its arcs touch without a kink."""
    x, z = head_arcs()[-1][2]
    assert x == pytest.approx(0.036, abs=1e-6)
    assert z == pytest.approx(-0.0143, abs=1e-6)
    for lean in (0.0, 1.0 / 40.0, 1.0 / 20.0):
        rail = uic60(lean)
        assert max(abs(j.height) for j in rail.jumps()) < 1e-15
        assert max(abs(j.slope) for j in rail.jumps()) < 1e-13
        c, slope = rail.at(0.0, 1)
        assert abs(c) < 1e-15
        assert abs(slope) < 1e-15
    assert gauge_offset(0.0) == pytest.approx(0.036, abs=3e-5)


def test_what_is_not_a_profile_is_refused():
    for make, word in (
        (lambda: arc(0.05, 0.0), "not zero"), (lambda: arc(math.nan, 0.3), "finite"), (lambda: arc(0.05, math.inf, 3.0), "straight"), (lambda: uic60(0.5), "inclination"),
        (lambda: simple(-0.05, 0.5, 0.25, 0.7, 0.4), "sign"), (lambda: simple(0.05, 0.2, 0.25, 0.7, 0.4), "cross"), (lambda: simple(0.05, 0.5, 0.25, 700.0, 400.0), "millimetres"),
        (lambda: simple(1.0, 5.0, 0.25, 0.3, 0.4), "h r"), (lambda: Geometry(arc(0.05, 0.5), arc(0.06, 0.25), 0.7, 0.4), "slope"),
        (lambda: Geometry(arc(0.05, 0.5), arc(0.05, 0.25), 0.7, -0.4), "above zero"), (lambda: on_track(gauge=1435.0), "millimetres"),
        (lambda: on_track(gauge=1.40), "flanges"), (lambda: geometry(s1002(), uic60(), 0.75, 0.46, 0.2), "do not meet"), (lambda: on_track(wheel="s1003"), "neither"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=word):
            make()


def test_profiles_that_cross_away_from_the_contact_are_refused():
    """A wheel with a step in it that cuts into the rail."""
    u = np.linspace(-0.02, 0.02, 81)
    dented = np.stack([u, 0.05 * u - 1e-4 * np.exp(-(((u - 0.012) / 0.002) ** 2))], axis=1)
    wheel = measured(dented, "wheel", "m", 1e-7)
    wheel = wheel.placed(0.0)
    with pytest.raises(InputError, match=r"cross|slope"):
        Geometry(wheel, arc(float(wheel.at(0.0, 1)[1]), 5.0), 0.7, 0.4)


@pytest.fixture
def points():
    """S1002 from the flange outward, in mm."""
    u = np.linspace(-0.0485, 0.058, 400)
    return 1e3 * np.stack([u, s1002().height(u)], axis=1)


def test_a_measured_profile_is_smoothed_as_it_says(points):
    rng = np.random.default_rng(3)
    noisy = points + np.stack([np.zeros(len(points)), 0.003 * rng.normal(size=len(points))], axis=1)
    profile = measured(noisy, "wheel", smoothing=3e-6)
    assert profile.fit.points == len(points)
    assert profile.fit.rms == pytest.approx(3e-6, rel=0.02)
    assert 5 < profile.fit.knots < 60
    u = np.linspace(-0.04, 0.05, 300)
    assert np.sqrt(np.mean((profile.height(u) - s1002().height(u)) ** 2)) < 2e-6  # better than the points
    exact = measured(points, "wheel", smoothing=2e-8)
    tread = u[u > -0.025]  # between the points of the flange, whose curvature jumps, it is 3 um
    assert np.abs(exact.height(tread) - s1002().height(tread)).max() < 1.5 * exact.fit.largest < 3e-7
    for jump in exact.jumps():
        assert abs(jump.height) < 1e-12
        assert abs(jump.curvature) < 1e-3  # of thousands at the flange: the spline's curvature is continuous


@pytest.mark.parametrize(
    ("change", "unit", "word"),
    [
        (lambda p: p[:12], "mm", "12 points"),
        (lambda p: 1e-3 * p, "mm", "metres read as millimetres"),
        (lambda p: p, "m", "millimetres read as metres"),
        (lambda p: p * (1, -1), "mm", "flange .* up"),
        (lambda p: p * (-1, 1), "mm", "outer side"),
        (lambda p: np.vstack([p, p[-1:]]), "mm", "same lateral coordinate"),
        (lambda p: np.vstack([p[:200], p[150:]]), "mm", "turns back"),
        (lambda p: p[200:] * (1, -1), "mm", "higher at its inner side"),
        (lambda p: np.where(np.arange(len(p))[:, None] == 7, np.nan, p), "mm", "point 8"),
        (lambda p: p, "furlong", "unit"),
    ],
)
def test_bad_points_are_told_in_a_sentence(points, change, unit, word):
    with pytest.raises(InputError, match=word):
        measured(change(points), "wheel", unit)


def test_a_rail_upside_down_is_refused():
    u = np.linspace(0.8 * uic60().low, 0.8 * uic60().high, 100)
    with pytest.raises(InputError, match="downward"):
        measured(np.stack([u, -uic60().height(u)], axis=1), "rail", "m")


def test_files(points, tmp_path):
    good = tmp_path / "wheel.csv"
    good.write_text(
        "lateral; height\n# measured on a Monday\n" + "\n".join(f"{a:.5f}; {b:.5f}" for a, b in points), encoding="utf-8"
    )
    assert measured(good, "wheel").fit.given == len(points)
    bad = tmp_path / "bad.csv"
    bad.write_text("1, 2\n3, x\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        measured(bad, "wheel")
    with pytest.raises(InputError, match="cannot be read"):
        measured(tmp_path / "none.csv", "wheel")
    assert Curved(0.05, 0.5, 0.0, 0.0) == arc(0.05, 0.5).data
