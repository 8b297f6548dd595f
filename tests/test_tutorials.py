"""The tutorials: their links, pictures and notebooks; and, slowly, that each page prints what it says, that each notebook runs, and that the scripts of strangers do."""

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKER = runpy.run_path(str(ROOT / "docs" / "notebooks.py"))
PAGES = MAKER["pages"]()
NAMES = [page.stem for page in PAGES]
STRANGERS = sorted((ROOT / "examples" / "strangers").glob("*.py"))


def test_the_list_names_every_tutorial():
    index = (ROOT / "docs" / "tutorials" / "index.md").read_text(encoding="utf-8")
    assert len(PAGES) == 7
    for name in NAMES:
        assert f"]({name}.md)" in index
        assert f"\n{name}\n" in index  # in the tree of the site


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_pages_are_whole(page):
    text = page.read_text(encoding="utf-8")
    for part in ("## Check", "## Exercises", "<details><summary>Solutions</summary>", "</details>"):
        assert part in text, part
    assert "```text\n```" not in text  # an output that was never filled in
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) >= 5
    written = "".join(blocks)
    for block in blocks:
        ast.parse(block)
    for link in re.findall(r"\]\(([^)\s#]+)", re.sub(r"```.*?```", "", text, flags=re.S)):
        assert (page.parent / link).exists(), link
    pictures = re.findall(r"\]\(\.\./images/([\w.]+)\)", text)
    assert pictures
    for name in pictures:
        assert f'"{name}"' in written, f"{name} is not made by the code of its page"
        assert (ROOT / "docs" / "images" / name).stat().st_size < 150_000, name


def test_notebooks_are_what_their_pages_make():
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")) == NAMES
    for page in PAGES:
        made = (ROOT / "notebooks" / f"{page.stem}.ipynb").read_text(encoding="utf-8")
        assert made == MAKER["notebook"](page), f"{page.stem}: run python docs/notebooks.py"
        cells = json.loads(made)["cells"]
        assert all(c.get("outputs", []) == [] for c in cells)
        assert len({c["id"] for c in cells}) == len(cells)


def environment():
    """That of this process, with the sources of this checkout."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "ROLLICK_QUIET": "1", "MPLBACKEND": "Agg"}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_page_prints_what_it_says(page):
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "documented.py", page], env=environment(), capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for key, value in environment().items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("MPLBACKEND")
    book = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [out for c in book.cells if c.cell_type == "code" for out in c.outputs if "image/png" in out.get("data", {})]
    assert len(shown) >= len(list(tmp_path.glob("tutorial_*.png"))) > 0


def test_strangers_are_short():
    assert len(STRANGERS) >= 5
    for script in STRANGERS:
        text = script.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("from", "import"))]
        assert len(lines) <= 45, script.name
        assert ".png" in text, script.name


@pytest.mark.slow
@pytest.mark.parametrize("script", STRANGERS, ids=[script.stem for script in STRANGERS])
def test_a_stranger_s_script_runs(script, tmp_path):
    done = subprocess.run([sys.executable, script], env=environment(), cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no value anywhere" not in done.stdout  # an ensemble of which every member failed
    assert list(tmp_path.glob("*.png"))
