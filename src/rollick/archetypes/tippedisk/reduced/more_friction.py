"""Pivoting, contour and Contensou friction next to spinning in place: what they do to the eigenvalues, to the critical speeds and to the chart (which Sailer's thesis leaves open).

The spin is held, as in the thesis. Small deviations (beta', gamma') then feel, besides the sliding friction d = mu m g/eps,

    contour     -r lambda_R = -d_R r^2 gamma'',     d_R = mu_R m g/eps_R                           damping of gamma
    pivoting    couple cos beta = T beta',          T = mu_tau m g radius^2 Omega/(radius Omega + eps_tau)      the couple stays vertical while the disk leans
    Contensou   d = mu m g slope/(radius Omega),    T = mu eta m g radius                          sliding smooth as long as it turns, with its own couple

slope and eta are those of the reservoir at pure pivoting (Hertz: 3 pi/8 and 3 pi/16). Full model: K[gamma, beta] -= T and D[gamma, gamma] += d_R r^2 in (4.16); signs hold with S above and below.
Model 1.2 at a held spin (`slipping`), deviations (b, c, y, z) of beta, gamma and their rates, s = r + e:

    Bb y' = ((A - Cb) - Bb) Omega z - (A - Cb) Omega^2 b + m g s b - d s (s y + e Omega c)
    Cb z' = Cb Omega y + (Bb - A) Omega (Omega c + y) + m g e c - d s^2 (z - Omega b) - d_R r^2 z + T b

In Model 1.4 (z = Omega b enforced) none of it enters: Omega_c, its cycles and its chart do not change with pivoting and contour friction at all, and with Contensou friction Omega_c does not either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from ....kernel.names import InputError, choose
from ....mechanics.laws.contensou import Contensou, boundary, contensou, slope
from ..specimens import Disk
from .linear import G, eccentricity, full_matrices
from .slipping import TippediskSlipping

MODELS = ("full", "1.2")


class Resistance(NamedTuple):
    """The smooth laws of a contact: sliding mu, eps (and spot, for Contensou's), pivoting mu_tau, radius, eps_tau, contour mu_R, eps_R."""

    mu: float = 0.3
    eps: float = 0.1
    mu_tau: float = 0.0
    radius: float = 2.9e-3
    eps_tau: float = 1e-3
    mu_R: float = 0.0
    eps_R: float = 1e-2
    spot: float = 0.0

    def smoothing(self, Omega: float) -> float:
        """The smoothing velocity at slow slip: eps, or that of Contensou's law."""
        return self.eps + self.spot * abs(Omega)

    def couple(self, Omega: float) -> float:
        """T/(m g): the couple of pivoting friction over the weight [m]."""
        w = self.radius * abs(Omega)
        return self.mu_tau * self.radius * w / (w + self.eps_tau)

    def contour(self) -> float:
        """d_R/(m g) [s/m]."""
        return self.mu_R / self.eps_R

    def of(self, disk: Disk, Omega: float, g: float = G, kink: float = 0.0) -> TippediskSlipping:
        """A disk with this friction in Model 1.2 at a held spin."""
        return TippediskSlipping(
            disk, Omega, self.mu, self.eps, g, kink, self.mu_tau, self.radius, self.eps_tau, self.mu_R, self.eps_R, self.spot
        )


def of_contensou(mu: float = 0.3, radius: float = 2.9e-3, surface: str = "hertz") -> Resistance:
    """Contensou's law at slow slip: its smoothing is radius |omega_n|/slope, its couple mu eta radius m g, whatever the slip."""
    law: Contensou = contensou(mu, radius, surface)
    eta = float(boundary(law.surface, 0.0)[1])
    return Resistance(mu, 0.0, mu * eta, radius, 1e-12 * radius, 0.0, 1e-2, radius / float(slope(law.surface)))


def full_jacobian(disk: Disk, Omega: float, law: Resistance, g: float = G, inverted: bool = True) -> np.ndarray:
    """The first-order matrix (8 x 8) of (xb, yb, beta', gamma') and their rates, at a held spin."""
    M, V, P = full_matrices(disk, Omega, law.mu, law.smoothing(Omega), g, inverted)
    weight = disk.m * g
    P[3, 2] -= weight * law.couple(Omega) * np.sign(Omega)
    V[3, 3] += weight * law.contour() * disk.r**2
    J = np.zeros((8, 8))
    J[:4, 4:] = np.eye(4)
    J[4:] = -np.linalg.solve(M, np.hstack([P, V]))
    return J


def slipping_jacobian(disk: Disk, Omega: float, law: Resistance, g: float = G, inverted: bool = True) -> np.ndarray:
    """The matrix (4 x 4) of (b, c, y, z), with S above or below."""
    m, A, Bb, O = disk.m, disk.A, disk.Bb, Omega
    e, weight = eccentricity(disk, inverted), disk.m * g
    Cb, s, d = disk.C - m * e * e, disk.r + e, law.mu * weight / law.smoothing(Omega)
    up = 1.0 if inverted else -1.0  # sin gamma; cos gamma = -up c
    J = np.zeros((4, 4))
    J[0, 2] = J[1, 3] = 1.0
    J[2] = np.array([weight * s - (A - Cb) * O * O, -d * s * disk.e * O * up, -d * s * s, up * up * (A - Cb - Bb) * O]) / Bb
    J[3] = [
        d * s * s * O + weight * law.couple(O) * np.sign(O),
        (Bb - A) * O * O + weight * e,
        (Cb + Bb - A) * O,
        -d * s * s - weight * law.contour() * disk.r**2,
    ]
    J[3] /= Cb
    return J


def growth(disk: Disk, Omega: float, law: Resistance, g: float = G, model: str = "full", inverted: bool = True) -> complex:
    """The eigenvalue of the inversion pair (imaginary part above zero): that nearest to +i sqrt(e/(r + e)) Omega."""
    choose(model, MODELS, "model")
    pair = _pair(disk, Omega, law, g, model, inverted)
    if pair != pair:
        raise InputError(f"no eigenvalue oscillates at Omega = {Omega:.6g} rad/s: friction is too strong or too weak there.")
    return pair


def _pair(disk: Disk, Omega: float, law: Resistance, g: float, model: str, inverted: bool = True) -> complex:
    """That eigenvalue, or nan."""
    values = np.linalg.eigvals((full_jacobian if model == "full" else slipping_jacobian)(disk, Omega, law, g, inverted))
    values = values[values.imag > 1e-9 * abs(Omega)]
    guess = 1j * np.sqrt(disk.e / (disk.r + disk.e)) * abs(Omega)
    return complex(values[np.argmin(np.abs(values - guess))]) if values.size else complex(np.nan, np.nan)


def critical_speed(
    disk: Disk, law: Resistance, g: float = G, model: str = "full", between: tuple[float, float] | None = None
) -> float:
    """The speed above which the inversion pair decays; the highest one, if there are several. nan if it does not change sign in between (default: half to twice the closed form)."""
    from .linear import critical_speed as closed

    top = closed(disk, g)
    low, high = between or (0.5 * top, 2.0 * top)
    speeds = np.linspace(low, high, 121)
    real = np.array([_pair(disk, float(O), law, g, choose(model, MODELS, "model")).real for O in speeds])
    change = np.flatnonzero((real[:-1] > 0.0) & (real[1:] <= 0.0))
    if not change.size or np.any(real[change[-1] + 1 :] > 0.0):
        return float("nan")
    k = int(change[-1])
    return float(brentq(lambda O: _pair(disk, O, law, g, model).real, speeds[k], speeds[k + 1], xtol=1e-12, rtol=1e-14))


def critical_chart(
    disk: Disk, contour: Any, pivoting: Any, law: Resistance = Resistance(), g: float = G, model: str = "full"
) -> np.ndarray:
    """Omega_c over the coefficients mu_R and mu_tau: shape (contour, pivoting)."""
    return np.array(
        [
            [critical_speed(disk, law._replace(mu_R=float(c), mu_tau=float(p)), g, model) for p in np.atleast_1d(pivoting)]
            for c in np.atleast_1d(contour)
        ]
    )


def contensou_chart(disk: Disk, mu: Any, radius: Any, g: float = G, model: str = "full", surface: str = "hertz") -> np.ndarray:
    """Omega_c over the friction coefficient and the radius of contact, with Contensou's law: shape (mu, radius)."""
    return np.array(
        [
            [critical_speed(disk, of_contensou(float(m), float(R), surface), g, model) for R in np.atleast_1d(radius)]
            for m in np.atleast_1d(mu)
        ]
    )
