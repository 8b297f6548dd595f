"""Rollick: a laboratory for rigid bodies in contact.

from rollick import Rattleback, simulate
motion = simulate(Rattleback(), start=dict(alpha="0.5deg", beta="0.5deg", omega3=-5), until=20.0)
"""

from __future__ import annotations

import importlib
from typing import Any

from .version import __version__

# Public names and where they live; each is imported when first used, so that `import rollick` takes no time.
_HOMES = {
    "Body": "rollick.mechanics.body",
    "Coulomb": "rollick.mechanics.laws.sliding",
    "Ellipsoid": "rollick.mechanics.shapes.convex",
    "Event": "rollick.motion.events.event",
    "InputError": "rollick.kernel.names",
    "Marble": "rollick.mechanics.rolling",
    "Motion": "rollick.motion.result.motion",
    "MotionWarning": "rollick.motion.result.outcome",
    "Plane": "rollick.mechanics.surfaces.plane",
    "Rattleback": "rollick.archetypes.rattleback",
    "Regularised": "rollick.mechanics.laws.sliding",
    "Revolution": "rollick.mechanics.shapes.revolution",
    "Rim": "rollick.mechanics.shapes.convex",
    "Rubber": "rollick.mechanics.rolling",
    "Sliding": "rollick.mechanics.sliding",
    "Sphere": "rollick.mechanics.shapes.convex",
    "StartAdjusted": "rollick.motion.result.outcome",
    "Sum": "rollick.mechanics.shapes.convex",
    "Superellipsoid": "rollick.mechanics.shapes.convex",
    "Torus": "rollick.mechanics.shapes.convex",
    "Viscous": "rollick.mechanics.laws.sliding",
    "classify": "rollick.analysis.chatter",
    "collide": "rollick.motion.impacts.collide",
    "contensou": "rollick.mechanics.laws.contensou",
    "describe": "rollick.kernel.system",
    "friction": "rollick.mechanics.laws.friction",
    "generic": "rollick.kernel.dispatch",
    "integrals": "rollick.kernel.system",
    "jacobian": "rollick.kernel.derivative",
    "largest_exponent": "rollick.analysis.lyapunov",
    "models": "rollick.archetypes.models",
    "plate": "rollick.mechanics.plate",
    "poincare": "rollick.analysis.section",
    "principal_radii": "rollick.mechanics.shapes.curvature",
    "rate": "rollick.kernel.system",
    "rattleback": "rollick.archetypes.rattleback",
    "reversals": "rollick.archetypes.rattleback",
    "rolling": "rollick.mechanics.rolling",
    "signals": "rollick.kernel.system",
    "simulate": "rollick.motion.simulate",
    "sliding": "rollick.mechanics.sliding",
    "steady_spin": "rollick.archetypes.rattleback",
    "support": "rollick.mechanics.shapes.convex",
    "system_jacobian": "rollick.kernel.derivative",
    "tippedisk": "rollick.archetypes.tippedisk",
    "turned": "rollick.mechanics.shapes.convex",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rollick' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
