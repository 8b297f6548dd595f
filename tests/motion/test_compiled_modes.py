"""Motions from event to event in compiled code, against Python's automaton: random bodies, options and events (see `random_mixtures`)."""

import numpy as np
import pytest
from random_mixtures import KINDS, differences, random_options

from rollick import Body, Coulomb, Event, InputError, Sphere, simulate, sliding
from rollick.motion.result.outcome import MotionWarning


def told(kind, seeds):
    """What differs, in words, by seed: with the tolerance of every day, and where that is not enough with a thousandth of it."""
    found = {}
    for seed in seeds:
        system, start, until = KINDS[kind](seed)
        try:
            options = random_options(seed, system)
            words, _ = differences(system, start, until, **options)
            words = words and differences(system, start, until, rtol=1e-12, **options)[0]
        except InputError:  # it starts inside a surface
            continue
        if words:
            found[seed] = words
    return found


@pytest.mark.parametrize(
    ("kind", "seeds"),
    [
        ("dry", range(8)),
        ("rod", range(8)),
        ("two", range(300, 306)),
        ("moving", range(6)),
        *(pytest.param(kind, range(400, 440), marks=pytest.mark.slow) for kind in ("moving", "smooth", "smooth pair")),
        *(pytest.param(kind, range(400, 460), marks=pytest.mark.slow) for kind in ("dry", "rod", "bowl", "two", "three", "four")),
    ],
)
def test_compiled_code_and_python_agree(kind, seeds):
    assert told(kind, seeds) == {}


@pytest.mark.slow
def test_they_agree_on_boxes_but_for_chatter():
    """Where many impacts follow one another, the last digit of one decides the next."""
    found = told("box", range(400, 460))
    assert len(found) <= 3, found


def test_events_tell_the_jump_of_an_impact():
    """A ball dropped with restitution: its velocity rises through zero at each impact, at that instant, and never between."""
    ball = Body.from_inertia(1.0, (4e-4,) * 3, Sphere(0.03))
    m = simulate(
        sliding(ball, law=Coulomb(0.3), restitution=0.5),
        {"gap": 0.5},
        1.0,
        method="event-driven",
        events=[Event("vz", "rising", name="up"), Event("vz", "falling", name="top")],
        dense=True,
    )
    hits, ups, tops = (np.array([e.t for e in m.events if e.name == name]) for name in ("impact", "up", "top"))
    assert len(hits) > 10
    assert np.array_equal(hits, ups[: len(hits)])
    assert len(ups) == len(hits) + 1  # the rest of the rebounds, summed
    fall = np.sqrt(2.0 * 0.5 / 9.81)
    assert hits[:2] == pytest.approx([fall, 2.0 * fall], rel=1e-9)
    assert tops[0] == pytest.approx(1.5 * fall, rel=1e-9)
    after = next(e.state for e in m.events if e.name == "up")
    assert after[9] == pytest.approx(0.5 * 9.81 * fall, rel=1e-9)


BALL = sliding(Body.from_inertia(1.0, (4e-4,) * 3, Sphere(0.03)), law=Coulomb(0.3), restitution=0.7)
UP = [Event("vz", "rising", name="up"), Event("gap", "falling", name="down")]
FALL = np.sqrt(2.0 * 0.5 / 9.81)


@pytest.mark.parametrize("short", [1e-9, 1e-12, 1e-14, 1e-15, 0.0, -1e-12])
def test_two_halves_tell_each_event_once(short):
    """Wherever the first half ends, close to an impact; whose jump is told where it is made."""
    first = simulate(BALL, {"gap": 0.5}, FALL - short, method="event-driven", events=UP, progress=False)
    second = simulate(BALL, first, 0.5, method="event-driven", events=UP, progress=False)
    names = [e.name for e in (*first.events, *second.events)]
    assert sorted(names) == ["down", "impact", "up"]


def test_an_event_at_an_impact_at_the_start():
    motion = simulate(BALL, {"gap": 0.0, "vz": -1.0}, 0.1, method="event-driven", events=UP, progress=False)
    assert [(e.name, e.t) for e in motion.events] == [("impact", 0.0), ("up", 0.0)]
    ends = [Event("vz", "rising", name="up", terminal=True)]
    motion = simulate(BALL, {"gap": 0.0, "vz": -1.0}, 0.1, method="event-driven", events=ends, progress=False)
    assert (motion.status, motion.end_time) == ("event", 0.0)
    assert motion.end_state[9] == pytest.approx(0.7)


def test_output_at_an_impact_is_the_state_behind_it():
    whole = simulate(BALL, {"gap": 0.5}, 1.0, method="event-driven", progress=False)
    hits = [e.t for e in whole.events if e.name == "impact"]
    there = simulate(BALL, {"gap": 0.5}, 1.0, method="event-driven", at=hits, dense=True, progress=False)
    assert np.all(there["vz"] > 0.0)
    assert there["vz"] == pytest.approx([there.at(t)[9] for t in hits], rel=1e-6)
    until = simulate(BALL, {"gap": 0.5}, hits[0], method="event-driven", progress=False)
    assert until.end_state[9] > 0.0
    assert np.all(np.diff(until.t) > 0.0)
    ended = simulate(BALL, {"gap": 0.5}, 1.0, method="event-driven", events=[Event("gap", terminal=True)], progress=False)
    assert ended.provenance["methods"] == [["flight", 0.0]]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_breaks_down_is_told_with_the_state():
    with pytest.warns(MotionWarning):
        motion = simulate(BALL, {"vz": -1e200, "gap": 0.1}, 0.1, method="event-driven", progress=False)
    assert motion.status not in ("finished", "doubtful")
    assert "vz = -1e+200" in motion.message
