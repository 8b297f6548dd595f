"""An exception inside a system's functions: told apart from code that does not compile, and put into a sentence."""

from __future__ import annotations

import traceback
from pathlib import Path

from numba.core.errors import NumbaError

from .names import InputError
from .sources import PACKAGE


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
