"""What a user may ask of the event-driven method beyond its end (events on signals, terminal events at impacts, `verify`), and of lasting
contact as an ODE where it starts."""

import numpy as np
import pytest

from rollick import Body, Coulomb, Event, InputError, Rim, Sphere, StartAdjusted, simulate, sliding
from rollick.mechanics.laws import Regularised
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.sliding import Lowest

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
BOUNCING = sliding(BALL, law=Coulomb(0.3), restitution=0.5)
# of the type of `test_moreau`, compiled once
HELD = sliding(
    Body.from_inertia(0.4354, (2.4856e-4, 2.2406e-4, 4.6536e-4), Rim(0.045), (2.5e-3, 0.0, 0.0)),
    law=Regularised(0.3, 0.1),
    feet=Lowest(),
)
DROPPED = {"gap": 0.01, "vx": 0.5}
FALL = np.sqrt(2.0 * 0.01 / 9.81)


def test_events_on_signals_are_found_where_the_state_jumps():
    m = simulate(BOUNCING, DROPPED, 0.1, method="event-driven", events=["gap", Event("slip", level=0.45)])
    times = [e.t for e in m.events if e.name == "gap"]
    assert times == pytest.approx([FALL, 2.0 * FALL], rel=1e-12)
    slips = [e for e in m.events if e.name == "slip"]  # 0.5 m/s until the first impact, which takes off 3.5 mu (1 + e) v
    assert [e.kind for e in slips] == ["falling"]
    assert slips[0].t == pytest.approx(FALL, rel=1e-12)


def test_a_terminal_event_at_an_impact_ends_the_motion_after_it_and_it_can_go_on():
    whole = simulate(BOUNCING, DROPPED, 0.1, method="event-driven")
    first = simulate(BOUNCING, DROPPED, 0.1, method="event-driven", events=[Event("gap", terminal=True)])
    assert first.status == "event"
    assert first.end_time == pytest.approx(FALL, rel=1e-12)
    assert (
        first["vz"][-1] < 0.0 < first.end_state[9]
    )  # the event shows the state before the impact, the motion ends with the one after it
    second = simulate(BOUNCING, first, 0.1, method="event-driven")
    assert second.end_state == pytest.approx(whole.end_state, abs=1e-14)
    twice = simulate(BOUNCING, DROPPED, 0.1, method="event-driven", events=[Event("gap", terminal=2)])
    assert twice.status == "event"
    assert twice.end_time == pytest.approx(2.0 * FALL, rel=1e-12)


def test_verify_does_not_compare_the_two_sides_of_a_jump():
    """Two repetitions agree on the time of an impact to rounding, and at that very instant one shows the state before it, one that after it."""
    m = simulate(BOUNCING, DROPPED, 0.1, method="event-driven", verify=True)
    assert m.trust.worst > 9.0


@pytest.mark.parametrize("start", [{"gap": 1.0}, {"vz": 2.0}, {"z": 0.3}])
def test_lasting_contact_starts_in_contact(start):
    """The ODE would put the body onto its plane in the first step."""
    with pytest.raises(InputError, match=r"in contact all the time.*leave out z, gap and vz, or take method='moreau'"):
        simulate(HELD, {"theta": 1.2, "vx": 0.5, **start}, 0.2, method="dop853")


def test_a_start_close_to_contact_is_pulled_onto_it_with_a_word():
    with pytest.warns(StartAdjusted, match="pulled onto the contact: its gap was 1e-06 m"):
        m = simulate(HELD, {"theta": 1.2, "gap": 1e-6}, 0.1)
    assert m["gap"] == pytest.approx(np.zeros(len(m.t)), abs=1e-15)
    assert "pulled onto the contact" in m.summary()
