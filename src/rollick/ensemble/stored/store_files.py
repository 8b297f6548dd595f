"""The files of a store, in a folder or at an address that fsspec knows: read, written whole, and sealed with a checksum of their own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ...kernel.names import InputError
from ...motion.result.whole_file import (
    LEFT_OVER,
    NotWritten,
    checked_target,
    hidden_name,
    sweep,
    sync_folder,
    write_through,
    write_whole,
)


class StoreError(OSError):
    """A store that cannot be written to or read from; the message is a sentence, and what is in the store stays as it is."""


class Damaged(Exception):
    """A file of a store that is not what was written; the message says which, and what is wrong with it."""


def sha256(content: bytes) -> str:
    """The checksum of bytes."""
    return hashlib.sha256(content).hexdigest()


def plain(value: Any) -> bytes:
    """A value as JSON text, the same text for the same value."""
    return json.dumps(value, sort_keys=True).encode()


def sealed(told: dict[str, Any]) -> bytes:
    """A JSON object with the checksum of all else in it."""
    return json.dumps({**told, "sha256": sha256(plain(told))}, indent=1).encode()


def unsealed(content: bytes, name: str) -> dict[str, Any]:
    """The object in a sealed JSON text, without its checksum; `Damaged` if that does not hold."""
    try:
        told = json.loads(content)
        seal = told.pop("sha256")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Damaged(f"{name} is not what was written") from None
    if seal != sha256(plain(told)):
        raise Damaged(f"the checksum of {name} differs")
    return told


class Files:
    """The files of a store by their names. It can be pickled, also for processes that are elsewhere."""

    def __init__(self, place: Any):
        self.place = str(place).removeprefix("file://")
        self.local = "://" not in self.place
        self.root = Path(self.place).expanduser().absolute() if self.local else Path()

    def _remote(self) -> tuple[Any, str]:
        try:
            import fsspec

            return fsspec.core.url_to_fs(self.place)
        except ImportError as error:
            raise InputError(f"the store {self.place} needs a package more ({error}): pip install 'rollick[cluster]'.") from None
        except ValueError as error:
            raise InputError(f"the store {self.place} is at no address that fsspec knows ({error}).") from None

    def _unreadable(self, error: Exception) -> StoreError:
        return StoreError(f"the store {self.place} cannot be read: {getattr(error, 'strerror', None) or error}.")

    def unwritable(self, error: Exception) -> StoreError:
        """What is raised when something could not be written."""
        why = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
        return StoreError(
            f"the store {self.place} cannot be written to ({why}); the chunks finished before are kept, and the same call goes on with them."
        )

    def read(self, name: str) -> bytes | None:
        """The contents of a file; None if there is none. `Damaged` if it cannot be read."""
        try:
            if self.local:
                return (self.root / name).read_bytes()
            fs, root = self._remote()
            return bytes(fs.cat_file(f"{root}/{name}"))
        except FileNotFoundError:
            return None
        except OSError as error:
            if self.local:
                raise Damaged(f"{name} cannot be read: {error.strerror or error}") from None
            raise self._unreadable(error) from error

    def write(self, name: str, content: bytes, named: bool = True) -> None:
        """Write a file, whole or not at all; it is on the disk when this returns and, if `named`, so is its name."""
        try:
            if self.local:
                with contextlib.suppress(OSError):
                    (self.root / name).rmdir()  # an empty folder in its place is a damage, too
                write_whole(self.root / name, content, sweeps=False, named=named)
            else:
                fs, root = self._remote()
                fs.pipe_file(f"{root}/{name}", content)
        except (OSError, InputError) as error:
            raise self.unwritable(error) from error

    def create(self, name: str, content: bytes) -> None:
        """Write a file if there is none of its name, whole or not at all. If another process is quicker, its file stays."""
        try:
            if not self.local:
                fs, root = self._remote()
                if not fs.exists(f"{root}/{name}"):
                    fs.pipe_file(f"{root}/{name}", content)
                return
            target = checked_target(self.root / name)
            hidden = hidden_name(target)
            try:
                write_through(hidden, content)
                try:
                    os.link(hidden, target)
                except FileExistsError:
                    return
                except (OSError, AttributeError):  # a file system without links
                    if not target.exists():
                        os.replace(hidden, target)
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(hidden)
            sync_folder(target.parent)
        except (OSError, InputError) as error:
            raise self.unwritable(error) from error

    def make_folders(self, names: list[str]) -> None:
        """Make the folder of the store and some in it; remove what killed processes left there."""
        if not self.local:
            fs, root = self._remote()
            for name in ("", *names):
                with contextlib.suppress(Exception):  # an object store has no folders
                    fs.makedirs(f"{root}/{name}".rstrip("/"), exist_ok=True)
            return
        try:
            for folder in (self.root, *(self.root / name for name in names)):
                folder.mkdir(parents=True, exist_ok=True)
                sweep(folder)
        except OSError as error:
            told = NotWritten(Path(error.filename or self.root), error)
            raise StoreError(
                f"the store {self.place} cannot be made: {str(told).removesuffix(' No half-written file is left.')}"
            ) from error

    def names(self, folder: str = "") -> list[str]:
        """The names in a folder of the store, without the hidden ones of files that are not whole; none if there is no such folder."""
        try:
            if self.local:
                found = os.listdir(self.root / folder)
            else:
                fs, root = self._remote()
                found = [str(path).rstrip("/").rpartition("/")[2] for path in fs.ls(f"{root}/{folder}".rstrip("/"), detail=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise self._unreadable(error) from error
        return [name for name in found if not LEFT_OVER.fullmatch(name)]
