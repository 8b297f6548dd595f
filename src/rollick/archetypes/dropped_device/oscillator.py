"""The light oscillator on the rod: its motion between impacts and its largest displacement, in closed form.

While the rod flies, phi' is constant and h'' = -1, so that (5.15) becomes

    u'' + 2 delta u' + K u = 0,    K = Omega^2 - phi'^2,    D = delta^2 - K:

D < 0 vibrates, D > 0 creeps, and for K < 0 the displacement grows without bound (centrifugal instability). All three are written so that
neither D -> 0 nor K -> 0 nor long times lose digits. u' vanishes where

    tan(w s)/w, or tanh(k s)/k = u'/(K u + delta u'),    w^2 = -D, k^2 = D,

and of these instants the first one has the largest |u| (K > 0), or is the only one.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined


@inlined
def free_response(s, u, du, delta, K):
    """u and u' after the time s of free vibration."""
    D = delta * delta - K
    x = D * s * s
    if x > 1e-3:
        k = math.sqrt(D)
        p = delta + k
        slow, fast = math.exp(-K / p * s), math.exp(-p * s)
        a, b = (p * u + du) / (2.0 * k), -(du + K / p * u) / (2.0 * k)
        return a * slow + b * fast, -K / p * a * slow - p * b * fast
    if x < -1e-3:
        w = math.sqrt(-D)
        C, S = math.cos(w * s), math.sin(w * s) / w
    else:
        C = 1.0 + x * (1 / 2 + x * (1 / 24 + x * (1 / 720 + x / 40320)))
        S = s * (1.0 + x * (1 / 6 + x * (1 / 120 + x * (1 / 5040 + x / 362880))))
    fading = math.exp(-delta * s)
    return fading * (u * C + (du + delta * u) * S), fading * (du * C - (K * u + delta * du) * S)


@inlined
def first_turn(u, du, delta, K):
    """The first time s > 0 at which u' = 0 in free vibration; inf if there is none."""
    D = delta * delta - K
    bottom = K * u + delta * du
    if abs(D) * du * du < 1e-3 * bottom * bottom and du * bottom > 0.0:
        q = du / bottom
        x = D * q * q
        return q * (1.0 + x * (1 / 3 + x * (1 / 5 + x * (1 / 7 + x / 9))))
    if D < 0.0:
        w = math.sqrt(-D)
        angle = math.atan2(du * w, bottom)
        return (angle if angle > 0.0 else angle + math.pi) / w
    if D == 0.0:
        return math.inf
    k = math.sqrt(D)
    p = delta + k
    above, below = K * u + p * du, K * (u + du / p)
    if below == 0.0:
        return math.inf
    ratio = above / below
    return math.log(ratio) / (2.0 * k) if ratio > 1.0 else math.inf


@inlined
def flight_peak(s, u, du, delta, K):
    """The largest |u| within a flight of duration s, and when it occurs; the end of the flight is not looked at."""
    most, when = abs(u), 0.0
    turn = first_turn(u, du, delta, K)
    if turn < s:
        there = abs(free_response(turn, u, du, delta, K)[0])
        if there > most:
            most, when = there, turn
    return most, when


@compiled
def resting_peak(u, du, load, delta, K):
    """The largest |u| of an oscillator that rings down under a constant load, u'' + 2 delta u' + K u = load, and when it occurs."""
    rest = load / K
    most, when = abs(u), 0.0
    y, dy, t = u - rest, du, 0.0
    for _ in range(2):  # the turn towards either side of the rest position; all later ones are smaller
        turn = first_turn(y, dy, delta, K)
        if turn == math.inf:
            break
        y = free_response(turn, y, dy, delta, K)[0]
        dy = 0.0
        t += turn
        if abs(rest + y) > most:
            most, when = abs(rest + y), t
    if abs(rest) > most:
        most, when = abs(rest), math.inf
    return most, when


@compiled
def reference_peak(speed, delta, Omega):
    """sup |u_r|: free vibration from u_r = 0, u_r' = speed, the rod at rest, no weight: (5.23), (5.24)."""
    turn = first_turn(0.0, speed, delta, Omega * Omega)
    return abs(free_response(turn, 0.0, speed, delta, Omega * Omega)[0])
