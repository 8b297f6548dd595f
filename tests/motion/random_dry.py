"""Random bodies with one dry contact, their starts, and what must hold of every motion of them. One type of system, compiled once."""

from __future__ import annotations

import numpy as np
from motion.judge.seen import view

from rollick import Body, Coulomb, Ellipsoid, sliding

LOSSES = ("lost_sliding", "lost_pivoting", "lost_contour", "lost_impacts", "lost_drag")


def random_dry(seed):
    """An ellipsoid, half of them with the mass centre off the middle, and a start: in the air, slipping, or at rest where it touches."""
    r = np.random.default_rng(seed)
    axes = 10.0 ** r.uniform(-2.0, -0.5, 3)
    centre = tuple(0.3 * r.uniform(-1.0, 1.0, 3) * axes) if r.random() < 0.5 else (0.0, 0.0, 0.0)
    inertia = 0.2 * np.array([axes[1] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[1] ** 2])
    body = Body.from_inertia(1.0, tuple(inertia), Ellipsoid(*axes), centre=centre)
    system = sliding(body, law=Coulomb(r.uniform(0.05, 1.0)), restitution=r.choice([0.0, 0.3, 0.8]))
    kind = r.integers(3)
    q = r.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q)))
    spin = r.normal(size=3) * (np.sqrt(9.81 / axes.max()) * r.choice([0.3, 2.0, 10.0]))
    start |= {f"omega{i + 1}": 0.0 if kind == 2 else spin[i] for i in range(3)}
    if kind == 0:
        start |= {"gap": r.uniform(0.0, 0.3), "vx": r.normal(), "vy": r.normal()}
    elif kind == 1:
        start |= {"slip_x": r.normal(), "slip_y": r.normal()}
    return system, start


def plain_complaints(motion, least_gap):
    """What is wrong with how a motion ended, with its least gap, or with its energy, in words: what must hold with any number of contacts."""
    found = []
    if motion.status not in ("finished", "painleve"):
        found.append(f"status {motion.status}: {motion.message}")
    if least_gap < -1e-7:  # what `EventDriven` promises
        found.append(f"gap {least_gap:.2e} m")
    energy, lost = motion["energy"], sum(motion[name] for name in LOSSES)
    scale = np.ptp(energy) + abs(energy[0])
    left = np.abs(energy - energy[0] + lost - lost[0]).max() / scale
    if left > 1e-8:
        found.append(f"the energy account is open by {left:.1e}")
    if len(energy) > 1 and np.diff(energy).max() > 1e-8 * scale:
        found.append(f"the energy grows by {np.diff(energy).max() / scale:.1e}")
    return found


def complaints(motion):
    """What is wrong with a motion of one contact, in words."""
    found = plain_complaints(motion, motion["gap"].min())
    modes = motion.provenance["methods"]
    ends = [t for _, t in modes[1:]] + [motion.end_time]
    for off in (e for e in motion.events if e.name == "lift_off"):
        seen = view(motion.system, off.t, off.state)
        until = next(end for (name, t), end in zip(modes, ends) if t == off.t and name == "flight")
        flight = (motion.t > off.t) & (motion.t < until)
        if abs(seen.c[0, 0]) > 1e-5 * np.abs(seen.c).max() or (flight.any() and motion["gap"][flight].max() <= 0.0):
            found.append(f"a false lift-off at t = {off.t:.6g}: gap'' = {seen.c[0, 0]:.2e}")
    return found
