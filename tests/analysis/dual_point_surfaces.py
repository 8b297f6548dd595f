"""An ellipsoid among curved and moving surfaces, put so that any two of them touch it; what the engine says about its accelerations."""

import numpy as np
from motion.judge.seen import View
from scipy.optimize import root

from rollick import Body
from rollick import Ellipsoid as EllipsoidShape
from rollick.analysis.dual_point import dual_point
from rollick.mechanics.laws import Coulomb
from rollick.mechanics.sliding import sliding
from rollick.mechanics.sliding.touching import met_at
from rollick.mechanics.surfaces import Bowl, Funnel, Pipe, Rail, Swing, Tilting, wall
from rollick.motion.contact.balance import look
from rollick.motion.contact.held import SLIP, STICK

T = 0.37


def among(rng):
    """A body in a bowl, a pipe, a funnel, on a rail and on a wall that swings; its mass centre is off its middle."""
    inertia = np.diag(rng.uniform(1.0, 1.3, 3)) * 4e-3
    body = Body.from_inertia(
        rng.uniform(0.5, 2.0), inertia.tolist(), EllipsoidShape(*rng.uniform(0.06, 0.12, 3)), tuple(rng.uniform(-0.02, 0.02, 3))
    )
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    surfaces = [
        Bowl(rng.uniform(0.5, 1.0)),
        Pipe(rng.uniform(0.5, 1.0), tuple(axis)),
        Funnel(rng.uniform(0.5, 1.0)),
        Rail(rng.uniform(0.1, 0.4), tuple(axis)),
        Tilting(wall(rng.normal(size=3)), Swing(0.3, 0.5), tuple(axis)),
    ]
    return sliding(body, on=[(s, Coulomb(float(rng.uniform(0.05, 0.5)))) for s in surfaces], sigma=float(rng.uniform(0.0, 0.02)))


def put(system, rng, pair):
    """A position in which two surfaces touch the body; None if none is found."""
    q = np.concatenate([rng.uniform(-0.3, 0.3, 2), [rng.uniform(0.3, 0.6)], rng.normal(size=4)])
    q[3:] /= np.linalg.norm(q[3:])
    free = rng.normal(size=3)

    def gaps(x):
        here = np.concatenate([x, q[3:]])
        return [met_at(system, T, here, pair[0])[1].gap, met_at(system, T, here, pair[1])[1].gap, (x - q[:3]) @ free]

    found = root(gaps, q[:3], tol=1e-14)
    if not np.all(np.isfinite(found.x)) or np.abs(gaps(found.x)).max() > 1e-12:
        return None
    q[:3] = found.x
    return q


def moving_state(system, q, pair, mode, rng):
    """Velocities that keep both contacts, and slip as the mode says."""
    rows, right = [], []
    R, _ = met_at(system, T, q, pair[0])
    R = np.array(R)
    for k, letter in zip(pair, mode):
        _, met = met_at(system, T, q, k)
        r, w = R @ np.array(met.rho), np.array(met.velocity)
        for e in [np.array(met.normal)] if letter == "S" else np.eye(3):
            rows.append(np.concatenate([e, R.T @ np.cross(r, e)]))
            right.append(e @ w)
    A, u = np.array(rows), rng.normal(size=6) * [1, 1, 1, 5, 5, 5]
    return np.concatenate([q, u - np.linalg.pinv(A, 1e-10) @ (A @ u - right)])


def engine(system, y, pair, mode):
    """(v', Omega') in space axes, from the engine's balance of both contacts."""
    count = 5
    modes = tuple({"S": SLIP, "R": STICK}[mode[pair.index(k)]] if k in pair else 0 for k in range(count))
    gaps, mu, speeds, c, gamma = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(3 * count), np.zeros(3 * count)
    A, lift, free = np.zeros((3 * count, 3 * count)), np.zeros((3 * count, 6)), np.zeros(13)
    look(system, modes, T, y, gaps, mu, speeds, free, c, A, lift, gamma)
    seen = View(gaps, mu, gamma.reshape(-1, 3), c.reshape(-1, 3), A, lift, free, np.full(count, 1e-10))
    made = seen.motion(seen.forces(modes))
    R = np.array(met_at(system, T, y[:7], 0)[0])
    return np.concatenate([made[:3], R @ made[3:]])


__all__ = ["T", "among", "dual_point", "engine", "moving_state", "put"]
