"""A body at an instant with two closed contacts: quasi-velocities, and the velocities and accelerations they stand for.

s = (u1+, u1-, ua, Omega_a) says how the body moves (3.13): with V = w + u1 t1 + u2 t2 at each contact,

    Omega = Omega_a a + a x (V+ - V-)/|r+ - r-|,     v_C = V+ - Omega x r+,

so that (v_C, Omega) = K s + k0. Their rates are K s' and a bias, quadratic in s: what frames, contact points, normals and surfaces do meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .contact import Contact, ContactRates, cross, three
from .frames import FrameRates, Frames, frame_rates, frames

NAMES = ("u1+", "u1-", "ua", "Omega_a")


def checked_inertia(given: Any) -> np.ndarray:
    """A symmetric positive definite 3 x 3 matrix; three numbers are its diagonal, one number is the same about every axis."""
    try:
        made = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(f"inertia must be 3 x 3 numbers, not {given!r}.") from None
    made = made * np.eye(3) if made.shape == () else np.diag(made) if made.shape == (3,) else made
    if made.shape != (3, 3) or not np.all(np.isfinite(made)) or np.abs(made - made.T).max() > 1e-12 * np.abs(made).max():
        raise InputError(f"inertia must be one number, three, or a symmetric 3 x 3 matrix (kg m^2, space axes), not {given!r}.")
    if np.linalg.eigvalsh(made)[0] <= 0.0:
        raise InputError(f"inertia = {made.tolist()} is not positive definite.")
    return made


@dataclass(frozen=True)
class DualPoint:
    """A body with two contacts, `DualPoint(plus, minus, mass, inertia, force, couple, s)`; vectors and inertia in space axes, about the mass centre.

    force, couple: what acts besides the contacts, or wrench(v_C, Omega) -> (force, couple) where it depends on the velocities.
    s: (u1+, u1-, ua, Omega_a); zero by default.
    """

    plus: Contact
    minus: Contact
    mass: float
    inertia: Any
    force: Any = (0.0, 0.0, 0.0)
    couple: Any = (0.0, 0.0, 0.0)
    s: Any = (0.0, 0.0, 0.0, 0.0)
    wrench: Callable[[np.ndarray, np.ndarray], Any] | None = None

    def __post_init__(self) -> None:
        for name in ("plus", "minus"):
            if not isinstance(getattr(self, name), Contact):
                raise InputError(f"{name} must be a Contact(r, n, mu), not {getattr(self, name)!r}.")
        if not (isinstance(self.mass, (int, float)) and 0.0 < self.mass < np.inf):
            raise InputError(f"mass = {self.mass!r} must be a positive number (kg).")
        object.__setattr__(self, "inertia", checked_inertia(self.inertia))
        for name in ("force", "couple"):
            object.__setattr__(self, name, three(getattr(self, name), name))
        if self.wrench is not None and (np.any(self.force) or np.any(self.couple)):
            raise InputError("give force and couple, or wrench, a function of v_C and Omega; not both.")
        object.__setattr__(self, "s", quasi(self.s))
        self.frames  # noqa: B018 (refuses what has no frames)

    @property
    def contacts(self) -> tuple[Contact, Contact]:
        """P+ and P-."""
        return self.plus, self.minus

    @cached_property
    def frames(self) -> Frames:
        """a, t1, t2 and the distance of the contacts."""
        return frames(self.plus, self.minus)

    @property
    def length(self) -> float:
        """The distance of the contacts (m)."""
        return self.frames.distance

    @cached_property
    def parting(self) -> float:
        """delta = <w- - w+, a>: how fast the surfaces move against each other along the line of contacts; then both cannot roll."""
        return float((self.minus.velocity - self.plus.velocity) @ self.frames.a)

    def at(self, s: Any) -> DualPoint:
        """The same body in the same place with other quasi-velocities."""
        made = replace(self, s=s)
        for name in ("frames", "parting", "K", "k0", "lift"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name]
        return made

    @cached_property
    def slips(self) -> np.ndarray:
        """(u1, u2) at P+ and at P- (rows)."""
        s, c = self.s, self.frames.c
        return np.array([[s[0], s[2] / c[0]], [s[1], (s[2] - self.parting) / c[1]]])

    @cached_property
    def K(self) -> np.ndarray:
        """(v_C, Omega) per s: 6 x 4."""
        at, made = self.frames, np.zeros((6, 4))
        for i in range(4):
            V = np.zeros((2, 3))
            if i < 2:
                V[i] = at.t1[i]
            elif i == 2:
                V = at.t2 / at.c[:, None]
            omega = at.a if i == 3 else cross(at.a, V[0] - V[1]) / at.distance
            made[:3, i], made[3:, i] = V[0] - cross(omega, self.plus.r), omega
        return made

    @cached_property
    def k0(self) -> np.ndarray:
        """(v_C, Omega) at s = 0: that of the surfaces."""
        at = self.frames
        behind = self.minus.velocity - self.parting / at.c[1] * at.t2[1]
        omega = cross(at.a, self.plus.velocity - behind) / at.distance
        return np.concatenate([self.plus.velocity - cross(omega, self.plus.r), omega])

    @cached_property
    def twist(self) -> np.ndarray:
        """(v_C, Omega)."""
        return self.K @ self.s + self.k0

    @property
    def velocity(self) -> np.ndarray:
        """v_C (m/s)."""
        return self.twist[:3]

    @property
    def omega(self) -> np.ndarray:
        """Omega (rad/s), in space axes."""
        return self.twist[3:]

    @cached_property
    def slip_velocities(self) -> np.ndarray:
        """The velocity of the body's material against the surface's at P+ and P- (rows)."""
        u, at = self.slips, self.frames
        return u[:, :1] * at.t1 + u[:, 1:] * at.t2

    @cached_property
    def contact_rates(self) -> tuple[ContactRates, ContactRates]:
        """How both contacts go on."""
        g = self.slip_velocities
        return self.plus.rates(g[0], self.omega), self.minus.rates(g[1], self.omega)

    @cached_property
    def frame_rates(self) -> FrameRates:
        """How the frames turn."""
        return frame_rates(self.frames, self.contacts, self.contact_rates)

    @cached_property
    def parting_rate(self) -> float:
        """The rate of `parting`."""
        apart = self.contact_rates[1].velocity - self.contact_rates[0].velocity
        return float(apart @ self.frames.a + (self.minus.velocity - self.plus.velocity) @ self.frame_rates.a)

    @cached_property
    def bias(self) -> np.ndarray:
        """(v_C', Omega') at s' = 0."""
        at, d, u = self.frames, self.frame_rates, self.slips
        V = [w.velocity + g for w, g in zip(self.contacts, self.slip_velocities)]
        u2 = -u[:, 1] * d.c / at.c
        u2[1] -= self.parting_rate / at.c[1]
        rates = [self.contact_rates[k].velocity + u[k, 0] * d.t1[k] + u2[k] * at.t2[k] + u[k, 1] * d.t2[k] for k in (0, 1)]
        apart, parts = V[0] - V[1], rates[0] - rates[1]
        turn = cross(d.a, apart) + cross(at.a, parts) - cross(at.a, apart) * (d.distance / at.distance)
        omega = self.s[3] * d.a + turn / at.distance
        return np.concatenate([rates[0] - cross(omega, self.plus.r) - cross(self.omega, self.contact_rates[0].r), omega])

    @cached_property
    def loads(self) -> np.ndarray:
        """Force and couple of everything but the contacts, with -Omega x J Omega."""
        force, couple = self.force, self.couple
        if self.wrench is not None:
            force, couple = self.wrench(self.velocity.copy(), self.omega.copy())
            force, couple = three(force, "the force of wrench"), three(couple, "the couple of wrench")
        return np.concatenate([force, couple - cross(self.omega, self.inertia @ self.omega)])

    @cached_property
    def size(self) -> float:
        """A speed that counts as ordinary here: sqrt(force/mass * length), or that of the motion (m/s)."""
        pull = float(np.linalg.norm(self.loads[:3])) / self.mass + float(np.linalg.norm(self.loads[3:])) / (
            self.mass * self.length
        )
        return max(
            float(np.sqrt(pull * self.length)), float(np.abs(self.s[:3]).max()), abs(float(self.s[3])) * self.length, 1e-300
        )

    @cached_property
    def lift(self) -> np.ndarray:
        """Force and couple per (N+, T1+, T2+, N-, T1-, T2-): 6 x 6."""
        made, at = np.empty((6, 6)), self.frames
        for k, contact in enumerate(self.contacts):
            for i, e in enumerate((contact.n, at.t1[k], at.t2[k])):
                made[:3, 3 * k + i], made[3:, 3 * k + i] = e, cross(contact.r, e)
        return made


