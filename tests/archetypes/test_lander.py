"""The lander: its data, the gyrostat against other formulations and its conservation laws, the wheel's stops, and the sticking impact."""

import itertools
import math

import numpy as np
import pytest

from rollick import InputError, simulate
from rollick.archetypes import lander as la
from rollick.archetypes.lander.equations import SIGNALS
from rollick.archetypes.lander.flight import holding_torque
from rollick.archetypes.lander.impact import kinetic_energy
from rollick.archetypes.lander.model import MODEL
from rollick.archetypes.lander.telemetry import event_times, legs, panels, seconds, table, times
from rollick.motion.result.outcome import MotionWarning

PHILAE = la.Lander()
SUN = np.array([0.5690, 0.1959, 0.7986]) / np.linalg.norm([0.5690, 0.1959, 0.7986])
OMEGA = np.array([0.3, -0.2, 0.1])


@pytest.fixture(scope="module")
def flight():
    """45 minutes after row 214; the wheel stops on the way."""
    return la.fly(PHILAE, la.state(SUN, OMEGA), 2700.0, at=np.arange(0.0, 2701.0, 5.0), rtol=1e-13, progress=False)


def test_data():
    d = la.philae_data()
    assert d.sizes["row"] == 308
    assert int(np.isfinite(d["Delta"]).sum()) == 154
    sun = d["sun"].values[np.isfinite(d["Delta"].values)]
    np.testing.assert_allclose(np.linalg.norm(sun, axis=1), 1.0, atol=1e-3)
    for row, when in ((13, "08:50:30"), (213, "15:32:47"), (214, "15:34:47")):
        assert str(d["utc"].sel(row=row).values).partition("T")[2].startswith(when)
    steps = np.diff(times()) / np.timedelta64(1, "s")
    assert steps.min() == 120.0
    assert steps.max() < 150.0
    assert seconds(214)[212] == -120.0
    assert str(event_times()["TD1"]).endswith("15:34:04.000")
    cells, normals = panels()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-15)
    np.testing.assert_allclose(normals[1], [math.sqrt(0.5), math.sqrt(0.5), 0.0], atol=1e-15)
    assert cells.sum() == 254 * 2 + 162 * 3 + 230
    assert {row["name"] for row in table("mass")} >= {"m", "xx", "zz", "wheel"}
    assert all(d[name].attrs.get("from") for name in ("power", "sun", "inertia", "leg_end", "wheel_c1"))


