"""The public names: imported when first used, and visible to editors and type checkers all the same."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import rollick

SOURCE = Path(rollick.__file__)


def declared() -> dict[str, str]:
    """What the branch for type checkers imports: name -> module."""
    found = {}
    for node in ast.parse(SOURCE.read_text()).body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for line in node.body:
                assert isinstance(line, ast.ImportFrom)
                for alias in line.names:
                    assert alias.asname == alias.name  # only then is it public for a type checker
                    found[alias.name] = f"rollick.{line.module}"
    return found


def test_the_two_lists_of_public_names_agree():
    assert declared() == rollick._HOMES


@pytest.mark.parametrize("name", sorted(rollick._HOMES))
def test_every_public_name_is_there(name):
    assert getattr(rollick, name) is getattr(importlib.import_module(rollick._HOMES[name]), name)
    assert name in dir(rollick)


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'Rattelback'"):
        rollick.Rattelback  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    script = "import sys, rollick; print(sorted({'numba', 'numpy', 'scipy', 'xarray'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_a_type_checker_sees_what_the_names_are(tmp_path):
    """mypy knows a class from a function, and refuses a wrong name."""
    api = pytest.importorskip("mypy.api")
    user = tmp_path / "user.py"
    user.write_text(
        "from rollick import Body, Motion, Sphere, simulate\n"
        "from rollick import Rattelback\n"
        "reveal_type(simulate)\n"
        "reveal_type(Sphere(1.0).radius)\n"
        "reveal_type(Body.from_inertia(1.0, (1.0, 1.0, 1.0), Sphere(1.0)))\n"
        "reveal_type(Motion.message)\n"
    )
    options = ["--ignore-missing-imports", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache")]
    text = api.run([*options, str(user)])[0]
    assert 'Module "rollick" has no attribute "Rattelback"' in text
    assert "-> rollick.motion.result.motion.Motion" in text
    assert 'Revealed type is "float"' in text.replace("builtins.", "")
    assert "fallback=rollick.mechanics.body.Body]" in text
