"""Fingerprints of source files: what machine code may depend on.

Rollick's own sources are taken as a whole, but for the rooms in which nothing is compiled. Of a *foreign* module (a user's) it is its package, or the files beside it. What has no
source (a notebook cell, a script run as ``__main__``) has no fingerprint, and code that depends on it is not kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import operator
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
NOT_COMPILED = (
    "cli",
    "errata",
    "plotting",
    "studies",
    "studio",
    "view",
)  # rooms without a function that is compiled (a test looks)
NOTE = "sources-"  # what the files begin with that note a fingerprint
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


def _sources() -> list[tuple[str, int, int, int, int]]:
    """Every source file of Rollick that may be compiled, with its size, the times of its last changes (of content, of anything) and its place on the disk."""
    found = []
    for folder, inside, names in os.walk(PACKAGE):
        if folder == str(PACKAGE):
            inside[:] = [name for name in inside if name not in NOT_COMPILED]
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with contextlib.suppress(OSError):
                    about = os.stat(path)
                    found.append((path, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino))
    return sorted(found)


@functools.cache
def _as_imported() -> list[tuple[str, int, int, int, int]]:
    return _sources()


def _of_contents(sources: list[tuple[str, int, int, int, int]]) -> str:
    return hash_sources(Path(path) for path, *_ in sources)


_fingerprint: list[str] = []  # once it is known


def package_fingerprint(notes: Path | None = None) -> str:
    """A hash of every source file of Rollick that may be compiled, as they were when it was imported.

    To read them takes a tenth of a second; their sizes, times and places are told ten times as fast. Under these the hash is noted in a folder, `notes`.
    """
    if not _fingerprint:
        _fingerprint.append(_of_contents(_as_imported()) if notes is None else _noted(notes))
    return _fingerprint[0]


def _noted(folder: Path) -> str:
    note = folder / f"{NOTE}{hashlib.sha256(repr(_as_imported()).encode()).hexdigest()[:16]}"
    with contextlib.suppress(OSError, ValueError):
        found = note.read_text("ascii")
        if len(bytes.fromhex(found)) == 8:
            return found
    found = _of_contents(_as_imported())
    with contextlib.suppress(OSError):
        note.write_text(found, "ascii")
    return found


def package_is_unchanged() -> bool:
    """Whether the modules that were imported are those of the fingerprint: somebody may be editing Rollick's sources.

    A compilation asks hundreds of times. The files are looked at again when a module was imported, or again, since they were last found unchanged:
    what was read before they were found unchanged does not change with them.
    """
    modules = _imported()
    if (
        modules is not None
        and _unchanged
        and len(modules) == len(_unchanged[0])
        and all(map(operator.is_, modules, _unchanged[0]))
    ):
        return True
    now = _sources()
    if now != _as_imported() and _of_contents(now) != package_fingerprint():
        return False
    _unchanged[:] = [] if modules is None else [modules]
    return True


_unchanged: list[list[Any]] = []  # the modules that were there when the sources were last found to be those of the package


def _imported() -> list[Any] | None:
    """What Python made of each import of a module of Rollick (a reload makes another one); None while one is under way."""
    found = [getattr(module, "__spec__", None) for name, module in list(sys.modules.items()) if not is_foreign(name)]
    return None if any(getattr(spec, "_initializing", True) for spec in found) else found


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
