"""Pivoting, contour and Contensou friction next to spinning in place: what they do to the eigenvalues, to the critical speeds and to the chart (which Sailer's thesis leaves open).

The spin is held, as in the thesis, and by a force on the coordinate alpha alone (drive = "spin", below). Small deviations (beta', gamma') then feel, besides the sliding friction d = mu m g/eps,

    contour     -r lambda_R = -d_R r^2 gamma'',     d_R = mu_R m g/eps_R                           damping of gamma
    pivoting    couple cos beta = T beta',          T = mu_tau m g radius^2 Omega/(radius Omega + eps_tau)      the couple stays vertical while the disk leans
    Contensou   d = mu m g slope/(radius Omega),    T = mu eta m g radius                          sliding smooth as long as it turns, with its own couple

slope and eta are those of the reservoir at pure pivoting (Hertz: 3 pi/8 and 3 pi/16). Full model: K[gamma, beta] -= T and D[gamma, gamma] += d_R r^2 in (4.16); signs hold with S above and below.
Model 1.2 at a held spin (`slipping`), deviations (b, c, y, z) of beta, gamma and their rates, s = r + e:

    Bb y' = ((A - Cb) - Bb) Omega z - (A - Cb) Omega^2 b + m g s b - d s (s y + e Omega c)
    Cb z' = Cb Omega y + (Bb - A) Omega (Omega c + y) + m g e c - d s^2 (z - Omega b) - d_R r^2 z + T b

How the spin is held matters for the couple of pivoting friction, and for nothing else. drive = "spin": as the constraint alpha' = Omega of Models 1.2 and 1.4 does, by a force that does no work on gamma (a
couple in the plane of the disk, along e_y^G). "vertical": by a couple about the vertical, which takes up that of pivoting friction wherever the disk leans: no T is left. "none": nobody drives, as in a toy; alpha''
= -T/A then adds alpha'' (d M_(z alpha)/d z) z to (4.16), with the coefficients of the instant (the spin falls meanwhile).

In Model 1.4 (z = Omega b enforced) none of it enters: Omega_c, its cycles and its chart do not change with pivoting and contour friction at all, and with Contensou friction Omega_c does not either.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from ....kernel.names import InputError, choose
from ....mechanics.laws.contensou import Contensou, boundary, contensou, slope
from ..specimens import Disk
from .linear import G, eccentricity, full_matrices
from .linear import critical_speed as closed_critical_speed
from .slipping import TippediskSlipping

MODELS = ("full", "1.2")
DRIVES = ("spin", "vertical", "none")


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


PLAIN = Resistance()


def of_contensou(mu: float = 0.3, radius: float = 2.9e-3, surface: str = "hertz") -> Resistance:
    """Contensou's law at slow slip: its smoothing is radius |omega_n|/slope, its couple mu eta radius m g, whatever the slip."""
    law: Contensou = contensou(mu, radius, surface)
    eta = float(boundary(law.surface, 0.0)[1])
    return Resistance(mu, 0.0, mu * eta, radius, 1e-12 * radius, 0.0, 1e-2, radius / float(slope(law.surface)))


def full_jacobian(
    disk: Disk, Omega: float, law: Resistance, g: float = G, inverted: bool = True, drive: str = "spin"
) -> np.ndarray:
    """The first-order matrix (8 x 8) of (xb, yb, beta', gamma') and their rates; drive: what holds the spin, if anything does."""
    choose(drive, DRIVES, "drive")
    M, V, P = full_matrices(disk, Omega, law.mu, law.smoothing(Omega), g, inverted)
    weight = disk.m * g
    T = weight * law.couple(Omega) * np.sign(Omega)
    if drive != "vertical":
        P[3, 2] -= T
    if drive == "none":
        P -= T / disk.A * _euler(disk, eccentricity(disk, inverted))
    V[3, 3] += weight * law.contour() * disk.r**2
    J = np.zeros((8, 8))
    J[:4, 4:] = np.eye(4)
    J[4:] = -np.linalg.solve(M, np.hstack([P, V]))
    return J


