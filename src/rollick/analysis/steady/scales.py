"""Typical sizes of unknowns and parameter, in which arclength is measured, where none are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, number


def scales_given(scales: Any, names: tuple[str, ...]) -> dict[str, float]:
    """Scales by name, checked."""
    if scales is None:
        return {}
    if not isinstance(scales, Mapping):
        raise InputError(f"scales = {scales!r} must be sizes by name, of {', '.join(names)}.")
    found = {choose(name, names, "name among scales"): number(value, f"the scale of {name}") for name, value in scales.items()}
    for name, value in found.items():
        if not value > 0.0:
            raise InputError(f"the scale {value!r} of {name} must be above zero.")
    return found


def natural_scales(problem: Any, z: np.ndarray, bounds: tuple[float, float], given: Mapping[str, float]) -> np.ndarray:
    """Of the parameter: the width of its bounds, or its size. Of an unknown: its size, or by how much it would change over that, if this is more.

    What is zero and does not change has the size one.
    """
    width = bounds[1] - bounds[0]
    of_parameter = width if np.isfinite(width) else (abs(z[-1]) if abs(z[-1]) > 1e-9 else 1.0)
    J = np.asarray(problem.jacobian(z))
    step, *_ = np.linalg.lstsq(J[:, :-1], -J[:, -1] * of_parameter, rcond=1e-6)
    sizes = np.maximum(np.abs(z[:-1]), np.minimum(np.abs(step), 10.0 * (np.abs(z[:-1]) + 1.0)))
    found = np.append(np.where(sizes > 1e-9, sizes, 1.0), of_parameter)
    names = (*problem.names, problem.parameter)
    for name, value in given.items():
        found[names.index(name)] = value
    return found
