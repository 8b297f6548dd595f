"""Systems that register M, h, W and gap, from event to event: against closed forms, against the same system in more coordinates, against time stepping, one by one and many at once."""

import itertools
import math
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.special import ellipk
from systems import Slab

import rollick.ensemble.chunks.contacts
from rollick import Body, InputError, Rim, coulomb, describe, sliding
from rollick import simulate as simulate_aloud
from rollick.archetypes.tippedisk.build import tippedisk
from rollick.archetypes.tippedisk.starts import start as disk_start
from rollick.ensemble import ensemble
from rollick.kernel import cos, sin
from rollick.kernel.compiled import inlined
from rollick.mechanics import contact
from rollick.mechanics.laws import Coulomb, friction
from rollick.mechanics.size import size_and_extent
from rollick.mechanics.sliding import Lowest


def simulate(*args, **options):
    return simulate_aloud(*args, progress=False, **options)


class Rod(NamedTuple):
    """A rod above the ground in a vertical plane: its middle at (x, z), its angle; there is no third coordinate, so that one tangential row is zero."""

    length: float = 1.0
    mass: float = 1.0
    g: float = 9.81
    law: Any = friction(coulomb(0.3))
    e_N: float = 0.5


class RodInSpace(NamedTuple):
    """The same rod with a coordinate y across the plane, which stays zero."""

    length: float = 1.0
    mass: float = 1.0
    g: float = 9.81
    law: Any = friction(coulomb(0.3))
    e_N: float = 0.5


class Bob(NamedTuple):
    """A pendulum of a point mass that strikes a wall below its pivot: one angle, and no friction."""

    length: float = 1.0
    g: float = 9.81
    law: Any = friction(coulomb(0.0))
    e_N: float = 0.5


@inlined
def tip(rod, k):
    """The way from the middle to end k."""
    return 0.5 * rod.length if k == 0 else -0.5 * rod.length


for _cls, _n in ((Rod, 3), (RodInSpace, 4), (Bob, 1)):
    contact.positions.register(_cls)(lambda s, n=_n: n)
    contact.velocities.register(_cls)(lambda s, n=_n: n)
    contact.contact_count.register(_cls)(lambda s, k=1 if _cls is Bob else 2: k)


@contact.position_rate.register(Rod)
@contact.position_rate.register(RodInSpace)
@contact.position_rate.register(Bob)
def _(s, q, u, out):
    for i in range(q.size):
        out[i] = u[i]


@contact.mass_matrix.register(Rod)
@contact.mass_matrix.register(RodInSpace)
def _(rod, q, out):
    last = q.size - 1
    for i in range(q.size):
        for j in range(q.size):
            out[i, j] = 0.0
        out[i, i] = rod.mass
    out[last, last] = rod.mass * rod.length**2 / 12.0


@contact.smooth_forces.register(Rod)
@contact.smooth_forces.register(RodInSpace)
def _(rod, t, q, u, out):
    for i in range(q.size):
        out[i] = 0.0
    out[q.size - 2] = -rod.mass * rod.g


@contact.gap.register(Rod)
@contact.gap.register(RodInSpace)
def _(rod, t, q, k):
    return q[q.size - 2] + tip(rod, k) * sin(q[q.size - 1])


@contact.contact_rows.register(Rod)
@contact.contact_rows.register(RodInSpace)
def _(rod, t, q, k, out):
    n = q.size
    for i in range(3):
        for j in range(n):
            out[i, j] = 0.0
    out[0, n - 2], out[0, n - 1] = 1.0, tip(rod, k) * cos(q[n - 1])
    out[1, 0], out[1, n - 1] = 1.0, -tip(rod, k) * sin(q[n - 1])
    if n == 4:
        out[2, 1] = 1.0


describe(Rod, {"x": "m", "z": "m", "angle": "rad", "vx": "m/s", "vz": "m/s", "spin": "rad/s"})
describe(
    RodInSpace,
    {"x": "m", "y": "m", "z": "m", "angle": "rad", "vx": "m/s", "vy": "m/s", "vz": "m/s", "spin": "rad/s"},
)


@contact.mass_matrix.register(Bob)
def _(bob, q, out):
    out[0, 0] = bob.length * bob.length


@contact.smooth_forces.register(Bob)
def _(bob, t, q, u, out):
    out[0] = -bob.g * bob.length * sin(q[0])


@contact.gap.register(Bob)
def _(bob, t, q, k):
    return bob.length * sin(q[0])


@contact.contact_rows.register(Bob)
def _(bob, t, q, k, out):
    out[0, 0] = bob.length * cos(q[0])
    out[1, 0] = out[2, 0] = 0.0


describe(Bob, {"angle": "rad", "turn": "rad/s"})


