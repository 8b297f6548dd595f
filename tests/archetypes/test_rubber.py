"""Rolling bodies: the general equations against Kane and Levinson's, and Koiller's reduction against the full body."""

import math

import numpy as np
import pytest

from rollick import Rattleback, simulate
from rollick.archetypes.rattleback.quaternion_form import attitude
from rollick.archetypes.rubber import (
    critical_spins,
    diagram,
    disk,
    equilibria,
    full,
    full_start,
    nutation_from,
    regime_map,
    regime_name,
    routh_sphere,
    rubber_body,
    spheroid,
    start_rolling,
    torus,
)
from rollick.archetypes.rubber.body import nose_squared
from rollick.kernel.quaternion import quaternion_product
from rollick.mechanics.body import Body
from rollick.mechanics.rolling import Marble
from rollick.mechanics.shapes.convex import Ellipsoid, Sphere

TORUS = torus(1.0, 0.25, 1.0, g=1.0)
OFFSET = spheroid(0.3, 0.2, 0.04, 1.2)
BODIES = {
    "torus": (TORUS, (0.5, 0.2, 0.9)),
    "disk": (disk(1.0, g=1.0), (0.8, 0.3, 0.7)),
    "offset ellipsoid": (OFFSET, (1.0, 0.4, 4.0)),
    "routh sphere": (routh_sphere(0.1, 0.02), (1.9, 1.0, 5.0)),
}


def test_kane_and_levinsons_stone_as_a_rolling_body():
    s = Rattleback()
    body = Body.from_inertia(s.M, [[s.A, s.D, 0], [s.D, s.B, 0], [0, 0, s.C]], Ellipsoid(s.a, s.b, s.c), (0, 0, s.h))
    tilt = math.radians(0.5)
    q = quaternion_product((0.0, 1.0, 0.0, 0.0), attitude(tilt, tilt, 0.0))  # their n3 points down
    times = np.linspace(0.0, 5.0, 51)
    m = simulate(Marble(body, (0.0, 0.0, -s.g), 0.0), [*q, 0.0, 0.0, -5.0], 5.0, rtol=1e-13, at=times)
    k = simulate(s, [tilt, tilt, 0.0, 0.0, 0.0, -5.0], 5.0, rtol=1e-13, at=times)
    np.testing.assert_allclose(m.y[:, 4:], k.y[:, 3:], atol=1e-9)
    np.testing.assert_allclose(m["x"], k["x"], atol=1e-10)
    np.testing.assert_allclose(m["y"], -k["y"], atol=1e-10)
    np.testing.assert_allclose(m["normal_force"], k["normal_force"], atol=1e-8)
    np.testing.assert_allclose(m["energy"], k["energy"], atol=1e-12)


@pytest.mark.parametrize(
    ("start", "period", "psi", "phi"),
    [
        ((0.3, 0.0, 0.9), 2.2397692426, 5.4870860126, -5.3925948920),
        ((1.0, 1.0, 0.25), 5.7167777439, 9.4616739631, 0.0),
        ((1.4, 0.3, 6.0), 0.9665649189, 5.6951761782, 0.0),
    ],
)
def test_torus_three_routes(start, period, psi, phi):
    n = nutation_from(TORUS, start_rolling(TORUS, *start))
    assert n.period == pytest.approx(period, abs=1e-9)
    assert n.psi == pytest.approx(psi, abs=1e-9)
    assert n.phi == pytest.approx(phi, abs=1e-9)
    times = np.linspace(0.0, 5.0 * n.period, 101)
    r = simulate(TORUS, start_rolling(TORUS, *start), times[-1], rtol=1e-12, at=times)
    f = simulate(full(TORUS), full_start(*start), times[-1], rtol=1e-12, at=times)
    assert r["psi"][20] - r["psi"][0] == pytest.approx(psi, abs=1e-9)
    assert r["phi"][20] - r["phi"][0] == pytest.approx(phi, abs=1e-9)
    for name in ("theta", "x", "y"):
        np.testing.assert_allclose(r[name], f[name], atol=1e-8)
    for name in ("phi", "psi"):
        np.testing.assert_allclose(np.exp(1j * r[name]), np.exp(1j * f[name]), atol=1e-8)
    assert np.abs(f["twist"]).max() < 1e-10
    assert np.abs(r["energy"] / r["energy"][0] - 1.0).max() < 1e-11


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in ("disk", "routh sphere") else ()) for n in BODIES]
)
def test_full_body_against_reduced_flow_over_twenty_periods(name):
    body, start = BODIES[name]
    n = nutation_from(body, start_rolling(body, *start))
    times = np.linspace(0.0, 20.0 * n.period, 401)
    r = simulate(body, start_rolling(body, *start), times[-1], rtol=1e-12, at=times)
    f = simulate(full(body), full_start(*start), times[-1], rtol=1e-12, at=times)
    for quantity in ("theta", "x", "y"):
        np.testing.assert_allclose(r[quantity], f[quantity], atol=1e-8)
    for quantity in ("phi", "psi"):
        np.testing.assert_allclose(np.exp(1j * r[quantity]), np.exp(1j * f[quantity]), atol=1e-8)
    ell = np.sqrt([nose_squared(body, float(t)) for t in f["theta"]]) * f["omega3"]
    for kept in (ell, f["energy"], r["energy"], r["ell"]):
        assert np.abs(kept / kept[0] - 1.0).max() < 1e-11
    # the quadratures say where the contact point is after 20 periods, and between which radii it stayed
    there = n.displacement * (1.0 - np.exp(20j * n.phi)) / (1.0 - np.exp(1j * n.phi))
    assert abs(r["x"][-1] + 1j * r["y"][-1] - there) < 1e-8
    distance = np.abs(r["x"] + 1j * r["y"] - n.centre)
    assert n.inner - 1e-9 < distance.min()
    assert distance.max() < n.outer + 1e-9


