"""An independent judge of the dropped rod: SciPy's integrator with events, complex coordinates, multipliers; no code shared with the archetype.

The component is the point z = z_c + (r + i u) exp(i phi) of the plane, and its equation is the part of Newton's law across the rod. A slipping
end is held by a force found from the linear system of (h'', phi'', force). Impacts come from the same two balances and restitution.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp


class Verdict(NamedTuple):
    """What the judge found: impacts (t, end, impulse) and the largest |u| up to the impact after the last of them."""

    impacts: list[tuple[float, int, float]]
    peak: float


def rate(t, y, rho, r, Omega, delta, centrifugal, held):
    """d/dt of (h, phi, u, h', phi', u'); `held` is the end on the floor, or None."""
    _, phi, u, dh, dphi, du = y
    side = 0.0 if held is None else (1.0 if held == 0 else -1.0)
    # unknowns: h'', phi'', force;  h'' = force - 1,  rho^2 phi'' = side cos(phi) force,  (h + side sin phi)'' = 0
    A = np.array([[1.0, 0.0, -1.0], [0.0, rho**2, -side * math.cos(phi)], [0.0, 0.0, 1.0]])
    b = np.array([-1.0, 0.0, 0.0])
    if held is not None:
        A[2] = [1.0, side * math.cos(phi), 0.0]
        b[2] = side * dphi**2 * math.sin(phi)
    ddh, ddphi, _ = np.linalg.solve(A, b)
    frame = 1j * ddh * np.exp(-1j * phi) + (r + 1j * u) * (1j * ddphi - centrifugal * dphi**2) + 2j * dphi * 1j * du
    weight = (-1j * np.exp(-1j * phi)).imag
    ddu = weight - Omega**2 * u - 2.0 * delta * du - frame.imag
    return [dh, dphi, du, ddh, ddphi, ddu]


def heights(y):
    """Of both ends."""
    return y[0] + math.sin(y[1]), y[0] - math.sin(y[1])


def strike(y, end, gamma, rho, r):
    """The state after an impact at an end, and the impulse."""
    side = 1.0 if end == 0 else -1.0
    row = np.array([1.0, side * math.cos(y[1])])
    mobility = np.array([1.0, row[1] / rho**2])
    before = row @ y[3:5]
    p = -(1.0 + gamma) * before / (row @ mobility)
    jump = mobility * p
    new = np.array(y)
    new[3:5] += jump
    new[5] -= (1j * jump[0] * np.exp(-1j * y[1]) + r * 1j * jump[1]).imag
    return new, p


def phase(
    y: np.ndarray, t: float, held: int | None, rest: int | None, args: tuple, tol: float
) -> tuple[float, np.ndarray, int, float]:
    """Integrate until an end touches: (time, state, which end, largest |u|). `rest` is an end that has just been hit."""
    ends = [end for end in (0, 1) if end != held]
    events: list[Any] = []
    for end in ends:
        touch: Any = lambda t, y, *_, end=end: heights(y)[end]
        touch.terminal, touch.direction = True, -1
        events.append(touch)
    turn: Any = lambda t, y, *_: y[5]
    first = 1e-3
    if rest is not None:  # its event must not fire at once, nor may a short bounce be stepped over
        up = y[3] + (1.0 if rest == 0 else -1.0) * y[4] * math.cos(y[1])
        first = min(first, 0.2 * up / (1.0 + y[4] ** 2))
    found = solve_ivp(
        rate,
        (t, t + 50.0),
        y,
        "DOP853",
        rtol=tol,
        atol=1e-15,
        events=[*events, turn],
        args=(*args, held),
        max_step=0.02,
        first_step=first,
    )
    which = next(end for end, times in zip(ends, found.t_events) if len(times))
    seen = [abs(s[2]) for s in found.y_events[-1]] + [float(np.abs(found.y[2]).max())]
    return float(found.t[-1]), found.y[:, -1], which, max(seen)


def judge(
    rho: float,
    gamma: float,
    r: float,
    Omega: float,
    delta: float,
    phi0: float,
    h0: float = 10.0,
    *,
    centrifugal: bool = True,
    most: int = 10,
    tol: float = 1e-12,
) -> Verdict:
    """Follow a drop through `most` impacts and the flight after them."""
    y = np.array([h0, phi0, 0.0, 0.0, 0.0, 0.0])
    args = (rho, r, Omega, delta, 1.0 if centrifugal else 0.0)
    t, peak = 0.0, 0.0
    impacts: list[tuple[float, int, float]] = []
    hit: int | None = None
    while True:
        t, y, hit, seen = phase(y, t, None, hit, args, tol)
        peak = max(peak, seen)
        if len(impacts) == most:
            return Verdict(impacts, peak)
        y[0] = -math.sin(y[1]) if hit == 0 else math.sin(y[1])
        y, p = strike(y, hit, gamma, rho, r)
        impacts.append((t, hit, p))
