"""The lengths against which gaps and rebounds of a body with contacts are small.

    body_size(system, q)      how large the body is (m): its radius of gyration
    extent(system, q)         how large the positions are that gaps are differences of (m)

The defaults follow from the units in `describe`: a velocity in m/s is one of translation, any other one of rotation.
"""

from __future__ import annotations

from ..kernel.compiled import compiled
from ..kernel.dispatch import constant, generic
from ..kernel.local_array import float64, local_array
from ..kernel.scalar import sqrt
from ..kernel.system import description
from .contact import mass_matrix, positions, velocities

BITS = 62  # of a whole number: so many velocities and positions are looked at


@constant
def translations(system):
    """Which velocities are translations, a bit for each: a constant of the type."""


@translations.otherwise
def _(system):
    states = description(system).states[int(positions(system)) :]
    return sum(1 << j for j, state in enumerate(states[:BITS]) if state.unit.startswith("m"))


@constant
def lengths(system):
    """Which positions are lengths, a bit for each: a constant of the type."""


@lengths.otherwise
def _(system):
    states = description(system).states[: int(positions(system))]
    return sum(1 << j for j, state in enumerate(states[:BITS]) if state.unit == "m")


@generic
def body_size(system, q):
    """The size of a body (m). Default: sqrt(J/m) of the largest moment of inertia and the largest mass on the diagonal of M; 1 if nothing turns, or nothing moves along."""


@body_size.otherwise
def _(system, q):
    M = local_array((velocities(system), velocities(system)), float64)
    mass_matrix(system, q, M)
    inertia, mass = 0.0, 0.0
    for j in range(min(BITS, velocities(system))):
        if (translations(system) >> j) & 1:
            mass = max(mass, M[j, j])
        else:
            inertia = max(inertia, M[j, j])
    return sqrt(inertia / mass) if inertia > 0.0 and mass > 0.0 else 1.0


@generic
def extent(system, q):
    """The largest of the positions that gaps are differences of (m). Default: of lengths, and of angles times the body's size."""


@extent.otherwise
def _(system, q):
    largest, size = 0.0, body_size(system, q)
    for j in range(min(BITS, positions(system))):
        largest = max(largest, abs(q[j]) * (1.0 if (lengths(system) >> j) & 1 else size))
    return largest


@compiled
def size_and_extent(system, q):
    """`body_size` and `extent` (m), for Python."""
    return body_size(system, q), extent(system, q)
