"""Motions from event to event in compiled code, against Python's automaton: random bodies, options and events (see `random_mixtures`)."""

import numpy as np
import pytest
from random_mixtures import KINDS, InPython, differences, random_options

from rollick import Body, Coulomb, Event, Sphere, regularised, simulate, sliding
from rollick.kernel.names import InputError
from rollick.mechanics.surfaces import Plane, Shaken, Swing
from rollick.motion.methods import EventDriven


def told(kind, seeds):
    """What differs, in words, by seed."""
    found = {}
    for seed in seeds:
        system, start, until = KINDS[kind](seed)
        try:
            words, _ = differences(system, start, until, **random_options(seed, system))
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


def test_which_motions_are_compiled():
    ball = Body.from_inertia(1.0, (4e-4,) * 3, Sphere(0.03))
    method = EventDriven()
    assert method.is_compiled(sliding(ball, law=Coulomb(0.3)))
    assert not method.is_compiled(sliding(ball, law=regularised(0.3, 1e-3)))
    assert not method.is_compiled(sliding(ball, law=Coulomb(0.3), on=Shaken(Plane(), Swing(0.01, 9.0))))
    assert not InPython().is_compiled(sliding(ball, law=Coulomb(0.3)))


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
