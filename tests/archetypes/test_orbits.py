"""Kinds of motion: separatrices, drift, closed tracks; starts that are refused; bodies by name."""

import math

import numpy as np
import pytest

from rollick import InputError, simulate
from rollick.archetypes.rubber import (
    closing_energy,
    disk,
    equilibria,
    nutation,
    nutation_from,
    orbit,
    orbit_from,
    profile_body,
    read_profile,
    revolution_mass,
    routh_sphere,
    rubber_body,
    separatrices,
    spheroid,
    start_rolling,
    torus,
)
from rollick.archetypes.rubber.dissipation import contact_speed, decay, lost_power, nearly_flat
from rollick.mechanics.body import Body
from rollick.mechanics.mass.primitives import solid_ellipsoid
from rollick.mechanics.shapes.convex import Ellipsoid, Sphere, Sum, Superellipsoid, Torus
from rollick.mechanics.shapes.revolution import from_support
from rollick.motion.result.outcome import MotionWarning

TORUS = torus(1.0, 0.25, g=1.0)


def test_separatrix_of_the_torus():
    left, right = separatrices(TORUS, 0.5)
    # V(turn) = V(pi/2): with s = sin, l^2/(2 s^2) + s = l^2/2 + 1, that is s^2 - (l^2/2) s - l^2/2 = 0 (the root s = 1 divided out)
    sine = 0.0625 + math.sqrt(0.0625**2 + 0.125)
    assert math.sin(left.turn) == pytest.approx(sine, abs=1e-12)
    assert left.turn == pytest.approx(math.pi - right.turn, abs=1e-9)
    assert left.yaw == pytest.approx(-right.yaw, rel=1e-8)
    # the same turn of the track from the flow: out from the upright and back
    B = TORUS.I1 + 1.0625 + 0.5
    theta = 0.5 * math.pi - 1e-3
    gap = left.energy - nutation_energy(0.5, theta)
    m = simulate(TORUS, [theta, -math.sqrt(2.0 * B * gap), 0.5, 0.0, 0.0, 0.0, 0.0], 26.0, rtol=1e-12)
    k = int(np.argmax(m["theta"][m.t > 10.0])) + int(np.searchsorted(m.t, 10.0, side="right"))
    assert m["phi"][k] == pytest.approx(left.yaw, abs=5e-3)
    assert separatrices(TORUS, 1.5) == []


def nutation_energy(ell, theta):
    return 0.5 * ell**2 / math.sin(theta) ** 2 + math.sin(theta) + 0.25


def test_kinds_of_motion():
    low, upright, _ = equilibria(TORUS, 0.5)
    assert orbit(TORUS, 0.5, low.energy, low.theta).track == "circle"
    assert orbit(TORUS, 0.5, upright.energy, upright.theta).track == "straight line"
    well = orbit(TORUS, 0.5, 1.25, 0.6)
    assert (well.kind, well.track, well.passed) == ("nutation", "annulus", 0)
    over = orbit(TORUS, 0.5, 1.6, 0.6)
    assert (over.kind, over.track, over.passed) == ("swing", "straight drift", 1)
    onto = orbit(TORUS, 0.5, upright.energy, 0.6)
    assert (onto.kind, onto.track) == ("asymptotic", "asymptotic line")
    start = start_rolling(TORUS, 0.3, 0.0, 0.9)
    assert orbit_from(TORUS, start).nutation.high == pytest.approx(0.3, abs=1e-12)
    leaning = spheroid(1.0, 0.6, 0.05, g=1.0)
    saddle = next(e for e in equilibria(leaning, 0.4) if not e.stable)
    assert orbit(leaning, 0.4, saddle.energy, saddle.theta + 0.1).track == "asymptotic circle"
    assert math.isinf(separatrices(leaning, 0.4)[0].yaw)
    with pytest.raises(InputError, match="l = 0 is planar rolling"):
        orbit(TORUS, 0.0, 1.0, 0.5)


