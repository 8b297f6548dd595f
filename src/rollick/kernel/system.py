"""What a system is: plain data (a NamedTuple) and the free functions that say what it does.

A system of n states answers

    rate(system, t, y, out)        out[:n] = dy/dt                                  (required)
    signals(system, t, y, out)     derived quantities at one instant                (optional)
    integrals(system, t, y, out)   rates of quantities accumulated along the motion (optional)
    project(system, y)             pull y back onto what must hold exactly: a unit quaternion, a constraint (optional)

and is *described* once, which names its states and fixes n at compile time:

    describe(Pendulum, states={"phi": "rad", "omega": "rad/s"}, signals={"energy": "J"})

`y` and `out` are arrays of floats, or of complex numbers when a derivative is wanted. Nothing here allocates, so that the
same functions run in a thread of a GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .dispatch import constant, generic
from .names import called, mapping_of


@generic
def rate(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    """Write dy/dt at time t and state y into out."""


@generic
def signals(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    """Write the derived quantities of an instant into out, in the order of the system's description."""


@generic
def integrals(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    """Write the rates of the quantities accumulated along the motion into out, in the order of the description."""


# A signature without a body can promise a type checker no result but None or Any; which kind of number it is, the docstring tells.
@generic
def project(system: Any, y: np.ndarray) -> Any:
    """Pull the state y, in place, back onto what must hold exactly; returns whether it may have changed. After every accepted step."""


@project.otherwise
def _(system: Any, y: np.ndarray) -> bool:
    return False


@generic
def rate_with_integrals(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    """Write dy/dt and, behind it, the rates of the integrals. Optional: a system that shares work between them registers its own."""


@generic
def validate(system: Any) -> None:
    """Optional: raise `InputError` if a system cannot exist, warn if it is merely unusual. Runs in Python, before a simulation."""


@validate.otherwise
def _(system: Any) -> None:
    return None


@constant
def dim(system: Any) -> Any:
    """The number of states: a constant of the system's type."""


@constant
def integral_count(system: Any) -> Any:
    """The number of accumulated quantities: a constant of the system's type."""


@constant
def signal_count(system: Any) -> Any:
    """The number of derived quantities: a constant of the system's type."""


@rate_with_integrals.otherwise
def _(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    rate(system, t, y, out)
    integrals(system, t, y, out[dim(system) :])


@dataclass(frozen=True)
class Quantity:
    """A named number with its unit and, in words, what it is."""

    name: str
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Description:
    """The names of what a type of system has."""

    states: tuple[Quantity, ...]
    signals: tuple[Quantity, ...] = ()
    integrals: tuple[Quantity, ...] = ()
    parameters: Mapping[str, Quantity] = field(default_factory=dict)
    about: str = ""
    plot: tuple[str, ...] = ()
    smooth: tuple[str, ...] = ()  # signals as smooth as the motion itself
    abreast: bool = False  # whether its rate has no branches

    @property
    def time(self) -> str:
        """The unit of time: s, or none where no quantity has a unit (angles aside)."""
        all_of_them = (*self.states, *self.signals, *self.integrals, *self.parameters.values())
        return "s" if any(q.unit not in ("", "1", "rad") for q in all_of_them) else ""


descriptions: dict[type, Description] = {}
described_through: dict[type, str] = {}  # wrappers: the field that holds the system they are described by


def _quantities(given: Mapping[str, Any]) -> tuple[Quantity, ...]:
    """From {"phi": "rad"} or {"phi": ("rad", "angle from the vertical")}."""
    return tuple(Quantity(name, *(value if isinstance(value, tuple) else (value,))) for name, value in given.items())


def describe(
    cls: type,
    states: Mapping[str, Any],
    signals: Mapping[str, Any] | None = None,
    integrals: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    about: str = "",
    plot: tuple[str, ...] = (),
    smooth: tuple[str, ...] = (),
    abreast: bool = False,
) -> Description:
    """Name the states, derived signals, accumulated integrals and parameters of a type of system.

    Each argument maps a name to a unit, or to (unit, meaning). The order of `states` is the order of the state vector.
    `plot` names what a plot of a motion shows by default. `smooth` names signals that are as smooth as the motion itself (polynomials, sines and quotients of
    states without poles near by; no corners, no narrow peaks): their zeros are then looked for with fewer samples.
    `abreast`: the rate compares no numbers that depend on state or parameters, so that eight members of an ensemble can go side by side (`kernel.abreast`),
    several times faster, and equal to single motions up to rounding.
    """
    for what, given in (("states", states), ("signals", signals), ("integrals", integrals), ("parameters", parameters)):
        mapping_of(given or {}, f"{what} of {called(cls)}", "{'phi': 'rad', 'omega': 'rad/s'}")
    if not states:
        raise ValueError(f"{called(cls)} needs at least one state; give describe(..., states={{'name': 'unit'}}).")
    names = [*states, *(signals or {}), *(integrals or {})]
    twice = sorted({n for n in names if names.count(n) > 1} | ({"t"} & set(names)))
    if twice:
        raise ValueError(
            f"{called(cls)}: the name(s) {', '.join(twice)} stand for two things; states, signals and integrals need names of their own, and t is the time."
        )
    strange = sorted(set(smooth) - set(signals or {}))
    if strange:
        raise ValueError(
            f"{called(cls)} has no signal {', '.join(strange)} that could be smooth; its signals are {', '.join(signals or {}) or 'none'}."
        )
    fields = getattr(cls, "_fields", ())
    unknown = sorted(set(parameters or {}) - set(fields))
    if unknown:
        raise ValueError(f"{called(cls)} has no parameter {', '.join(unknown)}; its fields are {', '.join(fields)}.")
    described = _quantities(parameters or {})
    result = Description(
        states=_quantities(states),
        signals=_quantities(signals or {}),
        integrals=_quantities(integrals or {}),
        parameters={q.name: q for q in described} | {f: Quantity(f) for f in fields if f not in (parameters or {})},
        about=about or (cls.__doc__ or "").strip().partition("\n")[0],
        plot=tuple(plot),
        smooth=tuple(smooth),
        abreast=abreast,
    )
    n, m, k = len(result.states), len(result.integrals), len(result.signals)
    # Registered anew when a description is repeated with other numbers: the same numbers mean the same machine code.
    old = descriptions.get(cls)
    if old is None or (len(old.states), len(old.integrals), len(old.signals)) != (n, m, k):
        dim.register(cls)(lambda system: n)
        integral_count.register(cls)(lambda system: m)
        signal_count.register(cls)(lambda system: k)
    descriptions[cls] = result
    return result


def description(system: Any) -> Description:
    """The description of a system (or of its class)."""
    cls = system if isinstance(system, type) else type(system)
    if cls in described_through and not isinstance(system, type):  # a wrapper speaks of what it holds
        return description(getattr(system, described_through[cls]))
    if cls not in descriptions:
        raise TypeError(
            f"{called(cls)} is not described; call rollick.describe({called(cls)}, states={{'name': 'unit', ...}}) after defining it."
        )
    return descriptions[cls]
