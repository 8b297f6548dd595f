"""Whether a netCDF file may be shown to the HDF5 library, which in a damaged file may crash, or loop for ever.

A file that Rollick wrote has a seal behind its end, the checksum of all before (`whole_file`): what is not what was sealed is refused unread. A
file without a seal, another program's or an older one, is looked at twice: it must be as long as its own superblock says, and a second
process must have read all of it within limits of time and memory. So whatever such a file does to the library, it does not do it here.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ...kernel.names import InputError, file_of
from .whole_file import SEAL

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SECONDS = 60.0  # for the second process, and
SECONDS_PER_BYTE = 1e-7
MEMORY = 4 << 30  # bytes of address space for the second process, and
MEMORY_PER_BYTE = 20
SMALL = 64 << 20  # bytes that any file may ask for, and
MOST_PER_BYTE = 1032  # as many for each byte of the file: what deflate saves at most
REFUSED = 3  # its exit code when the libraries raise; the reason is what it printed

# The second process: the same calls as in `load`.
READS_ALL = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
import xarray
try:
    with xarray.open_dataset(sys.argv[1], engine="h5netcdf", decode_times=False) as opened:
        opened.load()
except BaseException as error:
    print(type(error).__name__ + ": " + " ".join(str(error).split())[:200])
    sys.exit(3)
"""


def load(path: Any) -> Any:
    """The data set in a netCDF file, all of it; `InputError` in a sentence for what is none, or damaged."""
    import xarray as xr

    file = file_of(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}.")
    wrong = complaint(file)
    if wrong:
        raise InputError(f"{file} {wrong}")
    try:
        with xr.open_dataset(file, engine="h5netcdf", decode_times=False) as opened:
            check_size(opened, file)
            return opened.load()
    except InputError:
        raise
    except Exception as error:  # the libraries answer a damaged file with nearly any exception
        raise InputError(f"{file} is not a netCDF file, or is damaged ({type(error).__name__}: {error}).") from None


def check_size(data: Any, file: Path) -> None:
    """Refuse a data set that would fill the memory with what its file cannot hold: an array that was never written is as large as it says."""
    told, size = sum(int(v.nbytes) for v in data.variables.values()), file.stat().st_size
    if told > max(SMALL, MOST_PER_BYTE * size):
        raise InputError(
            f"{file} says that it holds {told / 2**30:.3g} GiB, which {size} bytes cannot: compression saves at most a factor of "
            f"{MOST_PER_BYTE}. It is damaged, or made to fill the memory; take another copy of it."
        )


def complaint(file: Path) -> str:
    """Why a file must not be read; nothing if it may."""
    try:
        sound = seal_holds(file)
        if sound is None:
            return shortage(file) or trial(file)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}."
    return "" if sound else "is damaged: it is not what was written (its checksum differs); take another copy of it."


def seal_holds(file: Path) -> bool | None:
    """Whether a file is what was sealed; None for a file without a seal."""
    size = file.stat().st_size - len(SEAL) - 64
    if size < 0:
        return None
    with open(file, "rb") as opened:
        opened.seek(size)
        mark, sealed = opened.read(len(SEAL)), opened.read()
        if mark != SEAL:
            return None
        opened.seek(0)
        found, left = hashlib.sha256(), size
        while left > 0 and (piece := opened.read(min(left, 1 << 20))):
            found.update(piece)
            left -= len(piece)
    return found.hexdigest().encode() == sealed


def shortage(file: Path) -> str:
    """What the superblock of an HDF5 file says against it: that there is none, or that the file is shorter than it was."""
    size = file.stat().st_size
    with open(file, "rb") as opened:
        start = 0
        while True:  # the signature stands at 0, 512, 1024, 2048, ...
            opened.seek(start)
            head = opened.read(96)
            if head.startswith(SIGNATURE):
                break
            start = max(512, 2 * start)
            if start >= size:
                return "is not a netCDF file, or is damaged (it has no HDF5 signature)."
    end = stated_end(head)
    if end is None:
        return "is damaged, or newer than this program: its HDF5 superblock makes no sense."
    if end > size:
        return f"is damaged: it ends after {size} bytes, but says that it has {end}; take another copy of it."
    return ""


def stated_end(head: bytes) -> int | None:
    """The address at which an HDF5 file ends, by its superblock; None if that makes no sense."""
    if len(head) < 12:
        return None
    version = head[8]
    if version > 3:
        return None
    width, place = (head[9], 12) if version >= 2 else (head[13] if len(head) > 13 else 0, 24 if version == 0 else 28)
    if width not in (2, 4, 8) or len(head) < place + 3 * width:
        return None  # base address, extension or free space, end of the file
    base, end = (int.from_bytes(head[place + k * width : place + (k + 1) * width], "little") for k in (0, 2))
    return end if base <= end else None


def trial(file: Path) -> str:
    """What happens to a second process that reads all of a file, if anything does."""
    if not sys.executable:  # inside another program there is no second process to be had
        return ""
    size = file.stat().st_size
    limit = SECONDS + SECONDS_PER_BYTE * size
    command = [sys.executable, "-P", "-c", READS_ALL, str(file.resolve()), str(MEMORY + MEMORY_PER_BYTE * size)]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=surroundings, check=False)
    except subprocess.TimeoutExpired:
        return f"is damaged: reading it does not end (it was stopped after {limit:.0f} s); take another copy of it."
    if done.returncode == REFUSED:
        return f"is not a netCDF file, or is damaged ({done.stdout.strip() or 'no reason given'})."
    if done.returncode != 0:
        return "is damaged: reading it brings the HDF5 library down (tried in a second process); take another copy of it."
    return ""
