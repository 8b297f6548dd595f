"""Random states of tippedisks, and their terms in plain Python, for the tests."""

import numpy as np

from rollick.archetypes.tippedisk import (
    specimen,
)
from rollick.mechanics.contact import (
    contact_rows,
    mass_matrix,
    position_rate,
    smooth_forces,
)
from rollick.mechanics.laws.friction import RegularisedContour, RegularisedPivoting, friction
from rollick.mechanics.laws.sliding import Regularised

V1 = specimen("V1")
SMOOTH = Regularised(0.3, 0.1)
WHOLE = friction(SMOOTH, RegularisedPivoting(0.003, 0.003, 0.01), RegularisedContour(0.003, 0.1))
STEP = 1e-100


def a_motion(rng):
    """Angles, rates, position and slip of a random start in contact."""
    return {
        "alpha": rng.uniform(-3.0, 3.0), "beta": rng.uniform(0.2, 2.9), "gamma": rng.uniform(-3.0, 3.0),
        "alpha_rate": 40.0 * rng.normal(), "beta_rate": 5.0 * rng.normal(), "gamma_rate": 20.0 * rng.normal(),
        "x": 0.1 * rng.normal(), "y": 0.1 * rng.normal(), "slip": tuple(0.3 * rng.normal(size=2)),
    }  # fmt: skip


def terms(system, q, u):
    """q', M, f and the rows of all contacts, by plain Python."""
    kind = np.result_type(q, u)
    dq, M, f = np.zeros(len(q), kind), np.zeros((6, 6), kind), np.zeros(6, kind)
    W = np.full((3, 6, 6), np.nan, kind)
    position_rate(system, q, u, dq)
    mass_matrix(system, q, M)
    smooth_forces(system, 0.0, q, u, f)
    for k in range(3):
        contact_rows(system, 0.0, q, k, W[k])
    return dq, M, f, W
