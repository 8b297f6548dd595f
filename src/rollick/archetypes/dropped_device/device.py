"""The dropped device: a rod with a light damped oscillator on it (thesis sec. 5.2), in dimensionless or physical numbers.

Lengths are divided by the half-length l, times by sqrt(l/g). The oscillator has the natural frequency Omega and the half damping delta,

    Omega = dbar/(alphabar C),  delta = dbar/C,  C = 1 if alphabar <= 1 else 1 - sqrt(1 - alphabar^-2)              # (5.11), (5.12), (5.15)

so that alphabar = delta/Omega is the damping ratio and free vibrations decay like exp(-dbar t).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.names import InputError, number


class Device(NamedTuple):
    """A rod (radius of gyration rho, restitution gamma) with an oscillator at r from its middle; dimensionless. See `device`."""

    rho: float
    gamma: float
    r: float
    Omega: float
    delta: float

    @property
    def alpha(self) -> float:
        """The damping ratio alphabar (5.10)."""
        return self.delta / self.Omega

    @property
    def d(self) -> float:
        """The decay rate dbar of free vibrations (5.11)."""
        return self.delta * damping_share(self.alpha)

    @property
    def chatters(self) -> bool:
        """Whether infinitely many impacts can bring the rod to rest without gravity (3.11)."""
        return self.rho <= (1.0 - math.sqrt(self.gamma)) / (1.0 + math.sqrt(self.gamma))

    @property
    def chatter_dominates(self) -> bool:
        """Whether (B.8) holds: the impacts of a nearly flat rod come so fast that gravity does not matter before it rests."""
        return self.rho <= chatter_boundary(self.gamma)

    def as_dict(self) -> dict[str, float]:
        """The numbers as the thesis names them."""
        return {"rho": self.rho, "gamma": self.gamma, "r": self.r, "alpha": self.alpha, "d": self.d}


def damping_share(alpha: float) -> float:
    """C(alphabar) of (5.12), without cancellation for strong damping."""
    if alpha <= 1.0:
        return 1.0
    root = math.sqrt((1.0 - 1.0 / alpha) * (1.0 + 1.0 / alpha))
    return 1.0 / (alpha * alpha * (1.0 + root))


def chatter_boundary(gamma: Any) -> Any:
    """The largest rho for which (B.8) holds: (1-rho^2)/(1+rho^2) = (gamma^(1/3) + gamma^(2/3))/(1+gamma)."""
    mu = (gamma ** (1 / 3) + gamma ** (2 / 3)) / (1.0 + gamma)
    return ((1.0 - mu) / (1.0 + mu)) ** 0.5


def device(rho: Any = 1 / 3, gamma: Any = 1 / 3, r: Any = 0.0, alpha: Any = 1.0, d: Any = 10.0) -> Device:
    """A device from the thesis' dimensionless numbers: rhobar, gamma, rbar, alphabar and dbar (5.25).

    A homogeneous rod has rho = 1/sqrt(3) = 0.577 (the thesis prints 1/3, erratum E14b).
    """
    rho, gamma, r = number(rho, "rho"), number(gamma, "gamma"), number(r, "r")
    alpha, d = number(alpha, "alpha"), number(d, "d")
    for name, value in (("alpha", alpha), ("d", d)):
        if not value > 0.0:
            raise InputError(
                f"{name} = {value:g} must be above zero; an oscillator without damping is told by its natural frequency (with_frequency in Python, "
                "`rollick drop device --damping 0` on the command line)."
            )
    C = damping_share(alpha)
    return checked(Device(rho, gamma, r, d / (alpha * C), d / C))


def with_frequency(rho: Any, gamma: Any, r: Any = 0.0, Omega: Any = 10.0, zeta: Any = 1.0) -> Device:
    """A device from its dimensionless natural frequency Omega (in units of sqrt(g/l)) and damping ratio zeta, which may be zero."""
    Omega, zeta = number(Omega, "Omega"), number(zeta, "zeta")
    if zeta < 0.0:
        raise InputError(f"zeta = {zeta:g} must not be negative.")
    return checked(Device(number(rho, "rho"), number(gamma, "gamma"), number(r, "r"), Omega, zeta * Omega))


def checked(made: Device) -> Device:
    """The device, if it can exist."""
    if not 0.0 < made.rho <= 1.0:
        raise InputError(
            f"rho = {made.rho:g} must be above 0 and at most 1, the half-length: the mass lies between the ends. "
            "A homogeneous rod has rho = 0.577."
        )
    if not 0.0 <= made.gamma <= 1.0:
        raise InputError(f"gamma = {made.gamma:g} must be between 0 (no rebound) and 1 (no loss).")
    if abs(made.r) > 1.0:
        raise InputError(f"r = {made.r:g} must be between -1 and 1, the ends of the rod.")
    if not made.Omega > 0.0:
        raise InputError(f"the natural frequency {made.Omega:g} must be above zero.")
    return made


class Scales(NamedTuple):
    """What one unit of the dimensionless numbers is: length [m], time [s], speed [m/s]."""

    length: float
    time: float

    @property
    def speed(self) -> float:
        """Of velocities."""
        return self.length / self.time


def physical_device(
    half_length: Any = 0.1,
    gyration: Any = None,
    position: Any = 0.0,
    frequency: Any = 200.0,
    damping_ratio: Any = 0.05,
    restitution: Any = 0.3,
    drop_height: Any = 1.0,
    g: Any = 9.81,
) -> tuple[Device, float, Scales]:
    """A device in SI units: returns it dimensionless, the dimensionless drop height h(0) and the scales.

    `gyration` is the radius of gyration [m] about the middle (default: homogeneous, l/sqrt(3)), `position` the place of the component
    along the device from its middle [m], `frequency` its natural frequency [Hz], `drop_height` that of the mass centre [m].
    """
    l = number(half_length, "half_length", "m")
    g = number(g, "g", "m/s^2")
    if not l > 0.0 or not g > 0.0:
        raise InputError(f"half_length = {l:g} m and g = {g:g} m/s^2 must be above zero.")
    rho = l / math.sqrt(3.0) if gyration is None else number(gyration, "gyration", "m")
    r = number(position, "position", "m")
    if not 0.0 < rho <= l:
        raise InputError(f"gyration = {rho:g} m must be above 0 and at most the half-length {l:g} m.")
    if abs(r) > l:
        raise InputError(f"position = {r:g} m lies outside the device, which ends {l:g} m from its middle.")
    f = number(frequency, "frequency", "Hz")
    if not f > 0.0:
        raise InputError(f"frequency = {f:g} Hz must be above zero.")
    scales = Scales(l, math.sqrt(l / g))
    made = with_frequency(rho / l, restitution, r / l, 2.0 * math.pi * f * scales.time, damping_ratio)
    return made, number(drop_height, "drop_height", "m") / l, scales
