"""A user's functions are tried once, between margins, before compiled code is let loose on memory."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from numba.core import config

from rollick import describe, integrals, rate, signals, simulate
from rollick.analysis.lyapunov import largest_exponent
from rollick.kernel import trial
from rollick.kernel.names import InputError
from rollick.kernel.trial import Margins, try_once, try_signals
from rollick.motion.methods import Method
from rollick.motion.methods.smooth import Adaptive
from rollick.motion.ode.extended import Accumulating

Y = np.array([0.5, -2.0])


def system(write, states=("x", "v"), **more):
    """A system of a type of its own whose rate is `write`."""

    class Mine(NamedTuple):
        k: float

    rate.register(Mine)(write)
    describe(Mine, states=dict.fromkeys(states, ""), **more)
    return Mine(3.0)


def test_a_rate_that_is_right_is_tried_once():
    def write(s, t, y, out):
        out[0] = y[1]
        out[1] = -s.k * y[0]

    mine = system(write)
    key = "rate", trial.parts(mine)
    assert key not in trial._tried
    try_once(mine, 0.0, Y)
    assert key in trial._tried
    try_once(mine, 0.0, np.zeros(0))  # not looked at again


def test_a_rate_may_be_infinite_or_nan_at_the_start():
    def write(s, t, y, out):
        out[0] = 1.0 / (y[0] - 0.5)
        out[1] = (y[0] - 0.5) / (y[0] - 0.5)

    mine = system(write)
    try_once(mine, 0.0, Y)
    assert ("rate", trial.parts(mine)) in trial._tried


def beyond(s, t, y, out):
    out[0] = y[1]
    out[1] = y[0]
    out[2] = 1.0


def far_beyond(s, t, y, out):
    out[0] = y[1]
    out[1] = y[0]
    out[2000] = 1.0


def before(s, t, y, out):
    out[0] = y[1]
    out[1] = y[0]
    out[-3] = 1.0


def forgotten(s, t, y, out):
    out[0] = y[1]


def changing(s, t, y, out):
    y[0] = 0.0
    out[0] = y[1]
    out[1] = y[0]


def reading(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.k * y[2]


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (beyond, r"`rate` of Mine writes out\[2\], but there are 2 entries"),
        (far_beyond, r"writes out\[2000\]"),
        (before, r"writes out\[-3\]"),
        (forgotten, r"`rate` of Mine does not set out\[1\], the rate of v;"),
        (changing, r"changes y\[0\]; it may only read y"),
        (reading, r"reads beyond its 2 states: out\[1\], the rate of v"),
    ],
)
def test_what_is_wrong_with_a_rate_is_said(write, words):
    # A function of its own for each test: what is registered gets the name of its class.
    mine = system(lambda_of(write))
    for _ in range(2):  # it is not forgiven the second time
        with pytest.raises(InputError, match=words):
            try_once(mine, 0.0, Y)


def lambda_of(function):
    """A copy of a function."""
    return type(function)(function.__code__, function.__globals__, function.__name__)


def test_integrals_are_tried_with_the_rate_and_signals_alone():
    def write(s, t, y, out):
        out[0] = y[1]
        out[1] = y[0]

    mine = system(write, signals={"energy": "J", "power": "W"}, integrals={"work": "J", "path": "m"})
    with pytest.raises(TypeError, match="`integrals` has no implementation for Mine"):
        try_once(Accumulating(mine), 0.0, np.array([*Y, 0.0, 0.0]))
    with pytest.raises(TypeError, match="`signals` has no implementation for Mine"):
        try_signals(mine, 0.0, Y)

    @integrals.register(type(mine))
    def _(s, t, y, out):
        out[0] = y[1]

    @signals.register(type(mine))
    def _(s, t, y, out):
        out[1] = y[1]

    try_once(mine, 0.0, Y)
    with pytest.raises(InputError, match="does not set the rate of the integral path"):
        try_once(Accumulating(mine), 0.0, np.array([*Y, 0.0, 0.0]))
    with pytest.raises(InputError, match=r"`signals` of Mine does not set out\[0\], the signal energy"):
        try_signals(mine, 0.0, Y)


def test_rollicks_own_systems_are_not_tried(monkeypatch):
    from rollick import Rattleback

    monkeypatch.setattr(trial, "rate_at", None)
    try_once(Rattleback(), 0.0, np.zeros(6))
    assert not trial.foreign(trial.parts(Accumulating(Rattleback())))


def test_margins_tell_what_was_touched():
    margins = Margins(3, trial.UNTOUCHED)
    assert margins.touched_outside() is None
    assert margins.holding(trial.UNTOUCHED).tolist() == [0, 1, 2]
    margins.inside[1] = np.nan  # a NaN like any other
    assert margins.holding(trial.UNTOUCHED).tolist() == [0, 2]
    margins.bits[trial.MARGIN + 3] = 0
    margins.bits[trial.MARGIN - 5] = 0
    assert margins.touched_outside() == 3


def test_the_rate_is_tried_whatever_the_method():
    """The common loop tries it, before a method of somebody's own begins; methods that never call `rate` do not have it tried."""

    class Begun(Exception):
        pass

    @dataclass(frozen=True)
    class Own(Method):
        name: ClassVar[str] = "own"
        engine = Adaptive.engine

        def begin(self, run, s):
            raise Begun

    @dataclass(frozen=True)
    class WithoutRate(Own):
        uses_rate: ClassVar[bool] = False

    with pytest.raises(InputError, match=r"writes out\[2\]"):
        simulate(system(beyond), [0.5, -2.0], 1.0, method=Own())
    with pytest.raises(Begun):
        simulate(system(beyond), [0.5, -2.0], 1.0, method=WithoutRate())
    with pytest.raises(InputError, match=r"writes out\[2\]"):
        largest_exponent(system(beyond), [0.5, -2.0], 1.0)


@pytest.mark.skipif(config.DISABLE_JIT, reason="about machine code")
def test_what_does_not_compile_is_said_in_a_sentence():
    def write(s, t, y, out):
        out[0] = y[1]
        out[1] = s.missing * y[0]

    with pytest.raises(InputError) as refused:
        simulate(system(write), Y, 1.0)
    told = str(refused.value)
    assert told.startswith("what is registered for Mine cannot be compiled: Unknown attribute 'missing' of type Mine"), told
    assert "at `out[1] = s.missing * y[0]` (test_trial.py, line " in told
    assert "`rate` of Mine (test_trial.py, line " in told

    def compares(s, t, y, out):
        out[0] = 1.0 if y[0] > 0.0 else -1.0

    with pytest.raises(InputError, match=r"there is no gt\(complex128, float64\), at `out\[0\] = .* compare real\(x\)"):
        simulate(system(compares, states=("x",)), [0.5], 1.0, method="radau")