def test_a_track_that_closes():
    barrier = separatrices(TORUS, 0.3)[0].energy
    energy = closing_energy(TORUS, 0.3, barrier + 1e-10, barrier + 1e-2)
    n = nutation(TORUS, 0.3, energy, 0.5 * math.pi)
    assert abs(n.displacement) < 1e-9
    assert n.kind == "closed"
    assert "track of the contact point is closed" in n.sentence()
    p = math.sqrt(2.0 * (TORUS.I1 + 1.0625 + 0.5) * (energy - barrier))
    m = simulate(TORUS, [0.5 * math.pi, p, 0.3, 0.0, 0.0, 0.0, 0.0], n.period, rtol=1e-13, at=[0.0, n.period])
    assert math.hypot(m["x"][1], m["y"][1]) < 1e-5  # close to the separatrix the flow magnifies its own errors
    assert abs(nutation(TORUS, 0.3, energy + 1e-3, 0.5 * math.pi).displacement) > 0.5
    with pytest.raises(InputError, match="does not change its sign"):
        closing_energy(TORUS, 0.3, barrier + 0.1, barrier + 1.0)


def test_drift_per_period_does_not_depend_on_where_it_is_measured():
    state = start_rolling(TORUS, 1.0, 1.0, 0.25)
    here = nutation_from(TORUS, state)
    there = nutation(TORUS, here.ell, here.energy, 1.0)
    assert here.kind == "straight drift"
    assert here.drift == pytest.approx(there.drift, rel=1e-12)
    m = simulate(TORUS, state, here.period, rtol=1e-13, at=[here.period])
    assert complex(m["x"][0], m["y"][0]) == pytest.approx(here.displacement, abs=1e-10)
    assert "drifts by 4.24649 m per period" in here.sentence()


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"theta": 1.0, "psi_rate": 1e-12}, r"l = 1\.02e-12 is so small that the barrier .* cannot be resolved"),
        ({"theta": 0.0, "psi_rate": 1.0}, "must lie strictly between 0 and pi"),
        ({"psi_rate": 1.0}, "needs theta"),
        ({"theta": 1.0, "ell": 0.3, "psi_rate": 1.0}, "both psi_rate and ell"),
        ({"theta": 1.0, "spin": 1.0}, "unknown start of a reduced rubber body"),
    ],
)
def test_reduced_starts_that_are_refused(start, message):
    with pytest.raises(InputError, match=message):
        simulate(TORUS, start, 1.0)


def test_planar_rolling_ends_at_the_axis():
    with pytest.warns(MotionWarning, match="falls flat, a round body rolls on"):
        m = simulate(TORUS, {"theta": 1.0}, 5.0)
    assert m.status == "left_domain"
    assert 0.0 < m["theta"][-1] < 0.3
    with pytest.raises(InputError, match="planar rolling"):
        nutation_from(TORUS, start_rolling(TORUS, 1.0))


def test_bodies_that_cannot_be():
    with pytest.raises(InputError, match="0 < r <= R"):
        torus(1.0, 1.5)
    with pytest.raises(InputError, match="sigma = -1"):
        torus(sigma=-1.0)
    with pytest.raises(InputError, match="b = 0 of Ellipsoid must be above zero"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Ellipsoid(0.1, 0.0, 0.1))
    with pytest.raises(InputError, match="p = 3 of Superellipsoid"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Sum(Superellipsoid(1.0, 1.0, 1.0, 3.0), Sphere(0.1)))
    assert torus(R="10cm", r="2cm") == torus(0.1, 0.02)
    with pytest.raises(InputError, match="outside the shape"):
        routh_sphere(0.1, 0.2)
    with pytest.raises(InputError, match="needs a = b"):
        rubber_body(Ellipsoid(0.3, 0.2, 0.1), 1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="negative for theta between"):
        from_support(lambda t: 0.1 + 0.03 * np.cos(4 * t))
    with pytest.raises(InputError, match="only a body that lies flat"):
        nearly_flat(spheroid(), 0.1)


