"""Reversals: the stone stops turning and turns back, rattling.

gamma' oscillates with the rattle, so that one reversal is a *group* of zeros of gamma'. Zeros closer than `gap` belong together; a group
of an odd number turns the rotation round, an even one does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...kernel.names import InputError

GAP = 1.0  # seconds


@dataclass(frozen=True)
class Reversal:
    """A group of zeros of gamma': its first and last, how many, and the extremum of gamma (time, value) among them."""

    first: float
    last: float
    count: int
    time: float
    gamma: float

    @property
    def turns(self) -> bool:
        """Whether the rotation is reversed for good (an odd number of zeros)."""
        return self.count % 2 == 1


def reversals(motion: Any, gap: float = GAP, all_groups: bool = False) -> list[Reversal]:
    """The reversals of a motion simulated with events=["gamma_rate"]; with `all_groups`, the groups that do not turn it round too."""
    if motion.provenance["system"] not in ("Rattleback", "AsPrinted"):
        raise InputError(f"reversals are counted for a Rattleback, not for {motion.provenance['system']}.")
    zeros = sorted((e for e in motion.events if e.name == "gamma_rate" and e.kind != "touch"), key=lambda e: e.t)
    groups: list[list[Any]] = []
    for zero in zeros:
        if groups and zero.t - groups[-1][-1].t < gap:
            groups[-1].append(zero)
        else:
            groups.append([zero])
    found = []
    for group in groups:
        # Between rotation in one sense and in the other gamma has a minimum (first zero rising) or a maximum.
        extremum = (min if group[0].kind == "rising" else max)(group, key=lambda e: e.state[2])
        found.append(Reversal(group[0].t, group[-1].t, len(group), extremum.t, float(extremum.state[2])))
    return found if all_groups else [r for r in found if r.turns]
