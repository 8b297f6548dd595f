"""Random boxes on the four corners of their base, their starts, and what must hold of every motion of them. One type of system, compiled once."""

from __future__ import annotations

import numpy as np
from random_contacts import random_body, random_start
from random_dry import plain_complaints

from rollick import Body, Coulomb, Ellipsoid, sliding
from rollick.mechanics.contact import gap
from rollick.mechanics.surfaces.plane import Plane


def box(half, mu, restitution=0.0, mass=2.0, slope=0.0, feet=None):
    """A homogeneous box with half sides; its feet: the corners of its base, in the order ++, +-, -+, --."""
    inertia = mass / 3.0 * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
    corners = [(sx * half[0], sy * half[1], -half[2]) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    body = Body.from_inertia(mass, tuple(map(float, inertia)), Ellipsoid(*map(float, half)))
    return sliding(body, law=Coulomb(mu), feet=corners if feet is None else feet, restitution=restitution, on=Plane(slope))


def random_box(seed):
    """A box on a plane, level or not, and anything from rest on its feet to a tumble in the air."""
    r = np.random.default_rng(seed)
    body, half = random_body(r, "corners")
    slope = float(r.choice([0.0, r.uniform(0.0, 0.6)]))
    restitution = float(r.choice([0.0, r.uniform(0.0, 0.9)]))
    made = box(half, float(r.uniform(0.05, 1.2)), restitution, float(body.mass), slope)
    return made, random_start(r, half, "corners")


def complaints(motion):
    """What is wrong with a motion of several contacts, in words."""
    found = plain_complaints(motion, motion.provenance["least_gap"])
    for off in (e for e in motion.events if e.name == "lift_off"):
        k = int(off.kind.split()[-1])
        ends = [
            t for name, t in motion.provenance["methods"] if t > off.t and len(name.split()) > k and name.split()[k] != "flight"
        ]
        flying = (motion.t > off.t) & (motion.t < min(ends, default=motion.end_time))
        heights = [gap(motion.system, t, y[:7], k) for t, y in zip(motion.t[flying], motion.y[flying])]
        if heights and max(heights) <= 0.0:
            found.append(f"a false lift-off of contact {k} at t = {off.t:.6g}")
    return found
