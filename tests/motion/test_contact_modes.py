"""The modes of a dry contact: none falls through, none lifts off where it should slip; Painleve's paradox is named; smooth laws fly and land."""

import itertools
import math
import re
import warnings

import numpy as np
import pytest
from motion.judge.beginning import slip_directions
from motion.judge.consistent import verdict
from motion.judge.modes import OPEN, SLIP, STICK
from motion.judge.seen import View, view
from random_dry import complaints, random_dry

from rollick import Body, Coulomb, Ellipsoid, InputError, Sphere, simulate, sliding
from rollick.mechanics.laws import Regularised
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.motion.contact.without_collision import percussion_without_collision
from rollick.motion.methods import EventDriven
from rollick.motion.methods.modes_of_bodies import judged
from rollick.motion.result.outcome import MotionWarning

L, G = 1.0, 9.81
ROD = Body.from_inertia(1.0, (L * L / 12.0, L * L / 12.0, 1e-3), Ellipsoid(1e-3, 1e-3, 0.5 * L))
PAINLEVE = sliding(ROD, law=Coulomb(1.8))
LEANING = {"theta": "30deg", "slip_y": 2.0}  # 30 degrees from the vertical; it slips towards the side to which it leans
TURNING = {**LEANING, "omega1": 8.0}
BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))


