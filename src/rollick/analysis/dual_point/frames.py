"""The frames of two contacts (section 3.3) and how they turn.

a = (r+ - r-)/|r+ - r-|,   t1 = a x n/|a x n|,   t2 = n x t1 at each contact; c = <t2, a> = |a x n| > 0.
The slip at a contact is u1 t1 + u2 t2. Its part along a, c u2, is common to both contacts (3.9), up to what the surfaces do along a themselves:
c+ u2+ = ua, c- u2- = ua - delta, delta = <w- - w+, a>.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...kernel.names import InputError
from .contact import Contact, ContactRates, cross

COINCIDE = 1e-9  # distance of the contacts over that of the farther one from the mass centre
ALONG = 1e-7  # sine of the angle between a and a normal


class Frames(NamedTuple):
    """a, the distance of the contacts, and t1, t2, c at P+ and P- (rows)."""

    a: np.ndarray
    distance: float
    t1: np.ndarray
    t2: np.ndarray
    c: np.ndarray


class FrameRates(NamedTuple):
    """The rates of all of them."""

    a: np.ndarray
    distance: float
    t1: np.ndarray
    t2: np.ndarray
    c: np.ndarray


def frames(plus: Contact, minus: Contact) -> Frames:
    """The frames; refused where contacts coincide, or where the line through them is along a normal."""
    d = plus.r - minus.r
    distance = float(np.linalg.norm(d))
    size = float(max(np.linalg.norm(plus.r), np.linalg.norm(minus.r)))
    if distance <= COINCIDE * size or distance == 0.0:
        raise InputError(f"the contacts coincide (they are {distance:.3g} m apart): a body with two contacts needs two points.")
    a = d / distance
    t1, t2, c = np.empty((2, 3)), np.empty((2, 3)), np.empty(2)
    for k, (contact, name) in enumerate(((plus, "P+"), (minus, "P-"))):
        b = cross(a, contact.n)
        c[k] = np.linalg.norm(b)
        if c[k] <= ALONG:
            raise InputError(
                f"the line through both contacts is along the normal at {name}: t1 and t2 are not defined there, and a force along that line is no friction."
            )
        t1[k] = b / c[k]
        t2[k] = cross(contact.n, t1[k])
    return Frames(a, distance, t1, t2, c)


def frame_rates(at: Frames, contacts: tuple[Contact, Contact], rates: tuple[ContactRates, ContactRates]) -> FrameRates:
    """How the frames turn when the contacts go on with these rates."""
    d = rates[0].r - rates[1].r
    stretch = float(at.a @ d)
    a = (d - stretch * at.a) / at.distance
    t1, t2, c = np.empty((2, 3)), np.empty((2, 3)), np.empty(2)
    for k in (0, 1):
        b = cross(a, contacts[k].n) + cross(at.a, rates[k].n)
        c[k] = at.t1[k] @ b
        t1[k] = (b - c[k] * at.t1[k]) / at.c[k]
        t2[k] = cross(rates[k].n, at.t1[k]) + cross(contacts[k].n, t1[k])
    return FrameRates(a, stretch, t1, t2, c)
