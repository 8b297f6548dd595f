"""What goes wrong in equations of somebody else's, as a sentence that names what to look at: they do not compile (pages of Numba's own words), or raise an exception."""

from __future__ import annotations

import contextlib
import inspect
import re
import traceback
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from .contents import implementers
from .names import InputError, called
from .sources import PACKAGE, is_foreign


@contextlib.contextmanager
def explained(system: Any) -> Iterator[None]:
    """Within this context a system that does not compile, and that somebody else defined a part of, is an `InputError`."""
    try:
        yield
    except NumbaError as error:
        written = foreign_functions(system)
        if not written:
            raise
        reason = innermost(str(error))
        hint = (
            " Derivatives are taken with complex numbers: compare real(x), and round, sort or count nothing else."
            if "complex" in reason
            else ""
        )
        raise InputError(
            f"what is registered for {called(system)} cannot be compiled: {reason}.{hint} Look at the arguments and at what is returned "
            f"in {', '.join(written)}; it can use arithmetic, `if`, tuples and the functions of rollick.kernel or math."
        ) from error


def foreign_functions(system: Any) -> list[str]:
    """The functions that somebody else registered for the types a system is made of, each as "`rate` of Bead (bead.py, line 18)"."""
    found = []
    for (title, classes), function in implementers.get(type(system), {}).items():
        if is_foreign(function.__module__):
            code = inspect.unwrap(getattr(function, "py_func", function)).__code__
            names = ", ".join(called(c) for c in classes)
            found.append(f"`{title.rpartition('.')[2]}` of {names} ({Path(code.co_filename).name}, line {code.co_firstlineno})")
    for part in system if isinstance(system, tuple) else ():
        found += foreign_functions(part)
    return list(dict.fromkeys(found))


def innermost(message: str) -> str:
    """The reason at the bottom of Numba's nested message, and the line of code it speaks of."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", message).splitlines()]  # without colours
    heads = [i for i, line in enumerate(lines) if "mode pipeline (step:" in line]
    rest = [line for line in lines[heads[-1] + 1 if heads else 0 :] if line]
    reason = rest[0] if rest else "no reason is given"
    if "found for signature" in reason:
        asked = next((line[4:] for line in rest if line.startswith(">>> ")), "")
        reason = f"there is no {asked}"
    files = [(i, found) for i, line in enumerate(rest) if (found := re.match(r'File "(.*)", line (\d+)', line))]
    if files:
        first, found = files[0]
        shown = rest[first : files[1][0] if len(files) > 1 else None]  # its callers stand below it
        line = next((line for line, mark in pairwise(shown) if mark == "^"), None)
        if line is not None:  # the source is known
            return f"{reason.rstrip('.')}, at `{line}` ({Path(found[1]).name}, line {found[2]})"
    return reason.rstrip(".")


def raised_inside(error: BaseException) -> str | None:
    """What a system's own code raised while it ran, as "ValueError: out of range (model.py, line 12)"; None for anything else.

    Anything else is an error of compilation, a mistake of input, Ctrl-C, or a lack of memory: those are not part of a motion.
    """
    if not isinstance(error, Exception) or isinstance(error, (NumbaError, InputError, MemoryError)):
        return None
    said = str(error).strip().partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    if frames and not Path(frames[-1].filename).is_relative_to(PACKAGE):  # Numba leads to the line, as Python does
        place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"
