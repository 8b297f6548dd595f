"""When a motion cannot or may not go on: limits, Ctrl-C, and breakdowns. What was computed comes back, with the reason."""

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from systems import BLOW_UP, BROKEN, DRAIN, JUMP, SINGULAR, Oscillator, Trouble

from rollick import Event, MotionWarning, simulate
from rollick.kernel.compiling import compiling_seconds
from rollick.motion import integrate
from rollick.motion.interrupt import uninterrupted
from rollick.motion.ode.steppers import Explicit

SPRING = Oscillator()
HERE = Path(__file__).parent


def broken(status, match, *args, **options):
    """A motion that ends before its time: it warns, says why, and keeps what it has, whole and finite."""
    with pytest.warns(MotionWarning, match=match) as caught:
        motion = simulate(*args, **options)
    assert len(caught) == 1
    assert caught[0].filename == __file__  # the warning points at the caller
    assert motion.status == status
    assert not motion.complete
    assert str(caught[0].message) == motion.message
    assert np.all(np.isfinite(motion.y))
    assert np.all(np.isfinite(motion.end_state))
    if "at" not in options:
        assert motion.t[-1] == motion.end_time
        np.testing.assert_array_equal(motion.y[-1], motion.end_state)
        assert np.all(np.diff(motion.t) * math.copysign(1.0, args[2]) > 0.0)
    return motion


def closed(t):
    return np.stack([np.cos(t), -np.sin(t)], axis=1)


# -- limits ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("limit", [1, 7, 100, 1000])
def test_max_steps(method, limit):
    motion = broken("max_steps", "after max_steps = .* steps", SPRING, [1.0, 0.0], 1e4, method=method, max_steps=limit)
    made = motion.provenance
    assert made["steps"] + made["rejected"] == limit
    assert f"max_steps = {limit} steps" in motion.message
    for advice in (
        "Raise max_steps",
        "loosen rtol",
        *(["method='radau'"] if method != "radau" else []),
        f"stopped at t = {motion.end_time:.6g}",
    ):
        assert advice in motion.message
    np.testing.assert_allclose(motion.y, closed(motion.t), atol=1e-6)


def test_max_steps_that_suffice():
    enough = simulate(SPRING, [1.0, 0.0], 10.0, method="dop853").provenance
    count = enough["steps"] + enough["rejected"]
    assert simulate(SPRING, [1.0, 0.0], 10.0, method="dop853", max_steps=count).complete
    broken("max_steps", "max_steps", SPRING, [1.0, 0.0], 10.0, method="dop853", max_steps=count - 1)


def test_max_steps_and_chosen_times():
    motion = broken("max_steps", "max_steps", SPRING, [1.0, 0.0], 100.0, at=np.linspace(0, 100, 101), max_steps=50)
    assert 5 < motion.t.size < 101
    assert motion.t[-1] <= motion.end_time < motion.t[-1] + 1.0
    np.testing.assert_allclose(motion.y, closed(motion.t), atol=1e-7)


def test_max_steps_and_dense_output():
    motion = broken("max_steps", "max_steps", SPRING, [1.0, 0.0], 100.0, dense=True, max_steps=50)
    t = np.linspace(0.0, motion.end_time, 200)
    np.testing.assert_allclose(motion.at(t), closed(t), atol=1e-7)


def test_going_on_after_a_limit():
    first = broken("max_steps", "max_steps", SPRING, [1.0, 0.0], 30.0, max_steps=40)
    np.testing.assert_allclose(simulate(SPRING, first, 30.0).end_state, closed(np.array([30.0]))[0], atol=1e-7)


@pytest.mark.parametrize("options", [{"at": [0.0]}, {}, {"events": ["x"]}])
def test_wall_limit(options):
    simulate(SPRING, [1.0, 0.0], 1e3, method="dop853", **options)  # compile outside of the time that is measured
    began = time.perf_counter()
    motion = broken(
        "wall_limit",
        "after wall_limit = 0.3 s",
        SPRING,
        [1.0, 0.0],
        1e12,
        method="dop853",
        wall_limit=0.3,
        max_steps=math.inf,
        **options,
    )
    assert time.perf_counter() - began >= 0.3  # not before; that it is told at all says that it is not never
    assert motion.provenance["steps"] > 1000
    assert "simulate(system, motion, until=...)" in motion.message
    if "events" in options:  # up to the very end of what was computed
        assert 0.0 <= motion.end_time - motion.events[-1].t < math.pi


def test_a_wall_limit_says_what_compiling_took(monkeypatch):
    """Compilation is not broken off, so a limit may be passed by far."""
    simulate(SPRING, [1.0, 0.0], 1e3, method="dop853")
    monkeypatch.setattr(integrate, "compiling_seconds", lambda: 47.0 + compiling_seconds())
    motion = broken(
        "wall_limit",
        r"after wall_limit = 0.01 s \(",
        SPRING,
        [1.0, 0.0],
        1e12,
        method="dop853",
        wall_limit=0.01,
        max_steps=math.inf,
    )
    assert "s in all, 47 s of them for compiling, which happens once). Raise it, or go on with" in motion.message


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------------------

