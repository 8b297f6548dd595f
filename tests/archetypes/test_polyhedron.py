"""The polyhedron that falls and bounces: torque-free rotation, contact times, the impact law, and the planar rod as its limit."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick import InputError
from rollick.archetypes.dropped_device import device, drop
from rollick.archetypes.dropped_device.bouncing import DRIFT, FOUND, IMPACTS, LEANS, PEAK, TIME, BounceRules, run_polyhedron
from rollick.archetypes.dropped_device.polyhedron import (
    ORDER,
    ROWS,
    Component,
    Polyhedron,
    advance,
    first_root,
    flight_series,
    polynomial,
)
from rollick.archetypes.dropped_device.sequence import SLIP
from rollick.archetypes.dropped_device.solid import attitude, body_to_room, box, component, drop_solid, from_mesh, solid
from rollick.archetypes.dropped_device.solid_sweep import orientation_map, worst
from rollick.archetypes.dropped_device.vertex_impact import body_energy, mobility, vertex_impulse, vertex_velocity
from rollick.mechanics.mass.properties import MassProperties

STILL = Component((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0, 0.1, 1.0)


def flown(moments, y, until, part=STILL):
    """The state after a torque-free flight, window after window."""
    c, t, y = np.zeros((ROWS, ORDER + 1)), 0.0, y.copy()
    while t < until:
        s = min(flight_series(moments, part, y, c), until - t)
        advance(c, 0.0, s, y)
        t += s
    return y


def some_state(seed=3, spin=5.0):
    rng = np.random.default_rng(seed)
    y = np.zeros(15)
    y[6:10] = rng.normal(size=4)
    y[6:10] /= np.linalg.norm(y[6:10])
    y[10:13] = spin * rng.normal(size=3)
    return y


def test_angular_momentum_and_energy_are_kept():
    moments = (1.0, 2.3, 2.9)
    y = some_state()
    L = body_to_room(y) @ (np.array(moments) * y[10:13])
    end = flown(moments, y, 40.0)
    np.testing.assert_allclose(body_to_room(end) @ (np.array(moments) * end[10:13]), L, rtol=0, atol=1e-11 * np.linalg.norm(L))
    assert np.sum(np.array(moments) * end[10:13] ** 2) == pytest.approx(np.sum(np.array(moments) * y[10:13] ** 2), rel=1e-12)


def test_symmetric_top_in_closed_form():
    """I1 = I2: omega turns about the axis with (I1 - I3)/I1 omega3, and the axis precesses about L with |L|/I1."""
    i1, i3 = 1.4, 0.6
    y = some_state(8)
    T = 7.3
    end = flown((i1, i1, i3), y, T)
    rate = (i3 - i1) / i1 * y[12]
    turned = (y[10] + 1j * y[11]) * np.exp(1j * rate * T)
    np.testing.assert_allclose(end[10:13], [turned.real, turned.imag, y[12]], rtol=0, atol=1e-11)
    R = body_to_room(y)
    L = R @ (np.array([i1, i1, i3]) * y[10:13])
    size = np.linalg.norm(L)
    angle, n = size / i1 * T, L / size
    axis = R[:, 2]
    moved = axis * math.cos(angle) + np.cross(n, axis) * math.sin(angle) + n * (n @ axis) * (1 - math.cos(angle))
    np.testing.assert_allclose(body_to_room(end)[:, 2], moved, rtol=0, atol=1e-11)


def test_component_in_flight_against_the_inertial_frame():
    """The component's equation against one written for its position in the inertial frame, by differences of the body's motion."""
    moments, part = (1.0, 2.3, 2.9), Component((0.3, -0.5, 0.2), (0.48, 0.6, 0.64), 30.0, 4.0, 1.0)
    y = some_state(4)
    y[13], y[14] = 0.02, -0.5
    I = np.array(moments)

    def rate(t, x):
        q, w, u, du = x[:4], x[4:7], x[7], x[8]
        dw = np.cross(I * w, w) / I
        dq = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        at = np.array(part.a) + u * np.array(part.d)
        frame = np.cross(dw, at) + np.cross(w, np.cross(w, at)) + 2 * np.cross(w, du * np.array(part.d))
        return [*dq, *dw, du, -(part.Omega**2) * u - 2 * part.delta * du - frame @ np.array(part.d)]

    told = solve_ivp(rate, (0, 1.5), [*y[6:13], y[13], y[14]], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    end = flown(moments, y, 1.5, part)
    np.testing.assert_allclose(end[6:15], told, rtol=0, atol=2e-11)


def test_first_root_of_random_polynomials():
    rng = np.random.default_rng(0)
    for _ in range(300):
        row = np.zeros(ORDER + 1)
        row[:8] = rng.normal(size=8)
        row[0] = abs(row[0])
        found = first_root(row, 1.5, 0.0)
        roots = np.roots(row[7::-1])
        real = np.sort(roots[(abs(roots.imag) < 1e-9) & (roots.real > 0) & (roots.real < 1.5)].real)
        if real.size == 0:
            assert found == math.inf
        elif real.size == 1 or real[1] - real[0] > 1e-6:
            assert found == pytest.approx(real[0], abs=1e-9)
            assert abs(polynomial(row, found)) < 1e-9


@pytest.mark.parametrize(
    "case", [(1 / 3, 1 / 3, 0.0, 1.0, 10.0, 0.7), (2 / 3, 2 / 3, 0.4, 0.3, 3.0, 0.7), (0.5, 0.5, -0.7, 1.0, 10.0, 1.2)]
)
def test_a_rod_in_the_plane_is_the_planar_rod(case):
    """Two vertices, falling in a plane, tilted by a yaw: impacts and R of the planar code."""
    rho, gamma, r, alpha, d, phi0 = case
    dev = device(rho, gamma, r, alpha, d)
    body = Polyhedron(1.0, (0.3 * rho**2, rho**2, 1.1 * rho**2), np.array([[1.0, 0, 0], [-1.0, 0, 0]]))
    part = Component((r, 0.0, 0.0), (0.0, 0.0, 1.0), dev.Omega, dev.delta, 1.0)
    y = np.zeros(15)
    y[2] = 10.0
    tilt, yaw = -0.5 * phi0, 0.4
    q = np.array(
        [
            math.cos(yaw) * math.cos(tilt),
            -math.sin(yaw) * math.sin(tilt),
            math.cos(yaw) * math.sin(tilt),
            math.sin(yaw) * math.cos(tilt),
        ]
    )
    y[6:10] = q
    most = 8
    impacts, found = np.zeros((most, 9)), np.zeros(FOUND)
    run_polyhedron(body, part, BounceRules(1.0, gamma, 0.0, 1e-9, 1e3, most), y, impacts, found)
    flat = drop(dev, phi0, max_impacts=most, report=False)
    assert found[IMPACTS] == most
    np.testing.assert_allclose(impacts[:, 0], flat.impact_log[:, 0], rtol=1e-10)
    assert impacts[:, 1].tolist() == flat.impact_log[:, 1].tolist()
    np.testing.assert_allclose(impacts[:, 4], flat.impact_log[:, 2], rtol=1e-8)
    np.testing.assert_allclose(np.abs(impacts[:, 8]), np.abs(flat.impact_log[:, 6]), rtol=1e-8, atol=1e-12)
    assert found[PEAK] == pytest.approx(flat.peak, rel=1e-8)


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.5, 3.0])
def test_the_impact_law(mu):
    """Restitution, the friction cone, sticking inside it, and energy, for random bodies, attitudes and velocities."""
    rng = np.random.default_rng(int(10 * mu))
    for _ in range(200):
        corners = rng.normal(size=(5, 3))
        body = Polyhedron(rng.uniform(0.5, 2), tuple(rng.uniform(1.0, 1.9, 3).tolist()), corners)
        y = some_state(int(rng.integers(1e6)))
        y[3:6] = rng.normal(size=3)
        gamma = rng.uniform(0, 1)
        v, W = np.array(vertex_velocity(body, y, 0)), np.array(mobility(body, y, 0))
        if v[2] >= 0:
            continue
        np.testing.assert_allclose(W, W.T, atol=1e-13)
        P = np.array(vertex_impulse(gamma, mu, tuple(v.tolist()), tuple(map(tuple, W.tolist()))))
        after = v + W @ P
        assert after[2] == pytest.approx(-gamma * v[2], rel=1e-10)
        assert np.hypot(P[0], P[1]) <= mu * P[2] * (1 + 1e-9) + 1e-14
        assert P[2] > 0
        assert 0.5 * (v + after) @ P <= 1e-12  # work
        if np.hypot(P[0], P[1]) < mu * P[2] * (1 - 1e-9):
            np.testing.assert_allclose(after, gamma * -v[2] / W[2, 2] * W[:, 2], atol=1e-10)  # it stuck, and was thrown off


def test_a_box_falls_and_bounces():
    made = box("15cm", "75mm", "8mm", "180g")
    part = component(made, (0.06, 0.03, 0.0), (0, 0, 1), 300.0, 0.05)
    for mu in (0.0, 0.4):
        found = drop_solid(made, part, (1.0, 0.3, -0.4), 1.0, gamma=0.4, mu=mu)
        assert found.complete
        assert max(found.checks.values()) < 1e-12
        assert np.all(np.diff(found.impact_log[:, 7]) <= 1e-12)
        assert found.R_bound >= found.R > 0.0
        assert found.convergence.converged
        assert found.status in (("rested",) if mu == 0.0 else ("vertex_rests", "edge_rests", "rested"))
        assert found.energy_left >= 0.0
    first = found.impact_log[0]
    turn = body_to_room(found.start)
    low = (made.body.vertices @ turn[2]).min()
    assert first[0] == pytest.approx(math.sqrt(2 * (1.0 + low) / 9.81), rel=1e-13)
    assert body_energy(made.body, 9.81, found.start) == pytest.approx(first[6], rel=1e-13)
    spun = drop_solid(made, part, ((1, 2, 3), 0.7), 1.0, spin=(3.0, -8.0, 12.0), gamma=0.4)
    assert spun.complete
    assert spun.checks["drift"] < 1e-11


@pytest.mark.parametrize("case", [(0.4, 0.4, 0.5, 10.0, 0.3), (0.577, 0.1, 0.7, 3.0, 1.2), (0.9, 0.3, -0.7, 5.0, 1.3)])
def test_lasting_contact_is_the_slip_of_the_planar_rod(case):
    """Whole drops of a rod in space, with its leaning phases, against the planar code with its slips: the time of rest and sup|u|."""
    rho, gamma, r, d, phi0 = case
    dev = device(rho, gamma, r, 1.0, d)
    body = Polyhedron(1.0, (0.3 * rho**2, rho**2, 1.1 * rho**2), np.array([[1.0, 0, 0], [-1.0, 0, 0]]))
    part = Component((r, 0.0, 0.0), (0.0, 0.0, 1.0), dev.Omega, dev.delta, 1.0)
    y = np.zeros(15)
    y[2], y[6], y[8] = 10.0, math.cos(0.5 * phi0), -math.sin(0.5 * phi0)
    found = np.zeros(FOUND)
    run_polyhedron(body, part, BounceRules(1.0, gamma, 0.0, 1e-7, 1e3, 5000), y, np.zeros((0, 9)), found)
    flat = drop(dev, phi0, eps=1e-7, report=False)
    assert found[LEANS] == np.sum(flat.phase_log[:, 0] == SLIP) > 1
    assert found[TIME] == pytest.approx(flat.t, rel=1e-8)
    assert found[PEAK] == pytest.approx(flat.peak, rel=1e-8)
    assert found[DRIFT] < 1e-12


def test_what_is_left_bounds_what_follows():
    """Stopped at the first accumulation (a trace of friction does that) R_bound must not be below the R of the whole drop."""
    made = box(0.15, 0.075, 0.02, 0.2)
    part = component(made, (0.06, 0.03, 0.0), (0, 0, 1), 150.0, 0.1)
    rng = np.random.default_rng(2)
    for _ in range(25):
        down = rng.normal(size=3)
        whole = drop_solid(made, part, down, gamma=0.2, report=False)
        stopped = drop_solid(made, part, down, gamma=0.2, mu=1e-13, report=False)
        assert whole.status == "rested"
        assert max(whole.checks.values()) < 1e-11
        assert stopped.R <= whole.R * (1 + 1e-9)
        assert stopped.R_bound * (1 + 1e-6) >= whole.R


def test_yaw_does_not_matter_without_friction():
    made = box(0.15, 0.075, 0.01, 0.2)
    part = component(made, (0.05, 0.0, 0.0), (0, 0, 1), 100.0)
    tilt = body_to_room(np.concatenate([np.zeros(6), attitude(made, (0.5, 0.2, -1.0)), np.zeros(5)])) @ made.axes.T
    c, s = math.cos(1.1), math.sin(1.1)
    yaw = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    one, two = drop_solid(made, part, tilt, mu=0.3), drop_solid(made, part, yaw @ tilt, mu=0.3)
    n = 8
    np.testing.assert_allclose(one.impact_log[:n, 0], two.impact_log[:n, 0], rtol=1e-8)
    assert pytest.approx(two.R, rel=1e-6) == one.R


def test_a_mesh_is_the_box(tmp_path):
    corner = 0.5 * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * [0.1, 0.2, 0.3]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([[corner[q[0]], corner[q[i]], corner[q[i + 1]]] for q in quads for i in (1, 2)])
    made, told = from_mesh(triangles, 2.0), box(0.1, 0.2, 0.3, 2.0)
    np.testing.assert_allclose(sorted(made.body.moments), sorted(told.body.moments), rtol=1e-12)
    assert len(made.body.vertices) == 8
    assert made.least_height == pytest.approx(0.05)


@pytest.mark.slow
def test_the_worst_orientation(tmp_path):
    made = box(0.12, 0.06, 0.02, 0.2)
    part = component(made, (0.05, 0.0, 0.0), (0, 0, 1), 60.0, 0.1)
    data = orientation_map(made, part, 1.0, rows=4, eps=1e-4, progress=False)
    most, down = worst(data)
    again = drop_solid(made, part, down, 1.0, eps=1e-4)
    assert pytest.approx(most, rel=1e-9) == again.R
    assert data["R"].shape == (4, 8)


def test_bad_bodies_are_refused():
    with pytest.raises(InputError):
        box(0.1, 0.0, 0.1)
    with pytest.raises(InputError):
        solid(np.eye(3), MassProperties(1.0, np.zeros(3), np.diag([1.0, 1.0, 3.0])))
    made = box(0.1, 0.1, 0.1)
    part = component(made, (0, 0, 0), (0, 0, 1))
    for bad in ({"height": 0.01}, {"gamma": 1.5}, {"mu": -1}, {"eps": 1.0}, {"orientation": (0.0, 0.0, 0.0)}):
        with pytest.raises(InputError):
            drop_solid(made, part, **bad)
    with pytest.raises(InputError):
        component(made, (0, 0, 0), (0, 0, 0))


def test_a_component_must_lie_in_the_body():
    crate = box(0.15, 0.075, 0.008)
    for inside in ((0.0, 0.0, 0.0), (0.075, -0.0375, 0.004)):
        component(crate, inside, (0, 0, 1))
    for off, far in (((5.0, 5.0, 5.0), "5 m outside"), ((0.076, 0.0, 0.0), "0.001 m outside")):
        with pytest.raises(InputError, match=far):
            component(crate, off, (0, 0, 1))
    with pytest.raises(InputError, match="finite"):
        component(crate, (math.nan, 0, 0), (0, 0, 1))
