"""What is worth saying about a motion with friction: where the energy went, and whether the contact held."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.hooks import highlights, kept
from ..contact import contacts_move
from ..shapes.fitted import fit_lines
from .equations import Sliding

MECHANISMS = {
    "lost_sliding": "sliding",
    "lost_pivoting": "pivoting",
    "lost_contour": "contour friction",
    "lost_impacts": "impacts",
    "lost_drag": "the damping couple",
}


def friction_highlights(motion: Any, weight: float) -> list[str]:
    """Lines on the energy, the losses by mechanism, the slip and the contact, from the first to the last instant of the motion itself.

    (The integrals of a motion that goes on from another begin with what that had.)
    """
    if motion.t.size == 0:
        return []
    during = lambda name: motion[name][-1] - motion[name][0]
    energy = motion["energy"]
    lines = [f"energy: {energy[0]:.6g} -> {energy[-1]:.6g} J"]
    if motion.q is not None:
        lost = [(during(name), what) for name, what in MECHANISMS.items() if abs(during(name)) > 1e-12 * abs(energy).max()]
        if lost:
            lines[0] += ", lost to " + ", ".join(f"{what} {value:.3g} J" for value, what in lost)
        span = motion.t[-1] - motion.t[0]
        if span > 0.0 and weight > 0.0:
            lines.append(f"contact: the mean normal force is {during('impulse') / (span * weight):.4f} of the weight")
    gap = motion["gap"]
    open_ = np.flatnonzero(gap > 1e-6)
    if open_.size:
        lines.append(
            f"contact: open at {open_.size} of {gap.size} instants, first at t = {motion.t[open_[0]]:.6g} s; gap up to {gap.max():.3g} m"
        )
    else:
        lines.append(f"contact: closed throughout (gap between {gap.min():.1e} and {gap.max():.1e} m)")
    return lines


def contact_energy(system: Any) -> dict[str, tuple[str, ...]]:
    """What a body with contacts keeps: its energy and all losses, unless a surface moves and does work."""
    return {} if contacts_move(system) else {"energy": ("energy", *MECHANISMS)}


@kept.register(Sliding)
def _(system):
    return contact_energy(system)


@highlights.register(Sliding)
def _(system, motion):
    weight = system.body.mass * float(np.linalg.norm(system.gravity))
    lines = friction_highlights(motion, weight)
    if lines:
        slip = motion["slip"]
        still = np.flatnonzero(slip > 1e-6)
        if still.size == 0:
            lines.append("slip: none")
        elif still[-1] < slip.size - 1 and motion["gap"][-1] < 1e-6:
            lines.append(f"slip: up to {slip.max():.4g} m/s, none after t = {motion.t[still[-1]]:.6g} s")
        else:
            lines.append(f"slip: up to {slip.max():.4g} m/s, {slip[-1]:.3g} m/s at the end")
        lines += fit_lines(system.body.shape)
    return lines
