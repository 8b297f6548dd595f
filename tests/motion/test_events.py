"""Events of simulated motions: found, ordered, located to tolerance, and each reported once, whatever happens around them."""

import math
import tracemalloc

import numpy as np
import pytest
from numba import njit
from systems import Clock, Oscillator

from rollick import Event, InputError, MotionWarning, simulate
from rollick.kernel import sin, sqrt
from rollick.motion.events.event import INNER, Occurrence, _compile, _identity, watch
from rollick.motion.events.probe import CROWDED
from rollick.motion.events.scan import scan
from rollick.motion.events.search import Watchman

CUBIC, ROOT, CROWD = 1.0, 2.0, 3.0  # the clock's speed chooses the function, so that one compilation serves three


def on_the_clock(system, t, y):
    x = y[0]
    if system.speed == ROOT:
        return sqrt(5.0 - x) - 1.0  # zero at 4, no number beyond 5
    if system.speed == CROWD:
        return sin(1e7 * x)
    return (x + 6.0) * (x + 2.0) * (x - 2.0)


def five(system, t, y, level=0.5):
    """A crossing of a level, a touch, a moment, a section, and the last of the states."""
    return (y[0] - level, y[0] * y[0], t - 3.0, y[0] + y[1], y[y.size - 1])


def told(motion):
    return [(e.name, e.kind) for e in motion.events]


def times(motion, name=None):
    return np.array([e.t for e in motion.events if name is None or e.name == name])


def clock(start=-10.0, until=10.0, speed=CUBIC, **options):
    return simulate(Clock(speed), [start], until, since=start / speed, method="dop853", **options)


SPRING = Oscillator()


def swing(until, start=(1.0, 0.0), system=SPRING, method="dop853", **options):
    return simulate(system, start, until, method=method, **options)


# -- found, ordered, located -------------------------------------------------------------------------------------------------------


def test_cubic_over_one_huge_step():
    """y' = 1 against the cubic with roots -6, -2, 2: all three in one step of the integrator."""
    motion = clock(events=on_the_clock)
    assert len(set(np.searchsorted(motion.t, [-6.0, -2.0, 2.0]))) == 1, "the step is not huge any more: choose another start"
    assert told(motion) == [("on_the_clock", "rising"), ("on_the_clock", "falling"), ("on_the_clock", "rising")]
    np.testing.assert_allclose(times(motion), [-6, -2, 2], rtol=0, atol=5e-14)
    np.testing.assert_allclose([e.state[0] for e in motion.events], [-6, -2, 2], rtol=0, atol=5e-14)
    assert not any(e.terminal for e in motion.events)


@pytest.mark.parametrize(
    ("direction", "expected"), [("rising", [-6, 2]), ("falling", [-2]), (1, [-6, 2]), (-1, [-2]), (0, [-6, -2, 2])]
)
def test_direction(direction, expected):
    np.testing.assert_allclose(times(clock(events=Event(on_the_clock, direction))), expected, rtol=0, atol=5e-14)
    np.testing.assert_allclose(times(clock(events={on_the_clock: direction})), expected, rtol=0, atol=5e-14)


@pytest.mark.parametrize("levels", [(1.0, 2.0), (2.0, 1.0)])
def test_two_events_in_one_step_in_both_orders(levels):
    motion = clock(events=[Event("x", level=v, name=f"at {v:g}") for v in levels])
    assert len(set(np.searchsorted(motion.t, levels))) == 1
    assert told(motion) == [("at 1", "rising"), ("at 2", "rising")]
    np.testing.assert_allclose(times(motion), [1, 2], rtol=0, atol=5e-14)


