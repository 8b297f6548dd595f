"""How large a body is: what gaps and rebounds are small against."""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...kernel.scalar import sqrt
from ...mechanics.contact import mass_matrix, velocities


@compiled
def radius_of_gyration(M):
    """sqrt(tr J/tr m) (m) of the mass matrix of a rigid body with the velocities v and omega."""
    return sqrt((M[3, 3] + M[4, 4] + M[5, 5]) / (M[0, 0] + M[1, 1] + M[2, 2]))


@compiled
def body_size(system, q):
    """The radius of gyration (m) of a body at the positions q."""
    M = local_array((velocities(system), velocities(system)), float64)
    mass_matrix(system, q, M)
    return radius_of_gyration(M)
