"""Contact forces of bodies that go from mode to mode, as pages show them: Newton's and Euler's equations by differences of the motion, Coulomb's law, and closed forms."""

import base64

import numpy as np
import pytest

from rollick import simulate
from rollick.archetypes.filippov import BallInCorner, PoolBall
from rollick.archetypes.filippov.spring_disk import SpringDisk
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.archetypes.wheelset.creep import creep_wheelset
from rollick.archetypes.wheelset.load_transfer import LoadedWheelset
from rollick.archetypes.wheelset.physical import example_5_2
from rollick.archetypes.wheelset.random_sets import contact_forces
from rollick.view.contacts import contact_modes
from rollick.view.frames import check_drawable, poses
from rollick.view.mode_forces import forces_in_modes
from rollick.view.page import data_of

H = 1e-5  # s, of differences


class Seen:
    """A motion at instants that are not near a change of mode: states, their rates by differences, the forces that a page shows."""

    def __init__(self, motion, count=400):
        changes = np.array([when for _, when in motion.provenance["methods"]] + [motion.end_time])
        t = np.linspace(0.0, motion.end_time, count + 2)[1:-1]
        self.t = t[np.abs(t[:, None] - changes).min(axis=1) > 4.0 * H]
        self.y = motion.at(self.t)
        near, far = (motion.at(self.t + h) - motion.at(self.t - h) for h in (H, 2.0 * H))
        self.rate = (8.0 * near - far) / (12.0 * H)
        check_drawable(motion.system)
        self.poses = poses(motion.system, self.t, self.y, None)
        self.modes = contact_modes(motion, self.t)
        self.shown = forces_in_modes(motion.system, self.t, self.y, self.modes, self.poses)
        self.places = [p for p in (self.poses.contact, self.poses.second) if p is not None]

    def couple(self):
        """Of all contacts about the centre."""
        return sum(np.cross(place - self.poses.centre, force) for place, force in zip(self.places, self.shown.forces))

    def obeys_coulomb(self, k, normal, mu, slip):
        """|T| <= mu N where it rolls; T = -mu N u/|u| where it slips."""
        force = self.shown.forces[k]
        pressed = np.einsum("ni,ni->n", force, np.broadcast_to(normal, force.shape))
        along = force - pressed[:, None] * normal
        assert pressed.min() > 0.0
        assert np.all(np.linalg.norm(along, axis=1) <= mu * pressed * (1.0 + 1e-9))
        slips = self.modes[:, k] == 1
        speed = np.linalg.norm(slip, axis=1, keepdims=True)
        np.testing.assert_allclose(
            (along * speed)[slips], (-mu * pressed[:, None] * slip)[slips], atol=1e-8 * pressed.max() * speed.max()
        )
        assert speed[~slips].max(initial=0.0) < 1e-6
        return slips


def close(left, right, scale):
    np.testing.assert_allclose(left, right, atol=2e-6 * scale)


def test_a_ball_in_its_vessel_keeps_to_newton_and_euler():
    meter = FlowMeter()
    motion = simulate(meter, [0.2, -0.1, 0.15, 0.3], 1.0, rtol=1e-11, dense=True, progress=False)
    seen, weight = Seen(motion), meter.m * meter.g
    u1p, u1m, u2, v = seen.y.T
    e1 = -seen.poses.contact / meter.d * [1.0, 1.0, 0.0]
    e2 = np.broadcast_to([0.0, 0.0, 1.0], e1.shape)
    e3 = np.cross(e1, e2)
    total = seen.shown.forces.sum(axis=0)
    close(np.einsum("ni,ni->n", total, e1), meter.m * v * v / meter.d, weight)  # toward the axis
    close(total[:, 2], weight, weight)
    # the spin (4.9) in axes that go round by v/d about the vertical (downwards: e3 = e1 x e2)
    turn = (v / meter.d)[:, None] * np.cross(e3, e1) * np.sign(np.cross(-e1, e3)[:, 2])[:, None]
    w = np.stack([(v - u1p), -(v - u1m), u2], axis=1) / meter.r
    dw = np.stack([seen.rate[:, 3] - seen.rate[:, 0], seen.rate[:, 1] - seen.rate[:, 3], seen.rate[:, 2]], axis=1) / meter.r
    axes = np.stack([e1, e2, e3], axis=1)
    space, relative = np.einsum("nij,ni->nj", axes, w), np.einsum("nij,ni->nj", axes, dw)
    close(seen.couple(), meter.j * meter.m * meter.r**2 * (relative + np.cross(turn, space)), weight * meter.r)
    slips = [
        seen.obeys_coulomb(0, e2, meter.mu, u1p[:, None] * e3 + u2[:, None] * e1),
        seen.obeys_coulomb(1, e1, meter.mu, u1m[:, None] * e3 - u2[:, None] * e2),
    ]
    assert all(s.sum() > 0 for s in slips)


