"""What a page is told of a motion: its frames, the surfaces of the body and of what surrounds it, what is known of the contacts; packed for JSON."""

from __future__ import annotations

import base64
import inspect
import re
from typing import Any

import numpy as np

from ..kernel.names import called
from ..mechanics.scenery import Bays, Small
from ..mechanics.shapes.skin import has_skin
from ..mechanics.shapes.triangles import Surface, surface
from ..motion.result.outcome import DOUBTFUL
from ..plotting.symbols import GREEK
from .contacts import TURN, contact_force, friction_of, gravity_of, modes_of, second_normal
from .dress import Dress, dress
from .frames import Frames, frames_of, turns
from .mode_forces import Shown, forces_in_modes

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8)
MOST_EVENTS = 400
MOST_VERTICES = 3600  # of a body
FINENESS = 72  # of the mesh of a smooth body
LARGEST = 50  # what small displacements are enlarged by at most
SEEN = 0.06  # of the body's size, what they are enlarged to at first
CALM = 0.7  # oscillations per second in which they are shown at first


def packed(values: np.ndarray, kind: str = "<f4") -> str:
    """Numbers as base64 of little-endian ones, 32-bit unless said otherwise."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SIGNS = {"p": "⁺", "_plus": "⁺", "m": "⁻", "_minus": "⁻"}  # of one contact and of the other
ROUNDING = 1e-12  # of the largest number with that unit: what is smaller is shown as zero


def label(name: str) -> str:
    """The name of a number as it is written on a page: Greek letters, lowered digits, spaces."""
    signed = re.fullmatch(r"([A-Za-z])(\d+)(p|m|_plus|_minus)", name)
    if signed:
        return signed[1] + signed[2].translate(LOWERED) + SIGNS[signed[3]]
    head, _, rest = name.partition("_")
    word = re.fullmatch(r"([A-Za-z]+?)(\d*)", head)
    if word and word[1] in GREEK:
        head = GREEK[word[1]] + word[2].translate(LOWERED)
    elif word and len(word[1]) == 1:
        head = word[1] + word[2].translate(LOWERED)
    return f"{head} {rest.replace('_', ' ')}".strip()


def lettered(text: str) -> str:
    """Greek letters that stand by themselves, and powers, as they are written."""
    text = re.sub(r"(?<![\w.])([A-Za-z]+)(?![\w(.]\w)", lambda word: GREEK.get(word[1], word[1]), text)
    return re.sub(r"\^(\d+)", lambda power: power[1].translate(RAISED), text)


def note_of(motion: Any) -> str:
    """What a page says of a motion: the first paragraph of what is written about its system, with Greek letters and powers; how it ended if that is not well; its checks."""
    about = motion.about.about
    whole = inspect.cleandoc(type(getattr(motion, "system", None)).__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    text = whole if about and whole.startswith(about) else about
    text = "".join(part if k % 2 else lettered(part) for k, part in enumerate(text.split("`")))  # code stays as it is
    if not motion.complete:
        return f"{text} It {'is doubtful' if motion.status == DOUBTFUL else 'broke off'}: {motion.message}".strip()
    checks = "; ".join(check.text for check in motion.trust.checks)
    return f"{text} Checked: {checks}.".strip() if checks else text


def without_rounding(values: np.ndarray, numbers: list[tuple[str, str]]) -> np.ndarray:
    """Numbers over time (n, k) of k quantities with their units; zero where they are so by all but rounding errors."""
    units = [unit for _, unit in numbers]
    largest = np.nanmax(np.abs(values), axis=0, initial=0.0, where=np.isfinite(values))
    scales = np.array([max(size for size, other in zip(largest, units) if other == unit) for unit in units])
    return np.where(np.abs(values) < ROUNDING * scales, 0.0, values)


def surface_data(surface_: Surface, made_of: str | None = None) -> dict[str, Any]:
    """A surface, packed."""
    told = {
        "vertices": packed(surface_.vertices),
        "normals": packed(surface_.normals),
        "triangles": packed(surface_.triangles, "<u4"),
    }
    return told if made_of is None else {**told, "made_of": made_of}


def body_surface(shape: Any, fineness: int) -> Surface:
    """The surface of a shape, coarser where it would have very many vertices; of a mesh, vertices that agree with their normals as one."""
    made = surface(shape, fineness)
    if has_skin(shape):
        rows = np.hstack([made.vertices, made.normals]).astype(np.float32)
        rows, names = np.unique(rows, axis=0, return_inverse=True)
        return Surface(rows[:, :3].astype(float), names.reshape(-1)[made.triangles], rows[:, 3:].astype(float))
    if len(made.vertices) > MOST_VERTICES and fineness > 24:
        made = surface(shape, max(24, fineness * MOST_VERTICES // len(made.vertices)))
    return made


def contact_data(motion: Any, system: Any, frames: Frames) -> dict[str, Any]:
    """What is known of the contacts: whether they slip or roll, the force, the friction."""
    p = frames.poses
    modes = p.modes if system is None else modes_of(motion, frames.t, frames.y, p)
    if modes is not None and modes.shape[1] != (1 if p.second is None else 2):
        modes = None  # it is not known which contact the point that is drawn belongs to
    force = None if system is None else contact_force(motion, frames.t, p, frames.around)
    shown = None if system is None or force is not None else forces_in_modes(system, frames.t, frames.y, modes, p)
    if shown is None and force is not None:
        shown = Shown(force[None], "contact force", "N", max(p.body.mass * gravity_of(system), 1e-12))
    friction, normal2 = (None, None) if system is None else (friction_of(system), second_normal(p))
    return {
        "modes": None if modes is None else packed(modes, "<u1"),
        "contacts": 0 if modes is None else modes.shape[1],
        "normal2": None if normal2 is None else packed(normal2),
        "force": None if shown is None else packed(shown.forces[0]),
        "force2": None if shown is None or len(shown.forces) < 2 else packed(shown.forces[1]),
        "weight": 1.0 if shown is None else shown.size,
        "force_told": None if shown is None else [shown.what, shown.unit],
        "friction": friction if friction else None,
    }


def motion_data(motion: Any, title: str | None = None, fineness: int = FINENESS, skin: Any = None) -> dict[str, Any]:
    """The data of the page of a motion. skin: a shape that is drawn in place of the body's own."""
    frames = frames_of(motion)
    if skin is not None:
        frames = frames._replace(poses=frames.poses._replace(visible=skin))
    return page_data(motion, frames, title, fineness)


