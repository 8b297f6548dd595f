"""A motion as a page: one file for a browser that shows the body moving, and needs neither a server nor a network.

The page holds the body's mesh, its poses at evenly spaced instants (`rollick.view.frames`), the viewer (`assets/viewer/`, `viewer.css`,
`page.html`) and the parts of three.js it needs (`assets/three_parts.min.js`; see `assets/README.md`). The address may end in #t=2.5: the page
then starts paused at that time.
"""

from __future__ import annotations

import base64
import html
import json
import re
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError, called
from ..kernel.warn import warn_user
from ..mechanics.scenery import Bays, Small
from ..mechanics.shapes.triangles import surface
from ..motion.result.whole_file import write_whole
from .frames import Frames, frames_of

VIEWER = ("data", "lines", "ground", "body", "scenery", "tracks", "overlays", "side", "curves", "player", "keys", "hook")
ENDINGS = (".html", ".htm")
SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8)
MOST_EVENTS = 400
LARGEST = 50  # what small displacements are enlarged by at most
SEEN = 0.06  # of the body's size, what they are enlarged to at first
CALM = 0.7  # oscillations per second in which they are shown at first


def asset(name: str) -> str:
    """The text of a file of `assets/`."""
    return (resources.files("rollick.view") / "assets" / name).read_text(encoding="utf-8")


def viewer() -> str:
    """The viewer as one script: its files in the order in which they build on one another."""
    return "\n".join(['(() => {\n"use strict";', *(asset(f"viewer/{name}.js").strip() for name in VIEWER), "})();"])


def packed(values: np.ndarray, kind: str = "<f4") -> str:
    """Numbers as base64 of little-endian 32-bit ones."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def contact_modes(motion: Any, t: np.ndarray) -> np.ndarray | None:
    """What each contact does at the instants t (0 open, 1 slips, 2 rolls; one column each), of a motion from mode to mode; None for others."""
    told = [(str(name), float(when)) for name, when in motion.provenance.get("methods") or []]
    if not told or any(not name or set(name) - set("OSR") or len(name) != len(told[0][0]) for name, _ in told):
        return None
    codes = np.array([["OSR".index(letter) for letter in name] for name, _ in told])
    return codes[np.maximum(np.searchsorted([when for _, when in told], t, side="right") - 1, 0)]


def page_data(motion: Any, frames: Frames, title: str | None, fineness: int) -> dict[str, Any]:
    """What the viewer is told, ready for JSON."""
    mesh = surface(frames.poses.visible, fineness)
    middle = 0.5 * (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0))
    size = float(np.linalg.norm(mesh.vertices - middle, axis=1).max())
    duration = float(frames.t[-1] - frames.t[0])
    track = frames.poses.contact
    shown = np.unique(np.linspace(0, max(len(motion.events) - 1, 0), min(len(motion.events), MOST_EVENTS)).astype(int))
    events = [{"t": float(e.t), "name": f"{e.name} at {e.t:.4g} s"} for e in (motion.events[k] for k in shown)]
    second = frames.poses.second
    modes = frames.poses.modes
    if modes is None and hasattr(motion, "provenance"):
        modes = contact_modes(motion, frames.t)
    if modes is not None and modes.shape[1] != (
        1 if second is None else 2
    ):  # it is not known which contact the point that is drawn belongs to
        modes = None
    note = motion.about.about if motion.complete else f"{motion.about.about} It broke off: {motion.message}".strip()
    return {
        "name": title
        or motion.model
        or (motion.title if frames.poses.bays is not None else f"{motion.title} ({called(frames.poses.body.shape).lower()})"),
        "note": note,
        "t0": float(frames.t[0]),
        "dt": duration / (len(frames.t) - 1),
        "frames": len(frames.t),
        "up": list(frames.poses.up),
        "size": size,
        "span": max([size, *(0.25 * float(np.ptp(line, axis=0).max()) for line in frames.poses.outline)]),
        "rise": max(0.0, float(track[:, 2].max())),
        "speeds": list(SPEEDS),
        "speed": min(SPEEDS, key=lambda speed: abs(np.log(speed / pace(frames, duration)))),
        "follow": not frames.poses.outline and bool(np.ptp(track, axis=0).max() > 2.0 * size),
        "events": events,
        "numbers": [{"name": name, "unit": unit} for name, unit in frames.numbers],
        "vertices": packed(mesh.vertices),
        "normals": packed(mesh.normals),
        "triangles": packed(mesh.triangles, "<u4"),
        "attitude": packed(frames.poses.attitude),
        "contact": packed(track),
        "footprint": packed(frames.poses.footprint),
        "touch": None if frames.poses.touch is None else packed(frames.poses.touch, "<u2"),
        "values": packed(frames.values),
        "modes": None if modes is None else packed(modes, "<u1"),
        "contacts": 0 if modes is None else modes.shape[1],
        "second": None if second is None else packed(second),
        "outline": [packed(line) for line in frames.poses.outline],
        "spin": None if frames.poses.spin is None else packed(frames.poses.spin),
        "ground": frames.poses.ground,
        "bays": bays_data(frames.poses.bays),
        "small": small_data(frames.poses.small, size),
    }


def pace(frames: Frames, duration: float) -> float:
    """How fast a motion is shown at first: in two minutes at most, in four seconds at least, and calmly where small displacements swing to and fro."""
    usual = min(max(duration / 120.0, 1.0), duration / 4.0)
    if frames.poses.small is None:
        return usual
    aside = frames.poses.small.shift[:, 1]
    swings = 0.5 * np.count_nonzero(np.diff(np.signbit(aside)))
    return min(usual, CALM * duration / swings) if swings > 1.0 else usual


def bays_data(bays: Bays | None) -> dict[str, Any] | None:
    """What repeats along the way: its meshes, and where it is not straight."""
    if bays is None:
        return None
    pieces = [
        {
            "vertices": packed(piece.surface.vertices),
            "normals": packed(piece.surface.normals),
            "triangles": packed(piece.surface.triangles, "<u4"),
            "made_of": piece.made_of,
        }
        for piece in bays.pieces
    ]
    return {
        "pieces": pieces,
        "length": bays.length,
        "first": bays.first,
        "aside": None if bays.aside is None else packed(bays.aside),
    }


def small_data(small: Small | None, size: float) -> dict[str, Any] | None:
    """Displacements that the page enlarges, and by which factor at first: so that the largest is a few hundredths of the body's size."""
    if small is None:
        return None
    largest = max(float(np.abs(small.shift).max()), size * float(np.abs(small.turn).max()), 1e-12)
    return {
        "shift": packed(small.shift),
        "turn": packed(small.turn),
        "most": LARGEST,
        "factor": int(np.clip(round(SEEN * size / largest), 1, LARGEST)),
    }