def test_a_ball_in_a_corner_keeps_to_newton_and_euler():
    ball = BallInCorner(slope=0.15, tilt=0.2, shake=2.0, omega=9.0)
    motion = simulate(ball, {"v": 0.4, "Omega_x": 3.0, "Omega_z": 2.0}, 3.0, rtol=1e-11, dense=True, progress=False)
    seen, weight = Seen(motion), ball.m * ball.g
    assert len({tuple(pair) for pair in seen.modes.tolist()}) >= 2
    half, edge = 0.5 * ball.opening, np.array([0.0, 0.0, 1.0])
    normals = [np.array([side * np.cos(half), np.sin(half), 0.0]) for side in (1.0, -1.0)]
    axes = np.stack([edge, np.cross(normals[0], edge), normals[0]])
    down = ball.g * np.cos(ball.slope)
    gravity = np.array([down * np.sin(ball.tilt), -down * np.cos(ball.tilt), ball.g * np.sin(ball.slope)])
    pushed = ball.m * (gravity + np.multiply.outer(ball.shake * np.cos(ball.omega * seen.t), edge))
    total = seen.shown.forces.sum(axis=0) + pushed @ axes.T
    close(total, ball.m * np.multiply.outer(seen.rate[:, 1], [1.0, 0.0, 0.0]), weight)
    close(seen.couple(), ball.j * ball.m * ball.r**2 * seen.rate[:, 2:5] @ axes.T, weight * ball.r)
    for k, (n, mu) in enumerate(zip(normals, (ball.mu_plus, ball.mu_minus))):
        slip = np.multiply.outer(seen.y[:, 1], edge) + np.cross(seen.y[:, 2:5], -ball.r * n)
        seen.obeys_coulomb(k, axes @ n, mu, slip @ axes.T)


def test_balls_and_disks_with_one_contact_keep_to_newton_and_euler():
    ball = PoolBall(flow_y=0.5)
    seen = Seen(simulate(ball, [0.8, 0.9, 1.2, -0.7], 2.0, rtol=1e-11, dense=True, progress=False))
    drag = -ball.K * (seen.y[:, 2:4] - [ball.flow_y, 0.0])
    weight = ball.m * ball.g
    close(seen.shown.forces[0], np.column_stack([ball.m * seen.rate[:, 2:4] - drag, np.full(len(seen.t), weight)]), weight)
    turning = (seen.rate[:, 2:4] - seen.rate[:, 0:2]) / ball.r
    close(seen.couple()[:, :2], 0.4 * ball.m * ball.r**2 * np.column_stack([-turning[:, 1], turning[:, 0]]), weight * ball.r)
    seen.obeys_coulomb(0, np.array([0.0, 0.0, 1.0]), ball.mu, np.column_stack([seen.y[:, :2], np.zeros(len(seen.t))]))
    disk = SpringDisk()
    seen = Seen(simulate(disk, [6.0, 0.0, 0.0], 20.0, rtol=1e-11, dense=True, progress=False))
    weight = disk.m * disk.g
    close(seen.shown.forces[0][:, 0], disk.m * seen.rate[:, 1] + disk.k * seen.y[:, 0], weight)
    close(-disk.r * seen.shown.forces[0][:, 0], 0.5 * disk.m * disk.r * (seen.rate[:, 1] - seen.rate[:, 2]), weight)
    assert set(seen.modes[:, 0]) == {1, 2}


