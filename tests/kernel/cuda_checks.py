"""The package inside CUDA kernels, compared with the CPU: from scalars to whole motions, time stepping and impacts (see gpu/).

On a machine with an NVIDIA GPU (numba-cuda installed, the package importable):

    PYTHONPATH=src python tests/kernel/cuda_checks.py            every check, then timings
    PYTHONPATH=src python tests/kernel/cuda_checks.py lu motion  the checks whose names contain one of these words
    PYTHONPATH=src python tests/kernel/cuda_checks.py --ptx ...  only compile, for which the CUDA toolkit (CUDA_HOME) is enough

It prints a table and exits with 1 if a check fails; a kernel that does not compile fails its own check only. Without a GPU the same
checks run, as plain Python, under ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` (see test_cuda.py).
"""

import math
import sys
import time
import traceback
import warnings

from gpu import carried, checks, impacts, local_arrays, motions, scalars, solves, stepping, systems
from numba import cuda

KINDS = (scalars, solves, systems, motions, local_arrays, carried, stepping, impacts)  # each puts its checks on the list


def run_checks(words):
    """Print the table; how many checks failed, of how many."""
    failed = made = 0
    print(f"{'check':56} {'difference':>11} {'tolerance':>11}  verdict   seconds")
    for name, (function, tolerance) in checks.CHECKS.items():
        if words and not any(word in name for word in words):
            continue
        made += 1
        began = time.perf_counter()
        found, trouble, verdict = math.nan, "", ""
        try:
            out, expected, *own = function()
            tolerance = own[0] if own else tolerance
            found = checks.difference(out, expected)
        except checks.OnlyCompiled as done:
            verdict, trouble = "compiles", str(done)
        except Exception as error:
            trouble = "".join(traceback.format_exception_only(error)).strip()
        good = verdict == "compiles" or (tolerance is not None and found <= tolerance)
        failed += not good
        limit = f"{tolerance:11.1e}" if tolerance is not None else " " * 11
        verdict = verdict or ("agrees" if good else "FAILED")
        print(f"{name:56} {found:11.1e} {limit}  {verdict}  {time.perf_counter() - began:8.2f}", flush=True)
        if trouble:
            print("    " + trouble.replace("\n", "\n    ")[:1500], flush=True)
    return failed, made


def main(words):
    warnings.simplefilter("ignore")
    only_compile = "--ptx" in words
    words = [word for word in words if word != "--ptx"]
    if only_compile:
        from gpu import no_device

        checks.compile_only = no_device.assemble
    elif not checks.SIMULATED:
        print(f"{cuda.get_current_device().name}")
    failed, made = run_checks(words)
    if not checks.SIMULATED and not words and not only_compile:
        motions.run_timings()
    print(f"\n{failed} of {made} checks failed" if failed else f"\nall {made} checks {'compile' if only_compile else 'agree'}")
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
