"""The pictures of a motion by name: over time, phase plane, energy, track, sphere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernel.names import choose
from .budget import plot_energy
from .phase import plot_phase
from .series import plot_motion
from .sphere import plot_sphere
from .style import plot_style
from .track import plot_track

KINDS: dict[str, Callable[..., Any]] = {
    "time": plot_motion,
    "phase": plot_phase,
    "energy": plot_energy,
    "track": plot_track,
    "sphere": plot_sphere,
}


def plot_kind(
    motion: Any, kind: str, names: tuple[str, ...], path: Any, theme: str | None = None, size: str | None = None
) -> Any:
    """A picture of a motion, in a style; returns the figure."""
    draw = KINDS[choose(kind, tuple(KINDS), "kind of picture")]
    with plot_style(theme, size):
        return draw(motion, names, path)
