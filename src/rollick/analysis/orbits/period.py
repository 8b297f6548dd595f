"""The period of an orbit: an unknown of a system that runs by itself, or given by what drives it.

A driven system is one whose rate depends on the time. Its period is then a number, the name of the parameter that is the angular frequency of
the drive (2 pi/Omega), or a function of the system; times the number of cycles of the drive that the orbit takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.names import InputError, called, number
from .ingredients import differ_at
from .sensitive import parameter_of, tilted

REPEATS = 1e-6  # relative: by how much a drive may miss repeating
INSTANTS = (0.37281, 1.91127, 7.33519)  # at which the rate is compared with that at t = 0


@dataclass(frozen=True)
class Period:
    """`law`: the period as a function of the system, None if it is an unknown."""

    law: Callable[[Any], Any] | None = None
    cycles: int = 1
    frequency: str = ""  # the name of the drive's angular frequency, if that gives the law

    @property
    def unknown(self) -> bool:
        """Whether the period has to be found."""
        return self.law is None

    def of(self, system: Any) -> float:
        """The period that a drive gives."""
        assert self.law is not None
        value = self.law(system)
        try:
            return float(value) * self.cycles
        except (TypeError, ValueError):
            raise InputError(
                f"the period of {called(system)} as a function of the system is a number in s; it came out as {value!r}."
            ) from None

    def slope(self, system: Any, parameter: str) -> float:
        """Its derivative by a parameter of the system: by complex step, or by differences where the law takes no complex numbers."""
        assert self.law is not None
        try:
            return complex(self.law(tilted(system, parameter))).imag / EPS * self.cycles
        except TypeError:
            from .sensitive import with_parameter

            p = parameter_of(system, parameter)
            h = 1e-6 * max(1.0, abs(p))
            above, below = (self.of(with_parameter(system, parameter, p + d)) for d in (h, -h))
            return (above - below) / (2.0 * h)

    def times(self, factor: int) -> Period:
        """That of an orbit that closes after so many times as long."""
        return Period(self.law, self.cycles * factor, self.frequency)


def depends_on_time(system: Any, y: np.ndarray) -> bool:
    """Whether what moves a system at a state is different at another time."""
    return differ_at(system, y, [(0.0, t) for t in INSTANTS], 0.0)


def by_frequency(name: str) -> Callable[[Any], Any]:
    """The law 2 pi/Omega of a parameter."""

    def law(s: Any) -> Any:
        value = s
        for part in name.split("."):
            value = getattr(value, part)
        return 2.0 * math.pi / value

    return law


def not_repeated(system: Any, y: np.ndarray, T: float) -> str:
    """Why T is no period of what drives a system, or ""."""
    again = not differ_at(system, y, [(t, t + T) for t in INSTANTS], REPEATS)
    return "" if again else f"what drives {called(system)} does not repeat after {T:.9g} s"


def period_of(system: Any, given: Any, y: np.ndarray, cycles: int) -> tuple[Period, float | None]:
    """How the period is found, and its value or guess (None: to be estimated), from what a user says."""
    driven = depends_on_time(system, y)
    if not isinstance(cycles, int) or cycles < 1:
        raise InputError(f"cycles = {cycles!r} must be a whole number, at least 1.")
    named = isinstance(given, str) and not given.strip()[:1].isdigit() and given.strip()[:1] not in ".+-"
    if (named or callable(given)) and not driven:
        raise InputError(
            f"nothing drives {called(system)} (its rate does not depend on the time), so that its period is to be found; give a guess of it in seconds, or none."
        )
    if named:
        if parameter_of(system, given) == 0.0:
            raise InputError(f"the frequency {given} of {called(system)} is zero; the drive has no period.")
        period = Period(by_frequency(given), cycles, given)
    elif callable(given):
        period = Period(given, cycles)
    elif driven:
        if given is None:
            raise InputError(
                f"the rate of {called(system)} depends on the time, so that its drive gives the period: say period=2.5, "
                "or the name of its frequency, period='Omega', or a function of the system."
            )
        value = number(given, "period", "s")
        period = Period(lambda s: value, cycles)
    else:
        guess = None if given is None else number(given, "period", "s") * cycles
        if guess is not None and not guess > 0.0:
            raise InputError(f"period = {given!r} must be above zero.")
        return Period(), guess
    value = period.of(system)
    if not (value > 0.0 and math.isfinite(value)):
        raise InputError(f"the period of {called(system)} comes out as {value!r}; it must be above zero.")
    why = not_repeated(system, y, value)
    if why:
        raise InputError(
            f"{why}: that is no period of its drive. Name the angular frequency, period='Omega', or give the drive's own period."
        )
    return period, value
