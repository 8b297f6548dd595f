"""The solver for Filippov systems: published numbers, closed forms, two formulations of one body, twins, and futures that are not unique."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from motion.judge.as_forms import AsForm
from random_dual_points import random_case

from rollick import Body, Coulomb, Event, InputError, MotionWarning, Sphere, simulate, sliding
from rollick.analysis.filippov import motion_tree
from rollick.archetypes.filippov import PoolBall, SpringDisk
from rollick.archetypes.filippov.corner import BallInCorner
from rollick.kernel.system import describe
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall
from rollick.motion.filippov.algebra.code import contact_code
from rollick.motion.filippov.instant import Contacts
from rollick.motion.filippov.systems.form import contact_form, contact_total, grip_and_load, presses, slip_size
from rollick.motion.filippov.systems.twin import Twin
from rollick.motion.methods import EventDriven

START = [0.8, 0.9, 1.2, -0.7]


def modes(motion):
    return [name for name, _ in motion.provenance["methods"]]


def test_a_ball_in_a_pool_stops_slipping_when_it_should():
    """E4: the stick time and the velocity there."""
    for rtol in (1e-9, 1e-12):
        motion = simulate(PoolBall(), START, 2.0, rtol=rtol)
        assert motion.provenance["method"] == "event-driven"  # what auto takes
        assert modes(motion) == ["S", "R"]
        (stick,) = motion.events
        assert stick.name == "stick"
        assert stick.t == pytest.approx(0.357863144, abs=1e-9)
        assert stick.state == pytest.approx([0.0, 0.0, 0.843353, -0.858174], abs=5e-7)
        after = math.exp(-5.0 / 7.0 * 0.5 * (2.0 - stick.t))  # F_s = -5K v/(7m)
        assert motion.end_state == pytest.approx(after * stick.state, abs=1e-8)


def test_a_ball_leaves_rolling_where_the_theory_says():
    """The water speeds the ball's slip up beyond 7 mu g m/(2K): it rolls until |v - flow| is that large, and then slips, along the flow."""
    # at rest in water that flows faster than the critical speed: rolling is impossible at once, slip begins against the flow's pull
    ball = PoolBall(flow_y=8.0)
    motion = simulate(ball, [0.0, 0.0, 0.0, 0.0], 1.5)
    assert modes(motion)[0] == "S"
    assert motion.y[1, 0] != 0.0
    assert abs(motion.y[1, 1]) < 1e-20
    assert modes(motion) == ["S", "R"]
    speed = 7.0 * ball.mu * ball.g * ball.m / (2.0 * ball.K)
    assert abs(motion.events[0].state[2] - 8.0) < speed


def test_what_follows_does_not_depend_on_the_trace_that_slip_begins_with():
    """slip_scale sets how small the first slip is; and the twin, which knows no traces, comes to the same."""
    ball, start = PoolBall(flow_y=8.0), [0.0, 0.0, 0.3, 0.1]
    ends = [simulate(ball, start, 1.5, method=EventDriven(slip_scale=trace)).end_state for trace in (1.0, 1e-2, 1e-4)]
    assert ends[0] == pytest.approx(ends[2], abs=1e-8)
    assert ends[1] == pytest.approx(ends[2], abs=1e-9)
    twins = [simulate(Twin(ball, eps, contact_code()), start, 1.5, method="radau", rtol=1e-10).end_state for eps in (2e-5, 1e-5)]
    assert ends[2][2:] == pytest.approx((2.0 * twins[1] - twins[0])[2:], abs=1e-7)


class Gusty(NamedTuple):
    """The ball in a pool whose water speeds up: a system as a user would write it. The flow is gust t."""

    gust: float
    mu: float = 0.1
    K: float = 0.5


describe(Gusty, {"u_y": "m/s", "u_z": "m/s", "v_y": "m/s", "v_z": "m/s"})
contact_total.register(Gusty)(lambda ball: 1)
grip_and_load.register(Gusty)(lambda ball, t, y, k: (ball.mu, 9.81))


@contact_form.register(Gusty)
def _(ball, modes, t, y, free, push, c, A, slip):
    for i in range(2):
        drag = -ball.K * (y[2 + i] - (ball.gust * t if i == 0 else 0.0))
        free[i], free[2 + i], c[1 + i], slip[i] = drag, drag, drag, y[i]
        for j in range(2):
            one = 1.0 if i == j else 0.0
            push[1 + i, j], push[1 + i, 2 + j], A[1 + i, 1 + j] = 3.5 * one, one, 3.5 * one


