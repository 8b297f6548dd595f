"""What an import loads: what is used, and nothing else. Modules are counted; seconds are measured by benchmarks/start.py."""

import json
import os
import subprocess
import sys

import pytest

HEAVY = ("scipy.optimize", "scipy.linalg", "xarray", "pandas", "matplotlib", "zarr", "h5py", "typer", "rich", "dask")


def loaded(code: str) -> list[str]:
    """The modules that are loaded in a process after some code ran in it."""
    told = "import json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{told}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "ROLLICK_QUIET": "1"},
    )
    return json.loads(done.stdout.splitlines()[-1])


def own(modules: list[str]) -> list[str]:
    return [name for name in modules if name.partition(".")[0] == "rollick"]


def test_the_package_alone_loads_nothing():
    modules = loaded("import rollick")
    assert len(own(modules)) <= 4
    assert not {"numpy", "numba"} & set(modules)


def test_a_model_and_simulate_load_what_they_use():
    modules = loaded("from rollick import simulate, Rattleback")
    assert len(own(modules)) <= 120
    assert not {name for name in HEAVY if name in modules}
    assert not [
        name for name in modules if name.startswith(("rollick.analysis", "rollick.ensemble", "rollick.view", "rollick.plotting"))
    ]


def test_a_motion_loads_no_other_method():
    modules = loaded("from rollick import simulate, Rattleback\nsimulate(Rattleback(), {'omega3': 5.0}, 0.1)")
    assert "rollick.motion.methods.smooth" in modules
    for other in ("stepping", "event_driven", "filippov"):
        assert f"rollick.motion.methods.{other}" not in modules
    assert not {name for name in HEAVY if name in modules and name != "scipy.linalg"}  # Numba loads that one when it compiles


@pytest.mark.parametrize("line", ["--help", pytest.param("simulte", marks=pytest.mark.slow), "simulate rattlebak"])
def test_help_and_mistyped_words_load_no_numbers(line):
    code = f"import sys; sys.argv = ['rollick', *{line.split()!r}]\nfrom rollick.cli.entry import main\ntry:\n    main()\nexcept SystemExit:\n    pass"
    assert not {"numpy", "numba", "matplotlib"} & set(loaded(code))
