"""Bodies with friction: time stepping against textbooks and against the event-driven integrator, and the ODE of lasting contact."""

import math

import numpy as np
import pytest
from systems import Slab

from rollick import InputError, Rattleback, simulate
from rollick.mechanics.body import Body
from rollick.mechanics.laws.contensou import contensou
from rollick.mechanics.laws.friction import DryContour, DryPivoting, friction
from rollick.mechanics.laws.sliding import Coulomb, Regularised
from rollick.mechanics.mass.primitives import box, solid_sphere
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere
from rollick.mechanics.sliding import Lowest, sliding
from rollick.mechanics.surfaces.plane import Plane
from rollick.motion.result.outcome import MotionWarning, StartAdjusted

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
SLIPPING = sliding(BALL, law=Coulomb(0.3))
BOUNCING = sliding(BALL, law=Coulomb(0.3), e_N=0.7)
# a tippedisk, roughly: a thin eccentric disk on its edge
DISK = Body.from_inertia(0.4354, (2.4856e-4, 2.2406e-4, 4.6536e-4), Rim(0.045), (2.5e-3, 0.0, 0.0))
WOBBLE = sliding(DISK, law=Coulomb(0.3), feet=Lowest())
LEANING = {"theta": math.pi / 2 - 0.1, "psi": -math.pi / 2 + 0.1, "phi_rate": 40.0, "slip_x": 0.2}
BACKSPIN = {"q0": 1.0, "vx": 1.0, "omega2": -20.0}
ROLLS_AT = 3.0 / (3.5 * 0.3 * 9.81)  # slip 3 m/s, decelerated by 7/2 mu g


def test_backspin_from_event_to_event():
    m = simulate(SLIPPING, BACKSPIN, 1.0, method="event-driven")
    (stop,) = m.events
    assert stop.name == "stick"
    assert stop.t == pytest.approx(ROLLS_AT, abs=1e-8)
    assert m["vx"][-1] == pytest.approx(1.0 / 7.0, abs=1e-12)
    assert m["slip"][-1] < 1e-12
    assert m.provenance["methods"][0][0] == "slip"


@pytest.mark.parametrize("scheme", ["moreau", "midpoint", "thesis"])
def test_backspin_by_time_stepping(scheme):
    m = simulate(SLIPPING, BACKSPIN, 1.0, method=scheme, dt=1e-4, every=10)
    assert m["vx"][-1] == pytest.approx(1.0 / 7.0, abs=1e-9)
    still = m.t > ROLLS_AT + 1e-3
    assert m["slip"][still].max() < (1e-8 if scheme == "thesis" else 1e-9)  # rolls, without creeping (to its published tolerance)
    lost = 0.5 * 1.0 + 0.5 * 0.004 * 400.0 - m["energy"][-1] + 1.0 * 9.81 * 0.1
    assert m["lost_sliding"][-1] == pytest.approx(lost, rel=1e-9)
    assert m["impulse"][-1] == pytest.approx(9.81, rel=1e-3)


def test_bounces_accumulate_when_they_should():
    m = simulate(BOUNCING, {"q0": 1.0, "gap": 0.5, "vx": 0.0, "vy": 0.0}, 3.0, method="event-driven")
    fall = math.sqrt(2.0 * 0.5 / 9.81)
    limit = fall + 2.0 * 0.7 * fall / (1.0 - 0.7)
    (rest,) = [e.t for e in m.events if e.name == "contact"]
    assert rest == pytest.approx(limit, abs=1e-10)
    hits = [e.t for e in m.events if e.name == "impact"]
    assert hits[:3] == pytest.approx([fall, fall + 1.4 * fall, fall + 1.4 * fall + 0.98 * fall], abs=1e-10)
    assert abs(m["z"][-1] - 0.1) < 1e-12


