"""The shipped studies: each can be read, is understood by its model, is listed on its page, and runs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rollick.archetypes.sweep_file import read_sweep
from rollick.cli.main import app
from rollick.ensemble.call import make_task

ROOT = Path(__file__).parents[2]
STUDIES = sorted((ROOT / "examples" / "sweeps").glob("*.toml"))
NAMES = [path.stem for path in STUDIES]
QUICK = ("chatter", "rattleback_reversal")  # the others compile long


def test_all_that_were_promised_are_there():
    """Issue: reversal, inversion basin and chart, modes, slip, chatter, shock, regimes."""
    assert len(STUDIES) == 8
    page = (ROOT / "docs" / "ensembles.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"`{name}.toml`" in page, name


@pytest.mark.parametrize("study", STUDIES, ids=NAMES)
def test_it_is_understood(study):
    asked = read_sweep(study)
    options = {name: value for name, value in asked.options.items() if name != "chunk"}
    task, _, _ = make_task(asked.source, asked.members, **options)
    assert 50 <= task.members.count <= 1000  # a minute or so
    for name in asked.show:
        assert name in [*task.keep.labels, "status"]


@pytest.mark.parametrize("study", [p if p.stem in QUICK else pytest.param(p, marks=pytest.mark.slow) for p in STUDIES], ids=NAMES)
def test_its_cost_is_estimated(study):
    told = json.loads(CliRunner().invoke(app, ["sweep", str(study), "--dry-run", "--json"]).stdout)
    assert told["tried"] == 12
    assert told["seconds"] > 0.0
    assert "exception" not in told["ended"]


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES, ids=NAMES)
def test_it_runs(study, tmp_path):
    words = ["sweep", str(study), "--store", str(tmp_path / "s.zarr"), "--plot", str(tmp_path / "s.png"), "--json"]
    told = json.loads(CliRunner().invoke(app, words).stdout)
    assert (tmp_path / "s.png").stat().st_size > 5000
    assert not set(told["statuses"]) & {"exception", "refused", "not computed", "not_finite"}
    for values in told["values"].values():
        assert any(v is not None for v in values)
