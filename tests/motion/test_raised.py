"""What goes wrong inside a user's functions is said, and does not cost the motion."""

from typing import NamedTuple

import pytest

from rollick import Event, MotionWarning, Rattleback, describe, rate, signals, simulate
from rollick.kernel.names import InputError
from rollick.motion.start import check_system


class Table(NamedTuple):
    """A clock that stops working at t = 1; v is never set if `k` is negative."""

    k: float


@rate.register(Table)
def _(s, t, y, out):
    if t > 1.0:
        raise ValueError("beyond the table")
    out[0] = s.k


@signals.register(Table)
def _(s, t, y, out):
    out[0] = y[0] - 0.25


describe(Table, states={"x": "m"}, signals={"high": "m", "low": "m"})


class Short(NamedTuple):
    """A rate that forgets its second entry."""

    k: float


@rate.register(Short)
def _(s, t, y, out):
    out[0] = s.k


describe(Short, states={"x": "m", "v": "m/s"})


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_an_exception_in_a_rate_keeps_the_motion_until_then(method):
    with pytest.warns(MotionWarning, match=r"its equations raise ValueError: beyond the table \(test_raised.py, line \d+\)"):
        motion = simulate(Table(0.5), [0.0], 2.0, method=method, max_step=0.01, events=[Event("x", level=0.2)])
    assert motion.status == "exception"
    assert not motion.complete
    assert 0.9 < motion.t[-1] <= 1.0
    assert motion["x"][-1] == pytest.approx(0.5 * motion.t[-1], rel=1e-12)
    assert motion.end_time == motion.t[-1]
    assert motion.events[0].t == pytest.approx(0.4, rel=1e-12)


def test_an_entry_that_is_not_set_is_an_error_before_anything_is_integrated():
    with pytest.raises(InputError, match=r"`rate` of Short does not set out\[1\], the rate of v"):
        simulate(Short(0.5), [0.0, 0.0], 2.0)


def test_a_signal_that_is_not_set_is_an_error_as_an_output_and_as_an_event():
    motion = simulate(Table(0.5), [0.0], 0.5)
    with pytest.raises(InputError, match=r"`signals` of Table does not set out\[1\], the signal low"):
        motion["high"]
    with pytest.raises(InputError, match="the signal low"):
        simulate(Table(0.5), [0.0], 0.5, events=[Event("high")])


def test_parameters_of_a_system_may_be_texts_with_a_unit():
    assert type(check_system(Rattleback(M=1)).M) is float
    assert check_system(Rattleback(a="200mm")) == Rattleback(a=0.2)
    with pytest.raises(InputError, match="a is measured in m, but '2kg' is in kg"):
        check_system(Rattleback(a="2kg"))
