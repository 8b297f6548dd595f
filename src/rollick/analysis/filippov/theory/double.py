"""The double discontinuity of a body with two contacts: four fields, three sets (sections 3.3 and 3.4).

Each contact slips (S) or rolls (R), first letter P+, second P-. Three slip components are states: u1+, u1- and the common ua.
F_SS jumps on Sigma_SR (u1- = ua = 0) and on Sigma_RS (u1+ = ua = 0), both of codimension two; F_SR, on Sigma_SR, jumps where u1+ = 0; F_RS, on
Sigma_RS, where u1- = 0; both there meet in Sigma_RR (codimension three), on which F_RR is smooth.

The slip *directions* are angles phi of (u1, ua) = |.| (cos phi, sin phi) at each contact, in the states themselves. With `directed(x, phi+, phi-)`,
F_SS with directions given instead of taken from x, every limit is a plain value; without it limits are extrapolated from F_SS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....kernel.names import InputError, choose
from .at_once import around
from .extended import ExtendedSwitching
from .limit_field import LimitField, limit_along
from .margin import StaticForces
from .points import Field, callable_or_refused, evaluated, positive, state
from .switching import Switching

MODES = ("SS", "SR", "RS", "RR")


@dataclass(frozen=True)
class DoubleSwitching:
    """The four fields of a body with two contacts, `DoubleSwitching(SS, SR, RS, RR, index=(i_plus, i_minus, i_a))`.

    SS, SR, RS, RR: functions of the whole state (in SR the entries u1- and ua are zero, and so are their rates). index: where u1+, u1-, ua are.
    directed(x, phi_plus, phi_minus): F_SS with these slip directions (many times faster if it takes arrays of angles, one row per state). one_sided(mode, x, sign): F_SR or F_RS with this sign of the slip.
    normal(mode, x), directed_normal(x, phi_plus, phi_minus): (N+, N-), if candidates with a pull are to be rejected. static(x): the forces of
    rolling-rolling up to the undetermined one. scale: a distance in slip over which the fields vary little.
    """

    SS: Field
    SR: Field
    RS: Field
    RR: Field
    index: tuple[int, int, int]
    directed: Callable[[np.ndarray, float, float], Any] | None = None
    one_sided: Callable[[str, np.ndarray, float], Any] | None = None
    normal: Callable[[str, np.ndarray], Any] | None = None
    directed_normal: Callable[[np.ndarray, float, float], Any] | None = None
    static: Callable[[np.ndarray], StaticForces] | None = None
    scale: float = 1.0
    tolerance: float = 1e-9
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in MODES:
            callable_or_refused(getattr(self, name), name)
        for name in ("directed", "one_sided", "normal", "directed_normal", "static"):
            callable_or_refused(getattr(self, name), name, optional=True)
        for name in ("scale", "tolerance"):
            positive(getattr(self, name), name)
        if (
            len(self.index) != 3
            or len(set(self.index)) != 3
            or any(not isinstance(i, (int, np.integer)) or i < 0 for i in self.index)
        ):
            raise InputError(
                f"index says where u1+, u1- and ua are in the state, three different places from 0 on; not {self.index!r}."
            )

    def rolling_state(self, x: Any) -> np.ndarray:
        """The state, refused unless it is in Sigma_RR."""
        x = state(x)
        if x.size <= max(self.index):
            raise InputError(f"the state has {x.size} entries, but index {self.index} asks for entry {max(self.index)}.")
        off = float(np.abs(x[list(self.index)]).max())
        if off > 1e-12 * self.scale:
            raise InputError(f"both contacts must roll: u1+, u1-, ua are {x[list(self.index)].tolist()}, they must be zero.")
        x[list(self.index)] = 0.0
        return x

    def axis(self, size: int, which: int) -> np.ndarray:
        """The unit vector of u1+ (0), u1- (1) or ua (2)."""
        e = np.zeros(size)
        e[self.index[which]] = 1.0
        return e

    def near(self, x: np.ndarray, phi_plus: float, phi_minus: float) -> np.ndarray:
        """F_SS at a point of Sigma_RR, seen from the slip directions phi+ and phi-; one of them may be 0 or pi exactly (its contact slips far more)."""
        if self.directed is not None:
            return evaluated(lambda z: self.directed(z, phi_plus, phi_minus), x, "directed")  # type: ignore[misc]
        path = self._path(x, phi_plus, phi_minus)
        what = f"F_SS at x = {x.tolist()} from phi+ = {phi_plus:.6g}, phi- = {phi_minus:.6g}"
        return limit_along(lambda eps: evaluated(self.SS, path(eps), "SS"), 1e-2, 1e-8, what)[0]

    def close_by(self, x: np.ndarray, phi_plus: float, phi_minus: float) -> np.ndarray:
        """F_SS at a small distance from Sigma_RR in these directions: `near` to about 1e-6, for one evaluation."""
        if self.directed is not None:
            return self.near(x, phi_plus, phi_minus)
        return evaluated(self.SS, self._path(x, phi_plus, phi_minus)(1e-6), "SS")

    def near_normal(self, x: np.ndarray, phi_plus: float, phi_minus: float) -> np.ndarray | None:
        """(N+, N-) in slipping-slipping with these directions; None if normal forces were not given."""
        if self.directed_normal is not None:
            return np.asarray(self.directed_normal(x, phi_plus, phi_minus), float)
        if self.normal is None:
            return None
        normal, path = self.normal, self._path(x, phi_plus, phi_minus)
        return limit_along(lambda eps: np.asarray(normal("SS", path(eps)), float), 1e-2, 1e-8, "the normal force in SS")[0]

    def _path(self, x: np.ndarray, phi_plus: float, phi_minus: float) -> Callable[[float], np.ndarray]:
        """States that approach x so that both slips have these directions in the limit."""
        e = [self.axis(x.size, k) for k in range(3)]
        flat = [abs(np.sin(phi)) < 1e-15 for phi in (phi_plus, phi_minus)]
        sign = [1.0 if np.cos(phi) > 0.0 else -1.0 for phi in (phi_plus, phi_minus)]
        if flat[0] and flat[1]:
            return lambda eps: x + eps * self.scale * (sign[0] * e[0] + sign[1] * e[1])
        for k in (0, 1):
            if flat[k]:  # this contact slips at first order, the other one at second
                phi = (phi_minus, phi_plus)[k]
                small = np.cos(phi) * e[1 - k] + np.sin(phi) * e[2]
                return lambda eps: x + self.scale * (eps * sign[k] * e[k] + eps * eps * small)
        n = direction(phi_plus, phi_minus)
        return lambda eps: x + eps * self.scale * (n[0] * e[0] + n[1] * e[1] + n[2] * e[2])

    def side(self, mode: str, x: np.ndarray, sign: float) -> np.ndarray:
        """F_SR (or F_RS) at x as its slip u1+ (u1-) goes to zero from a side."""
        mode = choose(mode, ("SR", "RS"), "mode")
        if self.one_sided is not None:
            return evaluated(lambda z: self.one_sided(mode, z, sign), x, "one_sided")  # type: ignore[misc]
        e = self.axis(x.size, 0 if mode == "SR" else 1)
        f = getattr(self, mode)
        near = lambda eps: evaluated(f, x + sign * eps * self.scale * e, mode)
        return limit_along(near, 1e-2, 1e-8, f"F_{mode} at x = {x.tolist()}")[0]

    def side_normal(self, mode: str, x: np.ndarray, sign: float) -> np.ndarray | None:
        """(N+, N-) of F_SR or F_RS on a side; None if normal forces were not given."""
        if self.normal is None:
            return None
        normal, e = self.normal, self.axis(x.size, 0 if mode == "SR" else 1)
        near = lambda eps: np.asarray(normal(mode, x + sign * eps * self.scale * e), float)
        return limit_along(near, 1e-2, 1e-8, f"the normal force in {mode}")[0]

    def frozen(self, mode: str, x: np.ndarray, sign: float) -> LimitField:
        """The limit field of F_SS at Sigma_SR (or Sigma_RS) beside Sigma_RR, with the sign of the remaining slip frozen."""
        mode = choose(mode, ("SR", "RS"), "mode")
        angle = 0.0 if sign > 0.0 else np.pi
        other = 1 if mode == "SR" else 0
        pair = (lambda p: (angle, p)) if mode == "SR" else (lambda p: (p, angle))
        normals = np.stack([self.axis(x.size, other), self.axis(x.size, 2)])
        one = lambda phi: self.near(x, *pair(phi))
        if self.directed is None:
            return LimitField(x, normals, lambda phi: np.stack([one(float(p)) for p in np.atleast_1d(phi)]))
        directed = self.directed
        return LimitField(x, normals, around(lambda phi: directed(x, *pair(phi)), x, one))

    def extended(self, mode: str, scale: float | None = None) -> ExtendedSwitching:
        """F_SS as an extended Filippov system with the set Sigma_SR or Sigma_RS."""
        mode = choose(mode, ("SR", "RS"), "mode")
        slips, rolls, a = (0, 1, 2) if mode == "SR" else (1, 0, 2)
        i, j, k = (self.index[n] for n in (slips, rolls, a))
        limit = None
        if self.directed is not None:
            directed = self.directed

            def limit(x: np.ndarray, phi: float) -> Any:
                if x[i] == 0.0:
                    raise InputError(
                        f"the slip that lasts is zero at x = {x.tolist()}: this is a point of Sigma_RR, ask `what_next`."
                    )
                angle = 0.0 if x[i] > 0.0 else np.pi
                return directed(x, angle, phi) if mode == "SR" else directed(x, phi, angle)

        return ExtendedSwitching(
            self.SS, lambda x: x[j], lambda x: x[k], limit, None, scale or self.scale, self.tolerance, names=self.names
        )

    def switching(self, mode: str) -> Switching:
        """F_SR or F_RS as a Filippov system of codimension one, with the surface u1+ = 0 or u1- = 0."""
        mode = choose(mode, ("SR", "RS"), "mode")
        i = self.index[0 if mode == "SR" else 1]
        gradient = lambda x: np.eye(len(x))[i]
        sides = [lambda x, s=s: self.side(mode, np.asarray(x), s) for s in (1.0, -1.0)]
        return Switching(sides[0], sides[1], lambda x: x[i], gradient, self.tolerance, self.names)


def direction(phi_plus: float, phi_minus: float) -> np.ndarray:
    """n(phi+, phi-) in (u1+, u1-, ua) (3.39): its parts in the planes (u1+, ua) and (u1-, ua) have these angles; the sines need one sign."""
    sines = np.sin([phi_plus, phi_minus])
    if sines[0] * sines[1] <= 0.0:
        raise InputError(
            f"phi+ = {phi_plus:.6g} and phi- = {phi_minus:.6g} need sines of one sign, since ua is common to both contacts (3.40)."
        )
    n = np.array([np.cos(phi_plus) / abs(sines[0]), np.cos(phi_minus) / abs(sines[1]), np.sign(sines[0])])
    return n / np.linalg.norm(n)
