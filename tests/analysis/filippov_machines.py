"""The flowmeter and the wheelset of M. Antali's thesis (chapters 4 and 5, corrected) as double discontinuities: for tests only."""

import numpy as np

from rollick.analysis.filippov import DoubleSwitching, StaticForces


def flowmeter(v_f, mu=0.1, j=0.4, g=(1 - 1000 / 1160) * 9.81, d=0.1, c=0.03879, full=True, normals=True):
    """x = (u1+, u1-, u2, v); forces per mass."""

    def kappa(v):
        return -c * (v - v_f)

    def forces(x, plus, minus):
        w = x[3] ** 2 / d
        sp, sm = np.sin(plus), np.sin(minus)
        below = 1 + mu**2 * sp * sm
        return (g - mu * sm * w) / below, (w + g * mu * sp) / below

    def directed(x, plus, minus):
        np_, nm = forces(x, plus, minus)
        v, k = x[3], kappa(x[3])
        t1p, t2p, t1m, t2m = (
            -mu * np_ * np.cos(plus),
            -mu * np_ * np.sin(plus),
            -mu * nm * np.cos(minus),
            -mu * nm * np.sin(minus),
        )
        return np.array(
            [
                k + v * x[2] / d + (1 + j) / j * t1p + t1m,
                k + (1 + j) / j * t1m + t1p,
                v * (v - x[0]) / d + (t2p + t2m) / j,
                k + t1p + t1m,
            ]
        )

    def SS(x):
        return directed(x, np.arctan2(x[2], x[0]), np.arctan2(x[2], x[1]))

    def one_sided(mode, x, s):
        v, k, factor = x[3], kappa(x[3]), (1 + 2 * j) / (j * (1 + j))
        if mode == "SR":
            t = -mu * (g - j * v * (v - x[0]) / d) * s
            return np.array([k / (1 + j) + factor * t, 0.0, 0.0, (k + t) / (1 + j)])
        t = -mu * (1 + j) * v**2 / d * s
        return np.array([0.0, k / (1 + j) + factor * t, 0.0, (k + t) / (1 + j)])

    def normal(mode, x):
        v = x[3]
        if mode == "SS":
            return forces(x, np.arctan2(x[2], x[0]), np.arctan2(x[2], x[1]))
        return (g - j * v * (v - x[0]) / d, v**2 / d) if mode == "SR" else (g, (1 + j) * v**2 / d)

    def static(x):
        w, t1 = x[3] ** 2 / d, -j * kappa(x[3]) / (1 + 2 * j)
        return StaticForces(
            np.array([[g, t1, -j * w], [w * (1 + j), t1, 0.0]]), np.array([[1.0, 0, -1.0], [1.0, 0, 1.0]]), (mu, mu)
        )

    return DoubleSwitching(
        SS,
        lambda x: one_sided("SR", x, np.sign(x[0])),
        lambda x: one_sided("RS", x, np.sign(x[1])),
        lambda x: np.array([0.0, 0.0, 0.0, kappa(x[3]) / (1 + 2 * j)]),
        index=(0, 1, 2),
        directed=directed if full else None,
        one_sided=one_sided if full else None,
        normal=normal if normals else None,
        directed_normal=forces if full and normals else None,
        static=static if normals else None,
        names=("u1+", "u1-", "u2", "v"),
        scale=0.1,
    )


def wheelset(w=40.0, eta=1.2, C=8.0, M_psi=1.4, M_phi=5.0, a_y=55.0, a_psi=80.0, full=True):
    """x = (y, Psi, u1+, u1-, ua); forces per mass."""
    A, B = a_psi**2 - w**2, a_y**2 - w**2

    def rates(x, t1p, t2p, t1m, t2m):
        y, P, up, um, ua = x
        still = 0.0 * t1p * t1m  # a row of zeros where directions are given as arrays
        return np.array(
            [
                w * eta * P + ua + still,
                -w / eta * y - (up - um) / 2 + still,
                A * P - w / eta * ua + (M_phi + M_psi) * t1p + (M_phi - M_psi) * t1m,
                -A * P + w / eta * ua + (M_phi - M_psi) * t1p + (M_phi + M_psi) * t1m,
                -B * y + w * eta * (up - um) / 2 + t2p + t2m,
            ]
        )

    def directed(x, plus, minus):
        return rates(x, -C * np.cos(plus), -C * np.sin(plus), -C * np.cos(minus), -C * np.sin(minus))

    def one_sided(mode, x, s):
        y, P, up, um, _ = x
        pull, grip = 2 * M_phi / (M_phi + M_psi) * A * P, 4 * M_phi * M_psi / (M_phi + M_psi) * C * s
        if mode == "SR":
            return np.array([w * eta * P, -w / eta * y - up / 2, pull - grip, 0.0, 0.0])
        return np.array([w * eta * P, -w / eta * y + um / 2, 0.0, -pull - grip, 0.0])

    def static(x):
        t = -A * x[1] / (2 * M_psi)
        half = B * x[0] / 2
        return StaticForces(np.array([[C, t, half], [C, -t, half]]), np.array([[0, 0, 1.0], [0, 0, -1.0]]), (1.0, 1.0))

    return (
        DoubleSwitching(
            lambda x: directed(x, np.arctan2(x[4], x[2]), np.arctan2(x[4], x[3])),
            lambda x: one_sided("SR", x, np.sign(x[2])),
            lambda x: one_sided("RS", x, np.sign(x[3])),
            lambda x: np.array([w * eta * x[1], -w / eta * x[0], 0.0, 0.0, 0.0]),
            index=(2, 3, 4),
            directed=directed if full else None,
            one_sided=one_sided if full else None,
            normal=lambda mode, x: (C, C),
            static=static,
            names=("y", "Psi", "u1+", "u1-", "ua"),
            scale=0.01,
        ),
        A,
        B,
    )
