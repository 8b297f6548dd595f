"""Temporary files that killed processes left behind: named so that the next run knows them, and sweeps them."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
from pathlib import Path

OLD = 3600.0  # seconds after which a temporary file of another machine, or of a process of the same number, is nobody's any more


def temporary_prefix(target: Path) -> str:
    """How the name of a temporary file for `target` begins: hidden, with the machine and the process that writes it."""
    return f".{target.stem}.{_machine()}-{os.getpid()}-"


def _machine() -> str:
    return re.sub(r"[^A-Za-z0-9]", "", socket.gethostname())[:20] or "here"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sweep(target: Path) -> int:
    """Remove temporary files for `target` whose writers are gone: killed on this machine, or silent for an hour elsewhere; how many."""
    pattern = re.compile(re.escape(f".{target.stem}.") + r"(?:([A-Za-z0-9]+)-(\d+)-)?[A-Za-z0-9_]{8}" + re.escape(target.suffix))
    swept = 0
    for path in target.parent.glob(f".{_escaped(target.stem)}.*{_escaped(target.suffix)}"):
        parts = pattern.fullmatch(path.name)
        if parts is None:
            continue
        with contextlib.suppress(OSError):
            here = parts[1] == _machine()
            gone = here and not _alive(int(parts[2]))
            if gone or (time.time() - path.stat().st_mtime > OLD and not (here and int(parts[2]) == os.getpid())):
                path.unlink()
                swept += 1
    return swept


def _escaped(text: str) -> str:
    """A text in which no letter is special to `glob`."""
    return re.sub(r"([*?[])", r"[\1]", text)
