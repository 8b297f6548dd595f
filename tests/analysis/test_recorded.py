"""Outputs from records, charts over what makes a system, families of steady motions, rounding that is zero."""

from typing import NamedTuple

import numpy as np
import pytest
from design_systems import Drag, Swing

from rollick import InputError, continue_steady, describe, rate, steady_motion
from rollick.analysis.chart import chart
from rollick.analysis.recorded import recorded_values
from rollick.analysis.sensitivity import sensitivity
from rollick.analysis.sensitivity.outputs import outputs_of
from rollick.archetypes.models import model
from rollick.kernel.paths import fields_of
from rollick.motion.methods import DOP853

OUTPUTS = [
    "time of phi falling",
    "max omega",
    "min phi",
    "omega at 1.5",
    "phi at the end",
    "integral of omega",
    "phi when omega rising",
]


def test_a_record_says_what_integration_says():
    """With steps of 1 ms straight lines between them are off by h^2/8 max|omega''| = 3.3e-6 rad/s at most."""
    start = {"phi": 1.0}
    exact = sensitivity(Swing(), start, 3.0, OUTPUTS, ["length"]).values
    told = recorded_values(Swing(), start, 3.0, outputs_of(OUTPUTS), DOP853(rtol=1e-12, max_step=1e-3))
    assert told == pytest.approx(exact, abs=3.3e-6)
    assert told[0] == pytest.approx(exact[0], abs=1e-9)  # events are found, not interpolated
    with pytest.raises(InputError, match="there is no time of phi = 7"):
        recorded_values(Swing(), start, 3.0, outputs_of(["time of phi = 7"]), DOP853())
    with pytest.raises(InputError, match="by names of states and signals"):
        recorded_values(Swing(), start, 3.0, outputs_of([lambda t, y: y[0]]), DOP853())


def test_an_axis_may_make_the_system():
    """A chart over a number from which the system is made, beside one over the field itself."""
    lengths, starts = [0.8, 1.3], ["30deg", "60deg"]
    direct = chart(Swing(), {"phi": 1.0}, 3.0, {"length": lengths, "phi": starts}, ["max omega"], progress=False)
    made = chart(
        Swing(), {"phi": 1.0}, 3.0, {"twice": [2.0 * x for x in lengths], "phi": starts}, ["max omega"], progress=False,
        make=lambda twice: Swing(length=0.5 * twice), made_of={"twice": "m"},
    )  # fmt: skip
    assert made["max omega"] == pytest.approx(direct["max omega"], rel=1e-12)
    assert list(made.axes) == ["twice", "phi(0)"]
    alone = chart(
        Swing(),
        {"phi": 1.0},
        3.0,
        {"twice": [2.0]},
        ["max omega"],
        progress=False,
        make=lambda twice: Swing(length=0.5 * twice),
        made_of={"twice": "m"},
    )
    assert alone["max omega"][0] == pytest.approx(
        float(sensitivity(Swing(length=1.0), {"phi": 1.0}, 3.0, ["max omega"], ["length"]).values[0]), rel=1e-8
    )
    with pytest.raises(InputError, match="arguments of make"):
        chart(Swing(), {"phi": 1.0}, 3.0, {"twice": [2.0]}, ["max omega"], made_of={"twice": "m"})
    same = chart(Swing(drag=Drag(0.0)), {"phi": 0.0}, 1.0, {"length": lengths}, ["max omega"], progress=False)
    assert same.summary().endswith("max omega: 0 rad/s everywhere")


class Resting(NamedTuple):
    """Equilibrium at (1, 0, small): Newton's method leaves rounding in y; small may be real."""

    small: float = 1e-14


@rate.register(Resting)
def _(s, t, y, out):
    x = y[0] - 1.0 / 3.0 - 2.0 / 3.0
    out[0] = -x - 7.3 * y[1] + 0.1 * x * x
    out[1] = -0.7 * y[1] + 0.3 * x + y[1] * y[1]
    out[2] = -1e6 * (y[2] - s.small)


describe(Resting, states={"x": "m", "y": "m", "z": "m"})


def test_rounding_is_told_as_zero_and_small_numbers_are_kept():
    found = steady_motion(Resting(), [1.4, 0.3, 0.1])
    assert found.state["y"] == 0.0
    assert found.state["z"] == pytest.approx(1e-14, rel=1e-3)
    assert "x = 1 m, y = 0 m, z = 1e-14 m" in found.summary()
    assert found.summary().splitlines()[-1].endswith("1/s")


def test_a_family_is_no_branch():
    stone = model("rattleback").make()
    with pytest.raises(InputError, match=r"a family of steady motions along omega3.*hold=\('omega3',\)"):
        continue_steady(stone, "a", {"omega3": 5.0}, bounds=(0.18, 0.22))
    branch = continue_steady(stone, "a", {"omega3": 5.0}, bounds=(0.18, 0.22), hold=("omega3",))
    assert branch.complete
    assert np.ptp(branch["omega1"]) < 1e-12


def test_parts_without_numbers_have_no_parameters():
    assert not [name for name in fields_of(model("tippe_top").make(friction="smooth")) if "unused" in name]
