"""Members eight abreast: every number of the package's stones is, to the last bit, that of a motion by itself."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import Rattleback
from rollick.ensemble import Table, abreast, compiled_chunk, ensemble
from rollick.kernel import absolute, atan2, cos, exp, log, maximum, minimum, sincos, sqrt, tanh
from rollick.kernel.abreast import WIDTH
from rollick.kernel.system import describe, rate

TILT = 0.5 * np.pi / 180.0
START = [TILT, TILT, 0.0, 0.0, 0.0, -5.0]
OPTIONS = {"rtol": 1e-9, "atol": 1e-12, "progress": False, "workers": 1}


class Mixed(NamedTuple):
    """All functions that a rate may call, some of them of large arguments, and a pole."""

    a: float = 1.0
    b: float = 0.5
    far: float = 0.0
    pole: float = 50.0
    stiff: float = 0.0


@rate.register(Mixed)
def _(p, t, y, out):
    s, c = sincos(y[0] + p.far)
    out[0] = y[1] + 0.1 * exp(-y[0] * y[0]) * cos(p.b * t) - 0.05 * atan2(s, c + 1.5)
    out[1] = (
        -p.a * s
        - 0.1 * maximum(y[1], 0.3 * y[0]) * sqrt(1.0 + absolute(y[0]))
        + minimum(0.2 * tanh(y[0]), log(2.0 + y[1] * y[1]))
    )
    out[2] = 1.0 / (p.pole - t) - p.stiff * (y[2] - c)


describe(Mixed, {"x": "", "v": "", "z": ""}, abreast=True)


def by_itself(monkeypatch, call):
    """The same ensemble, its members one after the other."""
    with monkeypatch.context() as patch:
        patch.setattr(compiled_chunk, "can_go_abreast", lambda group, template: False)
        return call()


@pytest.mark.parametrize("method", ["dop853", "auto"])
def test_stones(monkeypatch, method):
    count = 5 * WIDTH + 3
    rng = np.random.default_rng(1)
    table = Table(
        {
            "omega3(0)": rng.uniform(-6.0, 6.0, count),
            "D": Rattleback().D * rng.uniform(0.2, 1.0, count),
            "until": rng.choice([0.0, 0.5, 1.0, 3.0], count),
        }
    )

    def call():
        return ensemble(Rattleback(), table, start=START, method=method, keep=["final", "energy"], **OPTIONS)

    many, one = call(), by_itself(monkeypatch, call)
    assert many.statuses == {"finished": count}
    assert np.array_equal(many.found.values, one.found.values)
    assert np.array_equal(many["steps"], one["steps"])


def test_many_chunks_and_threads_give_the_same():
    def call(**more):
        return ensemble(
            Rattleback(), {"omega3(0)": np.linspace(-6.0, 6.0, 60)}, 1.0, start=START, method="dop853", **(OPTIONS | more)
        ).found.values

    whole = call(chunk=60)
    assert np.array_equal(whole, call(chunk=17))
    assert np.array_equal(whole, call(chunk=23, workers=2))
    assert np.array_equal(whole, call(chunk=7))  # too few to go abreast


@pytest.mark.slow
def test_all_functions_failures_and_stiffness(monkeypatch):
    """A member that meets its pole, or becomes stiff, is asked for by itself, and the others are not disturbed."""
    count = 30
    rng = np.random.default_rng(2)
    columns = {"a": rng.uniform(0.5, 4.0, count), "b": rng.uniform(0.1, 2.0, count), "far": rng.choice([0.0, 3.0, -2e5], count)}
    columns |= {"pole": rng.choice([50.0, 2.5], count), "stiff": rng.choice([0.0, 1e4], count), "x(0)": rng.normal(size=count)}

    def call():
        return ensemble(
            Mixed(),
            Table(columns),
            6.0,
            start={"v": 0.3},
            method="auto",
            rtol=1e-8,
            atol=1e-10,
            max_steps=3000,
            progress=False,
            workers=1,
        )

    many, one = call(), by_itself(monkeypatch, call)
    assert many.statuses == one.statuses
    assert {"finished"} < set(many.statuses)
    # Not to the last bit: the compiler may fuse the sums of a member by itself otherwise (3e-15 at a smooth one). At corners of this rate another rounding is
    # another place of a step, whose error there is far above rtol.
    assert np.allclose(many.found.values, one.found.values, rtol=0.0, atol=1e-5, equal_nan=True)
    apart = np.abs(many.found.values - one.found.values).max(axis=1)
    assert np.median(apart[many.found.values[:, 0] != 0.0]) < 1e-12


class Branching(NamedTuple):
    """A system that says it has no branches, and has one."""

    a: float = 1.0


@rate.register(Branching)
def _(p, t, y, out):
    out[0] = -p.a if y[0] > 0.0 else p.a * y[0]


describe(Branching, {"x": ""}, abreast=True)


def test_what_cannot_go_abreast_goes_one_after_the_other():
    many = ensemble(
        Branching(), {"a": np.linspace(0.5, 1.0, 20)}, 0.5, start={"x": 1.0}, method="dop853", progress=False, workers=1
    )
    assert Branching in abreast._refused
    assert np.allclose(many["x"], 1.0 - 0.5 * np.linspace(0.5, 1.0, 20), rtol=1e-12)