@pytest.mark.parametrize("levels", [(1.0, 2.0), (2.0, 1.0)])
@pytest.mark.parametrize("terminal", [1.0, 2.0])
def test_a_terminal_event_and_another_in_one_step(levels, terminal):
    """What happens after the end has not happened; what happens before it has, whichever was stated first."""
    motion = clock(events=[Event("x", level=v, name=f"at {v:g}", terminal=v == terminal) for v in levels])
    assert told(motion) == [("at 1", "rising"), ("at 2", "rising")][: int(terminal)]
    assert motion.status == "event"
    assert motion.complete
    assert motion.end_time == pytest.approx(terminal, abs=5e-14)
    assert motion.t[-1] == motion.end_time
    assert motion.y[-1, 0] == motion.end_state[0] == pytest.approx(terminal, abs=5e-14)
    assert motion.events[-1].terminal
    assert f"at {terminal:g} (rising) at t = {terminal:g}" in motion.message


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_simultaneous_events_are_all_reported(order):
    """Two contacts close at once, one of them ends the motion: the other must not be lost, for at a restart it would be silent."""
    events = [
        Event("x", level=1.0, name="a", terminal=True),
        Event("x", level=1.0, name="b"),
        Event("x", level=1.0 + 1e-12, name="c"),
    ]
    motion = clock(events=[events[i] for i in order])
    assert sorted(told(motion)) == [("a", "rising"), ("b", "rising"), ("c", "rising")]
    assert motion.end_time == pytest.approx(1.0, abs=1e-13)
    again = clock(motion.end_state[0], events=[events[i] for i in order])
    assert again.events == []


def test_vector_function():
    """Five functions at once, against the closed form x = cos t, v = -sin t."""
    motion = swing(6.0, events=five)
    by_hand = [
        (math.pi / 4, "five[3]", "falling"),
        (math.pi / 3, "five[0]", "falling"),
        (math.pi / 2, "five[1]", "touch"),
        (3.0, "five[2]", "rising"),
        (math.pi, "five[4]", "rising"),
        (5 * math.pi / 4, "five[3]", "rising"),
        (3 * math.pi / 2, "five[1]", "touch"),
        (5 * math.pi / 3, "five[0]", "rising"),
    ]
    assert [(e.name, e.kind) for e in motion.events] == [(name, kind) for _, name, kind in by_hand]
    crossings = [i for i, (_, _, kind) in enumerate(by_hand) if kind != "touch"]
    np.testing.assert_allclose(times(motion)[crossings], [by_hand[i][0] for i in crossings], rtol=0, atol=1e-9)
    np.testing.assert_allclose(times(motion), [t for t, _, _ in by_hand], rtol=0, atol=1e-7)
    np.testing.assert_allclose(
        [e.state for e in motion.events], [(math.cos(e.t), -math.sin(e.t)) for e in motion.events], atol=1e-9
    )


def test_functions_see_the_states_only():
    """The last entry of y is the last state, also when integrals and the state-transition matrix ride along."""
    plain = swing(6.0, events=five, integrals=False)
    for options in ({"integrals": True}, {"variational": True}):
        motion = swing(6.0, events=five, **options)
        assert told(motion) == told(plain)
        np.testing.assert_allclose(times(motion, "five[4]"), [math.pi], atol=1e-9)
        assert all(e.state.shape == (2,) for e in motion.events)


def test_defaults_of_arguments_are_no_arguments():
    """f(system, t, y, level=0.5) is called with three arguments: a common way to hand over a constant."""
    assert len(times(swing(2.0, events=five), "five[0]")) == 1


@pytest.mark.parametrize(("method", "order"), [("dop853", 1.0), ("radau", 1.0), ("auto", 1.0)])
def test_located_to_tolerance(method, order):
    """The error of an event is that of the motion, no more: at a hundredth of the tolerance it is much smaller."""
    zeros = (np.arange(6) + 0.5) * math.pi
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9):
        motion = swing(19.0, method=method, rtol=rtol, atol=rtol, events="x", at=zeros)
        found = times(motion)
        assert [kind for _, kind in told(motion)] == ["falling", "rising"] * 3
        errors.append(np.abs(found - zeros).max())
        # x is linear there with slope 1: what x is wrong by at the true zero, the time is wrong by.
        drift = np.abs(motion["x"]).max()
        assert errors[-1] < 1.5 * drift + 20.0 * rtol
        assert errors[-1] < 1e3 * rtol
    assert errors[2] < 1e-2 * errors[0]


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_events_lie_on_the_dense_output(method):
    motion = swing(20.0, events=["x", Event("v", level=0.3)], dense=True, method=method)
    np.testing.assert_allclose(motion.at(times(motion)), [e.state for e in motion.events], rtol=0, atol=1e-14)
    np.testing.assert_allclose(motion.at(times(motion, "x"))[:, 0], 0.0, atol=1e-14)
    np.testing.assert_allclose(motion.at(times(motion, "v"))[:, 1], 0.3, atol=1e-14)


