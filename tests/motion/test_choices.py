"""Futures that are chosen by their numbers, from event to event: at forks, at their edges, in Painleve's paradoxes; and the tree of all of them."""

import warnings

import numpy as np
import pytest
from motion.judge.automaton import InPython
from test_contact_modes import LEANING, PAINLEVE, TURNING
from test_forks import between_planes

from rollick import InputError, Motion, Rattleback, simulate
from rollick.analysis.filippov import motion_tree
from rollick.cli.simulate import futures
from rollick.ensemble import ensemble
from rollick.kernel.system import description
from rollick.motion.methods import DOP853, EventDriven


def run(system, start, until, **options):
    """A motion, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(system, start, until, progress=False, **options)


def same(a, b, close):
    """Whether two motions end alike."""
    return (
        a.status == b.status
        and a.end_time == pytest.approx(b.end_time, abs=1e-9)
        and a.end_state == pytest.approx(b.end_state, abs=close)
    )


def test_a_future_is_chosen_by_its_number():
    """As the policies do; and what there is not ends the motion as if nothing were chosen."""
    system, start = between_planes()
    stopped = run(system, start, 0.024)
    assert stopped.provenance["futures"] == ["stick stick", "slip stick"]
    assert (
        "0: stick stick; 1: slip stick. Choose ambiguous='roll' (prefer rolling) or 'slip', choices=(i, ...)" in stopped.message
    )
    for number, policy in enumerate(("roll", "slip")):
        chosen = run(system, start, 0.024, choices=(number,))
        assert same(chosen, run(system, start, 0.024, ambiguous=policy), 0.0)
        assert chosen.provenance["ambiguous"][0]["taken"] == number
    assert same(run(system, start, 0.024, choices=(2,), ambiguous="roll"), stopped, 0.0)
    for wrong in ("1", b"1", 1, (0.5,), (-1,)):
        with pytest.raises(InputError, match="choices"):
            simulate(system, start, 0.024, method="event-driven", choices=wrong)


@pytest.mark.parametrize("method", [EventDriven, InPython])
@pytest.mark.parametrize("seed", [1007, 1011, 1020])
def test_a_start_at_the_edge_of_a_band_is_a_fork(seed, method):
    """It stuck or slipped there without a word: at the very edge there is one future, a moment later there are two."""
    system, start = between_planes(seed)
    first = run(system, start, 0.3, method=method())
    for choice in range(2):
        onwards = run(system, first.end_state, 0.15, since=first.end_time, method=method(choices=(choice,)))
        assert onwards.provenance["ambiguous"][0]["t"] == pytest.approx(first.end_time, abs=1e-9)
        assert same(onwards, run(system, start, 0.15, method=method(choices=(choice,))), 1e-6)


def test_a_band_with_a_slip_that_begins_slowly_is_one_band():
    """Both contacts may begin to slip, one of them at a tenth of the other's pace: such pairs were found at some instants only, so that one band was told as seven, or by no fork at all."""
    system, start = between_planes(1016)
    met = [
        [f["t"] for f in run(system, start, 0.3, ambiguous="roll", rtol=rtol).provenance["ambiguous"]]
        for rtol in (1e-6, 1e-9, 1e-12)
    ]
    assert met[0] == pytest.approx(met[2], abs=1e-6)
    assert met[1] == pytest.approx(met[2], abs=1e-8)
    tree = motion_tree(system, start, 0.3)
    assert [[leaf.took for leaf in branch.branches] for branch in tree.branches] == [["stick stick", "stick slip"], []]


def test_a_tree_has_the_futures_of_a_body():
    """Its branches are the motions in which they are chosen; the default method for bodies follows them through impacts."""
    system, start = between_planes(1020)
    tree = motion_tree(system, start, 0.3)
    assert [branch.took for branch in tree.branches] == ["stick stick", "slip slip"]
    for i, branch in enumerate(tree.branches):
        assert branch.motion.provenance["method"] == "event-driven"
        assert same(branch.motion, run(system, start, 0.3, choices=(i,)), 1e-6)
    with pytest.raises(InputError, match="a method that takes choices="):
        motion_tree(Rattleback(), None, 1.0, method=DOP853())
    with pytest.raises(InputError, match="choices cannot be had with a tree of motions"):
        motion_tree(system, start, 0.3, choices=(1,))


def test_a_tree_takes_output_times_and_goes_on_from_a_motion():
    """Each branch has those times that lie in it."""
    system, start = between_planes(1020)
    first = run(system, start, 0.02)
    tree = motion_tree(system, first, 0.3, at=[0.03, "0.1 s", 0.3])
    assert tree.motion.provenance["since"] == pytest.approx(0.02)
    assert tree.motion.t == pytest.approx([0.03])
    assert all(branch.motion.t == pytest.approx([0.1, 0.3]) for branch in tree.branches)


def test_choices_are_kept_with_a_motion(tmp_path):
    """In its file, as numbers."""
    system, start = between_planes()
    motion = run(system, start, 0.024, choices=range(2))
    motion.to_netcdf(tmp_path / "chosen.nc")
    assert Motion.open(tmp_path / "chosen.nc").provenance["options"]["choices"] == [0, 1]


def test_choices_of_members_and_of_commands():
    """An ensemble gives them to each member; on the command line they are numbers with commas."""
    system, start = between_planes()
    names = [q.name for q in description(system).states]
    many = ensemble(
        system, {"vx": [start[names.index("vx")]]}, 0.024, start=dict(zip(names, start)), choices=(1,), progress=False
    )
    rolled, slipped = (run(system, start, 0.024, choices=(i,)).end_state[names.index("omega1")] for i in range(2))
    assert float(many["omega1"][0]) == pytest.approx(slipped, abs=1e-9)
    assert abs(rolled - slipped) > 1e-6
    assert futures("1, 0") == (1, 0)
    with pytest.raises(InputError, match="whole numbers with commas"):
        futures("roll")


def test_painleves_paradoxes_are_chosen_by_numbers():
    """Where several motions are consistent, and where none is but an impact without collision."""
    stopped = run(PAINLEVE, TURNING, 0.01)
    assert stopped.status == "painleve"
    futures = stopped.provenance["futures"]
    by_policy = {policy: run(PAINLEVE, TURNING, 0.01, painleve=policy) for policy in ("slip", "lift", "impact")}
    ends = {name: run(PAINLEVE, TURNING, 0.01, choices=(i,)) for i, name in enumerate(futures)}
    assert same(ends["slip"], by_policy["slip"], 0.0)
    assert same(ends["lift-off"], by_policy["lift"], 0.0)
    struck = run(PAINLEVE, LEANING, 0.05, choices=(0,))
    assert run(PAINLEVE, LEANING, 0.05).provenance["futures"] == ["impact without collision"]
    assert same(struck, run(PAINLEVE, LEANING, 0.05, painleve="impact"), 0.0)
    assert struck.provenance["painleve"][0]["done"] == "impact"
    tree = motion_tree(PAINLEVE, TURNING, 0.01)
    assert [branch.took for branch in tree.branches] == futures
    assert len(np.unique([leaf.motion.end_state for leaf in tree.leaves()], axis=0)) == len(futures)