@pytest.mark.slow
def test_a_pendulum_strikes_a_wall_as_newton_says():
    """Each strike leaves e of the speed; in between it swings for half a period of its amplitude."""
    motion = simulate(Bob(), {"angle": 0.5}, 4.0, method="event-driven", rtol=1e-11)
    strikes = [e for e in motion.events if e.name == "impact"]
    first, swing = math.sqrt(2.0 * 9.81 * (1.0 - math.cos(0.5))), 2.0 / math.sqrt(9.81)
    assert len(strikes) == 4
    for n, strike in enumerate(strikes):
        assert strike.state[1] == pytest.approx(0.5 ** (n + 1) * first, rel=1e-8)
    for n, (one, other) in enumerate(itertools.pairwise(strikes)):
        amplitude = 2.0 * math.asin(0.5 ** (n + 1) * first / (2.0 * math.sqrt(9.81)))
        assert other.t - one.t == pytest.approx(swing * ellipk(math.sin(0.5 * amplitude) ** 2), rel=1e-8)


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.3, 1.0])
@pytest.mark.parametrize(
    "start", [{"z": 1.0, "angle": 0.5, "vx": 0.3, "spin": 1.0}, {"z": 0.6, "angle": 0.9, "vx": 1.0, "spin": -3.0}]
)
def test_a_row_of_zeros_is_a_direction_that_there_is_not(mu, start):
    """In its plane, and in space with a coordinate that stays zero, a rod moves alike."""
    law = friction(coulomb(mu))
    plane = simulate(Rod(law=law), start, 0.9, method="event-driven", rtol=1e-10)
    space = simulate(RodInSpace(law=law), start, 0.9, method="event-driven", rtol=1e-10)
    assert plane.status == space.status == "finished"
    assert [e.name for e in plane.events] == [e.name for e in space.events]
    assert plane.end_state == pytest.approx(np.delete(space.end_state, [1, 5]), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.1, 0.5])
def test_stepping_comes_closer_to_a_rod_from_event_to_event(mu):
    system, start = Rod(law=friction(coulomb(mu)), e_N=0.0), {"z": 0.8, "angle": 0.7, "vx": 0.5, "spin": 1.0}
    exact = simulate(system, start, 0.6, method="event-driven", rtol=1e-11)
    errors = [np.abs(simulate(system, start, 0.6, dt=dt).end_state - exact.end_state).max() for dt in (4e-4, 1e-4, 2.5e-5)]
    assert errors[2] < 1e-3
    assert errors[2] < 0.4 * errors[0]


@pytest.mark.slow
def test_many_rods_at_once_are_those_one_by_one(monkeypatch):
    monkeypatch.setattr(rollick.ensemble.chunks.contacts, "MANY", 4)
    system, spins = Rod(), np.linspace(-3.0, 3.0, 12)
    start = {"z": 0.9, "angle": 0.5, "vx": 1.0}
    many = ensemble(system, {"spin": spins}, 0.9, start=start, method="event-driven", progress=False)
    for i, spin in enumerate(spins):
        one = simulate(system, start | {"spin": float(spin)}, 0.9, method="event-driven")
        assert one.end_state[:3] == pytest.approx([many[name][i] for name in ("x", "z", "angle")], abs=1e-12)


def test_the_size_of_a_body_follows_from_units():
    length = 0.4
    size, extent = size_and_extent(Rod(length=length, mass=3.0), np.array([0.1, 0.2, -9.0]))
    assert size == pytest.approx(length / math.sqrt(12.0))
    assert extent == pytest.approx(9.0 * size)
    assert size_and_extent(Slab(), np.array([0.1, -0.7, 0.2])) == (1.0, 0.7)
    assert size_and_extent(Bob(length=2.0), np.array([0.3])) == (1.0, 0.3)
    ball = sliding(Body.from_inertia(2.0, (4e-3, 4e-3, 4e-3), Rim(0.1)), law=coulomb(0.3))
    assert size_and_extent(ball, np.array([0.1, -0.3, 0.2, 1.0, 0.0, 0.0, 0.0]))[0] == pytest.approx(math.sqrt(2e-3))


def test_a_start_inside_a_surface_is_refused():
    with pytest.raises(InputError, match=r"Rod starts 0\.19. m inside the surface at contact 1; let it start above"):
        simulate(Rod(), {"z": 0.2, "angle": 0.9}, 0.1, method="event-driven")


