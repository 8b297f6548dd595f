"""Pages that show bodies with flat faces moving from collision to collision."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..mechanics.facets import Facets, hovering, hull_faces, placed_plate, prism
from ..mechanics.shapes.triangles import Surface
from ..motion.result.trust import Trust
from .dress import Dress, Part
from .frames import Number, told
from .scene_data import FINENESS, page_data
from .solids import ball, plate, rounded_box

FRAMES, SOLID_FRAMES, MARKS = 2400, 900, 200
LENGTHS = {"rod": "half-lengths", "polygon": "radii", "dying_disk": "radii"}  # models without metres
EDGE = 0.035  # half-lengths, half the thickness of a dropped device
SWING = 0.25  # of a body's size, what its oscillator is seen to move at most


def faceted_data(
    title: str,
    shape: Facets,
    t: np.ndarray,
    attitude: np.ndarray,
    centre: np.ndarray,
    *,
    events: list[tuple[float, str]] | None = None,
    numbers: list[Number] | None = None,
    note: str = "",
    dressed: Dress | None = None,
) -> dict[str, Any]:
    """The data of the page of a faceted body with given attitudes (quaternions, scalar first) and places of its origin at evenly spaced instants."""
    if len(t) < 2:
        raise InputError("there is no motion to show; at least two instants are needed.")
    teller = SimpleNamespace(
        events=[SimpleNamespace(t=when, name=name) for when, name in events or []],
        about=SimpleNamespace(about=note),
        complete=True,
        status="finished",
        message="",
        trust=Trust(),
        model=None,
        title=title,
    )
    return page_data(teller, told(t, hovering(shape, attitude, centre), numbers or []), title, FINENESS, dressed or Dress())


def marked(count: int) -> np.ndarray:
    """Which of so many impacts are marked on a page: all, or evenly chosen ones from the first to the last."""
    return np.unique(np.linspace(0, count - 1, min(count, MARKS)).astype(int)) if count else np.empty(0, int)


def collisions_data(c: Any, title: str | None = None) -> dict[str, Any]:
    """The page of the collisions of a plate: a prism over its contact points, or a bar."""
    from .collisions import end_of, energy_at

    times = np.linspace(0.0, end_of(c), FRAMES)
    q = c.at(times)[:, :3]
    shape, attitude, centre = placed_plate(c.plate, q)
    shown = marked(len(c))
    hits = [(float(t), f"point {i}" if i >= 0 else "several points") for t, i in zip(c.t[shown], c.point[shown])]
    heights = q @ c.plate.f.T
    length = LENGTHS.get(c.model, "m")
    numbers = [
        Number("h", length, q[:, 2]),
        Number("lowest", length, heights.min(axis=1)),
        Number("energy", "of the first", energy_at(c, times)),
    ]
    return faceted_data(
        title or c.model or "collisions",
        shape,
        times,
        attitude,
        centre,
        events=hits,
        numbers=numbers,
        note=c.message,
        dressed=Dress(length=length),
    )


def drop_data(drop: Any, title: str | None = None) -> dict[str, Any]:
    """The page of a dropped device: a flat box with round edges, of half-length one, with its exact rotation; its oscillator moves across it.

    Its ends are those of the rod; all of it is thickened by EDGE, and the floor is lowered by as much.
    """
    end = drop.t if np.isfinite(drop.t) else 0.0
    times = np.linspace(0.0, max(end, 1e-9) * 1.02, FRAMES)
    states = drop.at(times)
    half = -0.5 * states[:, 1]  # end 0, at +x, rises with phi: a turn about -y
    attitude = np.column_stack([np.cos(half), np.zeros(len(times)), np.sin(half), np.zeros(len(times))])
    centre = np.column_stack([np.zeros((len(times), 2)), states[:, 0]])
    shape = prism([(1.0, 0.0), (-1.0, 0.0)], -1e-3, 1e-3)
    energy = states[:, 0] + 0.5 * (states[:, 2] ** 2 + (drop.device.rho * states[:, 3]) ** 2)
    numbers = [
        Number("phi", "deg", np.degrees(states[:, 1])),
        Number("u", "half-lengths", states[:, 4]),
        Number("h", "half-lengths", states[:, 0]),
        Number("energy", "m g l", energy),
    ]
    hits = [(float(when), f"end {int(which)}") for when, which in drop.impact_log[marked(len(drop.impact_log)), :2]]
    place = np.array([drop.device.r, 0.0, 0.0])
    oscillator = swinging(ball(0.07, (0.0, 0.0, 0.0)), place, np.array([0.0, 0.0, 1.0]), states[:, 4], 1.0)
    screen = Part(rounded_box(0.86, 0.36, 0.0, 0.01), "screen", np.tile([0.0, 0.0, EDGE - 0.006], (len(times), 1)))
    worn = Dress(
        body=rounded_box(1.0, 0.46, 0.0, EDGE), parts=(screen, oscillator[0]), ground=-EDGE, length="half-lengths", time="√(l/g)"
    )
    return faceted_data(
        title or drop.model or "dropped device",
        shape,
        times,
        attitude,
        centre,
        events=hits,
        numbers=numbers,
        note=f"{drop.message} {oscillator[1]}",
        dressed=worn,
    )


def swinging(what: Surface, place: np.ndarray, direction: np.ndarray, u: np.ndarray, size: float) -> tuple[Part, str]:
    """What oscillates in a body, drawn around the origin, along a direction about a place; and by what its displacement is enlarged, in words."""
    peak = float(np.abs(u).max())
    times = max(1, round(SWING * size / peak)) if peak > 0.0 else 1
    shift = place + times * u[:, None] * direction
    return Part(
        what, "metal", shift
    ), f"The ball is the oscillator{f', its displacement shown {times} times as large' if times > 1 else ''}."


def solid_drop_data(drop: Any, title: str | None = None) -> dict[str, Any]:
    """The page of a polyhedron dropped in space, with a screen on its largest face and its oscillator."""
    times = np.linspace(0.0, drop.t, SOLID_FRAMES)
    states = drop.at(times)
    faces = hull_faces(drop.solid.body.vertices)
    hits = [(float(when), f"vertex {int(which)}") for when, which in drop.impact_log[marked(len(drop.impact_log)), :2]]
    body, g = drop.solid.body, drop.rules.g
    turning = states[:, 10:13] ** 2 @ np.array(body.moments)
    energy = 0.5 * body.mass * np.sum(states[:, 3:6] ** 2, axis=1) + 0.5 * turning + body.mass * g * states[:, 2]
    numbers = [Number("z", "m", states[:, 2]), Number("u", "mm", 1e3 * states[:, 13]), Number("energy", "J", energy)]
    size = float(np.linalg.norm(body.vertices, axis=1).max())
    part = drop.component
    place, direction = np.array(part.a, float), np.array(part.d, float)
    oscillator = swinging(ball(0.06 * size, (0.0, 0.0, 0.0)), place, direction, states[:, 13], 0.6 * size)
    return faceted_data(
        title or drop.model or "dropped body",
        Facets(tuple(faces)),
        times,
        states[:, 6:10],
        states[:, :3],
        events=hits,
        numbers=numbers,
        note=f"{drop.message} {oscillator[1]}",
        dressed=Dress(parts=(screen_on(faces, size), oscillator[0])),
    )


def screen_on(faces: list[np.ndarray], size: float) -> Part:
    """A dark plate a little above the largest face, as of a telephone."""
    areas = [np.linalg.norm(sum(np.cross(f[i] - f[0], f[i + 1] - f[0]) for i in range(1, len(f) - 1))) for f in faces]
    face = faces[int(np.argmax(areas))]
    normal = np.cross(face[1] - face[0], face[2] - face[1])
    middle = face.mean(axis=0)
    return Part(plate(middle + 0.88 * (face - middle) + 0.004 * size * normal / np.linalg.norm(normal)), "screen")
