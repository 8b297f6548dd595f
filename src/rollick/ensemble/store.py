"""The results of an ensemble on disk: a Zarr group, one Zarr chunk for each chunk of members, and a mark for each chunk that is finished.

Whoever computed a chunk writes it, and its mark last: whole or not at all. So a process can be killed at any moment, and what has no mark is computed again.
A store knows what it is a store of; it refuses anything else, and says what differs.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..kernel.strict_json import strict
from ..version import __version__
from .task import Chunk, Task

FORMAT = "rollick ensemble 1"
ABOUT = "about.json"
MARKS = "done"


class StoreError(OSError):
    """A store that cannot be written to: what is in it stays as it is."""


class Store:
    """A folder (a path, or an address that fsspec knows) with the results of one ensemble. It can be pickled; workers write to it."""

    def __init__(self, place: Any):
        self.place = str(place)
        self.local = "://" not in self.place

    # -- files ----------------------------------------------------------------------------------------------------------------

    def _fs(self) -> Any:
        import fsspec

        return fsspec.core.url_to_fs(self.place)

    def read(self, name: str) -> bytes | None:
        """The contents of a file; None if there is none."""
        if self.local:
            path = Path(self.place, name)
            return path.read_bytes() if path.exists() else None
        fs, root = self._fs()
        return fs.cat_file(f"{root}/{name}") if fs.exists(f"{root}/{name}") else None

    def write(self, name: str, text: bytes) -> None:
        """Write a file, whole or not at all."""
        if not self.local:
            fs, root = self._fs()
            fs.makedirs(f"{root}/{name}".rpartition("/")[0], exist_ok=True)
            fs.pipe_file(f"{root}/{name}", text)
            return
        path = Path(self.place, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, new = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        except BaseException:
            Path(new).unlink(missing_ok=True)
            raise

    def marks(self) -> dict[int, dict[str, Any]]:
        """What is told of each finished chunk."""
        found: dict[int, dict[str, Any]] = {}
        if self.local:
            paths = sorted(Path(self.place, MARKS).glob("*.json")) if Path(self.place, MARKS).is_dir() else []
            texts = [(p.stem, p.read_bytes()) for p in paths if not p.name.startswith(".")]
        else:
            fs, root = self._fs()
            listed = fs.glob(f"{root}/{MARKS}/*.json")
            texts = [(str(p).rpartition("/")[2].removesuffix(".json"), fs.cat_file(p)) for p in listed]
        for name, text in texts:
            if name.isdigit():
                found[int(name)] = json.loads(text)
        return found

    # -- arrays ---------------------------------------------------------------------------------------------------------------

    def open(self, task: Task, definition: dict[str, Any], chunk: int | None, guess: Any) -> int:
        """Make the store, or go on with one of the same ensemble; the members of a chunk. `guess()` says how many they should be in a new one."""
        known = self.read(ABOUT)
        if known is not None:
            about = json.loads(known)
            self._refuse_other(about, definition)
            if chunk is not None and chunk != about["chunk"]:
                raise InputError(f"the store {self.place} has chunks of {about['chunk']} members, not {chunk}; leave chunk out.")
            return int(about["chunk"])
        if self.local and Path(self.place).exists() and (not Path(self.place).is_dir() or any(Path(self.place).iterdir())):
            raise InputError(f"{self.place} exists and is no store of an ensemble; name another folder.")
        size = chunk if chunk is not None else guess()
        count, labels = task.members.count, task.keep.labels
        group = self._group("w")
        plan: dict[str, tuple[tuple[int, ...], Any, Any]] = {
            "values": ((count, len(labels)), "f8", np.nan),
            "status": ((count,), "i2", -1),
            "time": ((count,), "f8", np.nan),
            "steps": ((count,), "i8", 0),
        }
        if task.keep.path is not None:
            plan["paths"] = ((count, task.keep.path.times().size, len(task.state_names())), "f8", np.nan)
        for name, (shape, kind, fill) in plan.items():
            group.create_array(name, shape=shape, chunks=(size, *shape[1:]), dtype=kind, fill_value=fill)
        about = {"format": FORMAT, "rollick": __version__, "chunk": size, "members": count, "definition": strict(definition)}
        self.write(ABOUT, json.dumps(about, indent=1).encode())
        return size

    def _group(self, mode: Any) -> Any:
        try:
            import zarr
        except ImportError:
            raise InputError("a store needs zarr: pip install 'rollick[cluster]'.") from None
        return zarr.open_group(self.place, mode=mode)

    def _refuse_other(self, about: dict[str, Any], definition: dict[str, Any]) -> None:
        """Refuse to mix with the results of another ensemble, or of another version."""
        if about.get("format") != FORMAT:
            raise InputError(f"the store {self.place} is of another format ({about.get('format')}); name another folder.")
        now = json.loads(json.dumps(strict(definition)))
        told = differences(about["definition"], now)
        if about["rollick"] != __version__:
            told.append(f"version of rollick: {about['rollick']} in the store, {__version__} now")
        if told:
            more = f" and {len(told) - 6} more" if len(told) > 6 else ""
            raise InputError(
                f"the store {self.place} holds another ensemble: {'; '.join(told[:6])}{more}. Name another folder, or remove this one."
            )

    def put(self, number: int, size: int, chunk: Chunk, seconds: float) -> None:
        """Write a finished chunk, and then its mark."""
        first = number * size
        last = first + len(chunk.status)
        try:
            group = self._group("r+")
            for name in ("values", "status", "time", "steps"):
                group[name][first:last] = getattr(chunk, name)
            if chunk.paths is not None:
                group["paths"][first:last] = chunk.paths
            told = {"reasons": {str(k): v for k, v in chunk.reasons.items()}, "seconds": seconds}
            self.write(f"{MARKS}/{number:08d}.json", json.dumps(told).encode())
        except OSError as error:
            raise StoreError(
                f"the store {self.place} cannot be written to ({error.strerror or error}); the chunks finished before are kept, and the "
                f"same call goes on with them."
            ) from error

    def load(self, task: Task, size: int) -> Chunk:
        """All members; those that are not finished have the status -1."""
        group = self._group("r")
        marks = self.marks()
        values, time, steps = (np.asarray(group[name][:]) for name in ("values", "time", "steps"))
        status = np.asarray(group["status"][:]).copy()
        finished = np.zeros(task.members.count, bool)
        reasons: dict[int, str] = {}
        for number, told in marks.items():
            finished[number * size : (number + 1) * size] = True
            reasons |= {number * size + int(k): why for k, why in told["reasons"].items()}
        status[~finished] = -1
        paths = np.asarray(group["paths"][:]) if task.keep.path is not None else None
        return Chunk(values, status, time, steps, paths, reasons)


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """What differs between two nested definitions, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        found: list[str] = []
        for name in sorted({*old, *new}):
            found += differences(old.get(name), new.get(name), f"{path}.{name}" if path else name)
        return found
    if old == new:
        return []
    return [f"{path}: {_short(old)} in the store, {_short(new)} now"]


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