def _euler(disk: Disk, e: float) -> np.ndarray:
    """The column of alpha in the mass matrix (4.7), linear in (xb, yb, beta', gamma'): what an angular acceleration alpha'' adds to (4.16)."""
    m, A, B, C = disk.m, disk.A, disk.B, disk.C
    return np.array([[0, -m, m * e, 0], [m, 0, 0, -m * e], [-m * e, 0, 0, B - A], [0, m * e, -C, 0]])


def slipping_jacobian(
    disk: Disk, Omega: float, law: Resistance, g: float = G, inverted: bool = True, drive: str = "spin"
) -> np.ndarray:
    """The matrix (4 x 4) of (b, c, y, z), with S above or below."""
    if choose(drive, DRIVES, "drive") == "none":
        raise InputError("Model 1.2 is taken at a held spin here; without a drive take model='full'.")
    T = disk.m * g * law.couple(Omega) * np.sign(Omega) if drive == "spin" else 0.0
    m, A, Bb, O = disk.m, disk.A, disk.Bb, Omega
    e, weight = eccentricity(disk, inverted), disk.m * g
    Cb, s, d = disk.C - m * e * e, disk.r + e, law.mu * weight / law.smoothing(Omega)
    up = 1.0 if inverted else -1.0  # sin gamma; cos gamma = -up c
    J = np.zeros((4, 4))
    J[0, 2] = J[1, 3] = 1.0
    J[2] = np.array([weight * s - (A - Cb) * O * O, -d * s * disk.e * O * up, -d * s * s, up * up * (A - Cb - Bb) * O]) / Bb
    J[3] = [
        d * s * s * O + T,
        (Bb - A) * O * O + weight * e,
        (Cb + Bb - A) * O,
        -d * s * s - weight * law.contour() * disk.r**2,
    ]
    J[3] /= Cb
    return J


STEP = 0.005  # of the closed critical speed: how far eigenvalues are followed at once
REACH = (0.5, 2.0, 10.0)  # of it: speeds are looked for from the first to the second, and if there is none to the third
RAISED = 10  # steps in which pivoting and contour friction are switched on


class _Followed:
    """The inversion pair of a disk followed by continuity: identified without pivoting and contour friction at the closed critical speed, then over coefficients and speeds."""

    def __init__(self, disk: Disk, law: Resistance, g: float, model: str, inverted: bool = True, drive: str = "spin"):
        choose(model, MODELS, "model")
        if not all(math.isfinite(v) and v >= 0.0 for v in law) or not law.mu * law.eps_R * (law.eps + law.spot) > 0.0:
            raise InputError(f"{law} must hold finite numbers of zero or above, with mu, eps_R and eps (or spot) above zero.")
        self.disk, self.law, self.g, self.inverted, self.drive = disk, law, g, inverted, drive
        self.jacobian = full_jacobian if model == "full" else slipping_jacobian
        self.top = closed_critical_speed(disk, g)
        guess = 1j * np.sqrt(disk.e / (disk.r + disk.e)) * self.top
        for part in np.linspace(0.0, 1.0, RAISED + 1):
            values = self.values(self.top, law._replace(mu_tau=part * law.mu_tau, mu_R=part * law.mu_R))
            guess = values[np.argmin(np.abs(values - guess))]
        self.first = complex(guess)

    def values(self, Omega: float, law: Resistance) -> np.ndarray:
        """Eigenvalues that do not turn backwards."""
        found = np.linalg.eigvals(self.jacobian(self.disk, Omega, law, self.g, self.inverted, self.drive))
        return found[found.imag > -1e-9 * abs(Omega)]

    def to(self, Omega: float) -> tuple[np.ndarray, np.ndarray]:
        """Speeds from the closed critical one to this, and the eigenvalue at each: the nearest to what the last two foretell."""
        count = max(1, math.ceil(abs(Omega - self.top) / (STEP * self.top)))
        speeds, found = np.linspace(self.top, Omega, count + 1), [self.first]
        for O in speeds[1:]:
            ahead = found[-1] if len(found) < 2 else 2.0 * found[-1] - found[-2]
            values = self.values(float(O), self.law)
            found.append(complex(values[np.argmin(np.abs(values - ahead))]))
        return speeds, np.array(found)


