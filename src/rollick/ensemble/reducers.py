"""Numbers that works on such bodies ask for, by name: when a stone reverses, how much friction rolling needs, how the energy dies, how hard a drop is.

Some are measures of a certain quantity, and run in compiled code; the others are functions of a whole result. All can be named in a study file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..kernel.names import InputError, called
from ..kernel.system import description
from ..motion.impacts.exponent import fitted
from .keep import First, Greatest, Measure

DEMANDS = ("friction_demand", "demand")  # what the friction that rolling needs is called


class Reducer:
    """What is kept of a member, by what it means. `measure(system)` is it as a measure; where there is none (None), `of(result)` is the number."""

    name: str = ""
    unit: str = ""

    def measure(self, system: Any) -> Measure | None:
        """The measure of a quantity of this system (None: of models that are no systems)."""
        return None

    def of(self, result: Any) -> float:
        """The number."""
        raise InputError(f"{called(self)} is measured on the way, of systems that are integrated; {called(result)} is none.")


@dataclass(frozen=True)
class ReversalTime(Reducer):
    """When a quantity (a spin) first changes its sign; nan if it never does. stop: the motion ends there."""

    what: str = "omega3"
    stop: bool = False
    name: str = "reversal_time"

    def measure(self, system: Any) -> Measure | None:
        """The first zero."""
        return None if system is None else First(self.what, stop=self.stop, name=self.name)


@dataclass(frozen=True)
class FrictionDemand(Reducer):
    """The largest friction that rolling needs on the way: a coefficient, or, of a wheelset, a part of what there is."""

    name: str = "largest_friction_demand"

    def measure(self, system: Any) -> Measure | None:
        """The greatest value of the signal that tells it."""
        if system is None:
            return None
        signals = [q.name for q in description(system).signals]
        told = [name for name in DEMANDS if name in signals]
        if not told:
            raise InputError(
                f"{called(system)} does not tell the friction that rolling needs; its signals are {', '.join(signals) or 'none'}."
            )
        return Greatest(told[0], name=self.name)


@dataclass(frozen=True)
class EnergyExponent(Reducer):
    """c of E ~ (t_f - t)^c, from the impacts of a body that comes to rest: from `low` to `high` of their sequence."""

    low: float = 0.3
    high: float = 0.8
    name: str = "energy_exponent"

    def of(self, result: Any) -> float:
        """The fitted exponent."""
        if not hasattr(result, "log_remaining"):
            raise InputError(f"an energy exponent is that of a sequence of impacts; {called(result)} is none.")
        return fitted(result, self.low, self.high).c


@dataclass(frozen=True)
class ShockRatio(Reducer):
    """sup|u| of the component over that of the device dropped without a rod (5.22)."""

    name: str = "shock_ratio"

    def of(self, result: Any) -> float:
        """The ratio that the drop test tells."""
        if not hasattr(result, "R"):
            raise InputError(f"a shock ratio is that of a drop test (model 'drop'); {called(result)} is none.")
        return float(result.R)


@dataclass(frozen=True)
class ImpactCount(Reducer):
    """How many impacts there are."""

    name: str = "impacts"

    def of(self, result: Any) -> float:
        """The length of the sequence."""
        if not hasattr(result, "log_remaining"):
            raise InputError(f"impacts are counted of models that go from impact to impact; {called(result)} is none.")
        return float(len(result))
