"""The kernel inside CUDA kernels: in Numba's simulator everywhere, and on the GPU where there is one (see cuda_checks.py)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "cuda_checks.py"


def run(**environment):
    env = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, str(SCRIPT)], env={**env, **environment}, capture_output=True, text=True, timeout=600, check=False
    )


def verdicts(done):
    """{check: whether it agrees}"""
    return {m[1].strip(): m[2] == "agrees" for m in re.finditer(r"^(.{56}) .*  (agrees|FAILED) ", done.stdout, re.MULTILINE)}


def test_all_checks_agree_in_the_simulator():
    done = run(NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")
    found = verdicts(done)
    assert [name for name, agrees in found.items() if not agrees] == [], done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(found) > 100
    words = (
        "sin, complex",
        "atan2",
        "sincos",
        "matrices",
        "quaternions",
        "lu",
        "cholesky",
        "nested",
        "jacobian",
        "dop853_step",
        "advance_explicit",
        "local_array",
        "constants of types",
        "lasting contact",
        "Sliding",
        "variational",
        "tangent",
        "moreau_step",
        "collisions",
    )
    assert all(any(word in name for name in found) for word in words)


def test_a_check_that_does_not_agree_is_reported():
    """The checks can fail: here the CPU's answer is spoilt."""
    spoil = f"import sys; sys.path.insert(0, {str(SCRIPT.parent)!r}); import math; import cuda_checks as c; s = c.scalars; f = s.one_argument; "
    spoil += "s.sc.sin = lambda x: 2.0 * math.sin(x.real); s.one_argument = lambda g: f(lambda x: math.sin(x.real)); sys.exit(c.main(['sin, float']))"
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", spoil], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED" in done.stdout
    assert "checks failed" in done.stdout


@pytest.mark.slow
def test_all_checks_agree_on_the_gpu():
    has_gpu = [sys.executable, "-c", "from numba import cuda; import sys; sys.exit(0 if cuda.is_available() else 3)"]
    if subprocess.run(has_gpu, capture_output=True, check=False).returncode != 0:
        pytest.skip("no NVIDIA GPU, or no numba-cuda")
    done = run()
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
