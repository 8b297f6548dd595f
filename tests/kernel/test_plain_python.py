"""Everything in the kernel also runs as plain Python: with ``NUMBA_DISABLE_JIT=1`` nothing is compiled, and a debugger can step through."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rollick.motion.result.outcome import FAILURES

HERE = Path(__file__).parent
FILES = ("scalar", "vector", "quaternion", "linear", "derivative", "dispatch")


def run(*command):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("which", ["not slow", pytest.param("slow", marks=pytest.mark.slow)])
def test_the_kernels_tests_pass_as_plain_python(which):
    files = [str(HERE / f"test_{name}.py") for name in FILES]
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", which, *files)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert "passed" in done.stdout or "[100%]" in done.stdout


def test_a_motion_is_simulated_as_plain_python():
    script = """
from typing import NamedTuple
from rollick import describe, rate, simulate
from rollick.motion.ode.explicit import advance_explicit
class Spring(NamedTuple):
    k: float
@rate.register(Spring)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.k * y[0]
describe(Spring, states={"x": "m", "v": "m/s"})
assert not hasattr(advance_explicit, "py_func")
print(*simulate(Spring(4.0), [1.0, 0.0], 0.5).end_state)
"""
    done = run("-c", script)
    assert done.returncode == 0, done.stderr
    x, v = (float(word) for word in done.stdout.split())
    assert abs(x - 0.5403023058681398) < 1e-9
    assert abs(v + 2.0 * 0.8414709848078965) < 1e-8


def test_models_that_collide_run_as_plain_python():
    script = """
from rollick.archetypes.models import model
from rollick.archetypes.dying_disk import exponents
for name in ("rod", "polygon", "dying_disk"):
    entry = model(name)
    print(len(entry.run(entry.make(max_impacts=60), dict(entry.start))))
print(exponents(3, 0.25, 0.2, runs=1, max_impacts=100).ending[0])
"""
    done = run("-c", script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["60", "60", "60", "0"]


@pytest.mark.parametrize(
    "model", ["torus", pytest.param("rod", marks=pytest.mark.slow), pytest.param("dying_disk", marks=pytest.mark.slow), "philae"]
)
def test_models_run_as_plain_python(model):
    done = run("-m", "rollick", "simulate", model, "--until", "3" if model == "rod" else "0.01", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] not in FAILURES
