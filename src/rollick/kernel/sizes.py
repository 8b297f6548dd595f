"""Numbers within reason: beyond 1e30, or nearer to zero than 1e-30, powers and products of quantities leave the range of floating point."""

from __future__ import annotations

from typing import Any

from .names import InputError

LARGEST = 1e30


def out_of_range(value: float, what: str) -> str:
    """Why a number is too large or too small to compute with, as a sentence; "" if it is not (zero is not)."""
    if abs(value) > LARGEST or 0.0 < abs(value) < 1.0 / LARGEST or value != value:
        return f"{what} = {value:g} is beyond reason: take 0, or a number between {1.0 / LARGEST:g} and {LARGEST:g} in size, in suitable units."
    return ""


def within_reason(value: float, what: str) -> float:
    """The number, if it can be computed with."""
    problem = out_of_range(value, what)
    if problem:
        raise InputError(problem)
    return value


def bounded(value: float, what: str, low: float | None = None, high: float | None = None, given: Any = None) -> float:
    """The number, if it lies within bounds (both allowed)."""
    if (low is not None and value < low) or (high is not None and value > high):
        shown = f"{what} = {value if given is None else given!r}"
        if high is None:
            raise InputError(f"{shown} must be {'zero' if low == 0.0 else f'{low:g}'} or above.")
        raise InputError(
            f"{shown} must lie between {low:g} and {high:g}." if low is not None else f"{shown} must not be above {high:g}."
        )
    return within_reason(value, what)
