"""Points of a branch: ordinary ones, and special ones that were located between two of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

KINDS = {
    "EP": "end point",
    "LP": "fold",
    "BP": "branch point",
    "H": "Hopf point",
    "NS": "neutral saddle",
    "CP": "cusp",
    "BT": "Bogdanov-Takens point",
    "GH": "generalised Hopf point",
    "ZH": "zero-Hopf point",
    "HH": "Hopf-Hopf point",
    "LPC": "fold of cycles",
    "PD": "period doubling",
    "TR": "torus bifurcation (Neimark-Sacker)",
    "BPC": "branch point of cycles",
    "GRAZ": "grazing",
    "CPC": "cusp of cycles",
    "GPD": "generalised period doubling",
    "CH": "Chenciner point (generalised Neimark-Sacker)",
    "R1": "1:1 resonance",
    "R2": "1:2 resonance",
    "R3": "1:3 resonance",
    "R4": "1:4 resonance",
    "LPPD": "fold-flip point of cycles",
    "LPNS": "fold of cycles on a torus bifurcation",
    "PDNS": "period doubling on a torus bifurcation",
    "NSNS": "two torus bifurcations at once",
    "USER": "a zero that was asked for",
}


@dataclass
class Point:
    """A point of a branch: where, in which direction it goes on, its arclength, and what was recorded."""

    z: np.ndarray
    tangent: np.ndarray
    s: float
    measures: dict[str, Any] = field(default_factory=dict)
    tests: dict[str, float] = field(default_factory=dict)
    unstable: int | None = None


@dataclass
class Special(Point):
    """A special point: its kind (`KINDS`), a sentence, numbers that belong to it, and arrays (vectors, other tangents) for later use."""

    kind: str = "EP"
    sentence: str = ""
    numbers: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    label: str = ""  # unique within a branch: LP1, H2

    @property
    def parameter(self) -> float:
        """The parameter's value."""
        return float(self.z[-1])

    @property
    def title(self) -> str:
        """The kind in words."""
        return KINDS.get(self.kind, self.kind)

    @property
    def t(self) -> float:  # what `Result.to_dict` asks of events
        """The arclength."""
        return self.s

    @property
    def name(self) -> str:
        """The label."""
        return self.label or self.kind

    @property
    def state(self) -> np.ndarray:
        """The unknowns."""
        return self.z[:-1]

    def __str__(self) -> str:
        told = "".join(f", {name} = {value:.9g}" for name, value in self.numbers.items())
        return f"{self.name} ({self.title}) at {self.parameter:.12g}{told}" + (f": {self.sentence}" if self.sentence else "")
