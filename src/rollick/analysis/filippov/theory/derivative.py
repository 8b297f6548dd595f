"""Derivatives of a user's plain Python functions, each with an estimate of its error.

d/ds f(x + s v) at s = 0 by the complex step where f takes complex numbers (exact to rounding), checked against a central difference, since
`abs`, `float` or a real array inside f would drop the imaginary part without a word; otherwise by central differences, extrapolated
(Ridders): the differences for h, h/2, h/4, ... are a polynomial in h^2, and the change of the best entry of its table is the error.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....kernel.names import InputError

STEP = 1e-100
LEVELS = 9


class Derivative(NamedTuple):
    """A derivative, the estimate of its error, and how it was found (`complex step` or `differences`)."""

    value: np.ndarray
    error: float
    route: str


def extrapolated(values: Sequence[np.ndarray], order: int, ratio: float = 2.0) -> tuple[np.ndarray, float]:
    """The limit h -> 0 of values for h, h/ratio, h/ratio^2, ..., a series in h^order; and its error.

    Neville's table; the entry whose two parents differ least is taken, the larger of the differences to them is its error.
    """
    rows = [[np.asarray(values[0], float)]]
    best, error = rows[0][0], np.inf
    for i in range(1, len(values)):
        row = [np.asarray(values[i], float)]
        for j in range(1, i + 1):
            factor = ratio ** (order * j)
            row.append(row[j - 1] + (row[j - 1] - rows[i - 1][j - 1]) / (factor - 1.0))
            change = max(_largest(row[j] - row[j - 1]), _largest(row[j] - rows[i - 1][j - 1]))
            if change < error:
                best, error = row[j], change
        rows.append(row)
    return best, float(error)


def _largest(values: np.ndarray) -> float:
    size = np.abs(values).max() if np.size(values) else 0.0
    return float(size) if np.isfinite(size) else np.inf


def along(f: Callable[[np.ndarray], Any], x: np.ndarray, direction: np.ndarray) -> Derivative:
    """The derivative of f at x along a direction; f may return a number or an array."""
    if np.iscomplexobj(x):
        raise TypeError("a derivative within a complex step")  # the outer derivative then takes differences
    x, direction = np.asarray(x, float), np.asarray(direction, float)
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        return Derivative(np.zeros_like(np.asarray(f(x), float)), 0.0, "complex step")
    unit = direction / length
    size = 1.0 + float(np.linalg.norm(x))
    by_step = _complex_step(f, x, unit)
    if by_step is not None:
        h = 6e-6 * size
        ahead, behind = np.asarray(f(x + h * unit), float), np.asarray(f(x - h * unit), float)
        difference = (ahead - behind) / (2.0 * h)
        allowed = 1e-5 * max(_largest(difference), _largest(by_step)) + 1e-9 * max(_largest(ahead), _largest(behind)) / size
        if _largest(difference - by_step) <= allowed:
            return Derivative(by_step * length, 1e-15 * _largest(by_step) * length, "complex step")
    differences = []
    for k in range(LEVELS):
        h = 0.02 * size / 2.0**k
        differences.append((np.asarray(f(x + h * unit), float) - np.asarray(f(x - h * unit), float)) / (2.0 * h))
    value, error = extrapolated(differences, 2)
    if not np.isfinite(error):
        raise InputError(f"{_named(f)} has no finite derivative at x = {x.tolist()}: a smooth function is needed there.")
    return Derivative(value * length, error * length, "differences")


def _complex_step(f: Callable, x: np.ndarray, unit: np.ndarray) -> np.ndarray | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = np.asarray(f(x + 1j * STEP * unit))
        except Exception:
            return None
    if value.dtype == object or not np.iscomplexobj(value) or not np.all(np.isfinite(value)):
        return None
    return value.imag / STEP


def jacobian_of(f: Callable[[np.ndarray], Any], x: np.ndarray) -> tuple[np.ndarray, float]:
    """The matrix of derivatives df_i/dx_j and the largest estimate of error in it."""
    columns = [along(f, x, axis) for axis in np.eye(np.size(x))]
    return np.stack([np.atleast_1d(c.value) for c in columns], axis=-1), max(c.error for c in columns)


def gradient_of(f: Callable[[np.ndarray], Any], x: np.ndarray, given: Callable | None = None) -> np.ndarray:
    """The gradient of a scalar function: as given, else by `along`."""
    if given is not None:
        gradient = np.asarray(given(x))
        if gradient.shape != np.shape(x):
            raise InputError(f"a gradient has one entry per state, {np.size(x)}; {_named(given)} gave shape {gradient.shape}.")
        return gradient
    gradient = jacobian_of(f, np.asarray(x))[0]
    if gradient.shape[0] != 1:
        raise InputError(f"{_named(f)} must return one number; it returned {gradient.shape[0]}.")
    return gradient[0]


def _named(f: Any) -> str:
    return getattr(f, "__name__", type(f).__name__)