def test_a_ball_leaves_rolling_when_the_water_has_become_too_fast():
    """d = v - flow: d' = -(5K/7) d - gust while it rolls, until |d| = 7 mu g/(2K); then it slips, the slip against the flow's lead."""
    gust, K = 4.0, 0.5
    motion = simulate(Gusty(gust), [0.0, 0.0, 0.0, 0.0], 3.0)
    limit, critical = -7.0 * gust / (5.0 * K), 7.0 * 0.1 * 9.81 / (2.0 * K)
    when = -7.0 / (5.0 * K) * math.log((critical + limit) / limit)
    assert modes(motion) == ["R", "S"]
    assert motion.events[0].name == "slip"
    assert motion.events[0].t == pytest.approx(when, abs=1e-8)
    late, pull = 3.0 - when, 0.1 * 9.81  # slipping: d' = -K d - mu g - gust, u' = -K d - (7/2) mu g
    d_end = -(pull + gust) / K + (-critical + (pull + gust) / K) * math.exp(-K * late)
    slid = K * (pull + gust) / K * late + (critical - (pull + gust) / K) * (1.0 - math.exp(-K * late)) - 3.5 * pull * late
    assert motion.end_state == pytest.approx([slid, 0.0, d_end + 3.0 * gust, 0.0], abs=1e-7)


def test_a_disk_on_a_spring_sticks_and_slips_where_it_must():
    """E1: it rolls while |w| < 3 mu g m/k; energy in rolling is kept."""
    disk = SpringDisk()
    motion = simulate(disk, [3.5, 0.2, 0.0], 30.0)
    edge = 3.0 * disk.mu * disk.g * disk.m / disk.k
    slips = [e for e in motion.events if e.name == "slip"]
    assert len(slips) == 7
    assert [abs(e.state[0]) for e in slips] == pytest.approx([edge] * 7, rel=1e-6)
    assert modes(motion) == ["S", "R"] * 8
    # rolling: w'' = -(2/3) (k/m) w from the state at which it sticks
    stick = motion.events[0]
    omega, later = math.sqrt(2.0 / 3.0), slips[0].t - stick.t
    w = stick.state[0] * math.cos(omega * later) + stick.state[1] / omega * math.sin(omega * later)
    assert w == pytest.approx(slips[0].state[0], abs=1e-7)


CORNER = {"v": 1.0, "Omega_x": 3.0, "Omega_y": -2.0, "Omega_z": 4.0}


def corner_body(mu=0.3):
    """The ball of `BallInCorner()` as a body between two walls: x, bisector and edge are x, z and -y."""
    a = math.pi / 4.0
    walls = [(wall((s * math.cos(a), 0.0, math.sin(a)), (0, 0, 0)), Coulomb(mu), 0.0) for s in (1.0, -1.0)]
    return sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=walls)


def test_a_ball_in_a_corner_in_two_formulations():
    """Four velocities by hand, and thirteen states of a body between two walls: the same modes, the same instants, the same motion."""
    by_hand = simulate(BallInCorner(), CORNER, 1.0)
    assert modes(by_hand) == ["SS", "RS", "RR"]
    start = [0, 0, 0.1 / math.sin(math.pi / 4.0), 1, 0, 0, 0, 0, -1.0, 0, 3.0, -4.0, -2.0]
    body = simulate(corner_body(), start, 1.0, method="event-driven")
    assert modes(body) == ["slip slip", "stick slip", "stick stick"]
    as_form = simulate(corner_body(), start, 1.0, method=AsForm())
    assert modes(as_form) == modes(by_hand)
    for motion in (body, as_form):
        assert [e.t for e in motion.events] == pytest.approx([e.t for e in by_hand.events], abs=1e-9)
        assert [-motion.end_state[1], -motion.end_state[8]] == pytest.approx(by_hand.end_state[:2], abs=1e-8)
    assert np.diff(by_hand["energy"]).max() < 1e-12


