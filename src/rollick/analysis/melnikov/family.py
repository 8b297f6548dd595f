"""The closed orbits around a centre of the limit, all of them at once, with nodes and weights for integrals over a period.

The orbits are told apart by s: the orbit s passes through c + s (edge - c), 0 < s < 1. With H'' = +-L L^T at the centre c, x = c + L^-T r (cos theta, sin theta) makes
small orbits circles. On each ray H(x) = h is solved for r by Newton's method, without integrating, and dt = dtheta/theta' turns integrals over time into those
over the angle. Next to a saddle, and where rays meet an orbit more than once, nodes are equally spaced in time instead (steps of order eight, all orbits
at once). Both integrands are periodic, so that the trapezoidal rule has all digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .limit import HamiltonianLimit
from .march import march_many

BASE = 256  # rays of the first look
RAYS = (128, 256, 512, 1024)  # numbers of rays that are tried
MOST = 4096  # nodes in time at most
LONGEST = 2000  # steps to look for the end of a period: twenty of those at the centre
LEAST = 0.005  # the smallest orbits: smaller ones are lost in the rounding of H


@dataclass(frozen=True)
class Nodes:
    """Nodes on some orbits, their field at the reference parameter, and weights: the integral of g over a period is sum(weight g)."""

    which: np.ndarray  # of the orbits asked for
    x: np.ndarray  # (2, orbits, nodes)
    f: np.ndarray
    weight: np.ndarray  # (orbits, nodes)

    def resolved(self) -> np.ndarray:
        """For each orbit whether half the nodes tell period, means of the states and of the speed to rounding."""
        looked = np.stack([np.ones_like(self.weight), *self.x, np.einsum("ikn,ikn->kn", self.f, self.f)]) * self.weight
        off = np.abs(looked.sum(axis=2) - 2.0 * looked[:, :, ::2].sum(axis=2))
        return np.all(off <= 1e-12 * np.abs(looked).sum(axis=2), axis=0)

    def take(self, good: np.ndarray) -> list[Nodes]:
        """Those orbits only."""
        return [Nodes(self.which[good], self.x[:, good], self.f[:, good], self.weight[good])] if good.any() else []


class Family:
    """Closed orbits around a centre, out to the one through `edge`."""

    def __init__(self, limit: HamiltonianLimit, centre: Any, edge: Any, count: int = 200, reference: Any = None):
        if limit.H.arguments > 1:
            raise InputError(
                "H depends on the parameter, so that each parameter has other closed orbits; write H so that only the field or the perturbation has it."
            )
        self.limit = limit
        self.c = limit.centre(centre)
        self.edge = limit.point(edge)
        if np.allclose(self.edge, self.c):
            raise InputError(
                f"edge = {edge!r} is the centre itself; it must be a point on the outermost orbit, a saddle perhaps."
            )
        H2 = limit.hessian(self.c)
        self.sign = float(np.sign(np.trace(H2)))
        L = np.linalg.cholesky(self.sign * H2)
        self.out, self.back = np.linalg.inv(L.T), L.T
        self.level0 = float(limit.energy(self.c))
        self.s = LEAST + (1.0 - LEAST) * np.sin(0.5 * np.pi * (np.arange(count) + 0.5) / count)  # dense at the edge
        self.theta = 2.0 * np.pi * np.arange(BASE) / BASE
        self.r = np.empty((count, BASE))
        r = np.full(BASE, float(np.linalg.norm(self.back @ (self.edge - self.c))) * self.s[0])
        self.seen = count  # how many of the orbits the rays from the centre meet once
        for i, s in enumerate(self.s):
            guess = r * (s / self.s[i - 1]) if i else r
            if i > 1:  # from two orbits before
                guess = self.r[i - 1] + (self.r[i - 1] - self.r[i - 2]) * (s - self.s[i - 1]) / (self.s[i - 1] - self.s[i - 2])
            found = self._solve(np.array([s]), self.theta, guess[None])
            if found is None:
                self.seen = i
                break
            r = self.r[i] = found[0]
        if self.seen < 4:
            raise InputError(
                f"no closed orbits were found around {limit.tell(self.c)} towards edge = {limit.tell(self.edge)}: is it the centre that is meant?"
            )
        self.reference = reference
        self._known: dict[bytes, list[Nodes]] = {}

    def level(self, s: Any) -> np.ndarray:
        """H of the orbit s."""
        s = np.asarray(s, float)
        return self.limit.energy(self.c[:, None] + np.multiply.outer(self.edge - self.c, s.ravel())).reshape(s.shape)

    def states(self, r: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """The points (2, orbits, rays)."""
        y = np.stack([r * np.cos(theta), r * np.sin(theta)])
        return self.c[:, None, None] + np.einsum("ij,jkn->ikn", self.out, y)

    def _solve(self, s: np.ndarray, theta: np.ndarray, r: np.ndarray) -> np.ndarray | None:
        """r(theta) of the orbits s by Newton's method on every ray; None where H does not grow along all rays up to there."""
        goal = self.level(s)[:, None]
        directions = self.out @ np.stack([np.cos(theta), np.sin(theta)])
        r = np.array(r, float)
        step = np.zeros_like(r)
        for _ in range(40):
            x = self.states(r, theta)
            slope = np.einsum("ikn,in->kn", self.limit.gradient(x), directions) * self.sign
            if not np.all(slope > 0.0):
                return None
            step = np.clip(self.sign * (self.limit.energy(x) - goal) / slope, -0.5 * r, 0.5 * r)
            r = r - step
            if np.all(np.abs(step) <= 4e-15 * r.max(axis=1, keepdims=True)):
                return r
        return r if np.all(np.abs(step).max(axis=1) <= 1e-8 * r.max(axis=1)) else None

    def radii(self, s: np.ndarray, rays: int) -> np.ndarray | None:
        """r(theta) of any orbits, on any number of rays; None if some of them are not met by each ray once."""
        theta = 2.0 * np.pi * np.arange(rays) / rays
        if np.any(s > self.s[self.seen - 1]):
            return None
        k = np.clip(np.searchsorted(self.s, s), 1, self.seen - 1)
        w = ((s - self.s[k - 1]) / (self.s[k] - self.s[k - 1]))[:, None]
        small = (s < self.s[0])[:, None]
        base = np.where(small, self.r[0] * (s / self.s[0])[:, None], (1.0 - w) * self.r[k - 1] + w * self.r[k])
        if rays != BASE:
            around = np.append(self.theta, 2.0 * np.pi)
            base = np.stack([np.interp(theta, around, np.append(row, row[0])) for row in base])
        return self._solve(s, theta, base)

    # -- nodes -------------------------------------------------------------------------------------------------------------------

    def nodes(self, s: np.ndarray) -> list[Nodes]:
        """Nodes and weights for the orbits s, in groups of equally many nodes: on rays where few are enough, else equally spaced in time."""
        key = s.tobytes()
        if key in self._known:
            return self._known[key]
        groups: list[Nodes] = []
        todo = np.arange(s.size)
        for count in RAYS:
            beyond = todo[s[todo] > self.s[self.seen - 1]]
            todo = np.setdiff1d(todo, beyond)
            group = self._on_rays(s, todo, count) if todo.size else None
            if group is not None:
                good = group.resolved()
                groups += group.take(good)
                todo = todo[~good]
            todo = np.union1d(todo, beyond)
        count, periods = 256, np.full(s.size, np.nan)
        while todo.size:
            group = self._in_time(s, todo, count, periods)
            good = group.resolved() if count < MOST else np.ones(todo.size, bool)
            groups += group.take(good)
            todo, count = todo[~good], 2 * count
        if len(self._known) > 64:
            self._known.clear()
        self._known[key] = groups
        return groups

    def _on_rays(self, s: np.ndarray, which: np.ndarray, count: int) -> Nodes | None:
        r = self.radii(s[which], count)
        if r is None:
            return None
        theta = 2.0 * np.pi * np.arange(count) / count
        x = self.states(r, theta)
        f = self.limit.field(x, self.reference)
        y_rate = np.einsum("ij,jkn->ikn", self.back, f)
        turning = np.abs(np.cos(theta) * y_rate[1] - np.sin(theta) * y_rate[0]) / r  # |theta'|
        return Nodes(which, x, f, 2.0 * np.pi / count / turning)

    def _in_time(self, s: np.ndarray, which: np.ndarray, count: int, periods: np.ndarray) -> Nodes:
        start = self.c[:, None] + np.multiply.outer(self.edge - self.c, s[which])
        f = lambda x: self.limit.field(x, self.reference)
        if np.any(np.isnan(periods[which])):
            periods[which] = self._first_return(f, start, s[which])
        period = periods[which]
        speed = f(start)
        for _ in range(3):
            x = march_many(f, start, period / count, count)
            late = np.einsum("ik,ik->k", x[:, :, -1] - start, speed) / np.einsum("ik,ik->k", speed, speed)
            if np.all(np.abs(late) <= 1e-11 * period):
                break
            periods[which] = period = period - late
        x = x[:, :, :-1]
        return Nodes(which, x, f(x), np.repeat((period / count)[:, None], count, axis=1))

    def _first_return(self, f: Callable[[np.ndarray], np.ndarray], start: np.ndarray, s: np.ndarray) -> np.ndarray:
        """The periods, from steps until each orbit has come once around the centre to the ray it began on."""
        matrix = self.limit.field_slopes(self.c, self.reference)
        h = 2.0 * np.pi / np.sqrt(abs(np.linalg.det(matrix))) / 100.0
        ray = self.back @ (self.edge - self.c)
        across = lambda x: ray[0] * (self.back @ (x - self.c[:, None]))[1] - ray[1] * (self.back @ (x - self.c[:, None]))[0]
        ahead = lambda x: ray @ (self.back @ (x - self.c[:, None])) > 0.0
        turn = np.sign(across(start + 1e-6 * h * f(start)))
        period, x, half = np.full(s.size, np.nan), start, np.zeros(s.size, bool)
        for k in range(LONGEST):
            after = march_many(f, x, np.full(s.size, h), 1)[:, :, -1]
            if not np.all(np.isfinite(after)):
                break
            half |= turn * across(after) < 0.0
            home = np.isnan(period) & half & (turn * across(x) < 0.0) & (turn * across(after) >= 0.0) & ahead(after)
            if np.any(home):
                begin = x[:, home]
                part = h * across(begin) / (across(begin) - across(after[:, home]))
                for _ in range(6):
                    at = march_many(f, begin, part, 1)[:, :, -1]
                    rate = across(self.c[:, None] + f(at))
                    part = part - across(at) / rate
                period[home] = k * h + part
            x = after
            if not np.any(np.isnan(period)):
                return period
        bad = float(s[np.isnan(period)].min())
        raise InputError(
            f"the orbit s = {bad:.6g} does not close around {self.limit.tell(self.c)} within twenty periods of the smallest orbits: edge = {self.limit.tell(self.edge)} is beyond the last closed orbit. "
            f"Take a nearer edge, at most s = {bad:.4g} of the way."
        )

    def integrate(
        self, s: Any, p: np.ndarray | None, what: Callable[[np.ndarray, Any], np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each orbit s the integrals over one period of what(x, p), shape (integrals, orbits, nodes): (values, errors), shapes (integrals, orbits).

        Errors are the differences from the same with each second node.
        """
        s = np.atleast_1d(np.asarray(s, float))
        values: Any = None
        errors: Any = None
        for group in self.nodes(s):
            parameter = None if p is None else p[group.which][:, None]
            weight = group.weight
            if self.limit.own_field is not None and self.limit.own_field.arguments > 1:  # the same path at another pace
                now = self.limit.field(group.x, parameter)
                weight = weight * np.einsum("ikn,ikn->kn", group.f, group.f) / np.einsum("ikn,ikn->kn", group.f, now)
            integrand = what(group.x, parameter) * weight
            if values is None:
                values, errors = np.empty((integrand.shape[0], s.size)), np.empty((integrand.shape[0], s.size))
            values[:, group.which] = integrand.sum(axis=2)
            errors[:, group.which] = np.abs(values[:, group.which] - 2.0 * integrand[:, :, ::2].sum(axis=2))
        return values, errors
