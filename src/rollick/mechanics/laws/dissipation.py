"""What friction does at a given motion: the force and couple on the body, the power it takes, and the drag of the air.

With the slip v, the angular velocity omega_n about the normal, the velocity c of the contact point on the body and the normal
force N,

    slip_force(law, v1, v2, omega_n, N)                 (F1, F2, couple about the normal)
    contour_force(law, c1, c2, N)                       (lambda_R1, lambda_R2)
    dissipation(law, v1, v2, omega_n, N, c1, c2)        -(F . v + couple omega_n + lambda_R . c) >= 0

for a law of sliding, of pivoting or of contour friction by itself, and for a combination (`Friction`). A contact does not pull:
N < 0 counts as 0. All compile, and take complex numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.scalar import maximum
from .friction import Friction, contour_ratio, pivot_couple
from .sliding import traction


class Drag(NamedTuple):
    """A couple -sigma omega on the whole body, as of air that it stirs slowly (sigma in N m s); 0: none."""

    sigma: float = 0.0


@generic
def drag_couple(law, omega):
    """The couple of a law of drag at an angular velocity, a triple: its components are those of omega."""


@drag_couple.register(Drag)
def _(law, omega):
    return -law.sigma * omega[0], -law.sigma * omega[1], -law.sigma * omega[2]


@compiled
def drag_power(law, omega):
    """The power that a drag takes, sigma |omega|^2 for `Drag`."""
    a, b, c = drag_couple(law, omega)
    return -(a * omega[0] + b * omega[1] + c * omega[2])


@generic
def slip_force(law, v1, v2, spin, normal):
    """The force along the plane (two components) and the couple about the normal that act on the body.

    For a set-valued law this is the force of a contact that slips; where it does not, the force is not a function of the
    motion, and the answer is zero.
    """


@slip_force.otherwise
def _(law, v1, v2, spin, normal):
    a, b = traction(law, v1, v2, spin)
    load = maximum(normal, 0.0)
    return load * a[0] + b[0], load * a[1] + b[1], load * a[2] + b[2]


@slip_force.register(Friction)
def _(law, v1, v2, spin, normal):
    f1, f2, couple = slip_force(law.sliding, v1, v2, spin, normal)
    return f1, f2, couple + maximum(normal, 0.0) * pivot_couple(law.pivoting, spin)


@generic
def contour_force(law, c1, c2, normal):
    """The contour friction (lambda_R1, lambda_R2) at a velocity of the contact point on the body."""


@contour_force.otherwise
def _(law, c1, c2, normal):
    load = maximum(normal, 0.0)
    r1, r2 = contour_ratio(law, c1, c2)
    return load * r1, load * r2


@contour_force.register(Friction)
def _(law, c1, c2, normal):
    load = maximum(normal, 0.0)
    r1, r2 = contour_ratio(law.contour, c1, c2)
    return load * r1, load * r2


@compiled
def dissipation(law, v1, v2, spin, normal, c1=0.0, c2=0.0):
    """The power that friction takes from the body: never negative."""
    f1, f2, couple = slip_force(law, v1, v2, spin, normal)
    r1, r2 = contour_force(law, c1, c2, normal)
    return -(f1 * v1 + f2 * v2 + couple * spin + r1 * c1 + r2 * c2)
