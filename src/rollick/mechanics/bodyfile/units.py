"""Numbers with units as people write them in a file: "30cm", "2.7 g/cm^3", "1.6e-3 kg m^2", "9.81 m/s^2"; a bare number is in SI and radians.

Units are those of `kernel.units`; the dimension must be that of the quantity.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ...kernel.names import InputError
from ...kernel.units import UNITS, number, parsed

NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")


def quantity(given: Any, what: str, unit: str | None = "") -> float:
    """A finite float in SI and radians from a number or a text with a unit of the same dimension as `unit` (None: any)."""
    if isinstance(given, str):
        found = NUMBER.fullmatch(given)
        if found is None:
            raise InputError(f"{what} = {given!r} is not a number; write e.g. {example(unit)}.")
        read = parsed(found[2])
        if read is None:
            raise InputError(
                f"{what} = {given!r}: {found[2]!r} is not a unit; write e.g. {example(unit)}. Units: {', '.join(UNITS)}."
            )
        factor, dimension = read
        if found[2] and unit is not None and dimension != (parsed(unit) or (1.0, ()))[1]:
            measured = f"is measured in {unit}" if unit else "is a plain number, without a unit"
            raise InputError(f"{what} = {given!r}: it {measured}; write e.g. {example(unit)}.")
        value = float(found[1]) * factor
    elif isinstance(given, (int, float)) and not isinstance(given, bool):
        value = number(given, what, turns=True)
    else:
        raise InputError(f"{what} = {given!r} is not a number; write e.g. {example(unit)}.")
    if not math.isfinite(value):
        raise InputError(f"{what} = {given!r} is not finite; give a finite number.")
    return value


def example(unit: str | None) -> str:
    """How such a quantity may be written."""
    examples = {"m": '0.3 or "30cm"', "kg": '2 or "2 kg"', "rad": '"5deg"', "s": '2 or "2 s"', "": "0.3", None: '0.3 or "30cm"'}
    return examples.get(unit, f'"1.5 {unit}"')
