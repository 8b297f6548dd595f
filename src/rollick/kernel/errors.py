"""What is said when something that a person entered cannot be used, or was perhaps meant otherwise."""

from __future__ import annotations


class InputError(ValueError):
    """Something a person entered cannot be used; the message says what was given, what is allowed and what to do."""


class UnitWarning(UserWarning):
    """A number without a unit that was probably meant in another one."""
