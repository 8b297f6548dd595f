"""What a summary says of time and of ends: the unit of time follows from the system, an end that is rounding is zero, and digits are those that rtol supports."""

import matplotlib.pyplot as plt
import pytest
from systems import Clock, Growth

from rollick import simulate
from rollick.archetypes.filippov import BallInCorner, Toy
from rollick.kernel.system import description
from rollick.motion.result.rounding import end_in_words


@pytest.mark.parametrize(("system", "unit"), [(Clock, "s"), (Growth, ""), (BallInCorner, "s"), (Toy, "")])
def test_the_unit_of_time_follows_from_the_quantities(system, unit):
    assert description(system).time == unit


@pytest.mark.parametrize(("system", "span", "label"), [(Clock(), "t = 0 .. 1 s, ", "[s]"), (Growth(), "t = 0 .. 1, ", "")])
def test_a_time_without_dimension_is_told_without_seconds(system, span, label):
    motion = simulate(system, [1.0], 1.0, progress=False)
    assert span in motion.summary().splitlines()[0]
    assert motion.data["t"].attrs["units"] == description(system).time
    figure = motion.plot()
    axis = figure.axes[-1].get_xlabel()
    plt.close(figure)
    assert ("[" in axis) == bool(label)


@pytest.mark.parametrize(
    ("value", "largest", "rtol", "told"),
    [
        (-4.33680832e-32, 1.0, None, "0"),  # rounding beside the largest of its unit
        (4.3e-7, 1.0, 1e-9, "4.3e-07"),
        (0.64648372361, 1.0, 1e-9, "0.6464837236"),
        (0.64648372361, 1.0, 1e-5, "0.646484"),
        (0.64648372361, 1.0, None, "0.6464837236"),
        (0.0, 0.0, 1e-9, "0"),
    ],
)
def test_an_end_is_told_with_the_digits_that_are_known(value, largest, rtol, told):
    assert end_in_words(value, largest, rtol) == told


def test_the_end_of_a_state_that_is_rounding_beside_others_is_zero_in_a_summary():
    motion = simulate(Growth(), [1.0], 1.0, progress=False)
    motion.y[-1, 0] = 1e-17
    assert "at the end 0" in motion.summary()
