"""Derivatives of outputs: against closed forms, and against differences of whole motions, which share no derivative with them."""

import numpy as np
import pytest
from design_systems import BOUNCE, HIT, Ball, Drag, Stubborn, Swing

from rollick import Body, Coulomb, Event, InputError, sliding
from rollick.analysis.sensitivity import At, AtEvent, EventTime, Integral, Maximum, Reset, sensitivity
from rollick.archetypes.filippov.pool_ball import PoolBall
from rollick.mechanics.mass.primitives import solid_ellipsoid
from rollick.mechanics.shapes.convex import Ellipsoid

SWING = Swing(length=1.3, drag=Drag(0.2), A=0.5)
START = {"phi": "100deg", "omega": 0.3}
ALL = ["mass", "length", "drag.c", "g", "A", "w"]


def test_all_outputs_agree_with_differences_of_motions():
    outputs = [
        "phi at 3",
        "energy at the end",
        "time of omega rising",
        "energy when phi falling 2",
        "max omega",
        "min phi",
        "integral of energy",
        "lost",
    ]
    table = sensitivity(SWING, START, 5.0, outputs, ALL, ["phi", "omega"], rtol=1e-13)
    near = table.by_differences(1e-3)
    assert table.matrix == pytest.approx(near, abs=1e-6 * np.abs(near).max(axis=1).min(), rel=1e-6)
    assert np.abs(near).max(axis=1).min() > 0.1
    assert table.question.by == "complex step"
    assert table["phi at 3 s", "drag.c"] == table.matrix[0, 2]


def test_a_bouncing_ball_in_closed_form():
    """From height h: impacts at T and T (1 + 2 e), the second at speed e v; T = sqrt(2h/g), v = sqrt(2 g h)."""
    h, g, e = 1.3, 9.81, 0.7
    outputs = [EventTime(HIT, count=2), AtEvent("v", HIT, count=2), At("x", 1.5), EventTime("v", "falling")]
    table = sensitivity(Ball(e=e), {"x": h}, 1.6, outputs, ["g", "e"], ["x"], resets=BOUNCE)
    T, v = np.sqrt(2.0 * h / g), np.sqrt(2.0 * g * h)
    t2 = T * (1.0 + 2.0 * e)
    assert table.values[:2] == pytest.approx([t2, -e * v], rel=1e-9)
    assert table.matrix[0] == pytest.approx([-0.5 * t2 / g, 2.0 * T, 0.5 * t2 / h], rel=1e-9)
    assert table.matrix[1] == pytest.approx([-0.5 * e * v / g, -v, -0.5 * e * v / h], rel=1e-9)
    # after two impacts x = e^2 v s - g s^2/2, s = t - t2
    s = 1.5 - t2
    dt = table.matrix[0]
    x = e * e * v * s - 0.5 * g * s * s
    slope = e * e * v - g * s
    wanted = [
        e * e * 0.5 * v / g * s - 0.5 * s * s - slope * dt[0],
        2.0 * e * v * s - slope * dt[1],
        e * e * 0.5 * v / h * s - slope * dt[2],
    ]
    assert table.values[2] == pytest.approx(x, abs=1e-9)
    assert table.matrix[2] == pytest.approx(wanted, rel=1e-8)


def test_impacts_on_a_moving_table_agree_with_differences():
    table = sensitivity(
        Ball(k=0.05, A=0.02), {"x": 1.0, "v": 0.1}, 1.7, ["x at the end", "v at 1.5", EventTime(HIT, count=2), AtEvent("v", HIT, count=3), "integral of x", "integral of v"],
        ["g", "e", "k", "A", "W"], ["x", "v"], resets=BOUNCE, rtol=1e-13,
    )  # fmt: skip
    near = table.by_differences(1e-3)
    assert np.abs(table.matrix - near).max(axis=1) == pytest.approx(0.0, abs=1e-8 * np.abs(near).max())
    assert len(table.question.path(table.question.inputs[0]).jumps) >= 3