def quasi(s: Any) -> np.ndarray:
    """Four finite quasi-velocities."""
    try:
        made = np.array(s, float)
    except (TypeError, ValueError):
        raise InputError(f"s must be four numbers (u1+, u1-, ua, Omega_a), not {s!r}.") from None
    if made.shape != (4,) or not np.all(np.isfinite(made)):
        raise InputError(f"s must be four finite numbers (u1+, u1-, ua, Omega_a), not {s!r}.")
    return made


def moving(point: DualPoint, velocity: Any, omega: Any, tolerance: float = 1e-9) -> DualPoint:
    """The point with the quasi-velocities of a motion (v_C, Omega in space axes); refused if a contact opens or closes with a speed."""
    v, omega, at = three(velocity, "velocity"), three(omega, "omega"), point.frames
    g = [v + cross(omega, c.r) - c.velocity for c in point.contacts]
    size = max(
        float(np.linalg.norm(v)),
        float(np.linalg.norm(omega)) * point.length,
        *(float(np.linalg.norm(c.velocity)) for c in point.contacts),
    )
    for name, contact, slip in zip(("P+", "P-"), point.contacts, g):
        rate = float(contact.n @ slip)
        if abs(rate) > tolerance * (1.0 + size):
            raise InputError(
                f"the gap at {name} {'opens' if rate > 0 else 'closes'} with {abs(rate):.3g} m/s: both contacts must last."
            )
    return point.at([g[0] @ at.t1[0], g[1] @ at.t1[1], at.c[0] * (g[0] @ at.t2[0]), omega @ at.a])
