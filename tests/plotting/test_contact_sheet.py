"""The contact sheet: each figure beside the rows that it illustrates, in one page that needs nothing else."""

import re
import warnings

import pytest

from rollick.cli.main import app, guarded
from rollick.plotting import figure, save
from rollick.studies.catalogue import single_studies, study
from rollick.studies.contact_sheet import Drawn, contact_sheet, number_of, rows_beside, speaks_of
from rollick.studies.ledger import value
from rollick.studies.study import Study


def drawing():
    """A line, <b>bold</b>."""
    fig, axes = figure(1)
    axes[0, 0].plot([0, 1], [0, 1])
    return fig


def broken():
    """It breaks."""
    raise ValueError("a < b")


def rows():
    yield value("A1", "Fig. 3: gamma & more", 1.004, printed="1.00")
    yield value("A1", "Fig. 4: delta", 2.0, printed="2.0")
    yield value("A2", "elsewhere", 3.0, printed="3.0")


TOY = Study("toy", "a toy", {"A1": rows, "A2": rows}, {"fig3": drawing, "fig4": broken}, shows={"fig3": ("A1",), "fig4": ("A1",)})


@pytest.mark.parametrize(
    ("figure", "number"),
    [
        ("fig3", "3"),
        ("fig5_10", "5.10"),
        ("3_1", "3.1"),
        ("disk_fig4_3", "4.3"),
        ("disk_figB_1", "B.1"),
        ("growth", None),
        ("s1002_uic60", None),
    ],
)
def test_numbers_of_figures(figure, number):
    assert number_of(figure) == number


@pytest.mark.parametrize(
    ("text", "figure", "expected"),
    [
        ("Fig. 3: least gamma", "fig3", True),
        ("Fig. 3: least gamma", "fig4", False),
        ("Figs. 3-5: energy", "fig4", True),
        ("Fig. 3/4: gamma", "fig4", True),
        ("Figs. 5.8-5.12: R", "fig5_10", True),
        ("Fig. 5.8d, worst", "fig5_8", True),
        ("Figures 4.9 and 4.10: chart", "fig4_10", True),
        ("Fig. 6b: friction", "fig6", True),
        ("the energy", "fig3", None),
    ],
)
def test_rows_that_speak_of_figures(text, figure, expected):
    assert speaks_of(value("A", text, 1.0, printed="1"), figure) is expected


def test_the_page(tmp_path):
    found = list(rows())
    path = tmp_path / "toy_fig3.png"
    save(drawing(), path)
    page = contact_sheet([Drawn(TOY, found, {"fig3": path}, {"fig4": "ValueError: a < b"})])
    first, second = page.split("<section")[1:3]
    assert "gamma &amp; more" in first
    assert "delta" not in first
    assert "1.00" in first
    assert "1.004" in first
    assert 'src="toy_fig3.png"' in first
    assert "a < b" not in page
    assert "a &lt; b" in second
    assert "&lt;b&gt;bold" in first
    assert "1 more rows" in page
    assert "elsewhere" in page.split("<details>")[1]
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:|//)|<script|@import|url\(", page)
    assert re.search(r"<img[^>]*alt=\"toy fig3", page)
    assert "lang=en" in page


def test_every_study_says_what_its_figures_show():
    for one in single_studies():
        assert one.shows, one.name
        for name, ids in one.shows.items():
            assert name in one.figures
            assert set(ids) <= set(one.targets)
        for name, draw in one.figures.items():
            assert (draw.__doc__ or "").strip(), f"{one.name} {name} does not say what it shows"
    with pytest.raises(ValueError, match="nowhere"):
        Study("x", "x", {}, {"f": drawing}, shows={"nowhere": ()})


def test_rows_of_a_real_study():
    found = [
        value("R3", "Fig. 3: least gamma [deg]", -390.19, printed="-390.19"),
        value("R3", "Fig. 5: at time [s]", 2.566, printed="2.566"),
    ]
    assert rows_beside(study("rattleback"), "fig3", found) == found[:1]
    assert rows_beside(study("rattleback"), "growth", found) == []


def test_the_command_draws_without_warnings(tmp_path, capsys):
    folder = tmp_path / "figures"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code = guarded(lambda: app(["reproduce", "rattleback", "--only", "R5", "--figures", str(folder)], standalone_mode=False))
    assert code == 0, capsys.readouterr().err
    names = {path.name for path in folder.iterdir()}
    assert names == {"index.html", *(f"rattleback_{name}.png" for name in study("rattleback").figures)}
    assert "No reversal" in (page := (folder / "index.html").read_text()) or "reversal" in page
