"""The small Filippov systems: energies, places, what follows; against closed forms."""

import numpy as np
import pytest

from rollick import InputError, simulate
from rollick.analysis.filippov.what_follows import verdict, what_follows
from rollick.archetypes.filippov import BallInCorner, PoolBall, SpringDisk, Toy
from rollick.archetypes.filippov.analysed import analysis_of
from rollick.archetypes.filippov.poses import turned
from rollick.archetypes.rattleback import Rattleback
from rollick.mechanics.poses import poses
from rollick.motion.filippov.algebra.forces import OPEN, SLIP
from rollick.motion.filippov.instant import Contacts


def test_friction_takes_what_energy_is_lost():
    """Spring disk: E' = -mu m g |u| while it slips, and nothing while it rolls."""
    m = simulate(SpringDisk(), [6.0, 0.0, 0.0], 20.0, rtol=1e-11, dense=True, progress=False)
    t = np.linspace(0.0, 20.0, 40001)
    slip = np.abs(m.at(t, "u"))
    lost = np.concatenate([[0.0], np.cumsum(0.5 * (slip[1:] + slip[:-1]) * np.diff(t))]) * 0.1 * 9.81
    np.testing.assert_allclose(m.at(t, "energy") + lost, m.at(0.0, "energy"), atol=2e-6)
    last = [e for e in m.events if e.name == "stick"][-1].t
    assert np.ptp(m.at(t[t > last], "energy")) < 1e-8


def test_energy_of_the_pool_ball_falls_and_signals_are_what_they_say():
    m = simulate(PoolBall(), [0.8, 0.9, 1.2, -0.7], 2.0, progress=False)
    assert np.all(np.diff(m["energy"]) < 0.0)
    np.testing.assert_allclose(m["slip"], np.hypot(m["u_y"], m["u_z"]))
    np.testing.assert_allclose(m["past_water"], np.hypot(m["v_y"], m["v_z"]))


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_the_toy_is_its_field(sign):
    """Slipping motion of `Toy` against a Runge-Kutta step of `toy`."""
    field = analysis_of(Toy(sign)).field
    y, h = np.array([0.3, 0.4, 0.5]), 1e-3
    k1 = field(y)
    k2 = field(y + 0.5 * h * k1)
    k3 = field(y + 0.5 * h * k2)
    k4 = field(y + h * k3)
    made = simulate(Toy(sign), y, h, progress=False).end_state
    np.testing.assert_allclose(made, y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6.0, atol=1e-12)


def test_places_follow_from_the_states():
    """A rolling ball turns by its way over its radius, a spinning one keeps its place; quaternions of a constant spin are exact."""
    t = np.linspace(0.0, 2.0, 50)
    spin = np.tile([0.3, -0.4, 1.2], (50, 1))
    q = turned(t, spin)
    np.testing.assert_allclose(q[-1, 0], np.cos(0.5 * 1.3 * 2.0), atol=1e-12)
    np.testing.assert_allclose(q[-1, 1:], np.sin(1.3) * spin[0] / 1.3, atol=1e-12)
    y = np.zeros((50, 4))
    y[:, 2] = 0.5
    placed = poses(PoolBall(), t, y, None)
    np.testing.assert_allclose(placed.contact[-1], [1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(np.abs(placed.attitude[-1, 0]), np.abs(np.cos(0.5 * 1.0 / 0.1)), atol=1e-9)
    rolling = np.tile([0.0, 0.5, 5.0 * np.sin(np.pi / 4), -5.0 * np.cos(np.pi / 4), 0.0], (50, 1))
    corner = poses(BallInCorner(slope=0.2, tilt=0.1), t, rolling, None)
    np.testing.assert_allclose(np.linalg.norm(corner.up), 1.0)
    np.testing.assert_allclose(corner.centre[:, 2], 0.1)
    disk = poses(SpringDisk(), t, np.tile([0.7, 0.0, 0.0], (50, 1)), None)
    np.testing.assert_allclose(disk.centre, np.tile([0.7, 0.0, 0.5], (50, 1)), atol=1e-12)


@pytest.mark.parametrize("u", [0.4, -0.4])
def test_slip_of_one_component_has_its_sign_for_a_direction(u):
    """A disk (inertia m r^2/2) on its spring: m v' = -k w + T, u' = v' + 2 T/m, T = -mu m g sign u."""
    disk, w = SpringDisk(m=2.0, k=3.0), 0.3
    v_rate, u_rate = Contacts(disk, 3).rates(0.0, [w, 0.7, u], (SLIP, OPEN))[1:]
    T = -disk.mu * disk.m * disk.g * np.sign(u)
    assert [v_rate, u_rate] == pytest.approx([(T - disk.k * w) / disk.m, (3.0 * T - disk.k * w) / disk.m], rel=1e-13)


def test_what_follows_is_counted_in_words():
    assert verdict(what_follows(PoolBall(), {"v_y": 3.0})) == "unique"
    assert verdict(what_follows(Toy(1.0), {"x3": 0.5})) == "not unique"
    assert verdict([]).startswith("nothing is consistent")
    assert [f.letters for f in what_follows(BallInCorner(), {"v": 1.0, "Omega_z": 3.0})] == ["SS"]
    with pytest.raises(InputError, match="a rate, and no contacts"):
        what_follows(Rattleback(), {})


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        (Toy(0.5), "sign must be -1"),
        (PoolBall(r=0.0), "r of PoolBall must be a positive number"),
        (PoolBall(surge=float("nan")), "surge = nan of PoolBall"),
        (SpringDisk(k=-1.0), "k of SpringDisk must be a positive number"),
        (BallInCorner(opening=4.0), "opening"),
    ],
)
def test_what_cannot_be_is_refused(system, sentence):
    with pytest.raises(InputError, match=sentence):
        simulate(system, {}, 1.0)
