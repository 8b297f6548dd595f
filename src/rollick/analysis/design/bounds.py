"""Bounds of numbers that are fitted or chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, number
from ..sensitivity.inputs import Input


def bounds_of(inputs: Sequence[Input], given: Mapping[str, Any] | None, needed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds, infinite where none are given; the inputs must lie between them."""
    low, high = np.full(len(inputs), -np.inf), np.full(len(inputs), np.inf)
    labels = [one.label for one in inputs]
    for name, pair in (given or {}).items():
        label = f"{name}(0)" if name not in labels and f"{name}(0)" in labels else name
        k = labels.index(choose(label, labels, "name in bounds"))
        try:
            a, b = pair
        except (TypeError, ValueError):
            raise InputError(f"bounds of {name} are {pair!r}; give (low, high), None for none.") from None
        unit = inputs[k].unit
        low[k] = -np.inf if a is None else number(a, f"the lower bound of {name}", unit)
        high[k] = np.inf if b is None else number(b, f"the upper bound of {name}", unit)
        if not low[k] < high[k]:
            raise InputError(f"bounds of {name} are {low[k]:g} and {high[k]:g}; the lower one must be smaller.")
    for k, one in enumerate(inputs):
        if not low[k] <= one.value <= high[k]:
            raise InputError(
                f"{one.label} = {one.value:g} lies outside its bounds {low[k]:g} and {high[k]:g}; begin between them."
            )
        if needed and not (np.isfinite(low[k]) and np.isfinite(high[k])):
            raise InputError(
                f"{one.label} needs bounds, bounds={{{one.name!r}: (low, high)}}: an optimum may lie at infinity otherwise."
            )
    return low, high
