"""The twelve full models of Sailer's Table 3.3 by name: ODE 1, ODE 2 (smooth Coulomb, lasting contact), and 1-10 by time stepping.

    1, 2    set-valued Coulomb                 5, 6    regularised Coulomb
    3, 4    Coulomb-Contensou                  7, 8    set-valued Coulomb, dry pivoting and contour friction
                                               9, 10   regularised Coulomb, dry pivoting and contour friction

Odd models are in Euler angles (inertial G), even ones in quaternions. The thesis does not print the contact radius (E24): 2.9 mm is equivalent to
eps = 0.1 m/s at 40 rad/s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import choose, number
from ...mechanics.laws.contensou import contensou
from ...mechanics.laws.friction import DryContour, DryPivoting, Friction, friction
from ...mechanics.laws.sliding import Coulomb, Regularised
from ...motion.simulate import simulate
from .build import tippedisk
from .starts import TABLE_OFFSET, TABLE_SPIN, table_start

MU, MU_TAU, MU_R, EPS, RADIUS = 0.3, 3e-3, 3e-3, 0.1, 2.9e-3  # Table 3.2; the last is ours
STEP = 1e-5
MODELS = ("ODE1", "ODE2", *(str(k) for k in range(1, 11)))


def model_law(
    name: str,
    radius: float = RADIUS,
    eps: float = EPS,
    surface: str = "polynomial",
    mu: float = MU,
    mu_tau: float = MU_TAU,
    mu_R: float = MU_R,
) -> Friction:
    """The friction of a model of Table 3.3, with its coefficients or others."""
    name = choose(name, MODELS, "model of Table 3.3")
    if name.startswith("ODE"):
        return friction(Regularised(mu, eps))
    pair = (int(name) + 1) // 2
    more: dict[str, Any] = {"pivoting": DryPivoting(mu_tau, radius), "contour": DryContour(mu_R)} if pair > 3 else {}
    if pair == 2:
        return friction(contensou(mu, radius, surface))
    return friction(Regularised(mu, eps) if pair in (3, 5) else Coulomb(mu), **more)


def has_pivoting(name: str) -> bool:
    """Whether a model of Table 3.3 has dry pivoting and contour friction."""
    return not name.startswith("ODE") and int(name) > 6


def thesis_model(
    name: str,
    disk: Any = "V1",
    radius: float = RADIUS,
    eps: float = EPS,
    surface: str = "polynomial",
    e_N: float = 0.0,
    g: float = 9.81,
    **coefficients: float,
) -> Any:
    """A tippedisk as in a model of Table 3.3; `coefficients` are mu, mu_tau, mu_R other than those of the table."""
    law = model_law(name, radius, eps, surface, **coefficients)
    odd = name in ("ODE1", "1", "3", "5", "7", "9")
    return tippedisk(disk, law, "euler" if odd else "quaternion", e_N, g)


def thesis_motion(
    name: str,
    until: float | str = 5.0,
    *,
    scheme: str = "thesis",
    dt: float | str = STEP,
    spin: float = TABLE_SPIN,
    offset: float = TABLE_OFFSET,
    every: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Any:
    """The motion of a model of Table 3.3 from the start of Table 3.1: ODE models by adaptive integration, the others by time stepping."""
    system = thesis_model(name, **options)
    state = np.concatenate(table_start(system, spin, offset))
    end = number(until, "until", "s")
    if name.startswith("ODE"):
        return simulate(system, state, end, rtol=1e-10, progress=progress)
    return simulate(system, state, end, method=scheme, dt=dt, every=every, progress=progress)