def test_rolling_forces_are_short_of_one_equation():
    """Tables 3.4 and 3.5: with both contacts rolling one force is undetermined, the pair along the line of contacts; else none."""
    ball, y = BallInCorner(), np.array([0.0, 1.0, 3.0, -2.0, 4.0])
    contacts = Contacts(ball, 5)
    for letters, missing in (((1, 1), 0), ((1, 2), 0), ((2, 1), 0), ((2, 2), 1)):
        seen = contacts.at(0.0, y, letters)
        _, null, found = contacts.forces(seen, letters)
        assert found == missing
        if missing:
            assert null @ seen.push[:, :5] == pytest.approx(np.zeros(5), abs=1e-12)
            # along the line of contacts, which is x here: N n + T2 n x z of P+ is the opposite of that of P-
            a = math.pi / 4.0
            plus = null[0] * np.array([math.cos(a), math.sin(a)]) + null[2] * np.array([math.sin(a), -math.cos(a)])
            assert plus[1] == pytest.approx(0.0, abs=1e-12 * abs(plus[0]))


def test_the_twin_comes_to_the_same_motion():
    """Friction over slips of the size eps, extrapolated: `verify` tells the difference, mode by mode."""
    motion = simulate(BallInCorner(), CORNER, 0.5, verify=True)
    (told,) = [check.text for check in motion.trust.checks if check.name == "regularised twin"]
    worst = max(float(part.split(": ")[1].split()[0]) for part in told.split("state: ")[1].split("; "))
    assert worst < 1e-4
    assert motion.trust.worst > 7.0
    twin = simulate(Twin(BallInCorner(), 1e-5, contact_code()), CORNER, 0.5, rtol=1e-9, method="auto")
    assert twin.end_state == pytest.approx(motion.end_state, abs=2e-4)


def test_a_future_that_is_not_unique_is_told_and_a_policy_chosen():
    """Prefer rolling goes on; a tree follows all of them; to stop is the default."""
    ball = BallInCorner(opening=math.radians(60.0), mu_plus=0.9, mu_minus=0.9, slope=math.radians(75.0))
    with pytest.warns(UserWarning, match="not unique"):
        motion = simulate(ball, None, 0.5)
    assert motion.status == "ambiguous"
    assert len(motion.provenance["futures"]) > 1
    rolled = simulate(ball, None, 0.5, method=EventDriven(ambiguous="roll"))
    assert modes(rolled) == ["RR"]
    tree = motion_tree(ball, None, 0.5, most=6)
    assert len(tree.branches) == len(motion.provenance["futures"])
    ends = {tuple(modes(leaf.motion)) for leaf in tree.leaves()}
    assert len(ends) > 1
    assert "until t" in str(tree)


SHAKEN = BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2, mu_plus=0.3, mu_minus=0.25)


def test_a_shaken_ball_goes_through_many_modes_in_few_steps():
    """62 changes of mode, all pairs of slip and rolling, slips that turn; the error follows the tolerance."""
    runs = {
        rtol: simulate(SHAKEN, [0.0, 0.1, 0.0, 0.0, 0.3], 2.0, rtol=rtol, method=EventDriven(ambiguous="roll"), progress=False)
        for rtol in (1e-8, 1e-10, 1e-12)
    }
    best = runs[1e-12]
    assert len(modes(best)) == 63
    assert set(modes(best)) == {"SS", "SR", "RS", "RR"}
    for rtol, motion in runs.items():
        assert modes(motion) == modes(best)
        assert np.abs(motion.end_state - best.end_state).max() < 10.0 * rtol
    assert runs[1e-10].provenance["steps"] < 10 * 63


def differences(system, start, at, method, d=1e-5):
    """The transition matrix by central differences of motions, which share their modes."""
    found = []
    for j in range(len(start)):
        ends = []
        for sign in (1.0, -1.0):
            moved = np.array(start, float)
            moved[j] += sign * d
            ends.append(simulate(system, moved, at[-1], at=at, method=method, progress=False))
        assert modes(ends[0]) == modes(ends[1])
        found.append((ends[0].y - ends[1].y) / (2.0 * d))
    return np.array(found).transpose(1, 2, 0)


@pytest.mark.parametrize(
    ("system", "start", "at", "passed"),
    [
        (SpringDisk(), [0.3, 0.5, 0.2], [0.5, 3.0], ["S", "R"]),
        (PoolBall(surge=10.0, omega=2.0), START, [0.5, 1.6, 6.0], ["S", "R", "S", "R", "S", "R", "S"]),
        (SHAKEN, [0.0, 0.1, 0.0, 0.0, 0.3], [0.05, 0.09, 0.3], ["SS", "SR", "RR", "SR", "SS", "SR", "RR", "SR", "SS"]),
    ],
)  # fmt: skip
def test_the_transition_matrix_goes_through_changes_of_mode(system, start, at, passed):
    method = EventDriven(rtol=1e-12, ambiguous="roll")
    motion = simulate(system, start, at[-1], at=at, method=method, variational=True, progress=False)
    assert modes(motion) == passed
    wanted = differences(system, start, at, method)
    assert motion.transition == pytest.approx(wanted, abs=2e-6 * np.abs(wanted).max())


