"""Numbers with units as people write them in a file: "30cm", "2.7 g/cm^3", "1.6e-3 kg m^2", "9.81 m/s^2"; a bare number is in SI and radians.

A unit is a product of powers of the words in `WORDS`, with "/" before what is divided by; its dimension must be that of the quantity.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ...kernel.names import InputError

# word: (factor to SI and radians, powers of m, kg, s, rad)
WORDS: dict[str, tuple[float, tuple[int, int, int, int]]] = {
    "m": (1.0, (1, 0, 0, 0)),
    "km": (1e3, (1, 0, 0, 0)),
    "dm": (1e-1, (1, 0, 0, 0)),
    "cm": (1e-2, (1, 0, 0, 0)),
    "mm": (1e-3, (1, 0, 0, 0)),
    "um": (1e-6, (1, 0, 0, 0)),
    "in": (0.0254, (1, 0, 0, 0)),
    "kg": (1.0, (0, 1, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0)),
    "mg": (1e-6, (0, 1, 0, 0)),
    "t": (1e3, (0, 1, 0, 0)),
    "s": (1.0, (0, 0, 1, 0)),
    "ms": (1e-3, (0, 0, 1, 0)),
    "us": (1e-6, (0, 0, 1, 0)),
    "min": (60.0, (0, 0, 1, 0)),
    "rad": (1.0, (0, 0, 0, 1)),
    "deg": (math.pi / 180.0, (0, 0, 0, 1)),
    "turn": (2.0 * math.pi, (0, 0, 0, 1)),
    "rpm": (math.pi / 30.0, (0, 0, -1, 1)),
    "N": (1.0, (1, 1, -2, 0)),
    "mN": (1e-3, (1, 1, -2, 0)),
    "J": (1.0, (2, 1, -2, 0)),
    "Hz": (1.0, (0, 0, -1, 0)),
}
NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
FACTOR = re.compile(r"([A-Za-z]+)(?:\^?(-?\d+))?")


def unit_factor(text: str) -> tuple[float, tuple[int, ...]] | None:
    """The factor to SI and the dimension of a unit such as "kg m^2" or "g/cm^3"; None if it is not one."""
    factor, powers = 1.0, [0, 0, 0, 0]
    for place, side in enumerate(text.replace("²", "^2").replace("³", "^3").split("/")):
        words = [w for w in re.split(r"[\s*·]+", side) if w and w != "1"]
        if not words and side.strip() != "1" and text.strip():
            return None
        for word in words:
            found = FACTOR.fullmatch(word)
            if found is None or found[1] not in WORDS:
                return None
            power = int(found[2] or 1) * (1 if place == 0 else -1)
            scale, dimension = WORDS[found[1]]
            factor *= scale**power
            powers = [p + power * d for p, d in zip(powers, dimension)]
    return factor, tuple(powers)


def quantity(given: Any, what: str, unit: str | None = "") -> float:
    """A finite float in SI and radians from a number or a text with a unit of the same dimension as `unit` (None: any)."""
    if isinstance(given, str):
        found = NUMBER.fullmatch(given)
        if found is None:
            raise InputError(f"{what} = {given!r} is not a number; write e.g. {example(unit)}.")
        read = unit_factor(found[2])
        if read is None:
            raise InputError(
                f"{what} = {given!r}: {found[2]!r} is not a unit; write e.g. {example(unit)}. Units: {', '.join(WORDS)}."
            )
        factor, dimension = read
        if found[2] and unit is not None and dimension != (unit_factor(unit) or (1.0, ()))[1]:
            measured = f"is measured in {unit}" if unit else "is a plain number, without a unit"
            raise InputError(f"{what} = {given!r}: it {measured}; write e.g. {example(unit)}.")
        value = float(found[1]) * factor
    elif isinstance(given, (int, float)) and not isinstance(given, bool):
        value = float(given)
    else:
        raise InputError(f"{what} = {given!r} is not a number; write e.g. {example(unit)}.")
    if not math.isfinite(value):
        raise InputError(f"{what} = {given!r} is not finite; give a finite number.")
    return value


def example(unit: str | None) -> str:
    """How such a quantity may be written."""
    examples = {"m": '0.3 or "30cm"', "kg": '2 or "2 kg"', "rad": '"5deg"', "s": '2 or "2 s"', "": "0.3", None: '0.3 or "30cm"'}
    return examples.get(unit, f'"1.5 {unit}"')
