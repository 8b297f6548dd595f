"""Members that go from mode to mode, by a compiled loop, against `simulate`: the same to the last bit, whatever is kept, and the same reasons where one breaks down."""

import warnings

import numpy as np
import pytest

from rollick import simulate
from rollick.archetypes.flowmeter.drag import Drag
from rollick.archetypes.flowmeter.flow import Flow
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.archetypes.many import ModelSource
from rollick.ensemble import Count, First, Greatest, Last, Least, Mean, Path, Rms, Samples, Table, ensemble
from rollick.ensemble.call import make_task
from rollick.ensemble.chunks.compiled_chunk import NOT_ON_GPUS, can_be_compiled, what_hinders
from rollick.ensemble.chunks.one_by_one import simulate_member
from rollick.ensemble.keep import Final
from rollick.ensemble.task import WORDS, Chunk
from rollick.motion.result.outcome import MotionWarning

METERS = Samples(
    14, "sobol", seed=3,
    **{"mu": (0.02, 0.5), "flow.v_f": (0.05, 1.5), "drag.c": (0.01, 2.0), "d": (0.02, 0.2), "u1p": (0.0, 0.2), "until": (1.0, 8.0)},
)  # fmt: skip
WHEELS = Samples(6, "sobol", seed=1, v=(30.0, 85.0), mu=(0.1, 0.4), y=(0.001, 0.009), until=(0.2, 0.8))
NORMALS = np.array([[0.6, 0.0, 0.8], [-0.6, 0.3, 0.742]])


