"""The documents hang together: pages are listed, links lead somewhere, and the models, methods and files they name are there."""

import itertools
import re
import runpy
from pathlib import Path

import pytest

from rollick.archetypes.models import model_names
from rollick.motion.methods import METHODS

ROOT = Path(__file__).parents[1]
WRITTEN = [page for page in (ROOT / "docs").rglob("*.md") if not {"generated", "_build"} & set(page.relative_to(ROOT).parts)]
PAGES = sorted([*WRITTEN, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"])
NAMES = [page.relative_to(ROOT).as_posix().removeprefix("docs/") for page in PAGES]


def anchors(page):
    """The anchors of the titles of a page, as they are made on the web: small letters, hyphens, no punctuation."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    titles = re.findall(r"^#+ (.*)", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if (ROOT / "docs" / "generated") in target.parents:
            continue  # written by the build, which looks for them
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}; there are {sorted(anchors(target))}"


def test_the_index_lists_every_page_and_every_example():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"]({page.name})" in index, page.name
    for example in (ROOT / "examples").glob("*.py"):
        assert f"`{example.name}`" in index, example.name


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_models_methods_and_body_files_of_commands_are_there(page):
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"^(?:\$ )?(rollick (?:simulate|show|theory) +\w.*)$", text, re.M):
        words = line.partition("#")[0].split()
        named = words[3] if words[1] == "theory" and len(words) > 3 else words[2]  # theory has a subcommand first
        if not named.startswith("-") and not named.endswith(".toml"):
            assert named in model_names(), f"{page.name}: {line}"
        for method in re.findall(r"--method (\S+)", line):
            assert method in METHODS, f"{page.name}: {line}"
        for file in re.findall(r"(examples/\S+\.toml)", line):
            assert (ROOT / file).exists(), f"{page.name}: {line}"


def test_the_folders_of_the_architecture_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "rollick"
    files = {path.relative_to(package).as_posix() for path in package.rglob("*") if "__pycache__" not in path.parts}
    for name in re.findall(r"`((?:kernel|mechanics|motion|analysis|ensemble|archetypes|studies|view|cli)/[\w/.]*)`", text):
        if "<" not in name:
            assert name.rstrip("/") in files, name
    rooms = {path.name for path in package.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(re.findall(r"^\| `(\w+)/` \|", text[: text.index("Inside `motion/`")], re.M))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_outputs_of_different_examples_differ(page):
    """A printed output of several lines that stands on a page twice, behind different code, is a copy of the wrong one."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    seen = {}
    for (_, code), (kind, said) in itertools.pairwise(blocks):
        if kind == "text" and said.count("\n") > 2:
            assert seen.setdefault(said, code) == code, f"{page.name}: printed twice, behind different code:\n{said}"


def test_generated_pages_are_what_the_results_say():
    """docs/performance.md and docs/reliability.md are written from benchmarks/results by benchmarks/page.py."""
    page = runpy.run_path(str(ROOT / "benchmarks" / "page.py"))
    for name in ("performance", "reliability"):
        assert (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") == page[name](), f"docs/{name}.md: make performance"
