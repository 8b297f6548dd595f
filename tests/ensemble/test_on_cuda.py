"""Ensembles with on='cuda', in Numba's simulator of CUDA: kernels, transfers, order and refusals; numbers on a real GPU are compared by gpu_checks.py."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "cuda_in_simulator.py"


@pytest.fixture(scope="module", params=["0.3", pytest.param("1", marks=pytest.mark.slow)])
def simulated(request):
    env = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")} | {
        "NUMBA_ENABLE_CUDASIM": "1",
        "NUMBA_DISABLE_JIT": "1",
    }
    done = subprocess.run(
        [sys.executable, str(SCRIPT), request.param], env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("stones", 4),
        ("paths", 3),
        ("spins", 4),
        ("impossible", 3),
        ("disks", 4),
        ("triangles", 6),
        ("corners", 4),
        ("lost", 3),
        ("eggs", 4),
    ],
)
def test_the_gpu_gives_the_numbers_of_the_cpu(simulated, name, numbers):
    found = simulated[name]
    assert found["same"], found
    assert found["difference"] <= 1e-9
    assert found["paths"]
    assert found["with_numbers"] == numbers
