"""A method of one's own that does not keep to the contract is met by a sentence, not by an endless loop."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from systems import Clock

from rollick import InputError, simulate
from rollick.kernel.evaluate import rate_at
from rollick.motion.methods import METHODS, Method, register
from rollick.motion.methods.smooth import Adaptive
from rollick.motion.ode.control import ACCEPTED, END, FULL, LEFT, MOST_STEPS, NEXT_AT, REACHED, STEP, STORED, TIME


class Straight:
    """Euler's steps, in plain Python."""

    name, advice = "straight", "or take a larger dt"

    def advance(self, system, s, y, tolerance, block):
        """The contract, written out."""
        done, slope = 0, np.zeros_like(y)
        s[STORED] = 0.0
        if block.store:
            block.ts[0], block.ys[0] = s[TIME], y
        while s[TIME] != s[END]:
            if done == block.ts.size - 1:
                return FULL
            if s[LEFT] <= 0.0:
                return MOST_STEPS
            t = s[TIME]
            s[TIME] = s[END] if abs(s[STEP]) >= abs(s[END] - t) else t + s[STEP]
            rate_at(system, t, y, slope)
            f = block.fs[done if block.dense else 0]
            f[:] = 0.0
            f[0] = (s[TIME] - t) * slope
            while s[NEXT_AT] < block.at.size and block.at[int(s[NEXT_AT])] <= s[TIME]:
                j = int(s[NEXT_AT])
                block.at_out[j] = y + (block.at[j] - t) * slope
                s[NEXT_AT] += 1.0
            y += f[0]
            s[LEFT] -= 1.0
            s[ACCEPTED] += 1.0
            done += 1
            if block.store:
                block.ts[done], block.ys[done] = s[TIME], y
            s[STORED] = done
        return REACHED


@dataclass(frozen=True)
class Euler(Method):
    """Euler's method; the stepper is a field, so that the tests can put in a broken one."""

    dt: float = 0.25
    stepper: type | None = Straight

    name: ClassVar[str] = "euler of the tests"
    engine = Adaptive.engine

    def begin(self, run, s):
        """The stepper at the start."""
        s[STEP] = math.copysign(self.dt, run.t1 - run.t0)
        return self.stepper and self.stepper()


def saying(answer):
    """A stepper that does nothing and says this."""
    return type("Idle", (Straight,), {"advance": lambda self, system, s, y, tolerance, block: answer})


def test_a_stepper_in_plain_python_keeps_the_contract():
    m = simulate(Clock(2.0), [0.0], 100.0, method=Euler())
    assert m.status == "finished"
    assert len(m) == 401
    assert np.allclose(m["x"], 2.0 * m.t)
    assert np.allclose(simulate(Clock(2.0), [0.0], 1.0, method=Euler(), at=[0.0, 0.3, 1.0])["x"], [0.0, 0.6, 2.0])


@pytest.mark.parametrize(
    ("stepper", "words"),
    [
        (saying(None), "ended a block with None; let it return FULL"),
        (saying(17), "ended a block with 17"),
        (saying(FULL), "says FULL at t = 0 without a step"),
        (saying(REACHED), "says REACHED at s[TIME] = 0, but s[END] = 1"),
        (None, "`begin` of the method 'euler of the tests' returned None"),
    ],
)
def test_a_broken_stepper_is_refused(stepper, words):
    with pytest.raises(InputError) as refused:
        simulate(Clock(), [0.0], 1.0, method=Euler(stepper=stepper))
    assert words in str(refused.value)


def test_what_a_method_does_not_say_is_asked_for_by_name():
    with pytest.raises(InputError, match=r"verify cannot be had with method = 'euler of the tests'.*write its `finer`"):
        simulate(Clock(), [0.0], 1.0, method=Euler(stepper=saying(None)), verify=True)  # refused before it runs

    class Bare(Method):
        name: ClassVar[str] = "bare"

    with pytest.raises(InputError, match="does not say what it integrates"):
        simulate(Clock(), [0.0], 1.0, method=Bare())

    class Halfway(Bare):
        engine = Adaptive.engine

    with pytest.raises(InputError, match="makes no stepper"):
        simulate(Clock(), [0.0], 1.0, method=Halfway())


def test_a_name_stands_for_one_method(monkeypatch):
    monkeypatch.setattr("rollick.motion.methods.method.METHODS", dict(METHODS))

    class Mine(Method):
        name: ClassVar[str] = "dop853"

    with pytest.raises(InputError, match=r"'dop853' exists already \(rollick.motion.methods.smooth.DOP853\); take another name"):
        register(Mine)

    class Nameless(Euler):
        pass

    with pytest.raises(InputError, match='Nameless has no name of its own; write `name: ClassVar\\[str\\] = "nameless"`'):
        register(Nameless)
    with pytest.raises(InputError, match="is not a method"):
        register(Straight)
    assert register(METHODS["dop853"]) is METHODS["dop853"]  # a module that is imported again