def growth(
    disk: Disk, Omega: float, law: Resistance, g: float = G, model: str = "full", inverted: bool = True, drive: str = "spin"
) -> complex:
    """The eigenvalue of the inversion pair (imaginary part above zero)."""
    if not Omega > 0.0:
        raise InputError(f"Omega = {Omega!r} must be above zero; mirror the disk for the other sense.")
    return complex(_Followed(disk, law, g, model, inverted, drive).to(Omega)[1][-1])


def critical_speed(
    disk: Disk,
    law: Resistance,
    g: float = G,
    model: str = "full",
    between: tuple[float, float] | None = None,
    drive: str = "spin",
) -> float:
    """The speed nearest to the closed form above which the inversion pair, followed by continuity, decays; nan if there is none in between (default: from half to ten times the closed form).

    A pair that has become two real eigenvalues is none: where one of them changes its sign the other may well go on growing.
    """
    followed = _Followed(disk, law, g, model, drive=drive)
    low, *highs = between or (followed.top * part for part in REACH)
    down = followed.to(low)
    for high in highs:
        up = followed.to(high)
        speeds = np.concatenate([down[0][:0:-1], up[0]])
        pair = np.concatenate([down[1][:0:-1], up[1]])
        turns = pair.imag > 1e-6 * speeds
        change = np.flatnonzero((pair.real[:-1] > 0.0) & (pair.real[1:] <= 0.0) & turns[:-1] & turns[1:])
        if change.size:
            break
    else:
        return float("nan")
    k = int(change[np.argmin(np.abs(speeds[change] - followed.top))])

    def real(Omega: float) -> float:
        share = (Omega - speeds[k]) / (speeds[k + 1] - speeds[k])
        values = followed.values(Omega, law)
        return float(values[np.argmin(np.abs(values - ((1.0 - share) * pair[k] + share * pair[k + 1])))].real)

    return float(brentq(real, speeds[k], speeds[k + 1], xtol=1e-12, rtol=1e-14))


def upper_speed(disk: Disk, law: Resistance, low: float, g: float = G, model: str = "full", drive: str = "spin") -> float:
    """The first speed above `low` (a critical one) at which an eigenvalue is zero, so that a real one begins to grow: the end of stable spinning; nan if there is none up to ten times the closed form."""
    jacobian = full_jacobian if model == "full" else slipping_jacobian
    speeds = np.geomspace(low, max(low, REACH[-1] * closed_critical_speed(disk, g)), 600)
    signs = np.linalg.slogdet(np.stack([jacobian(disk, float(O), law, g, True, drive) for O in speeds]))[0]
    change = np.flatnonzero(signs[:-1] * signs[1:] < 0.0)
    if not change.size:
        return float("nan")
    k = int(change[0])

    def size(Omega: float) -> float:
        sign, log = np.linalg.slogdet(jacobian(disk, Omega, law, g, True, drive) / Omega)
        return float(sign * np.exp(log))

    return float(brentq(size, speeds[k], speeds[k + 1], xtol=1e-12, rtol=1e-14))


def critical_chart(
    disk: Disk, contour: Any, pivoting: Any, law: Resistance = PLAIN, g: float = G, model: str = "full", drive: str = "spin"
) -> np.ndarray:
    """Omega_c over the coefficients mu_R and mu_tau: shape (contour, pivoting)."""
    return np.array(
        [
            [
                critical_speed(disk, law._replace(mu_R=float(c), mu_tau=float(p)), g, model, drive=drive)
                for p in np.atleast_1d(pivoting)
            ]
            for c in np.atleast_1d(contour)
        ]
    )


def contensou_chart(
    disk: Disk, mu: Any, radius: Any, g: float = G, model: str = "full", surface: str = "hertz", drive: str = "spin"
) -> np.ndarray:
    """Omega_c over the friction coefficient and the radius of contact, with Contensou's law: shape (mu, radius)."""
    return np.array(
        [
            [
                critical_speed(disk, of_contensou(float(m), float(R), surface), g, model, drive=drive)
                for R in np.atleast_1d(radius)
            ]
            for m in np.atleast_1d(mu)
        ]
    )
