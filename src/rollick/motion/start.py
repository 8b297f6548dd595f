"""The start of a motion: from names and values, or a plain sequence, to a state vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.hooks import start_state
from ..kernel.names import InputError, called, number
from ..kernel.system import description, rate, validate
from ..mechanics.contact import check_contacts, contact_count


def state_vector(system: Any, start: Any) -> np.ndarray:
    """The state vector of a start: a dict (states not named are zero), a sequence of all states, or None (all zero)."""
    about = description(system).states
    if start is None:
        start = {}
    if isinstance(start, Mapping):
        return np.array(start_state(system, dict(start)), float)
    try:
        y = np.array([number(v, q.name, q.unit) for v, q in zip(start, about, strict=True)], float)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        names = ", ".join(q.name for q in about)
        raise InputError(
            f"the start of {called(system)} is a dict of states, or all {len(about)} of them in order ({names}); got {start!r}."
        ) from None
    return y


def as_floats(system: Any) -> Any:
    """The same system with every whole number in a float field made a float: one kind of data, one piece of machine code."""
    if not (isinstance(system, tuple) and hasattr(system, "_fields")):
        raise TypeError(f"a system is a NamedTuple instance with a `rate`; got {system!r}.")
    hints = getattr(type(system), "__annotations__", {})
    values = []
    for name, value in zip(system._fields, system):
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            values.append(as_floats(value))
        elif (
            isinstance(value, (int, np.integer, np.floating))
            and not isinstance(value, bool)
            and hints.get(name) in (float, "float")
        ):
            values.append(float(value))
        else:
            values.append(value)
    return type(system)(*values)


def check_system(system: Any) -> Any:
    """The system, ready for compiled code, or an error that says what it lacks."""
    if isinstance(system, type):
        raise TypeError(f"simulate needs a system, not the class {system.__name__}; write {system.__name__}(...).")
    system = as_floats(system)
    description(system)
    if not rate.knows(type(system)):
        raise TypeError(rate.complaint(type(system)))
    validate(system)
    if contact_count.knows(type(system)):
        check_contacts(system)
    return system
