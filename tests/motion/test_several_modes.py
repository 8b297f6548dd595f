"""Several contacts from event to event: blocks that rock, boxes that slide, stop, tip and tumble; all of one type of system, compiled once."""

import math
import re
import warnings

import numpy as np
import pytest
from motion.judge.consistent import verdict
from motion.judge.modes import IDLE, OPEN, SLIP, STICK
from motion.judge.seen import View, view_once
from random_boxes import box, complaints, random_box
from scipy.integrate import quad, solve_ivp

from rollick import Body, Coulomb, Ellipsoid, simulate, sliding
from rollick.analysis.filippov import what_follows
from rollick.mechanics.mass.primitives import box as solid_box
from rollick.motion.methods import EventDriven
from rollick.motion.result.outcome import MotionWarning

G = 9.81
FLAT, TALL = (0.2, 0.15, 0.1), (0.05, 0.04, 0.3)
STUCK = "stick stick stick stick"


def run(system, start, until, **options):
    """A motion from event to event, without warnings of the end it came to."""
    at = options.pop("at", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        return simulate(system, start, until, method=EventDriven(**options), at=at, progress=False)


def modes_of(motion):
    """The modes one after the other."""
    return [name for name, _ in motion.provenance["methods"]]


def tilt_of(y):
    """The angle by which a box is turned about its second axis."""
    return 2.0 * np.arctan2(y[..., 5], y[..., 3])


def rocking(b, h, angle, until, times):
    """Housner's block: the angles at given times, and the instants of its impacts, from the equations of the plane problem."""
    R, alpha = math.hypot(b, h), math.atan2(b, h)
    rate = lambda t, y: [y[1], -0.75 * G / R * math.sin(alpha * math.copysign(1.0, y[2]) - y[0]), 0.0]
    lands = lambda t, y: y[0]
    lands.terminal = True
    t, y, angles, hits = 0.0, [angle, 0.0, math.copysign(1.0, angle)], np.empty(len(times)), []
    while t < until:
        lands.direction = -y[2]
        piece = solve_ivp(rate, (t, until), y, "DOP853", rtol=1e-12, atol=1e-14, events=lands, dense_output=True)
        inside = (times >= t) & (times <= piece.t[-1])
        angles[inside] = piece.sol(times[inside])[0]
        t = piece.t[-1]
        if piece.status == 1:
            hits.append(t)
            turned = piece.y[1, -1] * (1.0 - 1.5 * math.sin(alpha) ** 2)
            y = [0.0, turned, math.copysign(1.0, turned)]
    return angles, hits


def test_a_rocking_block_loses_housners_share_at_each_impact():
    """One edge comes down, the other leaves in the same impact: omega+/omega- = 1 - 3/2 sin^2 alpha; between impacts it turns about an edge."""
    until, angle = 1.5, 0.1
    at = np.linspace(0.0, until, 301)
    m = run(box(TALL, 0.8), {"q0": math.cos(0.5 * angle), "q2": math.sin(0.5 * angle)}, until, at=at)
    angles, hits = rocking(TALL[0], TALL[2], angle, until, at)
    assert complaints(m) == []
    seen = sorted({e.t for e in m.events if e.name == "impact"})
    assert len(hits) == 3
    np.testing.assert_allclose(seen, hits, atol=1e-8)
    np.testing.assert_allclose(tilt_of(m.y), angles, atol=1e-7)
    assert modes_of(m) == ["stick stick flight flight", "flight flight stick stick"] * 2
    assert {e.kind for e in m.events if e.name == "impact"} == {"contacts 2 3", "contacts 0 1"}


def test_rocking_ends_at_rest_on_all_feet():
    """The impacts accumulate; their limit is lasting contact of four feet, and nothing moves from there on."""
    m = run(box((0.1, 0.1, 0.12), 0.8), {"q0": math.cos(0.02), "q2": math.sin(0.02)}, 2.0)
    assert complaints(m) == []
    assert modes_of(m)[-1] == STUCK
    assert np.abs(m.end_state[7:]).max() < 1e-9


def test_a_box_slides_to_rest_and_its_feet_share_the_load():
    """It stops at v/(mu g) after v^2/(2 mu g); the front feet carry mu m g h/(2 b) more than the rear ones."""
    mu, v = 0.3, 1.0
    m = run(box(FLAT, mu), {"vx": v}, 1.0)
    assert complaints(m) == []
    assert modes_of(m)[-1] == STUCK
    assert [e.name for e in m.events] == ["stick"] * 4
    assert [e.kind for e in m.events] == ["contact 0", "contact 1", "contact 2", "contact 3"]
    assert m.events[0].t == pytest.approx(v / (mu * G), rel=1e-10)
    assert m.end_state[0] - m.y[0, 0] == pytest.approx(v * v / (2.0 * mu * G), rel=1e-9)
    seen = view_once(m.system, 0.0, m.y[0])
    normal = seen.forces((SLIP,) * 4).reshape(4, 3)[:, 0]
    more = mu * 2.0 * G * FLAT[2] / (2.0 * FLAT[0])
    np.testing.assert_allclose(normal, 0.25 * 2.0 * G + 0.5 * np.array([more, more, -more, -more]), rtol=1e-12)


def test_a_box_on_an_incline():
    """It holds below the friction angle, though equal shares of the friction would break the upper feet loose; above it slides."""
    held = run(box(FLAT, 0.5, slope=0.4), {}, 1.0)
    assert modes_of(held) == [STUCK]
    assert np.abs(held.end_state[7:]).max() < 1e-12
    assert [e for e in held.events] == []
    seen = view_once(held.system, 0.0, held.y[0])
    (choice,) = verdict(seen, (0, 1, 2, 3)).choices
    forces = seen.forces((STICK,) * 4, None, choice.shares).reshape(4, 3)
    assert np.all(np.hypot(forces[:, 1], forces[:, 2]) < 0.5 * forces[:, 0])
    np.testing.assert_allclose(seen.accelerations(forces.ravel()), 0.0, atol=1e-10)
    slides = run(box(FLAT, 0.3, slope=0.4), {}, 0.3)
    assert modes_of(slides) == ["slip slip slip slip"]
    speed = np.linalg.norm(slides.end_state[7:10])
    assert speed == pytest.approx(0.3 * G * (math.sin(0.4) - 0.3 * math.cos(0.4)), abs=1e-8)
    assert complaints(slides) == []


def test_a_tall_box_tips_instead_of_sliding_to_rest():
    """mu h > b: the rear feet lift off at once, and it turns with N (mu h - b)/I, N = m g/(1 - m b (mu h - b)/I)."""
    b, _, h = TALL
    mu, mass = 0.6, 2.0
    m = run(box(TALL, mu), {"vx": 1.0}, 0.3)
    assert modes_of(m) == ["slip slip flight flight", "stick stick flight flight"]
    assert complaints(m) == []
    inertia = mass / 3.0 * (b * b + h * h)
    normal = mass * G / (1.0 - mass * b * (mu * h - b) / inertia)
    rate = view_once(m.system, 0.0, m.y[0]).rates((SLIP, SLIP, OPEN, OPEN))
    assert rate[11] == pytest.approx(normal * (mu * h - b) / inertia, rel=1e-10)
    short = run(box((0.3, 0.04, 0.3), mu), {"vx": 1.0}, 0.3)
    assert modes_of(short)[0] == "slip slip slip slip"


def test_a_rod_comes_down_on_one_end_and_then_on_the_other():
    """Without friction: it falls, the lower end stops, the rod turns about it (energy in closed form), both ends come to rest."""
    a, mass, first, drop = 0.5, 2.0, 0.2, 0.1
    feet = [(a, 0.0, 0.0), (-a, 0.0, 0.0), (0.0, 0.1, 1.0), (0.0, -0.1, 1.0)]
    rod = box((a, 1e-3, 1e-3), 0.0, mass=mass, feet=feet)
    inertia = mass / 3.0 * (a * a + 1e-6)
    m = run(rod, {"q0": math.cos(0.5 * first), "q2": math.sin(0.5 * first), "gap": drop}, 1.0)
    assert complaints(m) == []
    t1 = math.sqrt(2.0 * drop / G)
    arm = a * math.cos(first)
    hit = math.sqrt(2.0 * G * drop) * mass * arm / (inertia + mass * arm * arm)  # the angular velocity after it
    whole = 0.5 * (inertia + mass * arm * arm) * hit * hit + mass * G * a * math.sin(first)
    pace = lambda p: math.sqrt(2.0 * (whole - mass * G * a * math.sin(p)) / (inertia + mass * (a * math.cos(p)) ** 2))
    t2 = t1 + quad(lambda p: 1.0 / pace(p), 0.0, first, epsabs=1e-13)[0]
    assert modes_of(m) == ["flight", "contact flight flight flight", "contact contact flight flight"]
    assert [t for _, t in m.provenance["methods"]] == pytest.approx([0.0, t1, t2], abs=1e-9)
    assert np.abs(m.end_state[7:]).max() < 1e-9


@pytest.mark.filterwarnings("ignore:the start gives")  # the velocity at which a foot does not slip is meant
def test_feet_that_slip_apart_share_the_load_and_one_may_be_idle():
    """A box that turns and slides: four feet on a plane are redundant, and no paradox; a foot whose share would be a pull carries nothing."""
    m = run(box(FLAT, 0.3), {"vx": 1.0, "omega3": 5.0}, 1.0)
    assert m.status == "finished"
    assert complaints(m) == []
    assert modes_of(m)[-1] == STUCK
    assert not any(e.name == "lift_off" for e in m.events)
    tall = box((0.2, 0.15, 0.45), 0.3)
    seen = view_once(tall, 0.0, np.array([0.0, 0.0, 0.45, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 10.0]))
    found = verdict(seen, (0, 1, 2, 3))
    assert found.case == ""
    (choice,) = found.choices
    assert sorted(choice.modes.values()) in ([SLIP] * 4, [SLIP, SLIP, SLIP, IDLE])


def two_contacts(c, A, mu):
    """A view of two contacts at rest."""
    one = np.ones(2)
    lift = np.linalg.cholesky(A)
    return View(0.0 * one, mu * one, np.zeros((2, 3)), c.reshape(2, 3), A, lift, np.zeros(13), 1e-10 * one)


def test_exactly_one_combination_is_consistent_with_little_friction():
    """And it satisfies the law: 300 random pairs of coupled contacts."""
    r = np.random.default_rng(4)
    kinds = set()
    for _ in range(300):
        B = r.normal(size=(6, 6))
        A, c, mu = B @ B.T / 6.0 + np.eye(6), r.normal(size=6), r.uniform(0.05, 0.3)
        c[[0, 3]] -= r.choice([0.0, 5.0], size=2)
        seen = two_contacts(c, A, mu)
        found = verdict(seen, (0, 1))
        assert found.case == ""
        (choice,) = found.choices
        modes = (choice.modes[0], choice.modes[1])
        kinds.add(tuple(sorted(modes)))
        forces = seen.forces(modes, choice.ways)
        for k, a in enumerate(seen.accelerations(forces)):
            N, T = forces[3 * k], forces[3 * k + 1 : 3 * k + 3]
            assert min(N, a[0]) == pytest.approx(0.0, abs=1e-9)
            assert np.hypot(*T) <= mu * N + 1e-9
            assert a[1:] @ T == pytest.approx(-mu * N * np.hypot(*a[1:]), abs=1e-8)
    assert len(kinds) == 6  # all pairs of open, slip and stick


def test_painleves_paradox_on_two_feet():
    """A tall box that slides on its front feet with mu > (1/m + b^2/I) I/(b h): no force is consistent."""
    system = box(TALL, 2.6)
    m = run(system, {"vx": 1.0}, 0.1)
    assert m.status == "painleve"
    assert m.provenance["painleve"][0]["case"] == "inconsistent"
    m = run(system, {"vx": 1.0}, 0.1, painleve="impact")
    assert "An impact without collision is for one closed contact; here 4 are closed." in m.message


def test_a_corner_that_slides_into_the_paradox():
    """Its slip loses the unique normal force on the way: the motion ends there, and says so."""
    m = run(*random_box(272), 0.5)
    assert m.status == "painleve"
    assert [e.name for e in m.events][-1] == "painleve_inconsistent"
    name, began = m.provenance["methods"][-1]
    assert name == "slip flight flight flight"
    assert m.end_time > began > 0.0
    inside = m.t > began
    drives = [view_once(m.system, t, y).drive((SLIP, OPEN, OPEN, OPEN)) for t, y in zip(m.t[inside], m.y[inside])]
    assert 0.0 < drives[-1] < 2e-6
    assert drives[0] > 1e-3
    assert np.all(np.diff(drives) < 0.0)


def on_a_ring(feet):
    """A box on feet around a circle."""
    angles = 2.0 * np.pi * np.arange(feet) / feet
    return box((0.2, 0.2, 0.1), 0.3, feet=[(0.2 * np.cos(a), 0.2 * np.sin(a), -0.1) for a in angles])


@pytest.mark.filterwarnings("ignore:the start gives")  # the velocity at which a foot does not slip is meant
def test_eight_feet_slip_and_stop_together():
    m = run(on_a_ring(8), {"vx": 1.0, "vy": 0.0, "omega2": 0.0}, 1.0)
    assert m.status == "finished"
    assert complaints(m) == []
    assert modes_of(m)[-1] == " ".join(["stick"] * 8)
    assert m.provenance["methods"][-1][1] == pytest.approx(1.0 / (0.3 * G), rel=1e-7)


def test_more_closed_contacts_than_can_be_tried_are_refused():
    m = run(on_a_ring(9), {"vx": 1.0, "vy": 0.0}, 0.1)
    assert m.status == "contact_unsolved"
    assert "has 9 closed contacts at t = 0" in m.message
    assert "of at most 8 contacts" in m.message


def test_a_box_that_turns_about_one_foot_slides_on_all_four():
    """Two feet, on a diagonal, could carry it while the other two neither open nor press; so it was followed, until one of these "landed" after 0.4 ms."""
    feet = [(x, y, -0.05) for x in (0.1, -0.1) for y in (0.08, -0.08)]
    system = sliding(Body.from_parts(solid_box(2.0, 0.2, 0.16, 0.1), Ellipsoid(0.1, 0.08, 0.05)), law=Coulomb(0.4), feet=feet)
    start = {"omega3": 1.0}  # the first foot stands
    motion = run(system, start, 0.03)
    assert [name for name, _ in motion.provenance["methods"]] == ["slip slip slip slip"]
    assert [future.letters for future in what_follows(system, motion.y[0])] == ["SSSS"]
    stepped = [simulate(system, start, 0.03, method="moreau", dt=dt, progress=False) for dt in (1e-4, 1e-5)]
    off = [np.abs(one.end_state - motion.end_state).max() for one in stepped]
    assert off[1] < 0.2 * off[0] < 1e-3


def test_a_foot_that_lands_while_others_slip():
    """A box let go on one edge, sliding along it: its other feet land while the first ones are held."""
    m = run(box(FLAT, 0.2), {"q0": math.cos(0.02), "q2": math.sin(0.02), "vy": 0.5}, 0.6)
    assert complaints(m) == []
    assert modes_of(m)[0] == "slip slip flight flight"
    assert modes_of(m)[-1] == STUCK


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k % 8 == 0 else pytest.mark.slow) for k in range(0, 24, 2)])
def test_random_boxes(seed):
    assert complaints(run(*random_box(seed), 0.5)) == []