def run(system, start, until, **options):
    """A motion from event to event, without warnings of the end it came to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        return simulate(system, start, until, method=EventDriven(**options))


@pytest.mark.parametrize("seed", range(0, 24, 3))
def test_random_bodies_neither_fall_through_nor_gain_energy_nor_lift_off_falsely(seed):
    system, start = random_dry(seed)
    assert complaints(run(system, start, 0.5)) == []


@pytest.mark.slow
def test_hundreds_of_random_bodies():
    found = {seed: complaints(run(*random_dry(seed), 1.0)) for seed in range(300)}
    assert {seed: told for seed, told in found.items() if told} == {}


def test_a_flight_that_begins_within_rounding():
    """gap'' = 0 at lift-off: the gap grows with the third power of time, and is noise for a while; not searched for landings, not listed twice."""
    m = run(*random_dry(235), 0.3)
    assert complaints(m) == []
    assert m.status == "finished"
    names = [name for name, _ in m.provenance["methods"]]
    assert [name for name, before in zip(names[1:], names) if name == before] == []
    assert sum(e.name == "lift_off" for e in m.events) == names.count("flight")


def test_a_slender_body_slips_off_and_does_not_fall_through_the_floor():
    """The force that rolling needs leaves the cone with no margin to spare: slip, not lift-off."""
    system = sliding(ROD, law=Coulomb(0.3))
    m = run(system, {"theta": "5deg"}, 0.6)
    assert complaints(m) == []
    assert m.status == "finished"
    assert [name for name, _ in m.provenance["methods"]][:2] == ["stick", "slip"]
    assert m.provenance["least_gap"] > -1e-9


def test_a_start_that_touches_and_approaches_hits_at_once():
    system, _ = random_dry(3)
    m = run(system._replace(e_N=0.5), {"theta": 0.4, "vx": 0.0, "vy": 0.0, "vz": -1.0}, 0.05)
    assert m.events[0].name == "impact"
    assert m.events[0].t == 0.0
    assert m["gap"].min() > -1e-12


def one_contact(c, A, gamma=(0.0, 0.0, 0.0), mu=0.5):
    """A view of one contact."""
    one = np.ones(1)
    return View(
        0.0 * one, mu * one, np.array([gamma]), np.array([c]), np.array(A, float), np.zeros((3, 6)), np.zeros(13), 1e-10 * one
    )


def rod_delassus(angle):
    """A of a rod that touches with its end, at an angle against the ground, slipping along the first direction (Genot and Brogliato)."""
    s, c = math.sin(angle), math.cos(angle)
    return np.array([[1.0 + 3.0 * c * c, 3.0 * s * c, 0.0], [3.0 * s * c, 1.0 + 3.0 * s * s, 0.0], [0.0, 0.0, 1.0]])


def test_the_consistent_modes_of_a_rod():
    """D = 1 + 3 cos^2 - 3 mu sin cos < 0 needs mu > 4/3."""
    A = rod_delassus(math.radians(60.0))
    slipping = (0.0, 1.0, 0.0)
    for mu, c_n, modes, case in (
        (1.0, -9.81, [SLIP], ""),
        (1.0, 2.0, [OPEN], ""),
        (1.8, -9.81, [], "inconsistent"),
        (1.8, 2.0, [SLIP, OPEN], "indeterminate"),
    ):
        found = verdict(one_contact((c_n, 0.0, 0.0), A, slipping, mu), (0,))
        assert [choice.modes[0] for choice in found.choices] == modes
        assert found.case == case
    still = verdict(one_contact((-9.81, 0.0, 0.0), A, mu=0.8), (0,))  # at rest it sticks if mu > 3 s c/(1 + 3 s^2)
    assert [choice.modes[0] for choice in still.choices] == [STICK]
    sliding_off = verdict(one_contact((-9.81, 0.0, 0.0), A, mu=0.2), (0,))
    assert [choice.modes[0] for choice in sliding_off.choices] == [SLIP]
    np.testing.assert_allclose(sliding_off.choices[0].ways[0], [1.0, 0.0], atol=1e-12)


def test_directions_of_beginning_slip_are_those_of_its_acceleration():
    r = np.random.default_rng(1)
    count = 0
    for _ in range(200):
        B = r.normal(size=(3, 3))
        A, c, mu = B @ B.T + 0.3 * np.eye(3), r.normal(size=3), r.uniform(0.0, 0.6)
        for d in slip_directions(c, A, mu):
            normal = -c[0] / (A[0, 0] - mu * A[0, 1:] @ d)
            slide = c[1:] + normal * (A[1:, 0] - mu * A[1:, 1:] @ d)
            assert normal > 0.0
            np.testing.assert_allclose(slide, np.linalg.norm(slide) * d, atol=1e-9 * np.abs(c).max())
            count += 1
    assert count > 30


def test_impact_without_collision_in_closed_form():
    """Slip v stops after the percussion v/(mu A_TT - A_NT); then the end sticks, and is pressed out until its velocity is zero."""
    mu, v, A = 1.8, 2.0, rod_delassus(math.radians(60.0))
    P = percussion_without_collision(np.array([0.0, v, 0.0]), A, mu)
    np.testing.assert_allclose(A @ P + [0.0, v, 0.0], 0.0, atol=1e-11)
    np.testing.assert_allclose(P[:2], -np.linalg.solve(A[:2, :2], [0.0, v]), rtol=1e-11)
    first = v / (mu * A[1, 1] - A[0, 1])
    assert P[0] > first  # more than what stopped the slip
    slanted = percussion_without_collision(np.array([0.0, v, 0.3]), A, mu)  # in space the slip swerves; it loses energy
    gone = np.array([0.0, v, 0.3])
    assert slanted @ (gone + 0.5 * A @ slanted) < 0.0
    assert (gone + A @ slanted)[0] == pytest.approx(0.0, abs=1e-10)


def test_painleves_paradox_is_named_and_stops_the_motion():
    for start, case, why in (
        (LEANING, "inconsistent", "no contact force is"),
        (TURNING, "indeterminate", "several motions .slip, lift-off. are"),
    ):
        with pytest.warns(MotionWarning, match=f"{why} consistent .Painleve's paradox, {case}"):
            m = simulate(PAINLEVE, start, 0.1, method="event-driven")
        assert m.status == "painleve"
        assert not m.complete
        assert [e.name for e in m.events] == [f"painleve_{case}"]
        assert m.provenance["painleve"] == [{"t": 0.0, "case": case, "done": "stop"}]


@pytest.mark.parametrize(("policy", "first"), [("slip", "slip"), ("lift", "flight")])
def test_where_several_motions_are_consistent_the_user_chooses(policy, first):
    m = run(PAINLEVE, TURNING, 0.01, painleve=policy)
    assert m.provenance["methods"][0][0] == first
    assert m.provenance["painleve"][0]["done"] == policy
    assert "Painleve's paradox: indeterminate at t = 0" in m.message
    assert run(PAINLEVE, LEANING, 0.01, painleve=policy).status == "painleve"  # where none is, nothing can be chosen


def test_impact_without_collision_stops_the_slip():
    m = run(PAINLEVE, LEANING, 0.05, painleve="impact")
    assert [e.name for e in m.events][:2] == ["painleve_inconsistent", "impact_without_collision"]
    seen = view(PAINLEVE, 0.0, m.events[1].state)
    np.testing.assert_allclose(seen.gamma, 0.0, atol=1e-9)
    assert m["slip"][0] < 1e-9
    assert m["lost_sliding"][0] + m["lost_impacts"][0] > 0.0
    assert m["gap"].min() > -1e-9
    assert complaints(m) == []


@pytest.mark.parametrize(
    ("start", "end"), [((60.0, 6.0, -6.0), "lift_off"), ((8.0, 2.0, 3.0), "stick"), ((55.0, 2.0, -3.0), "stick")]
)
def test_slip_does_not_last_into_the_paradox(start, end):
    """Where it turns towards the region in which D < 0, the normal force lifts the rod off or ends the slip first (Genot and Brogliato)."""
    angle, slip, turn = start
    m = run(PAINLEVE, {"theta": f"{angle}deg", "slip_y": slip, "omega1": turn}, 0.3)
    assert complaints(m) == []
    assert m.status == "finished"
    assert end in [e.name for e in m.events]
    modes = [*m.provenance["methods"], ["", m.end_time]]
    drives = []
    for (name, first), (_, last) in itertools.pairwise(modes):
        inside = (m.t > first) & (m.t < last) & (name == "slip")
        drives += [view(PAINLEVE, t, y).drive((SLIP,)) for t, y in zip(m.t[inside], m.y[inside])]
    assert len(drives) > 3
    assert min(drives) > 0.0


def test_the_policy_is_checked():
    with pytest.raises(InputError, match="painleve"):
        simulate(PAINLEVE, LEANING, 0.1, method=EventDriven(painleve="hope"))


def test_a_body_inside_a_surface_is_never_finished():
    m = run(PAINLEVE, {"theta": "5deg", "gap": 0.1}, 0.05)
    assert m.status == "finished"
    m.y[-1, 2] -= 1.0
    assert judged(EventDriven(), m).status == "penetration"
    assert "inside a surface" in m.message


def test_a_body_with_a_smooth_law_flies_hits_and_stays():
    """Without a word on the method: flight, impacts with its restitution, lasting contact; the account closes."""
    system = sliding(BALL, law=Regularised(0.3, 0.1), restitution=0.5)
    m = simulate(system, {"gap": 0.05, "vx": 0.5}, 0.6)
    assert m.provenance["method"] == "event-driven"
    names = [name for name, _ in m.provenance["methods"]]
    assert names[:2] == ["flight", "flight"]
    assert names[-1] == "contact"
    fall = math.sqrt(2.0 * 0.05 / G)
    hits = [e.t for e in m.events if e.name == "impact"]
    assert hits[:2] == pytest.approx([fall, 2.0 * fall], rel=1e-9)
    (rest,) = [e.t for e in m.events if e.name == "contact"]
    assert rest == pytest.approx(3.0 * fall, rel=1e-6)
    assert complaints(m) == []
    with pytest.raises(InputError, match="dt is no option"):
        simulate(system, {"gap": 0.05}, 0.1, dt=1e-3)
    with pytest.raises(InputError, match="variational cannot be had"):
        simulate(system, {"gap": 0.05}, 0.1, method="moreau", variational=True)


@pytest.mark.slow
def test_verify_compares_with_time_stepping():
    """Slip, stick and slip: of order one. (After an impact, whose instant is known to dt, two step sizes need not show an order.)"""
    system, start = random_dry(1)
    m = simulate(system, start, 0.1, method="event-driven", verify=True)
    (told,) = [check.text for check in m.trust.checks if check.name == "time stepping"]
    coarse, fine = (float(number) for number in re.search(r"off by (\S+) and (\S+) at the end .order", told).groups())
    assert fine < 0.3 * coarse < 0.01
