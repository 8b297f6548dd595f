"""Flight and impact of plates: laws kept, accumulations, lasting contact, rules, huge numbers of impacts."""

import math

import numpy as np
import pytest

from rollick import InputError
from rollick.archetypes.rod import RodTheory, rod, rod_start
from rollick.mechanics.plate import plate, regular
from rollick.motion.impacts.collide import collide

TILTED = {"phi_x": 0.01, "phi_y": 0.02, "h": 1.0, "omega_x": 0.03, "omega_y": 0.05, "v": -1.0}


def by_hand(body, gamma, g, q, p, impacts):
    """The same motion, written plainly: unscaled, by polynomial roots, without any of the loop's code."""
    q, p, last, t, made = np.array(q, float), np.array(p, float), -1, 0.0, []
    for _ in range(impacts):
        best, who = np.inf, -1
        for j, f in enumerate(body.f):
            h, v = (0.0 if j == last else f @ q), f @ p
            roots = np.roots([-0.5 * g, v, h]) if g > 0 else (np.array([-h / v]) if v < 0 else np.array([]))
            good = [
                r.real
                for r in roots
                if abs(r.imag) < 1e-14 and (r.real > 1e-13 if j == last else r.real >= 0) and v - g * r.real < 0
            ]
            if good and min(good) < best:
                best, who = min(good), j
        if who < 0:
            break
        q = q + p * best - np.array([0, 0, 0.5 * g * best**2])
        p = body.impact_map(who, gamma) @ (p - np.array([0, 0, g * best]))
        t, last = t + best, who
        made.append((t, who, p))
    return made


