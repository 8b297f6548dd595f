"""Fingerprints of source code: what machine code may depend on.

Rollick's own sources are taken as a whole. Of a *foreign* module (a user's) the sources are its package, or the files beside it, and
likewise of every module it imports; installed packages count by their version. What cannot be known has no fingerprint, and code
that depends on it is not kept: a notebook cell, a script run as ``__main__``, and a file that was edited since this process began
(what is in memory may be older than what is on disk).
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
MOST_FILES = 2000  # more sources than this are not looked at
BEGAN = time.time()


def hash_sources(paths: Iterable[Path]) -> str:
    """A hash of the contents of source files, and of their names; files that cannot be read (an editor's locks) do not count."""
    digest = hashlib.sha256()
    for path in sorted(set(paths)):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        digest.update(f"{path.name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _read_package() -> str:
    return hash_sources(PACKAGE.rglob("*.py"))


@functools.cache
def package_fingerprint() -> str:
    """A hash of every source file of Rollick, as they were when it was imported."""
    return _read_package()


def package_is_unchanged() -> bool:
    """Whether Rollick's sources are still those it was imported from (somebody may be editing them)."""
    return _read_package() == package_fingerprint()


def is_foreign(name: str) -> bool:
    """Whether a module is not Rollick's own."""
    return name.partition(".")[0] != "rollick"


def _edited(path: Path) -> bool:
    """Whether a file may be newer than what this process has read of it."""
    try:
        state = path.stat()
    except OSError:
        return False
    return max(state.st_mtime, state.st_ctime) >= BEGAN


def _installed(path: str) -> bool:
    return bool({"site-packages", "dist-packages"} & set(Path(path).parts))


def _files(name: str) -> list[Path] | None:
    """The sources of the package of a loaded module, or the files beside it; None if there are none."""
    top = sys.modules.get(name.partition(".")[0])
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or top is None or not os.path.exists(file):
        return None
    if getattr(top, "__path__", None):
        return [path for root in top.__path__ for path in Path(root).rglob("*.py")]
    return list(Path(file).parent.glob("*.py"))


def _imports(name: str) -> Iterator[str]:
    """The modules a loaded module may have imported, by the words of its source (those of `from a import b`: a and a.b)."""
    module = sys.modules[name]
    path = Path(getattr(module, "__file__", None) or "")
    if path.suffix != ".py":
        return
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = importlib.util.resolve_name("." * node.level + (node.module or ""), module.__package__)
            except (ImportError, ValueError):
                continue
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@functools.cache
def _sources(name: str) -> tuple[str, tuple[Path, ...]] | None:
    """The hash of the sources a foreign module depends on, and their paths."""
    found: set[Path] = set()
    versions: set[str] = set()
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        module = waiting.pop()
        top = module.partition(".")[0]
        if module in seen or module not in sys.modules or not is_foreign(module) or top in sys.stdlib_module_names:
            continue
        seen.add(module)
        if top != name.partition(".")[0] and _installed(getattr(sys.modules[module], "__file__", None) or ""):
            versions.add(f"{top}=={getattr(sys.modules.get(top), '__version__', '')}")
            continue
        files = _files(module)
        if files is None:
            if module == name:
                return None
            continue
        found |= set(files)
        if len(found) > MOST_FILES:
            return None
        waiting += _imports(module)
    return f"{hash_sources(found)}{sorted(versions)}", tuple(sorted(found))


def module_fingerprint(name: str) -> str | None:
    """A fingerprint of the sources a foreign module depends on; None if it cannot be known, see above."""
    sources = None if name == "__main__" else _sources(name)
    if sources is None or any(_edited(path) for path in sources[1]):
        return None
    return sources[0]
