"""Shooting: the flow itself, by the compiled integrators with their derivatives, tells where a piece of an orbit ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, whole
from .equations import Links
from .flow import TIGHT
from .modes_flow import flow_of, through_modes


@dataclass(frozen=True)
class Shooting:
    """One start, followed around. `parts`: in how many pieces, so that multipliers of very different sizes keep their digits."""

    parts: int = 8
    integrator: Any = TIGHT
    name: str = "shooting"

    def links(self, system: Any, closure: Any, parameter: str | None) -> OneStart:
        """What `Equations` need."""
        count = whole(self.parts, "parts")
        if count < 1:
            raise InputError(f"parts = {self.parts!r} of Shooting must be at least 1.")
        if through_modes(system):
            count = 1
        return OneStart(flow_of(system, parameter, self.integrator), np.linspace(0.0, 1.0 / closure.order, count + 1))


@dataclass(frozen=True)
class MultipleShooting:
    """Several starts, each followed to the next one: for orbits that repel strongly."""

    segments: int = 16
    integrator: Any = TIGHT
    name: str = "multiple shooting"

    def links(self, system: Any, closure: Any, parameter: str | None) -> ManyStarts:
        """What `Equations` need."""
        count = whole(self.segments, "segments")
        if count < 1:
            raise InputError(f"segments = {self.segments!r} of MultipleShooting must be at least 1.")
        return ManyStarts(flow_of(system, parameter, self.integrator), np.linspace(0.0, 1.0 / closure.order, count + 1))


class OneStart:
    """Links of single shooting: pieces of the flow one after the other, and their product."""

    pieces = 1

    def __init__(self, flow: Any, fractions: np.ndarray):
        self.flow, self.fractions = flow, fractions
        self.plain: Any = None

    @property
    def mesh(self) -> np.ndarray:
        """Beginning and end."""
        return self.fractions[[0, -1]]

    def begin_at(self, part: float) -> None:
        """Begin at another part of the period: what jumps at t = 0 is smooth there."""
        self.fractions = self.fractions - self.fractions[0] + part

    def ends_alone(self, system: Any, U: np.ndarray, T: float) -> np.ndarray:
        """Where the orbit ends, without derivatives."""
        if self.plain is None:
            self.plain = flow_of(system, None, getattr(self.flow, "method", None), derivatives=False)
        self.plain.put(system)
        return self.plain.over(self.fractions[[0, -1]] * T, U).ends

    def __call__(self, system: Any, U: np.ndarray, T: float) -> Links:
        self.flow.put(system)
        found = self.flow.over(self.fractions * T, U, chained=True)
        M, w = found.matrices[0], found.by_parameter[0]
        for G, g in zip(found.matrices[1:], found.by_parameter[1:]):
            M, w = G @ M, G @ w + g
        by_period = found.last_rates[-1] * self.fractions[-1] - M @ found.first_rates[0] * self.fractions[0]
        return Links(found.ends[-1:], M[None], by_period[None], w[None], found.first_rates[:1], found.matrices)


class ManyStarts:
    """Links of multiple shooting: each piece from its own start, at the time s_i T: also its beginning moves with T."""

    def __init__(self, flow: Any, mesh: np.ndarray):
        self.flow, self.mesh, self.fractions = flow, mesh, mesh
        self.pieces = len(mesh) - 1

    def __call__(self, system: Any, U: np.ndarray, T: float) -> Links:
        self.flow.put(system)
        found = self.flow.over(self.mesh * T, U)
        moved = np.einsum("ijk,ik->ij", found.matrices, found.first_rates) * self.mesh[:-1, None]
        by_period = found.last_rates * self.mesh[1:, None] - moved
        return Links(found.ends, found.matrices, by_period, found.by_parameter, found.first_rates, found.matrices)