@pytest.mark.parametrize("g", [0.0, 1.0])
@pytest.mark.parametrize("n", [3, 4, 7])
def test_impacts_agree_with_a_plain_computation(n, g):
    body = regular(n, 0.31)
    c = collide(body, 0.45, TILTED, g=g, max_impacts=25, rising=False)
    other = by_hand(body, 0.45, g, [0.01, 0.02, 1.0], [0.03, 0.05, -1.0], len(c))
    assert len(other) == len(c) >= 5
    assert [w for _, w, _ in other] == c.point.tolist()
    assert np.allclose([t for t, _, _ in other], c.t, rtol=1e-10)
    assert np.allclose([p for _, _, p in other], c.p_after, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("count", [15, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", ["sequential", "simultaneous"])
def test_the_laws_hold_in_random_motions(rule, count):
    """Restitution, energy balance, no penetration, Lemma 1, for regular and irregular plates, with and without gravity."""
    rng = np.random.default_rng(7)
    seen = set()
    for i in range(count):
        corners = 2 * math.pi * (np.arange(3) + 0.2 * rng.uniform(size=3)) / 3
        body = (
            regular(int(rng.integers(3, 8)), rng.uniform(0.1, 0.9))
            if i % 2
            else plate(np.column_stack([np.cos(corners), np.sin(corners)]), rng.uniform(0.1, 0.9, 2))
        )
        x = rng.uniform(-0.5, 0.5, 4)
        start = [0.001 * x[2], 0.001 * x[3], 1.0, 0.1 * x[0], 0.1 * x[1], -1.0]
        c = collide(
            body,
            float(rng.choice([0.0, rng.uniform(0.0, 0.9)])),
            start,
            g=float(rng.choice([0.0, 1.0])),
            max_impacts=1000,
            rule=rule,
        )
        seen.add(c.status)
        checks = c.checks()
        assert checks.good, (i, c.status, checks)
        assert np.all(np.diff(c.log_energy_after) <= 1e-9)
    assert {"ICC", "rest", "CC"} <= seen


@pytest.mark.parametrize(("gamma", "h"), [(0.3, 1.0), (0.9, 0.2), (0.99, 1.0)])
def test_a_bouncing_ball_rests_when_it_should(gamma, h):
    """Flat on both ends of a rod, one contact: a ball is a plate hit at one point below its mass centre (rho huge)."""
    ball = plate([(1e-9, 0.0), (-10.0, 0.0)], 1e6)
    tilt = 1e-4
    c = collide(ball, gamma, {"h": h, "phi_y": tilt}, g=9.81, max_impacts=3000, beyond=False)
    height = h - 1e-9 * tilt
    fall = math.sqrt(2 * height / 9.81)
    assert c.status == "zeno"
    assert c.end_time == pytest.approx(fall * (1 + gamma) / (1 - gamma), rel=1e-13)


def test_the_self_similar_rod_ends_in_time():
    for rho, gamma in ((0.25, 0.2), (0.1, 0.5), (0.4, 0.05), (0.05, 0.7)):
        start, t_f = RodTheory(rho, gamma).self_similar(0.7)
        c = collide(rod(rho), gamma, start, max_impacts=3000)
        a = c.accumulation()
        assert a.from_tail == pytest.approx(t_f, rel=1e-13)
        assert a.from_pattern == pytest.approx(t_f, rel=1e-13)
        assert np.allclose(np.exp(np.diff(c.log_flight[1:60])), RodTheory(rho, gamma).beta_t, rtol=1e-9)


def test_a_hundred_thousand_impacts():
    """n = 25: restitution, balance, heights and the pattern are as good at the end as at the start."""
    c = collide(regular(25, 0.05), 0.02, TILTED, max_impacts=100_000)
    assert c.status == "CC"
    assert len(c) == 100_000
    checks = c.checks()
    assert checks.good
    assert max(checks.restitution, checks.balance) < 1e-14
    assert c.log_energy_after[-1] < -1000.0
    assert set(c.steps[-5000:].tolist()) in ({1}, {24})
    assert c.accumulation().agree < 1e-13


def test_scaling_is_exact():
    """Without gravity two free factors; with gravity p by d, q by d^2 (4.8): powers of two change nothing but the scale."""
    body = regular(5, 0.25)
    base = collide(body, 0.1, TILTED, max_impacts=300)
    q, p = np.array([0.01, 0.02, 1.0]), np.array([0.03, 0.05, -1.0])
    other = collide(body, 0.1, np.concatenate([q * 2.0**-7, p * 2.0**5]), max_impacts=300)
    assert np.array_equal(base.point, other.point)
    assert np.allclose(base.log_flight - 12 * math.log(2), other.log_flight, rtol=0, atol=1e-12)
    falls = [collide(body, 0.3, np.concatenate([q * d * d, p * d]), g=1.0, max_impacts=60) for d in (1.0, 0.25)]
    assert np.array_equal(falls[0].point, falls[1].point)
    assert np.allclose(falls[0].flight, 4 * falls[1].flight, rtol=1e-12)


def test_two_points_come_to_rest_and_the_third_arrives():
    c = collide(regular(3, 0.5), 0.005, {"v": -1, "h": 1, "omega_x": 0.03, "omega_y": 0.05}, max_impacts=300, beyond=False)
    assert c.status == "PCC"
    q, p, *_ = c.end
    a, b = c.happenings[-1].points
    assert np.allclose(c.plate.f[[a, b]] @ np.column_stack([q, p]), 0.0, atol=1e-16)
    onward = collide(regular(3, 0.5), 0.005, {"v": -1, "h": 1, "omega_x": 0.03, "omega_y": 0.05}, max_impacts=300)
    assert onward.status == "rest"


def test_under_gravity_a_triangle_slips_rocks_and_rests():
    c = collide(
        regular(3, 0.5), 0.1, {"v": -1, "h": 1, "omega_x": 0.03, "omega_y": 0.05}, g=1.0, max_impacts=20_000, rule="simultaneous"
    )
    kinds = {h.kind for h in c.happenings}
    assert {"accumulation", "lasting contact", "simultaneous impact"} <= kinds
    assert c.status in ("rest", "CC")
    assert c.checks().good


def test_slip_on_one_point_accelerates_as_it_should():
    """During slip on i point j accelerates with g (cos theta_ij - 1)/(1 + rho^2)."""
    from rollick.motion.impacts.touching import acceleration

    body = regular(5, 0.4)
    a, held = acceleration(body.f, body.theta, 9.81, [2])
    angles = 2 * math.pi * (np.arange(5) - 2) / 5
    assert held == [2]
    assert np.allclose(body.f @ a, 9.81 * (np.cos(angles) - 1) / (1 + 0.16), atol=1e-13)


def test_rules_for_a_flat_square():
    """All corners at once: reversed by Newton's law for all together, chatter one by one, or a stop."""
    body, flat = regular(4, 0.25), {"h": 1.0, "v": -1.0}
    together = collide(body, 0.2, flat, rule="simultaneous")
    assert together.status == "ICC"
    assert together.p_after[0] == pytest.approx([0.0, 0.0, 0.2], abs=1e-12)
    assert together.t[0] == pytest.approx(1.0, rel=1e-15)
    bounces = collide(body, 0.2, {"h": 0.5}, g=1.0, rule="simultaneous", max_impacts=40)
    assert bounces.t[:3] == pytest.approx([1.0, 1.4, 1.48], rel=1e-12)
    assert collide(body, 0.2, flat, rule="stop").status == "simultaneous"
    assert collide(body, 0.2, flat, rule="sequential", max_impacts=2000).status == "CC"


def test_time_limits_and_files(tmp_path):
    c = collide(regular(4, 0.25), 0.2, TILTED, until=0.97)
    assert c.status == "time"
    assert c.end_time == pytest.approx(0.97)
    assert np.all(c.t <= 0.97)
    whole = collide(regular(4, 0.25), 0.2, TILTED, max_impacts=50)
    whole.to_netcdf(tmp_path / "c.nc")
    import xarray as xr

    with xr.open_dataset(tmp_path / "c.nc", engine="h5netcdf") as data:
        assert data.sizes["impact"] == 50
        assert np.array_equal(data["point"].values, whole.point)
        assert data.attrs["status"] == whole.status
    whole.plot(path=tmp_path / "c.png")
    assert (tmp_path / "c.png").stat().st_size > 10_000


def test_elastic_bodies_keep_their_energy():
    c = collide(regular(3, 0.3), 1.0, TILTED, g=1.0, max_impacts=2000)
    assert c.status == "max_impacts"
    assert abs(c.log_energy_after[-1] - c.log_energy_before[0]) < 1e-11


def test_bad_input_is_refused():
    body = regular(3, 0.3)
    for start, message in (
        ({"v": -1}, None),
        ({"h": 0.1, "phi_x": 1.0}, "below the plane"),
        ({"height": 1}, "coordinate"),
        ([1, 2], "six numbers"),
    ):
        if message:
            with pytest.raises(InputError, match=message):
                collide(body, 0.2, start)
    with pytest.raises(InputError, match="between 0"):
        collide(body, 1.2, TILTED)
    with pytest.raises(InputError, match="zero"):
        collide(body, 0.2, TILTED, g=-1.0)
    with pytest.raises(InputError, match="rule"):
        collide(body, 0.2, TILTED, rule="both")
    for options in ({"until": -1}, {"until": math.nan}, {"max_impacts": math.inf}, {"max_impacts": 2.5}, {"tolerance": math.nan}):
        with pytest.raises(InputError):
            collide(body, 0.2, TILTED, **options)
    with pytest.raises(InputError, match="six numbers"):
        collide(body, 0.2, "abc")
    with pytest.raises(InputError, match="own axis"):
        collide(rod(0.3), 0.2, {"h": 1, "v": -1, "omega_x": 1})
    assert rod_start(phi=0.1)["phi_y"] == -0.1


@pytest.mark.parametrize("g", [0.0, 1.0])
def test_flat_drops_end_well(g):
    """Exactly flat: all points at once, one after the other, for ever; times stay finite, energies fall."""
    for body in (rod(0.25), regular(3, 1.0), regular(4, 0.5), regular(6, 0.3), regular(6, 1.0)):
        for gamma in (0.01, 0.05, 0.2, 0.5):
            c = collide(body, gamma, {"h": 1.0, "v": -1.0}, g=g, max_impacts=3000)
            assert math.isfinite(c.end_time)
            assert np.all(np.isfinite(c.t))
            assert np.all(np.diff(c.t) >= 0.0)
            assert c.checks().good, (body, gamma, c.checks())


def test_a_body_put_down_on_a_corner_falls_over():
    """At rest on one corner, tilted: it rocks, as from a hair's breadth above; at rest on all corners it stays."""
    on, above = (collide(regular(3, 0.5), 0.5, {"phi_y": 0.1, "h": h}, g=1.0, max_impacts=20_000) for h in (0.1, 0.1 + 1e-9))
    assert on.end_time == pytest.approx(above.end_time, rel=1e-3)
    assert on.end_time > 1.0
    flat = collide(regular(4, 0.5), 0.5, {"h": 0.0}, g=1.0)
    assert (flat.status, len(flat)) == ("rest", 0)


def test_a_final_time_inside_an_accumulation_is_met():
    whole = collide(regular(4, 0.5), 0.5, [0.01, 0.02, 1, 0, 0, 0], g=1.0, beyond=False)
    assert whole.status == "zeno"
    until = whole.end_time - 1e-9
    cut = collide(regular(4, 0.5), 0.5, [0.01, 0.02, 1, 0, 0, 0], g=1.0, until=until)
    assert cut.status == "time"
    assert cut.end_time == until
    assert len(cut) > len(whole) - 2


def test_chatter_that_will_end_is_not_called_complete():
    assert collide(rod(0.25), 0.3605, rod_start(omega=0.1), max_impacts=60).status == "max_impacts"
    assert collide(regular(4, 0.25), 0.2095, TILTED, max_impacts=100).status == "max_impacts"
    assert collide(regular(4, 0.25), 0.2085, TILTED, max_impacts=100).status == "CC"


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_rods_without_rebound_lie_flat_exactly(count):
    """gamma = 0: after both ends were hit nothing but rounding is left of q, and it must not move the rod."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        start = [0.0, 0.1 * rng.normal(), 1.0, 0.0, rng.normal(), -rng.uniform(0.1, 2.0)]
        c = collide(rod(float(rng.uniform(0.05, 2.0))), 0.0, start, g=float(rng.choice([0.0, 1.0])), max_impacts=300)
        assert c.checks().good, c.checks()
