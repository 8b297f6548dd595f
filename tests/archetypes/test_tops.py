"""The tippe top and Euler's disk: Jellett's integral, inversion onto the stem, steady rolling, and the exponents of the end."""

import math

import numpy as np
import pytest

from rollick import InputError, simulate
from rollick.archetypes import tops
from rollick.archetypes.tops.jellett import slope, upright_jellett
from rollick.archetypes.tops.model import EULER_DISK, TIPPE_TOP

TOP = tops.tippe_top()
THIN = tops.euler_disk(thickness=0.0)


def test_vertical_spins_are_where_the_least_energy_turns():
    """The critical spins against the curvature of E_J(theta) at both ends, by differences."""
    found = tops.vertical_spins(TOP)
    assert found.group == "II"
    h = 1e-3
    for spin, end, step in (
        (found.upright_unstable_above, 0.0, h),
        (found.inverted_stable_above * (TOP.R + TOP.a) / (TOP.R - TOP.a), math.pi, -h),
    ):
        bends = [tops.least_energy(TOP, upright_jellett(TOP, k * spin), np.array([end, end + step])) for k in (0.99, 1.01)]
        less, more = (b[1] - b[0] for b in bends)
        assert less * more < 0.0
        assert (less > 0.0) == (end == 0.0)  # slow: stable upright, unstable inverted
    theta = np.linspace(0.01, 3.1, 50)
    J = upright_jellett(TOP, 70.0)
    difference = (tops.least_energy(TOP, J, theta + 1e-5) - tops.least_energy(TOP, J, theta - 1e-5)) / 2e-5
    np.testing.assert_allclose(slope(TOP, J, theta) * np.sin(theta), difference, rtol=1e-6, atol=1e-10)


def test_groups():
    first, third = (tops.tippe_top(I1=k * TOP.I3) for k in (0.84, 1.16))
    assert [tops.group(t) for t in (first, TOP, third)] == ["I", "II", "III"]
    assert tops.vertical_spins(first).upright_unstable_above == math.inf
    assert tops.vertical_spins(third).inverted_stable_above == math.inf
    assert tops.destination(first, 1000.0) == 0.0
    assert tops.destination(TOP, 1.01 * tops.vertical_spins(TOP).inverts_above) == math.pi
    assert 0.5 * math.pi < tops.destination(third, 300.0) < math.pi


def test_jellett_and_inversion_with_smooth_friction():
    top = tops.on_sphere(TOP, tops.law_named("smooth", mu=0.3, eps=0.1))
    m = simulate(top, tops.spun(150.0), 4.0, rtol=1e-11)
    assert m.complete
    J = tops.jellett(TOP, m)
    np.testing.assert_allclose(J, J[0], rtol=1e-9)
    assert np.all(np.diff(m["energy"]) < 0.0)
    assert m["theta"][-1] > math.radians(170.0)
    assert m["z"][-1] == pytest.approx(TOP.R + TOP.a, abs=1e-4)
    slow = simulate(top, tops.spun(0.9 * tops.vertical_spins(TOP).upright_unstable_above), 4.0)
    assert slow["theta"].max() < math.radians(15.0)  # stable: it does not rise
    third = tops.tippe_top(I1=1.3 * TOP.I3)
    tilt = tops.destination(third, 60.0)
    rises = simulate(tops.on_sphere(third, tops.law_named("smooth", mu=0.3, eps=0.1)), tops.spun(60.0, "1deg"), 60.0)
    assert 0.2 < tilt < 3.0
    assert rises["theta"][-1] == pytest.approx(tilt, abs=0.02)


@pytest.mark.slow
def test_a_tippe_top_stands_up_on_its_stem():
    """Set-valued friction with pivoting, both contacts: the stem takes over; with a contact like a point it sticks, and does not turn over."""
    m = simulate(tops.on_both(TOP, tops.law_named("contensou", patch="0.5mm")), tops.spun(180.0), 3.0, method="midpoint", dt=5e-5)
    found = tops.inversion(TOP, m)
    assert 1.0 < found.touched <= found.stood_up < 2.5
    assert found.theta > math.radians(170.0)
    assert found.height == pytest.approx(TOP.a + TOP.stem + TOP.tip, abs=2e-4)
    assert found.height > m["z"][0] + 0.007
    assert found.spin > tops.vertical_spins(tops.on_stem(TOP)).inverted_stable_above
    sphere, tip = tops.clearances(TOP, m)
    assert min(sphere.min(), tip.min()) > -1e-6
    energy = m["energy"]
    assert np.all(np.diff(energy) < 1e-9 * energy[0])
    lost = m["lost_sliding"] + m["lost_pivoting"] + m["lost_impacts"]
    np.testing.assert_allclose(energy + lost, energy[0], rtol=5e-3)
    point = simulate(
        tops.on_both(TOP, tops.law_named("contensou", patch=1e-8)), tops.spun(180.0), 2.0, method="midpoint", dt=5e-5
    )
    assert point["theta"].max() < math.radians(10.0)


