"""Surfaces as plain numbers: what was given as a text with a unit, "45deg" or "30cm", in SI and radians."""

from __future__ import annotations

from typing import Any

from ...kernel.names import called, number
from .moving import Shaken, Tilting

UNITS = {
    "tilt": "rad", "heading": "rad", "half_angle": "rad", "phase": "rad", "frequency": "Hz",
    "radius": "m", "bottom": "m", "top": "m", "centre": "m", "apex": "m", "point": "m", "about": "m",
    "facing": "", "axis": "", "along": "",
}  # fmt: skip
COURSES = {Shaken: "m", Tilting: "rad"}  # what a course tells
OF_COURSES = {"amplitude": "{}", "middle": "{}", "start": "{}", "rate": "{}/s"}


def in_numbers(surface: Any, told: str = "") -> Any:
    """A surface, or a course that tells something in the unit `told`, with its numbers as numbers; fields of other names are left as they are."""
    units = UNITS | ({name: unit.format(told) for name, unit in OF_COURSES.items()} if told else {})
    made: dict[str, Any] = {}
    for name, value in zip(surface._fields, surface):
        what = f"{name} of {called(surface)}"
        if hasattr(value, "_fields"):
            made[name] = in_numbers(value, COURSES.get(type(surface), "") if name == "course" else "")
        elif name in units and isinstance(value, (list, tuple)):
            made[name] = tuple(number(v, what, units[name], turns=True) for v in value)
        elif name in units:
            made[name] = number(value, what, units[name], turns=True)
    return surface._replace(**made)
