"""Numbers as people type them: with a unit, or without one in SI and radians.

A unit is a product of powers: "mm", "deg/s", "kg m^2", "N m s", "g/cm^3", "km/h". What a quantity is measured in is known, so that a unit
of another kind is refused, and any unit at all for a plain number such as a coefficient. Radians count as a kind of their own.
"""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING, Any

from .errors import InputError, UnitWarning
from .lanes import Lanes, is_finite
from .warn import warn_user

if TYPE_CHECKING:  # imported where an array is made: most commands read a few numbers and make none
    import numpy as np

Kind = tuple[int, int, int, int]  # the powers of kg, m, s, rad


_FORCE, _ENERGY, _POWER, _PRESSURE = (1, 1, -2, 0), (1, 2, -2, 0), (1, 2, -3, 0), (1, -1, -2, 0)
_TURN = 2.0 * math.pi

# name: (factor to SI and radians, kind)
UNITS: dict[str, tuple[float, Kind]] = {
    "kg": (1.0, (1, 0, 0, 0)),
    "g": (1e-3, (1, 0, 0, 0)),
    "mg": (1e-6, (1, 0, 0, 0)),
    "t": (1e3, (1, 0, 0, 0)),
    "m": (1.0, (0, 1, 0, 0)),
    "dm": (1e-1, (0, 1, 0, 0)),
    "cm": (1e-2, (0, 1, 0, 0)),
    "mm": (1e-3, (0, 1, 0, 0)),
    "um": (1e-6, (0, 1, 0, 0)),
    "km": (1e3, (0, 1, 0, 0)),
    "in": (0.0254, (0, 1, 0, 0)),
    "L": (1e-3, (0, 3, 0, 0)),
    "mL": (1e-6, (0, 3, 0, 0)),
    "s": (1.0, (0, 0, 1, 0)),
    "ms": (1e-3, (0, 0, 1, 0)),
    "us": (1e-6, (0, 0, 1, 0)),
    "min": (60.0, (0, 0, 1, 0)),
    "h": (3600.0, (0, 0, 1, 0)),
    "Hz": (1.0, (0, 0, -1, 0)),
    "kHz": (1e3, (0, 0, -1, 0)),
    "rad": (1.0, (0, 0, 0, 1)),
    "mrad": (1e-3, (0, 0, 0, 1)),
    "deg": (math.pi / 180.0, (0, 0, 0, 1)),
    "°": (math.pi / 180.0, (0, 0, 0, 1)),
    "turn": (_TURN, (0, 0, 0, 1)),
    "rpm": (_TURN / 60.0, (0, 0, -1, 1)),
    "N": (1.0, _FORCE),
    "mN": (1e-3, _FORCE),
    "kN": (1e3, _FORCE),
    "J": (1.0, _ENERGY),
    "mJ": (1e-3, _ENERGY),
    "kJ": (1e3, _ENERGY),
    "W": (1.0, _POWER),
    "mW": (1e-3, _POWER),
    "Pa": (1.0, _PRESSURE),
    "kPa": (1e3, _PRESSURE),
    "MPa": (1e6, _PRESSURE),
}
_NUMBER = re.compile(r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:infinity|inf|nan))\s*(.*?)\s*", re.I | re.S)
_FACTOR = re.compile(r"\s*(1|[A-Za-z°]+)\s*(?:(?:\^|\*\*)\s*\(?([+-]?\d+)\)?|([²³]))?\s*")
_RAISED = {"²": 2, "³": 3, None: 1}


@functools.cache
def parsed(text: str) -> tuple[float, Kind] | None:
    """The factor and the kind of a unit; None if it is not understood."""
    factor, kind, at, over = 1.0, (0, 0, 0, 0), 0, False
    while at < len(text):
        found = _FACTOR.match(text, at)
        if found is None or (found[1] not in UNITS and found[1] != "1"):
            return None
        value, powers = UNITS.get(found[1], (1.0, (0, 0, 0, 0)))
        power = (int(found[2]) if found[2] else _RAISED[found[3]]) * (-1 if over else 1)
        factor *= value**power
        kind = tuple(a + power * b for a, b in zip(kind, powers))  # type: ignore[assignment]
        at = found.end()
        over = text[at : at + 1] == "/"  # a stroke holds for what follows next
        if text[at : at + 1] in ("/", "*", "·"):
            at += 1
            if at == len(text):
                return None
    return factor, kind


