"""The rolling wheelset as a model of the command line."""

from __future__ import annotations

import math
from typing import Any

from ...kernel.names import InputError
from ...kernel.system import validate
from ..models import Model, Parameter, read_parameters
from .geometry import simple
from .rolling import WheelsetRolling, wheelset_rolling
from .track import GAUGE, INCLINATION, RADIUS, TAPE, on_track

SOURCE = (
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, PhD thesis, Budapest University of Technology and Economics "
    "(2017), chapter 1"
)
NUMBERS = {
    "h": Parameter(0.05, "", "conicity: slope of both profiles at the nominal contact point"),
    "R_w": Parameter(0.5, "m", "radius of curvature of the wheels' profile there; 0: conical wheels"),
    "R_r": Parameter(0.25, "m", "radius of curvature of the rails' profile"),
    "R1_w": Parameter(0.0, "", "derivative of R_w along the axle, R_w'"),
    "R1_r": Parameter(0.0, "", "derivative of R_r along the axle, R_r'"),
    "R2_w": Parameter(0.0, "1/m", "second derivative of R_w, R_w''"),
    "R2_r": Parameter(0.0, "1/m", "second derivative of R_r, R_r''"),
    "b": Parameter(0.7, "m", "half the distance of the nominal contact points", positive=True),
    "r": Parameter(0.4, "m", "nominal rolling radius", positive=True),
}
TRACK = {
    "gauge": Parameter(GAUGE, "m", "distance of the rails, 14 mm below their tops", positive=True),
    "inclination": Parameter(INCLINATION, "", "lean of the rails, as a tangent", low=0.0, high=0.2),
    "tape": Parameter(TAPE, "m", "half the distance of the tape circles", positive=True),
    "radius": Parameter(RADIUS, "m", "radius at the tape circle", positive=True),
}
PROFILES = ("numbers", "s1002_uic60")
PARAMETERS = {
    "v": Parameter(50.0, "m/s", "speed along the track", positive=True),
    "profiles": Parameter(
        "numbers", "", "numbers: from h, R_w, R_r, ...; s1002_uic60: the published wheel and rail on a track", PROFILES
    ),
    **NUMBERS,
    **TRACK,
}


def make(**given: Any) -> WheelsetRolling:
    """A rolling wheelset from parameters; those of the other kind of profiles are refused, unless they are as they are anyway."""
    values = read_parameters(PARAMETERS, given, "the wheelset")
    mine, other = (NUMBERS, TRACK) if values["profiles"] == "numbers" else (TRACK, NUMBERS)
    idle = [name for name in given if name in other and values[name] != other[name].default]
    if idle:
        raise InputError(f"profiles = {values['profiles']} does not know {', '.join(idle)}; it has {', '.join(mine)}.")
    wanted = {name: values[name] for name in mine}
    if wanted.get("R_w") == 0.0:
        wanted["R_w"] = math.inf
    system = wheelset_rolling(simple(**wanted) if values["profiles"] == "numbers" else on_track(**wanted), values["v"])
    validate(system)
    return system


MODEL = Model(
    "wheelset_rolling",
    "a railway wheelset that rolls on both rails: kinematic oscillation with exact three-dimensional contact",
    SOURCE,
    PARAMETERS,
    make,
    {"y": 0.005},
    2.0,
    ("y",),
    about="The default is Example 1.2 of the thesis (inferred data, constant curvature). --set R1_w=30 lets the wheels' "
    "radius of curvature change; --set profiles=s1002_uic60 takes the published profiles, "
    "on which the contact jumps at y = 0.23 mm: start below.",
    starts="y, psi, phi; roll angle and contacts follow",
)