@pytest.mark.slow
def test_a_hundred_random_boxes():
    found = {seed: complaints(run(*random_box(seed), 0.5)) for seed in range(1000, 1120)}
    assert {seed: told for seed, told in found.items() if told} == {}


@pytest.mark.parametrize("count", [15, pytest.param(30, marks=pytest.mark.slow)])
def test_time_stepping_converges_to_it(count):
    """With order one, on random boxes that touch, before many impacts have made them unpredictable."""
    until, orders = 0.1, []
    for seed in range(count):
        system, start = random_box(seed)
        m = run(system, start, until)
        if (set(modes_of(m)) <= {"flight", STUCK} and not m.events) or sum(e.name == "impact" for e in m.events) > 3:
            continue
        off = []
        for dt in (2e-4, 1.25e-5):
            steps = simulate(system, start, until, method="moreau", dt=dt, at=[until], progress=False)
            off.append(np.abs(steps.end_state - m.end_state)[:13].max() / (1.0 + np.abs(m.end_state[:13]).max()))
        assert off[1] < 1e-3
        orders.append(math.log(off[0] / off[1], 16.0))
    assert len(orders) >= 8 * count / 30
    assert min(orders) > 0.6
    assert np.median(orders) > 0.9


@pytest.mark.filterwarnings("ignore:the start gives")  # the velocity at which a foot does not slip is meant
def test_verify_compares_with_time_stepping():
    m = simulate(box(FLAT, 0.3), {"vx": 1.0, "omega3": 5.0}, 0.1, method="event-driven", verify=True, progress=False)
    (told,) = [check.text for check in m.trust.checks if check.name == "time stepping"]
    coarse, fine = (float(number) for number in re.search(r"off by (\S+) and (\S+) at the end", told).groups())
    assert fine < coarse < 0.1


