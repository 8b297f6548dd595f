"""What a page tells of a body's contacts: whether they slip or roll, the force, the friction cone.

The force on a body that only gravity and one contact act on follows from the motion of its mass centre, F = m (c'' - g). c'' is a second
difference, which is the mean of the acceleration over +-h with weights that fall off linearly: impacts count with their impulses. h is
small beside a frame where the motion is known at any instant; of a stepped motion it is the longest time between two output times.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..mechanics.contact import contact_count, law_of
from ..mechanics.poses import Poses
from ..mechanics.rolling import Marble, Rubber
from ..mechanics.shapes.convex import Sphere
from ..mechanics.sliding.equations import Sliding
from .kinds import kind_of

KNOWN = (
    "rattleback.stone.Rattleback",
    "rattleback.quaternion_form.QuaternionRattleback",
    "tippedisk.quaternion.TippediskQuaternion",
    "tippedisk.euler.TippediskEuler",
    "tippedisk.corotating.TippediskCorotating",
)
ROLLING = 1e-3  # of sqrt(g size): contact points slower than this roll
TURN = 1.0  # rad from one frame to the next, up to which an angular velocity can be told from them


def free_but_for_gravity(system: Any) -> bool:
    """Whether only gravity and one plane act on a body."""
    return isinstance(system, (Marble, Rubber, Sliding)) or bool(kind_of(system, KNOWN))


def gravity_of(system: Any) -> float:
    """How strong gravity is, in the unit of the system; zero where it has none."""
    held = getattr(system, "gravity", getattr(system, "g", 0.0))
    return float(np.linalg.norm(held)) if np.size(held) else 0.0


def contact_force(motion: Any, t: np.ndarray, poses: Poses, around: Any = None) -> np.ndarray | None:
    """The force (n, 3) of the plane on the body, in the plane's frame; None where it does not follow from the motion of the mass centre.

    around: the poses a little before and after each instant, and by how much, where a motion knows them.
    """
    system = motion.system
    if not free_but_for_gravity(system) or len(t) < 5:
        return None
    c = poses.centre
    if around is not None:
        before, after, h = around
        bent = (after.centre - 2.0 * c + before.centre) / h**2
        bent[0], bent[-1] = bent[1], bent[-2]
    else:
        dt = float(t[1] - t[0])
        apart = float(np.max(np.diff(np.sort(motion.t)))) if len(motion.t) > 2 else dt
        k = min(max(int(np.ceil(apart / dt)), 1), (len(t) - 1) // 2)
        bent = (c[2 * k :] - 2.0 * c[k:-k] + c[: -2 * k]) / (k * dt) ** 2
        bent = np.vstack([np.repeat(bent[:1], k, axis=0), bent, np.repeat(bent[-1:], k, axis=0)])
    force = poses.body.mass * (bent + gravity_of(system) * np.array(poses.up))
    if poses.touch is not None:
        force[poses.touch == 0] = 0.0
    return force


def friction_of(system: Any) -> float | None:
    """The coefficient of dry friction; None where there is none, or more than one."""
    if isinstance(getattr(system, "mu", None), (int, float)):
        return float(system.mu)
    if hasattr(system, "mu_plus"):
        return float(system.mu_plus) if system.mu_plus == system.mu_minus else None
    if not contact_count.knows(type(system)):
        return None
    law = law_of(system, 0)
    law = getattr(law, "sliding", law)
    mu = getattr(law, "mu", None)
    return float(mu) if isinstance(mu, (int, float)) else None


LETTERS = {"flight": "O", "slip": "S", "contact": "S", "stick": "R", "idle": "R"}  # of words by which modes of bodies are told


def letters_of(mode: str) -> str:
    """O, S, R for each contact of a mode, whether it is told in letters or in words."""
    words = mode.split()
    return "".join(LETTERS[word] for word in words) if all(word in LETTERS for word in words) else mode


def contact_modes(motion: Any, t: np.ndarray) -> np.ndarray | None:
    """What each contact does at the instants t (0 open, 1 slips, 2 rolls; one column each), of a motion from mode to mode; None for others."""
    told = [(letters_of(str(name)), float(when)) for name, when in motion.provenance.get("methods") or []]
    count = max((len(name) for name, _ in told), default=0)
    told = [("O" * count if name == "O" else name, when) for name, when in told]  # in flight all of them are open
    if not count or any(set(name) - set("OSR") or len(name) != count for name, _ in told):
        return None
    codes = np.array([["OSR".index(letter) for letter in name] for name, _ in told])
    return codes[np.maximum(np.searchsorted([when for _, when in told], t, side="right") - 1, 0)]


def modes_of(motion: Any, t: np.ndarray, y: np.ndarray | None, poses: Poses) -> np.ndarray | None:
    """What each contact does at the instants t (0 open, 1 slips, 2 rolls; one column each); None where that is not known."""
    if poses.modes is not None:
        return poses.modes
    if (found := contact_modes(motion, t)) is not None:
        return found
    names = [quantity.name for quantity in motion.about.signals]
    if y is None or poses.touch is None or "slip_x" not in names or "slip_y" not in names:
        return None
    derived = motion.signals_at(t, y)
    slip = np.hypot(derived[:, names.index("slip_x")], derived[:, names.index("slip_y")])
    size = float(np.linalg.norm(poses.footprint, axis=1).max())
    law = law_of(motion.system, 0) if contact_count.knows(type(motion.system)) else None
    creep = float(getattr(getattr(law, "sliding", law), "eps", 0.0) or 0.0)  # smooth laws creep where dry ones stick
    least = max(ROLLING * np.sqrt(max(gravity_of(motion.system), 1e-3) * size), creep)
    return np.where(poses.touch == 0, 0, np.where(slip > least, 1, 2))[:, None].astype(np.uint8)


def second_normal(poses: Poses) -> np.ndarray | None:
    """The normals (n, 3) at the second contact, toward the body: of balls, toward the middle; on rails, up."""
    if poses.second is None:
        return None
    if poses.bays is not None:
        return np.tile([0.0, 0.0, 1.0], (len(poses.second), 1))
    if not isinstance(poses.body.shape, Sphere):
        return None
    inward = poses.centre - poses.second
    return inward / np.linalg.norm(inward, axis=1, keepdims=True)
