"""What the numbers of a law may be: checked where a law is used (`validate`), with a sentence for what cannot be."""

from __future__ import annotations

from numbers import Real
from typing import Any

from ...kernel.lanes import as_float, is_finite
from ...kernel.names import InputError, called

SMOOTHING = "; for eps = 0, friction without smoothing, use the dry law"


def a_number(law: Any, name: str) -> float:
    """The number in a field of a law; `InputError` if it is none, or not finite."""
    value = getattr(law, name)
    if isinstance(value, bool) or not isinstance(value, Real):
        small = called(law).lower()
        raise InputError(
            f"{name} = {value!r} of {called(law)} is not a number; texts with units go to the function {small}(...)."
        )
    if not is_finite(value):
        raise InputError(f"{name} = {value!r} of {called(law)} is not finite; give a finite number.")
    return as_float(value)


def check_not_negative(law: Any, *names: str) -> None:
    """Refuse a field that is negative: friction would feed energy into the body."""
    for name in names:
        if a_number(law, name) < 0.0:
            raise InputError(
                f"{name} = {getattr(law, name)!r} of {called(law)} is negative; it must be zero or above: friction takes energy."
            )


def check_positive(law: Any, *names: str) -> None:
    """Refuse a field that is not above zero."""
    for name in names:
        if not a_number(law, name) > 0.0:
            way_out = SMOOTHING if name == "eps" else ""
            raise InputError(f"{name} = {getattr(law, name)!r} of {called(law)} must be above zero{way_out}.")


def check_fraction(law: Any, *names: str) -> None:
    """Refuse a field that is not between 0 and 1."""
    for name in names:
        if not 0.0 <= a_number(law, name) <= 1.0:
            raise InputError(f"{name} = {getattr(law, name)!r} of {called(law)} must lie between 0 and 1.")