SCRIPT = """
import json, os, signal, sys, threading
import numpy as np
from rollick import MotionWarning, simulate
from systems import Oscillator
import warnings

warnings.simplefilter("ignore")
options = dict(method="dop853", max_steps=1e18, wall_limit=60.0)
options.update(json.loads(sys.argv[1]))
simulate(Oscillator(), [1.0, 0.0], 1.0, **options)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
motion = simulate(Oscillator(), [1.0, 0.0], 1e12, **options)
again = simulate(Oscillator(), motion, motion.end_time + 1.0)
print(json.dumps({
    "status": motion.status, "message": motion.message, "t": motion.end_time, "steps": motion.provenance["steps"],
    "instants": motion.t.size, "last": motion.t[-1], "drift": float(abs(0.5 * np.sum(motion.end_state**2) - 0.5)),
    "events": [e.t for e in motion.events[-2:]], "count": len(motion.events), "again": again.status,
    "handler": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
}))
"""


@pytest.mark.parametrize("options", [{"at": [0.0]}, {"events": ["x"]}])
def test_ctrl_c(options):
    """A real SIGINT to a real process: the motion so far comes back, events included, and Python goes on as before."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(options)], cwd=HERE, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["status"] == "interrupted"
    assert told["message"].startswith(f"interrupted at t = {told['t']:.6g}; what was computed until then is here.")
    assert told["steps"] > 1000
    assert told["t"] > 100.0
    assert told["drift"] < 1e-3
    assert told["again"] == "finished"
    assert told["handler"] is True
    if "events" in options:
        assert told["last"] == told["t"]
        assert told["instants"] == told["steps"] + 1
        assert 0.0 <= told["t"] - told["events"][-1] < math.pi
        assert told["count"] == pytest.approx(told["t"] / math.pi, abs=1.5)


class Pressed(Explicit):
    """An integrator during whose n-th block somebody presses Ctrl-C, after it was computed or while it is compiled."""

    when, after = 3, True

    def __init__(self, engine, n):
        super().__init__(engine, n)
        self.block = 0

    def advance(self, *args):
        self.block += 1
        if self.block == self.when and not self.after:
            raise KeyboardInterrupt
        status = super().advance(*args)
        if self.block == self.when:
            raise KeyboardInterrupt
        return status


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize("when", [1, 3])
@pytest.mark.parametrize("options", [{}, {"events": ["x"]}, {"dense": True}, {"at": [0.0, 1.0, 2.0, 900.0]}])
def test_ctrl_c_at_the_worst_moment(monkeypatch, after, when, options):
    """Right after a block, or while its code is compiled and nothing of it exists: neither garbage nor a lost block."""
    monkeypatch.setattr("rollick.motion.methods.smooth.Adaptive.stepper", Pressed)
    monkeypatch.setattr(Pressed, "when", when)
    monkeypatch.setattr(Pressed, "after", after)
    motion = broken("interrupted", "interrupted at t = ", SPRING, [1.0, 0.0], 1000.0, method="dop853", **options)
    blocks = when if after else when - 1
    assert (motion.provenance["steps"] > 0) == (blocks > 0)
    assert ("nothing was computed" in motion.message) == (blocks == 0)
    assert ("what was computed until then is here" in motion.message) == (blocks > 0)
    if "at" not in options:
        assert motion.t.size == motion.provenance["steps"] + 1
    np.testing.assert_allclose(motion.y, closed(motion.t), atol=1e-5)
    if "events" in options:
        expected = (np.arange(len(motion.events)) + 0.5) * math.pi
        np.testing.assert_allclose([e.t for e in motion.events], expected, atol=1e-5)
        assert len(motion.events) == math.floor(motion.end_time / math.pi + 0.5)


def test_ctrl_c_at_the_very_end(monkeypatch):
    """The last block was done: then the motion is finished."""
    monkeypatch.setattr("rollick.motion.methods.smooth.Adaptive.stepper", Pressed)
    monkeypatch.setattr(Pressed, "when", 1)
    assert simulate(SPRING, [1.0, 0.0], 1.0, method="dop853", verify=False).status == "finished"


def test_an_interrupted_motion_is_not_repeated_for_verification(monkeypatch):
    monkeypatch.setattr("rollick.motion.methods.smooth.Adaptive.stepper", Pressed)
    motion = broken("interrupted", "interrupted", SPRING, [1.0, 0.0], 1000.0, method="dop853", verify=True)
    assert motion.trust.digits == ()


def test_uninterrupted_hears_afterwards():
    heard = []
    handler = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, lambda *_: heard.append("now"))
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            assert heard == []
        assert heard == ["now"]
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        assert heard == ["now", "now"]  # the handler is back
    finally:
        signal.signal(signal.SIGINT, handler)


def test_simulate_in_another_thread():
    """Signals belong to the main thread; a motion in another must not touch them."""
    found = []
    thread = threading.Thread(target=lambda: found.append(simulate(SPRING, [1.0, 0.0], 10.0, events=["x"])))
    thread.start()
    thread.join()
    assert found[0].complete
    assert len(found[0].events) == 3


# -- breakdowns --------------------------------------------------------------------------------------------------------------------


def names_everything(motion, *more):
    """The message says what, when, where, by which method, and what to try."""
    for part in (
        "Trouble cannot go on",
        f"at t = {motion.end_time:.10g}",
        "(x = ",
        "method ",
        "The motion until then is kept",
        *more,
    ):
        assert part in motion.message, (part, motion.message)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_blow_up(method):
    """x' = x^2 from 1: x = 1/(1 - t) ends at t = 1. The step falls to nothing; nothing hangs."""
    motion = broken("step_underflow", "the step fell to", Trouble(BLOW_UP), [1.0], 2.0, method=method)
    names_everything(motion, "below what the time can resolve", "loosen rtol", "method='radau'", "terminal event")
    assert motion.end_time == pytest.approx(1.0, abs=1e-6)
    early = motion.t < 0.9
    np.testing.assert_allclose(motion.y[early, 0], 1.0 / (1.0 - motion.t[early]), rtol=1e-6)
    assert motion.provenance["steps"] < 5000


