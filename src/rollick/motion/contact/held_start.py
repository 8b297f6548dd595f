"""The start of lasting contact as an ODE (see `lasting`): the body touches, and neither lifts off nor comes down.

The ODE keeps gap = 0 and gap' = 0; a body that starts elsewhere would be put onto its surface by the first step, without a word.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.names import InputError, called
from ...kernel.system import project
from ...kernel.warn import warn_user
from ...mechanics.contact import contact_count, contact_rows, contacts_move, gap, positions, surface_velocity, velocities
from ..problem import Problem
from ..result.outcome import StartAdjusted

NEAR, SLOW = 1e-5, 1e-3  # m and m/s: what is pulled onto the contact with a warning; a start farther off is refused
EXACT = 1e-9  # m and m/s: what counts as none


@compiled
def closing(body, t, y):
    """The gap at the first contact, and its rate."""
    nq, nu = positions(body), velocities(body)
    W = local_array((6, nu), y.dtype)
    w = local_array(6, y.dtype)
    contact_rows(body, t, y[:nq], 0, W)
    surface_velocity(body, t, y[:nq], 0, w)
    speed = -w[0]
    for j in range(nu):
        speed += W[0, j] * y[nq + j]
    return gap(body, t, y[:nq], 0), speed


@compiled
def pull(body, y):
    """Pull a state onto what the ODE keeps."""
    project(body, y)


def off_contact(problem: Problem) -> bool:
    """Whether a body with contacts starts farther from its contact than what is pulled onto it."""
    if not contact_count.knows(type(problem.moving)):
        return False
    distance, speed = closing(problem.moving, float(problem.t0), np.array(problem.start, float))
    return not (abs(distance) <= NEAR and abs(speed) <= SLOW)


def held_start(problem: Problem, method: Any) -> Problem:
    """The problem with its start on the contact that lasts; refused if it is not near it."""
    if not contact_count.knows(type(problem.moving)):  # the ODE of a body with contacts is that of lasting contact
        return problem
    y = np.array(problem.start, float)
    distance, speed = closing(problem.moving, float(problem.t0), y)
    if abs(distance) <= EXACT and abs(speed) <= EXACT:
        return problem
    if not (abs(distance) <= NEAR and abs(speed) <= SLOW):
        raise InputError(
            f"method = {method.name!r} takes {called(problem.system)} to be in contact all the time, but at the start the gap is {distance:.3g} m and its "
            f"rate {speed:.3g} m/s; leave out z, gap and vz, or take method='moreau'."
        )
    if contacts_move(problem.moving):
        return problem
    pull(problem.moving, y)
    note = f"the start was pulled onto the contact: its gap was {distance:.3g} m, with the rate {speed:.3g} m/s."
    warn_user(note, StartAdjusted)
    return dataclasses.replace(problem, start=y, settled=" ".join(filter(None, [problem.settled, note])))
