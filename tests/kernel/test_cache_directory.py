"""Where compiled code is kept: never where another user could have put it."""

import os
import subprocess
import sys

import pytest

from rollick.kernel import cache

CODE = "from rollick.kernel.cache import cache_directory; print(cache_directory())"


def in_a_process(**environment):
    env = {k: v for k, v in os.environ.items() if k not in ("ROLLICK_CACHE_DIR", "XDG_CACHE_HOME")} | environment
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=env, check=True)
    return run.stdout.strip(), run.stderr


@pytest.fixture
def in_this_process(monkeypatch, capsys):
    """The same without a process of its own."""

    def told(**environment):
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return str(cache.cache_directory.__wrapped__()), capsys.readouterr().err

    return told


@pytest.fixture(params=["in_this_process", pytest.param("in_a_process", marks=pytest.mark.slow)])
def told(request):
    return in_a_process if request.param == "in_a_process" else request.getfixturevalue("in_this_process")


def test_the_directory_is_its_owners_alone(tmp_path, told):
    where, said = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    assert where.startswith(str(tmp_path))
    assert not said
    assert os.stat(where).st_mode & 0o022 == 0


@pytest.mark.parametrize("which", ["root", "inside"])
def test_a_directory_that_others_can_write_to_is_not_used(tmp_path, told, which):
    where, _ = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    with open(os.path.join(where, "planted.code"), "w"):
        pass
    os.chmod(where if which == "inside" else tmp_path / "cache", 0o777)
    other, said = told(ROLLICK_CACHE_DIR=str(tmp_path / "cache"))
    assert not other.startswith(str(tmp_path / "cache"))
    assert "others can write" in said
    assert "ROLLICK_CACHE_DIR" in said


def test_a_shared_temporary_directory_with_the_sticky_bit_serves(tmp_path, told):
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