def page(motion: Any, title: str | None = None, fineness: int = 96) -> str:
    """The page of a motion as text; its title is that of the system, unless another is given."""
    return filled(page_data(motion, frames_of(motion), title, fineness))


def filled(data: dict[str, Any]) -> str:
    """The page with its data."""
    parts = {
        "title": html.escape(f"{data['name']}: a motion"),
        "style": asset("viewer.css").strip(),
        "motion": json.dumps(data, allow_nan=False).replace("<", "\\u003c"),
        "licence": asset("three.LICENSE.txt").strip(),
        "three": asset("three_parts.min.js").strip(),
        "viewer": viewer(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset("page.html"))


def checked_path(path: Any) -> Path:
    """The file a page can be written to; another ending or a missing folder is refused."""
    target = Path(path).expanduser()
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"cannot write the page {target}: the file must end in {' or '.join(ENDINGS)}; browsers go by that.")
    if target.is_dir():
        raise InputError(f"cannot write the page {target}: there is a folder of that name; choose another.")
    return target


def save_page(motion: Any, path: Any, title: str | None = None) -> Path:
    """Write the page of a motion, whole or not at all; returns its path."""
    target = checked_path(path)
    return put(page(motion, title), target)


def written(motion: Any, frames: Frames, title: str, target: Path) -> Path:
    """Write the page of frames made elsewhere; `motion` tells of events and how it ended."""
    return put(filled(page_data(motion, frames, title, 96)), target)


def put(text: str, target: Path) -> Path:
    """Write a page, whole or not at all."""
    write_whole(target, text.encode("utf-8"))
    return target


def show_page(result: Any, title: str | None = None) -> Path:
    """Write the page of a result to a temporary file and open it in the browser; returns its path."""
    import webbrowser

    folder = Path(tempfile.mkdtemp(prefix="rollick-"))
    path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '_', result.title).strip('_').lower() or 'motion'}.html"
    result.save_html(path, title)
    if not webbrowser.open(path.as_uri()):
        warn_user(f"no browser could be opened; the page is {path}.")
    return path
