"""Every model, asked for everything: it works, or is refused by a sentence that docs/what_works.md lists."""

import importlib
from pathlib import Path

import pytest
from analysis_tools import KINDS, TOOLS
from what_works import EVERYTHING, PAGE, YES, answer, page, read_page

from rollick.archetypes.models import model_names

TABLE = read_page(PAGE.read_text(encoding="utf-8"))


def test_the_page_lists_every_model_and_everything():
    assert set(TABLE) == {(name, what) for name in model_names() for what in EVERYTHING}
    assert page(TABLE) == PAGE.read_text(encoding="utf-8")
    assert sum(answer == YES for answer in TABLE.values()) > 150
    assert all(text == YES or len(text) > 40 for text in TABLE.values())


# What is written, drawn or compiled for every model anew: here those for which it is soon done, of every kind of result; the others are slow.
SOON = {
    "--json": ("rattleback", "rod", "drop", "philae", "filippov_toy"),
    "--out": ("tippedisk_normalised", "rod", "drop", "philae", "filippov_toy"),
    "--plot": ("rod", "flowmeter"),
    "--view": ("torus", "rod", "tippedisk_normalised"),
    "verify": ("rattleback", "torus", "spring_disk"),
    "variational": ("rattleback",),
    "events": ("tippedisk_normalised", "philae", "filippov_toy", "rod"),
    "radau": ("tippedisk_reduced", "tippedisk_normalised", "filippov_toy", "rod"),
    "moreau": (),  # half a minute of compiling each
    "midpoint": (),
    "thesis": (),
}


def cell(name, what):
    """A cell of the table as a test."""
    soon = name in SOON.get(what, [name]) or TABLE[name, what] != YES  # refused before anything is computed
    slow = name in ("euler_disk", "pool_ball", "tippe_top") or not soon
    return pytest.param(name, what, id=f"{name}-{what}", marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize(("name", "what"), [cell(*key) for key in TABLE])
def test_it_works_or_is_refused_in_words(name, what, tmp_path):
    assert answer(name, what, tmp_path) == TABLE[name, what]


@pytest.mark.parametrize(("tool", "home", "call", "cells", "test"), TOOLS, ids=[call for _, _, call, _, _ in TOOLS])
def test_the_tools_of_analysis_are_there_and_tried(tool, home, call, cells, test):
    assert callable(getattr(importlib.import_module(home), call))
    assert len(cells) == len(KINDS)
    assert call in (Path(__file__).parent / "analysis" / test).read_text(encoding="utf-8")
