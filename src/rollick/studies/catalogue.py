"""The studies there are."""

from __future__ import annotations

import importlib

from ..kernel.names import choose
from .ledger import Study

_HOMES = {
    "rattleback": "rollick.studies.rattleback",
    "rubber": "rollick.studies.rubber",
    "tippedisk": "rollick.studies.tippedisk",
    "collisions": "rollick.studies.collisions",
}


def study_names() -> list[str]:
    """The names of all studies."""
    return list(_HOMES)


def study(name: str) -> Study:
    """A study by name."""
    return importlib.import_module(_HOMES[choose(name, _HOMES, "study")]).STUDY
