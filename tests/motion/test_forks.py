"""Forks: where rolling goes on though it need not. They are found, told, and obey choices and policies, in both methods that go from mode to mode."""

import math
import warnings

import numpy as np
import pytest
from motion.judge.as_forms import AsForm
from motion.judge.jumps import at_rest

from rollick import Body, Coulomb, Ellipsoid, InputError, Regularised, simulate, sliding
from rollick.analysis.filippov import motion_tree, what_follows
from rollick.archetypes.filippov import BallInCorner
from rollick.mechanics.contact import gap
from rollick.mechanics.surfaces import wall
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.methods import EventDriven

SHAKEN = BallInCorner(
    m=1.4, r=0.19, j=0.52, opening=1.23, tilt=-0.07, slope=0.29, mu_plus=0.586, mu_minus=0.487, shake=11.87, omega=16.15
)
FIRST = 0.349538588  # s: where rolling ceases to be the only future; again after each period of the shaking
FORKS = [0.0, FIRST, FIRST + 2.0 * math.pi / SHAKEN.omega]


def run(**options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(SHAKEN, None, 1.0, method=EventDriven(rtol=1e-10, **options), progress=False)


def forks(motion):
    """Times, and what was taken."""
    met = motion.provenance["ambiguous"]
    assert [e.t for e in motion.events if e.name == "ambiguous"] == [fork["t"] for fork in met]
    return np.array([fork["t"] for fork in met]), [fork["taken"] for fork in met]


@pytest.mark.parametrize("choices", [(1,), (1, 1), (0, 1), (1, 1, 1), (1, 0, 0)])
def test_choices_are_taken_one_after_the_other_and_then_the_policy_counts(choices):
    """Three forks in a second: choices did not see those that rolling meets on its way."""
    motion = run(choices=choices)
    met, taken = forks(motion)
    assert met == pytest.approx(FORKS[: len(choices) + 1], abs=1e-9)
    assert taken == [*choices, None][:3]
    assert motion.status == ("finished" if len(choices) == 3 else "ambiguous")
    assert motion.end_time == pytest.approx([*FORKS, 1.0][min(len(choices), 3)], abs=1e-9)


def test_both_futures_are_there_just_after_a_fork_and_one_just_before():
    motion = simulate(SHAKEN, None, 1.0, at=[FIRST - 1e-6, FIRST + 1e-6], method=EventDriven(ambiguous="roll"), progress=False)
    found = [[f.letters for f in what_follows(SHAKEN, y, float(t))] for t, y in zip(motion.t, motion.y)]
    assert found == [["RR"], ["RR", "RS"]]


@pytest.mark.parametrize(("policy", "number", "modes"), [("roll", 0, ["RR"]), ("slip", 1, ["RS", "RR"] * 3)])
def test_a_policy_takes_its_future_at_every_fork(policy, number, modes):
    motion = run(ambiguous=policy)
    met, taken = forks(motion)
    assert met == pytest.approx(FORKS, abs=1e-9)
    assert taken == [number] * 3
    assert [name for name, _ in motion.provenance["methods"]] == modes
    assert motion.provenance["rolling_not_unique_since"] == 0.0


def test_a_tree_has_all_branches():
    """Two futures at each of three forks."""
    tree = motion_tree(SHAKEN, None, 1.0, method=EventDriven(rtol=1e-10))
    leaves = list(tree.leaves())
    assert len(leaves) == 8
    assert all(leaf.motion.status == "finished" for leaf in leaves)
    ends = np.array([leaf.motion.end_state for leaf in leaves])
    chosen = run(choices=(1, 0, 1)).end_state
    assert np.abs(ends - chosen).max(axis=1).min() < 1e-8
    assert len(np.unique(np.round(ends, 6), axis=0)) == 6  # slip at the second fork or at the third comes to the same


def test_derivatives_through_a_fork_that_rolling_passes_and_not_through_one_that_is_left():
    rolled = simulate(SHAKEN, None, 0.4, method=EventDriven(ambiguous="roll"), variational=True, progress=False)
    assert len(rolled.provenance["ambiguous"]) == 2
    assert np.all(np.isfinite(rolled.transition))
    with pytest.raises(InputError, match="derivatives through such a fork"):
        simulate(SHAKEN, None, 0.4, method=EventDriven(choices=(0, 1)), variational=True, progress=False)


def between_planes(seed=1011, eps=0.0):
    """A random ellipsoid between two planes that rolls at both contacts, with Coulomb's law or regularised friction. Number 1011 may as well slip at the first one from 20.67 ms on."""
    rng = np.random.default_rng(seed)
    axes, k = 0.1 * np.exp(rng.uniform(-0.7, 0.7, 3)), 0.0064 * rng.uniform(0.2, 1.0, 3)
    body = Body.from_inertia(1.0, (k[1] + k[2], k[0] + k[2], k[0] + k[1]), Ellipsoid(*axes))
    normals = rng.normal(size=(2, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    normals[:, 2] = np.abs(normals[:, 2])
    mu = rng.uniform(0.3, 1.0, 2)
    laws = [Regularised(float(m), eps) if eps else Coulomb(float(m)) for m in mu]
    system = sliding(body, on=[(wall(tuple(n), (0, 0, 0)), law, 0.0) for n, law in zip(normals, laws)])
    q, y = rng.normal(size=4), np.zeros(13)
    y[3:7] = q / np.linalg.norm(q)
    for _ in range(3):
        gaps = np.array([gap(system, 0.0, y[:7], k) for k in range(2)])
        y[:3] -= normals.T @ np.linalg.solve(normals @ normals.T, gaps)
    y[7:10], y[10:13] = rng.normal(size=3), 8.0 * rng.normal(size=3)
    by_address = ByAddress(system, MODES)
    return system, at_rest(system, by_address.body, 0.0, y, (0, 1), (0, 1))


@pytest.mark.parametrize(("policy", "number"), [("stop", None), ("roll", 0), ("slip", 1)])
def test_event_driven_tells_a_fork_and_obeys_the_policy(policy, number):
    """Rolling was taken inside the band, and beyond the end of sticking at 21.6 ms, without a word; or the fork was told 0.8 ms after the band had begun."""
    system, start = between_planes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = simulate(system, start, 0.024, method=EventDriven(rtol=1e-9, ambiguous=policy), progress=False)
        exact = simulate(system, start, 0.024, method=AsForm(rtol=1e-9), progress=False)
    met, taken = forks(motion)
    assert met == pytest.approx([exact.end_time], abs=1e-9)
    assert taken == [number]
    assert motion.status == ("ambiguous" if policy == "stop" else "finished")
    assert motion.provenance["methods"][-1][0] != "stick stick" or policy == "stop"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1025))
def test_a_regularised_ellipsoid_comes_to_the_motion_up_to_its_fork(seed):
    """The difference to motions with ever smaller eps goes to zero. It stayed 0.027 rad/s where rolling was taken inside a band."""
    system, start = between_planes(seed)
    off = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = simulate(system, start, 0.03, method=EventDriven(rtol=1e-9), progress=False)
        assert motion.status in ("finished", "ambiguous")
        for eps in (1e-3, 1e-4):
            smooth = simulate(between_planes(seed, eps)[0], start, motion.end_time, method=EventDriven(rtol=1e-8), progress=False)
            off.append(np.abs(smooth.end_state - motion.end_state)[10:13].max())
    assert off[1] <= max(0.4 * off[0], 1e-14)  # 1006 forks at its start: nothing but rounding is apart there
