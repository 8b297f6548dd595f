"""Whether a version can be released, and its distributions: `make release`. Nothing is uploaded, tagged or changed.

A version can be released if the working tree is clean, the version stands in CHANGELOG.md with a date and in CITATION.cff, nothing is left under
"Unreleased", and no tag has it yet. Then wheel and source distribution are built into dist/ and checked.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = (
    "py.typed",
    "view/assets/page.html",
    "view/assets/viewer.css",
    "view/assets/three_parts.min.js",
    "view/assets/viewer/player.js",
    "studio/look.css",
    "archetypes/lander/data/powers.csv",
    "archetypes/tippedisk/data/synthetic_inversion.csv.gz",
)  # some of each kind of file that is not Python
BESIDE = (
    "tests/motion/test_simulate.py",
    "docs/index.md",
    "examples/own_system.py",
    "benchmarks/rattleback.py",
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "Makefile",
)


def version_of(root: Path) -> str:
    """The version that the package says it is."""
    found = re.search(r'__version__ = "([^"]+)"', (root / "src/rollick/version.py").read_text())
    if found is None:
        raise SystemExit('release: src/rollick/version.py has no line __version__ = "...".')
    return found[1]


def complaints(root: Path, version: str) -> list[str]:
    """What the files say that does not fit a release of a version, a sentence each."""
    told = []
    changes = (root / "CHANGELOG.md").read_text()
    if not re.search(rf"^## \[?{re.escape(version)}\]? - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        told.append(f"CHANGELOG.md has no heading `## {version} - YYYY-MM-DD`.")
    waiting = re.search(r"^## \[?Unreleased\]?[^\n]*\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if waiting and waiting[1].strip():
        told.append(f"CHANGELOG.md still has lines under Unreleased; move them below `## {version} - YYYY-MM-DD`.")
    cited = re.search(r"^version: *[\"']?([^\"'\s]+)", (root / "CITATION.cff").read_text(), re.MULTILINE)
    if cited is None or cited[1] != version:
        told.append(f"CITATION.cff says version {cited[1] if cited else 'nothing'}, src/rollick/version.py {version}.")
    if not re.search(r"^date-released: *[\"']?\d{4}-\d\d-\d\d", (root / "CITATION.cff").read_text(), re.MULTILINE):
        told.append("CITATION.cff has no line `date-released: YYYY-MM-DD`.")
    return told


def asked_of_git(root: Path, *words: str) -> str:
    """What git answers."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def complaints_of_git(root: Path, version: str) -> list[str]:
    """What the repository has against a release, a sentence each."""
    told = []
    if asked_of_git(root, "status", "--porcelain"):
        told.append("the working tree has changes that are not committed (git status).")
    if asked_of_git(root, "tag", "--list", f"v{version}"):
        told.append(f"the tag v{version} exists already; raise the version.")
    return told


def missing(wheel: Path, source: Path) -> list[str]:
    """What the distributions lack: every Python file and all data in the wheel; tests, pages and examples beside them in the source distribution."""
    here = ROOT / "src"
    wanted = {str(p.relative_to(here)) for p in here.rglob("*.py")} | {f"rollick/{name}" for name in DATA}
    lacking = sorted(wanted - set(zipfile.ZipFile(wheel).namelist()))
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    return lacking + sorted(({f"src/{name}" for name in wanted} | set(BESIDE)) - names)


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution, built anew."""
    for old in folder.glob("rollick-*"):
        old.unlink()
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def compiled_wheel(pure: Path) -> Path:
    """The wheel with compiled code in it, for this Python and system."""
    before = set(pure.parent.glob("*.whl"))
    subprocess.run([sys.executable, str(ROOT / ".ci/compiled_wheel.py"), str(pure), str(pure.parent)], check=True)
    (made,) = set(pure.parent.glob("*.whl")) - before
    return made


def main() -> None:
    """Check, build, and say what is next."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only-build", action="store_true", help="build and check the distributions, released or not")
    only_build = asked.parse_args().only_build
    version = version_of(ROOT)
    told = [] if only_build else complaints_of_git(ROOT, version) + complaints(ROOT, version)
    for complaint in told:
        print(f"release: {complaint}", file=sys.stderr)
    if told:
        raise SystemExit(1)
    wheel, source = build(ROOT / "dist")
    lacking = missing(wheel, source)
    if lacking:
        raise SystemExit(f"release: the distributions lack {', '.join(lacking[:20])}.")
    built = [wheel, compiled_wheel(wheel), source]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, built)], check=True)
    print(f"built {', '.join(str(path.relative_to(ROOT)) for path in built)}")
    if not only_build:
        print(
            f"next: make test-all; git tag -s v{version} -m 'Rollick {version}'; git push origin v{version}; "
            f"{Path(sys.executable).name} -m twine upload dist/*; then begin `## Unreleased` in CHANGELOG.md."
        )


if __name__ == "__main__":
    main()
