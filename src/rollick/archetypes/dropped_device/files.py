"""What the files of drops hold, without trusting them: numbers are checked, and nothing is looked up or called by what a file says."""

from __future__ import annotations

from typing import Any

import numpy as np


def named(drop: Any, data: Any) -> Any:
    """A result that knows its model again."""
    return drop.of_model(str(data.attrs["model"])) if "model" in data.attrs else drop


def numbers(said: Any, size: int) -> np.ndarray:
    """So many numbers."""
    found = np.array(said, float)
    if found.shape != (size,):
        raise ValueError(f"{size} numbers are expected, not {found.shape}")
    return found


def finite(said: Any, size: int) -> np.ndarray:
    """So many finite numbers, whatever their arrangement."""
    found = np.array(said, float)
    if found.size != size or not np.all(np.isfinite(found)):
        raise ValueError(f"{size} finite numbers are expected")
    return found


def columns(data: Any, prefix: str, names: tuple[str, ...]) -> np.ndarray:
    """A log, column by column."""
    found = np.stack([np.array(data[prefix + name].values, float) for name in names], axis=1)
    if found.ndim != 2:
        raise ValueError(f"the log has the shape {found.shape}")
    return np.ascontiguousarray(found)
