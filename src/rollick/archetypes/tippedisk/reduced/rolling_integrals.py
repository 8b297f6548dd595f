"""Cycle integrals with a choice of what is held along an orbit, the spin or the energy, and of the friction law, regularised or Contensou's: `cycle_integral` made general.

On an orbit of pure rolling q sin beta = c, q = 1 + kappa sin gamma (lengths in r, moments in Bb, forces in m g). With p = omega_v c/q^2, omega_v the spin, the body's angular velocity is p (sg +
kappa, cg, 0), its kinetic energy p^2 J/2, J = zeta (sg + kappa)^2 + cg^2. Rolling keeps it, if nothing holds the spin: p falls as J rises. The lateral force that rolling needs is

    lambda = cb/(q sb) (q - p^2 q^2/c B),    B = zeta cg (l (sg + kappa) + cg) - sg (l cg - sg),    l = (dp/dgamma)/p = -2 kappa cg/q (spin held), -J'/(2 J) (energy held)

and the slip it makes, gamma_y = -s lambda, lifts S by c' = cb gamma_y/sb and takes the energy E' = lambda gamma_y; s = eps/(mu m g), or with Contensou's law radius omega_n/(slope mu m g),
which has a factor sin^2 beta, since the twist about the vertical is omega_v sin^2 beta. Cycles are where the integral of c' vanishes: x = I_2/I_1 with the square x of the spin (over
sqrt(m g r/Bb)), at energy held that of the number 2 (E - c)/(zeta c^2). psi enters nowhere: S neither rises nor falls at leading order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel.names import choose
from .cycle_integral import NODES, _golden, _nodes

HOLDS = ("spin", "energy")
LAWS = ("regularised", "contensou")
SMALL = 0.02  # amplitude at which the branch tells its direction


class Orbit(NamedTuple):
    """What integrals need along a quarter of an orbit, on nodes (last axis): weights of cb dgamma (without a factor that cancels), q, c, sb, J and B, and spin over sqrt(x)."""

    weights: np.ndarray
    q: np.ndarray
    c: np.ndarray
    sb: np.ndarray
    B: np.ndarray
    spin: np.ndarray
    sg: np.ndarray


def orbit(kappa: Any, zeta: Any, Gamma: Any, hold: str = "spin", nodes: int = NODES) -> Orbit:
    """The orbit with the amplitude Gamma of gamma - pi/2; arrays over kappa, zeta and Gamma at once."""
    turn, weights = _nodes(nodes)
    K, z, G = (np.asarray(v)[..., None] for v in np.broadcast_arrays(kappa, zeta, Gamma))
    k, k1 = np.sin(0.5 * G), np.cos(0.5 * G)
    s, c_ = np.cos(turn), np.sin(turn)
    cos_half = np.sqrt(k1 * k1 + (k * c_) ** 2)
    sg, cg = 1.0 - 2.0 * (k * s) ** 2, -2.0 * k * s * cos_half
    q, c = 1.0 + K * sg, 1.0 + K * np.cos(G)
    J = z * (sg + K) ** 2 + cg * cg
    if hold == "spin":
        l, spin = -2.0 * K * cg / q, np.ones_like(J)
    else:
        l, spin = -(z * (sg + K) * cg - cg * sg) / J, q * q * np.sqrt(z / J)
    B = z * cg * (l * (sg + K) + cg) - sg * (l * cg - sg)
    return Orbit(weights * c_ * c_ * np.sqrt(q + c) / (q * cos_half), q, c, c / q, B, spin, sg)


def square(kappa: Any, zeta: Any, Gamma: Any, hold: str = "spin", law: str = "regularised", nodes: int = NODES) -> np.ndarray:
    """x = I_2/I_1 of the cycle with the amplitude Gamma."""
    choose(hold, HOLDS, "hold")
    choose(law, LAWS, "law")
    o = orbit(kappa, zeta, Gamma, hold, nodes)
    w = o.weights / (o.q * (1.0 if law == "contensou" else o.sb**2))
    return np.sum(w * o.q / o.spin, axis=-1) / np.sum(w * o.spin * o.c * o.B / o.q**2, axis=-1)


def energy(kappa: Any, zeta: Any, Gamma: Any, law: str = "regularised") -> np.ndarray:
    """E/(m g r) of the cycle with the amplitude Gamma, where the energy is held."""
    c = 1.0 + np.asarray(kappa) * np.cos(Gamma)
    return 0.5 * np.asarray(zeta) * c * c * square(kappa, zeta, Gamma, "energy", law) + c


def speed_below(kappa: Any, zeta: Any, E: Any) -> np.ndarray:
    """omega of spinning with S below that has the energy E (over m g r)."""
    return np.sqrt(2.0 * (np.asarray(E) - (1.0 - np.asarray(kappa))) / np.asarray(zeta))


def speed_above(kappa: Any, zeta: Any, E: Any) -> np.ndarray:
    """omega of spinning with S on top that has the energy E; nan where there is none."""
    left = np.asarray(E) - (1.0 + np.asarray(kappa))
    return np.sqrt(np.where(left >= 0.0, 2.0 * left / np.asarray(zeta), np.nan))


def speed(kappa: Any, zeta: Any, Gamma: Any, hold: str = "spin", law: str = "regularised") -> np.ndarray:
    """omega of a cycle; where the energy is held, that of spinning with S below at the same energy."""
    if hold == "spin":
        return np.sqrt(square(kappa, zeta, Gamma, hold, law))
    return speed_below(kappa, zeta, energy(kappa, zeta, Gamma, law))


def direction(kappa: Any, zeta: Any, hold: str = "spin", law: str = "regularised") -> np.ndarray:
    """d omega^2/d Gamma^2 at the Hopf point, by differences on amplitudes SMALL and SMALL/2, extrapolated: above zero it is subcritical."""
    w = [speed(kappa, zeta, G, hold, law) ** 2 for G in (0.5 * SMALL, SMALL, 2.0 * SMALL)]
    near, far = ((w[k + 1] - w[k]) / (3.0 * (0.5 * SMALL * 2**k) ** 2) for k in (0, 1))
    return near + (near - far) / 3.0


def boundary(kappa: float, hold: str = "spin", law: str = "regularised", between: tuple[float, float] = (0.2, 3.0)) -> float:
    """zeta*: the Hopf point is supercritical above it; nan if it does not change between these."""
    from scipy.optimize import brentq

    f = lambda z: float(direction(kappa, z, hold, law))
    return float(brentq(f, *between, xtol=1e-12)) if f(between[0]) * f(between[1]) < 0.0 else float("nan")


def folds(kappa: Any, zeta: Any, hold: str, law: str, scan: int = 65) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """omega and Gamma of the extremum between Hopf point and connection (nan without one), and the type 1, 2, 3 (v1, v2, v3)."""
    K, z = (np.asarray(v, float) for v in np.broadcast_arrays(kappa, zeta))
    shape, K, z = K.shape, K.ravel(), z.ravel()
    Gamma = np.pi * (1.0 - np.linspace(1.0, 0.0, scan) ** 2)
    Gamma[0] = 1e-3
    w = np.stack([speed(K, z, G, hold, law) for G in Gamma], axis=1)
    kind = np.where(direction(K, z, hold, law) > 0.0, 2, np.where(w[:, -1] < 1.0 - K, 3, 1))
    sign = np.where(kind == 2, 1.0, np.where(kind == 3, -1.0, 0.0))
    at = np.clip(np.argmax(sign[:, None] * w, axis=1), 1, scan - 2)
    omega, place, here = np.full(K.size, np.nan), np.full(K.size, np.nan), np.flatnonzero(sign)
    if here.size:
        f = lambda G: sign[here] * speed(K[here], z[here], G, hold, law)
        place[here] = _golden(f, Gamma[at[here] - 1], Gamma[at[here] + 1], 30)
        omega[here] = sign[here] * f(place[here])
    return omega.reshape(shape), place.reshape(shape), kind.reshape(shape)
