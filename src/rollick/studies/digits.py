"""How far a printed number may be off: half a unit of its last digit.

A number stands in a ledger as it is printed, in quotes: "0.3010" says more than 0.301. "1/3" is exact.
"""

from __future__ import annotations

import re
from fractions import Fraction

_DECIMAL = re.compile(r"[-+]?\d+(?:\.(?P<decimals>\d+))?(?:[eE](?P<power>[-+]?\d+))?")
_FRACTION = re.compile(r"[-+]?\d+/\d+")


def read_number(text: str) -> tuple[float, float]:
    """A printed number and half a unit of its last digit (0 for a fraction, which is exact).

    >>> read_number("-7.0e-6")
    (-7e-06, 5e-08)
    """
    text = text.strip()
    if _FRACTION.fullmatch(text):
        return float(Fraction(text)), 0.0
    found = _DECIMAL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a number as one prints it; write it like '0.3010', '-7.0e-6' or '1/3'.")
    power = int(found["power"] or 0) - len(found["decimals"] or "")
    return float(text), float(f"5e{power - 1}")
