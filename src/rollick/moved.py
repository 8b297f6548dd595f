"""Modules that moved: the old name still works, with a sentence that says the new one.

Only modules that documents or examples named, and those that others may have imported all the same, are listed. What was inside them may have
other names now; the CHANGELOG says which.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import warnings
from types import ModuleType
from typing import Any

_MECHANICS = {
    "inertia": "mass.properties",
    "primitives": "mass.primitives",
    "mesh": "mass.mesh",
    "curvature": "shapes.curvature",
    "meridian": "shapes.meridian",
    "revolution": "shapes.revolution",
    "surface": "shapes.triangles",
    "plane": "surfaces.plane",
}
_MOTION = {
    "motion": "result.motion",
    "outcome": "result.outcome",
    "dataset": "result.files",
    "trust": "result.verify",
    "roots": "events.roots",
    "dense": "ode.dense",
    "control": "ode.control",
    "dop853": "ode.dop853",
    "explicit": "ode.explicit",
    "implicit": "ode.implicit",
    "wrappers": "ode.extended",
    "tangent": "ode.columns",
}
_LANDER = ("candidates", "crater", "descent", "fit", "patterns", "pictures", "printed", "sun_track", "uncertainty")
MOVED = {
    **{f"rollick.mechanics.{old}": f"rollick.mechanics.{new}" for old, new in _MECHANICS.items()},
    **{f"rollick.motion.{old}": f"rollick.motion.{new}" for old, new in _MOTION.items()},
    **{f"rollick.archetypes.lander.{name}": f"rollick.studies.philae.{name}" for name in _LANDER},
    "rollick.archetypes.tops.finish": "rollick.archetypes.tops.dissipation",
}


class Moved(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a module that moved under its old name: it is the new one, not a copy of it."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """The place of a module that is listed; the others are found elsewhere."""
        return importlib.machinery.ModuleSpec(name, self) if name in MOVED else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The module at its new place."""
        new = MOVED[spec.name]
        warnings.warn(
            f"{spec.name} is {new} now; the old name still works, but please import {new}.", FutureWarning, stacklevel=2
        )
        module = importlib.import_module(new)
        spec.loader_state = module.__spec__  # the import system is about to replace it
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already, at its new place."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Make the old names importable."""
    if not any(isinstance(finder, Moved) for finder in sys.meta_path):
        sys.meta_path.append(Moved())