def number(given: Any, what: str, unit: str = "", turns: bool = False) -> float:
    """A finite float from a number or a text such as "5deg", "-3e-2", "2 mm" or "0.1 kg m^2", converted to SI and radians.

    `unit` is what the quantity is measured in ("" for a plain number); a text with a unit of another kind is refused. An angle of more than
    a full turn that somebody typed without a unit is taken as radians with a `UnitWarning`, unless such angles are usual (`turns`).
    """
    if type(given) is float and (-_TURN <= given <= _TURN or (unit != "rad" and math.isfinite(given))):
        return given  # nearly always; what follows is for texts, and for what deserves a word
    if type(given) is Lanes and is_finite(given):
        return given  # type: ignore[return-value]
    suffix = ""
    if isinstance(given, str):
        found = _NUMBER.fullmatch(given)
        if found is None:
            raise InputError(f"{what} = {given!r} is not a number; write e.g. {_examples(unit)}.")
        suffix = found[2]
        value = float(found[1]) * _factor(given, suffix, what, unit)
    else:
        try:
            value = float(given)
        except (TypeError, ValueError):
            raise InputError(f"{what} = {given!r} is not a number; write e.g. {_examples(unit)}.") from None
        except OverflowError:  # a whole number of more than 308 digits, which is not repeated here
            raise InputError(f"{what} is a number too large to compute with; the largest is 1.8e308.") from None
    if not math.isfinite(value):
        raise InputError(f"{what} = {given!r} is not finite; give a finite number.")
    typed = isinstance(given, (str, int, float)) and not hasattr(given, "dtype")
    if unit == "rad" and not suffix and typed and not turns and abs(value) > _TURN * (1.0 + 1e-9):
        plain = str(given).strip()
        warn_user(
            f"{what} = {plain} is taken as radians, {abs(value) / _TURN:.3g} turns; write {plain}deg if you mean degrees, or {plain}rad.",
            UnitWarning,
        )
    return value


def numbers(given: Any, what: str, unit: str = "") -> np.ndarray:
    """An array of finite floats from nested sequences of what `number` understands."""
    import numpy as np

    if isinstance(given, np.ndarray) and given.dtype.kind in "fiu":
        array = given
    else:
        try:
            array = np.asarray(given, object)
        except ValueError:
            raise InputError(f"{what} = {given!r} is no regular array of numbers.") from None
    return np.array([number(v, what, unit) for v in array.ravel()], float).reshape(array.shape)


def array_of(given: Any, what: str) -> np.ndarray:
    """An array of floats from nested sequences of plain numbers, without units: quickly."""
    import numpy as np

    try:
        return np.asarray(given, float)
    except (TypeError, ValueError):
        raise InputError(f"{what} = {given!r} is no regular array of numbers.") from None


def whole(given: Any, what: str, least: int = 0) -> int:
    """A whole number, `least` or more."""
    value = number(given, what)
    if value != int(value) or value < least:
        raise InputError(f"{what} = {given!r} must be a whole number, {least} or more.")
    return int(value)


def _factor(given: str, suffix: str, what: str, unit: str) -> float:
    """By what a number with this suffix is multiplied."""
    if not suffix or suffix == unit:
        return 1.0
    read = parsed(suffix)
    if read is None:
        known = ", ".join(UNITS)
        raise InputError(
            f"{what} = {given!r} is not a number with a unit that is known here; write e.g. {_examples(unit)}. Units are {known}, and products and powers of them (kg m^2, m/s)."
        )
    if not unit:
        raise InputError(f"{what} is a plain number, without a unit, but {given!r} is in {suffix}; leave the unit out.")
    wanted = parsed(unit)
    if wanted is None or wanted[1] != read[1]:
        raise InputError(f"{what} is measured in {unit}, but {given!r} is in {suffix}; give it in {unit}.")
    return read[0] / wanted[0]


def _examples(unit: str) -> str:
    """How to write a quantity."""
    small = {"rad": "5deg", "rad/s": "30deg/s", "m": "2mm", "kg": "250g", "s": "20ms", "m/s": "3cm/s"}.get(unit)
    return f"0.1, 1e-3 or {small or ('0.1 ' + unit if unit else '2')}"