def test_momentum_and_energy(flight):
    L = np.stack([flight[name] for name in ("LX", "LY", "LZ")], axis=1)
    assert np.abs(L - L[0]).max() < 1e-11 * np.linalg.norm(L[0])
    balance = flight["energy"] - flight["work"]
    assert np.ptp(balance) < 1e-12 * balance[0]
    s = la.suns(flight.y)
    np.testing.assert_allclose(np.linalg.norm(s, axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(s, np.stack([flight[n] for n in ("sx", "sy", "sz")], axis=1), atol=1e-14)
    np.testing.assert_allclose(s[0], SUN, atol=1e-15)


@pytest.mark.parametrize("until", [20.0, pytest.param(100.0, marks=pytest.mark.slow)])
def test_against_two_bodies(flight, until):
    """Newton and Euler for each body and the reactions of the bearing; what the wheel weighs and where it sits must not matter."""
    t = np.arange(0.0, until + 1.0, 5.0)
    for bodies in (la.TwoBodies(PHILAE), la.TwoBodies(PHILAE, 3.0, (0.0, 0.3, -0.1), 0.02)):
        s, w, spin = bodies.fly(SUN, OMEGA, la.WHEEL_SPEED, t)
        np.testing.assert_allclose(s, la.suns(flight.y[: t.size]), atol=2e-10)
        np.testing.assert_allclose(w, flight.y[: t.size, 4:7], atol=1e-10)
        np.testing.assert_allclose(spin, flight.y[: t.size, 7], rtol=1e-10)


def test_run_down(flight):
    """42 minutes; about the z axis alone in closed form; the lander takes over the wheel's angular momentum."""
    assert [name for name, _ in flight.modes] == ["spinning forward", "stuck"]
    symmetric = PHILAE._replace(xz=0.0, yz=0.0)
    alone = la.fly(symmetric, la.state(SUN, (0.0, 0.0, 0.0)), 2700.0, progress=False)
    inertia = PHILAE.wheel * (1.0 - PHILAE.wheel / PHILAE.zz)
    closed = inertia / PHILAE.mu_1 * math.log(1.0 + PHILAE.mu_1 * la.WHEEL_SPEED / PHILAE.mu_0)
    assert alone.events[0].t == pytest.approx(closed, rel=1e-10)
    assert alone.events[0].t / 60.0 == pytest.approx(42.0, abs=0.05)
    assert alone["omega_z"][-1] == pytest.approx(PHILAE.wheel * la.WHEEL_SPEED / PHILAE.zz, rel=1e-10)
    assert alone["omega_rot"][-1] == 0.0


def test_symmetric_gyrostat_in_closed_form():
    """A round lander with a driven wheel: omega precesses in the lander frame at the rate (C - A)/A omega_z + h/A."""
    body = la.lander(xx=12.0, yy=12.0, xy=0.0, xz=0.0, yz=0.0)
    m = la.fly(
        body, la.state(SUN, (0.4, 0.0, 0.2), 300.0), 200.0, motor=True, at=np.linspace(0.0, 200.0, 41), rtol=1e-13, progress=False
    )
    assert m.modes[0][0] == "driven"
    n = ((body.zz - 12.0) * 0.2 + body.wheel * 300.0) / 12.0
    np.testing.assert_allclose(m["omega_x"], 0.4 * np.cos(n * m.t), atol=1e-10)
    np.testing.assert_allclose(m["omega_y"], 0.4 * np.sin(n * m.t), atol=1e-10)
    np.testing.assert_allclose(m["omega_z"], 0.2, atol=1e-12)


def test_backward_and_forward():
    there = la.fly(PHILAE, la.state(SUN, OMEGA), -43.0, progress=False, rtol=1e-13)
    assert there.end_state[7] > la.WHEEL_SPEED  # the wheel was faster before
    back = la.fly(PHILAE, there.end_state, 0.0, since=-43.0, progress=False, rtol=1e-13)
    np.testing.assert_allclose(back.end_state, la.state(SUN, OMEGA), rtol=1e-11, atol=1e-11)
    with pytest.raises(InputError, match="backward"):
        la.fly(PHILAE, la.state(SUN, OMEGA, 0.0), -10.0)


def test_plain_simulation_ends_where_the_wheel_stops():
    with pytest.warns(MotionWarning, match="comes to a stop"):
        m = simulate(PHILAE, {"sx": 1.0, "omega_rot": 5.0}, 100.0, progress=False)
    assert m.status == "left_domain"
    assert m["omega_rot"][-1] >= 0.0


def test_a_fast_tumble_breaks_the_wheel_away():
    """With omega_x omega_y large the holding torque theta22 omega_z' exceeds mu_0; smooth friction of width eps must agree with (6.9)."""
    start = la.state(SUN, (1.9, 1.9, 0.0), 0.5)
    m = la.fly(PHILAE, start, 20.0, at=np.linspace(0.0, 20.0, 201), progress=False, rtol=1e-12)
    names = [name for name, _ in m.modes]
    assert "stuck" in names
    assert any(b.startswith("spinning") for a, b in itertools.pairwise(names) if a == "stuck")
    stuck = np.abs(m["omega_rot"]) == 0.0
    assert np.all(np.abs(m["torque"][stuck]) <= PHILAE.mu_0 * (1.0 + 1e-9))
    assert np.abs(m["energy"] - m["work"] - m["energy"][0]).max() < 1e-10

    from scipy.integrate import solve_ivp

    theta = la.inertia(PHILAE)
    reduced = theta - np.diag([0.0, 0.0, PHILAE.wheel])

    def smooth(t, y):
        w, spin = y[:3], y[3]
        moment = -math.tanh(spin / 1e-4) * (PHILAE.mu_0 + PHILAE.mu_1 * abs(spin))
        L = theta @ w + np.array([0.0, 0.0, PHILAE.wheel * spin])
        dw = np.linalg.solve(reduced, -np.cross(w, L) - np.array([0.0, 0.0, moment]))
        return [*dw, moment / PHILAE.wheel - dw[2]]

    other = solve_ivp(smooth, (0.0, 20.0), start[4:], method="Radau", t_eval=m.t, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(other.y[3], m["omega_rot"], atol=5e-4)


def test_holding_torque_decides():
    y = la.state(SUN, (0.0, 0.0, 0.3), 0.0)
    assert holding_torque(PHILAE, y) == pytest.approx(0.0, abs=1e-5)
    assert "torque" in SIGNALS


@pytest.mark.parametrize("omega", [OMEGA, np.array([0.5, -0.5, -0.3])])
def test_lean_loop(omega):
    """The fixed steps against the adaptive ones, through the stop of the wheel."""
    exact = la.fly(PHILAE, la.state(SUN, omega), 2700.0, at=np.arange(0.0, 2701.0, 100.0), rtol=1e-13, progress=False)
    lean = la.states_along(PHILAE, la.state(SUN, omega), 100.0, 27)
    np.testing.assert_allclose(la.suns(lean), la.suns(exact.y), atol=1e-8)
    np.testing.assert_allclose(lean[:, 4:], exact.y[:, 4:], atol=1e-8)
    back = la.states_along(PHILAE, la.state(SUN, omega), -43.0, 1)
    np.testing.assert_allclose(back[1], la.fly(PHILAE, la.state(SUN, omega), -43.0, progress=False).end_state, atol=1e-8)


def test_lean_loop_breaks_away():
    start = la.state(SUN, (1.9, 1.9, 0.0), 0.5)
    m = la.fly(PHILAE, start, 20.0, at=np.arange(0.0, 21.0), progress=False, rtol=1e-12)
    np.testing.assert_allclose(la.states_along(PHILAE, start, 1.0, 20, substeps=20)[:, 4:], m.y[:, 4:], atol=1e-8)


@pytest.mark.parametrize("leg", [1, 2, 3])
@pytest.mark.parametrize("locked", [False, True])
def test_impact(leg, locked):
    rng = np.random.default_rng(leg)
    w, v, spin = rng.normal(size=3), rng.normal(size=3), 40.0
    hit = la.sticking_impact(PHILAE, w, spin, v, leg, locked)
    r = legs()[leg - 1]
    np.testing.assert_allclose(hit.v + np.cross(hit.omega, r), 0.0, atol=1e-14)
    about_leg = lambda w, spin, v: la.inertia(PHILAE) @ w + np.array([0, 0, PHILAE.wheel * spin]) - PHILAE.m * np.cross(r, v)
    np.testing.assert_allclose(about_leg(hit.omega, hit.omega_rot, hit.v), about_leg(w, spin, v), atol=1e-12)
    assert hit.lost > 0.0
    energy = kinetic_energy(PHILAE, w, spin, v) - kinetic_energy(PHILAE, hit.omega, hit.omega_rot, hit.v)
    if locked:  # the motor that keeps omega_rot gives the wheel the lander's jump
        assert hit.omega_rot == spin
        energy += PHILAE.wheel * spin * (hit.omega[2] - w[2])
    else:  # the wheel keeps its own rotation
        assert hit.omega_rot + hit.omega[2] == pytest.approx(spin + w[2], abs=1e-13)
    assert hit.lost == pytest.approx(energy, rel=1e-10)
    still = la.sticking_impact(PHILAE, hit.omega, hit.omega_rot, hit.v, leg, locked)
    assert still.lost == pytest.approx(0.0, abs=1e-12)


def test_bad_input():
    for given, words in (
        ({"xx": -1.0}, "above zero"),
        ({"xy": 20.0}, "positive definite"),
        ({"wheel": 17.0}, "leaves nothing"),
        ({"xx": 40.0}, "triangle"),
    ):
        with pytest.raises(InputError, match=words):
            la.lander(**given)
    with pytest.raises(InputError, match="mu_0"):
        la.lander(mu0=1.0)
    with pytest.raises(InputError, match="leg"):
        la.sticking_impact(PHILAE, OMEGA, 0.0, OMEGA, 4)
    with pytest.raises(InputError, match="not by both"):
        simulate(PHILAE, {"sx": 1.0, "q1": 1.0}, 1.0)
    with pytest.raises(InputError, match="Sun"):
        la.facing((0.0, 0.0, 0.0))


def test_facing_every_way():
    rng = np.random.default_rng(0)
    for s in [*rng.normal(size=(20, 3)), (0, 0, 1), (0, 0, -1), (1e-9, 0, -1)]:
        u = np.asarray(s, float) / np.linalg.norm(s)
        np.testing.assert_allclose(la.suns(la.state(u, OMEGA)), u, atol=1e-8)


def test_model(tmp_path):
    m = MODEL.run(MODEL.make(), dict(MODEL.start), 60.0, progress=False)
    assert m.complete
    assert "angular momentum" in m.summary()
    told = m.as_dict()
    assert told["status"] == "finished"
    assert len(told["states"]["omega_z"]) == len(told["t"])
    m.to_netcdf(tmp_path / "m.nc")
    again = type(m).open(tmp_path / "m.nc")
    np.testing.assert_array_equal(again["sz"], m["sz"])
    assert m.plot() is not None
    driven = MODEL.run(MODEL.make(motor="on"), dict(MODEL.start), 60.0, progress=False)
    np.testing.assert_allclose(driven["omega_rot"], la.WHEEL_SPEED, rtol=1e-14)
