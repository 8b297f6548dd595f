"""Limits and failures: whatever was computed comes back, with the reason; nothing stops silently or runs for ever."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from systems import BLOW_UP, BROKEN, DRAIN, JUMP, SINGULAR, Oscillator, Trouble

from rollick import simulate
from rollick.motion.outcome import MotionWarning


def test_max_steps():
    with pytest.warns(MotionWarning, match="after max_steps = 50 steps"):
        m = simulate(Oscillator(), [1.0, 0.0], 1000.0, max_steps=50)
    assert m.status == "max_steps"
    assert not m.complete
    assert 40 <= m.t.size <= 51
    np.testing.assert_allclose(m["x"], np.cos(m.t), atol=1e-7)
    assert m.end_time == m.t[-1]
    rest = simulate(Oscillator(), m, 20.0)
    np.testing.assert_allclose(rest["x"][-1], np.cos(20.0), atol=1e-7)


def test_wall_limit():
    with pytest.warns(MotionWarning, match="wall_limit = 0.2 s"):
        m = simulate(Oscillator(1e6), [1.0, 0.0], 1e6, wall_limit=0.2)
    assert m.status == "wall_limit"
    assert 0.0 < m.end_time < 1e6
    assert m.provenance["seconds"] < 5.0


def test_interrupted_by_the_user():
    # Ctrl-C from a timer: the motion so far comes back, in order.
    script = """
        import signal, sys, warnings
        sys.path.insert(0, sys.argv[1])
        from systems import Oscillator
        from rollick import simulate
        simulate(Oscillator(), [1.0, 0.0], 1.0)
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        warnings.simplefilter("ignore")
        m = simulate(Oscillator(1e6), [1.0, 0.0], 1e9)
        assert m.status == "interrupted", m.status
        assert m.t.size > 1000 and m.t[-1] == m.end_time > 0.0
        assert (m.t[1:] > m.t[:-1]).all()
        print("kept", m.message)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "kept interrupted at t =" in done.stdout


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
@pytest.mark.parametrize(
    ("kind", "start", "when"),
    [(BLOW_UP, 1.0, 1.0), (SINGULAR, 1.0, 0.5)],
)
def test_singularities_are_reported_where_they_are(kind, start, when, method):
    with pytest.warns(MotionWarning, match="Trouble cannot go on at t = "):
        m = simulate(Trouble(kind), [start], 10.0, method=method)
    assert m.status in ("step_underflow", "not_finite")
    assert m.outcome.failed
    assert m.end_time == pytest.approx(when, abs=1e-3)
    assert f"x = {m.end_state[0]:.6g}" in m.message
    assert "The motion until then is kept" in m.message
    assert m.t.size > 5


def test_the_square_root_of_a_negative_number_is_not_stepped_over():
    with pytest.warns(MotionWarning, match="not finite"):
        m = simulate(Trouble(DRAIN), [1.0], 10.0, method="dop853")
    assert m.status == "not_finite"
    assert m.end_time == pytest.approx(2.0, abs=1e-3)


def test_a_rate_that_is_not_finite_at_the_start():
    for method in ("dop853", "radau"):
        with pytest.warns(MotionWarning, match="the rate of x is not finite there"):
            m = simulate(Trouble(BROKEN), [1.0], 1.0, method=method)
        assert m.status == "not_finite"
        assert m.end_time == 0.0
        np.testing.assert_array_equal(m.y, [[1.0]])


def test_chattering_about_a_jump_ends():
    # A sliding motion that no smooth integrator can follow: it must end, in whatever way, and say so.
    with pytest.warns(MotionWarning):
        m = simulate(Trouble(JUMP), [1.0], 10.0, max_steps=20_000, method="dop853")
    assert m.status in ("max_steps", "step_underflow")
    assert m.end_time == pytest.approx(1.0, abs=0.2) or m.end_time > 1.0
