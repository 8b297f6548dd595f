"""Where compiled code is kept, and how it is kept from going stale.

Numba's own disk cache looks only at the file that defines a function, not at what that function calls: an edit of a callee leaves
stale machine code behind. Here the cache directory carries a hash of the whole package's source. Each entry carries, of every
*foreign* module (a user's) that defines the function, a type in its signature or an implementation for such a type, a hash of the
files (`sources`), and of the implementations themselves what they contain (`contents`). Code that cannot be fingerprinted (a notebook
cell, a script run as ``__main__``, a class made inside a function) is not kept.

Each entry is a file of its own, named by a hash of all that: processes that compile at the same time cannot mix their entries up,
and what one user's module left behind need not be importable for another's.

``ROLLICK_CACHE_DIR`` moves the cache; otherwise it is the user's cache directory.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
from numba import types

from . import shipped
from .contents import content, implementers
from .numba_inside import Cache, CacheLocator, CompileResultCacheImpl, config, dumps, sigutils
from .second_process import wait_for
from .sources import NOTE, is_foreign, module_fingerprint, package_fingerprint, package_is_unchanged

KEEP = 4  # how many package versions' caches stay on disk
KEEP_NOTES = 16  # and how many notes of fingerprints
# Numba's settings that change machine code
SETTINGS = ("OPT", "BOUNDSCHECK", "ENABLE_PROFILING", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
PREFIX = "compiled-"


def cache_root() -> Path:
    """The directory that holds the caches of all versions."""
    given = os.environ.get("ROLLICK_CACHE_DIR")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:  # a user without a home, as in containers
            return private_directory("there is no home directory")
    return Path(base) / "rollick"


@functools.cache
def private_directory(why: str) -> Path:
    """A directory of this process alone, for want of a better one; gone when the process ends."""
    made = Path(tempfile.mkdtemp(prefix="rollick-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    print(f"Rollick keeps its compiled code in {made} for this process only: {why}. Set ROLLICK_CACHE_DIR to a directory of your own to keep it.", file=sys.stderr)  # fmt: skip
    return made


def others_can_write(path: Path, parent: Path) -> bool:
    """Whether another user could put files into a directory, or put another directory in its place. Entries are unpickled, hence run."""
    if not hasattr(os, "getuid"):
        return False
    mine = (os.getuid(), 0)
    here, above = path.stat(), parent.stat()
    replaced = above.st_mode & 0o022 and not above.st_mode & stat.S_ISVTX
    return here.st_uid not in mine or bool(here.st_mode & 0o022) or above.st_uid not in mine or bool(replaced)


def make_private(path: Path) -> None:
    """Make a directory that only its owner can write to; one of the user's own that others can write to is closed to them if it is new."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if hasattr(os, "getuid") and path.stat().st_uid == os.getuid() and not any(path.iterdir()):
        path.chmod(0o700)


@functools.cache
def cache_directory() -> Path:
    """The cache directory of this very source; older ones beyond the newest few are removed."""
    root = cache_root()
    with contextlib.suppress(OSError):
        make_private(root)
    here = root / (PREFIX + package_fingerprint(root))
    try:
        make_private(here)
        os.utime(here)
        if others_can_write(here, root):
            return private_directory(f"others can write to {here}, and what it holds would be run")
        # Only what this function made: the user may have pointed the cache at a directory with other things in it.
        others = [p for p in root.glob(PREFIX + "[0-9a-f]" * 16) if p.is_dir() and p != here]
        others.sort(key=lambda p: p.stat().st_mtime)
        for old in others[: -(KEEP - 1)]:
            if time.time() - old.stat().st_mtime > 3600.0:  # another process may be using a young one
                shutil.rmtree(old, ignore_errors=True)
        notes = sorted(root.glob(NOTE + "[0-9a-f]" * 16), key=lambda p: p.stat().st_mtime)
        for old in notes[:-KEEP_NOTES]:
            old.unlink(missing_ok=True)
    except OSError:
        pass  # not writable: saving fails silently below, and compiled code is not kept
    return here


# The classes in signatures of code that came from disk: what is compiled into it was not seen by `dispatch` in this process.
loaded: set[type | None] = set()


def _classes(sig) -> Iterator[type | None]:
    """The NamedTuple classes in a signature; None for something that cannot be fingerprinted."""
    waiting = list(reversed(sigutils.normalize_signature(sig)[0]))
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, types.BaseTuple):
            if hasattr(kind, "instance_class"):
                yield kind.instance_class
            waiting += reversed(kind.types)  # type: ignore[attr-defined]
        elif isinstance(kind, types.TypeRef):
            waiting.append(kind.instance_type)
        elif isinstance(kind, (types.Callable, types.Opaque)) and not isinstance(kind, types.NoneType):
            yield None


def foreign_fingerprint(sig, function: Callable | None = None) -> tuple | None:
    """What the machine code of a function for a signature depends on besides the sources of Rollick; None if that cannot be known."""
    classes = [cls for cls in _classes(sig) if cls is not None and "<locals>" not in cls.__qualname__]
    if len(classes) < len(list(_classes(sig))):
        return None
    inside = {
        str(key): implementation
        for cls in (*classes, object)
        for key, implementation in implementers.get(cls, {}).items()
        if (is_foreign(cls.__module__) and cls is not object) or is_foreign(implementation.__module__)
    }
    names = sorted(inside)
    functions = [inside[name] for name in names]
    if function is not None and is_foreign(function.__module__):
        functions.append(function)
    modules = {f.__module__ for f in functions} | {cls.__module__ for cls in classes}
    marks = {name: module_fingerprint(name) for name in modules if is_foreign(name)}
    if None in marks.values():
        return None
    contained = content(functions)
    return None if contained is None else (tuple(sorted(marks.items())), tuple(names), contained)


