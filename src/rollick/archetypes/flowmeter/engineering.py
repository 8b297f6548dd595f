"""A flowmeter from what a data sheet says: diameters, densities, viscosity, friction, flow rate; numbers or texts with units."""

from __future__ import annotations

import math
from typing import Any

from ...kernel.names import InputError, number
from ...kernel.system import validate
from .drag import NEWTON, named_drag
from .flow import Flow
from .system import FlowMeter


def above_zero(given: Any, what: str, unit: str) -> float:
    """A number above zero, with or without its unit."""
    value = number(given, what, unit)
    if value <= 0.0:
        raise InputError(f"{what} = {given!r} must be above zero.")
    return value


def swirl_of_blades(area: Any, angle: Any) -> float:
    """v_f per flow rate (1/m^2) behind tilted blades that turn the whole flow by an angle: v_f = (Q/area) tan(angle)."""
    turned = number(angle, "angle", "rad")
    if not 0.0 < turned < 0.5 * math.pi:
        raise InputError(f"angle = {angle!r} of the blades must lie between 0 and 90 deg.")
    return math.tan(turned) / above_zero(area, "area", "m^2")


def flowmeter(
    ball_diameter: Any = "20 mm",
    vessel_diameter: Any = "220 mm",
    ball_density: Any = "1160 kg/m^3",
    fluid_density: Any = "1000 kg/m^3",
    viscosity: Any = None,
    nu: Any = None,
    mu: Any = 0.1,
    j: Any = 0.4,
    drag: Any = "stokes",
    swirl: Any = None,
    flow_rate: Any = None,
    swirl_per_flow: Any = None,
    step_to: Any = None,
    step_at: Any = 0.0,
    rise: Any = 0.1,
    amplitude: Any = 0.0,
    frequency: Any = 1.0,
    drag_coefficient: Any = NEWTON,
    g0: Any = 9.81,
) -> FlowMeter:
    """The meter of a ball of this diameter and density in a vessel of this inner diameter.

    viscosity: dynamic (Pa s), or nu: kinematic (m^2/s); water by default. mu: friction of the wetted contacts. drag: stokes, quadratic, schiller-naumann, or a
    law of one's own (`drag.drag_acceleration`). swirl: v_f; or flow_rate (m^3/s) and swirl_per_flow (1/m^2, see `swirl_of_blades`), from calibration or design.
    step_to, step_at, rise: the swirl goes to another value; amplitude, frequency: it pulsates. j: 2/5 of a solid ball, 2/3 of a shell.
    """
    r = 0.5 * above_zero(ball_diameter, "ball_diameter", "m")
    R = 0.5 * above_zero(vessel_diameter, "vessel_diameter", "m")
    if r >= R:
        raise InputError(
            f"the ball does not fit: its diameter {2.0 * r:g} m must be smaller than the vessel's inner diameter {2.0 * R:g} m (ball_diameter, vessel_diameter)."
        )
    rho_b = above_zero(ball_density, "ball_density", "kg/m^3")
    rho_f = above_zero(fluid_density, "fluid_density", "kg/m^3")
    if rho_f >= rho_b:
        raise InputError(
            f"the ball floats: the fluid ({rho_f:g} kg/m^3) must be lighter than the ball ({rho_b:g} kg/m^3), or nothing presses it onto the floor."
        )
    gravity = above_zero(g0, "g0", "m/s^2")
    kinematic = kinematic_viscosity(viscosity, nu, rho_f)
    law = drag
    if isinstance(drag, str):
        law = named_drag(drag, r, rho_f / rho_b, kinematic, above_zero(drag_coefficient, "drag_coefficient", ""))
    v_f = swirl_from(swirl, flow_rate, swirl_per_flow)
    step = 0.0 if step_to is None else number(step_to, "step_to", "m/s") - v_f
    made = FlowMeter(
        r,
        R - r,
        4.0 / 3.0 * math.pi * r**3 * rho_b,
        number(j, "j", ""),
        (1.0 - rho_f / rho_b) * gravity,
        above_zero(mu, "mu", ""),
        law,
        Flow(
            v_f,
            step,
            number(step_at, "step_at", "s"),
            above_zero(rise, "rise", "s"),
            number(amplitude, "amplitude", "m/s"),
            number(frequency, "frequency", "Hz"),
        ),
    )
    validate(made)
    return made


def kinematic_viscosity(viscosity: Any, nu: Any, rho_f: float) -> float:
    """nu, from one of both viscosities; that of water at 20 degrees (1e-6 m^2/s) if none is given."""
    if viscosity is not None and nu is not None:
        raise InputError("viscosity (dynamic, Pa s) and nu (kinematic, m^2/s) both say how viscous the fluid is; keep one.")
    if viscosity is not None:
        return above_zero(viscosity, "viscosity", "Pa s") / rho_f
    return above_zero("1e-6" if nu is None else nu, "nu", "m^2/s")


def swirl_from(swirl: Any, flow_rate: Any, swirl_per_flow: Any) -> float:
    """v_f: as given (0.15 m/s by default), or from the flow rate."""
    if flow_rate is None:
        return number(0.15 if swirl is None else swirl, "swirl", "m/s")
    if swirl is not None:
        raise InputError("swirl and flow_rate both say how fast the fluid turns; keep one.")
    if swirl_per_flow is None:
        raise InputError(
            "flow_rate alone does not say how fast the fluid swirls; give swirl_per_flow too (v_f/Q in 1/m^2: from calibration, or tan(angle)/area behind blades)."
        )
    return number(flow_rate, "flow_rate", "m^3/s") * above_zero(swirl_per_flow, "swirl_per_flow", "1/m^2")


__all__ = ["flowmeter", "kinematic_viscosity", "swirl_of_blades"]