def alone(task):
    """The members of a task, each by itself."""
    count = task.members.count
    path = None if task.keep.path is None else np.full((count, task.keep.path.times().size, len(task.state_names())), np.nan)
    found = Chunk(
        np.full((count, len(task.keep.labels)), np.nan), np.zeros(count, np.int16), np.full(count, np.nan), np.zeros(count, np.int64), path
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(count):
            simulate_member(task, i, i, found)
    return found


@pytest.fixture
def compared(monkeypatch):
    """Compares members from the loop with the same by themselves; none of the former may be computed one by one."""

    def compare(*given, by_itself=0, steps=True, **options):
        task, _, _ = make_task(*given, **options)
        assert can_be_compiled(task)
        expected, asked = alone(task), []

        def noted(task, i, *rest):
            asked.append(i)
            simulate_member(task, i, *rest)

        monkeypatch.setattr("rollick.ensemble.chunks.compiled_chunk.simulate_member", noted)
        found = task.chunk(0, task.members.count)
        assert len(asked) == by_itself
        assert [WORDS[k] for k in found.status] == [WORDS[k] for k in expected.status]
        assert found.reasons == expected.reasons
        assert np.array_equal(found.time, expected.time, equal_nan=True)
        assert np.array_equal(found.values, expected.values, equal_nan=True)
        assert np.array_equal(found.steps, expected.steps) or not steps
        if expected.paths is not None:
            assert np.array_equal(found.paths, expected.paths, equal_nan=True)
        return {WORDS[k] for k in found.status}

    return compare


KEPT = {
    "ends": ["final", "energy", "slip_wall"],
    "function": [Final(lambda system, t, y: y[0] * system.r + t, name="f")],
    "path": ["final", Path(np.linspace(0.0, 8.0, 57))],
    "extremes": ["final", Greatest("slip_floor"), Least("u2"), Mean("v"), Rms("energy")],
    "zeros": ["final", First("u1m", level=0.01), Last("v", level=0.05), Count("u2"), Count("slip_wall", level=0.02)],
    "together": [Path([0.5, 1.0]), Greatest("v"), Count(lambda t, y: y[0] - y[1], name="meet")],
}


@pytest.mark.parametrize("kept", list(KEPT))
def test_flowmeters_are_the_same_whatever_is_kept(compared, kept):
    assert compared(FlowMeter(), METERS, keep=KEPT[kept]) == {"finished", "contact_loss", "ambiguous"}


def test_flowmeters_that_stop_at_a_level_end_exactly_there(compared):
    kept = [
        "final",
        First("v", level=0.05, stop=True),
        "energy",
    ]  # steps: of the whole block in which a motion stops, whatever its length
    assert "event" in compared(FlowMeter(), METERS, keep=kept, steps=False)


def test_options_of_the_method_count(compared):
    asked = {"method": "event-driven", "rtol": 1e-7, "ambiguous": "roll", "slip_scale": 0.1, "max_step": 0.05}
    assert compared(FlowMeter(), METERS, **asked) == {"finished", "contact_loss"}
    assert compared(FlowMeter(), METERS, max_steps=40) >= {"max_steps"}
    assert compared(FlowMeter(), METERS, max_changes=1) >= {"max_steps"}
    assert compared(FlowMeter(), METERS, since=0.5) >= {"finished"}


def test_members_that_cannot_be_are_refused_as_alone(compared):
    table = Table(mu=[0.1, -0.1, 0.2, 0.3], until=[1.0, 1.0, -1.0, 2.0])
    assert compared(FlowMeter(), table, by_itself=1) == {"finished", "refused"}


def test_what_the_loop_does_not_know_goes_one_by_one():
    def known(**asked):
        return can_be_compiled(make_task(FlowMeter(), METERS, **asked)[0])

    stop = First("v", level=0.05, stop=True)
    for kept in (["final"], ["v", stop]):
        assert known(keep=kept)
    for asked in ([stop, Greatest("v")], [stop, Path([1.0])], [stop, Count("u2")], {"f": lambda motion: 1.0}):
        assert not known(keep=asked)
    assert not known(wall_limit=5.0)


def test_a_measure_is_not_mistaken_for_a_change_of_mode(compared):
    assert compared(FlowMeter(), METERS, keep=[First("v", level=0.03, name="stick"), Count("u2", name="slip")])


@pytest.mark.parametrize("kept", [["final"], ["final", Path(np.linspace(0.0, 1.0, 31)), Rms("Psi"), Count("y")]])
def test_wheelsets(compared, kept):
    assert compared(ModelSource("wheelset"), WHEELS, keep=kept) == {"finished"}


def test_threads_pieces_and_one_by_one_agree():
    given = FlowMeter(), METERS
    one = ensemble(*given, workers=1, chunk=14, keep=KEPT["ends"])
    many = ensemble(*given, workers=2, chunk=3, keep=KEPT["ends"])
    assert np.array_equal(one.found.values, many.found.values, equal_nan=True)
    assert one.found.reasons == many.found.reasons


def test_gpus_tell_ends_of_motions_through_modes_and_refuse_more_by_name():
    for keep, known in (("final", True), (["final", "energy"], True), ([Greatest("v")], False), ([Path([0.1, 0.2])], False)):
        task, _, _ = make_task(FlowMeter(), METERS, keep=keep)
        assert what_hinders(task) == ""
        task.gpu = True
        assert what_hinders(task) == ("" if known else NOT_ON_GPUS)


@pytest.mark.parametrize("rtol", [1e-7, 1e-8, 1e-9, 1e-10, 1e-11])
def test_a_future_that_comes_and_goes_within_a_step_is_not_missed(rtol):
    """A meter whose pulsation brings it to the edge of rolling for 17 ms: beside RR, RS is possible then. Steps are 20 to 40 ms long."""
    drag, flow = (
        Drag(0.0, 0.0, 0.687, 4.587081910971777),
        Flow(0.08406026143589945, amplitude=0.0652180578800541, frequency=1.5866498619767873),
    )
    meter = FlowMeter(
        0.006551557604836124,
        0.022640567231055973,
        0.006467332447163438,
        0.514292201906557,
        8.023240407172453,
        0.16186653301284273,
        drag,
        flow,
    )
    with pytest.warns(MotionWarning, match="not unique any more"):
        motion = simulate(meter, np.zeros(4), 5.0, method="event-driven", rtol=rtol, progress=False)
    assert motion.status == "ambiguous"
    assert motion.end_time == pytest.approx(
        2.6524074588, abs=100.0 * rtol
    )  # errors of the states, over the rate at which the edge is met