def test_output_events_and_going_on_are_as_for_other_methods():
    """at, dense, events of a user, limits, a motion as start."""
    whole = simulate(PoolBall(), START, 2.0, dense=True, events=[Event("v_y", level=1.0)])
    assert [e.name for e in whole.events] == ["v_y", "stick"]
    some = simulate(PoolBall(), START, 2.0, at=[0.1, 0.5, 1.5])
    assert some.y == pytest.approx(np.array([whole.at(t) for t in (0.1, 0.5, 1.5)]), abs=1e-8)
    half = simulate(PoolBall(), START, 0.2)
    assert simulate(PoolBall(), half, 2.0).end_state == pytest.approx(whole.end_state, abs=1e-8)
    stopped = simulate(PoolBall(), START, 2.0, events=[Event("u_y", "falling", level=0.4, terminal=True)])
    assert stopped.status == "event"


def test_what_it_cannot_do_it_refuses():
    """By name, with what to do instead."""
    with pytest.raises(InputError, match="integrals"):
        simulate(PoolBall(), START, 1.0, integrals=True)
    with pytest.raises(InputError, match="many pasts"):
        simulate(PoolBall(), START, -1.0)
    with pytest.raises(InputError, match="dry friction"):
        simulate(PoolBall(), START, 1.0, method="dop853")
    with pytest.raises(InputError, match="ambiguous"):
        simulate(PoolBall(), START, 1.0, method=EventDriven(ambiguous="hope"))
    with pytest.raises(InputError, match="painleve = 'lift' is for bodies"):
        simulate(PoolBall(), START, 1.0, painleve="lift")
    with pytest.raises(InputError, match="slip_scale is for forms"):
        simulate(corner_body(), None, 1.0, slip_scale=1.0)


EDGE = (
    3.0 * SpringDisk().mu * SpringDisk().g * SpringDisk().m / SpringDisk().k
)  # where the spring pulls as much as friction can hold


@pytest.mark.parametrize("off", [0.0, 1e-15, 1e-10, 1e-8])
def test_starting_on_the_edge_of_rolling(off):
    """Outwards it slips at once; the first step of that slip has no step before it to take its length from."""
    motion = simulate(SpringDisk(), [EDGE * (1.0 + off), 0.1, 0.0], 3.0)
    assert motion.status == "finished"
    near = simulate(SpringDisk(), [EDGE * (1.0 - 1e-7), 0.1, 0.0], 3.0)
    np.testing.assert_allclose(motion.end_state, near.end_state, atol=1e-5)


@pytest.mark.parametrize("off", [-1e-11, -1e-13, 2e-16, 1e-12])
def test_rolling_that_touches_its_edge_goes_on(off):
    """From rest at one edge the disk swings to the other, where it is at rest again: it rolls on, as a disk that starts a little inside."""
    motion = simulate(SpringDisk(), [EDGE * (1.0 + off), 0.0, 0.0], 12.0)
    assert motion.status == "finished"
    inside = simulate(SpringDisk(), [EDGE * (1.0 - 1e-6), 0.0, 0.0], 12.0)
    assert len(inside.provenance["methods"]) == 1
    np.testing.assert_allclose(motion.end_state, inside.end_state, atol=1e-5)


def test_going_on_from_a_change_of_mode():
    ball = PoolBall(mu=0.1402717322387484, surge=4.446756771983299, omega=2.777132860452479)
    start = [-0.24161920694046624, 0.0004023177203800074, -7.431117318673057, -1.957169245753373]
    whole = simulate(ball, start, 5.0)
    for t in [at for _, at in whole.provenance["methods"]][1:]:
        rest = simulate(ball, simulate(ball, start, t), 5.0)
        np.testing.assert_allclose(rest.end_state, whole.end_state, atol=1e-8)
    for most in (1, 2):
        with pytest.warns(MotionWarning, match=f"after {most} changes"):
            motion = simulate(ball, start, 5.0, method=EventDriven(max_changes=most))
        assert (motion.status, len(motion.provenance["methods"])) == ("max_steps", most + 1)


