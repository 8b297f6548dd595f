"""The rattleback as a model of the command line, and what is worth saying about one of its motions."""

from __future__ import annotations

import math

from ...kernel.hooks import highlights, kept
from ...mechanics.asked_of_contact import contact_sentence
from ..models import Model, Parameter
from .reversals import reversals, watched
from .stone import PARAMETERS, Rattleback, rattleback

MODEL = Model(
    name="rattleback",
    title="a stone that reverses its spin: an ellipsoid rolling without slipping, with skewed inertia",
    source="T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback, Int. J. Non-Linear Mechanics 17 (1982)",
    parameters={name: Parameter(getattr(Rattleback(), name), *PARAMETERS[name]) for name in Rattleback._fields},
    make=rattleback,
    start={"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0},
    until=20.0,
    events=("gamma_rate",),
    about="The default start is that of the paper's Fig. 4: a slight tilt and 5 rad/s the wrong way round; the stone reverses twice in 20 s.",
)


@kept.register(Rattleback)
def _(stone):
    return {"energy": ("energy",) if stone.sigma == 0.0 else ("energy", "dissipated")}


@highlights.register(Rattleback)
def _(stone, motion):
    lines = []
    if watched(motion) is not None:
        for number, r in enumerate(reversals(motion), 1):
            zeros = f"{r.count} zeros of gamma' from {r.first:.4f} to {r.last:.4f} s" if r.count > 1 else f"at {r.first:.4f} s"
            lines.append(f"reversal {number}: gamma turns at {math.degrees(r.gamma):.2f} deg, t = {r.time:.4f} s ({zeros})")
        if not lines:
            lines.append("no reversal")
    if motion.t.size == 0:
        return lines
    energy = motion["energy"]
    if stone.sigma == 0.0:
        lines.append(f"energy: {energy[0]:.9g} J")
    elif motion.q is not None:
        lines.append(f"energy: {energy[0]:.6g} -> {energy[-1]:.6g} J, {motion['dissipated'][-1]:.6g} J to the air")
    wobble = motion["delta"]
    lines.append(f"wobble: up to {math.degrees(wobble.max()):.2f} deg (at t = {motion.t[wobble.argmax()]:.2f} s)")
    lines.append(contact_sentence(motion["friction_demand"].max(), motion["lift_off_margin"].min()))
    return lines
