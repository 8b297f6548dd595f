"""Random bodies with two contacts, and Newton-Euler's equations with multipliers for them: no code shared with `rollick.analysis.dual_point`."""

import numpy as np

from rollick.analysis.dual_point import Contact, DualPoint, moving


def cross_matrix(w):
    """w x."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def random_rotation(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def tangents(n):
    """Two unit vectors across n and each other, in no particular direction."""
    e = np.linalg.svd(n[None])[2][1:]
    return e


class Ellipsoid:
    """An ellipsoid with its mass centre off its middle between two planes, in any attitude, with any inertia and load."""

    def __init__(self, rng, mode="SS", mu=None):
        self.m = rng.uniform(0.5, 3.0)
        inner = random_rotation(rng)
        a, b, c = rng.uniform(0.05, 0.15, 3)
        self.J = self.m * inner @ np.diag([a * a + b * b, a * a + c * c, b * b + c * c]) @ inner.T
        self.n = [v / np.linalg.norm(v) for v in rng.normal(size=(2, 3))]
        R, axes = random_rotation(rng), rng.uniform(0.3, 1.0, 3)
        self.S = R @ np.diag(axes**2) @ R.T
        self.offset = rng.uniform(-0.1, 0.1, 3)  # from the mass centre to the middle
        self.mu = rng.uniform(0.05, 0.5, 2) if mu is None else mu
        self.F, self.M = 10.0 * self.m * rng.normal(size=3), self.m * rng.normal(size=3)
        self.r = [self.offset - self.S @ n / np.sqrt(n @ self.S @ n) for n in self.n]
        self.twist = self.moved(rng.normal(size=6), mode)

    def rows(self, k, basis):
        """The velocity of contact point k along vectors, per (v, Omega)."""
        return np.array([np.concatenate([e, np.cross(self.r[k], e)]) for e in basis])

    def moved(self, twist, mode):
        """The nearest velocities that keep both contacts, and slip as the mode says."""
        rows = [self.rows(k, [n]) if mode[k] == "S" else self.rows(k, np.eye(3)) for k, n in enumerate(self.n)]
        A = np.vstack(rows)
        return twist - np.linalg.pinv(A, 1e-10) @ (A @ twist)

    def slip(self, k):
        return self.twist[:3] + np.cross(self.twist[3:], self.r[k])

    def drift(self, k):
        """The part of the acceleration of contact point k that velocities give: Omega x r', the middle turning and the point wandering."""
        w, n, S = self.twist[3:], self.n[k], self.S
        W = cross_matrix(w)
        dS = W @ S - S @ W
        q = np.sqrt(n @ S @ n)
        dr = W @ self.offset - dS @ n / q + S @ n * (n @ dS @ n) / (2 * q**3)
        return np.cross(w, dr)

    def solve(self, mode):
        """(v', Omega') and the forces (vectors) with multipliers: 6 accelerations, 3 multipliers per contact."""
        w = self.twist[3:]
        A, b = np.zeros((0, 12)), []
        for i in range(3):
            row = np.zeros(12)
            row[i], row[6 + i], row[9 + i] = self.m, -1.0, -1.0
            A, b = np.vstack([A, row]), [*b, self.F[i]]
        turn = np.hstack([np.zeros((3, 3)), self.J, -cross_matrix(self.r[0]), -cross_matrix(self.r[1])])
        A, b = np.vstack([A, turn]), [*b, *(self.M - np.cross(w, self.J @ w))]
        for k in (0, 1):
            n, force = self.n[k], np.zeros((3, 12))
            force[:, 6 + 3 * k : 9 + 3 * k] = np.eye(3)
            held = [n] if mode[k] == "S" else [n, *tangents(n)]
            for e in held:
                A = np.vstack([A, np.concatenate([self.rows(k, [e])[0], np.zeros(6)])])
                b.append(-e @ self.drift(k))
            if mode[k] == "S":
                g = self.slip(k)
                for e in tangents(n):
                    A = np.vstack([A, (e + self.mu[k] * (e @ g) / np.linalg.norm(g) * n) @ force])
                    b.append(0.0)
        size = np.abs(A).max(axis=1)
        z = (
            np.linalg.lstsq(A / size[:, None], np.array(b) / size, rcond=1e-13)[0]
            if mode == "RR"
            else np.linalg.solve(A / size[:, None], np.array(b) / size)
        )
        return z[:6], z[6:].reshape(2, 3)

    def radii(self, k):
        """dp/dn of the support map."""
        n, S = -self.n[k], self.S
        q = np.sqrt(n @ S @ n)
        P = np.eye(3) - np.outer(n, n)
        made = P @ (S / q - np.outer(S @ n, S @ n) / q**3) @ P
        return 0.5 * (made + made.T)

    def point(self):
        """The same as a `DualPoint`."""
        made = [Contact(self.r[k], self.n[k], float(self.mu[k]), self.radii(k)) for k in (0, 1)]
        bare = DualPoint(made[0], made[1], float(self.m), self.J, self.F, self.M)
        return moving(bare, self.twist[:3], self.twist[3:])
