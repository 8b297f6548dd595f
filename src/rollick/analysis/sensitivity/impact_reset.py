"""The impacts of a system that has an impact law (`analysis.orbits.impacts`: `impact_gap`, `impact_map`) as a reset."""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError, called
from ...kernel.system import description
from ...motion.events.event import Event
from ..orbits.impacts import after_impact, closing_gap, impact_gap, impact_map
from .resets import Reset


def impact_reset(system: Any) -> Reset:
    """Where the gap of a system comes down to zero, its impact map: for `sensitivity`, `fit` and `optimise`, resets=[impact_reset(system)]."""
    if not (impact_gap.knows(type(system)) and impact_map.knows(type(system))):
        names = ", ".join(q.name for q in description(system).states)
        raise InputError(
            f"{called(system)} has no impact law: register impact_gap and impact_map (rollick.analysis.orbits.impacts) for it, or write "
            f"Reset(Event(...), after) with the states {names} after it."
        )
    return Reset(Event(closing_gap, "falling", name="impact"), after_impact, "impact")