def test_bounces_by_time_stepping_converge():
    fall = math.sqrt(2.0 * 0.5 / 9.81)
    top = fall * 1.7  # the first rebound is highest then
    expected = 0.1 + 0.5 * 0.49
    errors = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        m = simulate(BOUNCING, {"q0": 1.0, "gap": 0.5, "vx": 0.0, "vy": 0.0}, top, method="moreau", dt=dt)
        errors.append(abs(m["z"][-1] - expected))
    assert errors[2] < 3e-3
    end = simulate(BOUNCING, {"q0": 1.0, "gap": 0.5, "vx": 0.0, "vy": 0.0}, 3.0, method="moreau", dt=1e-3)
    assert abs(end["z"][-1] - 0.1) < 9.81 * 1e-3**2  # what a step of free fall can do
    assert end["energy"].max() < end["energy"][0] + 1e-9
    flights = end["energy"][(end["gap"] > 1e-3) & (end.t > fall)]
    assert np.all(np.diff(flights) < 1e-9)  # each rebound has less


def orders(scheme, until):
    """Measured orders of convergence towards the event-driven solution."""
    reference = simulate(WOBBLE, LEANING, until, method="event-driven", rtol=1e-12).end_state
    errors = [
        np.abs(simulate(WOBBLE, LEANING, until, method=scheme, dt=dt).end_state - reference).max() for dt in (1e-4, 5e-5, 2.5e-5)
    ]
    return errors, np.log2(np.array(errors[:-1]) / errors[1:])


@pytest.mark.slow
def test_time_stepping_converges_to_the_event_driven_motion():
    """Slip that ends in rolling at 29 ms: first order with Moreau's scheme and the thesis', second order with the midpoint scheme."""
    for scheme in ("moreau", "thesis"):
        errors, found = orders(scheme, 0.05)
        np.testing.assert_allclose(found, 1.0, atol=0.02)
    errors, found = orders("midpoint", 0.01)
    np.testing.assert_allclose(found, 2.0, atol=0.02)
    errors, found = orders("midpoint", 0.05)
    assert errors[-1] < 1e-5
    assert found.mean() > 1.6


