"""Files that appear whole or not at all, on disks that may be full, from processes that may be killed.

What is to be written is made in memory first, then written under a hidden name that holds the process id, and renamed when all of it is on
the disk. A process that is killed in between leaves that hidden file; the next one that writes into the same folder sweeps it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...kernel.names import InputError, file_of

LEFT_OVER = re.compile(r"\..*\.(\d+)\.[0-9a-f]{8}\.part(\.\w+)?")  # the hidden names, see `hidden_name`
OLD = 300.0  # seconds without a change after which a hidden file of a dead process is swept


NETCDF = (".nc", ".nc4", ".cdf")  # how the name of a netCDF file may end
SEAL = b"\nrollick sha256 "  # stands behind the netCDF file, where HDF5 does not look


class NotWritten(OSError):
    """A file that could not be written; the message says which, why, and what to do."""

    def __init__(self, target: Path, error: OSError):
        super().__init__(error.errno, error.strerror or str(error), str(target))
        advice = "Make room there, or choose another place. " if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else ""
        self.message = f"cannot write {target}: {error.strerror or error}. {advice}No half-written file is left."

    def __str__(self) -> str:
        return self.message


def hidden_name(target: Path) -> Path:
    """The name under which a file is written until it is whole."""
    return target.with_name(f".{target.stem}.{os.getpid()}.{secrets.token_hex(4)}.part{target.suffix}")


def alive(process: int) -> bool:
    """Whether there is a process of this number on this machine."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder: plain files of our own, hidden names of ours, old, of processes that are no more."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            found = LEFT_OVER.fullmatch(entry.name)
            if found is None:
                continue
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                own = stat.S_ISREG(about.st_mode) and (not hasattr(os, "getuid") or about.st_uid == os.getuid())
                if own and time.time() - about.st_mtime > OLD and not alive(int(found[1])):
                    os.unlink(entry.path)


def checked_target(path: Any) -> Path:
    """The file to write to; a folder, or a file in a folder that does not exist, is refused."""
    target = file_of(path)
    if target.is_dir():
        raise InputError(f"cannot write {target}: there is a folder of that name; name a file, e.g. {target / 'motion.nc'}.")
    if not target.parent.is_dir():
        raise InputError(f"cannot write {target}: the folder {target.parent} does not exist; create it first.")
    return target


@contextlib.contextmanager
def whole_file(path: Any, sweeps: bool = True) -> Iterator[str]:
    """A temporary path beside `path` that becomes it if all goes well, and vanishes if not. `sweeps`: also remove what killed processes left there."""
    target = checked_target(path)
    if sweeps:
        sweep(target.parent)
    hidden = hidden_name(target)
    try:
        yield str(hidden)
        os.replace(hidden, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(hidden)
        if isinstance(error, OSError):
            raise NotWritten(target, error) from None
        raise


def write_whole(path: Any, content: Any, sweeps: bool = True, named: bool = True) -> None:
    """Write bytes to a file, whole or not at all; they are on the disk when this returns and, if `named`, so is the file's name."""
    with whole_file(path, sweeps) as hidden:
        write_through(hidden, content)
    if named:
        sync_folder(Path(path).expanduser().parent)


def write_through(path: Any, content: Any) -> None:
    """Write bytes to a file, and to the disk."""
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def save_data(data: Any, path: Any) -> None:
    """Write an `xarray.Dataset` to a netCDF file, whole or not at all; a seal behind its end tells whether it was damaged since."""
    target = checked_target(path)
    if target.suffix.lower() not in NETCDF:
        raise InputError(
            f"cannot write {target}: a netCDF file ends in {' or '.join(NETCDF)}; write e.g. {target.with_suffix('.nc').name}."
        )
    # Made in memory: the HDF5 library takes all of Python down when a disk is full.
    content = bytes(data.to_netcdf(engine="h5netcdf"))
    write_whole(target, content + SEAL + hashlib.sha256(content).hexdigest().encode())
