"""What is seen with a body besides its shape: a vessel, the other plane of a corner, a spring, a stem, the Sun instead of a floor.

dress(system, poses)      the `Dress` of a system's body, by the type of the system; none for those that need none
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..mechanics.poses import Poses
from ..mechanics.shapes.convex import Sphere
from ..mechanics.shapes.triangles import Surface
from ..mechanics.sliding.equations import Sliding
from ..mechanics.sliding.feet import Feet
from ..mechanics.sliding.touching import Touching
from .kinds import kind_of
from .patches import each_surface, level, patch
from .solids import ball, plate, top_with_stem, wall

CORNER, SPRING_DISK = "filippov.corner.BallInCorner", "filippov.spring_disk.SpringDisk"
FLOWMETER, LANDER = "flowmeter.system.FlowMeter", "lander.lander.Lander"
KNOWN = (CORNER, SPRING_DISK, FLOWMETER, LANDER)
FINE = 64  # vertices around what is made here


class Part(NamedTuple):
    """A surface in the axes of the body that moves in it: by shift (n, 3), if given; coloured by what it is made of."""

    surface: Surface
    made_of: str
    shift: np.ndarray | None = None


class Dress(NamedTuple):
    """What a page shows besides the body's shape.

    body: the surface that is drawn instead of the shape's own
    pieces: surfaces in the plane's frame, each with what it is made of ("glass", "metal", "wood")
    parts: what moves in the body
    ground: the height of the plane (None: as the poses have it); floor: whether there is one
    sun: the direction to the Sun in the plane's frame
    spring: where a spring that holds the body's middle is tied, in the plane's frame
    length, time: units; "" where lengths have none
    """

    body: Surface | None = None
    pieces: tuple[tuple[Surface, str], ...] = ()
    parts: tuple[Part, ...] = ()
    ground: float | None = None
    floor: bool = True
    sun: tuple[float, float, float] | None = None
    spring: tuple[float, float, float] | None = None
    length: str = "m"
    time: str = "s"


def dress(system: Any, poses: Poses) -> Dress:
    """What a system's body is seen with."""
    kind = kind_of(system, KNOWN)
    if kind == FLOWMETER:
        from ..archetypes.flowmeter.poses import RIM

        return Dress(pieces=((wall(system.d + system.r, 0.0, RIM * system.r), "glass"),))
    if kind == CORNER:
        return Dress(pieces=((other_plane(system, poses), "glass"),))
    if kind == SPRING_DISK:
        way = poses.contact[:, 0]
        return Dress(spring=(float(way.min()) - 3.0 * system.r, 0.0, system.r))
    if kind == LANDER:
        return Dress(floor=False, sun=(0.0, 0.0, 1.0))  # the solar frame: the Sun is along its z axis
    if isinstance(system, Touching):
        return among(system, poses)._replace(body=round_body(system))
    return Dress(body=round_body(system))


def among(system: Touching, poses: Poses) -> Dress:
    """The surfaces around a body, as they are at the beginning; a level plane is the ground."""
    size = float(np.linalg.norm(poses.footprint, axis=1).max())
    heights = [level(surface, 0.0) for surface in each_surface(system.on)]
    grounds = [height for height in heights if height is not None]
    pieces = []
    for surface, height in zip(each_surface(system.on), heights):
        seen = patch(surface, 0.0, poses.centre, size) if height is None else None
        if seen is not None:
            pieces.append((seen, "glass"))
    return Dress(pieces=tuple(pieces), floor=bool(grounds), ground=min(grounds, default=None))


def other_plane(ball: Any, poses: Poses) -> Surface:
    """The second plane of a corner, from the edge on to beyond the ball, along the whole way."""
    touch, centre = poses.second[0], poses.centre[0]  # type: ignore[index]
    normal = (centre - touch) / np.linalg.norm(centre - touch)
    edge = np.array([1.0, 0.0, 0.0])
    up = np.cross(edge, normal)  # in the plane, away from the edge
    up *= np.sign(up[2]) or 1.0
    foot = touch - up * (touch[2] / up[2])  # where it meets the floor
    low, high = float(poses.contact[:, 0].min()) - 6.0 * ball.r, float(poses.contact[:, 0].max()) + 6.0 * ball.r
    rise = 2.2 * np.linalg.norm(touch - foot)
    corners = [
        np.array([x, 0.0, 0.0]) + np.array([0.0, foot[1], foot[2]]) + s * up
        for x, s in ((low, 0.0), (high, 0.0), (high, rise), (low, rise))
    ]
    return plate(corners)


def round_body(system: Any) -> Surface | None:
    """The surface of a body that stands on balls about its axis: one, or a top with its stem; None for others, which are drawn as they are."""
    stem = stem_of(system)
    if stem is not None:
        return top_with_stem(*stem, FINE)
    if (
        not isinstance(getattr(system, "feet", None), Feet)
        or len(system.feet.places) != 1
        or not isinstance(system.body.shape, Sphere)
    ):
        return None
    x, y, z, radius = system.feet.places[0]
    return ball(radius, (x, y, z), FINE) if radius > 0.0 else None


def stem_of(system: Any) -> tuple[float, float, float] | None:
    """Radius, radius of the tip and its height, of a body that stands on two balls on its axis e3 (a tippe top); None for others."""
    if not isinstance(system, Sliding) or not isinstance(system.feet, Feet) or len(system.feet.places) != 2:
        return None
    places = np.array(system.feet.places, float)
    if np.any(places[:, 3] <= 0.0) or np.any(places[:, :2] != 0.0) or places[0, 2] != 0.0 or not places[1, 3] < places[0, 3]:
        return None
    radius, tip, at = places[0, 3], places[1, 3], places[1, 2]
    return (float(radius), float(tip), float(at)) if at + tip > radius else None
