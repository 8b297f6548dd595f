"""The errata as a document: page and paper are those of the data, and every piece of evidence that is named exists."""

import ast
import functools
import json
import re
import tomllib
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rollick.cli.main import app
from rollick.errata import works
from rollick.errata.erratum import STRENGTHS, _erratum
from rollick.errata.page import DATE, page
from rollick.errata.paper import digest
from rollick.errata.plain import formula, plain

ROOT = Path(__file__).parents[2]
ROWS = json.loads((Path(__file__).parent / "rows.json").read_text(encoding="utf-8"))  # study -> target -> what its rows say
COUNTS = json.loads((ROOT / "tests/studies/counts.json").read_text(encoding="utf-8"))
ERRATA = [e for w in works() for e in w.errata]
EVIDENCE = sorted({x.name for e in ERRATA for x in e.evidence})
LEDGER = [x for e in ERRATA for x in e.evidence if x.row]
OF_THE_REFERENCE = {
    ("rattleback", "R3"),
    ("rattleback", "R4"),
}  # rows that differ from the recomputation they are compared with, not from the work


@functools.cache
def defined(path: Path) -> set[str]:
    """The tests of a file, as pytest collects them."""
    return {
        f.name
        for f in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(f, ast.FunctionDef) and f.name.startswith("test_")
    }


def test_the_page_is_current():
    assert (ROOT / "docs/errata.md").read_text(encoding="utf-8") == page(), "run `make errata`"


def test_the_paper_is_current():
    paper = (ROOT / "docs/errata.pdf").read_bytes()
    assert digest().encode() in paper, "run `make errata`"
    made = datetime.strptime(DATE, "%d %B %Y")  # of the errata, not of the day it was written: the same errata make the same file
    assert f"/CreationDate(D:{made:%Y%m%d}".encode() in paper
    assert set(re.findall(rb"<xmp:(?:Create|Modify)Date>(\d{4}-\d\d-\d\d)", paper)) == {f"{made:%Y-%m-%d}".encode()}


def test_numbers_are_unique_and_carry_their_work():
    assert len({e.id for e in ERRATA}) == len(ERRATA)
    prefixes = [{e.id.split("-")[0] for e in w.errata} for w in works()]
    assert prefixes == [{"RB"}, {"RU"}, {"TD"}, {"CS"}, {"DP"}]


def test_every_test_that_is_named_exists():
    for name in EVIDENCE:
        if not name.startswith("ledger"):
            path, _, function = name.partition("::")
            assert function in defined(ROOT / path), name


def test_every_test_of_this_folder_is_evidence():
    for path in sorted(Path(__file__).parent.glob("test_*_errata.py")):
        for function in defined(path):
            assert f"tests/errata/{path.name}::{function}" in EVIDENCE


def test_every_row_that_is_named_exists():
    for x in LEDGER:
        name, target, begins = x.row
        assert target in COUNTS[name], x.name
        assert any(what.startswith(begins) for what in ROWS[name][target]), x.name


def test_every_target_that_corrects_a_work_is_named():
    corrected = {(s, t) for s, targets in COUNTS.items() for t, c in targets.items() if c.get("refuted", 0) + c.get("differs", 0)}
    assert corrected - {x.row[:2] for x in LEDGER} == OF_THE_REFERENCE


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target"), sorted({x.row[:2] for x in LEDGER}))
def test_rows_are_those_of_the_ledger(name, target):
    from rollick.studies.catalogue import study

    assert [row.what for row in study(name).rows([target])] == ROWS[name][target]


def test_every_formula_can_be_read_in_a_terminal():
    for e in ERRATA:
        for text in (e.place, e.printed, e.correct, e.effect):
            assert "\\" not in plain(text)
            assert "$" not in plain(text)


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{2M_\varphi}{M_\varphi+M_\psi}", "2M_φ/(M_φ+M_ψ)"),
        (r"\left(\frac{J_\psi}{mb}\right)^2", "(J_ψ/(mb))^2"),
        (r"\sin^2\theta\,\dot\psi", "sin^2θ ψ̇"),
        (r"R_w''", "R_w''"),
    ],
)
def test_formulas_as_text(latex, text):
    assert formula(latex) == text


@pytest.mark.parametrize("latex", [r"\unknown", "{a", "a}", r"\frac{a}"])
def test_what_is_no_formula_is_refused(latex):
    with pytest.raises(ValueError):
        formula(latex)


def test_data_that_say_too_little_are_refused():
    good = tomllib.loads(
        'id = "X-1"\nplace = "(1)"\nkind = "formula"\nprinted = "a"\ncorrect = "b"\nstrength = "reading"\neffect = "none"'
    )
    assert _erratum("some work", good).id == "X-1"
    for change in ({"kind": "opinion"}, {"strength": "computed"}, {"evidence": ["tests/x.py::test_y"]}, {"colour": "red"}):
        with pytest.raises(ValueError, match="X-1"):
            _erratum("some work", good | change)
    with pytest.raises(ValueError, match="effect"):
        _erratum("some work", {k: v for k, v in good.items() if k != "effect"})


def asked(*words):
    found = CliRunner().invoke(app, ["errata", *words])
    return found.exit_code, found.stdout


def test_command_lists_all():
    code, out = asked()
    assert code == 0
    assert set(re.findall(r"^  (\w\w-\w+)", out, re.M)) == {e.id for e in ERRATA}


def test_command_tells_one():
    code, out = asked("dp-46")
    assert code == 0
    assert "J_φ" in out
    assert "rollick reproduce dual_point --only WE" in out


def test_command_gives_json():
    code, out = asked("dual-point", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["name"] == "dual_point"
    assert all(
        e["strength"] in STRENGTHS and (e["evidence"] or e["strength"] in ("reading", "suspected")) for e in told["errata"]
    )
    assert json.loads(asked("--json")[1])["works"][4] == told
    assert [e["id"] for e in json.loads(asked("RB-1", "--json")[1])["errata"]] == ["RB-1"]


@pytest.mark.parametrize("word", ["nobody", "DP-999"])
def test_command_refuses_what_is_not_there(word):
    found = CliRunner().invoke(app, ["errata", word])
    assert found.exit_code != 0
    assert word in str(found.exception)


def test_command_suggests_the_nearest_work():
    assert "Did you mean 'rattleback'?" in str(CliRunner().invoke(app, ["errata", "rattlebak"]).exception)
