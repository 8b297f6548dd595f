"""What pages show is what the solver computed: energies that are kept are kept on the page, and signals at frames are those of a motion with output there."""

import base64
import json
import math
import re

import numpy as np
import pytest

from rollick import Motion, Rattleback, simulate
from rollick.archetypes.filippov import BallInCorner
from rollick.archetypes.models import model
from rollick.mechanics.body import Body
from rollick.mechanics.laws.sliding import Coulomb
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.shapes.convex import Rim, Sphere
from rollick.mechanics.sliding import Lowest, sliding
from rollick.motion.result.again import known_at, on_steps
from rollick.motion.result.outcome import MotionWarning
from rollick.plotting.smooth import curves
from rollick.plotting.symbols import in_degrees
from rollick.view.frames import energy_of, frames_of

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
BOUNCING = sliding(BALL, law=Coulomb(0.3), e_N=1.0)
# a tippedisk, roughly, as in tests/motion/test_moreau.py
DISK = Body.from_inertia(0.4354, (2.4856e-4, 2.2406e-4, 4.6536e-4), Rim(0.045), (2.5e-3, 0.0, 0.0))
WOBBLE = sliding(DISK, law=Coulomb(0.3), feet=Lowest())
LEANING = {"theta": math.pi / 2 - 0.1, "psi": -math.pi / 2 + 0.1, "phi_rate": 40.0, "slip_x": 0.2}
CORNER = BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2)
STONE = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}
UP = {"q0": 1.0, "gap": 0.2}
SPUN = {**UP, "omega2": -20.0, "vx": 0.3}
SLIDING = {"q0": 1.0, "omega2": -20.0, "vx": 0.3}


def torus(**more):
    entry = model("torus")
    return entry.simulate(entry.make(), dict(entry.start), 5.0, **more)


# How to compute each motion, and whether its energy is kept.
MOTIONS = {
    "torus": (torus, True),
    "rattleback": (lambda **more: simulate(Rattleback(), STONE, 2.0, **more), True),
    "rattleback, stiff": (lambda **more: simulate(Rattleback(), STONE, 0.3, method="radau", **more), True),
    "event-driven": (lambda **more: simulate(BOUNCING, UP, 1.0, method="event-driven", **more), True),
    "event-driven, slips": (lambda **more: simulate(BOUNCING, SLIDING, 0.5, method="event-driven", **more), False),
    "event-driven, a disk": (lambda **more: simulate(WOBBLE, LEANING, 0.1, method="event-driven", **more), False),
    "moreau": (lambda **more: simulate(BOUNCING, UP, 1.0, method="moreau", dt=1e-3, every=20, **more), True),
    "moreau, slips": (lambda **more: simulate(BOUNCING, SPUN, 1.0, method="moreau", dt=1e-3, every=20, **more), False),
    "filippov": (lambda **more: simulate(CORNER, {"v": 0.1}, 0.3, method="event-driven", ambiguous="roll", **more), False),
}


SLOW = ("event-driven, a disk",)


def most(motion):
    """By how much a kept energy may change in what is shown: a few times what it changes by at the solver's own instants, or a tenth of its tolerance."""
    energy = motion["energy"]
    return max(10.0 * np.ptp(energy), 0.1 * motion.provenance["rtol"] * np.abs(energy).max())


def shown(frames, name):
    return frames.values[:, [n for n, _ in frames.numbers].index(name)]


@pytest.fixture(
    scope="module",
    params=[*(name for name in MOTIONS if name not in SLOW), *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)],
)
def case(request):
    run, kept = MOTIONS[request.param]
    motion = run()
    return run, kept, motion, frames_of(motion)


def test_signals_at_frames_are_those_of_a_motion_with_output_there(case):
    run, _, _, frames = case
    there = run(at=frames.t)
    assert there.t.size == len(frames.t)
    compared = [(name, unit) for name, unit in frames.numbers if name in there.names]
    assert len(compared) >= 3
    for name, unit in compared:
        units = {q.name: q.unit for q in (*there.about.states, *there.about.signals, *there.about.integrals)}
        expected, told = in_degrees(there[name], units[name])
        assert told == unit
        np.testing.assert_allclose(shown(frames, name), expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max(), err_msg=name)


