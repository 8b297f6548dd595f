"""Every block of code on every page is run, and prints what the page says (slow: a process per page); none is left out without a reason. Docstrings likewise."""

import ast
import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from documented import ROOT, blocks, commands, count, fits, pages, run_python, same_line, why_not_run

PAGES = pages()
PACKAGE = ROOT / "src" / "rollick"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_run_or_has_a_reason(page):
    assert not count(page)["unknown"], f"{page}: a block without a language that is run; mark it python, sh, toml or text"
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.kind != "text" or block.code.strip() != "?", (
            f"{page}:{block.first + 1}: python tests/documented.py --update {page}"
        )


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if any("run" in kind for kind in count(p))], ids=name_of)
def test_page_prints_what_it_says(page):
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "documented.py", page],
        capture_output=True,
        text=True,
        env=os.environ | {"ROLLICK_QUIET": "1"},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]


def test_what_counts_as_the_same_output():
    assert same_line("x = 1.2346 m,  3 steps", "x = 1.2345 m, 3 steps")
    assert not same_line("x = 1.2346 m", "x = 1.2344 m")
    assert not same_line("3 steps", "4 steps")
    assert not same_line("x = 1.2346 m", "y = 1.2346 m")
    assert same_line("8.1e-03", "8.2e-03")
    assert not same_line("8.1e-03", "8.1e-02")
    assert same_line("drift 2.2e-16", "drift 4.4e-15")
    assert not same_line("drift 2.2e-16", "drift 4.4e-9")
    assert fits(["a", "...", "d"], ["a", "b", "c", "d", "e"])
    assert not fits(["a", "...", "f"], ["a", "b"])
    assert not fits(["a"], [])


def test_blocks_of_a_page():
    text = "<!-- before: sh\nls\n-->\n\n```sh\n$ rollick models  # all\nprinted\n```\n\n```text\nsaid\n```\n\n    y = x\n\n```{toctree}\nx\n```\n"
    found = blocks(text)
    assert [(b.kind, b.shown) for b in found] == [
        ("sh", False),
        ("sh", True),
        ("text", True),
        ("formula", True),
        ("directive", True),
    ]
    assert commands(found[1].code) == ["rollick models"]
    assert why_not_run("rollick studio")
    assert not why_not_run("rollick simulate rattleback")


# ---- docstrings ----------------------------------------------------------------------------------------------------------------------------------------------------
FORMULAS = {
    "F = ((chi2_0",
    "if TYPE_CHECKING:",
}  # what looks like Python and does not stand alone, by how it begins: mathematics, a part of a package
BEFORE = """
import numpy as np
from rollick import Rattleback, compare, describe, open_saved, plot_style, simulate
from rollick.ensemble import First, Greatest, Path
from rollick.kernel import cos, rate, signals, sin
from rollick.mechanics.mass.primitives import point, solid_cylinder, solid_ellipsoid
from rollick.plotting.portrait import phase_portrait
from typing import NamedTuple

class Pendulum(NamedTuple):
    length: float = 1.0

@rate.register(Pendulum)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = -9.81 / p.length * sin(y[0])

@signals.register(Pendulum)
def _(p, t, y, out):
    out[0] = 0.5 * (p.length * y[1]) ** 2 - 9.81 * p.length * cos(y[0])

describe(Pendulum, states={"phi": "rad", "omega": "rad/s"}, signals={"energy": "J"})
pendulum = Pendulum()
stone = motion = simulate(Rattleback(), {"alpha": "0.5deg", "omega3": -5.0}, until=1.0)
other = simulate(Rattleback(sigma=1e-4), {"alpha": "0.5deg", "omega3": -5.0}, until=1.0)
motion.to_netcdf("motion.nc")
"""


def snippets():
    """Code in docstrings: blocks that stand indented, or begin with an import, and are statements of Python."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for doc in re.finditer(r'^[ ]*"""(.*?)"""', text, re.S | re.M):
            for found in re.finditer(r"(?:^|\n\n?)((?:    .+\n?)+|from rollick.*\n?(?:.+\n?)*)", inspect.cleandoc(doc[1])):
                code = textwrap.dedent(found[1])
                try:
                    body = ast.parse(code).body
                except SyntaxError:
                    continue
                kinds = ast.Import | ast.ImportFrom | ast.Assign | ast.With
                if any(isinstance(x, kinds) or (isinstance(x, ast.Expr) and isinstance(x.value, ast.Call)) for x in body):
                    if not code.startswith(tuple(FORMULAS)):
                        yield pytest.param(
                            code, id=f"{path.relative_to(PACKAGE).as_posix()}:{1 + text.count(chr(10), 0, doc.start())}"
                        )


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    room = tmp_path_factory.mktemp("docstrings")
    here = os.getcwd()
    os.chdir(room)
    made = {"__name__": "example"}
    run_python(BEFORE, made)
    yield made
    os.chdir(here)


@pytest.mark.slow
@pytest.mark.parametrize("code", list(snippets()))
def test_code_in_docstrings_runs(code, names):
    run_python(code, dict(names))


@pytest.mark.parametrize(
    "module",
    [p for p in PACKAGE.rglob("*.py") if re.search(r"^\s*>>> ", p.read_text(encoding="utf-8"), re.M)],
    ids=lambda p: p.stem,
)
def test_doctests(module):
    dotted = ".".join(("rollick", *module.relative_to(PACKAGE).with_suffix("").parts))
    found = doctest.testmod(importlib.import_module(dotted))
    assert not found.failed, found
