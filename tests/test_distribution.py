"""What is told about the package, to those who build, install and cite it: wheel and sources, workflow, release, citation."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rollick.version import __version__

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def release():
    """The script of `make release`."""
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_workflow_calls_targets_that_exist():
    yaml = pytest.importorskip("yaml")
    for file in (ROOT / ".github").rglob("*.yml"):
        assert isinstance(yaml.safe_load(file.read_text()), dict), file
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    called = {word for command in commands for word in re.findall(r"\bmake ([a-z-]+)", command)}
    assert {"check", "test", "test-cuda", "docs", "dist"} <= called
    assert called <= targets()
    for job in jobs.values():
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= set(jobs)


def test_all_versions_that_the_package_names_are_tested():
    yaml = pytest.importorskip("yaml")
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert jobs["tests"]["strategy"]["matrix"]["python"] == named
    assert jobs["installed"]["strategy"]["matrix"]["python"] == named


def test_every_target_is_phony_and_explained():
    text = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split())
    assert phony == targets()
    assert phony - {"help", "clean"} <= set(re.findall(r'echo "make ([a-z-]+)', text))


def test_the_citation_is_of_this_version():
    yaml = pytest.importorskip("yaml")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == __version__
    assert {"cff-version", "message", "title", "authors", "license", "type"} <= set(cited)
    assert cited["license"] == "BSD-3-Clause"
    assert all("title" in work and "authors" in work for work in cited["references"])


def written(
    root,
    version="1.2.0",
    changes="## Unreleased\n\n## 1.2.0 - 2026-01-31\n\n- news\n",
    cited="version: 1.2.0\ndate-released: 2026-01-31\n",
):
    (root / "src/rollick").mkdir(parents=True)
    (root / "src/rollick/version.py").write_text(f'__version__ = "{version}"\n')
    (root / "CHANGELOG.md").write_text(changes)
    (root / "CITATION.cff").write_text(cited)
    return root


def test_a_version_that_fits_can_be_released(release, tmp_path):
    root = written(tmp_path)
    assert release.version_of(root) == "1.2.0"
    assert release.complaints(root, "1.2.0") == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"changes": "## Unreleased\n\n- news\n\n## 1.2.0 - 2026-01-31\n"}, "under Unreleased"),
        ({"changes": "## Unreleased\n\n## 1.1.0 - 2026-01-31\n"}, "no heading `## 1.2.0"),
        ({"changes": "## 1.2.0 - unreleased\n"}, "no heading `## 1.2.0"),
        ({"cited": "version: 1.1.0\ndate-released: 2026-01-31\n"}, "version 1.1.0"),
        ({"cited": "version: 1.2.0\n"}, "date-released"),
    ],
)
def test_a_version_that_does_not_fit_is_refused_by_name(release, tmp_path, changed, told):
    (complaint,) = release.complaints(written(tmp_path, **changed), "1.2.0")
    assert told in complaint


def test_a_tree_with_changes_or_a_tag_that_exists_is_refused(release, tmp_path):
    def git(*words):
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=tmp_path, check=True, capture_output=True
        )

    git("init")
    written(tmp_path)
    assert any("not committed" in told for told in release.complaints_of_git(tmp_path, "1.2.0"))
    git("add", ".")
    git("commit", "-m", "all", "--no-verify")
    assert release.complaints_of_git(tmp_path, "1.2.0") == []
    git("tag", "v1.2.0")
    assert any("tag v1.2.0" in told for told in release.complaints_of_git(tmp_path, "1.2.0"))


@pytest.mark.slow
def test_wheel_and_sources_hold_everything(release, tmp_path):
    pytest.importorskip("build")
    pytest.importorskip("setuptools", minversion="70.1")  # makes wheels by itself
    command = [sys.executable, "-m", "build", "--no-isolation", "--skip-dependency-check", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    assert release.missing(wheel, source) == []