def test_a_landing_is_told_contact_by_contact():
    """One edge, then the other; each blow is an impact though the contact lasts after it. The energy account closes, and the summary says so."""
    q = np.array([1.0, 0.02, 0.0, 0.0]) / math.hypot(1.0, 0.02)
    m = run(box(FLAT, 0.3, 0.0), {"q0": q[0], "q1": q[1], "gap": 0.1, "vx": 0.5}, 0.4)
    assert [e.name for e in m.events][:6] == ["impact", "contact", "slip"] * 2
    assert len({e.kind for e in m.events[:3]}) == len({e.kind for e in m.events[3:6]}) == 1
    assert m.events[0].kind != m.events[3].kind
    assert all(e.name in ("impact", "contact", "slip", "stick") for e in m.events)
    check = m.provenance["energy_check"]
    assert abs(check["left"]) < 1e-9 * check["in_play"]
    assert "the energy account closes to" in str(m)


ACCOUNT = {"impulse": "impulse"} | {name: f"lost_{name}" for name in ("sliding", "pivoting", "contour", "impacts")}


def test_the_account_of_each_contact_adds_up_to_that_of_the_body():
    """Blows on one edge, then on the other, slip, rest; to rounding, and contact by contact nearly as time stepping has it."""
    q = np.array([1.0, 0.05, 0.03, 0.0]) / math.sqrt(1.0 + 0.05**2 + 0.03**2)
    start = {**dict(zip(("q0", "q1", "q2", "q3"), q)), "gap": 0.02, "vx": 0.5, "vy": 0.1, "omega3": 2.0}
    system = box(FLAT, 0.3, 0.3)
    m = run(system, start, 0.25)
    contacts, stepped = m.provenance["contacts"], simulate(system, start, 0.25, method="moreau", dt=2e-5).provenance["contacts"]
    assert len(contacts) == 4
    assert all(list(contact) == list(ACCOUNT) for contact in contacts)
    for part, name in ACCOUNT.items():
        each = np.array([contact[part] for contact in contacts])
        assert each.sum() == pytest.approx(m[name][-1], rel=1e-13, abs=1e-15)
        assert each == pytest.approx([contact[part] for contact in stepped], rel=0.02, abs=1e-4 * np.abs(each).max())
    assert min(contact["impacts"] for contact in contacts) > 0.0
    assert min(contact["sliding"] for contact in contacts) > 0.0
    assert m.q.shape[1] == m.end_integrals.size == len(m.about.integrals)