def test_constraints_do_not_drift_in_a_thousand_seconds():
    times = np.linspace(0.0, 1000.0, 10001)
    m = simulate(full(OFFSET), full_start(1.0, 0.4, 4.0), 1000.0, at=times)  # at the default tolerance
    assert np.abs(m["twist"]).max() < 1e-12
    assert np.abs(m["length_error"]).max() < 1e-14
    # what no projection touches: the material point at the contact rests, P' - R rho' = 0 by construction; the energy shows the error
    assert np.abs(m["energy"] / m["energy"][0] - 1.0).max() < 1e-6


@pytest.mark.parametrize("name", ["torus", "offset ellipsoid"])
def test_damped_full_body_against_damped_reduced_flow(name):
    body, start = BODIES[name]
    body = body._replace(sigma=0.05 * body.I1)
    times = np.linspace(0.0, 10.0, 101)
    r = simulate(body, start_rolling(body, *start), 10.0, rtol=1e-12, at=times)
    f = simulate(full(body), full_start(*start), 10.0, rtol=1e-12, at=times)
    for quantity in ("theta", "x", "y", "energy"):
        np.testing.assert_allclose(r[quantity], f[quantity], atol=1e-9)
    balance = f["energy"] + f["dissipated"]
    np.testing.assert_allclose(balance, balance[0], rtol=1e-11)
    assert r["energy"][-1] < 0.99 * r["energy"][0]


def test_torus_equilibria():
    for ell, theta in ((0.1, 0.2171459), (0.5, 0.681502), (0.9, 1.200361)):
        low, upright, high = equilibria(TORUS, ell)
        assert low.theta == pytest.approx(theta, abs=1e-6)
        assert high.theta == pytest.approx(math.pi - theta, abs=1e-6)
        assert (low.stable, upright.stable, high.stable) == (True, False, True)
        assert low.energy - 0.25 == pytest.approx(1.5 * ell ** (2 / 3), abs=1e-12)
    (only,) = equilibria(TORUS, 10.0)
    assert only.theta == 0.5 * math.pi
    assert only.energy - 0.25 == pytest.approx(51.0, abs=1e-12)
    assert only.stable


def test_critical_spins():
    assert critical_spins(TORUS) == [(1.0, 0.5 * math.pi, "pitchfork")]
    (found,) = critical_spins(rubber_body(Ellipsoid(0.3, 0.3, 0.2), 1.0, 0.026, 0.036))
    assert found[0] == pytest.approx(math.sqrt(9.81 * 0.05 / 0.3), rel=1e-12)
    (offset,) = critical_spins(rubber_body(Ellipsoid(0.3, 0.3, 0.2), 1.0, 0.026, 0.036, s=0.02))
    assert offset[2] == "saddle-node"
    assert critical_spins(rubber_body(Sphere(0.3), 1.0, 0.036, 0.036, s=0.02)) == []


def test_regimes_of_the_torus():
    # V - mgr at l = 0.5: wells at 0.94494, barrier at 1.125; at l = 1.5 a single well at 1.125 + 1.0.
    energies = 0.25 + np.array([0.9, 1.0, 1.1, 1.2, 3.0])
    found = regime_map(TORUS, np.array([0.5, 1.5]), energies)
    assert found[0].tolist() == [0, 2, 2, 11, 11]
    assert found[1].tolist() == [0, 0, 0, 0, 1]
    assert [regime_name(c) for c in (0, 1, 2, 11)] == [
        "no motion",
        "nutation in the only well",
        "nutation in one of 2 wells",
        "swinging over the barrier",
    ]
    curves = diagram(TORUS, 1.5)
    for ell, energy, theta in zip(curves.ell, curves.energy, curves.theta):
        if abs(theta[0] - 0.5 * math.pi) > 1e-6:
            np.testing.assert_allclose(energy - 0.25, 1.5 * ell ** (2 / 3), rtol=1e-9)
        else:
            np.testing.assert_allclose(energy - 0.25, 0.5 * ell**2 + 1.0, rtol=1e-12)
    assert len(curves.ell) == 2  # the inclined family through the pitchfork, and the upright one
    assert curves.critical == [(1.0, 0.5 * math.pi, "pitchfork")]
