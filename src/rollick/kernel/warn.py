"""Warnings that point at the line of the user, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings

from .sources import PACKAGE

INSIDE = f"{PACKAGE}/"


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn as if the first caller outside the package had done so."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.replace("\\", "/").startswith(INSIDE):
        if frame.f_back is None:
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
