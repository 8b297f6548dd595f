"""What a system may answer besides its equations. All of it is optional; it runs in Python, never inside compiled code.

start_state(system, given)       another way to state a start: angles for a quaternion, say
start_integrals(system, given)   what the accumulated quantities begin with: where the track starts, say
settle(system, y)                a start pulled onto the system's constraints, and a sentence on what was changed
guard(system)                    a function that finds the step in which a motion left the range of its equations
diagnose(system, t, y)           what is wrong at a state where a motion broke down
second_formulation(system)       the same body in other coordinates
highlights(system, motion)       what is worth saying about a motion
kept(system)                     sums of signals and integrals that an exact motion keeps: every motion is checked by them
assumptions(system)              what the equations assume of this system and it does not have: named where a check fails
"""

from __future__ import annotations

import numpy as np

from .dispatch import generic
from .names import called, choose, number
from .system import description


@generic
def start_state(system, given):
    """Turn what a user gave (a dict of names and values) into a state vector in the system's own way."""


@start_state.otherwise
def _(system, given):
    about = description(system).states
    names = [q.name for q in about]
    units = {q.name: q.unit for q in about}
    y = np.zeros(len(names))
    for name, value in given.items():
        name = choose(name, names, f"state of {called(system)}")
        y[names.index(name)] = number(value, name, units[name])
    return y


@generic
def start_integrals(system, given):
    """What the accumulated quantities begin with, by name, from what a user gave; those not named begin with zero."""


@start_integrals.otherwise
def _(system, given):
    return {}


@generic
def settle(system, y):
    """A start pulled onto the system's constraints: (state, sentence); the sentence is empty if nothing worth mentioning changed.

    Raises `InputError` for a start that no motion can leave.
    """


@settle.otherwise
def _(system, y):
    return y, ""


@generic
def guard(system):
    """A function (times, states) -> (step, sentence) or None, or None if the equations hold everywhere.

    It looks at the accepted steps of a motion, in blocks, and names the first one across which the equations do not hold. That step is divided until the last instant
    is known at which they do (`motion.integrate.last_instant`): there the motion ends.
    """


@guard.otherwise
def _(system):
    return None


@generic
def diagnose(system, t, y):
    """What is wrong with a system at a state where its motion broke down, as a sentence; "" if nothing is known."""


@diagnose.otherwise
def _(system, t, y):
    return ""


@generic
def second_formulation(system):
    """(system2, forth, back), the same body in other coordinates: forth(y) gives its start, back(Y, like) the states here; or None.

    `like` are the states they should resemble, for angles that are only known up to full turns.
    """


@second_formulation.otherwise
def _(system):
    return None


@generic
def highlights(system, motion):
    """What is worth saying about a motion of this system, as lines of text."""


@highlights.otherwise
def _(system, motion):
    return []


@generic
def kept(system):
    """Sums of signals and integrals that an exact motion of this system keeps: {"energy": ("energy", "dissipated", "-work")}; {} if nothing is known.

    Every motion is checked by them (`motion.trust`). A sum with an integral that was not accumulated is not checked.
    """


@kept.otherwise
def _(system):
    return {}


@generic
def assumptions(system):
    """What the equations assume and this system does not have, as a sentence; "" if nothing is known. It is named where a check of a motion fails."""


@assumptions.otherwise
def _(system):
    return ""
