"""Numbers in words with as many digits as they deserve: to a fraction of their standard error, of the range they lie in."""

from __future__ import annotations

import math

MOST = 10  # significant digits, however small the error
EXTREME = 290  # powers of ten beyond it are near the end of the floating-point numbers


def to_unit(value: float, unit: float) -> str:
    """The value to the decimal place of `unit` (0.0043: to thousandths), zeros at the end included; at most `MOST` digits.

    An error of zero leaves `MOST` digits, one that is not finite six.
    """
    if not (math.isfinite(value) and math.isfinite(unit) and unit > 0.0):
        return f"{value:.{MOST if unit == 0.0 else 6}g}"
    place = max(-EXTREME, min(math.floor(math.log10(unit)), EXTREME))
    if abs(value) >= 10.0 ** (place + MOST):
        return f"{value:.{MOST}g}"
    value = round(value / 10.0**place) * 10.0**place
    if value == 0.0:
        return f"{0.0:.{max(-place, 0)}f}" if place > -MOST else "0"
    digits = math.floor(math.log10(abs(value)) + 1e-9) - place + 1
    text = f"{value:#.{digits}g}"
    return text.removesuffix(".").replace(".e", "e")


def to_error(value: float, error: float) -> str:
    """A measured number: to the second digit of its standard error."""
    return to_unit(value, 0.1 * error)


def with_error(value: float, error: float) -> str:
    """A measured number and its standard error, `1.1921 +- 0.0010`."""
    return f"{to_error(value, error)} +- {to_error(error, error)}"


def between(least: float, largest: float) -> str:
    """A range `least .. largest` over instants: to 1e-4 of its width, at most six digits (instants miss the turning points by more)."""
    size = max(abs(least), abs(largest))
    unit = max(1e-4 * (largest - least), 1e-5 * size)
    texts = [to_unit(v, unit) for v in (least, largest)]
    return " .. ".join(f"{float(text):.6g}" for text in texts)
