"""What is checked about states and fields that a person gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....kernel.names import InputError

Field = Callable[[np.ndarray], Any]


def state(x: Any, what: str = "a state") -> np.ndarray:
    """The state as a new array of finite floats (complex ones are kept: a derivative is being taken)."""
    if np.iscomplexobj(x):
        return np.asarray(x)
    try:
        array = np.array(x, float)
    except (TypeError, ValueError):
        raise InputError(f"{what} is a list of numbers, not {x!r}.") from None
    if array.ndim != 1 or array.size == 0 or not np.all(np.isfinite(array)):
        raise InputError(f"{what} is a list of finite numbers, not {array.tolist()}.")
    return array


def evaluated(field: Field, x: np.ndarray, what: str) -> np.ndarray:
    """A field at a state: one finite number per state, or an error that names the field and the state."""
    value = np.asarray(field(x))
    if value.dtype == object or value.shape != x.shape:
        raise InputError(f"{what} must return {x.size} numbers, one per state; it returned {value!r} at x = {x.tolist()}.")
    if not np.all(np.isfinite(value)):
        raise InputError(f"{what} is not finite at x = {x.tolist()}: {value.tolist()}.")
    return value


def callable_or_refused(value: Any, what: str, optional: bool = False) -> None:
    """Refuse what is not a function."""
    if callable(value) or (optional and value is None):
        return
    raise InputError(f"{what} must be a function{' or None' if optional else ''}, not {value!r}.")


def positive(value: Any, what: str) -> None:
    """Refuse what is not a finite positive number."""
    if not (isinstance(value, (int, float)) and 0.0 < value < np.inf):
        raise InputError(f"{what} must be a positive number, not {value!r}.")
