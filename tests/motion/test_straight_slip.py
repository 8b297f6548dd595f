"""Slip that keeps its direction is followed with it held, from where it begins to where it ends; changes of mode are told when they are asked for."""

import math
import pickle

import numpy as np
import pytest

from rollick import simulate
from rollick.archetypes.filippov import BallInCorner
from rollick.kernel.compiled import compiled_uncached
from rollick.motion.methods import EventDriven
from rollick.motion.ode.dense import ROWS, interpolate, shorten

SHAKEN = BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2, mu_plus=0.3, mu_minus=0.25)
START = [0.0, 0.1, 0.0, 0.0, 0.3]


def corner(rtol, system=SHAKEN, start=START, until=3.0, **options):
    return simulate(system, start, until, method=EventDriven(rtol=rtol, ambiguous="roll"), progress=False, **options)


@pytest.fixture(scope="module")
def precise():
    """The same motion, as well as it can be had."""
    method = EventDriven(rtol=1e-12, atol=1e-14, ambiguous="roll")
    return simulate(SHAKEN, START, 3.0, method=method, progress=False, at=np.linspace(0.0, 3.0, 61))


@pytest.mark.parametrize("rtol", [1e-5, 1e-7, 1e-9])
def test_changes_of_mode_come_in_time(precise, rtol):
    found = corner(rtol, at=precise.t)
    wanted = precise.provenance["methods"]
    assert [mode for mode, _ in found.provenance["methods"]] == [mode for mode, _ in wanted]
    off = [abs(t - u) for (_, t), (_, u) in zip(found.provenance["methods"], wanted)]
    assert max(off) < 0.1 * rtol
    assert np.abs(found.y - precise.y).max() < 2.0 * rtol


def test_it_takes_few_evaluations():
    made = corner(1e-6, until=20.0, at=[20.0]).provenance
    assert made["evaluations"] < 26 * len(made["methods"])  # sixty, where directions are followed


@pytest.mark.parametrize("opening", [0.7, 1.6, 2.5])
def test_two_slips_that_end_together(opening):
    """A ball that slides along a symmetric groove: u' = -2 f/m (1 + sin(a)^2/j), f = mu m g/(2 sin a) at each contact; it rolls at both from one instant on."""
    a, mu, v = 0.5 * opening, 0.3, 0.8
    ball = BallInCorner(opening=opening, mu_plus=mu, mu_minus=mu)
    when = v / (mu * ball.g / math.sin(a) * (1.0 + math.sin(a) ** 2 / ball.j))
    for rtol in (1e-5, 1e-9):
        motion = corner(rtol, ball, [0.0, v, 0.0, 0.0, 0.0], 0.5)
        assert [mode for mode, _ in motion.provenance["methods"]] == ["SS", "RR"]
        assert motion.provenance["methods"][1][1] == pytest.approx(when, rel=1e-13)


def test_slip_so_small_that_rounding_blurs_its_end():
    """A slip of 6e-6 m/s ends 3e-6 s after the other one: the time of its end is known to a millionth of that, not better."""
    ball = BallInCorner(shake=12.0, omega=20.0, slope=0.1, mu_plus=0.27416510190814736, tilt=0.19069234086200595)
    motion = corner(1e-9, ball, [0.0, 0.1, 0.0, 0.0, 0.8951114825904369], 2.0, at=[2.0])
    fine = corner(1e-12, ball, [0.0, 0.1, 0.0, 0.0, 0.8951114825904369], 2.0, at=[2.0])
    assert motion.status == fine.status == "finished"
    assert motion.end_state == pytest.approx(fine.end_state, abs=1e-8)


def test_output_does_not_change_the_motion():
    plain, dense, often = corner(1e-6, at=[3.0]), corner(1e-6), corner(1e-6, at=np.linspace(0.0, 3.0, 1001))
    assert plain.provenance["methods"] == dense.provenance["methods"] == often.provenance["methods"]
    assert np.array_equal(plain.end_state, dense.end_state)
    assert np.array_equal(plain.end_state, often.end_state)


@pytest.mark.filterwarnings("ignore:a contact of BallInCorner opens")
def test_random_corners_agree_with_a_finer_tolerance():
    rng = np.random.default_rng(3)
    for _ in range(40):
        ball = BallInCorner(
            opening=rng.uniform(0.6, 2.6), tilt=rng.uniform(-0.3, 0.3), slope=rng.uniform(-0.2, 0.2), mu_plus=rng.uniform(0.05, 0.6),
            mu_minus=rng.uniform(0.05, 0.6), shake=rng.uniform(0.0, 15.0), omega=rng.uniform(5.0, 30.0), drag=rng.uniform(0.0, 1.0),
        )  # fmt: skip
        start = [0.0, *rng.normal(size=4) * [0.3, 3.0, 3.0, 3.0]]
        rough, fine = corner(1e-6, ball, start, 1.0, at=[1.0]), corner(1e-10, ball, start, 1.0, at=[1.0])
        assert rough.status == fine.status in ("finished", "contact_loss")
        assert rough.end_time == pytest.approx(fine.end_time, abs=1e-7)
        assert rough.end_state == pytest.approx(fine.end_state, abs=3e-6 * (1.0 + np.abs(fine.end_state).max()))


def test_events_are_told_when_asked_for():
    motion = corner(1e-6, events="v", until=1.0)
    again = pickle.loads(pickle.dumps(motion.events))
    names = [e.name for e in motion.events]
    assert motion.events is motion.events
    assert again == motion.events
    assert {"stick", "slip", "v"} <= set(names)
    assert sorted(e.t for e in motion.events) == [e.t for e in motion.events]
    changes = [t for _, t in motion.provenance["methods"][1:]]
    assert changes == sorted({e.t for e in motion.events if e.name in ("stick", "slip")})


@compiled_uncached
def shortened(x, y, f, room):
    shorten(x, y, f, room)


@compiled_uncached
def at(x, y, f, out):
    interpolate(x, y, f, out)


def test_the_first_part_of_a_step_has_the_same_dense_output():
    rng = np.random.default_rng(4)
    y, whole = rng.normal(size=6), rng.normal(size=(ROWS, 6))
    for x in (1.0, 0.7, 0.1, 1e-3):
        part, a, b = whole.copy(), np.zeros(6), np.zeros(6)
        shortened(x, y, part, np.zeros((ROWS, 6)))
        for part_of_it in np.linspace(0.0, 1.0, 11):
            at(x * part_of_it, y, whole, a)
            at(part_of_it, y, part, b)
            assert b == pytest.approx(a, abs=1e-12)
