"""Infinitely many impacts in finite time, taken in one step: at one point under gravity, and at two points in turn."""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from .loop import FAINT, meeting

NEGLIGIBLE = 1e-17  # a pair has come to rest when what is left of its motion cannot change a double
MOST_PAIRED = 100_000
MOVES, RESTS, PARTS = 0, 1, 2


def settle_point(f: np.ndarray, w: np.ndarray, gamma: float, g: float, q: np.ndarray, p: np.ndarray, j: int) -> float:
    """Carry q and p, right after an impact at j, through all later bounces at j; the time they take.

    With the velocity v after the impact, T_0 = 2 v/g the first flight, the flights are T_0 gamma^k and the jumps (1 + gamma) v gamma^k. So
    T = T_0/(1 - gamma), p+ = p - g T u_3 - (f_j.(p - g T u_3)) w_j, and the jumps displace q by v T_0 gamma/(1 - gamma)^2 w_j.
    """
    v = max(float(f[j] @ p), 0.0)
    first = 2.0 * v / g
    T = first / (1.0 - gamma)
    q += p * T
    q[2] -= 0.5 * g * T * T
    q += v * first * gamma / (1.0 - gamma) ** 2 * w[j]
    q -= float(f[j] @ q) * w[j]
    p[2] -= g * T
    p -= float(f[j] @ p) * w[j]
    return T


@compiled
def settle_pair(f, w, gamma, g, q, p, a, b):
    """Try to carry q and p (tuples, right after an impact at a) through infinitely many impacts at a and b.

    The heights and velocities of two points form a system of their own, also under gravity; it is followed in numbers of its own, which
    keep their digits while the rest of the body moves on. Returns (outcome, time, q, p): MOVES, if another point touches before, or one of the
    two leaves; RESTS; or PARTS: their velocities fall below rounding, yet without gravity their eigenvalues are not real and positive, so that
    in the end they part, at a speed that no double can tell from zero.
    """
    q0, q1, q2 = q
    p0, p1, p2 = p
    ab = f[b, 0] * w[a, 0] + f[b, 1] * w[a, 1] + w[a, 2]
    ba = f[a, 0] * w[b, 0] + f[a, 1] * w[b, 1] + w[b, 2]
    va, vb = f[a, 0] * p0 + f[a, 1] * p1 + p2, f[b, 0] * p0 + f[b, 1] * p1 + p2
    ha, hb = 0.0, max(f[b, 0] * q0 + f[b, 1] * q1 + q2, 0.0)
    speed, length = abs(va) + abs(vb), hb
    T, last, done = 0.0, a, False
    for _ in range(MOST_PAIRED):
        if g > FAINT:
            ta, tb = meeting(ha, va, -g), meeting(hb, vb, -g)
        else:
            ta = ha / -va if va < 0.0 and last != a else math.inf
            tb = hb / -vb if vb < 0.0 and last != b else math.inf
        tau = min(ta, tb)
        if not tau < math.inf or (g > FAINT and ta < tb and last == a) or (g > FAINT and tb < ta and last == b):
            break  # one leaves, or bounces alone
        fall = 0.5 * g * tau * tau
        ha, hb, va, vb = ha + va * tau - fall, hb + vb * tau - fall, va - g * tau, vb - g * tau
        q0, q1, q2, p2 = q0 + p0 * tau, q1 + p1 * tau, q2 + p2 * tau - fall, p2 - g * tau
        T += tau
        if ta < tb:
            jump = -(1.0 + gamma) * va
            ha, va, vb, last = 0.0, -gamma * va, vb + ab * jump, a
            p0, p1, p2 = p0 + jump * w[a, 0], p1 + jump * w[a, 1], p2 + jump * w[a, 2]
        else:
            jump = -(1.0 + gamma) * vb
            hb, vb, va, last = 0.0, -gamma * vb, va + ba * jump, b
            p0, p1, p2 = p0 + jump * w[b, 0], p1 + jump * w[b, 1], p2 + jump * w[b, 2]
        free = True
        for k in range(f.shape[0]):
            if k != a and k != b and f[k, 0] * q0 + f[k, 1] * q1 + q2 <= 0.0:
                free = False
        if not free:
            break
        if abs(va) + abs(vb) <= NEGLIGIBLE * speed and ha + hb <= NEGLIGIBLE * length and tau <= NEGLIGIBLE * T:
            done = True
            break
    if done:
        det = 1.0 - ab * ba
        va, vb = f[a, 0] * p0 + f[a, 1] * p1 + p2, f[b, 0] * p0 + f[b, 1] * p1 + p2
        ha, hb = f[a, 0] * q0 + f[a, 1] * q1 + q2, f[b, 0] * q0 + f[b, 1] * q1 + q2
        ia, ib = (va - ba * vb) / det, (vb - ab * va) / det
        p0, p1, p2 = p0 - ia * w[a, 0] - ib * w[b, 0], p1 - ia * w[a, 1] - ib * w[b, 1], p2 - ia * w[a, 2] - ib * w[b, 2]
        ia, ib = (ha - ba * hb) / det, (hb - ab * ha) / det
        q0, q1, q2 = q0 - ia * w[a, 0] - ib * w[b, 0], q1 - ia * w[a, 1] - ib * w[b, 1], q2 - ia * w[a, 2] - ib * w[b, 2]
    outcome = MOVES
    if done:
        least = 4.0 * gamma / (1.0 + gamma) ** 2  # mu_a mu_b at the limit, see `analysis/chatter/pair.py`
        outcome = RESTS if g > FAINT or (ab < 0.0 and ba < 0.0 and ab * ba >= least) else PARTS
    return outcome, T, (q0, q1, q2), (p0, p1, p2)
