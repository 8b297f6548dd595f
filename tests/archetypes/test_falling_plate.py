"""The bodies of the collision thesis by `simulate`: the same impacts as `collide`, which shares no code with it, and all that a motion can be asked for."""

import subprocess
import sys

import numpy as np
import pytest

from rollick import InputError, collide, simulate
from rollick.archetypes.falling_plate import FallingPlate
from rollick.archetypes.models import model
from rollick.archetypes.rod import rod, rod_start
from rollick.mechanics.plate import Plate, plate, regular


def impacts(motion):
    return [e for e in motion.events if e.name == "impact"]


def same_until(motion, found):
    """How many impacts both have before the first accumulation (the last of its rebounds are summed), and how far their times are apart."""
    short = np.flatnonzero(found.flight < 2e-3)
    until = min(float(found.t[short[0]]) if short.size else np.inf, motion.end_time)
    theirs = found.t[found.t < until]
    mine = np.array([e.t for e in impacts(motion)])[: len(theirs)]
    return len(theirs), float(np.abs(mine - theirs).max(initial=0.0))


@pytest.mark.parametrize(
    ("seed", "n"),
    [
        *((seed, (2, 4)[seed % 2]) for seed in range(8)),
        *(pytest.param(seed, seed, marks=pytest.mark.slow) for seed in (3, 5, 6, 7)),
    ],
)
def test_random_plates_fall_as_collide_says(seed, n):
    rng = np.random.default_rng([seed, n])
    turn = np.sort(rng.uniform(0.0, 2.0 * np.pi, n)) if n > 2 else np.array([0.3, 0.3 + np.pi])
    body = plate(np.column_stack([np.cos(turn), np.sin(turn)]), tuple(rng.uniform(0.3, 0.9, 2)))
    if n == 2:
        body = rod(float(rng.uniform(0.2, 0.8)))
    gamma, g = float(rng.uniform(0.1, 0.8)), float(rng.uniform(0.5, 2.0))
    turns = rng.uniform(-0.1, 0.1, 2) * (1.0 if n > 2 else (0.0, 1.0))
    start = dict(phi_x=0.0, phi_y=0.0, h=1.0, omega_x=turns[0], omega_y=turns[1], v=-1.0)
    found = collide(body, gamma, start, g=g, max_impacts=2000, rule="simultaneous")
    motion = simulate(FallingPlate(body, gamma, g), start, 2.0, progress=False)
    count, off = same_until(motion, found)
    assert count > 0
    assert off < 1e-9
    between = np.linspace(0.0, float(found.t[min(count, len(found)) - 1]), 50)[1:-1]
    between = between[np.abs(between[:, None] - found.t).min(axis=1) > 1e-6]
    again = simulate(FallingPlate(body, gamma, g), start, 2.0, at=between, progress=False)
    np.testing.assert_allclose(again.y, found.at(between), atol=1e-9)


def test_complete_chatter_comes_to_rest():
    """Impacts go to and fro between the ends, for ever faster: both ends were struck at once near the limit, and the rod flew away with 1.7 % of its speed."""
    start = rod_start(omega=0.1)
    found = collide(rod(0.25), 0.2, start, max_impacts=3000)
    motion = simulate(FallingPlate(rod(0.25), 0.2, 0.0), start, 1.5, progress=False)
    assert found.status == "CC"
    assert impacts(motion)[-1].t == pytest.approx(found.end_time, abs=1e-8)
    np.testing.assert_allclose(motion.end_state, 0.0, atol=1e-8)


def test_incomplete_chatter_flies_away():
    start = {"phi_x": 0.01, "phi_y": 0.02, "h": 1.0, "omega_x": 0.03, "omega_y": 0.05, "v": -1.0}
    assert collide(regular(4, 0.5), 0.6, start, max_impacts=3000).status == "ICC"
    found = collide(regular(4, 0.5), 0.6, start, until=1.1, rising=False)  # also while the mass centre rises
    motion = simulate(FallingPlate(regular(4, 0.5), 0.6, 0.0), start, 1.1, at=[1.1], progress=False)
    np.testing.assert_allclose([e.t for e in impacts(motion)], found.t, atol=1e-12)
    np.testing.assert_allclose(motion.end_state, found.at(1.1)[0], atol=1e-9)


@pytest.mark.parametrize("name", ["rod", "polygon", "dying_disk"])
def test_models_of_collisions_take_all_options_of_simulate(name):
    entry = model(name)
    given = {"n": 4} if name == "dying_disk" else {"g": 1.0}
    system, at = entry.make(**given), np.linspace(0.0, 1.2, 7)
    motion = entry.simulate(system, None, 1.2, at=at, events=["energy"], progress=False)
    assert motion.title == name
    np.testing.assert_array_equal(motion.t, at)
    stepped = entry.simulate(system, None, 1.2, method="moreau", dt=1e-4, progress=False)
    np.testing.assert_allclose(stepped.end_state, motion.end_state, atol=0.02)
    first = entry.simulate(system, None, 0.7, progress=False)  # by `collide`
    onward = entry.simulate(system, first, 1.2, progress=False)
    assert onward.t[0] == pytest.approx(0.7)
    np.testing.assert_allclose(onward.end_state, motion.end_state, atol=1e-6)
    with pytest.raises(InputError, match="how long"):
        entry.simulate(system, None, method="event-driven")
    with pytest.raises(InputError, match="rule = 'stop'"):
        entry.simulate(entry.make(rule="stop", **given), None, 1.2, at=at)


def test_plates_that_cannot_be_are_refused():
    for wrong, words in ((FallingPlate(rod(0.5), 1.5), "gamma = 1.5"), (FallingPlate(rod(0.5), 0.5, -1.0), "g = -1.0")):
        with pytest.raises(InputError, match=words):
            simulate(wrong, {"h": 1.0}, 1.0)
    for wrong, words in (
        (None, "must be a Plate"),
        (Plate((1.0, 2.0), (1.0,), 1.0, 1.0), "two or more"),
        (Plate((1.0, -1.0), (0.0, 0.0), 0.0, 1.0), "above zero"),
    ):
        with pytest.raises(InputError, match=words):
            simulate(FallingPlate(wrong), {"h": 1.0}, 1.0)


def test_what_follows_is_told_of_a_plate_that_nothing_was_asked_of_before():
    """In a process of its own: the equations of bodies with contacts were not known there yet."""
    code = (
        "from rollick.analysis.filippov import what_follows; from rollick.archetypes.falling_plate import FallingPlate; from rollick.mechanics.plate import regular; "
        "print([f.letters for f in what_follows(FallingPlate(regular(4, 0.5)), {})], [f.letters for f in what_follows(FallingPlate(regular(4, 0.5)), {'h': 1.0})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["['SSSS']", "['OOOO']"]
