"""The catalogue finds every folder of studies, and nothing else; importing none of them until it is wanted."""

import subprocess
import sys
from pathlib import Path

import pytest

import rollick.studies
from rollick.kernel.names import InputError
from rollick.studies.catalogue import single_studies, study, study_names
from rollick.studies.study import Study, together

ROOM = Path(rollick.studies.__file__).parent


def test_each_folder_is_a_study_of_that_name():
    folders = sorted(path.parent.name for path in ROOM.glob("*/__init__.py"))
    assert study_names() == folders
    for name in folders:
        found = study(name)
        assert found.name == name
        assert found.targets
        assert found.figures
    with pytest.raises(InputError, match="collisions"):
        study("colisions")


def test_a_new_folder_is_enough(tmp_path, monkeypatch):
    (tmp_path / "pendulum").mkdir()
    text = 'from rollick.studies.study import Study\nSTUDY = Study("pendulum", "swings", {"X1": lambda: iter([])})\n'
    (tmp_path / "pendulum" / "__init__.py").write_text(text)
    monkeypatch.setattr(rollick.studies, "__path__", [*rollick.studies.__path__, str(tmp_path)])
    try:
        assert "pendulum" in study_names()
        assert study("pendulum").title == "swings"
    finally:
        sys.modules.pop("rollick.studies.pendulum", None)
        vars(rollick.studies).pop("pendulum", None)


def test_names_cost_no_import():
    code = "import sys; from rollick.studies.catalogue import study_names; study_names(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name.startswith(tuple(f"rollick.studies.{n}" for n in study_names()))]


def test_everything_is_recomputed_once():
    ids = [id for found in single_studies() for id in found.targets]
    assert len(ids) == len(set(ids))
    assert set(study("collisions").targets) < set(ids)
    assert study("collisions").parts == ("chatter", "dying_disk", "drop_test", "philae")
    a = Study("a", "", {"X": lambda: iter([])})
    with pytest.raises(InputError, match="twice"):
        together("b", "", (a, a))


def test_a_folder_without_a_study_and_a_row_that_is_none_are_said(tmp_path, monkeypatch):
    (tmp_path / "hollow").mkdir()
    (tmp_path / "hollow" / "__init__.py").write_text('"""Nothing in it."""\n')
    monkeypatch.setattr(rollick.studies, "__path__", [*rollick.studies.__path__, str(tmp_path)])
    with pytest.raises(
        InputError, match=r"studies/hollow has no study: its __init__.py must set STUDY = Study\('hollow', title, targets\)"
    ):
        study("hollow")
    rows = list(Study("odd", "odd", {"X": lambda: iter([3])}).rows())
    assert [(row.id, row.verdict) for row in rows] == [("X", "not reproduced")]
    assert "a target yields rows" in str(rows[0].computed)