def test_names_states_signals_integrals():
    motion = swing(6.2, events=["x", "doubled", "area", Event("v", level="50e-2")])
    np.testing.assert_allclose(times(motion, "x"), [math.pi / 2, 3 * math.pi / 2], atol=1e-9)
    np.testing.assert_allclose(times(motion, "doubled"), (np.arange(4) + 0.5) * math.pi / 2, atol=1e-9)  # cos 2t
    np.testing.assert_allclose(times(motion, "area"), [math.pi], atol=1e-9)  # sin t
    np.testing.assert_allclose(times(motion, "v"), [7 * math.pi / 6, 11 * math.pi / 6], atol=1e-9)


def test_level_with_a_unit():
    np.testing.assert_allclose(times(swing(2.0, events=Event("x", level="50cm"))), [math.pi / 3], atol=1e-9)
    with pytest.raises(InputError, match="level of x is measured in m"):
        swing(2.0, events=Event("x", level="5deg"))


def test_a_state_by_name_is_hit_exactly():
    """So that a restart from there starts at zero, whatever the scale."""
    assert [e.state[0] for e in swing(20.0, events=Event("x", level=0.1)).events] == [0.1] * 6
    assert swing(20.0, events=Event("x", level=0.1, terminal=True)).end_state[0] == 0.1


def test_functions_are_compiled_once():
    """The same function again, or the same lambda in a loop, costs no compilation, whatever the numbers it takes from outside."""

    def make(level):
        return lambda t, y: y[0] - level

    y = np.array([1.0, 0.0])
    (first, a), (again, _), (other, b) = (_compile(Event(make(v)), SPRING, 0.0, y)[0] for v in (0.25, 0.25, 0.75))
    assert first is again is other
    assert first(SPRING, 0.0, y, a) == 0.75
    assert first(SPRING, 0.0, y, b) == 0.25
    table = np.array([0.25])  # could change, and is not looked into
    assert _identity(lambda t, y: y[0] - table[0]) is None


def test_numbers_from_outside_cost_no_compilation():
    """Captured, global, default: a hundred levels, one compilation; each found at its own place."""
    outside = 0.0

    def section(level, turns):
        return lambda t, y, half=0.5 * level: turns * (y[0] - half - 0.5 * level) + outside

    swing(2.0, events=section(0.3, 2))
    before = len(scan.signatures)
    for level in np.linspace(-0.9, 0.9, 20).tolist():
        motion = swing(3.0, events=[section(level, 2)])
        assert times(motion) == pytest.approx([math.acos(level)], abs=1e-8)
        for e in motion.events:
            assert e.kind == "falling"
    assert len(scan.signatures) == before


def test_the_place_of_a_number_may_matter():
    """A whole number that chooses a state, locals after the arguments, a helper that is no number: all as before."""

    def double(x):
        return 2.0 * x

    def pick(i, level):
        def event(system, t, y):
            x = y[i]
            shifted = x - level
            return shifted + 0.0 * double(x)

        return event

    with pytest.raises(TypeError, match="cannot be compiled"):
        swing(2.0, events=pick(0, 0.5))  # `double` is no compiled function
    double = njit(double)
    for i, level, expected in ((0, 0.5, math.pi / 3), (1, -0.5, math.pi / 6)):
        assert times(swing(2.0, events=pick(i, level))) == pytest.approx([expected], abs=1e-8)


def test_the_same_event_twice():
    motion = swing(2.0, events=["x", "x"])
    assert told(motion) == [("x", "falling")] * 2
    assert motion.events[0].t == motion.events[1].t


def test_events_do_not_disturb_the_motion():
    plain, watched = swing(20.0), swing(20.0, events=["x", "v"])
    np.testing.assert_array_equal(plain.t, watched.t)
    np.testing.assert_array_equal(plain.y, watched.y)
    sampled = swing(20.0, events=["x", "v"], at=[0.0, 1.0, 20.0])
    np.testing.assert_array_equal(sampled.t, [0.0, 1.0, 20.0])
    assert sampled.events == watched.events


