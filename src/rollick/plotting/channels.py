"""The channels of any result over time: by name, with units, at any instant.

A `Motion` is known between its steps (`smooth`); any other result that has `series` is joined by straight lines.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..motion.result.again import known_at
from .series import units_of
from .smooth import curve_times, stiff, values_at

BETTER = 8.0  # by how much all steps are better than every second one, at least (2^6 for short steps)


class Channels:
    """What a result has over time."""

    def __init__(self, result: Any):
        self.result = result
        self.is_motion = hasattr(result, "about") and hasattr(result, "has_dense")
        if self.is_motion:
            self.t = np.asarray(result.t, float)
            self.names = [n for n in result.names if n != "t"]
        else:
            t, states, derived = result.series()
            self.t = np.asarray(t, float)
            self._values = {n: np.asarray(v, float) for n, v in {**states, **derived}.items() if np.shape(v) == self.t.shape}
            self.names = list(self._values)
        if self.t.size < 2 or not self.names:
            raise InputError(f"{result.title} has no quantities over time that could be compared.")

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of each channel."""
        if self.is_motion:
            return units_of(self.result)
        data = self.result.data
        found = {n: str(data[n].attrs.get("units", "")).replace("1", "", 1) if n in data else "" for n in self.names}
        return found | {"t": str(data["t"].attrs.get("units", "s")) if "t" in data else "s"}

    @property
    def begin(self) -> float:
        """The earliest instant."""
        return float(min(self.t[0], self.t[-1]))

    @property
    def end(self) -> float:
        """The latest instant."""
        return float(max(self.t[0], self.t[-1]))

    @property
    def times(self) -> np.ndarray:
        """The instants at which it is worth drawing."""
        return np.asarray(curve_times(self.result) if self.is_motion else self.t)

    @cached_property
    def exact(self) -> bool:
        """Whether what lies between the steps is known."""
        return bool(self.is_motion and known_at(self.result, 0.5 * (self.t[1:] + self.t[:-1])) is not None)

    def values(self, name: str) -> np.ndarray:
        """A channel at its own instants."""
        return np.asarray(self.result[name] if self.is_motion else self._values[name], float)

    def at(self, name: str, times: np.ndarray) -> np.ndarray:
        """A channel at any instants inside."""
        if not self.is_motion:
            return np.interp(times, self.t, self.values(name))
        return values_at(self.result, [name], times)[name]

    def uncertainty(self, name: str) -> float:
        """How far values between the steps may be off: what leaving out every second step changes, and how much better all of them are."""
        if self.exact or not self.is_motion or self.t.size < 16:
            return 0.0
        keep = np.unique(np.append(np.arange(0, self.t.size, 2), self.t.size - 1))
        out = np.setdiff1d(np.arange(self.t.size), keep)
        off = np.abs(values_at(self.result, [name], self.t[out], keep)[name] - self.values(name)[out])
        return float(np.max(off)) / (4.0 if stiff(self.result) else BETTER)
