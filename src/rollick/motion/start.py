"""The start of a motion: from names and values, or a plain sequence, to a state vector."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any

import numpy as np

from ..kernel.hooks import start_integrals, start_state
from ..kernel.lanes import Lanes
from ..kernel.names import InputError, called, number
from ..kernel.system import description, descriptions, rate, validate
from ..mechanics.contact import check_contacts, contact_count
from .filippov.systems.form import is_form


def state_vector(system: Any, start: Any) -> np.ndarray:
    """The state vector of a start: a dict (states not named are zero), a sequence of all states, or None (all zero)."""
    about = description(system).states
    if start is None:
        start = {}
    if isinstance(start, Mapping):
        return np.array(start_state(system, dict(start)), float)
    try:
        if isinstance(start, (str, bytes)):
            raise TypeError
        y = np.array([number(v, q.name, q.unit) for v, q in zip(start, about, strict=True)], float)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        names = ", ".join(q.name for q in about)
        raise InputError(
            f"the start of {called(system)} is a dict of states, or all {len(about)} of them in order ({names}); got {start!r}."
        ) from None
    return y


def integral_vector(system: Any, start: Any, count: int) -> np.ndarray:
    """What the `count` accumulated quantities begin with: zero, unless the start names them and the system understands."""
    y = np.zeros(count)
    given = start_integrals(system, dict(start)) if isinstance(start, Mapping) else {}
    if given and not count:
        raise InputError(
            f"the start gives {', '.join(given)}, which are accumulated along the motion, but nothing is to be accumulated here "
            f"(integrals=False, or variational=True); leave them out."
        )
    names = [q.name for q in description(system).integrals]
    for name, value in given.items():
        y[names.index(name)] = value
    return y


def _instead(given: Any) -> str:
    """What somebody probably meant who gave something else for a system, as a sentence; "" if there is no telling."""
    if isinstance(given, str):
        return f" A model by name is simulated by rollick.model({given!r}).simulate(); its system is rollick.model({given!r}).make()."
    if callable(getattr(given, "make", None)):
        return " A model makes one, .make(), or is simulated itself, .simulate()."
    if hasattr(given, "system"):
        return " Give its .system."
    return ""


def as_floats(system: Any) -> Any:
    """The same system with every whole number, and every text with a unit, in a float field made a float: one kind of machine code."""
    if not (isinstance(system, tuple) and hasattr(system, "_fields")):
        shown = repr(system)
        shown = shown if len(shown) < 100 else f"{shown[:100]} ..."
        raise TypeError(f"a system is a NamedTuple instance with a `rate`; got {shown}.{_instead(system)}")
    hints = getattr(type(system), "__annotations__", {})
    floats = {name for name, hint in hints.items() if getattr(hint, "__forward_arg__", hint) in (float, "float")}
    parameters = descriptions[type(system)].parameters if type(system) in descriptions else {}
    values: list[Any] = []
    for name, value in zip(system._fields, system):
        if type(value) is float:  # most of them
            values.append(value)
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            values.append(as_floats(value))
        elif isinstance(value, (int, np.integer, np.floating)) and not isinstance(value, bool) and name in floats:
            values.append(float(value))
        elif isinstance(value, complex) and name in floats:
            raise InputError(f"{name} = {value!r} of {called(system)} is complex; give a real number.")
        elif isinstance(value, str) and name in parameters and name in floats:
            values.append(number(value, name, parameters[name].unit))
        elif name in floats and not isinstance(value, (Number, Lanes)):
            values.append(number(value, f"{called(system)}.{name}", parameters[name].unit if name in parameters else ""))
        else:
            values.append(value)
    cls: Any = type(system)
    return cls(*values)


def with_rate(system: Any) -> Any:
    """The system itself; if it has contacts but no ODE of its own, its type is given that of lasting contact first."""
    cls = type(system)
    if contact_count.knows(cls) and not rate.knows(cls):
        from .contact.lasting import lasts

        lasts(cls)
    return system


def check_system(system: Any) -> Any:
    """The system, ready for compiled code, or an error that says what it lacks."""
    if isinstance(system, type):
        raise TypeError(f"simulate needs a system, not the class {called(system)}; write {called(system)}(...).")
    system = as_floats(system)
    description(system)
    if not (rate.knows(type(system)) or is_form(system)):
        raise TypeError(rate.complaint(type(system)))
    validate(system)
    if contact_count.knows(type(system)):
        check_contacts(system)
    return system
