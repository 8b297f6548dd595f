"""Where compiled code is kept: never where another user could have put it."""

import os
import subprocess
import sys

import pytest

CODE = "from rollick.kernel.cache import cache_directory; print(cache_directory())"


def told(**environment):
    env = {k: v for k, v in os.environ.items() if k not in ("ROLLICK_CACHE_DIR", "XDG_CACHE_HOME")} | environment
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=env, check=True)
    return run.stdout.strip(), run.stderr


def test_the_directory_is_its_owners_alone(tmp_path):
    where, said = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    assert where.startswith(str(tmp_path))
    assert not said
    assert os.stat(where).st_mode & 0o022 == 0


@pytest.mark.parametrize("which", ["root", "inside"])
def test_a_directory_that_others_can_write_to_is_not_used(tmp_path, which):
    where, _ = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    with open(os.path.join(where, "planted.code"), "w"):
        pass
    os.chmod(where if which == "inside" else tmp_path / "cache", 0o777)
    other, said = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    assert not other.startswith(str(tmp_path / "cache"))
    assert "others can write" in said
    assert "ROLLICK_CACHE_DIR" in said


def test_a_shared_temporary_directory_with_the_sticky_bit_serves(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "somebody").touch()
    os.chmod(shared, 0o1777)
    where, said = told(ROLLICK_CACHE_DIR=str(shared))
    assert where.startswith(str(shared))
    assert not said


def test_a_user_without_a_home_is_told(tmp_path):
    code = (
        "import pathlib\ndef nowhere():\n    raise RuntimeError('Could not determine home directory.')\npathlib.Path.home = staticmethod(nowhere)\n"
        + CODE
    )
    env = {k: v for k, v in os.environ.items() if k not in ("ROLLICK_CACHE_DIR", "XDG_CACHE_HOME", "HOME")}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert "no home directory" in run.stderr
    assert os.path.basename(run.stdout.strip()).startswith("compiled-")


def test_rooms_left_out_of_the_fingerprint_compile_nothing():
    from rollick.kernel.sources import NOT_COMPILED, PACKAGE

    sources = [path for room in NOT_COMPILED for path in (PACKAGE / room).rglob("*.py")]
    assert sources
    for path in sources:
        text = path.read_text()
        assert "@compiled" not in text, path
        assert "@inlined" not in text, path