def test_a_kept_energy_is_kept_on_the_page(case):
    _, kept, motion, frames = case
    if not kept:
        pytest.skip("friction takes energy from this motion")
    assert np.ptp(shown(frames, "energy")) <= most(motion) < 1e-7 * motion["energy"].max()


def test_plots_show_the_energy_that_the_motion_has(case):
    _, kept, motion, _ = case
    if not kept:
        pytest.skip("friction takes energy from this motion")
    assert np.ptp(curves(motion, ["energy"]).values["energy"]) <= most(motion)


def test_frames_cover_the_motion_evenly(case):
    _, _, motion, frames = case
    apart = np.diff(frames.t)
    assert frames.t[0] == motion.t[0]
    assert motion.t[-1] - frames.t[-1] < apart[0]
    np.testing.assert_allclose(apart, apart[0], rtol=1e-6)


def test_numbers_of_a_page_are_not_rounded_to_those_of_a_picture(tmp_path):
    motion = torus()
    text = motion.save_html(tmp_path / "torus.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1])
    values = np.frombuffer(base64.b64decode(data["values"]), "<f8").reshape(data["frames"], -1)
    energy = values[:, [number["name"] for number in data["numbers"]].index("energy")]
    assert np.ptp(energy) <= most(motion)


def test_a_motion_from_a_file_is_shown_as_the_one_that_was_saved(tmp_path):
    motion = simulate(BOUNCING, UP, 1.0, method="event-driven", rtol=1e-8)
    motion.to_netcdf(tmp_path / "ball.nc")
    found = Motion.open(tmp_path / "ball.nc")
    frames = frames_of(found)
    assert np.array_equal(frames.values, frames_of(motion).values)
    assert found.provenance["options"]["rtol"] == 1e-8  # of the method itself, not of what it uses inside its modes


def test_a_motion_that_was_continued_goes_on_counting():
    first = simulate(Rattleback(), STONE, 0.5)
    second = simulate(Rattleback(), first, 1.0)
    whole = simulate(Rattleback(), STONE, 1.0, dense=True)
    found = known_at(second, np.linspace(0.5, 1.0, 7))
    np.testing.assert_allclose(found.q[:, 0], whole.at(found.t, whole.about.integrals[0].name), atol=1e-8)


def test_a_motion_that_was_stopped_keeps_its_steps():
    with pytest.warns(MotionWarning, match="250 steps"):
        stopped = simulate(BOUNCING, UP, 1.0, method="moreau", dt=1e-3, max_steps=250)
    times = on_steps(stopped, np.linspace(0.0, stopped.end_time, 91))
    found = known_at(stopped, times)
    whole = simulate(BOUNCING, UP, 1.0, method="moreau", dt=1e-3, at=times)
    np.testing.assert_allclose(found.y, whole.y, atol=1e-12)


def test_inside_a_time_step_nothing_is_known():
    """An impact may be in it: halfway from -v to v a ball would stand still."""
    for dense in (False, True):
        motion = simulate(BOUNCING, UP, 1.0, method="moreau", dt=1e-3, dense=dense)
        assert known_at(motion, np.array([0.2005])) is None
        assert known_at(motion, np.array([0.2, 0.4])) is not None


def test_energies_by_differences_of_poses_are_good_to_six_digits():
    motion = simulate(Rattleback(), STONE, 2.0)
    frames = frames_of(motion)
    found = energy_of(motion.system, frames.t, frames.poses, frames.around)
    np.testing.assert_allclose(found[1:-1], shown(frames, "energy")[1:-1], rtol=1e-6)


def test_collisions_lose_energy_at_impacts_only():
    entry = model("polygon")
    hits = entry.simulate(entry.make(g=1, gamma=0.5), dict(entry.start))
    data = hits.scene()
    values = np.frombuffer(base64.b64decode(data["values"]), "<f8").reshape(data["frames"], -1)
    energy = values[:, [number["name"] for number in data["numbers"]].index("energy")]
    after = np.exp(np.concatenate([[0.0], hits.log_energy_after - hits.log_energy_before[0]]))
    t = data["t0"] + data["dt"] * np.arange(data["frames"])
    expected = after[np.searchsorted(hits.t, t, side="right")]
    np.testing.assert_allclose(energy[energy > 0.0], expected[energy > 0.0], rtol=1e-12)
