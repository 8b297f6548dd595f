"""Figures beyond the thesis: energies instead of speeds (TW1), the slow manifold of the full model (TW2), other friction (TW3, TW4), toys (TW5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...archetypes.tippedisk.reduced import pictures_more as pictures
from ...archetypes.tippedisk.specimens import specimen


def energy() -> Any:
    """Beyond the thesis: the branches over the energy, and what a launch at a given energy comes to."""
    return pictures.plot_energy(specimen("V1"), name="V1")


def manifold() -> Any:
    """Beyond the thesis: the slip on the slow manifold of the full model beside that of the reduced one."""
    return pictures.plot_manifold(specimen("V1"))


def friction() -> Any:
    """Beyond the thesis: what pivoting, contour and Contensou friction do to the speeds and to the rest."""
    return pictures.plot_friction(specimen("V1"), name="V1")


def toys() -> Any:
    """Beyond the thesis: the least spin that makes a disk of given shape invert."""
    return pictures.plot_toys()


FIGURES: dict[str, Callable[[], Any]] = {"energy": energy, "manifold": manifold, "friction": friction, "toys": toys}
