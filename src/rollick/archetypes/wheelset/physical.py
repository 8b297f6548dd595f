"""The wheelset from its masses, stiffnesses, load and speed; texts with units are understood ("300km/h", "0.75m")."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.names import InputError, number
from ...kernel.system import validate
from .dry import DryWheelset
from .irregularity import Sinusoidal

UNITS = {
    "m": "kg", "J_psi": "kg*m^2", "J_phi": "kg*m^2", "k_y": "N/m", "k_psi": "N*m", "b": "m", "r": "m", "mu": "", "F_load": "N", "v": "m/s",
    "conicity": "", "wavenumber": "1/m", "eta": "", "a01": "m/s", "b10": "1/(m*s)",
}  # fmt: skip


class Kinematics(NamedTuple):
    """omega_L/v (1/m), eta and where they come from."""

    wavenumber: float
    eta: float
    source: str


def kinematics(
    b: float,
    r: float,
    v: float,
    conicity: float | None = None,
    wavenumber: float | None = None,
    eta: float | None = None,
    a01: float | None = None,
    b10: float | None = None,
) -> Kinematics:
    """From one of three: the conicity h (Klingel (1.7): omega_L/v = sqrt(h/(b r)), a01 = v), omega_L/v with eta, or a01 with b10 (1.56)."""
    ways = {"conicity": [conicity], "wavenumber and eta": [wavenumber, eta], "a01 and b10": [a01, b10]}
    given = [name for name, values in ways.items() if any(x is not None for x in values)]
    if len(given) != 1 or any(x is None for x in ways[given[0]]):
        raise InputError(
            f"the kinematic oscillation is told by one of: conicity; wavenumber (omega_L/v) and eta; a01 and b10; given: {', '.join(given) or 'nothing'}"
            f"{'' if len(given) != 1 else ', not complete'}."
        )
    if given[0] == "conicity":
        assert conicity is not None
        k = math.sqrt(conicity / (b * r))
        return Kinematics(k, 1.0 / (k * b) if k > 0.0 else math.inf, "Klingel's formula")
    if given[0] == "a01 and b10":
        assert a01 is not None
        assert b10 is not None
        if not (a01 > 0.0 > b10):
            raise InputError(f"a01 = {a01!r} must be positive and b10 = {b10!r} negative, or nothing oscillates.")
        return Kinematics(math.sqrt(-a01 * b10) / v, math.sqrt(-a01 / b10) / b, "a01 and b10")
    assert wavenumber is not None
    assert eta is not None
    return Kinematics(wavenumber, eta, "wavenumber and eta")


def wheelset(
    m: Any = 2000.0,
    J_psi: Any = 1220.0,
    J_phi: Any = 120.0,
    k_y: Any = 8.0e6,
    k_psi: Any = 1.07e7,
    b: Any = 0.75,
    r: Any = 0.46,
    mu: Any = 0.3,
    F_load: Any = 137.2e3,
    v: Any = "300km/h",
    conicity: Any = None,
    wavenumber: Any = None,
    eta: Any = None,
    a01: Any = None,
    b10: Any = None,
    track: Any = None,
) -> DryWheelset:
    """The composed parameters (section 5.3) of a wheelset: C = mu F_load/(2m), alpha_y^2 = k_y/m, alpha_psi^2 = k_psi/J_psi, M_psi = m b^2/J_psi, M_phi = m r^2/J_phi.

    One of `conicity`, `wavenumber` with `eta`, `a01` with `b10` tells the kinematic oscillation.
    """
    given = {name: x for name, x in locals().items() if name in UNITS}
    read = {name: None if x is None else number(x, name, UNITS[name]) for name, x in given.items()}
    for name in ("m", "J_psi", "J_phi", "b", "r", "mu", "F_load", "v", "conicity", "wavenumber", "eta"):
        value = read[name]
        if value is not None and not 0.0 < value < math.inf:
            raise InputError(
                f"{name} = {given[name]!r} of the wheelset must be above zero{f' ({UNITS[name]})' if UNITS[name] else ''}."
            )
    for name in ("k_y", "k_psi"):
        value = read[name]
        if value is None or not 0.0 <= value < math.inf:
            raise InputError(f"{name} = {given[name]!r} of the wheelset must be zero or above ({UNITS[name]}).")
    x: dict[str, Any] = read
    moves = kinematics(x["b"], x["r"], x["v"], x["conicity"], x["wavenumber"], x["eta"], x["a01"], x["b10"])
    made = DryWheelset(
        omega_L=moves.wavenumber * x["v"],
        eta=moves.eta,
        C=x["mu"] * x["F_load"] / (2.0 * x["m"]),
        alpha_y=math.sqrt(x["k_y"] / x["m"]),
        alpha_psi=math.sqrt(x["k_psi"] / x["J_psi"]),
        M_psi=x["m"] * x["b"] ** 2 / x["J_psi"],
        M_phi=x["m"] * x["r"] ** 2 / x["J_phi"],
        b=x["b"],
        r=x["r"],
        v=x["v"],
        track=Sinusoidal() if track is None else track,
    )
    validate(made)
    return made


EXAMPLE = {
    "m": 2000.0, "b": 1.0, "r": 0.46, "J_psi": 2000.0 / 1.64, "J_phi": 200.0, "k_y": 4000.0 * 2000.0, "mu": 0.3, "F_load": 137.2e3,
    "k_psi": 93.569**2 * 2000.0 / 1.64, "wavenumber": 0.96435, "eta": 1.7031 / 1.64,
}  # fmt: skip


def example_5_2(v: Any = "300km/h") -> DryWheelset:
    """The wheelset of Example 5.2 at a speed. *Inferred*: the table of Figure 5.7 is lost; these values meet every number that the text prints.

    alpha_y = sqrt(4000), alpha_psi = 93.569 and omega_L/v = 0.96435 from the resonance speeds, M_psi eta = 1.7031 from the crossing speed, M_psi = 1.64,
    C = 10.29. m, mu and F_load are one of many sets that give C; b, r and J_phi do not matter for symmetric slip.
    """
    return wheelset(**EXAMPLE, v=v)
