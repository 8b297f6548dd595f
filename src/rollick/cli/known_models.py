"""The names and titles of all models, known without loading one of them: for `rollick models`, for the completion of names in shells, and to refuse a mistyped name at once.

Loading the models takes two seconds, and a shell asks at every press of the tabulator key. A test compares this table with the models.
"""

from __future__ import annotations

from ..archetypes.former import FORMER
from ..kernel.names import InputError, choose

TITLES = {
    "rattleback": "a stone that reverses its spin: an ellipsoid rolling without slipping, with skewed inertia",
    "torus": "a torus rolling on its outer half, without slip and twist",
    "rolling_disk": "a thin uniform disk rolling on its edge, without slip and twist",
    "hoop": "a thin hoop rolling on its edge, without slip and twist",
    "ellipsoid": "a solid ellipsoid rolling without slip and twist",
    "routh_sphere": "a sphere with its mass centre off its middle, rolling without slip and twist",
    "profile": "a homogeneous solid of revolution of any convex profile, rolling without slip and twist",
    "tippedisk": "an eccentric disk that, spun fast, turns its mass centre up",
    "tippedisk_reduced": "a tippedisk whose mass centre stays above one point: three states, two on the slow manifold, or twelve with multipliers",
    "tippedisk_normalised": "a tippedisk without dimensions: kappa, zeta, psi, omega",
    "rod": "a rod that chatters on a plane: complete or incomplete chatter",
    "polygon": "a body that chatters on the corners of a face",
    "dying_disk": "Euler's disk as a polygon of contact points: impacts round its edge, ever faster, until it rests",
    "drop": "a rod with a light oscillator, dropped: impacts, slips, and the shock on the component",
    "philae": "the lander Philae: a body with a flywheel along its z axis in free flight; the wheel runs down and sticks",
    "tippe_top": "a tippe top: a spinning sphere with its mass centre off its middle turns over and stands up on its stem",
    "euler_disk": "Euler's disk: a heavy disk rolls on its edge, ever faster, until it lies flat",
    "pool_ball": "a ball on the bottom of a pool: it slips, sticks, and rolls as long as the water does not drag it too hard",
    "spring_disk": "a disk on a line, held by a spring: it slips where the spring pulls hard, and rolls elsewhere",
    "filippov_toy": "three variables that jump where two of them vanish: they end there, or go through",
    "ball_in_corner": "a ball in the corner between two planes: each of its two contacts slips or rolls",
    "flowmeter": "a rotating-ball flowmeter: swirling fluid carries a ball round a vessel, on its floor and along its wall",
    "wheelset": "a railway wheelset with Coulomb friction: it rolls along its kinematic oscillation, and slips where that needs too much friction",
    "wheelset_rolling": "a railway wheelset that rolls on both rails: kinematic oscillation with exact three-dimensional contact",
}


def refuse_unknown(name: str | None) -> None:
    """Refuse a name that no model has (any more), in the words in which the models would, but without loading them."""
    if name in FORMER:
        raise InputError(FORMER[name])
    if name is not None:
        choose(name, TITLES, "model")


def complete_model(incomplete: str) -> list[tuple[str, str]]:
    """The models whose names begin as what was typed, each with its title."""
    return [(name, title) for name, title in TITLES.items() if name.startswith(incomplete)]
