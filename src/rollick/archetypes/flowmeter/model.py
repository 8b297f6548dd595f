"""The flowmeter as a model of the command line: ball, fluid and vessel in engineering units."""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError
from ..models import Model, Parameter, read_parameters
from .drag import LAWS, NEWTON
from .engineering import flowmeter

PARAMETERS = {
    "ball_diameter": Parameter(0.02, "m", "diameter of the ball", positive=True),
    "vessel_diameter": Parameter(0.22, "m", "inner diameter of the vessel", positive=True),
    "ball_density": Parameter(1160.0, "kg/m^3", "density of the ball (1160: polyamide)", positive=True),
    "fluid_density": Parameter(1000.0, "kg/m^3", "density of the fluid", positive=True),
    "nu": Parameter(1e-6, "m^2/s", "kinematic viscosity of the fluid (1e-6: water)", positive=True),
    "mu": Parameter(0.1, "", "coefficient of friction of the wetted contacts", positive=True),
    "j": Parameter(0.4, "", "moment of inertia over m r^2: 2/5 of a solid ball, 2/3 of a thin shell", positive=True, high=2.0 / 3.0),
    "drag": Parameter("stokes", "", "drag law: " + ", ".join(LAWS), LAWS),
    "drag_coefficient": Parameter(NEWTON, "", "of quadratic drag", positive=True),
    "swirl": Parameter(0.15, "m/s", "speed v_f of the fluid at the circle of the ball's centre"),
    "flow_rate": Parameter(0.0, "m^3/s", "flow through the vessel; above zero it counts instead of swirl, with swirl_per_flow", low=0.0),
    "swirl_per_flow": Parameter(0.0, "1/m^2", "v_f per flow rate; behind blades tan(angle)/area", low=0.0),
    "step": Parameter(0.0, "m/s", "change of the swirl at step_at"),
    "step_at": Parameter(0.0, "s", "when the step begins"),
    "rise": Parameter(0.1, "s", "how long it takes", positive=True),
    "amplitude": Parameter(0.0, "m/s", "of a pulsation of the swirl", low=0.0),
    "frequency": Parameter(1.0, "Hz", "of the pulsation", low=0.0),
    "g0": Parameter(9.81, "m/s^2", "gravity", positive=True),
}  # fmt: skip


def make(**given: Any) -> Any:
    """The meter of checked parameters."""
    v = read_parameters(PARAMETERS, given, "the flowmeter")
    step, rate, per = v.pop("step"), v.pop("flow_rate"), v.pop("swirl_per_flow")
    if rate > 0.0:
        if "swirl" in given:
            raise InputError("swirl and flow_rate both say how fast the fluid turns; keep one.")
        if per == 0.0:
            raise InputError(
                f"flow_rate = {rate:g} m^3/s needs swirl_per_flow, v_f per flow rate in 1/m^2 (behind blades tan(angle)/area)."
            )
        v["swirl"] = rate * per
    return flowmeter(**v, step_to=v["swirl"] + step)


MODEL = Model(
    "flowmeter",
    "a rotating-ball flowmeter: swirling fluid carries a ball round a vessel, on its floor and along its wall",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, PhD thesis, Budapest University of Technology and Economics (2017), chapter 4",
    PARAMETERS,
    make,
    {},
    60.0,
    about="From rest the wall slips first, then both contacts roll, and the ball follows the fluid. `rollick flowmeter limits` says up to which swirl it does.",
    method="event-driven",
)