def test_mass_of_a_profile(tmp_path):
    found = revolution_mass(Ellipsoid(0.3, 0.3, 0.2), 2.0)
    np.testing.assert_allclose(found.inertia, solid_ellipsoid(2.0, 0.3, 0.3, 0.2).inertia, rtol=1e-9, atol=1e-15)
    t = np.linspace(0.0, np.pi, 60)
    path = tmp_path / "half.csv"
    np.savetxt(path, np.column_stack([0.3 * np.sin(t) * (1.0 - 1e-17), 0.5 - 0.2 * np.cos(t)]), delimiter=",")
    rows = np.loadtxt(path, delimiter=",")
    rows[[0, -1], 0] = 0.0
    np.savetxt(path, rows, delimiter=",")
    body = profile_body(read_profile(path))
    exact = spheroid(0.3, 0.2)
    assert pytest.approx((exact.I1, exact.I3), rel=1e-5) == (body.I1, body.I3)
    assert body.s == pytest.approx(0.5, abs=1e-5)  # the mass centre in the axes of the file
    here, there = (nutation_from(b, start_rolling(b, 1.0, 0.0, 4.0)).period for b in (body, exact))
    assert here == pytest.approx(there, rel=1e-4)
    with pytest.raises(InputError, match="there is no file"):
        read_profile(tmp_path / "none.csv")
    path.write_text("a,b\n")
    with pytest.raises(InputError, match="two columns of numbers"):
        read_profile(path)


def test_nearly_flat_torus():
    for ell in (1e-2, 1e-3, 1e-4):
        e, limit = equilibria(TORUS, ell)[0], nearly_flat(TORUS, ell)
        assert limit.theta == pytest.approx(e.theta, rel=1e-9)  # exact for the torus (67)
        assert limit.energy == pytest.approx(e.energy - 0.25, rel=1e-9)
        assert limit.speed == pytest.approx(e.speed, rel=0.3 * e.theta)
    body = torus(1.0, 0.25, g=1.0, sigma=0.002)
    m = decay(body, 0.01, 1500.0, points=40001)
    limit = nearly_flat(body, 0.01)
    assert np.polyfit(m.t, np.log(m["ell"]), 1)[0] * limit.tau == pytest.approx(
        -1.0, rel=0.02
    )  # N^2 is still a little above N0^2
    assert np.polyfit(m.t, np.log(contact_speed(body, m)), 1)[0] * limit.tau == pytest.approx(1.0 / 3.0, rel=0.02)
    swing = (m["theta"] / np.arcsin(np.cbrt(m["ell"] ** 2)) - 1.0)[:40000].reshape(20, -1)
    growth = np.polyfit(m.t[:40000].reshape(20, -1).mean(1)[3:], np.log(np.ptp(swing, axis=1)[3:]), 1)[0]
    assert growth == pytest.approx(limit.kappa, rel=0.03)  # nutation outlives rolling
    assert np.all(m["psi_rate"] > 0.0)  # and nothing turns back
    lost = np.trapezoid(lost_power(body, m), m.t)
    assert m["energy"][0] - m["energy"][-1] == pytest.approx(lost, rel=1e-4)
    assert nearly_flat(disk(1.0, g=1.0), 0.01).theta == pytest.approx(limit.theta)
    with pytest.raises(InputError, match="sigma > 0"):
        decay(TORUS, 0.1, 1.0)


def test_torus_shape_is_the_outer_half():
    assert isinstance(TORUS.shape, Torus)
    hollow = torus(1.0, 0.25, fill="hollow", g=1.0)
    assert pytest.approx(1.0 + 1.5 * 0.0625) == hollow.I3
    assert pytest.approx(0.5 + 1.25 * 0.0625) == hollow.I1
    # neither I1 nor I3 changes the phase portrait
    assert equilibria(hollow, 0.5)[0].theta == pytest.approx(equilibria(TORUS, 0.5)[0].theta, abs=1e-14)


@pytest.mark.parametrize("name", ["equilibria", "critical_spins", "separatrices", "regime_map"])
def test_the_theory_is_of_the_reduced_body_and_says_so(name):
    import rollick.archetypes.rubber as rubber

    with pytest.raises(InputError, match=f"{name} is of a body of revolution in its reduced form.*got Rubber"):
        getattr(rubber, name)(rubber.full(rubber.torus()), 0.5)
