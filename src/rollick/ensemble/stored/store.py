"""The results of an ensemble on disk: a Zarr group, one Zarr chunk for each chunk of members, and a mark for each chunk that is finished.

Whoever computed a chunk writes its arrays and then, when they are on the disk, its mark, which holds their checksums. What has no mark, or is not what its
mark says, is computed again. So a process can be killed at any moment, a disk can be full, and nothing that was damaged is believed. Several processes
may work on one store: each claims the chunk that it computes (`claims`).

`about.json` says what the store is a store of; it refuses anything else, and says what differs. All other files follow from it and from the chunks, so a
store is there when that file is: whole or not at all. Files of Zarr are written here, byte by byte as its specification (version 3) says, so that their
checksums are known; any program that knows Zarr reads them.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...kernel.strict_json import strict
from ...kernel.warn import warn_user
from ...version import __version__
from ..task import Chunk, Task
from .claims import claimed
from .store_files import Damaged, Files, StoreError, plain, sealed, sha256, unsealed

FORMAT = "rollick ensemble 2"
ABOUT, GROUP, MARKS, CLAIMS = "about.json", "zarr.json", "done", "claims"
KINDS = {"values": "<f8", "status": "<i2", "time": "<f8", "steps": "<i8", "paths": "<f8"}
FILLS: dict[str, Any] = {"values": math.nan, "status": -1, "time": math.nan, "steps": 0, "paths": math.nan}
PACKED = ("status", "time", "steps")  # by gzip; numbers of motions are too irregular to gain by it (3 %)
OWN_NAMES = {ABOUT, GROUP, MARKS, CLAIMS, *KINDS}
NAMED = 6  # damaged chunks, or differences, that are told one by one


class StoreWarning(UserWarning):
    """Something in a store was damaged, and is made again."""


class Store:
    """A folder (a path, or an address that fsspec knows) with the results of one ensemble. It can be pickled; workers write to it."""

    def __init__(self, place: Any):
        self.files = Files(place)
        self.place = self.files.place
        self.size = self.members = 0  # of a chunk; of all
        self.identity = ""  # the checksum of what is in about.json: marks tell whose they are
        self.shapes: dict[str, tuple[int, ...]] = {}  # of what a member has in each array

    # -- the store ------------------------------------------------------------------------------------------------------------

    def open(self, task: Task, definition: dict[str, Any], chunk: int | None, guess: Callable[[], int]) -> int:
        """Make the store, or go on with one of the same ensemble; the members of a chunk. `guess()` says how many they should be in a new one."""
        self.members = task.members.count
        self.shapes = {"values": (len(task.keep.labels),), "status": (), "time": (), "steps": ()}
        if task.keep.path is not None:
            self.shapes["paths"] = (task.keep.path.times().size, len(task.state_names()))
        now = {
            "format": FORMAT,
            "rollick": __version__,
            "members": self.members,
            "definition": json.loads(json.dumps(strict(definition))),
        }
        about = self._about(now)
        if about is None:
            self.files.make_folders([])
            size = chunk if chunk is not None else guess()
            self.files.create(ABOUT, sealed({**now, "chunk": size}))
            about = self._about(now)
            if about is None:
                raise StoreError(f"the store {self.place} cannot be made: its {ABOUT} is not there after it was written.")
        self._refuse_other(about, now)
        if chunk is not None and chunk != about["chunk"]:
            raise InputError(f"the store {self.place} has chunks of {about['chunk']} members, not {chunk}; leave chunk out.")
        self.size, self.identity = int(about["chunk"]), sha256(plain(about))
        self._complete(task)
        return self.size

    def _about(self, now: dict[str, Any]) -> dict[str, Any] | None:
        """What the store says it is; None if there is no store yet. If that was lost, finished chunks tell whether they are of this ensemble."""
        wrong = f"{ABOUT} is missing"
        try:
            content = self.files.read(ABOUT)
            if content is not None:
                return self._known(content)
        except Damaged as error:
            content, wrong = b"", str(error)
        if self.files.local and self.files.root.exists() and not self.files.root.is_dir():
            raise InputError(f"{self.place} exists and is no store of an ensemble; name another folder.")
        if set(self.files.names()) - OWN_NAMES:
            raise InputError(f"{self.place} exists and is no store of an ensemble; name another folder.")
        marks = list(self._sealed_marks())
        for mark in marks:
            about = {**now, "chunk": mark.get("chunk")}
            if content is None and self.files.read(ABOUT) is not None:
                return self._about(now)  # another process has made the store meanwhile
            if sha256(plain(about)) == mark.get("of"):
                warn_user(
                    f"the store {self.place} was damaged ({wrong}); it is written again, and the finished chunks are kept.",
                    StoreWarning,
                )
                self.files.write(ABOUT, sealed(about))
                return about
        if marks or content is not None:
            others = "its finished chunks are of another ensemble" if marks else "no finished chunk says what it was a store of"
            raise InputError(
                f"the store {self.place} is damaged ({wrong}), and {others}. Name another folder, or remove this one."
            )
        return None

    def _known(self, content: bytes) -> dict[str, Any]:
        with contextlib.suppress(ValueError):
            other = json.loads(content)
            if isinstance(other, dict) and str(other.get("format")).startswith("rollick") and other["format"] != FORMAT:
                raise InputError(
                    f"the store {self.place} is of another format ({other['format']}); name another folder."
                ) from None
        about = unsealed(content, ABOUT)
        if about.get("format") != FORMAT:
            raise Damaged(f"{ABOUT} is not what was written")
        return about

    def _sealed_marks(self) -> Iterator[dict[str, Any]]:
        for number in self.marked():
            with contextlib.suppress(Damaged):
                yield unsealed(self.files.read(_mark(number)) or b"", MARKS)

    def _refuse_other(self, about: dict[str, Any], now: dict[str, Any]) -> None:
        """Refuse to mix with the results of another ensemble, or of another version."""
        told = differences(about["definition"], now["definition"])
        if about["rollick"] != __version__:
            told.append(f"version of rollick: {about['rollick']} in the store, {__version__} now")
        if told:
            more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
            raise InputError(
                f"the store {self.place} holds another ensemble: {'; '.join(told[:NAMED])}{more}. Name another folder, or remove this one."
            )

    def _complete(self, task: Task) -> None:
        """Make what is missing besides chunks: folders, and what Zarr reads. Nothing is written where all is there."""
        arrays = {name: self._described(name, shape) for name, shape in self.shapes.items()}
        about = {"format": FORMAT, "labels": list(task.keep.labels), "states": task.state_names()}
        group = {"zarr_format": 3, "node_type": "group", "attributes": about,
                 "consolidated_metadata": {"kind": "inline", "must_understand": False, "metadata": arrays}}  # fmt: skip
        documents = {f"{name}/{GROUP}": told for name, told in arrays.items()} | {GROUP: group}
        self.files.make_folders([MARKS, *self.shapes])
        wrong = []
        for name, told in documents.items():
            content = json.dumps(told, indent=1).encode()
            try:
                known = self.files.read(name)
            except Damaged:
                known = b""
            if known != content:
                wrong += [name] if known is not None else []
                self.files.write(name, content)
        if wrong:
            warn_user(
                f"the store {self.place} was damaged ({', '.join(wrong)}); what tells Zarr about it is written again.",
                StoreWarning,
            )

    def _described(self, name: str, shape: tuple[int, ...]) -> dict[str, Any]:
        """What Zarr has to know of an array."""
        fill = FILLS[name]
        codecs: list[dict[str, Any]] = [{"name": "bytes", "configuration": {"endian": "little"}}]
        if name in PACKED:
            codecs.append({"name": "gzip", "configuration": {"level": 1}})
        return {
            "zarr_format": 3,
            "node_type": "array",
            "shape": [self.members, *shape],
            "data_type": {"<f8": "float64", "<i2": "int16", "<i8": "int64"}[KINDS[name]],
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [self.size, *shape]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
            "fill_value": "NaN" if fill != fill else fill,
            "codecs": codecs,
            "dimension_names": ["member", *{"values": ("label",), "paths": ("t", "state")}.get(name, ())],
            "attributes": {},
        }

    def is_gone(self) -> bool:
        """Whether somebody has removed the folder since."""
        return self.files.local and not self.files.root.is_dir()

    # -- chunks ---------------------------------------------------------------------------------------------------------------

    def marked(self) -> list[int]:
        """The numbers of the chunks that have a mark."""
        stems = [name.removesuffix(".json") for name in self.files.names(MARKS) if name.endswith(".json")]
        return sorted({int(stem) for stem in stems if stem.isdecimal()})

    @contextlib.contextmanager
    def claimed(self, number: int) -> Iterator[bool]:
        """Claim a chunk while it is computed; False if another process computes it. Where nothing can be claimed, always True."""
        if not self.files.local:
            yield True
            return
        with contextlib.ExitStack() as stack:
            try:
                free = stack.enter_context(claimed(self.files.root / CLAIMS, number))
            except FileNotFoundError:
                raise StoreError(f"the store {self.place} is gone: somebody removed it.") from None
            yield free

    def put(self, number: int, chunk: Chunk, seconds: float) -> None:
        """Write a finished chunk and then, when it is on the disk, its mark."""
        sums = {}
        for name, shape in self.shapes.items():
            content = _encoded(name, getattr(chunk, name), self.size)
            self.files.write(_part(name, number, shape), content, named=False)  # a name that is lost is told by the mark
            sums[name] = sha256(content)
        reasons = {str(k): why for k, why in chunk.reasons.items()}
        told = {"of": self.identity, "chunk": self.size, "number": number, "sums": sums, "reasons": reasons, "seconds": seconds}
        self.files.write(_mark(number), sealed(told))

    def get(self, number: int) -> Chunk | None:
        """A finished chunk; None if it is not finished. `Damaged` if it is not what was written."""
        content = self.files.read(_mark(number))
        if content is None:
            return None
        mark = unsealed(content, _mark(number))
        if mark.get("of") != self.identity or mark.get("number") != number:
            raise Damaged(f"{_mark(number)} is of another chunk")
        count = min(self.size, self.members - number * self.size)
        arrays: dict[str, Any] = {"paths": None}
        for name, shape in self.shapes.items():
            part = _part(name, number, shape)
            content = self.files.read(part)
            if content is None:
                raise Damaged(f"{part} is missing")
            if sha256(content) != mark["sums"][name]:
                raise Damaged(f"the checksum of {part} differs")
            arrays[name] = _decoded(name, content, (self.size, *shape))[:count]
        return Chunk(**arrays, reasons={int(k): why for k, why in mark["reasons"].items()})

    def restore(self, found: Chunk) -> list[int]:
        """Put what is finished into `found`; the numbers of the chunks that are not. Damaged ones are told, and are among those."""
        chunks = -(-self.members // self.size)
        marked, missing, wrong = set(self.marked()), [], {}
        for number in range(chunks):
            kept = None
            try:
                kept = self.get(number) if number in marked else None
            except Damaged as error:
                wrong[number] = str(error)
            if kept is None:
                missing.append(number)
            else:
                found.put(number * self.size, kept)
        if wrong:
            named = [
                f"members {k * self.size} to {min((k + 1) * self.size, self.members) - 1} ({why})" for k, why in wrong.items()
            ]
            more = f" and {len(named) - NAMED} chunks more" if len(named) > NAMED else ""
            warn_user(
                f"the store {self.place} was damaged: {', '.join(named[:NAMED])}{more}; these members are computed again.",
                StoreWarning,
            )
        return missing


def _mark(number: int) -> str:
    return f"{MARKS}/{number:08d}.json"


def _part(name: str, number: int, shape: tuple[int, ...]) -> str:
    return f"{name}/c.{number}" + ".0" * len(shape)


def _encoded(name: str, numbers: np.ndarray, size: int) -> bytes:
    """A chunk of an array as Zarr has it on disk: the last one, too, has all its members."""
    full = np.full((size, *numbers.shape[1:]), FILLS[name], KINDS[name])
    full[: len(numbers)] = numbers
    content = full.tobytes()
    return gzip.compress(content, 1, mtime=0) if name in PACKED else content


def _decoded(name: str, content: bytes, shape: tuple[int, ...]) -> np.ndarray:
    content = gzip.decompress(content) if name in PACKED else content
    return np.frombuffer(content, KINDS[name]).reshape(shape)


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