@pytest.mark.parametrize(("theta", "rate"), [(0.1, None), (0.5, 20.0), (1.2, 15.0)])
def test_steady_rolling_is_steady(theta, rate):
    disk = tops.euler_disk()
    begin = tops.steady(disk, theta, rate)
    m = simulate(tops.without_slip(disk), begin.start(), 0.3, rtol=1e-11)
    np.testing.assert_allclose(m["theta"], theta, atol=1e-8)
    np.testing.assert_allclose(tops.precession(m), begin.precession, rtol=1e-7)
    assert tops.energy_above_flat(disk, m)[0] == pytest.approx(begin.energy, rel=1e-12)
    if rate is None:
        assert begin.speed == pytest.approx(0.0, abs=1e-15)


def test_steady_rolling_at_small_inclination():
    """Omega^2 theta -> m g R/I1 (4 g/R, thin), E -> m g R theta (3/2 + I3 h^2/(2 I1 R^2))."""
    assert tops.stiffness(THIN) == pytest.approx(4.0 * THIN.g / THIN.R)
    for disk in (THIN, tops.euler_disk()):
        near = tops.steady(disk, 1e-5)
        assert near.precession**2 * 1e-5 == pytest.approx(tops.stiffness(disk), rel=1e-4)
        i1, i3 = disk.m * (disk.R**2 / 4 + disk.thickness**2 / 12), 0.5 * disk.m * disk.R**2
        limit = 1.5 + i3 * (0.5 * disk.thickness / disk.R) ** 2 / (2.0 * i1)
        assert near.energy == pytest.approx(limit * disk.m * disk.g * disk.R * 1e-5, rel=1e-4)


@pytest.mark.slow
def test_contour_friction_ends_the_disk_with_the_power_two_thirds():
    theory = tops.predicted(THIN, "contour", 1e-3, 0.1)
    m = simulate(
        tops.disk_with(THIN, "contour", 1e-3), tops.steady(THIN, 0.1).start(), 0.95 * theory.ends, method="midpoint", dt=2e-5
    )
    fit = tops.measured(THIN, m, low=0.15)
    assert theory.energy == pytest.approx(2.0 / 3.0)
    assert fit.energy == pytest.approx(theory.energy, rel=0.01)
    assert fit.precession == pytest.approx(theory.precession, rel=0.03)
    assert fit.ends == pytest.approx(theory.ends, rel=0.01)
    balance = tops.energy_above_flat(THIN, m) + m["lost_contour"] + m["lost_sliding"]
    np.testing.assert_allclose(balance, balance[0], rtol=1e-4)


@pytest.mark.slow
def test_the_disk_comes_to_lie_flat():
    m = simulate(tops.disk_with(THIN, "contour", 1e-2), tops.steady(THIN, 0.1).start(), 0.3, method="moreau", dt=1e-5)
    assert m["theta"][-1] < 1e-6
    assert tops.energy_above_flat(THIN, m)[-1] < 1e-9


@pytest.mark.slow
def test_dry_pivoting_soon_takes_nothing():
    m = simulate(tops.disk_with(THIN, "pivoting", 2e-3), tops.steady(THIN, 0.1).start(), 0.4, method="midpoint", dt=2e-5)
    E = tops.energy_above_flat(THIN, m)
    early, late = E[0] - E[m.t > 0.2][0], E[m.t > 0.2][0] - E[-1]
    assert early > 1e-5
    assert abs(late) < 0.02 * early
    assert np.abs(m["twist"][m.t > 0.2]).max() < 1e-2 * m["twist"][0]


def test_drag_lets_the_energy_decay_exponentially():
    m = simulate(tops.disk_with(THIN, "drag", 5e-5), tops.steady(THIN, 0.02).start(), 10.0)
    assert tops.decay_rate(THIN, m) == pytest.approx(tops.predicted(THIN, "drag", 5e-5, 0.02).rate, rel=0.01)


@pytest.mark.slow
def test_viscous_contour_friction_ends_the_disk_with_the_power_one_half():
    theory = tops.predicted(THIN, "viscous-contour", 2e-4, 0.1)
    m = simulate(
        tops.disk_with(THIN, "viscous-contour", 2e-4),
        tops.steady(THIN, 0.1).start(),
        0.97 * theory.ends,
        method="midpoint",
        dt=2e-5,
    )
    fit = tops.measured(THIN, m, low=0.15)
    assert fit.energy == pytest.approx(0.5, rel=0.02)
    assert fit.precession == pytest.approx(-0.25, rel=0.04)


def test_models_and_input():
    assert TIPPE_TOP.make(friction="smooth").law.sliding.mu == 0.3
    assert len(TIPPE_TOP.make().feet.places) == 2
    assert EULER_DISK.make(strength=1e-3).law.contour.mu == 1e-3
    assert EULER_DISK.make(mechanism="drag", strength=1e-5).sigma == 1e-5
    for call, words in (
        (lambda: tops.tippe_top(a="3cm"), "between 0 and R"),
        (lambda: tops.tippe_top(stem=0.01), "does not stick out"),
        (lambda: tops.law_named("slippery"), "friction of a tippe top"),
        (lambda: tops.euler_disk(R=-1), "above zero"),
        (lambda: tops.steady(THIN, 2.0), "between 0"),
        (lambda: tops.disk_with(THIN, "friction", 1.0), "mechanism"),
    ):
        with pytest.raises(InputError, match=words):
            call()
