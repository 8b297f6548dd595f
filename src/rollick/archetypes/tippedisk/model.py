"""The tippedisk as a model of the command line: specimen, friction, parametrisation."""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError
from ...mechanics.laws.checked import coulomb, dry_contour, dry_pivoting, regularised
from ...mechanics.laws.contensou import contensou
from ...mechanics.laws.friction import friction
from ...mechanics.laws.sliding import ConstantLoad, Linearised
from ..models import Model, Parameter, read_parameters
from .build import FORMS, tippedisk
from .models import MODELS, has_pivoting, thesis_model
from .specimens import specimen

PARAMETERS = {
    "specimen": Parameter("V1", "", "the disk: V1 (with a hole) or V2 (hole plugged)", ("V1", "V2")),
    "rounding": Parameter("exact", "", "its inertia: exact, as printed in the thesis, or mixed", ("exact", "thesis", "mixed")),
    "model": Parameter(
        "", "", f"a model of Sailer's Table 3.3 ({', '.join(MODELS)}); it then decides law and form", ("", *MODELS)
    ),
    "law": Parameter(
        "regularised",
        "",
        "sliding friction: regularised, coulomb or contensou; weight: regularised with m g as its load (Model 1.1c); linear: that for slow slip",
        ("regularised", "coulomb", "contensou", "weight", "linear"),
    ),
    "form": Parameter("quaternion", "", "coordinates: quaternion, euler (inertial G) or corotating", tuple(FORMS)),
    "mu": Parameter(0.3, "", "coefficient of sliding friction", low=0.0),
    "eps": Parameter(0.1, "m/s", "smoothing velocity of the regularised law, above zero", low=0.0),
    "radius": Parameter(2.9e-3, "m", "contact radius of Contensou and pivoting friction", low=0.0),
    "mu_tau": Parameter(0.0, "", "coefficient of dry pivoting friction", low=0.0),
    "mu_R": Parameter(0.0, "", "coefficient of dry contour friction", low=0.0),
    "e_N": Parameter(0.0, "", "Newton's coefficient of restitution", low=0.0, high=1.0),
    "g": Parameter(9.81, "m/s^2", "gravity", low=0.0),
}


def make(**given: Any) -> Any:
    """A tippedisk from parameters."""
    v = read_parameters(PARAMETERS, given, "the tippedisk")
    disk = specimen(v["specimen"], v["rounding"])
    if v["eps"] == 0.0:
        raise InputError("eps = 0 must be above zero; friction without smoothing is another law: law=coulomb (or law=contensou).")
    if v["model"]:
        return table_model(v, given, disk)
    laws = {
        "regularised": lambda: regularised(v["mu"], v["eps"]),
        "coulomb": lambda: coulomb(v["mu"]),
        "contensou": lambda: contensou(v["mu"], v["radius"]),
        "weight": lambda: ConstantLoad(v["mu"], v["eps"], disk.m * v["g"]),
        "linear": lambda: Linearised(v["mu"], v["eps"], disk.m * v["g"]),
    }
    pivoting = dry_pivoting(v["mu_tau"], v["radius"]) if v["mu_tau"] > 0.0 else None
    contour = dry_contour(v["mu_R"]) if v["mu_R"] > 0.0 else None
    return tippedisk(disk, friction(laws[v["law"]](), pivoting, contour), v["form"], v["e_N"], v["g"])


def table_model(v: dict[str, Any], given: dict[str, Any], disk: Any) -> Any:
    """A model of Table 3.3 with what was given besides; what the model itself decides, or does not have, is refused by name."""
    decided = [name for name in ("law", "form") if name in given]
    if decided:
        raise InputError(f"model = {v['model']} decides {' and '.join(decided)}; leave out {', '.join(decided)}, or the model.")
    idle = [name for name in ("mu_tau", "mu_R") if name in given and not has_pivoting(v["model"])]
    if idle:
        raise InputError(
            f"model = {v['model']} has no pivoting and contour friction: {', '.join(idle)} would do nothing. Take a model from 7 to 10, or leave them out."
        )
    coefficients = {name: v[name] for name in ("mu", "mu_tau", "mu_R") if name in given}
    return thesis_model(v["model"], disk, v["radius"], v["eps"], e_N=v["e_N"], g=v["g"], **coefficients)


MODEL = Model(
    "tippedisk",
    "an eccentric disk that, spun fast, turns its mass centre up",
    "S. Sailer, Nonlinear Dynamics of the Tippedisk: a holistic analysis, University of Stuttgart (2023)",
    PARAMETERS,
    make,
    {"beta": "90deg", "gamma": -1.4707963267948966, "alpha_rate": 40.0},
    2.0,
    (),
    "The default start is that of Sailer's Table 3.1: spun at 40 rad/s with the mass centre low; within half a second it inverts.",
    "alpha, beta, gamma with alpha_rate, beta_rate, gamma_rate; x, y of G; gap and gap_rate; slip_x, slip_y of the contact point",
)