def test_a_section_needs_no_memory_for_the_steps():
    """With output at chosen times only, the steps serve the search for events and are forgotten."""
    options = {"events": Event("x", "rising"), "at": [20_000.0]}
    swing(20_000.0, **options)
    tracemalloc.start()
    motion = swing(20_000.0, **options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert motion.provenance["steps"] > 50_000
    assert peak < 4e6


# -- Poincare sections -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["both", "rising", "falling"])
def test_a_thousand_crossings_of_a_section(direction):
    motion = swing(1000.0 * math.pi, events=Event("x", direction), rtol=1e-12)
    expected = (np.arange(1000) + 0.5) * math.pi  # falling, rising, falling, ...
    expected = expected[{"both": slice(None), "falling": slice(0, None, 2), "rising": slice(1, None, 2)}[direction]]
    assert len(motion.events) == len(expected)
    np.testing.assert_allclose(times(motion), expected, rtol=1e-11)
    np.testing.assert_allclose([abs(e.state[1]) for e in motion.events], 1.0, rtol=1e-8)


def test_stop_at_the_nth():
    motion = swing(1e6, events=Event("x", "falling", terminal=500))
    assert len(motion.events) == 500
    assert [e.terminal for e in motion.events] == [False] * 499 + [True]
    assert motion.end_time == pytest.approx(998.5 * math.pi, rel=1e-7)
    assert motion.status == "event"


# -- touches -----------------------------------------------------------------------------------------------------------------------


def test_grazing_a_level():
    """x = cos t reaches the level 1 once a period: a touch, or two crossings closer than the integrator can tell."""
    motion = swing(20.0, events=Event("x", level=1.0), rtol=1e-12)
    nearest = np.round(times(motion) / (2 * math.pi))
    assert sorted(set(nearest)) == [1.0, 2.0, 3.0]  # not at the start, where it begins
    assert np.abs(times(motion) - 2 * math.pi * nearest).max() < 1e-5
    for k in (1.0, 2.0, 3.0):
        assert [e.kind for e, n in zip(motion.events, nearest) if n == k] in (["touch"], ["rising", "falling"])


def test_missing_and_passing_a_level_by_little():
    assert swing(20.0, events=Event("x", level=1.0 + 1e-6)).events == []
    motion = swing(20.0, events=Event("x", level=1.0 - 1e-6))
    half = math.acos(1.0 - 1e-6)
    expected = np.sort(np.concatenate([[half], *[(2 * math.pi * k - half, 2 * math.pi * k + half) for k in (1, 2, 3)]]))
    np.testing.assert_allclose(times(motion), expected, atol=1e-5)  # ill-conditioned: dx/dt = 1.4e-3 there
    assert [kind for _, kind in told(motion)] == ["falling", *["rising", "falling"] * 3]


def test_touches_can_be_left_out_and_can_stop():
    everything = swing(6.0, events=five)
    without = swing(6.0, events=Event(five, touch=False))
    assert told(without) == [entry for entry in told(everything) if entry[1] != "touch"]
    motion = swing(6.0, events=Event(five, terminal=3))  # the third occurrence is the touch of x^2 at pi/2
    assert motion.events[-1].kind == "touch"
    assert motion.end_time == pytest.approx(math.pi / 2, abs=1e-7)


def test_nothing_happens_after_the_end():
    """Thrown from below the floor, stopped as it comes up: that it will fall back within the same step is not reported."""
    ball = Oscillator(w=0.0, g=9.81)
    motion = swing(5.0, start=[-1.0, 4.5], system=ball, events=[Event("x", terminal=True), Event("x", name="again"), "v"])
    assert told(motion) == [("x", "rising"), ("again", "rising")]
    assert motion.end_time == pytest.approx((4.5 - math.sqrt(4.5**2 - 2 * 9.81)) / 9.81, abs=1e-9)


def test_random_ends():
    """Balls and springs stopped at an event: what is reported is what the whole motion reports until then, the same and nothing more."""
    rng = np.random.default_rng(7)
    for _ in range(150):
        system = Oscillator(w=0.0, g=9.81) if rng.integers(2) else Oscillator(w=rng.uniform(0.3, 3.0))
        start = [rng.uniform(-1.0, 1.0), rng.uniform(-5.0, 5.0)]
        level, other = rng.uniform(-1.0, 1.0, 2)
        common = [Event("x", level=other, name="other"), "v", "doubled", Event("x", level=level, name="same")]
        whole = swing(4.0, start, system, events=[*common, Event("x", level=level, name="end")])
        motion = swing(4.0, start, system, events=[*common, Event("x", level=level, name="end", terminal=True)])
        ends = [e.t for e in whole.events if e.name == "end"]
        assert (motion.status == "event") == bool(ends)
        early = [e for e in whole.events if not ends or e.t <= ends[0] + 1e-12]
        assert sorted(told(motion)) == sorted((e.name, e.kind) for e in early)
        if ends:
            assert motion.end_time == pytest.approx(ends[0], abs=1e-9)
            assert max(times(motion)) <= motion.end_time


# -- restarts ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_bouncing_on_a_spring(restitution):
    """Half swings over a wall at x = 0, restarted from each impact: one impact per half period, and no impact twice."""
    state, since, impacts, speeds = {"x": 0.0, "v": 1.0}, 0.0, [], []
    for _ in range(20):
        motion = swing(since + 10.0, start=state, since=since, events=Event("x", "falling", terminal=True), rtol=1e-12)
        assert motion.status == "event"
        since = motion.end_time
        impacts.append(since)
        speeds.append(-motion.end_state[1])
        state = {"x": motion.end_state[0], "v": restitution * speeds[-1]}
    np.testing.assert_allclose(impacts, np.arange(1, 21) * math.pi, rtol=1e-10)
    np.testing.assert_allclose(speeds, restitution ** np.arange(20), rtol=1e-9)


def test_bouncing_ball_to_the_end_of_its_bounces():
    """Every flight has half the length of the one before: 45 impacts within two seconds, down to flights of 1e-13 s."""
    g, v, since = 9.81, 9.81, 0.0
    ball = Oscillator(w=0.0, g=g)
    for k in range(30):
        motion = swing(since + 10.0, start=[0.0, v], system=ball, since=since, events=Event("x", "falling", terminal=True))
        assert motion.status == "event", k
        assert motion.end_time - since == pytest.approx(2.0 * v / g, rel=1e-6 + 1e-15 / v)
        since, v = motion.end_time, 0.5 * v
    assert since == pytest.approx(4.0, abs=1e-8)


def test_a_ball_that_rests_does_not_fire():
    """Contact that lasts: g is zero and stays zero."""
    assert swing(10.0, start=[0.0, 0.0], events=["x", "v", Event("x", terminal=True)]).events == []


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_motion_in_two_halves_reports_each_event_once(method):
    """Cut anywhere, also at the events and within tolerance of them: together the halves say what the whole says."""
    names = ["x", "v", "doubled"]
    whole = swing(10.0, events=names, method=method)
    cuts = [1.0, 3.7, math.pi / 2, math.pi, *times(whole)[[0, 3, 5]]]
    for cut in [c + d for c in cuts for d in (0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9)]:
        first = swing(cut, events=names, method=method)
        second = simulate(Oscillator(), first, 10.0, events=names, method=method)
        assert sorted(told(first) + told(second)) == sorted(told(whole)), cut
        both = np.sort(np.concatenate([times(first), times(second)]))
        np.testing.assert_allclose(both, np.sort(times(whole)), atol=1e-7)


def test_restart_in_large_numbers():
    """States of 1e7 with the default atol: a located zero is off by much more than atol, and must not fire again."""
    start = [1e7, 0.0]
    for _ in range(8):
        motion = swing(1e3, start=start, events=Event("x", terminal=True))
        assert motion.status == "event"
        assert motion.end_time > 1.5
        start = motion.end_state


def test_wall_at_the_end_of_max_steps():
    """A motion that stops for another reason and goes on reports each event once as well."""
    whole = swing(30.0, events=["x", "v"])
    found, motion = [], None
    for _ in range(200):
        with pytest.warns(MotionWarning, match="max_steps"):
            motion = simulate(Oscillator(), motion or [1.0, 0.0], 30.0, method="dop853", events=["x", "v"], max_steps=7)
        found += motion.events
        if motion.end_time > 27.0:
            break
    early = [e for e in whole.events if e.t <= motion.end_time]
    assert [(e.name, e.kind) for e in found] == [(e.name, e.kind) for e in early]
    np.testing.assert_allclose([e.t for e in found], [e.t for e in early], atol=1e-7)


# -- start and end -----------------------------------------------------------------------------------------------------------------


def test_at_the_very_start_it_has_fired():
    assert swing(1.0, start=[0.0, 1.0], events=["x"]).events == []
    assert swing(0.0, start=[0.0, 1.0], events=["x"]).events == []
    assert clock(start=-6.0, until=-3.0, events=on_the_clock).events == []


def test_at_the_very_end_it_is_reported():
    for until in (math.pi / 2, math.pi / 2 - 1e-13):
        motion = swing(until, events="x", atol=1e-9)  # to tolerance: 10 (atol + rtol |x|)
        assert told(motion) == [("x", "falling")]
        assert motion.events[0].t == pytest.approx(until, abs=1e-9)
        assert motion.status == "finished"
    assert clock(until=-6.0, events=on_the_clock).events[0].t == pytest.approx(-6.0, abs=5e-14)
    assert swing(math.pi / 2 - 1e-6, events="x").events == []


def test_a_terminal_event_at_the_very_end():
    motion = clock(until=-6.0, events=Event(on_the_clock, terminal=True))
    assert motion.status == "event"
    assert motion.end_time == pytest.approx(-6.0, abs=5e-14)
    assert np.all(np.diff(motion.t) > 0.0)


# -- backward ----------------------------------------------------------------------------------------------------------------------


def test_backward():
    """The same moments in reverse, with the directions seen on the way back."""
    motion = swing(-6.0, events=five)
    expected = [
        (-math.pi / 3, 0),
        (-math.pi / 2, 1),
        (-3 * math.pi / 4, 3),
        (-math.pi, 4),
        (-3 * math.pi / 2, 1),
        (-5 * math.pi / 3, 0),
        (-7 * math.pi / 4, 3),
    ]
    assert [e.name for e in motion.events] == [f"five[{i}]" for _, i in expected]
    np.testing.assert_allclose(times(motion), [t for t, _ in expected], atol=1e-7)
    assert [e.kind for e in motion.events if e.name == "five[0]"] == ["falling", "rising"]
    back = clock(start=10.0, until=-10.0, events=on_the_clock)
    assert [kind for _, kind in told(back)] == ["falling", "rising", "falling"]
    np.testing.assert_allclose(times(back), [2, -2, -6], atol=1e-14)
    cut = clock(start=10.0, until=-10.0, events=Event(on_the_clock, terminal=2), dense=True, at=[5.0, 0.0, -2.0, -5.0])
    assert cut.end_time == pytest.approx(-2.0, abs=5e-14)
    assert len(cut.t) in (2, 3)  # -2 itself if it was located at or before it
    assert cut.at(-1.0)[0] == pytest.approx(-1.0, abs=5e-14)


# -- bad functions -----------------------------------------------------------------------------------------------------------------


def test_a_function_that_breaks():
    """sqrt(5 - x) - 1: its zero at x = 4 is found, at x = 5 the motion ends with a clear word, all before is kept."""
    with pytest.warns(MotionWarning, match=r"the event on_the_clock is not a finite number just after t = (2\.5|2\.49999)"):
        motion = clock(speed=ROOT, events=on_the_clock, dense=True)
    assert motion.status == "bad_event"
    assert not motion.complete
    assert told(motion) == [("on_the_clock", "falling")]
    assert motion.events[0].t == pytest.approx(2.0, abs=5e-14)
    assert motion.end_time == pytest.approx(2.5, abs=1e-9)
    assert motion.end_state[0] == pytest.approx(5.0, abs=1e-9)
    assert motion.t[-1] == motion.end_time
    assert np.all(np.diff(motion.t) > 0.0)
    assert motion.at(motion.end_time)[0] == motion.end_state[0]


def test_a_function_that_breaks_from_the_start():
    with pytest.warns(MotionWarning, match="not a finite number just after t = 3"):
        motion = simulate(Clock(ROOT), [6.0], 10.0, since=3.0, events=on_the_clock)
    np.testing.assert_array_equal(motion.t, [3.0])
    np.testing.assert_array_equal(motion.end_state, [6.0])


def test_an_end_before_the_break():
    """A terminal event in the very step in which another function breaks, but before it does."""
    motion = clock(speed=ROOT, events=[on_the_clock, Event("x", level=4.5, name="stop", terminal=True)])
    assert motion.status == "event"
    assert told(motion) == [("on_the_clock", "falling"), ("stop", "rising")]
    with pytest.warns(MotionWarning):
        motion = clock(speed=ROOT, events=[on_the_clock, Event("x", level=5.5, name="stop", terminal=True)])
    assert motion.status == "bad_event"


def test_a_function_that_does_not_stop_firing():
    with pytest.warns(MotionWarning, match="thousands of zeros within one step.*max_step"):
        motion = clock(speed=CROWD, start=0.1, events=on_the_clock)
    assert motion.status == "bad_event"
    assert len(motion.events) > 1000
    np.testing.assert_allclose(np.diff([e.state[0] for e in motion.events]), math.pi * 1e-7, rtol=1e-6)


# -- what cannot be watched --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ("xx", "unknown state, signal or integral of Oscillator: 'xx'. Did you mean 'x'"),
        ("Energy", "Did you mean 'energy'"),
        (["x", "nonsense"], "Allowed: x, v, area, energy, doubled"),
        (5, "by name, or a function"),
        ([None], "by name, or a function"),
        (lambda t: t, "takes 1 arguments; write f"),
        (lambda t, y, a, b: t, "takes 4 arguments; write f"),
        (lambda t, y: y[2], "asks for a state that does not exist; there are y.0. = x, y.1. = v"),
        (lambda t, y: y[0] > 0.5, "returns .*let it return a number that passes through zero"),
        (lambda t, y: None, "returns None"),
        (lambda t, y: (1, y[0]), "several such numbers of one kind"),
        (lambda t, y: 1j * y[0], "let it return a number"),
        (np.sin, "is no plain function"),
        (Event(lambda t, y: y[0], level=1.0), "subtract the level 1.0 inside"),
        (Event("x", level="high"), "the level of x = 'high' is not a number"),
        (Event("x", level=math.nan), "not finite"),
    ],
)
def test_what_cannot_be_watched(events, message):
    with pytest.raises((InputError, TypeError), match=message):
        swing(1.0, events=events)