def test_equations_that_take_no_complex_parameters_are_compared_with_their_neighbours():
    table = sensitivity(Stubborn(), [2.0], 1.5, ["x"], ["k"], ["x"])
    assert table.question.by == "complex step, some by neighbours" or table.question.by == "neighbours"
    assert table.matrix[0] == pytest.approx([-1.5 * 2.0 * np.exp(-0.7 * 1.5), np.exp(-0.7 * 1.5)], rel=1e-9)


def test_a_signal_that_drops_imaginary_parts_is_noticed():
    table = sensitivity(SWING, START, 2.0, ["speed at 2", "omega at 2"], ["length"])
    _speed, omega = table.values
    assert table.matrix[0, 0] == pytest.approx(omega + SWING.length * table.matrix[1, 0], rel=1e-8)


def test_what_has_no_derivative_is_refused():
    with pytest.raises(InputError, match="touches"):  # the top of the flight, x + v^2/(2 g), is at the level
        sensitivity(Ball(g=8.0), {"x": 1.0, "v": 2.0}, 0.4, [EventTime(Event("x", level=1.25))], ["g"])
    with pytest.raises(InputError, match="passes its level at the very start"):
        sensitivity(SWING, {"phi": 1.0}, 3.0, ["time of omega falling"], [], ["omega"])
    with pytest.raises(InputError, match="there is no time of omega"):
        sensitivity(SWING, START, 1.0, ["time of omega 9"], ["g"])
    t = np.sqrt(2.0 / 9.81)
    with pytest.raises(InputError, match="jumps"):
        sensitivity(Ball(), {"x": 1.0}, 1.0, [At("v", t)], ["g"], resets=BOUNCE)
    with pytest.raises(InputError, match="accumulate"):
        sensitivity(Ball(e=0.3), {"x": 1.0}, 5.0, ["x"], ["g"], resets=BOUNCE, max_resets=20)


