"""The wheelset with friction as a model of the command line."""

from __future__ import annotations

from typing import Any

from ..models import Model, Parameter, read_parameters
from .irregularity import Sinusoidal, read_track
from .physical import EXAMPLE, UNITS, wheelset

PARAMETERS = {
    "v": Parameter(300.0 / 3.6, "m/s", "speed along the track", positive=True),
    "m": Parameter(EXAMPLE["m"], "kg", "mass of the wheelset", positive=True),
    "J_psi": Parameter(EXAMPLE["J_psi"], "kg*m^2", "moment of inertia about the vertical", positive=True),
    "J_phi": Parameter(EXAMPLE["J_phi"], "kg*m^2", "moment of inertia about the axle", positive=True),
    "k_y": Parameter(EXAMPLE["k_y"], "N/m", "lateral stiffness of the suspension", low=0.0),
    "k_psi": Parameter(EXAMPLE["k_psi"], "N*m", "yaw stiffness of the suspension", low=0.0),
    "b": Parameter(EXAMPLE["b"], "m", "half distance of the contacts", positive=True),
    "r": Parameter(EXAMPLE["r"], "m", "rolling radius", positive=True),
    "mu": Parameter(EXAMPLE["mu"], "", "coefficient of friction", positive=True),
    "F_load": Parameter(EXAMPLE["F_load"], "N", "axle load", positive=True),
    "wavenumber": Parameter(EXAMPLE["wavenumber"], "1/m", "omega_L/v of the kinematic oscillation", positive=True),
    "eta": Parameter(EXAMPLE["eta"], "", "its geometric factor, sqrt(-a01/b10)/b", positive=True),
    "conicity": Parameter(0.0, "", "if above zero: wavenumber and eta follow from it by Klingel's formula", low=0.0),
    "track_amplitude": Parameter(0.0, "m", "of a sinusoidal lateral irregularity of the track"),
    "track_wavelength": Parameter(20.0, "m", "of the irregularity", positive=True),
    "track": Parameter("", "", "a CSV file with a measured irregularity: place, lateral displacement (m)"),
}


def make(**given: Any) -> Any:
    """A wheelset from physical parameters."""
    values = read_parameters(PARAMETERS, given, "the wheelset")
    moves = (
        {"conicity": values["conicity"]}
        if values["conicity"] > 0.0
        else {"wavenumber": values["wavenumber"], "eta": values["eta"]}
    )
    track = read_track(values["track"]) if values["track"] else Sinusoidal(values["track_amplitude"], values["track_wavelength"])
    plain = {name: values[name] for name in UNITS if name in values and name not in ("conicity", "wavenumber", "eta")}
    return wheelset(**plain, **moves, track=track)


MODEL = Model(
    "wheelset",
    "a railway wheelset with Coulomb friction: it rolls along its kinematic oscillation, and slips where that needs too much friction",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, PhD thesis, Budapest University of Technology and Economics (2017), chapter 5",
    PARAMETERS,
    make,
    {"Psi": 0.0087},
    1.0,
    about="The default is Example 5.2 at 300 km/h (its table is lost; values inferred): slip pumps the oscillation into a limit cycle of lasting slip. Below 283 km/h, "
    "--set v=200km/h --start y=7mm, slip damps it. `rollick wheelset critical` and `return-map` say where and why.",
    method="event-driven",
)