def test_a_thin_rim_falls_flat_and_stays():
    """The three contacts of a rim that falls flat close at one instant; until then it moves as one that touches with its lowest point."""
    body = Body.from_inertia(1.0, (2.5e-3, 2.5e-3, 5e-3), Rim(0.1))
    flat = simulate(sliding(body, law=Coulomb(0.3), e_N=0.3), {"gap": 0.05, "vx": 0.3}, 0.6, method="event-driven")
    assert flat.provenance["methods"][-1][0] == "stick stick stick"
    assert np.abs(flat.end_state[[2, 7, 8, 9, 10, 11, 12]]).max() < 1e-12
    start = {"gap": 0.0, "theta": 0.5, "omega3": 10.0}
    rim, edge = (
        simulate(sliding(body, law=Coulomb(0.3), **feet), start, 0.3, method="event-driven") for feet in ({}, {"feet": Lowest()})
    )
    assert rim.end_state == pytest.approx(edge.end_state, abs=1e-8)


def test_a_tippedisk_in_three_sets_of_coordinates():
    """Rolling, slip and impacts of Sailer's disk by quaternions, by Euler angles, and in the frame that turns with it."""
    found = []
    for form in ("quaternion", "euler", "corotating"):
        system = tippedisk("V1", coulomb(0.3), form, e_N=0.3)
        start = np.concatenate(disk_start(system, alpha_rate=40.0, gamma=-0.5 * math.pi + 0.1, gap=0.02))
        found.append(simulate(system, start, 0.3, method="event-driven", rtol=1e-10))
    one, two, three = found
    assert two.end_state[:3] == pytest.approx(one.end_state[:3], abs=1e-8)
    assert three["z_S"][-1] == pytest.approx(one["z_S"][-1], abs=1e-8)
    for name in ("contact", "slip"):
        first, second, third = ([e.t for e in motion.events if e.name == name] for motion in found)
        assert first == pytest.approx(second, abs=1e-7)
        assert first == pytest.approx(third, abs=1e-7)


class Block(NamedTuple):
    """A block in a vertical plane on a floor, drawn back by a spring: one contact, and nothing across the plane."""

    k: float = 20.0
    g: float = 9.81
    law: Any = friction(Coulomb(0.4))
    e_N: float = 0.0


describe(Block, {"x": "m", "z": "m", "vx": "m/s", "vz": "m/s"})


@contact.positions.register(Block)
@contact.velocities.register(Block)
def _(block):
    return 2


@contact.contact_count.register(Block)
def _(block):
    return 1


@contact.position_rate.register(Block)
def _(block, q, u, out):
    out[0], out[1] = u[0], u[1]


@contact.mass_matrix.register(Block)
def _(block, q, out):
    out[0, 0] = out[1, 1] = 1.0
    out[0, 1] = out[1, 0] = 0.0


@contact.smooth_forces.register(Block)
def _(block, t, q, u, out):
    out[0], out[1] = -block.k * q[0], -block.g + 0.0 * u[1]


@contact.gap.register(Block)
def _(block, t, q, k):
    return q[1]


@contact.contact_rows.register(Block)
def _(block, t, q, k, out):
    for i in range(3):
        for j in range(2):
            out[i, j] = 0.0
    out[0, 1] = out[1, 0] = 1.0


def test_one_contact_in_a_plane_sticks():
    """A row of zeros made the velocities of a single contact that sticks no numbers, and a paradox was told."""
    reach = 0.4 * 9.81 / 20.0  # where the spring pulls as much as friction holds
    slides = simulate(Block(), [0.5, 0.0, 0.0, 0.0], 3.0, variational=True)
    assert [(e.name, round(e.t, 9)) for e in slides.events] == [("stick", round(math.pi / math.sqrt(20.0), 9))]
    np.testing.assert_allclose(slides.end_state, [2.0 * reach - 0.5, 0.0, 0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(slides.transition[-1], np.diag([-1.0, 0.0, 0.0, 0.0]), atol=1e-6)
    held = simulate(Block(), [0.1, 0.0, 0.0, 0.0], 3.0)
    assert held.provenance["methods"] == [["stick", 0.0]]
    thrown = simulate(Block(), [0.1, 0.2, 1.0, 0.0], 3.0)
    assert [e.name for e in thrown.events] == ["contact", "slip", "stick"]
    stepped = simulate(Block(), [0.1, 0.2, 1.0, 0.0], 3.0, method="moreau", dt=1e-4)
    np.testing.assert_allclose(thrown.end_state, stepped.end_state, atol=1e-3)


def test_a_matrix_of_a_motion_that_ends_where_it_starts():
    """A paradox at the start: nothing has begun, and an index was out of range."""
    rod = Rod(law=friction(Coulomb(3.0)), e_N=0.0)
    for angle, speed in itertools.product(np.linspace(0.6, 1.4, 9), (0.5, -0.5)):
        start = [0.0, 0.5 * math.sin(angle), angle, speed, 0.0, 0.0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if simulate(rod, start, 0.1, method="event-driven").end_time == 0.0:
                motion = simulate(rod, start, 0.1, method="event-driven", variational=True)
                np.testing.assert_array_equal(motion.transition[-1], np.eye(6))
                return
    raise AssertionError("no start has a paradox")
