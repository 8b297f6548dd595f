"""The climb of a disk whose spin is free: height and energy averaged over the orbits of pure rolling, and the smallest spin with which it must be launched.

Neither the spin nor the energy is held in a real inversion. On the orbit with the height c (`rolling_integrals`: lengths in r, energies in m g r) slip lifts S and takes energy at the same small rate s:

    c' = s <cb lambda/sb> (-1),    E' = -s <lambda^2>    =>    dE/dc = <lambda^2>/<cb lambda/sb>

so that with friction linear in the slip the path in the plane (c, E) does not depend on its strength. The regularised law yields more the nearer the force comes to mu: s grows by 1/(1 - |lambda|/mu). The climb stops where <cb lambda/sb> = 0: on the cycle at that energy. A launch with S below (c =
1 - kappa, the amplitude pi - offset) comes to the top (c = 1 + kappa) if it begins above one spin, `launch_speed`. Without losses that would be the one with the energy of inverted spinning at Omega_c.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ....kernel.names import InputError
from ..specimens import Disk
from .heteroclinic import speed_unit
from .linear import G, critical_speed
from .rolling_integrals import orbit

OFFSET = 0.1  # rad, of gamma from -pi/2 at the launch (Table 3.1)
TOP = 0.05  # rad, of gamma from pi/2: a disk within it is on top
NODES = 64
POINTS = 200  # that are told of a climb
MOST = 0.99  # of mu: beyond, the disk would slide


def slopes(kappa: float, zeta: float, Gamma: float, E: float, mu: float = math.inf) -> tuple[float, float]:
    """c' and E' on the orbit with the amplitude Gamma and the energy E, up to a common positive factor; mu: of the regularised law (infinite: linear friction)."""
    o = orbit(kappa, zeta, Gamma, "energy", NODES)
    x = 2.0 * (E - o.c) / (zeta * o.c**2)
    spin = np.sqrt(x) * o.spin
    need = o.q - x * o.spin**2 * o.c / o.q**2 * o.B  # lambda q sb/cb
    force = np.sqrt(np.maximum(1.0 - o.sb**2, 0.0)) / (o.q * o.sb) * np.abs(need)
    w = o.weights / (spin * (1.0 - np.minimum(force / mu, MOST)))
    rise = -float(np.sum(w / (o.q * o.sb**2) * need))
    loss = float(np.sum(w / (o.q * o.sb) ** 2 * need**2))
    return rise, -loss


@dataclass(frozen=True)
class Climb:
    """Heights z_S [m] and energies [J] along a climb; `inverts`: whether it comes to the top."""

    height: np.ndarray
    energy: np.ndarray
    spin: np.ndarray  # of the orbit, where it turns (gamma' = 0) [rad/s]
    inverts: bool


def climb(disk: Disk, Omega: float, g: float = G, offset: float = OFFSET, top: float = TOP, mu: float = math.inf) -> Climb:
    """The climb of a disk launched with S below at the spin Omega, in the limit of small eps."""
    if not 0.0 < offset < math.pi or not 0.0 < top < math.pi:
        raise InputError(
            f"offset = {offset!r} and top = {top!r} are angles from spinning with S below and above, between 0 and pi."
        )
    kappa, zeta, unit = disk.kappa, disk.zeta, speed_unit(disk, g)
    c0 = 1.0 + kappa * math.cos(math.pi - offset)
    E0 = 0.5 * (zeta * math.cos(offset) ** 2 + math.sin(offset) ** 2) * (Omega / unit) ** 2 + c0

    def rate(t: float, y: np.ndarray) -> list[float]:
        Gamma = math.acos(min(1.0, max(-1.0, (y[0] - 1.0) / kappa)))
        if y[1] <= y[0]:
            return [0.0, 0.0]
        rise, loss = slopes(kappa, zeta, Gamma, y[1], mu)
        size = math.hypot(rise, loss) + 1e-300  # arclength: the end of the climb is reached in finite steps
        return [rise / size, loss / size]

    def arrived(t: float, y: np.ndarray) -> float:
        return (y[0] - 1.0) / kappa - math.cos(top)

    def turned(t: float, y: np.ndarray) -> float:
        return slopes(kappa, zeta, math.acos(min(1.0, max(-1.0, (y[0] - 1.0) / kappa))), y[1], mu)[0]

    for event in (arrived, turned):
        event.terminal = True  # type: ignore[attr-defined]
    turned.direction = -1.0  # type: ignore[attr-defined]
    if turned(0.0, np.array([c0, E0])) <= 0.0:
        path, inverts = np.array([[c0], [E0]]), False
    else:
        found = solve_ivp(
            rate, (0.0, 2.0 * E0), [c0, E0], events=(arrived, turned), rtol=1e-10, atol=1e-13, method="DOP853", dense_output=True
        )
        path, inverts = found.sol(np.linspace(0.0, found.t[-1], POINTS)), bool(found.t_events[0].size)
    Gamma = np.arccos(np.clip((path[0] - 1.0) / kappa, -1.0, 1.0))
    J = zeta * (np.cos(Gamma) + kappa) ** 2 + np.sin(Gamma) ** 2
    spin = unit * np.sqrt(np.maximum(2.0 * (path[1] - path[0]) / J, 0.0)) * path[0]
    weight = disk.m * g * disk.r
    return Climb(disk.r * path[0], weight * path[1], spin, inverts)


def lossless_launch(disk: Disk, g: float = G) -> float:
    """The spin with S below that has the energy of inverted spinning at Omega_c: Omega^2 = Omega_c^2 + 4 m g e/A. Less can never bring it to stable inverted spinning."""
    return math.sqrt(critical_speed(disk, g) ** 2 + 4.0 * disk.m * g * disk.e / disk.A)


def launch_speed(
    disk: Disk, g: float = G, offset: float = OFFSET, top: float = TOP, tol: float = 1e-6, mu: float = math.inf
) -> float:
    """The smallest spin from which a disk with S below comes to the top, in the limit of small eps: losses of the climb paid."""
    low = high = 0.9 * lossless_launch(disk, g)
    for _ in range(40):
        high *= 1.05
        if climb(disk, high, g, offset, top, mu).inverts:
            break
        low = high
    else:
        raise InputError(
            f"no launch up to {high:.4g} rad/s brings this disk (kappa = {disk.kappa:.4g}, zeta = {disk.zeta:.4g}) to the top."
        )

    def above(Omega: float) -> float:
        return 1.0 if climb(disk, Omega, g, offset, top, mu).inverts else -1.0

    return float(brentq(above, low, high, xtol=tol)) if above(low) < 0.0 else low


def spin_energy(disk: Disk, Omega: Any, inverted: bool = True, g: float = G) -> Any:
    """E = A Omega^2/2 + m g (r +- e) of spinning about the vertical, above (inverted) or below: it grows with Omega, so that either labels the other."""
    return 0.5 * disk.A * np.asarray(Omega) ** 2 + disk.m * g * (disk.r + (disk.e if inverted else -disk.e))


def spin_of_energy(disk: Disk, E: Any, inverted: bool = True, g: float = G) -> Any:
    """The spin of spinning with the energy E; nan where there is none."""
    left = np.asarray(E) - disk.m * g * (disk.r + (disk.e if inverted else -disk.e))
    return np.sqrt(np.where(left >= 0.0, 2.0 * left / disk.A, np.nan))
