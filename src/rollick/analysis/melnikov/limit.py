"""The Hamiltonian limit of a planar system: x' = f0(x) with a first integral H, and what is needed of both.

    q' = H_p, p' = -H_q          if only H is given
    x' = f0(x), grad H . f0 = 0  if f0 is given too: coordinates need not be canonical; f0 = rho J grad H with a density rho(x)

Derivatives of H are by Taylor arithmetic, those of f0 by complex step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.names import InputError, number, pair
from ..rates import STEP, Formula
from ..taylor import as_series, variables


def two_values(between: Any) -> tuple[float, float]:
    """Two different values of the parameter."""
    given = pair(between) or (0.0, 0.0)
    found = (number(given[0], "between"), number(given[1], "between"))
    if found[0] == found[1]:
        raise InputError(f"between = {between!r} must be two different values of the parameter.")
    return found


class HamiltonianLimit:
    """H(x) or H(x, p), and the field f0(x, p) if it is not J grad H. `names`: of the two states."""

    def __init__(self, H: Callable, field: Callable | None = None, names: tuple[str, str] = ("q", "p")):
        self.H = Formula(H, 0, "H")
        self.own_field = None if field is None else Formula(field, 2, "the field of the limit")
        self.names = tuple(names)
        if len(self.names) != 2:
            raise InputError(
                f"names = {names!r} must be the names of two states: Melnikov's integrals here are those of planar systems."
            )

    @property
    def depends_on_parameter(self) -> bool:
        """Whether H or the field takes the parameter."""
        return self.H.arguments > 1 or (self.own_field is not None and self.own_field.arguments > 1)

    def energy(self, x: Any, p: Any = None) -> np.ndarray:
        """H."""
        return self.H(x, p)

    def gradient(self, x: Any, p: Any = None) -> np.ndarray:
        """grad H, by complex steps made in one call."""
        x = np.asarray(x, float)
        if not self.H.tried:
            self.H.slopes(x, p)
        z = np.repeat(x[:, None].astype(complex), 2, axis=1)  # (state, which step, points)
        z[0, 0] += 1j * STEP
        z[1, 1] += 1j * STEP
        return self.H(z, p).imag / STEP

    def hessian(self, x: Any, p: Any = None) -> np.ndarray:
        """The second derivatives of H, shape (2, 2, points...)."""
        dx = variables(np.asarray(x, float), 2)
        h = as_series(self.H.raw(dx, p), dx[0])
        mixed = h.part(1, 1)
        return np.array([[2.0 * h.part(2, 0), mixed], [mixed, 2.0 * h.part(0, 2)]])

    def field(self, x: Any, p: Any = None) -> np.ndarray:
        """f0."""
        if self.own_field is not None:
            return self.own_field(x, p)
        g = self.gradient(x, p)
        return np.stack([g[1], -g[0]])

    def field_slopes(self, x: Any, p: Any = None) -> np.ndarray:
        """D f0, shape (2, 2, points...)."""
        if self.own_field is not None:
            return self.own_field.slopes(x, p)
        H2 = self.hessian(x, p)
        return np.stack([H2[1], -H2[0]])

    def density_slope(self, x: np.ndarray, p: Any = None) -> np.ndarray:
        """grad rho / rho, where f0 = rho J grad H: zero if f0 is canonical."""
        if self.own_field is None:
            return np.zeros_like(x)
        g, f0, H2, Df = self.gradient(x, p), self.field(x, p), self.hessian(x, p), self.field_slopes(x, p)
        turned, turned_slope = np.stack([g[1], -g[0]]), np.stack([H2[1], -H2[0]])
        over, under = np.einsum("i...,i...", f0, turned), np.einsum("i...,i...", g, g)
        d_over = np.einsum("ij...,i...->j...", Df, turned) + np.einsum("ij...,i...->j...", turned_slope, f0)
        d_under = 2.0 * np.einsum("ij...,i...->j...", H2, g)
        return d_over / over - d_under / under

    def check(self, x: np.ndarray, p: Any = None) -> None:
        """Refuse a field that H is no integral of."""
        if self.own_field is None:
            return
        g, f0 = self.gradient(x, p), self.field(x, p)
        off = np.abs(np.einsum("i...,i...", g, f0))
        size = np.sqrt(np.einsum("i...,i...", g, g) * np.einsum("i...,i...", f0, f0))
        worst = int(np.argmax(np.where(size > 0.0, off / np.where(size > 0.0, size, 1.0), 0.0)))
        if off.flat[worst] > 1e-8 * size.max():
            point = np.asarray(x).reshape(2, -1)[:, worst]
            raise InputError(
                f"H is no first integral of the field of the limit: grad H . f0 = {off.flat[worst]:.3g} at {self.tell(point)}, where |grad H| |f0| = "
                f"{size.flat[worst]:.3g}; it must be zero. Check H, the field, and the parameter both are given with."
            )

    def tell(self, x: Any) -> str:
        """A point in words."""
        return ", ".join(f"{name} = {float(value):.6g}" for name, value in zip(self.names, x))

    def critical_point(self, near: Any, p: Any = None) -> np.ndarray:
        """Where grad H = 0, by Newton's method from a point nearby."""
        x = self.point(near)
        for _ in range(50):
            H2 = self.hessian(x, p)
            if not np.all(np.isfinite(H2)) or abs(np.linalg.det(H2)) < 1e-14 * np.abs(H2).max() ** 2:
                break
            step = np.linalg.solve(H2, self.gradient(x, p))
            x = x - step
            if np.abs(step).max() <= 1e-14 * max(1.0, np.abs(x).max()):
                return x
        raise InputError(
            f"no point where grad H = 0 was found near {self.tell(self.point(near))}; it must be nearer to a saddle or a centre of H."
        )

    def saddle(self, near: Any, p: Any = None) -> np.ndarray:
        """The saddle near a point."""
        x = self.critical_point(near, p)
        if np.linalg.det(self.hessian(x, p)) >= 0.0:
            raise InputError(f"{self.tell(x)} is a centre of H, not a saddle: no connection begins or ends there. Give a saddle.")
        return x

    def centre(self, near: Any, p: Any = None) -> np.ndarray:
        """The centre near a point."""
        x = self.critical_point(near, p)
        if np.linalg.det(self.hessian(x, p)) <= 0.0:
            raise InputError(f"{self.tell(x)} is a saddle of H, not a centre: no closed orbits surround it. Give a centre.")
        return x

    def point(self, near: Any) -> np.ndarray:
        """A point of the plane, checked."""
        try:
            x = np.asarray(near, float)
        except (TypeError, ValueError):
            x = np.zeros(0)
        if x.shape != (2,) or not np.all(np.isfinite(x)):
            raise InputError(f"{near!r} must be a point of the plane: two numbers, {self.names[0]} and {self.names[1]}.")
        return x
