"""What is worth saying about a rolling motion: what it asks of the contact, and how well its invariants are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.hooks import assumptions, highlights, kept
from ..asked_of_contact import contact_sentence
from ..shapes.fitted import fit_lines
from ..shapes.smoothness import smoothness
from .equations import Marble, Rubber


def energy_sentence(motion: Any, sigma: float) -> str:
    """How much energy there was, and what damping took of it."""
    energy = motion["energy"]
    if sigma == 0.0:
        return f"energy: {energy[0]:.9g} J"
    spent = f", {motion['dissipated'][-1]:.6g} J dissipated" if motion.q is not None else ""
    return f"energy: {energy[0]:.6g} -> {energy[-1]:.6g} J{spent}"


def energy_terms(system: Any) -> tuple[str, ...]:
    """The terms of the energy that a rolling body keeps: what damping took counts, and the height of the contact point on a tilted plane."""
    tilted = system.gravity[0] != 0.0 or system.gravity[1] != 0.0
    return ("energy", *(["dissipated"] if system.sigma != 0.0 else []), *(["climb"] if tilted else []))


@kept.register(Marble)
def _(system):
    return {"energy": energy_terms(system), "|q| - 1": ("length_error",)}


@kept.register(Rubber)
def _(system):
    return {"energy": energy_terms(system), "twist": ("twist",), "|q| - 1": ("length_error",)}


def rolling_highlights(system: Any, motion: Any) -> list[str]:
    """The lines for marble and rubber alike."""
    if motion.t.size == 0:
        return []
    tilted = system.gravity[0] != 0.0 or system.gravity[1] != 0.0
    lines = []
    if not tilted or motion.q is not None:
        lines.append(energy_sentence(motion, system.sigma))
    lines.append(contact_sentence(motion["friction_demand"].max(), motion["lift_off_margin"].min()))
    return lines + fit_lines(system.body.shape)


@assumptions.register(Marble)
@assumptions.register(Rubber)
def _(system):
    found = smoothness(system.body.shape)
    return "" if found.smooth else f"The shape is {found.words()}; rolling assumes a smooth one where it touches."


@highlights.register(Marble)
def _(system, motion):
    return rolling_highlights(system, motion)


@highlights.register(Rubber)
def _(system, motion):
    lines = rolling_highlights(system, motion)
    if lines:
        couple, arm = np.abs(motion["spin_couple"]).max(), motion["spin_demand"].max()
        lines.append(
            f"rubber: preventing twist takes a couple of up to {couple:.3g} N m, {1e3 * arm:.3g} mm times the normal force"
        )
    return lines
