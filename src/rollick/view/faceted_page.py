"""Pages that show bodies with flat faces moving from collision to collision."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..mechanics.facets import Facets, hovering, hull_faces, prism
from .frames import Frames
from .page import checked_path, written

FRAMES, SOLID_FRAMES, MARKS = 2400, 900, 200


def faceted_page(
    path: Any,
    title: str,
    shape: Facets,
    t: np.ndarray,
    attitude: np.ndarray,
    centre: np.ndarray,
    *,
    events: list[tuple[float, str]] | None = None,
    numbers: list[tuple[str, str, np.ndarray]] | None = None,
    note: str = "",
) -> Any:
    """Write the page of a faceted body with given attitudes (quaternions, scalar first) and places of its origin at evenly spaced instants."""
    target = checked_path(path)
    if len(t) < 2:
        raise InputError("there is no motion to show; at least two instants are needed.")
    poses = hovering(shape, attitude, centre)
    shown = numbers or []
    values = np.stack([v for _, _, v in shown], axis=1) if shown else np.empty((len(t), 0))
    frames = Frames(t, poses, [(name, unit) for name, unit, _ in shown], values)
    told = SimpleNamespace(
        events=[SimpleNamespace(t=when, name=name) for when, name in events or []],
        about=SimpleNamespace(about=note),
        complete=True,
        message="",
        model=None,
        title=title,
    )
    return written(told, frames, title, target)


def marked(count: int) -> np.ndarray:
    """Which of so many impacts are marked on a page: all, or evenly chosen ones from the first to the last."""
    return np.unique(np.linspace(0, count - 1, min(count, MARKS)).astype(int)) if count else np.empty(0, int)


def collisions_page(c: Any, path: Any, title: str | None = None) -> Any:
    """The page of the collisions of a plate: a prism over its contact points, or a bar."""
    from .collisions import end_of, places_at

    size = float(np.hypot(c.plate.x, c.plate.y).max())
    times = np.linspace(0.0, end_of(c), FRAMES)
    q = places_at(c, times)
    half = 0.5 * np.linalg.norm(q[:, :2], axis=1)
    along = q[:, :2] / np.maximum(2.0 * half, 1e-300)[:, None]
    attitude = np.column_stack([np.cos(half), np.sin(half)[:, None] * along, np.zeros(len(times))])
    centre = np.column_stack([np.zeros((len(times), 2)), q[:, 2]])
    shape = prism(np.column_stack([c.plate.x, c.plate.y]), 0.0, 0.1 * size)
    shown = marked(len(c))
    hits = [(float(t), f"point {i}" if i >= 0 else "several points") for t, i in zip(c.t[shown], c.point[shown])]
    heights = q @ c.plate.f.T
    numbers = [("h", "m", q[:, 2]), ("lowest", "m", heights.min(axis=1))]
    return faceted_page(
        path, title or c.model or "collisions", shape, times, attitude, centre, events=hits, numbers=numbers, note=c.message
    )


def drop_page(drop: Any, path: Any, title: str | None = None) -> Any:
    """The page of a dropped device: a bar of half-length one with its exact rotation."""
    end = drop.t if np.isfinite(drop.t) else 0.0
    times = np.linspace(0.0, max(end, 1e-9) * 1.02, FRAMES)
    states = drop.at(times)
    half = -0.5 * states[:, 1]  # end 0, at +x, rises with phi: a turn about -y
    attitude = np.column_stack([np.cos(half), np.zeros(len(times)), np.sin(half), np.zeros(len(times))])
    centre = np.column_stack([np.zeros((len(times), 2)), states[:, 0]])
    shape = prism([(1.0, 0.0), (-1.0, 0.0)], -0.03, 0.03)
    numbers = [("phi", "deg", np.degrees(states[:, 1])), ("u", "half-lengths", states[:, 4])]
    hits = [(float(when), f"end {int(which)}") for when, which in drop.impact_log[marked(len(drop.impact_log)), :2]]
    return faceted_page(
        path,
        title or drop.model or "dropped device",
        shape,
        times,
        attitude,
        centre,
        events=hits,
        numbers=numbers,
        note=drop.message,
    )


def solid_drop_page(drop: Any, path: Any, title: str | None = None) -> Any:
    """The page of a polyhedron dropped in space."""
    times = np.linspace(0.0, drop.t, SOLID_FRAMES)
    states = drop.at(times)
    shape = Facets(tuple(hull_faces(drop.solid.body.vertices)))
    hits = [(float(when), f"vertex {int(which)}") for when, which in drop.impact_log[marked(len(drop.impact_log)), :2]]
    numbers = [("z", "m", states[:, 2]), ("u", "mm", 1e3 * states[:, 13])]
    return faceted_page(
        path,
        title or drop.model or "dropped body",
        shape,
        times,
        states[:, 6:10],
        states[:, :3],
        events=hits,
        numbers=numbers,
        note=drop.message,
    )
