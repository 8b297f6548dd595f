"""Random wheelsets over the physical range, with starts; and the account of energy of a motion, mode by mode.

E' = T+.u+ + T-.u- + omega_L eta Psi (T2+ + T2-) + (omega_L/eta) y (T1+ - T1-), see `dry`: slip takes energy; what the treads carry has either sign. Where nothing
runs along the track, omega_L = 0, friction is the only exchange and the energy never grows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .dry import DryWheelset
from .fields import offsets, straight
from .physical import wheelset
from .slip_limit import critical_amplitudes

SLIPS = 0.3  # of C/omega: random slips at the start, in units of what friction makes of them


class Draw(NamedTuple):
    """A wheelset, a start, and how long to follow it (s)."""

    system: DryWheelset
    start: np.ndarray
    until: float


class Account(NamedTuple):
    """Energy at the start and the end (J/kg), what slip took, what the treads carried in, and what is missing over the largest energy."""

    first: float
    last: float
    dissipated: float
    carried: float
    missing: float


def random_wheelsets(seed: int, count: int, standing: bool = False, periods: float = 3.0) -> Iterator[Draw]:
    """Wheelsets from freight to high speed, from creeping to 400 km/h, and starts up to three critical amplitudes with and without slip.

    standing: those that do not run (omega_L = 0), where friction is the only exchange of energy.
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        m, b, r = rng.uniform(900.0, 2500.0), rng.uniform(0.5, 0.85), rng.uniform(0.35, 0.55)
        made = wheelset(
            m=m,
            J_psi=m * rng.uniform(0.5, 0.85) ** 2,
            J_phi=m * r**2 * rng.uniform(0.2, 0.6),
            k_y=m * rng.uniform(5.0, 110.0) ** 2,
            k_psi=m * b * b * rng.uniform(5.0, 130.0) ** 2,
            b=b,
            r=r,
            mu=rng.uniform(0.05, 0.6),
            F_load=rng.uniform(30e3, 250e3),
            v=rng.uniform(5.0, 110.0),
            conicity=rng.uniform(0.02, 0.5),
        )
        made = made._replace(omega_L=0.0) if standing else made
        pace = max(made.omega_L, made.alpha_y, made.alpha_psi)
        a = rng.uniform(0.3, 3.0) * min(critical_amplitudes(made).amplitude, 0.05)
        phase, slips = rng.uniform(0.0, 2.0 * np.pi), rng.normal(size=3) * SLIPS * made.C / pace
        slips *= [1.0, 1.0, 1.0] if rng.random() < 0.5 else [0.0, 0.0, 0.0]
        start = np.array([a * np.cos(phase), a * np.sin(phase) / made.eta, *slips])
        yield Draw(made, start, periods * 2.0 * np.pi / max(made.omega_L, 0.3 * pace))


def contact_forces(w: DryWheelset, mode: str, x: np.ndarray) -> tuple[Any, Any, Any]:
    """(T1+, T1-, T2+ + T2-) per mass in a mode at states x (rows)."""
    y, Psi, up, um, ua = np.asarray(x, float).T
    A, B = offsets(w)
    own, other = w.M_phi + w.M_psi, w.M_phi - w.M_psi
    if mode == "SS":
        p, q = np.hypot(up, ua), np.hypot(um, ua)
        return -w.C * up / p, -w.C * um / q, -w.C * ua * (1.0 / p + 1.0 / q)
    held = B * y - 0.5 * w.omega_L * w.eta * (up - um)
    if mode == "RR":
        return -A * Psi / (2.0 * w.M_psi), A * Psi / (2.0 * w.M_psi), held
    if mode == "SR":
        T = -w.C * np.sign(up)
        return T, (A * Psi - other * T) / own, held
    T = -w.C * np.sign(um)
    return (-A * Psi - other * T) / own, T, held


def energy_account(motion: Any, nodes: int = 12) -> Account:
    """The account of a motion on a straight track with dense output: Gauss's rule in every step of every mode."""
    w = straight(motion.system)
    energy = motion["energy"]
    modes = motion.provenance["methods"]
    ends = [t for _, t in modes[1:]] + [float(motion.end_time)]
    x, weights = np.polynomial.legendre.leggauss(nodes)
    lost = carried = 0.0
    for (mode, low), high in zip(modes, ends):
        inner = np.unique(np.concatenate([[low], motion.t[(motion.t > low) & (motion.t < high)], [high]]))
        for a, b in itertools.pairwise(inner):
            if b - a <= 1e-14 * max(1.0, abs(b)):
                continue
            states = motion.at(0.5 * (a + b) + 0.5 * (b - a) * x)
            T1p, T1m, T2 = contact_forces(w, mode, states)
            y, Psi, up, um, ua = states.T
            half = 0.5 * (b - a) * weights
            slips = {"SS": T1p * up + T1m * um + T2 * ua, "SR": T1p * up, "RS": T1m * um}.get(mode, 0.0 * y)
            lost -= float(half @ slips)
            carried += float(half @ (w.omega_L * w.eta * Psi * T2 + w.omega_L / w.eta * y * (T1p - T1m)))
    scale = max(float(np.abs(energy).max()), 1e-300)
    return Account(
        float(energy[0]), float(energy[-1]), lost, carried, abs(float(energy[-1] - energy[0]) + lost - carried) / scale
    )