def test_wheelsets_keep_to_their_equations_and_to_the_closed_forms():
    """y'' = -alpha_y^2 y + T2+ + T2-, Psi'' = -alpha_psi^2 Psi - M_psi (T1+ - T1-), (u1+ + u1-)' = 2 M_phi (T1+ + T1-); load transfer as `load_transfer` says."""
    wheels = example_5_2("286km/h")
    for system in (wheels, LoadedWheelset(wheels, 0.3)):
        motion = simulate(system, {"y": "11.6mm"}, 0.6, method="event-driven", rtol=1e-11, dense=True, progress=False)
        seen = Seen(motion)
        (T1p, T2p, Np), (T1m, T2m, Nm) = (force.T for force in seen.shown.forces)
        y, Psi, up, um, ua = seen.y.T
        dy, dPsi, dup, dum, dua = seen.rate.T
        bent = wheels.omega_L * wheels.eta * dPsi + dua
        C = wheels.C
        close(T2p + T2m, bent + wheels.alpha_y**2 * y, C)
        close(T1p + T1m, (dup + dum) / (2.0 * wheels.M_phi), C)
        slips = seen.modes == 1
        assert slips.any()
        assert not slips.all()
        for k, (slip, T1, T2, N) in enumerate(((up, T1p, T2p, Np), (um, T1m, T2m, Nm))):
            bound = C if system is wheels else 0.3 * N
            assert np.all(np.hypot(T1, T2) <= bound * (1.0 + 1e-9))
            size = np.hypot(slip, ua)
            close((T1 * size)[slips[:, k]], -(bound * slip)[slips[:, k]], C * size.max())
            close((T2 * size)[slips[:, k]], -(bound * ua)[slips[:, k]], C * size.max())
        if system is wheels:
            assert not Np.any()
            assert seen.shown.what == "friction per mass"
            swing = -(wheels.omega_L / wheels.eta) * dy - 0.5 * (dup - dum)
            close(T1p - T1m, -(swing + wheels.alpha_psi**2 * Psi) / wheels.M_psi, C)
            for pair in {tuple(m) for m in seen.modes.tolist()}:
                at = np.all(seen.modes == pair, axis=1)
                told = contact_forces(wheels, "".join("OSR"[m] for m in pair), seen.y[at])
                for found, closed in zip((T1p, T1m, T2p + T2m), told):
                    close(found[at], closed, C)
        else:
            close(Np + Nm, 2.0 * C / 0.3, C)
            gyration = wheels.r * wheels.v / wheels.M_phi * dPsi / wheels.b  # J_phi (v/r) psi', per mass
            close(wheels.b * (Np - Nm) + wheels.r * (T2p + T2m), -gyration, C)
            assert np.ptp(Np) > 0.01 * C


def test_a_wheelset_with_creep_shows_what_its_law_says():
    system = creep_wheelset(example_5_2("200km/h"), "vermeulen_johnson", 5800.0, 5300.0)
    y = np.array([[0.003, 0.001, 0.02, -0.01, 0.015], [0.0, 0.0, 0.4, 0.3, 2.0]])
    check_drawable(system)
    t = np.array([0.0, 0.1])
    shown = forces_in_modes(system, t, y, None, poses(system, t, y, None))
    for k in range(2):
        f = np.column_stack([5800.0 * y[:, 2 + k], 5300.0 * y[:, 4]]) / system.wheels.v
        rho = np.linalg.norm(f, axis=1) / system.wheels.C
        size = np.where(rho < 3.0, 1.0 - (1.0 - rho / 3.0) ** 3, 1.0)
        np.testing.assert_allclose(shown.forces[k][:, :2], -(size / rho)[:, None] * f, rtol=1e-12)


def test_the_page_has_an_arrow_for_each_contact():
    meter = FlowMeter()
    data = data_of(simulate(meter, [0.2, -0.1, 0.15, 0.3], 1.0, rtol=1e-11, dense=True, progress=False))
    assert data["force_told"] == ["contact force", "N"]
    assert data["weight"] == pytest.approx(meter.m * meter.g)
    floor, wall = (np.frombuffer(base64.b64decode(data[name]), "<f4").reshape(-1, 3) for name in ("force", "force2"))
    assert len(floor) == len(wall) == data["frames"]
    np.testing.assert_allclose(floor[:, 2] + wall[:, 2], meter.m * meter.g, rtol=1e-5)
