"""The spin speed Omega_h at which non-inverted spinning is connected with itself, in every approximation of the thesis (Tables 5.1 and 5.3), and beyond.

    M2    kappa -> 0, (5.57)                          2D             the slow flow (5.24) at the given eps
    M1    first order in kappa, (5.56)                2D, order n    on the slow manifold to order n in eps
    M     Melnikov's integral, (5.48), eps -> 0       3D linear      Model 1.4 with linear friction
                                                      3D             Model 1.4 with regularised friction

The printed 30.07 of "shooting of (4.39)" belongs to linear friction (E18). Connections are looked for within one and a half per cent of Melnikov's value: far below it
the slow flow is singular (sin beta -> 0) and outcomes alias.
"""

from __future__ import annotations

import math
from typing import Any

from ....analysis.connections import find_connection
from ....analysis.connections.find import Connection
from ..specimens import Disk
from .cycle_integral import nu_first, nu_zeroth, omega_heteroclinic
from .linear import G, critical_speed
from .manifold import OTHER_SADDLE, SADDLE, first_order_flow, slow_flow
from .slow import TippediskSlowNormalised
from .spinning import TippediskReduced

AROUND = 0.015


def speed_unit(disk: Disk, g: float = G) -> float:
    """sqrt(m g r/Bb): Omega = omega times this."""
    return math.sqrt(disk.m * g * disk.r / disk.Bb)


def melnikov_speeds(disk: Disk, g: float = G) -> dict[str, float]:
    """Omega_h^M2, M1 and M."""
    top = critical_speed(disk, g)
    return {
        "M2": top * math.sqrt(float(nu_zeroth(disk.zeta))),
        "M1": top * math.sqrt(float(nu_first(disk.kappa, disk.zeta))),
        "M": speed_unit(disk, g) * float(omega_heteroclinic(disk.kappa, disk.zeta)),
    }


def _between(disk: Disk, g: float) -> tuple[float, float]:
    middle = melnikov_speeds(disk, g)["M"]
    return (1.0 - AROUND) * middle, (1.0 + AROUND) * middle


def connection_slow(
    disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G, order: int = 1, section: bool = False, **options: Any
) -> Connection:
    """The connection of the two-dimensional flow, to an order in eps; `section`: both manifolds compared at gamma = pi/2 instead of near the saddle."""
    low, high = _between(disk, g)
    flow = first_order_flow(disk, mu, eps, g) if order == 1 else slow_flow(disk, order, 0.5 * (low + high), mu, eps, g)
    names = ("beta", "gamma")
    cut = (((0.5 * math.pi, 0.5 * math.pi), (0.0, 1.0)),) if section else (None,)
    upwards = (0.5 * math.pi + 0.2, 0.5 * math.pi)
    return find_connection(
        flow, SADDLE, OTHER_SADDLE, (low, high), towards=upwards, section=cut[0], names=names, count=5, **options
    )


def connection_spinning(
    disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G, linear: bool = False, **options: Any
) -> Connection:
    """The connection of Model 1.4, with linear or regularised friction."""
    system = TippediskReduced(disk, critical_speed(disk, g), mu, eps, g, 0.0 if linear else 1.0)
    upwards = (0.5 * math.pi + 0.2, 0.5 * math.pi, 0.0)
    return find_connection(
        system, (*SADDLE, 0.0), (*OTHER_SADDLE, 0.0), _between(disk, g), "Omega", towards=upwards, count=5, **options
    )


def connection_normalised(kappa: float, zeta: float, delta: float = 0.2, **options: Any) -> Connection:
    """omega_h of the slow flow without dimensions."""
    middle = float(omega_heteroclinic(kappa, zeta))
    system = TippediskSlowNormalised(kappa, zeta, middle, delta)
    between = ((1.0 - AROUND) * middle, (1.0 + AROUND) * middle)
    upwards = (0.5 * math.pi + 0.2, 0.5 * math.pi)
    return find_connection(system, SADDLE, OTHER_SADDLE, between, "omega", towards=upwards, count=5, **options)


def all_speeds(disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G) -> dict[str, float]:
    """Omega_h in all approximations, by name."""
    found = melnikov_speeds(disk, g)
    found["2D"] = connection_slow(disk, mu, eps, g).value
    found["3D linear"] = connection_spinning(disk, mu, eps, g, linear=True).value
    found["3D"] = connection_spinning(disk, mu, eps, g, boundary_value=False).value
    return found
