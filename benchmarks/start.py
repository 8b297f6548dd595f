"""What a user waits for before anything moves: CPU seconds of imports and commands, and their ratio to `import numba`, in one run.

python benchmarks/start.py            everything is compiled already (a first round, which is not counted, sees to that)
python benchmarks/start.py --rounds 9
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys

PYTHON = [sys.executable, "-c"]
ROLLICK = [sys.executable, "-m", "rollick"]
ASKED = {
    "import numba": [*PYTHON, "import numba"],
    "import rollick": [*PYTHON, "import rollick"],
    "from rollick import simulate, Rattleback": [*PYTHON, "from rollick import simulate, Rattleback"],
    "rollick --help": [*ROLLICK, "--help"],
    "rollick simulte (mistyped)": [*ROLLICK, "simulte"],
    "rollick simulate rattleback": [*ROLLICK, "simulate", "rattleback"],
    "rollick simulate tippedisk": [*ROLLICK, "simulate", "tippedisk"],
}


def cpu_seconds(command: list[str]) -> float:
    """What a command takes, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "ROLLICK_QUIET": "1"}, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the table: medians over rounds, in which every command has its turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    found: dict[str, list[float]] = {name: [] for name in ASKED}
    for k in range(rounds + 1):
        for name, command in ASKED.items():
            taken = cpu_seconds(command)
            if k > 0:
                found[name].append(taken)
    unit = statistics.median(found["import numba"])
    for name, taken in found.items():
        print(f"{name:44} {statistics.median(taken):6.2f} CPU-s {statistics.median(taken) / unit:6.2f} x import numba")
    return 0


if __name__ == "__main__":
    sys.exit(main())
