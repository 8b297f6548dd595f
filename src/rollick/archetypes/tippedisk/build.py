"""A tippedisk on the plane: the disk, the friction laws, restitution and gravity, in a choice of coordinates."""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError, called, choose, number
from ...mechanics.laws.friction import Friction, friction
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .pose import Tippedisk
from .quaternion import TippediskQuaternion
from .specimens import Disk, specimen

FORMS: dict[str, Any] = {"quaternion": TippediskQuaternion, "euler": TippediskEuler, "corotating": TippediskCorotating}


def tippedisk(disk: Disk | str, law: Any, form: str = "quaternion", e_N: Any = 0.0, g: Any = 9.81) -> Tippedisk:
    """A tippedisk on a plane.

    disk: a `Disk`, or "V1", "V2"; law: a sliding law (`Coulomb`, `Regularised`, `contensou(...)`, ...) or `friction(sliding,
    pivoting, contour)`; form: the coordinates, "quaternion", "euler" (inertial G) or "corotating"; e_N: Newton's restitution.
    """
    body = specimen(disk) if isinstance(disk, str) else disk
    if not isinstance(body, Disk):
        raise InputError(f"a tippedisk needs a Disk, e.g. specimen('V1'); got {called(body)}.")
    kind = FORMS[choose(form, FORMS, "form")]
    bounce = number(e_N, "e_N")
    if not 0.0 <= bounce <= 1.0:
        raise InputError(f"e_N = {e_N!r} must lie between 0 and 1.")
    if number(g, "g", "m/s^2") < 0.0:
        raise InputError(f"g = {g!r} must not be negative; turn the disk over instead.")
    return kind(body, law if isinstance(law, Friction) else friction(law), bounce, number(g, "g", "m/s^2"))
