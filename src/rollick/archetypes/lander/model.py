"""The lander as a model of the command line."""

from __future__ import annotations

from typing import Any

from ..models import Model, Parameter, read_parameters
from .flight import Flight, fly
from .lander import PARAMETERS, WHEEL_SPEED, Lander, lander

_PARAMETERS = {name: Parameter(getattr(Lander(), name), *PARAMETERS[name]) for name in Lander._fields if name != "sense"}
_PARAMETERS["motor"] = Parameter("off", "", "off: the wheel runs down in its bearing; on: a motor keeps its speed", ("off", "on"))


def _make(**given: Any) -> Lander:
    values = read_parameters(_PARAMETERS, given, "the lander")
    motor = values.pop("motor")
    return lander(**values, sense=0.0 if motor == "on" else 1.0)


def run(system: Lander, start: Any, until: float | None = None, progress: bool | None = None, **options: Any) -> Flight:
    """The flight of a lander as the command line asks for it; a lander made with sense = 0 has its wheel driven by the motor."""
    return fly(system, start, MODEL.until if until is None else until, motor=system.sense == 0.0, progress=progress, **options)


MODEL = Model(
    name="philae",
    title="the lander Philae: a body with a flywheel along its z axis in free flight; the wheel runs down and sticks",
    source="a thesis on dynamics induced by sequences of collisions, chapter 6; data of the Rosetta mission (ESA)",
    parameters=_PARAMETERS,
    make=_make,
    start={
        "sx": 0.5690,
        "sy": 0.1959,
        "sz": 0.7986,
        "omega_x": -0.125,
        "omega_y": 0.31,
        "omega_z": 0.12,
        "omega_rot": WHEEL_SPEED,
    },
    until=2700.0,
    about="The default start is the first measurement after the first touchdown, with an angular velocity that fits the measured Sun; "
    "the wheel stops after 42 minutes.",
    starts="sx, sy, sz: the direction of the Sun in the lander frame, instead of q0..q3",
    run=run,
    honours=("start", "since", "at", "dense", "events", "rtol", "max_steps", "wall_limit"),
)
