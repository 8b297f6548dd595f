"""Ends of time stepping and of sequences of impacts, kept by compiled loops over members, against `simulate` and `collide`: the same to the last bit."""

import numpy as np
import pytest

from rollick import InputError, simulate
from rollick.archetypes.many import ModelSource
from rollick.archetypes.polygon import MODEL
from rollick.ensemble import Grid, Path, Samples, ensemble
from rollick.ensemble.call import make_task
from rollick.ensemble.chunks.compiled_chunk import can_be_compiled, what_hinders
from rollick.mechanics.body import Body
from rollick.mechanics.laws.sliding import Coulomb
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.shapes.convex import Sphere
from rollick.mechanics.sliding import sliding

BALL = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(0.3))
BACKSPIN = {"q0": 1.0, "vx": 1.0, "omega2": -20.0}
KEPT = ["phi_x", "phi_y", "h", "omega_x", "omega_y", "v", "point"]


def test_a_ball_slips_and_rolls_as_it_does_alone():
    grid = Grid({"law.sliding.mu": [0.1, 0.3, -0.2], "vx": [0.5, 1.0]})
    found = ensemble(
        BALL, grid, 0.2, start=BACKSPIN, method="moreau", dt=1e-3, keep=["final", "energy", "lost_sliding"], integrals=True
    )
    assert found.statuses == {"finished": 4, "refused": 2}
    for i, (mu, vx) in enumerate(zip(found.task.members.columns["law.sliding.mu"], found.task.members.columns["vx"])):
        if mu < 0.0:
            assert "negative" in found.found.reasons[i]
            continue
        law = BALL.law._replace(sliding=Coulomb(float(mu)))
        motion = simulate(BALL._replace(law=law), {**BACKSPIN, "vx": float(vx)}, 0.2, method="moreau", dt=1e-3)
        expected = [*motion.end_state, motion["energy"][-1], motion["lost_sliding"][-1]]
        assert np.array_equal(found.found.values[i, :-2], motion.end_state)
        assert found.found.values[i] == pytest.approx(expected, rel=1e-12, abs=1e-14)
        assert found.found.steps[i] == 200
        assert found.found.time[i] == 0.2


def test_what_a_time_stepper_cannot_tell_at_its_end_is_measured_one_by_one():
    task, _, _ = make_task(BALL, Grid(vx=[0.5, 1.0]), 0.1, start=BACKSPIN, method="moreau", dt=1e-3)
    assert can_be_compiled(task)
    for options in ({"keep": Path([0.1])}, {"rtol": 1e-2}, {"wall_limit": 5.0}):
        task, _, _ = make_task(BALL, Grid(vx=[0.5, 1.0]), 0.1, start=BACKSPIN, method="moreau", dt=1e-3, **options)
        assert not can_be_compiled(task)


def attempted(parameters, start, until):
    """A sequence of collisions and its message, or None and why there is none."""
    try:
        alone = MODEL.simulate(MODEL.make(**parameters), start, until)
    except InputError as error:
        return None, str(error)
    return alone, alone.message


@pytest.mark.parametrize(
    ("fixed", "ranges"),
    [
        ({"n": 3, "max_impacts": 300}, {"phi_x": (0.0, 0.1), "phi_y": (0.0, 0.1), "omega_x": (0.0, 0.1), "h": (-0.05, 0.5)}),
        ({"n": 3, "max_impacts": 200}, {"rho": (0.1, 0.6), "gamma": (-0.1, 1.0), "phi_x": (0.0, 0.1), "omega_y": (-0.5, 0.5)}),
        (
            {"n": 4, "max_impacts": 100, "g": 1.0},
            {"rho": (0.1, 0.6), "gamma": (0.0, 0.9), "phi_x": (0.0, 0.1), "until": (0.5, 3.0)},
        ),
        ({"n": 5, "max_impacts": 100, "rule": "simultaneous"}, {"gamma": (0.0, 0.9), "phi_x": (0.0, 0.1)}),
    ],
)
def test_polygons_end_as_they_do_alone(fixed, ranges):
    source, starts = ModelSource("polygon", fixed), Samples(24, "sobol", seed=2, **ranges)
    found = ensemble(source, starts, keep=KEPT)
    names = found.task.members.names
    assert can_be_compiled(found.task)
    for i in range(24):
        row = found.task.members.row(i)
        parameters = {name: row[name] for name in names if name in ("rho", "gamma")}
        start = {**MODEL.start, **{name: row[name] for name in names if name in KEPT}}
        alone, reason = attempted(fixed | parameters, start, row.get("until"))
        assert found.found.reasons[i] == reason
        if alone is None:
            continue
        series = {**alone.series()[1], **alone.series()[2]}
        expected = [series[name][-1] if len(alone) else np.nan for name in KEPT]
        assert np.array_equal(found.found.values[i], expected, equal_nan=True), i
        assert found.found.steps[i] == len(alone)
        assert found.found.time[i] == alone.end_time
    assert len(found.statuses) > 1 or "simultaneous" in fixed.values()


def test_what_hinders_a_gpu_is_named():
    def told(*given, **options):
        task, _, _ = make_task(*given, **options)
        return what_hinders(task)

    assert "contact and dry friction" in told(BALL, Grid(vx=[1.0]), 0.1, start=BACKSPIN, method="event-driven")
    assert "Path" in told(BALL, Grid(vx=[1.0]), 0.1, start=BACKSPIN, method="moreau", keep=Path([0.1]))
    assert "phi_x" in told(ModelSource("polygon"), Grid(rho=[0.2]), keep="impulse")
    assert "rod" in told(ModelSource("rod"), Grid(rho=[0.2]), keep="h")
    assert "radau" in told(ModelSource("rattleback"), Grid(D=[-2e-5]), 1.0, method="radau")
    assert told(ModelSource("rattleback"), Grid(D=[-2e-5]), 1.0) == ""