def test_blow_up_can_be_stopped_before():
    motion = simulate(Trouble(BLOW_UP), [1.0], 2.0, events=Event("x", level=1e6, terminal=True))
    assert motion.status == "event"
    assert motion.end_time == pytest.approx(1.0 - 1e-6, abs=1e-8)


def test_blow_up_backward():
    motion = broken("step_underflow", "the step fell to", Trouble(BLOW_UP), [-1.0], -2.0)
    assert motion.end_time == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_square_root_of_a_negative_number(method):
    """A draining tank, sqrt(x) = sqrt(x0) - t/2, is empty at t = 2; beyond, its rate is no number."""
    motion = broken("not_finite", "not finite", Trouble(DRAIN), [1.0], 5.0, method=method)
    names_everything(motion, "square root of a negative number", "check the state and the parameters")
    assert motion.end_time == pytest.approx(2.0, abs=1e-4)
    early = motion.t < 1.9
    np.testing.assert_allclose(motion.y[early, 0], (1.0 - motion.t[early] / 2.0) ** 2, atol=1e-6)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_everything_before_a_breakdown_is_finite(method):
    """Also between the last steps, where the end of a step may lie just beyond what the rate can bear."""
    at = np.concatenate([np.linspace(0.0, 1.99, 50), 2.0 - np.logspace(-3, -9, 50)])
    motion = broken(
        "not_finite", "not finite", Trouble(DRAIN), [1.0], 5.0, method=method, at=at, dense=True, events=Event("x", level=0.25)
    )
    assert motion.t.size > 55
    assert np.all(motion["x"] >= 0.0)
    assert np.all(np.isfinite(motion.at(np.linspace(0.0, motion.end_time, 1000))))
    assert [e.t for e in motion.events] == [pytest.approx(1.0, abs=1e-6)]


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_singular_mass(method):
    """x x' = -1: at t = 1/2 the mass x vanishes and the rate is infinite."""
    with pytest.warns(MotionWarning, match="Trouble cannot go on"):
        motion = simulate(Trouble(SINGULAR), [1.0], 1.0, method=method)
    assert motion.status in ("step_underflow", "not_finite")
    names_everything(motion)
    assert motion.end_time == pytest.approx(0.5, abs=1e-6)
    early = motion.t < 0.49
    np.testing.assert_allclose(motion.y[early, 0], np.sqrt(1.0 - 2.0 * motion.t[early]), rtol=1e-6)


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize(("kind", "start"), [(SINGULAR, 0.0), (DRAIN, -1.0), (BROKEN, 1.0)])
def test_broken_from_the_start(method, kind, start):
    motion = broken("not_finite", "the rate of x is not finite there", Trouble(kind), [start], 1.0, method=method)
    names_everything(motion, "at t = 0 (x = ", "division by zero")
    np.testing.assert_array_equal(motion.t, [0.0])
    np.testing.assert_array_equal(motion.end_state, [start])


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_chattering_ends(method):
    """x' = -sign(x) slides along a jump of its rate: whatever an integrator makes of it, it comes to an end, with a word."""
    with pytest.warns(MotionWarning):
        motion = simulate(Trouble(JUMP), [1.0], 1e6, method=method, max_steps=20_000)
    assert motion.status in ("max_steps", "step_underflow")
    assert motion.end_time >= 1.0 - 1e-9
    early = motion.t <= 0.9
    np.testing.assert_allclose(motion.y[early, 0], 1.0 - motion.t[early], atol=1e-9)


def test_a_system_can_explain_itself():
    motion = broken("not_finite", "There is a hole in it, dear Liza", Trouble(BROKEN), [7.0], 5.0)
    assert "square root" not in motion.message


def test_verify_of_a_broken_motion():
    """The repetitions break as well: no second warning, and no digits that nobody can vouch for."""
    motion = broken("step_underflow", "the step fell to", Trouble(BLOW_UP), [1.0], 2.0, verify=True)
    assert motion.trust.worst < 3.0
    assert len(motion.trust.checks) == 1
