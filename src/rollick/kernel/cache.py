"""Where compiled code is kept, and how it is kept from going stale.

Numba's own disk cache looks only at the file that defines a function, not at what that function calls: an edit of a
callee leaves stale machine code behind. Here the cache directory carries a hash of the whole package's source, and each
entry of it a fingerprint of every *foreign* module (a user's) that defines a type in the signature or registers an
implementation for one. Code that cannot be fingerprinted (a notebook cell, a script run as ``__main__``) is not cached.

``ROLLICK_CACHE_DIR`` moves the cache; otherwise it is the user's cache directory.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

from numba.core import types
from numba.core.caching import Cache, CompileResultCacheImpl, _CacheLocator

PACKAGE = Path(__file__).resolve().parents[1]
KEEP = 4  # how many package versions' caches stay on disk
MOST_FILES = 2000  # a foreign package larger than this is not fingerprinted


def hash_sources(paths: list[Path]) -> str:
    """A hash of the contents of source files, and of their names."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def package_fingerprint() -> str:
    """A hash of every source file of Rollick."""
    return hash_sources(list(PACKAGE.rglob("*.py")))


@functools.cache
def module_fingerprint(name: str) -> str | None:
    """A hash of the sources a foreign module may depend on: its package, or the files beside it.

    None where there is no such source (``__main__``, a notebook): what depends on it must not be cached.
    """
    if name == "__main__":
        return None
    top = sys.modules.get(name.partition(".")[0])
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or top is None or not os.path.exists(file):
        return None
    if getattr(top, "__path__", None):
        paths = [p for root in top.__path__ for p in Path(root).rglob("*.py")]
    else:
        paths = list(Path(file).parent.glob("*.py"))
    return hash_sources(paths) if len(paths) <= MOST_FILES else None


def cache_root() -> Path:
    """The directory that holds the caches of all versions."""
    given = os.environ.get("ROLLICK_CACHE_DIR")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "rollick"


@functools.cache
def cache_directory() -> Path:
    """The cache directory of this very source; older ones beyond the newest few are removed."""
    root = cache_root()
    here = root / package_fingerprint()
    try:
        here.mkdir(parents=True, exist_ok=True)
        os.utime(here)
        others = sorted((p for p in root.iterdir() if p.is_dir() and p != here), key=lambda p: p.stat().st_mtime)
        for old in others[: -(KEEP - 1)]:
            if time.time() - old.stat().st_mtime > 3600.0:  # another process may be using a young one
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # not writable: the locator below notices and compiled code is not kept
    return here


# Foreign modules that registered an implementation for a class: class -> module names (filled by `dispatch`).
implementers: dict[type, set[str]] = {}


def _classes(kind: types.Type):
    """The NamedTuple classes inside a Numba type, and whether it holds something that cannot be fingerprinted."""
    if isinstance(kind, types.BaseTuple):
        cls = getattr(kind, "instance_class", None)
        if cls is not None:
            yield cls
        for inner in kind.types if hasattr(kind, "types") else (kind.dtype,):
            yield from _classes(inner)
    elif isinstance(kind, (types.Callable, types.Opaque)) and not isinstance(kind, types.NoneType):
        yield None


def foreign_fingerprint(sig) -> tuple | None:
    """What outside Rollick the code of a signature depends on; None if that cannot be known."""
    found = []
    for kind in sig:
        for cls in _classes(kind):
            if cls is None:
                return None
            modules = implementers.get(cls, set()) | {cls.__module__}
            for name in sorted(m for m in modules if m.partition(".")[0] != "rollick"):
                mark = module_fingerprint(name)
                if mark is None:
                    return None
                found.append((name, mark))
    return tuple(sorted(set(found)))


class _Locator(_CacheLocator):
    """Points every function of the package at `cache_directory`."""

    def __init__(self, py_func, py_file):
        self._lineno = py_func.__code__.co_firstlineno
        self._path = str(cache_directory())

    def get_cache_path(self):
        return self._path

    def get_source_stamp(self):
        return package_fingerprint()

    def get_disambiguator(self):
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Locator]


class SourceKeyedCache(Cache):
    """Numba's function cache with the fingerprints above in its keys."""

    _impl_class = _Impl

    def _index_key(self, sig, codegen):
        return (*super()._index_key(sig, codegen), foreign_fingerprint(sig))

    def _load_overload(self, sig, target_context):
        if foreign_fingerprint(sig) is None:
            return None
        try:
            return super()._load_overload(sig, target_context)
        except Exception:  # a damaged or foreign file must never stop a computation: compile anew
            return None

    def _save_overload(self, sig, data):
        if foreign_fingerprint(sig) is None:
            return
        try:
            super()._save_overload(sig, data)
        except OSError:
            pass
