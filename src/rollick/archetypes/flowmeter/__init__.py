"""The rotating-ball flowmeter: M. Antali, Dynamics of Dual-Point Rolling Bodies (2017), chapter 4, and what an engineer asks of it."""

from .drag import Drag, drag_acceleration, quadratic, schiller_naumann, stokes
from .engineering import flowmeter
from .flow import Flow, swirl_speed
from .system import FlowMeter

__all__ = [
    "Drag",
    "Flow",
    "FlowMeter",
    "drag_acceleration",
    "flowmeter",
    "quadratic",
    "schiller_naumann",
    "stokes",
    "swirl_speed",
]
