"""Reversals: the stone stops turning and turns back, rattling.

gamma' oscillates with the rattle, so that one reversal is a *group* of zeros of gamma'. Zeros closer than `gap` belong together; a group
of an odd number turns the rotation round, an even one does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...motion.simulate import simulate

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


def watched(motion: Any) -> str | None:
    """The name under which a motion reports all zeros of gamma'; None if it was not asked to."""
    for event in motion.provenance.get("events", ()):
        if event["what"] == "gamma_rate" and event["direction"] in ("both", 0) and float(event["level"]) == 0.0:
            return event["name"]
    return None


def _zeros(motion: Any) -> list[Any]:
    """All zeros of gamma' in a motion: as it reports them, or by repeating it with that event."""
    name = watched(motion)
    if name is None:
        if motion.system is None:
            raise InputError(
                "this motion was not asked for the zeros of gamma_rate, and its system is not known here (it was read from a file), so that "
                'it cannot be repeated; simulate with events=["gamma_rate"].'
            )
        made = motion.provenance
        start = np.array(list(made["start"].values()))
        options = {name: made[name] for name in ("since", "method", "rtol", "atol", "max_step") if made[name] is not None}
        motion, name = simulate(motion.system, start, motion.end_time, events=["gamma_rate"], **options), "gamma_rate"
    return sorted((e for e in motion.events if e.name == name and e.kind != "touch"), key=lambda e: e.t)


def reversals(motion: Any, gap: float = GAP, all_groups: bool = False) -> list[Reversal]:
    """The reversals of a motion; with `all_groups`, the groups that do not turn it round too.

    A motion simulated with events=["gamma_rate"] knows them; any other is repeated with that event.
    """
    if not hasattr(motion, "provenance"):
        given = motion if isinstance(motion, (int, float, str)) else called(motion)
        raise InputError(f"reversals are counted in a motion, not in {given!r}; give what `simulate` returns for a Rattleback.")
    if motion.provenance["system"] not in ("Rattleback", "AsPrinted"):
        raise InputError(f"reversals are counted for a Rattleback, not for {motion.provenance['system']}.")
    zeros = _zeros(motion)
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
