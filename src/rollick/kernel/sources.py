"""Fingerprints of source files: what machine code may depend on.

Rollick's own sources are taken as a whole, but for the rooms in which nothing is compiled. Of a *foreign* module (a user's) it is its package, or the files beside it. What has no
source (a notebook cell, a script run as ``__main__``) has no fingerprint, and code that depends on it is not kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
NOT_COMPILED = (
    "cli",
    "errata",
    "plotting",
    "studies",
    "studio",
    "view",
)  # rooms without a function that is compiled (a test looks)
MOST_FILES = 2000  # a foreign package larger than this is not fingerprinted


def hash_sources(paths: Iterable[Path]) -> str:
    """A hash of the contents of source files, and of their names; what cannot be read (an editor's lock, say) does not count."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        digest.update(f"{path.name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _sources() -> list[tuple[str, int, int]]:
    """Every source file of Rollick that may be compiled, with its size and the time of its last change."""
    found = []
    for folder, inside, names in os.walk(PACKAGE):
        if folder == str(PACKAGE):
            inside[:] = [name for name in inside if name not in NOT_COMPILED]
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with contextlib.suppress(OSError):
                    about = os.stat(path)
                    found.append((path, about.st_size, about.st_mtime_ns))
    return sorted(found)


@functools.cache
def _as_imported() -> tuple[str, list[tuple[str, int, int]]]:
    sources = _sources()
    return hash_sources(Path(path) for path, _, _ in sources), sources


def package_fingerprint() -> str:
    """A hash of every source file of Rollick that may be compiled, as they were when it was imported."""
    return _as_imported()[0]


def package_is_unchanged() -> bool:
    """Whether Rollick's sources are still those it was imported from (somebody may be editing them)."""
    fingerprint, before = _as_imported()
    now = _sources()
    return now == before or hash_sources(Path(path) for path, _, _ in now) == fingerprint


def is_foreign(name: str) -> bool:
    """Whether a module is not Rollick's own."""
    return name.partition(".")[0] != "rollick"


@functools.cache
def module_fingerprint(name: str) -> str | None:
    """A hash of the sources a foreign module may depend on: its package, or the files beside it; None where there are none."""
    if name == "__main__":
        return None
    top = sys.modules.get(name.partition(".")[0])
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or top is None or not os.path.exists(file):
        return None
    if getattr(top, "__path__", None):
        paths = [path for root in top.__path__ for path in Path(root).rglob("*.py")]
    else:
        paths = list(Path(file).parent.glob("*.py"))
    return hash_sources(paths) if len(paths) <= MOST_FILES else None
