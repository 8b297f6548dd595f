# ruff: noqa: E402
"""The list of checks, how a kernel is launched, and how results are compared."""

import math
import re

import numpy as np

# numba-cuda 0.30 looks for names that recent NumPy has removed.
for _old, _new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _old):
        setattr(np, _old, getattr(np, _new))

from numba import cuda
from numba.core import config

from rollick.archetypes.rattleback import Rattleback
from rollick.kernel.derivative import EPS

SIMULATED = bool(config.ENABLE_CUDASIM)
COUNT = 3 if SIMULATED else 1000  # arguments per check
FEW = 2 if SIMULATED else 64  # motions per check
STONE = Rattleback()
RANDOM = np.random.default_rng(0)
STATES = RANDOM.uniform(-0.3, 0.3, (COUNT, 6)) + np.array([0.0, 0.0, 0.0, 0.0, 0.0, -5.0])

CHECKS = {}
compile_only = None  # with --ptx: what compiles a kernel instead of running it
FOREIGN = r'declare[^@\n]*@"?(NRT_\w+|Py\w+|numba_\w+|malloc)'  # in LLVM code: memory from the heap, and Python itself


class OnlyCompiled(Exception):
    """A kernel was compiled and not run; what was found out."""


def check(name, tolerance):
    """Decorator: a function that returns (what the GPU found, what the CPU found)."""

    def keep(function):
        CHECKS[name] = function, tolerance
        return function

    return keep


def difference(found, expected):
    """The largest relative difference; complex numbers part by part if their imaginary parts are steps, by modulus otherwise."""
    found, expected = np.asarray(found), np.asarray(expected)
    if np.iscomplexobj(expected) and np.abs(expected.imag).max() < 1e-90:
        return max(difference(found.real, expected.real), difference(found.imag / EPS, expected.imag / EPS))
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        return math.inf
    size = np.abs(expected)
    size = np.maximum(size, 1e-3 * np.nanmax(size, initial=0.0) + 1e-300)
    return float(np.nanmax(np.abs(found - expected) / size, initial=0.0))


def foreign(code):
    """What a kernel's LLVM code calls that no GPU should have to do."""
    return sorted(set(re.findall(FOREIGN, code)))


def launch(kernel, count, *arguments, threads=32):
    """One thread for each of `count` items. Its code must not ask for memory from the heap, nor for Python."""
    if compile_only is not None:
        raise OnlyCompiled(compile_only(kernel, arguments))
    kernel[(count + threads - 1) // threads, threads](*arguments)
    cuda.synchronize()
    if not SIMULATED:
        for code in kernel.inspect_llvm().values():
            assert not foreign(code), f"the kernel's code contains {foreign(code)}"