def test_a_function_that_does_not_compile():
    with pytest.raises(TypeError, match="the event function <lambda> cannot be compiled"):
        swing(1.0, events=lambda t, y: {}[y[0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "up"}, "direction of an event must be 'rising', 'falling' or 'both', not 'up'"),
        ({"terminal": 0.5}, "terminal must be True, False or the number"),
        ({"terminal": -1}, "not -1"),
    ],
)
def test_events_stated_wrongly(options, message):
    with pytest.raises(ValueError, match=message):
        Event("x", **options)
    Event("x", terminal=np.int64(3))


def test_occurrences_can_be_compared_and_printed():
    a = Occurrence(1.0, "x", "rising", np.array([1.0, 2.0]))
    assert a == Occurrence(1.0, "x", "rising", np.array([1.0, 2.0]))
    assert a != Occurrence(1.5, "x", "rising", np.array([1.0, 2.0]))
    assert len({a, a}) == 1
    assert repr(a) == "x (rising) at t = 1"
    assert Event(five).label == "five"
    assert Event(five, name="hand").label == "hand"


def test_what_ends_modes_is_told_without_its_name():
    """A user has not asked for it, and cannot leave it out."""
    watched = watch(Event("x", name=INNER + "leaves"), SPRING, 0.0, np.array([1.0, 0.0]))
    said = Watchman._complaint(watched, CROWDED, 0.5)
    assert said.startswith(
        "the quantity that tells where a mode of the motion ends has thousands of zeros within one step just after t = 0.5;"
    )
    assert not any(word in said for word in ("leaves", INNER, "leave the event out"))
