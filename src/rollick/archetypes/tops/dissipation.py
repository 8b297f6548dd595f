"""How Euler's disk ends: what each kind of dissipation makes of E(t) and Omega(t), and the same measured from a motion.

For small theta a thin disk with its mass centre at rest has E = 3/2 m g R theta and Omega = sqrt(k/theta), k = m g R/I1 (`euler_disk`). If a mechanism takes
the power P = C theta^-p, then E' = -P gives

    p > -1    theta^(p+1) = (p + 1) C/(3/2 m g R) (t_f - t):    E ~ (t_f - t)^n, Omega ~ (t_f - t)^(-n/2), n = 1/(p + 1): it ends in finite time
    p = -1    E ~ exp(-2 C t/(3 m g R)): it never ends

    contour          |lambda_R| = mu N against the wandering of the contact along the edge, R Omega      P = mu m g R Omega       p = 1/2, n = 2/3
    viscous-contour  lambda_R = -beta N times that velocity                                              P = beta m g R^2 Omega^2  p = 1, n = 1/2
    drag             a couple -sigma omega, |omega| = Omega sin(theta)                                   P = sigma k theta         p = -1: rate 2 sigma/(3 I1)
    pivoting, contensou   resist the angular velocity about the normal, Omega sin^2(theta) + omega3 cos(theta). Dry, they bring it to zero by a small
                     omega3 and hold it there: the disk then rolls like rubber, and they take nothing any more. Alone they never end the motion.

Other powers of the literature, which need the air: H. K. Moffatt (2000) p = 2, n = 1/3; L. Bildsten (2002) p = 5/4, n = 4/9. Contour friction and its
2/3: R. I. Leine (2009). A thick disk rolls a little differently (its mass centre does not stay at rest), and the exponents are those of the limit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, choose
from ...kernel.palette import GREEN, INK, PLUM, WARM
from ...mechanics.laws.checked import coulomb, dry_contour, dry_pivoting, not_negative, regularised_contour
from ...mechanics.laws.contensou import contensou
from ...mechanics.laws.friction import Friction, friction
from .euler_disk import EulerDisk, energy_above_flat, moments, on_plane, precession, steady, stiffness, without_slip

MECHANISMS = {
    "contour": ("", "dry contour friction: strength is its coefficient mu"),
    "viscous-contour": (
        "s/m",
        "viscous contour friction: strength is beta, force per normal force and velocity of the contact point",
    ),
    "drag": ("N m s", "a damping couple -sigma omega: strength is sigma"),
    "pivoting": ("m", "dry pivoting friction: strength is its couple per normal force"),
    "contensou": ("m", "Coulomb-Contensou friction: strength is the radius of the disk of contact"),
}
FAST = 1e6  # m/s: the regularised contour law is viscous far below this velocity
ARM = 1e-3  # m: the length by which a pivoting couple is told as a force; it drops out


def friction_of(mechanism: str, strength: Any, mu: Any = 0.4) -> Friction:
    """The friction law of a mechanism, with dry sliding friction mu, that keeps the disk from slipping."""
    name = choose(mechanism, MECHANISMS, "mechanism")
    size = not_negative(strength, "strength", MECHANISMS[name][0])
    if name == "contensou":
        return friction(contensou(mu, size))
    pivoting = dry_pivoting(size / ARM if name == "pivoting" else 0.0, ARM)
    if name == "viscous-contour":
        return friction(coulomb(mu), pivoting, regularised_contour(size * FAST, FAST))
    return friction(coulomb(mu), pivoting, dry_contour(size if name == "contour" else 0.0))


def disk_with(d: EulerDisk, mechanism: str, strength: Any, mu: Any = 0.4) -> Any:
    """The disk with one mechanism of dissipation: for "drag" rolling without slip (an ODE), else with friction (time stepping)."""
    if choose(mechanism, MECHANISMS, "mechanism") == "drag":
        return without_slip(d, strength)
    return on_plane(d, friction_of(mechanism, strength, mu))


class Prediction(NamedTuple):
    """E ~ (t_f - t)^energy and Omega ~ (t_f - t)^precession; or E ~ exp(-rate t), the exponents nan. ends: t_f from the given start, or inf."""

    energy: float
    precession: float
    ends: float
    rate: float


def predicted(d: EulerDisk, mechanism: str, strength: Any, theta: Any) -> Prediction:
    """What the theory of small theta says of a disk that starts at theta."""
    name = choose(mechanism, MECHANISMS, "mechanism")
    size = not_negative(strength, "strength", MECHANISMS[name][0])
    angle = steady(d, theta).theta
    k, weight = stiffness(d), d.m * d.g
    if name == "drag":
        return Prediction(math.nan, math.nan, math.inf, 2.0 * size / (3.0 * moments(d)[0]))
    if name in ("pivoting", "contensou") or size == 0.0:
        return Prediction(math.nan, math.nan, math.inf, 0.0)
    p, C = (0.5, size * weight * d.R * math.sqrt(k)) if name == "contour" else (1.0, size * weight * d.R**2 * k)
    ends = angle ** (p + 1.0) * 1.5 * weight * d.R / ((p + 1.0) * C)
    return Prediction(1.0 / (p + 1.0), -0.5 / (p + 1.0), ends, math.nan)


class Fit(NamedTuple):
    """Measured: the exponents of E and Omega in t_f - t, t_f, and the root mean square of log E - its fit."""

    energy: float
    precession: float
    ends: float
    misfit: float


def measured(d: EulerDisk, motion: Any, low: float = 0.1, high: float = 0.9) -> Fit:
    """Fit log E = log A + n log(t_f - t) (A, n, t_f free) while E is between low and high of its first value; then Omega with the same t_f."""
    from scipy.optimize import least_squares

    E, turn = energy_above_flat(d, motion), precession(motion)
    part = E / E[0]
    use = (part > low) & (part < high)
    if np.count_nonzero(use) < 20:
        raise InputError(
            f"only {np.count_nonzero(use)} instants have an energy between {low:g} and {high:g} of the first; simulate longer."
        )
    t, e, w = motion.t[use], np.log(E[use]), np.log(np.abs(turn[use]))
    guess = (e[0], 0.6, math.log(0.1 * np.ptp(t)))
    found = least_squares(lambda x: x[0] + x[1] * np.log(t[-1] + math.exp(x[2]) - t) - e, guess, x_scale=(1.0, 0.1, 0.1))
    ends = float(t[-1] + math.exp(found.x[2]))
    slope = np.polyfit(np.log(ends - t), w, 1)[0]
    return Fit(float(found.x[1]), float(slope), ends, math.sqrt(2.0 * found.cost / t.size))


def decay_rate(d: EulerDisk, motion: Any, since: float = 0.0) -> float:
    """The rate of exponential decay of E, from the instant `since` on."""
    E = energy_above_flat(d, motion)
    use = motion.t >= since
    return -float(np.polyfit(motion.t[use], np.log(E[use]), 1)[0])


def law_figure(d: EulerDisk, motions: dict[str, Any], path: Any = None, low: float = 0.1) -> Any:
    """E and Omega against t_f - t on logarithmic axes, a curve and its fitted power law for each motion; returns the figure."""
    from ...plotting import figure, finished

    fig, axes = figure(1, 2, width=10.0, height=4.0)
    for colour, (name, motion) in zip((INK, WARM, GREEN, PLUM), motions.items()):
        fit = measured(d, motion, low)
        left = fit.ends - motion.t
        use = left > 0.0
        for ax, values, n in zip(
            axes[0], (energy_above_flat(d, motion), np.abs(precession(motion))), (fit.energy, fit.precession)
        ):
            ax.loglog(left[use], values[use], color=colour, linewidth=1.6, label=f"{name}: {n:.3f}")
            ax.loglog(left[use], values[0] * (left[use] / left[0]) ** n, "--", color="0.4", linewidth=0.8)
    for ax, what in zip(axes[0], ("E [J]", r"$\Omega$ [rad/s]")):
        ax.set_xlabel(r"$t_f - t$ [s]")
        ax.set_ylabel(what)
        ax.legend(frameon=False, fontsize=9, title="fitted exponent")
    return finished(fig, path)
