"""Compiled code that comes with the package: it is used where it fits, and elsewhere a sentence says why not."""

import json
import shutil

import pytest
from projects import Project

from rollick.kernel import shipped
from rollick.kernel.cache import holds_machine_code

NORM = """
import numpy as np
from rollick.kernel.vector import norm
from rollick.kernel import shipped
report(norm(np.array([2.0, 3.0, 6.0])), shipped.why_not())
"""


@pytest.fixture(scope="module")
def with_code(tmp_path_factory, package):
    """A package with compiled code in it, and what that was made for."""
    place = tmp_path_factory.mktemp("shipped")
    made = place / "made"
    shutil.copytree(package / "rollick", made / "rollick")
    project = Project(place / "project", place / "store", made)
    baseline = shipped.settings_of_baseline()
    (_seven, made_for), compiled = project.run(NORM.replace("why_not()", "made_here()"), **baseline)
    assert "norm" in compiled
    folder = made / "rollick" / "compiled"
    folder.mkdir()
    entries = [entry for entry in project.entries() if holds_machine_code(entry.read_bytes())]
    assert 0 < len(entries) < len(project.entries())
    for entry in entries:
        shutil.copy(entry, folder / entry.name)
    (folder / shipped.DESCRIPTION).write_text(json.dumps(made_for))
    return made, made_for


@pytest.fixture
def fresh(tmp_path, with_code):
    """A user with this package and an empty cache."""
    return Project(tmp_path / "project", tmp_path / "store", with_code[0])


def test_nothing_is_compiled_where_it_fits(fresh, with_code):
    (value, why), compiled = fresh.run(NORM)
    assert (value, why, compiled) == (7.0, None, [])
    assert with_code[1]["processor"] == shipped.settings_of_baseline()["NUMBA_CPU_NAME"]
    assert fresh.entries() == []


MADE_ELSEWHERE = {
    "Numba": ("0.1.2", "it was made for Numba 0.1.2, and this is Numba "),
    "llvmlite": ("0.1.2", "it was made for llvmlite 0.1.2, and this is llvmlite "),
    "Python": ("cpython 3.99", "it was made for cpython 3.99, and this is cpython 3."),
    "system": ("Windows 3.1", "it was made for Windows 3.1, and this is "),
    "processor": ("8086", "it was made for the processor 8086"),
    "sources": ("0" * 16, "the sources of the package were changed"),
}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        pytest.param(name, *more, id=name, marks=[] if name == "sources" else pytest.mark.slow)
        for name, more in MADE_ELSEWHERE.items()
    ],
)
def test_elsewhere_it_is_compiled_and_a_sentence_says_why(tmp_path, with_code, name, value, said):
    made, made_for = with_code
    other = tmp_path / "other"
    shutil.copytree(made, other)
    (other / "rollick" / "compiled" / shipped.DESCRIPTION).write_text(json.dumps({**made_for, name: value}))
    (seven, why), compiled = Project(tmp_path / "project", tmp_path / "store", other).run(NORM)
    assert seven == 7.0
    assert "norm" in compiled
    assert why.startswith(said)


def test_a_choice_of_processor_is_obeyed(fresh):
    (seven, why), compiled = fresh.run(NORM, NUMBA_CPU_NAME="generic")
    assert seven == 7.0
    assert why == "NUMBA_CPU_NAME or NUMBA_CPU_FEATURES chooses a processor"
    assert "norm" in compiled


def test_damage_is_compiled_anew(tmp_path, with_code):
    other = tmp_path / "other"
    shutil.copytree(with_code[0], other)
    for entry in (other / "rollick" / "compiled").glob("*.code"):
        entry.write_bytes(entry.read_bytes()[:-7])
    (seven, _why), compiled = Project(tmp_path / "project", tmp_path / "store", other).run(NORM)
    assert seven == 7.0
    assert "norm" in compiled


@pytest.mark.parametrize(("name", "value", "said"), [(name, *more) for name, more in MADE_ELSEWHERE.items()], ids=MADE_ELSEWHERE)
def test_a_sentence_says_what_is_other_here(monkeypatch, name, value, said):
    """As above, without a package and a process for each."""
    processor = shipped.settings_of_baseline()["NUMBA_CPU_NAME"]
    monkeypatch.setattr(shipped, "description", lambda: {**shipped.made_here(), "processor": processor, name: value})
    monkeypatch.setattr(shipped, "host_features", lambda: dict.fromkeys(shipped.BASELINES[shipped.platform.machine()][1], True))
    assert shipped.why_not.__wrapped__().startswith(said)


def test_a_processor_that_lacks_something_is_told(monkeypatch):
    here = {**shipped.made_here(), "processor": shipped.X86[0]}
    monkeypatch.setattr(shipped, "description", lambda: here)
    monkeypatch.setattr(shipped.platform, "machine", lambda: here["system"].split()[-1])
    monkeypatch.setitem(shipped.BASELINES, here["system"].split()[-1], shipped.X86)
    monkeypatch.setattr(shipped, "host_features", lambda: {name: name != "fma" for name in shipped.X86[1]})
    assert shipped.why_not.__wrapped__() == "it was made for x86-64-v3, and this processor has no fma"


def test_without_it_nothing_is_said():
    assert shipped.description() is None
    assert shipped.why_not() is None
    assert shipped.machine("x86_64-unknown-linux-gnu") is None