class _Locator(CacheLocator):
    """Points every function at `cache_directory`."""

    def __init__(self, py_func, py_file):
        self._py_file = py_file
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


class Entries:
    """The entries of a function: one file each, named by a hash of its key, with the key and a hash of the content inside."""

    def __init__(self, directory: str, name: str, function: str):
        self.stem, self.function = os.path.join(directory, name), function

    def path(self, key: str) -> Path:
        """The file of an entry."""
        return Path(f"{self.stem}.{hashlib.sha256(key.encode()).hexdigest()[:24]}.code")

    def load(self, key: str):
        """What was saved under a key; None if there is nothing, or something else or damaged."""
        path = self.path(key)
        wait_for(self.function, path)
        try:
            found = path.read_bytes()
        except OSError:
            return None
        if found[:32] != hashlib.sha256(found[32:]).digest():
            return None
        stored, data = pickle.loads(found[32:])
        return pickle.loads(data) if stored == key else None

    def save(self, key: str, data) -> None:
        """Write an entry, whole or not at all."""
        entry = pickle.dumps((key, dumps(data)))
        path = self.path(key)
        temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
        try:
            temporary.write_bytes(hashlib.sha256(entry).digest() + entry)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget all entries of the function."""
        stem = Path(self.stem)
        for path in stem.parent.glob(f"{stem.name}.*.code"):
            path.unlink(missing_ok=True)


def holds_machine_code(entry: bytes) -> bool:
    """Whether the content of an entry can be called, and is not only copied into what is compiled later."""
    library, *_rest = pickle.loads(pickle.loads(entry[32:])[1])
    return bool(library[1] == "object")


class SourceKeyedCache(Cache):
    """Numba's function cache with the fingerprints above in its keys."""

    _impl_class = _Impl  # type: ignore[assignment]

    def __init__(self, py_func, way: str = "python"):
        super().__init__(py_func)
        self._way = way  # who calls the code, see `compiled`
        name = f"{py_func.__module__}.{py_func.__qualname__}"
        self._cache_file = Entries(self._cache_path, self._impl.filename_base, name)  # type: ignore[assignment]

    def _fingerprint(self, sig):
        return foreign_fingerprint(sig, self._py_func)

    def _index_key(self, sig, codegen):
        """All that the machine code depends on, as a text: pickled types would have to be imported to be compared."""
        _sig, machine, bytecode = super()._index_key(sig, codegen)
        return self._key(sig, machine, bytecode)

    def _key(self, sig, machine, bytecode):
        function = f"{self._py_func.__module__}.{self._py_func.__qualname__}"
        classes = [f"{cls.__module__}.{cls.__qualname__}" for cls in _classes(sig) if cls is not None]
        arguments = str(sigutils.normalize_signature(sig)[0])
        settings = numba.__version__, [getattr(config, name, None) for name in SETTINGS], self._way
        return repr((function, arguments, classes, self._fingerprint(sig), (machine, bytecode), settings))

    def is_kept(self, sig, target_context) -> bool:
        """Whether there is machine code for a signature, here or with the package; it is not loaded."""
        _sig, machine, bytecode = super()._index_key(sig, target_context.codegen())
        baseline = shipped.machine(machine[0])
        kept = Entries(str(shipped.FOLDER), self._impl.filename_base, self._cache_file.function)
        return self._cache_file.path(self._key(sig, machine, bytecode)).exists() or (
            baseline is not None and kept.path(self._key(sig, baseline, bytecode)).exists()
        )

    def load_overload(self, sig, target_context):
        """The machine code that was kept for a signature, or that came with the package; or None.

        Numba would first load all that it can compile, half a second; what is there already needs none of it, and a compilation loads it itself.
        """
        return self._load_overload(sig, target_context)

    def _load_overload(self, sig, target_context):
        if self._fingerprint(sig) is None:
            return None
        try:
            code = super()._load_overload(sig, target_context) or self._load_shipped(sig, target_context)
        except Exception:  # a damaged or foreign file must never stop a computation: compile anew
            return None
        if code is not None:
            loaded.update(_classes(sig))
        return code

    def _load_shipped(self, sig, target_context):
        """The machine code that came with the package, or None."""
        _sig, (triple, *_), bytecode = super()._index_key(sig, target_context.codegen())
        baseline = shipped.machine(triple)
        if baseline is None:
            return None
        kept = Entries(str(shipped.FOLDER), self._impl.filename_base, self._cache_file.function)
        data = kept.load(self._key(sig, baseline, bytecode))
        return None if data is None else self._impl.rebuild(target_context, data)

    def _save_overload(self, sig, data):
        if self._fingerprint(sig) is None or not package_is_unchanged():
            return
        try:
            super()._save_overload(sig, data)
        except Exception:  # a full disk, a directory that cannot be written: compiled code is not kept
            return
