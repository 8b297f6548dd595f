"""Forces inside the friction cones, where redundant contacts leave a choice.

Contacts that stick hold with lambda = lambda_0 + Z eta, Z the forces between the contacts that do not move the body. Wanted is the eta for which the
least margin (N of contacts that slip, mu N - |T| of those that stick) is largest: a small convex problem, by Newton's method with a barrier

    tau (s + w |eta|^2) - sum log((mu N + s)^2 - |T|^2) - sum log(N + s) - log(1 + s),      tau -> infinity,

s the negative margin. 1 + s keeps it bounded where contacts could be squeezed at will (a wedge).
"""

from __future__ import annotations

import numpy as np

TAUS = tuple(10.0**i for i in range(0, 12))
CENTRED = 1e-2  # a margin (of 1) that will do
WEIGHT = 1e-3
NEWTON = 40


def best_margin(forces: np.ndarray, Z: np.ndarray, sticks: list[tuple[int, float]], slips: list[int]) -> tuple[np.ndarray, float]:
    """eta and the least margin. Forces by contact in units of their size; `sticks`: contacts and mu."""
    p = Z.shape[1]
    rows = [np.array([[mu, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) for _, mu in sticks]
    cones = [
        (B @ forces[3 * k : 3 * k + 3], np.hstack([B @ Z[3 * k : 3 * k + 3], [[1.0], [0.0], [0.0]]]))
        for B, (k, _) in zip(rows, sticks)
    ]
    lines = [(forces[3 * k], np.append(Z[3 * k], 1.0)) for k in slips] + [(1.0, np.append(np.zeros(p), 1.0))]

    def value(x: np.ndarray, tau: float) -> float:
        total = tau * (x[-1] + WEIGHT * float(x[:-1] @ x[:-1]))
        for f, J in cones:
            v = f + J @ x
            room = v[0] * v[0] - v[1] * v[1] - v[2] * v[2]
            if v[0] <= 0.0 or room <= 0.0:
                return np.inf
            total -= np.log(room)
        for f, J in lines:
            if f + J @ x <= 0.0:
                return np.inf
            total -= np.log(f + J @ x)
        return float(total)

    def slopes(x: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
        g, H = np.append(2.0 * WEIGHT * tau * x[:-1], tau), np.diag(np.append(np.full(p, 2.0 * WEIGHT * tau), 0.0))
        for f, J in cones:
            v = f + J @ x
            e = np.array([v[0], -v[1], -v[2]])
            room = float(e @ v)
            g -= 2.0 * (J.T @ e) / room
            H += J.T @ (4.0 * np.outer(e, e) / room**2 - 2.0 * np.diag([1.0, -1.0, -1.0]) / room) @ J
        for f, J in lines:
            d = f + float(J @ x)
            g -= J / d
            H += np.outer(J, J) / d**2
        return g, H

    x = np.zeros(p + 1)
    x[-1] = 1.0 + max([abs(f).max() * 2.0 for f, _ in cones] + [abs(f) for f, _ in lines])
    for tau in TAUS:
        for _ in range(NEWTON):
            g, H = slopes(x, tau)
            step = -np.linalg.lstsq(H, g, rcond=1e-14)[0]
            if not float(-g @ step) > 1e-10:
                break
            share, now = 1.0, value(x, tau)
            while share > 1e-10 and not value(x + share * step, tau) <= now + 0.1 * share * float(g @ step):
                share *= 0.5
            if share <= 1e-10:
                break
            x = x + share * step
        if (x[-1] < -CENTRED and tau >= 10.0) or x[-1] > (
            2 * len(cones) + len(lines)
        ) / tau + CENTRED:  # good enough, or hopeless
            break
    return x[:-1], -float(x[-1])
