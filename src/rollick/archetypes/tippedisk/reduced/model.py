"""The reduced tippedisks as models of the command line."""

from __future__ import annotations

import math
from typing import Any

from ....kernel.names import InputError
from ...models import Model, Parameter, read_parameters
from ..specimens import specimen
from .constrained import constrained
from .slow import TippediskSlow, TippediskSlowNormalised
from .spinning import TippediskNormalised, TippediskReduced

SOURCE = "S. Sailer, Nonlinear Dynamics of the Tippedisk: a holistic analysis, University of Stuttgart (2023), chapters 4 to 6"
MODELS = ("1.4", "slow", "1.2", "1.3", "1.4-dae")
FORMS = ("spinning", "slow")
LAW = Parameter("regularised", "", "friction across the rim: regularised, or linear in the slip", ("regularised", "linear"))
MU = Parameter(0.3, "", "coefficient of friction", positive=True)

PARAMETERS = {
    "specimen": Parameter("V1", "", "the disk: V1 (with a hole) or V2 (hole plugged)", ("V1", "V2")),
    "rounding": Parameter("exact", "", "its inertia: exact, as printed in the thesis, or mixed", ("exact", "thesis", "mixed")),
    "model": Parameter(
        "1.4",
        "",
        "1.4: three states; slow: two, on the slow manifold; 1.2, 1.3, 1.4-dae: twelve, with multipliers",
        MODELS,
    ),
    "Omega": Parameter(40.0, "rad/s", "spin speed, not zero (models 1.2 and 1.3: at the start)"),
    "law": LAW,
    "mu": MU,
    "eps": Parameter(0.1, "m/s", "smoothing velocity (slow: 0 is pure rolling)", low=0.0),
    "g": Parameter(9.81, "m/s^2", "gravity", positive=True),
}
NORMALISED_PARAMETERS = {
    "kappa": Parameter(0.05, "", "e/r", positive=True, high=0.99),
    "zeta": Parameter(1.2, "", "A/Bb: 1.2, 0.9 and 1.5 are the types v1, v2 and v3 of the thesis", positive=True),
    "psi": Parameter(3.95, "", "m r^2/Bb; the slow flow does not depend on it", positive=True),
    "omega": Parameter(1.06, "", "spin speed over sqrt(m g r/Bb)", positive=True),
    "form": Parameter("spinning", "", "spinning: three states; slow: two, on the slow manifold", FORMS),
    "law": LAW,
    "mu": MU,
    "epsilon": Parameter(0.06, "", "eps/(Omega r)", low=0.0),
}


def _refuse_idle(given: dict[str, Any], names: tuple[str, ...], what: str, why: str) -> None:
    """Refuse parameters that would do nothing."""
    idle = [name for name in names if name in given]
    if idle:
        raise InputError(f"{', '.join(idle)} would do nothing with {what}: {why}; leave {', '.join(idle)} out.")


def _above_zero(value: float, name: str) -> None:
    if value == 0.0:
        raise InputError(f"{name} = 0 must be above zero here; without smoothing only the slow flow is defined (pure rolling).")


def make_reduced(**given: Any) -> Any:
    """A reduced model of a specimen."""
    v = read_parameters(PARAMETERS, given, "tippedisk_reduced")
    disk = specimen(v["specimen"], v["rounding"])
    if v["Omega"] == 0.0:
        raise InputError("Omega = 0 must be a spin speed other than zero.")
    numbers = (v["mu"], v["eps"], v["g"])
    if v["model"] == "slow":
        _refuse_idle(given, ("law",), "model = slow", "both laws have the same slow manifold to first order")
        return TippediskSlow(disk, v["Omega"], *numbers)
    _above_zero(v["eps"], "eps")
    if v["model"] == "1.4":
        return TippediskReduced(disk, v["Omega"], *numbers, 1.0 if v["law"] == "regularised" else 0.0)
    _refuse_idle(given, ("law",), f"model = {v['model']}", "constrained models have regularised friction")
    return constrained(disk, v["model"].removesuffix("-dae"), v["Omega"], *numbers)


def make_normalised(**given: Any) -> Any:
    """A reduced model without dimensions."""
    v = read_parameters(NORMALISED_PARAMETERS, given, "tippedisk_normalised")
    if v["form"] == "slow":
        _refuse_idle(given, ("law", "psi"), "form = slow", "neither enters the slow flow of first order")
        return TippediskSlowNormalised(v["kappa"], v["zeta"], v["omega"], v["epsilon"] / v["mu"])
    _above_zero(v["epsilon"], "epsilon")
    kink = 1.0 if v["law"] == "regularised" else 0.0
    return TippediskNormalised(v["kappa"], v["zeta"], v["psi"], v["omega"], v["mu"], v["epsilon"], kink)


START: dict[str, str | float] = {"beta": "90deg", "gamma": -0.5 * math.pi + 0.1}
REDUCED = Model(
    "tippedisk_reduced",
    "a tippedisk whose mass centre stays above one point: three states, two on the slow manifold, or twelve with multipliers",
    SOURCE,
    PARAMETERS,
    make_reduced,
    START,
    2.0,
    about="Above Omega_c (V1: 30.92 rad/s) inverted spinning attracts; from 30.1 rad/s on there is a stable cycle around it.",
)
NORMALISED = Model(
    "tippedisk_normalised",
    "a tippedisk without dimensions: kappa, zeta, psi, omega",
    SOURCE,
    NORMALISED_PARAMETERS,
    make_normalised,
    START,
    200.0,
    about="Time is the angle of the spin, Omega t; inverted spinning is stable for omega > 1 + kappa.",
)
