"""The numbers of Radau's collocation method with five stages (order 9), computed from its definition.

Nodes: the zeros of the (s-1)th derivative of x^(s-1) (x-1)^s; the last is 1. On the nodes a rate is a polynomial of degree s - 1; `at_probe` and `until_probe`
tell its value at a place between the nodes, and its integral until there: where the error is estimated. `dense` are the rows of the dense output. The rate at the
start is not used: where slip begins its direction there is known less well than at the nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from .dense import FROM_PLACES, PLACES

STAGES = 5
PROBE = 0.43


class Collocation(NamedTuple):
    """Nodes, weights a_ij, value and integral at the probe, dense output (rows by nodes)."""

    nodes: np.ndarray
    weights: np.ndarray
    at_probe: np.ndarray
    until_probe: np.ndarray
    dense: np.ndarray


def basis(places: np.ndarray) -> list[Polynomial]:
    """Lagrange's polynomials on some places."""
    found = []
    for i, x in enumerate(places):
        others = np.delete(places, i)
        found.append(Polynomial.fromroots(others) / np.prod(x - others))
    return found


def radau() -> Collocation:
    """Computed once."""
    s = STAGES
    generating = (Polynomial([0.0, 1.0]) ** (s - 1) * Polynomial([-1.0, 1.0]) ** s).deriv(s - 1)
    nodes = np.sort(generating.roots().real)
    for _ in range(3):
        nodes = nodes - generating(nodes) / generating.deriv()(nodes)
    nodes[-1] = 1.0
    weights = np.array([[p.integ()(c) for p in basis(nodes)] for c in nodes])
    integrals = np.array([[p.integ()(x) for p in basis(nodes)] for x in PLACES])
    return Collocation(
        nodes,
        weights,
        np.array([p(PROBE) for p in basis(nodes)]),
        np.array([p.integ()(PROBE) for p in basis(nodes)]),
        FROM_PLACES @ integrals,
    )


RADAU = radau()
