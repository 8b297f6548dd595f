"""How far the energy account of a motion with contacts is from closing."""

from __future__ import annotations

from typing import Any

import numpy as np

MECHANISMS = ("sliding", "pivoting", "contour", "impacts")


def energy_check(motion: Any) -> dict[str, float] | None:
    """What is left of the energy account of a motion, stepped or from event to event, and how much energy was in play.

    energy at the end - energy at the start + all losses - energy from moving surfaces - energy from closing gaps: the integration error. The ends are those of
    the motion, whatever its output holds. None where the system tells no energy, or not all of it was accounted for (integrals=False; surfaces that move,
    event-driven).
    """
    made = motion.provenance
    signals = [q.name for q in motion.about.signals]
    if "energy" not in signals or not {"contacts", "supplied"} <= set(made):
        return None
    times, states = np.array([made["since"], motion.end_time]), np.array([list(made["start"].values()), motion.end_state])
    first, last = motion.signals_at(times, states)[:, signals.index("energy")]
    energy = np.array([first, *motion["energy"], last])
    lost = sum(contact[name] for contact in made["contacts"] for name in MECHANISMS) + made["dragged"]
    left = float(last - first) + lost - made["supplied"] - made.get("closing_gaps", 0.0)
    in_play = max(float(np.ptp(energy)), abs(lost), abs(made["supplied"]))
    return {"left": left, "in_play": in_play, "lost": lost, "size": float(np.abs(energy).max())}


def check_energy(motion: Any) -> None:
    """Note in the provenance how far the energy account is from closing, where that can be told."""
    found = energy_check(motion)
    if found is not None:
        motion.provenance["energy_check"] = found