def test_the_account_of_a_motion_that_goes_on():
    """It begins anew with each call, like that of time stepping; the integrals go on. Without integrals there is none."""
    system, start = box(FLAT, 0.3), {"vx": 1.0, "vy": 0.2, "omega3": 5.0}
    first = simulate(system, start, 0.05, method="event-driven", dense=True, progress=False)
    then = simulate(system, first, 0.1, method="event-driven", progress=False)
    within = simulate(system, start, 0.05, method="event-driven", at=[0.03], progress=False)
    assert first.at(0.03, "lost_sliding") == pytest.approx(within["lost_sliding"][0], rel=1e-9)
    assert np.array_equal(then.provenance["start_integrals"], first.end_integrals)
    lost = [sum(contact["sliding"] for contact in m.provenance["contacts"]) for m in (first, then)]
    assert lost == pytest.approx([first["lost_sliding"][-1], then["lost_sliding"][-1] - first["lost_sliding"][-1]], rel=1e-12)
    for m in (first, then):
        assert abs(m.provenance["energy_check"]["left"]) < 1e-9 * m.provenance["energy_check"]["in_play"]
    none = simulate(system, start, 0.05, method="event-driven", integrals=False, progress=False)
    assert not {"contacts", "energy_check"} & set(none.provenance)


def test_the_paradox_on_four_feet_offers_what_there_is():
    """A relaxation diverged with a friction coefficient of 1000, and the message offered an impact, which is for one closed contact, slip and lift-off."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        m = run(box(FLAT, 1e3), {"vx": 0.5, "vy": 0.1}, 0.1)
    assert m.status == "painleve"
    assert m.message.endswith("The motion until then is kept. Take method='moreau'.")


@pytest.mark.parametrize("fine", [1e-10, pytest.param(1e-12, marks=pytest.mark.slow)])
def test_room_that_is_hardly_known_where_slip_begins_is_not_gone(fine):
    """The direction of a slip that begins is hardly known, nor is the room that another contact has then; where that ends later, it was taken for the end at the start."""
    system, start = random_box(310)
    modes, exact = (modes_of(run(system, start, 0.25, rtol=rtol)) for rtol in (1e-9, fine))
    assert modes == exact
    assert modes[-3:] == ["stick flight slip flight", "slip flight slip flight", STUCK]