def page_data(motion: Any, frames: Frames, title: str | None, fineness: int, dressed: Dress | None = None) -> dict[str, Any]:
    """What the viewer is told (`assets/viewer/data.js` lists it), ready for JSON."""
    system = getattr(motion, "system", None)
    p = frames.poses
    worn = dressed if dressed is not None else (Dress() if system is None else dress(system, p))._replace(time=motion.about.time)
    mesh = worn.body if worn.body is not None else body_surface(p.visible, fineness)
    middle = 0.5 * (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0))
    size = float(np.linalg.norm(mesh.vertices - middle, axis=1).max())
    duration = float(frames.t[-1] - frames.t[0])
    track = p.contact
    marked = np.unique(np.linspace(0, max(len(motion.events) - 1, 0), min(len(motion.events), MOST_EVENTS)).astype(int))
    events = [{"t": float(e.t), "name": f"{e.name} at {e.t:.4g} {worn.time}".strip()} for e in (motion.events[k] for k in marked)]
    rise = max(0.0, float(track[:, 2].max()))
    turning = float(turns(p.attitude).max()) < TURN and (p.spin is None or float(np.abs(np.diff(p.spin)).max()) < TURN)
    ground = None if not worn.floor else p.ground if worn.ground is None else worn.ground
    many = len(frames.numbers) if frames.shown is None else frames.shown
    rolls_far = not p.outline and bool(np.ptp(track, axis=0).max() > 2.0 * size)
    return {
        "name": title
        or motion.model
        or (motion.title if p.bays is not None else f"{motion.title} ({called(p.body.shape).lower()})"),
        "note": note_of(motion),
        "t0": float(frames.t[0]),
        "dt": duration / (len(frames.t) - 1),
        "frames": len(frames.t),
        "length": worn.length,
        "time": worn.time,
        "up": list(p.up),
        "size": size,
        "span": max([size, *(0.25 * float(np.ptp(line, axis=0).max()) for line in p.outline)]),
        "rise": rise,
        "speeds": list(SPEEDS),
        "speed": min(SPEEDS, key=lambda speed: abs(np.log(speed / pace(frames, duration)))),
        "follow": worn.sun is None and (rolls_far or rise > 2.5 * size),
        "events": events,
        "numbers": [
            {"name": n, "label": label(n), "unit": lettered(unit), "shown": k < many}
            for k, (n, unit) in enumerate(frames.numbers)
        ],
        **surface_data(mesh),
        "attitude": packed(p.attitude),
        "contact": packed(track),
        "footprint": packed(p.footprint),
        "touch": None if p.touch is None else packed(p.touch, "<u2"),
        "values": packed(without_rounding(frames.values, frames.numbers), "<f8"),  # an energy that is kept to 1e-10 is shown so
        "second": None if p.second is None else packed(p.second),
        "outline": [packed(line) for line in p.outline],
        "pieces": [surface_data(piece, made_of) for piece, made_of in worn.pieces],
        "parts": [
            {**surface_data(part.surface, part.made_of), "shift": None if part.shift is None else packed(part.shift)}
            for part in worn.parts
        ],
        "spring": None if worn.spring is None else list(worn.spring),
        "spin": None if p.spin is None else packed(p.spin),
        "ground": ground,
        "sun": None if worn.sun is None else list(worn.sun),
        "centre": [float(x) for x in p.body.centre],
        **contact_data(motion, system, frames),
        "turning": turning,
        "bays": bays_data(p.bays),
        "small": small_data(p.small, size),
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
    return {
        "pieces": [surface_data(piece.surface, piece.made_of) for piece in bays.pieces],
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