def test_lasting_contact_as_an_ode():
    """Smooth friction: the ODE, stiff or not, and time stepping tend to the same motion."""
    start = {"theta": math.pi / 2, "psi": -math.pi / 2 + 0.1, "phi_rate": 40.0}
    body = sliding(DISK, law=Regularised(0.3, 0.1), feet=Lowest())
    fine = simulate(body, start, 0.5, rtol=1e-11, at=[0.5])
    stiff = simulate(body, start, 0.5, rtol=1e-9, method="radau", at=[0.5])
    np.testing.assert_allclose(stiff.y, fine.y, atol=1e-5)
    assert abs(fine["gap"][0]) < 1e-15
    errors = [np.abs(simulate(body, start, 0.5, method="midpoint", dt=dt).end_state - fine.y[0]).max() for dt in (2e-4, 1e-4)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    balance = simulate(body, start, 0.5, rtol=1e-11)
    total = balance["energy"] + balance["lost_sliding"]
    np.testing.assert_allclose(total, total[0], rtol=1e-9)
    sharp = simulate(sliding(DISK, law=Regularised(0.3, 1e-3), feet=Lowest()), start, 0.3, rtol=1e-8)
    assert sharp.complete


def test_a_system_without_signals_slides_by_a_smooth_law():
    """The gap of lasting contact is checked by the contact itself where no signal tells it."""
    slab = Slab(law=friction(Regularised(0.3, 0.1)), floor=0.5)
    m = simulate(slab, [0.0, 0.0, 0.5, 2.0, 0.0, 0.0], 0.5, rtol=1e-10)
    v = float(m.end_state[3])
    assert np.abs(m.y[:, 2] - 0.5).max() < 1e-12
    assert [(c.name, c.passed) for c in m.trust.checks] == [("gap", True)]
    # v' = -mu g v/(v + eps)
    assert 2.0 - v + 0.1 * math.log(2.0 / v) == pytest.approx(0.3 * 9.81 * 0.5, rel=1e-8)


def test_lift_off_ends_lasting_contact():
    body = sliding(DISK, law=Regularised(0.3, 0.1), feet=Lowest())
    with pytest.warns(MotionWarning, match="the body lifts off"):
        m = simulate(body, {"theta": 1.2, "phi_rate": 40.0, "theta_rate": 60.0, "psi_rate": 30.0}, 1.0, method="dop853")
    assert m.status == "left_domain"


A = 0.1
BLOCK = Body.from_parts(box(1.0, 2 * A, 2 * A, A), Ellipsoid(A, A, 0.5 * A))
CORNERS = [(sx * A, sy * A, -0.5 * A) for sx in (1, -1) for sy in (1, -1)]


def test_a_block_on_an_incline():
    edge = math.atan(0.5)
    held = sliding(BLOCK, on=Plane(edge - math.radians(0.01)), law=Coulomb(0.5), feet=CORNERS)
    m = simulate(held, {"q0": 1.0}, 20.0, dt=1e-3)  # set-valued: time stepping by default
    assert np.abs(m["x"]).max() < 1e-9
    assert m.provenance["method"] == "moreau"
    tilt = edge + math.radians(1.0)
    slides = sliding(BLOCK, on=Plane(tilt), law=Coulomb(0.5), feet=CORNERS)
    m = simulate(slides, {"q0": 1.0}, 1.0, dt=1e-3)
    assert m["vx"][-1] == pytest.approx(9.81 * (math.sin(tilt) - 0.5 * math.cos(tilt)), rel=1e-10)
    assert np.abs(m["omega2"]).max() < 1e-9


@pytest.mark.slow
def test_a_block_sticks_for_a_thousand_seconds():
    held = sliding(BLOCK, on=Plane(math.atan(0.5) - math.radians(0.01)), law=Coulomb(0.5), feet=CORNERS)
    m = simulate(held, {"q0": 1.0}, 1000.0, dt=1e-2)
    assert np.abs(m["x"]).max() < 1e-9


@pytest.mark.parametrize(
    "law",
    [
        pytest.param(friction(Coulomb(0.3), DryPivoting(0.01, 3e-3), DryContour(3e-3)), marks=pytest.mark.slow),
        pytest.param(friction(contensou(0.3, 3e-3)), marks=pytest.mark.slow),
        pytest.param(friction(Regularised(0.3, 0.05), DryPivoting(0.01, 3e-3), DryContour(3e-3)), marks=pytest.mark.slow),
    ],
    ids=["dry", "contensou", "smooth"],
)
def test_every_combination_loses_energy_and_books_it(law):
    body = sliding(DISK, law=law, e_N=0.3)
    m = simulate(body, {**LEANING, "gap": 0.01}, 0.3, method="moreau", dt=2e-5)
    lost = sum(m[name] for name in ("lost_sliding", "lost_pivoting", "lost_contour", "lost_impacts"))
    np.testing.assert_allclose(m["energy"] + lost, m["energy"][0], rtol=2e-3)  # up to the first order of the scheme
    for name in ("lost_sliding", "lost_pivoting", "lost_contour", "lost_impacts"):
        assert np.all(np.diff(m[name]) > -1e-12)
    assert m["lost_sliding"][-1] > 0.0


@pytest.mark.slow
def test_a_disk_falls_flat_and_rests():
    body = sliding(DISK, law=friction(Coulomb(0.5), DryPivoting(0.1, 5e-3), DryContour(0.05)))
    m = simulate(body, {"theta": 0.3, "psi_rate": 2.0}, 2.0, method="moreau", dt=2e-5)
    assert m["theta"][-1] < 1e-3
    assert abs(m["omega3"][-1]) < 1e-6
    assert m["energy"][-1] < 1e-5


def test_input_is_checked():
    with pytest.raises(InputError, match="needs a friction law"):
        sliding(BALL)
    with pytest.raises(InputError, match="e_N = 2"):
        sliding(BALL, law=Coulomb(0.3), e_N=2)
    with pytest.raises(InputError, match="both z and gap"):
        simulate(SLIPPING, {"q0": 1.0, "z": 1.0, "gap": 1.0}, 1.0)
    with pytest.raises(InputError, match="the law of contact 0 has DryPivoting"):
        simulate(sliding(BALL, law=friction(Coulomb(0.3), DryPivoting(0.1, 0.01))), BACKSPIN, 1.0, method="event-driven")
    with pytest.raises(
        InputError, match="steps bodies that slide, and systems that register M, h, W and gap; Rattleback registers a rate"
    ):
        simulate(Rattleback(), {"alpha": 0.1}, 1.0, method="moreau")
    with pytest.warns(StartAdjusted, match="lifted by 0.05 m out of the plane"):
        simulate(SLIPPING, {"q0": 1.0, "z": 0.05, "vx": 0.0, "vy": 0.0, "vz": 0.0}, 0.01, dt=1e-3)
