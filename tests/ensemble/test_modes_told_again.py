"""What is told again: members that break down on a GPU, by the compiled loop (here a CPU plays the GPU, and some of its ends are spoilt); and members one by one."""

import numpy as np
import pytest

from rollick.archetypes.filippov import BallInCorner
from rollick.ensemble import Grid, ensemble
from rollick.ensemble.chunks import compiled_chunk
from rollick.ensemble.chunks.modes import NOT_BEGUN, GroupInModes
from rollick.ensemble.gpu import modes_kernel
from rollick.ensemble.keep import Final
from rollick.motion.ode import control as c

CORNER = BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2)
STARTS = Grid(mu_plus=[0.1, 0.2, 0.3, -1.0, 0.4], Omega_z=[0.3, 0.0])  # two of which cannot be


def moved(t, y):
    if y[1] > 0.2:
        raise ValueError("too far")
    return y[1] * y[1]


def run(**more):
    return ensemble(
        CORNER,
        STARTS,
        0.3,
        start={"v": 0.1},
        method="event-driven",
        keep=["final", "u_a", Final(moved)],
        progress=False,
        chunk=100,
        **more,
    ).found


@pytest.mark.parametrize("spoilt", [slice(0, 0), slice(0, None, 2), slice(None)], ids=["none", "half", "all"])
@pytest.mark.parametrize("options", [{}, {"max_steps": 40}], ids=["to the end", "out of steps"])
def test_they_are_told_as_by_threads(monkeypatch, spoilt, options):
    class PlayedByTheCPU(modes_kernel.GroupInModesOnGPU):
        def follow_there(self, some):
            other = GroupInModes(self.task, self.method, self.group.some(some))
            other.make_ready()
            after = 0
            while after < other.count:
                after = other.follow(after)
            for mine, there in zip(self.out, other.out):
                mine[some] = there
            ends, times, steps, whys = self.out
            which = some[spoilt]
            ends[which], times[which], steps[which], whys[which] = np.nan, -1.0, 777, c.NOT_FINITE
            assert not np.any(whys[some] == NOT_BEGUN)

    here = run(**options)
    monkeypatch.setattr(compiled_chunk, "modes_group", lambda gpu: PlayedByTheCPU)
    there = run(**options)
    for name in ("status", "values", "steps", "time"):
        assert np.array_equal(getattr(there, name), getattr(here, name), equal_nan=name in ("values", "time")), name
    assert there.reasons == here.reasons
    assert len(set(here.status.tolist())) > 1


def test_a_function_that_is_kept_at_the_end_is_asked_there_only():
    """Also where members are simulated one by one (a wall_limit makes them so)."""

    def late(t, y):
        if t < 0.1:
            raise ValueError("too early")
        return y[1]

    given = dict(start={"v": 0.1}, method="event-driven", keep=[Final(late)], progress=False)
    fast, slow = (ensemble(CORNER, Grid(mu_plus=[0.2, 0.3]), 0.2, **given, **more) for more in ({}, {"wall_limit": 100.0}))
    assert fast.statuses == slow.statuses == {"finished": 1, "ambiguous": 1}
    assert np.array_equal(fast.found.values, slow.found.values)
    assert np.all(np.isfinite(fast.found.values))
