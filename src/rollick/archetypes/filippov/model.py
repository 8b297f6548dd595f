"""The small Filippov systems as models of the command line."""

from __future__ import annotations

from typing import Any

from ...kernel.system import description, validate
from ..models import Model, Parameter, read_parameters
from .corner import BallInCorner
from .pool_ball import PoolBall
from .spring_disk import SpringDisk
from .toy import Toy

ANTALI = "M. Antali, Dynamics of Dual-Point Rolling Bodies, PhD thesis, Budapest University of Technology and Economics (2017)"


NOT_NEGATIVE = ("surge", "shake", "omega", "drag")  # the others may be, or the system says what they must be


def parameters_of(cls: Any, **defaults: float) -> dict[str, Parameter]:
    """The fields of a type as parameters, with units and meanings from its description."""
    known = description(cls).parameters
    return {
        name: Parameter(
            defaults.get(name, cls._field_defaults[name]),
            known[name].unit,
            known[name].about,
            low=0.0 if name in NOT_NEGATIVE else None,
        )
        for name in cls._fields
    }


def made(cls: Any, what: str, **defaults: float) -> tuple[dict[str, Parameter], Any]:
    """The parameters of a type, and the function that makes a checked system from them."""
    parameters = parameters_of(cls, **defaults)

    def make(**given: Any) -> Any:
        system = cls(**read_parameters(parameters, given, what))
        validate(system)
        return system

    return parameters, make


POOL_BALL = Model(
    "pool_ball",
    "a ball on the bottom of a pool: it slips, sticks, and rolls as long as the water does not drag it too hard",
    f"{ANTALI}, section 2.4.1",
    *made(PoolBall, "the pool ball"),
    {"u_y": 0.8, "u_z": 0.9, "v_y": 1.2, "v_z": -0.7},
    2.0,
    about="The default start slips for 0.36 s, then it rolls. A surge of the water, --set surge=10 --set omega=2, makes it slip again and again.",
    method="event-driven",
)
SPRING_DISK = Model(
    "spring_disk",
    "a disk on a line, held by a spring: it slips where the spring pulls hard, and rolls elsewhere",
    f"{ANTALI}, Example 2.7",
    *made(SpringDisk, "the disk"),
    {"w": 6.0},
    20.0,
    about="It can roll for |w| < 3 mu g m/k. The default start begins to slip at once; slip takes energy until it rolls to and fro for ever.",
    method="event-driven",
)
TOY = Model(
    "filippov_toy",
    "three variables that jump where two of them vanish: they end there, or go through",
    f"{ANTALI}, Examples 2.9, 2.16 and 2.18",
    *made(Toy, "the toy"),
    {"x1": 0.3, "x2": 0.4, "x3": 0.5},
    2.0,
    about="Where |x3| < 1 it stays at x1 = x2 = 0; with sign = 1, as the thesis prints it, what follows is not unique there.",
    method="event-driven",
)
BALL_IN_CORNER = Model(
    "ball_in_corner",
    "a ball in the corner between two planes: each of its two contacts slips or rolls",
    f"{ANTALI}, chapter 3",
    *made(BallInCorner, "the ball in a corner"),
    {"v": 1.0, "Omega_z": 20.0},
    2.0,
    about="First both contacts slip, then one, then both roll. A narrow corner may wedge it: rest with --set opening=12deg --set slope=75deg has two futures, and --ambiguous says what to do.",
    method="event-driven",
)
