"""The drag of the fluid on the ball: the acceleration D(w) that it gives at the speed w = v_f - v with which the fluid overtakes the ball; odd in w.

The thesis takes it linear, D = c w (4.22). Of other laws the speeds at which rolling ends do not depend (they are reached at w = 0); the fold does. A law of one's
own is a NamedTuple and its `drag_acceleration`, in the functions of `rollick.kernel` so that it compiles:

    @drag_acceleration.register(MyDrag)
    def _(law, w):
        return law.c * w * (1.0 + law.b * absolute(w))
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.dispatch import generic
from ...kernel.names import InputError, called, choose
from ...kernel.scalar import absolute, maximum, real
from ...kernel.system import validate

NEWTON = 0.44  # drag coefficient of a sphere from Re = 1000 to 2e5, where its boundary layer becomes turbulent
CRISIS = 2e5
LAWS = ("stokes", "quadratic", "schiller-naumann")


@generic
def drag_acceleration(law, w):
    """D(w): the acceleration along w of a ball that the fluid overtakes with the speed w."""


class Drag(NamedTuple):
    """D(w) = w max(c + a |w|^p, q |w|): linear (a = q = 0), quadratic (c = a = 0), and the law of Schiller and Naumann with Newton's beyond it.

    c: 1/s, a: 1/s (s/m)^p, p: exponent, q: 1/m.
    """

    c: float = 0.038793103448275864
    a: float = 0.0
    p: float = 0.687
    q: float = 0.0


@drag_acceleration.register(Drag)
def _(law, w):
    size = absolute(w)
    viscous = law.c + 0.0 * w
    if law.a != 0.0 and real(size) > 0.0:
        viscous += law.a * size**law.p
    return w * maximum(viscous, law.q * size)


@validate.register(Drag)
def _(law):
    for name in Drag._fields:
        if not 0.0 <= getattr(law, name) < math.inf:
            raise InputError(f"{name} = {getattr(law, name)!r} of Drag must be zero or above.")
    if law.c + law.a + law.q == 0.0:
        raise InputError("Drag(c, a, p, q) without c, a and q is no drag: the fluid could not move the ball.")


def stokes(r: float, density_ratio: float, nu: float) -> Drag:
    """c = 9 nu rho_f/(2 r^2 rho_b) (4.75, in 1/s), for Reynolds numbers 2 r w/nu far below one. density_ratio: rho_f/rho_b."""
    return Drag(4.5 * nu * density_ratio / (r * r))


def quadratic(r: float, density_ratio: float, coefficient: float = NEWTON) -> Drag:
    """D = (3/8)(rho_f/rho_b) C w^2/r, with a constant drag coefficient C: F = C rho_f pi r^2 w^2/2."""
    return Drag(0.0, 0.0, 0.687, 0.375 * density_ratio * coefficient / r)


def schiller_naumann(r: float, density_ratio: float, nu: float) -> Drag:
    """C = max(24/Re (1 + 0.15 Re^0.687), 0.44), Re = 2 r w/nu: Stokes' law for slow flow, Newton's beyond Re = 1000.

    L. Schiller, A. Naumann, Z. VDI 77 (1933) 318; within 5 % of measurements up to Re = 800, Newton's law within some 10 % up to Re = 2e5.
    """
    c = 4.5 * nu * density_ratio / (r * r)
    return Drag(c, 0.15 * c * (2.0 * r / nu) ** 0.687, 0.687, 0.375 * density_ratio * NEWTON / r)


def named_drag(name: str, r: float, density_ratio: float, nu: float, coefficient: float = NEWTON) -> Drag:
    """A law by name, for a ball of radius r in a fluid of kinematic viscosity nu."""
    name = choose(name, LAWS, "drag law")
    if name == "quadratic":
        return quadratic(r, density_ratio, coefficient)
    return (stokes if name == "stokes" else schiller_naumann)(r, density_ratio, nu)


def slope(law: Any, w: float) -> float:
    """dD/dw by complex step."""
    return float(complex(drag_acceleration(law, complex(w, 1e-200))).imag / 1e-200) if w != 0.0 else slope_at_rest(law)


def slope_at_rest(law: Any) -> float:
    """dD/dw at w = 0: laws such as w |w|^p have no complex step there, but a limit D(w)/w."""
    found = float(drag_acceleration(law, 1e-200)) / 1e-200
    return found if found > 1e-50 else 0.0


def overtaking(law: Any, needed: float) -> float:
    """The speed w at which the drag is as large as needed: D(w) = needed."""
    from scipy.optimize import brentq

    if needed == 0.0:
        return 0.0
    if isinstance(law, Drag) and law.a == 0.0 and law.c * law.q == 0.0:  # linear or quadratic
        return needed / law.c if law.c > 0.0 else math.copysign(math.sqrt(abs(needed) / law.q), needed)
    side = math.copysign(1.0, needed)
    high = 1.0
    for _ in range(200):
        if abs(float(drag_acceleration(law, side * high))) >= abs(needed):
            break
        high *= 4.0
    else:
        raise InputError(f"the drag of {called(law)} never reaches {abs(needed):g} m/s^2.")
    low = high
    for _ in range(600):
        if abs(float(drag_acceleration(law, side * low))) <= abs(needed):
            break
        low *= 0.25
    if low == high:
        return side * high
    found = brentq(
        lambda w: abs(float(drag_acceleration(law, side * w))) - abs(needed), low, high, xtol=1e-300, rtol=1e-15, maxiter=300
    )
    return side * float(found)
