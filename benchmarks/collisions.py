"""Speed of collisions: the compiled loop against the same loop in Python, and a chatter map. Ratios within one run."""

from __future__ import annotations

import math
import time

import numpy as np

from rollick.analysis.chatter.simulated import chatter_map
from rollick.mechanics.plate import Plate, regular
from rollick.motion.impacts import loop as c
from rollick.motion.impacts.collide import collide

START = np.array([0.01, 0.02, 1.0, 0.03, 0.05, -1.0])


def compiled(body: Plate, gamma: float, g: float, most: int) -> tuple[int, float]:
    """Impacts and seconds of the compiled loop."""
    f, w = np.ascontiguousarray(body.f), np.ascontiguousarray(body.w)
    s, k = np.append(START, 0.0), np.zeros(c.INTEGERS, np.int64)
    k[[c.LAST, c.BEFORE]] = -1
    nothing = np.empty((0, c.COLUMNS)), np.empty((0, c.LABELS), np.int64)
    began = time.perf_counter()
    c.collisions(f, w, gamma, g, s, k, most, math.inf, -1.0, True, *nothing)
    return int(k[c.COUNT]), time.perf_counter() - began


def plain(body: Plate, gamma: float, most: int) -> tuple[int, float]:
    """The same without gravity in Python with NumPy, rescaled at every impact."""
    f, w, q, p, last = body.f, body.w, START[:3].copy(), START[3:].copy(), -1
    began = time.perf_counter()
    for k in range(most):
        v, h = f @ p, f @ q
        flight = np.where((v < 0) & (np.arange(len(f)) != last), -h / np.where(v == 0, 1.0, v), np.inf)
        last = int(flight.argmin())
        q = q + p * flight[last]
        q -= (f[last] @ q) * w[last]
        p = p - (1 + gamma) * v[last] * w[last]
        if p[2] > 0:
            return k + 1, time.perf_counter() - began
        q, p = q / np.abs(q).max(), p / np.abs(p).max()
    return most, time.perf_counter() - began


def main() -> None:
    """Print impacts per second and ratios."""
    body = regular(4, 0.25)
    compiled(body, 0.2, 0.0, 10)
    compiled(body, 0.2, 1.0, 10)
    count, seconds = plain(body, 0.2, 20_000)
    python = seconds / count
    best = {}
    for name, n, rho, gamma, g in (
        ("n = 4, no gravity", 4, 0.25, 0.2, 0.0),
        ("n = 3, no gravity", 3, 0.25, 0.2, 0.0),
        ("n = 25, no gravity", 25, 0.05, 0.02, 0.0),
        ("n = 25, gravity", 25, 0.25, 0.5, 1.0),
    ):
        runs = [compiled(regular(n, rho), gamma, g, 2_000_000 if g == 0.0 else 20_000) for _ in range(3)]
        best[name] = min(s / k for k, s in runs)
        print(f"{name:<20} {best[name] * 1e9:7.1f} ns per impact, {1e-6 / best[name]:6.1f} million impacts per second")
    print(f"Python with NumPy    {python * 1e9:7.0f} ns per impact: {python / best['n = 4, no gravity']:.0f} times as long")
    began = time.perf_counter()
    collide(body, 0.2, START, max_impacts=100_000)
    print(f"collide, 100 000 impacts, all recorded: {time.perf_counter() - began:.3f} s")
    began = time.perf_counter()
    chatter_map(4, np.linspace(0.01, 0.6, 200), np.linspace(0.0, 1.0, 200), progress=False)
    print(f"chatter map, 200 x 200 points, 20 drops each: {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