def test_what_was_given_wrongly_is_told():
    with pytest.raises(InputError, match=r"drag\.c"):
        sensitivity(SWING, START, 1.0, ["phi"], ["friction"])
    with pytest.raises(InputError, match="nothing to differentiate by"):
        sensitivity(SWING, START, 1.0, ["phi"])
    with pytest.raises(InputError, match="is no output"):
        sensitivity(SWING, START, 1.0, ["phi of the day"], ["g"])
    with pytest.raises(InputError, match="outside the motion"):
        sensitivity(SWING, START, 1.0, ["phi at 2"], ["g"])
    with pytest.raises(InputError, match="twice"):
        sensitivity(SWING, START, 1.0, ["phi", "phi at the end"], ["g"])
    with pytest.raises(InputError, match="shape"):
        sensitivity(Ball(), {"x": 1.0}, 1.0, ["x"], ["g"], resets=Reset(HIT, lambda t, y: (0.0,)))
    with pytest.raises(InputError, match="a list of them"):
        sensitivity(Ball(), {"x": 1.0}, 1.0, ["x"], ["g"], resets=3)
    body = Body.from_inertia(1.0, solid_ellipsoid(1.0, 0.1, 0.1, 0.05).inertia, Ellipsoid(0.1, 0.1, 0.05), (0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="moreau"):
        sensitivity(sliding(body, law=Coulomb(0.3)), {}, 1.0, ["x"], ["g"], method="moreau")


def test_the_table_tells_itself(tmp_path):
    table = sensitivity(SWING, START, 2.0, [Maximum("energy"), Integral("phi"), At(lambda t, y: y[0] * y[1])], ["mass", "g"])
    told = table.to_dict()
    assert [one["name"] for one in told["outputs"]] == ["max energy", "integral of phi", "function at the end"]
    assert told["derivatives"] == table.matrix.tolist()
    assert "d/d mass" in table.summary()
    assert "% per %" in table.summary()
    table.plot(path=tmp_path / "bars.png")
    table.to_netcdf(tmp_path / "table.nc")
    assert (tmp_path / "bars.png").stat().st_size > 5000
    assert (tmp_path / "table.nc").exists()


def random_case(rng, kind):
    """A random system and start with outputs that exist."""
    if kind == "swing":
        system = Swing(
            *rng.uniform(0.5, 2.0, 2),
            Drag(rng.uniform(0.02, 0.5)),
            rng.uniform(5.0, 15.0),
            rng.uniform(0.1, 1.0),
            rng.uniform(1.0, 3.0),
        )
        start = {"phi": rng.uniform(0.3, 2.5), "omega": rng.uniform(0.1, 1.0)}
        return (
            system,
            start,
            4.0,
            ["phi", "time of phi falling", "energy when omega", "integral of energy"],
            ["mass", "length", "drag.c", "g", "A", "w"],
            (),
        )
    system = Ball(
        rng.uniform(5.0, 15.0), rng.uniform(0.7, 0.95), rng.uniform(0.01, 0.1), rng.uniform(0.001, 0.01), rng.uniform(3.0, 8.0)
    )
    start = {"x": rng.uniform(0.8, 2.0), "v": rng.uniform(-0.5, 0.5)}
    return (
        system,
        start,
        1.3,
        [EventTime(HIT, count=1), AtEvent("v", HIT, count=1), "x at the end"],
        ["g", "e", "k", "A", "W"],
        BOUNCE,
    )


def worst_of(count, seed, step=1e-4):
    """The largest error over random systems and starts: along a random direction in all inputs at once, against differences of order four of whole motions,
    relative to the largest contribution of an input."""
    rng = np.random.default_rng(seed)
    errors = []
    for k in range(count):
        system, start, until, outputs, parameters, resets = random_case(rng, "swing" if k % 2 else "ball")
        table = sensitivity(system, start, until, outputs, parameters, list(start), resets=resets, rtol=1e-12)
        q = table.question
        if any(until - t < 0.01 for t in q.path(None).jumps):
            continue  # neighbours whose end is on the other side of an impact have another derivative, and differences mix them
        along = rng.uniform(-1.0, 1.0, q.values.size) * q.values
        sides = [q.outputs_at(q.values + h * step * along) for h in (1.0, -1.0, 2.0, -2.0)]
        near = (8.0 * (sides[0] - sides[1]) - (sides[2] - sides[3])) / (12.0 * step)
        scale = np.abs(table.matrix * along).max(axis=1) + 1e-3 * np.abs(table.values)
        errors.append(float(np.max(np.abs(table.matrix @ along - near) / scale)))
    assert len(errors) > 0.9 * count
    return float(np.max(errors))  # nan if one is


@pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_random_systems_and_starts(count):
    assert worst_of(count, 1) < 1e-6


@pytest.mark.slow
def test_a_thousand_random_systems_and_starts():
    assert worst_of(1000, 2) < 1e-4


@pytest.mark.slow
def test_through_slip_and_stick():
    """A ball in a pool whose water surges: slip of two components that ends and begins again; against differences of motions."""
    ball, start = PoolBall(K=3.0, mu=0.05, surge=1.5, omega=2.0), {"u_y": 0.3, "u_z": 0.1, "v_y": 1.0, "v_z": 0.5}
    outputs = [
        "v_y at 0.5",
        "v_z at 2",
        "time of stick",
        "time of slip",
        "v_y when slip",
        "time of v_y falling",
        "integral of v_y",
        "max v_y",
    ]
    table = sensitivity(ball, start, 2.5, outputs, ["m", "K", "mu", "surge", "omega"], ["u_y", "v_y"], rtol=1e-12)
    near = table.by_differences(1e-3)
    assert np.abs(table.matrix - near).max(axis=1) == pytest.approx(0.0, abs=1e-6 * np.abs(near).max(axis=1).max())
    sticks = table.matrix[2]
    assert np.abs(sticks).max() > 0.1
    with pytest.raises(InputError, match="rolls at the start"):
        sensitivity(ball, {"v_y": 0.1}, 0.1, ["v_y"], [], ["u_y"])
