"""Ranges for sliders: from the bounds of a parameter, or from its default; a value that is typed may lie outside."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..archetypes.models import Parameter

# half-widths of ranges about zero, by unit
ABOUT_ZERO = {
    "rad": math.radians(45.0), "rad/s": 10.0, "m": 0.1, "m/s": 1.0, "m/s^2": 5.0, "N m s": 2e-4, "1/s": 5.0, "s": 10.0, "Hz": 5.0, "m^3/s": 0.01,
    "1/m^2": 500.0, "1/m": 10.0, "": 1.0, "N m": 0.01, "kg m^2": 1e-3,
}  # fmt: skip
# what a default cannot tell
RANGES = {
    ("body", "mass"): (0.05, 5.0), ("polygon", "n"): (3.0, 24.0), ("dying_disk", "n"): (3.0, 60.0), ("rod", "max_impacts"): (1.0, 1000.0),
    ("polygon", "max_impacts"): (1.0, 1000.0), ("dying_disk", "max_impacts"): (1.0, 20000.0), ("drop", "eps"): (1e-12, 1e-3),
    ("drop", "r"): (-1.0, 1.0), ("filippov_toy", "sign"): (-1.0, 1.0), ("rattleback", "h"): (-0.01, 0.018), ("rattleback", "sigma"): (0.0, 3e-4),
    ("rattleback", "D"): (-6e-5, 6e-5), ("routh_sphere", "s"): (-0.08, 0.08), ("wheelset", "v"): (10.0, 120.0),
}  # fmt: skip
WHOLE = ("n", "max_impacts")
SHOWN_IN = {"rad": ("deg", math.degrees(1.0)), "rad/s": ("rad/s", 1.0)}
STEPS = 200


@dataclass(frozen=True)
class Slider:
    """A range in SI, its step, and how values are shown: `factor` times the value, in `unit`."""

    low: float
    high: float
    step: float
    unit: str
    factor: float = 1.0

    def shown(self, value: float) -> str:
        """A value as people read it, in a short field."""
        text = f"{value * self.factor:.5g}"
        return text if len(text) <= 9 else f"{value * self.factor:.4g}"

    @property
    def places(self) -> int:
        """How many steps there are: the page's slider counts them, for it knows no numbers such as 6e-7."""
        return max(round((self.high - self.low) / self.step), 1)

    def place(self, value: float) -> int:
        """The nearest step of a value."""
        return min(max(round((value - self.low) / self.step), 0), self.places)

    def value(self, place: float) -> float:
        """The value of a step, of six digits."""
        return float(f"{self.low + min(max(place, 0), self.places) * self.step:.6g}")


def rounded(value: float, up: bool) -> float:
    """A number of one or two digits near a value, outwards."""
    if value == 0.0:
        return 0.0
    scale = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return (math.ceil if up else math.floor)(round(value / scale, 6)) * scale


def span(default: float, low: float | None, high: float | None, unit: str) -> tuple[float, float]:
    """A range about a default, within bounds."""
    if default == 0.0:
        width = ABOUT_ZERO.get(unit, 1.0)
        first, last = 0.0 if unit == "N m s" else -width, width
    else:
        first, last = sorted((0.2 * default, 3.0 * default))
    if low is not None:
        first = max(first, low) if default != 0.0 else low
    if high is not None:
        last = min(last, high)
    return rounded(first, up=False) if first > 0 else first, last if high is not None and last == high else rounded(last, up=True)


def slider_of(system: str, name: str, parameter: Parameter) -> Slider | None:
    """The slider of a parameter; None for one that is chosen by a word."""
    if isinstance(parameter.default, str) or parameter.allowed:
        return None
    low, high = RANGES.get((system, name)) or span(parameter.default, parameter.low, parameter.high, parameter.unit)
    step = 1.0 if name in WHOLE else (high - low) / STEPS
    if (system, name) == ("filippov_toy", "sign"):
        step = 2.0
    unit, factor = SHOWN_IN.get(parameter.unit, (parameter.unit, 1.0))
    return Slider(low, high, step, unit, factor)


def slider_of_start(name: str, default: float, unit: str) -> Slider:
    """The slider of a number of the start: as far to one side as to the other."""
    width = max(2.0 * abs(default), ABOUT_ZERO.get(unit, 1.0) if default == 0.0 or unit != "rad" else math.radians(5.0))
    width = math.pi if unit == "rad" and width > 2.0 else width
    shown, factor = SHOWN_IN.get(unit, (unit, 1.0))
    return Slider(-width, width, 2.0 * width / STEPS, shown, factor)
