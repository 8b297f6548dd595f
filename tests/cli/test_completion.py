"""Completion in shells: of commands, options and names of models, without loading a model or the compiler."""

import os
import subprocess
import sys

import pytest

from rollick.archetypes.models import model, models, title_of
from rollick.cli.known_models import complete_model, refuse_unknown
from rollick.kernel.names import InputError


def rollick(*words, **more):
    environment = {**os.environ, **more}
    return subprocess.run(
        [sys.executable, "-m", "rollick", *words], env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def completed(line):
    """What bash would be offered at the end of a line."""
    words = line.split(" ")
    done = rollick(_ROLLICK_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    return done.stdout.split()


def test_titles_are_those_of_the_models():
    assert [(name, entry.title) for name, entry in models().items()] == complete_model("")


def test_titles_are_known_without_loading_a_model():
    script = "import sys, rollick.cli.known_models as k; print(len(k.complete_model('')), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(models())), "False"]


def test_a_title_that_is_no_plain_text_is_asked_of_the_model(monkeypatch):
    """As that of a model whose file computes it, or lies elsewhere: then the model is loaded."""
    from rollick.archetypes import models as m

    monkeypatch.setitem(m._HOMES, "elsewhere", "rollick.archetypes.models:_ELSEWHERE")
    monkeypatch.setattr(m, "_ELSEWHERE", model("rod"), raising=False)
    assert title_of("elsewhere") == model("rod").title


def test_names_begin_as_typed():
    assert [name for name, _ in complete_model("tippe")] == [
        "tippedisk",
        "tippedisk_reduced",
        "tippedisk_normalised",
        "tippe_top",
    ]
    assert complete_model("zzz") == []
    assert len(complete_model("")) == len(models())


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rollick simulate ratt", ["rattleback"]),
        pytest.param("rollick show wheelset_", ["wheelset_rolling"], marks=pytest.mark.slow),
        ("rollick doc", ["doctor"]),
    ],
)
def test_bash_is_offered(line, offered):
    assert completed(line) == offered


@pytest.mark.parametrize(
    "shell", ["bash", pytest.param("zsh", marks=pytest.mark.slow), pytest.param("fish", marks=pytest.mark.slow)]
)
def test_the_script_for_a_shell_can_be_shown(shell):
    done = rollick(_ROLLICK_COMPLETE=f"source_{shell}")
    assert done.returncode == 0, done.stderr
    assert f"_ROLLICK_COMPLETE=complete_{shell}" in done.stdout
    assert "rollick" in done.stdout.split()


def test_help_tells_of_completion():
    told = rollick("--help").stdout
    assert "--install-completion" in told
    assert "--show-completion" in told


def test_the_command_loads_no_compiler_before_it_needs_one():
    script = "import sys, rollick.cli.main; print(sorted({'numba', 'scipy', 'xarray', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["ratleback", "NOSUCHMODEL", "", "disk", "lander", "dropped_device"])
def test_a_name_is_refused_in_the_words_of_the_models(name):
    with pytest.raises(InputError) as said:
        model(name)
    with pytest.raises(InputError) as early:
        refuse_unknown(name)
    assert str(early.value) == str(said.value)


WORDS = ("simulate ratleback", "show ratleback", "analyse ratleback steady", "warm ratleback")


def test_a_mistyped_model_is_refused_before_anything_is_loaded():
    script = f"""
import contextlib, io, sys
from rollick.cli.main import main
for words in {WORDS}:
    sys.argv[1:] = words.split()
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            print(end.code, "Did you mean 'rattleback'?" in said.getvalue(), "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["2 True False"] * len(WORDS)