def test_a_contact_that_neither_presses_nor_opens():
    """Once the floor sticks, the ball runs straight along the wall, whose normal force is zero but for rounding: it never lifts off, and never slips."""
    walls = [(wall(normal, (0, 0, 0)), Coulomb(0.335834), 0.0) for normal in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))]
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=walls)
    start = [0.1, 0, 0.1, 1, 0, 0, 0, 0, -1.22735, 0, -13.66453, -1.44087, -18.89503]
    motion = simulate(ball, start, 0.4576, method=AsForm())
    assert [name for name, _ in motion.provenance["methods"]] == ["SS", "RS"]
    np.testing.assert_allclose(motion.end_state, simulate(ball, start, 0.4576, method="event-driven").end_state, atol=1e-6)


@pytest.mark.parametrize("rtol", [1e-5, 1e-9])
def test_a_slaved_step_ends_with_the_motion(rtol):
    """Slip that begins from rolling at both contacts, and is slaved still when the time is up."""
    ball = BallInCorner(
        m=0.4237774696966722, r=0.5206847014942884, opening=2.7905869458138657, tilt=0.1447452539773305, slope=0.4127725464046459,
        mu_plus=0.060867734129492396, mu_minus=0.17643030298240617, shake=0.3165478627742208, omega=1.1277947383283407,
    )  # fmt: skip
    motion = simulate(ball, [0, 0.8945942825587943, 0, 0, 0], 0.591916436485632, method=EventDriven(rtol=rtol, ambiguous="roll"))
    assert (motion.status, motion.end_time) == ("finished", 0.591916436485632)
    np.testing.assert_allclose(motion.end_state, [1.00949329, 2.50958354, 4.19874664, 0.69600206, 0.0], atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("rtol", [1e-7, 1e-8, 1e-9])
def test_a_contact_that_opens_in_the_step_in_which_another_begins_to_slip(rtol):
    """The slip that began turns within the step, and with it the normal force of the contact that opens (it was judged along the first direction)."""
    body, start = random_case(76503)
    finer, coarser = (simulate(body, start, 0.35, method=EventDriven(rtol=r), progress=False) for r in (1e-11, rtol))
    assert coarser.status == finer.status == "finished"
    assert modes(coarser) == modes(finer)
    assert modes(coarser)[-1] == "flight slip"
    for (_, t), (_, other) in zip(coarser.provenance["methods"], finer.provenance["methods"]):
        assert t == pytest.approx(other, abs=10.0 * rtol)


class Relieved(NamedTuple):
    """A block that slips, driven along its way, and is pressed on by a force that vanishes tangentially at t = 1, and pulls by `dip` there. It weighs little: A_TT = 10 A_NN."""

    dip: float = 0.0
    mu: float = 0.1


describe(Relieved, {"u": "m/s"})
contact_total.register(Relieved)(lambda block: 1)
slip_size.register(Relieved)(lambda block: 1)
presses.register(Relieved)(lambda block: True)


@contact_form.register(Relieved)
def _(block, modes, t, y, free, push, c, A, slip):
    zero = 0.0 * y[0]
    free[0], slip[0] = 1.0 + zero, y[0]
    c[0], c[1] = block.dip - (t - 1.0) * (t - 1.0) + zero, 1.0 + zero
    push[0, 0], push[1, 0] = zero, 10.0 + zero
    A[0, 0], A[1, 1], A[0, 1], A[1, 0] = 1.0 + zero, 10.0 + zero, zero, zero


@grip_and_load.register(Relieved)
def _(block, t, y, k):
    return block.mu + 0.0 * y[0], 0.0 * y[0]


@pytest.mark.parametrize("dip", [3e-11, 5e-11, 1e-6])
def test_a_normal_force_that_vanishes_tangentially_is_a_contact_loss(dip):
    """Within rounding of zero neither a push nor a gap that grows can be told: nothing was consistent, which was taken for Painleve's paradox."""
    with pytest.warns(UserWarning, match="opens"):
        motion = simulate(Relieved(dip), [1.0], 2.0, method=EventDriven(max_step=0.05), progress=False)
    assert motion.status == "contact_loss"
    assert motion.end_time == pytest.approx(1.0 - math.sqrt(dip), abs=1e-5)
