"""The theory pages: every equation names its source and a module that exists, errata that are named exist, and the check of each page prints what it says."""

import re
import sys
from pathlib import Path

import pytest

from rollick.errata import works

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs/theory").glob("*.md"))
IDS = {e.id for w in works() for e in w.errata}
sys.path.insert(0, str(ROOT / "tests"))
from documented import blocks, fits, run_python  # noqa: E402


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```\w+\n.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_equation_names_its_source_and_module(page):
    after = re.findall(r"\$\$.*?\$\$\n\n([^\n]*)", prose(page), re.M | re.S)
    displayed = re.findall(r"^\$\$.*?\$\$$", prose(page), re.M | re.S)
    assert len(after) == len(displayed)
    for line in after:
        assert line.startswith("*Source:*"), line
        assert "*Module:* `rollick." in line, line


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_module_that_is_named_exists(page):
    for name in re.findall(r"`(rollick\.[\w.]+)`", prose(page)):
        path = ROOT / "src" / name.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_erratum_and_page_that_is_named_exists(page):
    text = prose(page)
    assert set(re.findall(r"\b((?:RB|RU|TD|CS|DP)-\w+)", text)) <= IDS
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert (page.parent / link).exists(), link


def test_corrections_that_matter_are_on_a_page():
    """An erratum of a formula that is in use stands on some theory page; these here do not concern equations that are computed with."""
    text = "".join(prose(page) for page in PAGES)
    named = set(re.findall(r"\b((?:RB|RU|TD|CS|DP)-\w+)", text))
    assert {"RB-1", "RU-1", "RU-3", "RU-5", "TD-E5", "TD-E8", "TD-E16", "CS-E1", "CS-E3", "CS-E4", "CS-E11", "CS-N1"} <= named
    assert {"DP-7", "DP-14", "DP-18", "DP-34", "DP-35", "DP-50", "DP-51", "DP-57"} <= named


def test_the_index_lists_every_page():
    index = (ROOT / "docs/theory/index.md").read_text(encoding="utf-8")
    assert all(page.name == "index.md" or f"]({page.name})" in index for page in PAGES)


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "index.md"], ids=lambda p: p.name)
def test_the_check_of_a_page_prints_what_it_says(page):
    names, seen, checked = {"__name__": "example"}, "", 0
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.kind == "python":
            seen = run_python(block.code, names)
        elif block.kind == "text":
            checked += 1
            assert block.code.strip()
            assert fits(block.code.splitlines(), seen.splitlines()), seen
    assert checked
