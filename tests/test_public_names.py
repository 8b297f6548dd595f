"""The public names: imported when first used, and visible to editors and type checkers all the same."""

import importlib
import subprocess
import sys

import pytest

import rollick


@pytest.mark.parametrize("name", sorted(rollick.homes))
def test_every_public_name_is_there(name):
    assert getattr(rollick, name) is getattr(importlib.import_module(rollick.homes[name], "rollick"), name)
    assert name in dir(rollick)


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'Rattelback'"):
        rollick.Rattelback  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    script = "import sys, rollick; print(sorted({'numba', 'numpy', 'scipy', 'xarray'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_names_of_the_kernel_are_there_too():
    """The kernel is loaded when first used as well; `compiled` is the function, whatever was imported before."""
    import rollick.kernel.compiled
    from rollick import kernel

    assert kernel.__all__ == sorted(kernel.homes)
    for name, home in kernel.homes.items():
        assert getattr(kernel, name) is getattr(sys.modules[f"rollick.kernel{home}"], name)
        assert name in dir(kernel)
    assert callable(rollick.kernel.compiled)
    with pytest.raises(AttributeError, match="no attribute 'cosine'"):
        kernel.cosine  # noqa: B018


USER = """
from typing import Any, NamedTuple

from rollick import (
    Body, Coulomb, DOP853, Event, Motion, Plane, Sphere, basins, compare, continue_steady, describe, each, find_orbit, fit, largest_exponent, open_saved,
    optimise, poincare, rate, rest_positions, rolling, sensitivity, signals, simulate, sliding, slow_manifold, spectrum, steady_motion,
)
from rollick.kernel import cos, sin


class Pendulum(NamedTuple):
    length: float
    g: float = 9.81


describe(Pendulum, states={"theta": "rad", "omega": "rad/s"})


@rate.register(Pendulum)
def _(p: Pendulum, t: float, y: Any, out: Any) -> None:
    out[0] = y[1]
    out[1] = -p.g / p.length * sin(y[0])


def swing(length: float) -> Motion:
    return simulate(Pendulum(length), {"theta": 0.1}, until=2.0, method=DOP853(rtol=1e-9), events=[Event("theta")])


motion = swing(1.0)
ball = Body.from_inertia(1.0, (1.0, 1.0, 1.0), Sphere(1.0))
reveal_type(motion)
reveal_type(motion.data)
reveal_type(motion.message)
reveal_type(motion.events)
reveal_type(ball)
reveal_type(Sphere(1.0).radius)
reveal_type(sliding(ball, law=Coulomb(0.3)))
reveal_type(rolling(ball))
reveal_type(each(Coulomb(0.3)))
reveal_type(open_saved("a.nc"))
reveal_type(steady_motion(Pendulum(1.0), {"theta": 0.0}))
reveal_type(find_orbit(Pendulum(1.0), {"theta": 0.1}))
reveal_type(spectrum(Pendulum(1.0), {"theta": 0.1}, 10.0))
reveal_type(largest_exponent(Pendulum(1.0), {"theta": 0.1}, 10.0))
reveal_type(rest_positions(ball))
reveal_type(rate)
reveal_type(signals)
"""


@pytest.mark.slow
def test_a_script_that_uses_the_package_passes_a_strict_type_checker(tmp_path):
    """`mypy --strict` has nothing against it, knows what every result is, and refuses a wrong name and a wrong argument."""
    api = pytest.importorskip("mypy.api")
    options = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    script, wrong = tmp_path / "script.py", tmp_path / "wrong.py"
    script.write_text(USER)
    wrong.write_text('from rollick import Motion, Rattelback, simulate\nmotion: Motion = simulate(1, until=3, methd="x")\n')
    text, trouble, _ = api.run([*options, str(script), str(wrong)])
    assert not trouble
    lines = [line for line in text.splitlines() if "script.py" in line]
    assert [line for line in lines if ": error:" in line] == []
    told = [line.partition('Revealed type is "')[2] for line in lines if "Revealed type" in line]
    assert len(told) == USER.count("reveal_type(")
    assert [line for line in told if line.startswith(("Any", "typing.Any"))] == []
    assert told[0].startswith("rollick.motion.result.motion.Motion")
    assert told[1].startswith("xarray.core.dataset.Dataset")
    assert 'Module "rollick" has no attribute "Rattelback"' in text
    assert 'Unexpected keyword argument "methd"' in text


@pytest.mark.slow
def test_the_modules_of_the_public_names_pass_a_strict_type_checker(tmp_path):
    """Not only are they usable from typed code: `mypy --strict` finds nothing inside them, either."""
    api = pytest.importorskip("mypy.api")
    options = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    files = sorted({str(importlib.import_module(home, "rollick").__file__) for home in rollick.homes.values()})
    text, trouble, _ = api.run([*options, *files])
    assert not trouble
    assert [line for line in text.splitlines() if ": error:" in line] == []
    assert f"no issues found in {len(files)} source files" in text


def test_everything_public_is_typed():
    """No public function leaves a parameter or its result without a type."""
    import inspect

    bare = []
    for name in rollick.homes:
        thing = getattr(rollick, name)
        if inspect.isfunction(thing) and not hasattr(thing, "generic"):
            signature = inspect.signature(thing)
            bare += [f"{name}({p.name})" for p in signature.parameters.values() if p.annotation is p.empty]
            bare += [f"{name} ->"] if signature.return_annotation is signature.empty else []
    assert bare == []
