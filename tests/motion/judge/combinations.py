"""Which modes several closed contacts can go on in: all combinations are tried on the level of accelerations, gamma' = c + A lambda.

    open      lambda = 0,  gap'' >= 0
    slip      lambda = N (1, -mu d),  N >= 0,  gap'' = 0;  d along the slip or, where there is none, along the slip that begins
    stick     gamma' = 0,  N >= 0,  |lambda_T| <= mu N

Where contacts are redundant the forces are not unique. They share a load as `sharing` says; contacts that stick hold as long as *some* forces
inside all cones do (`in_cones`). Combinations that move the body alike are one motion, and no paradox: the one that leaves most room is kept. A
contact that carries nothing and is kept closed by the others is idle; by the rule of sharing it is so only if its share would be a pull. (Where feet
slip in different directions, the motion depends on how they share the load.)

The order saves time. Combinations without slip that begins are linear equations, and come first. Of two contacts all ways in which slip can begin are known (`uniqueness`).
Of more, the one to which a relaxation (projected Gauss-Seidel) points comes next. If exactly one motion has been found, and no contact has so much friction that slip in any
direction could lose its unique normal force, with the others free or holding, it counts as the only one; otherwise all combinations are tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rollick.motion.contact.held import IDLE, OPEN, SLIP, STICK
from rollick.motion.event_driven.thresholds import ALIKE, LOOSE, ROOM, SMALL

from .beginning import directions_together, pulled
from .choice import INCONSISTENT, INDETERMINATE, Choice, Verdict
from .in_cones import best_margin
from .of_two import futures_at
from .seen import View

SWEEPS, BEYOND = 400, 1e9  # of the relaxation, and changes (of the force) with which it diverges, as with much friction it may


@dataclass(frozen=True)
class Trial:
    """A combination that is consistent: the modes of all contacts, its motion, and how much room it leaves."""

    modes: tuple[int, ...]
    ways: dict[int, np.ndarray]
    motion: np.ndarray
    accelerations: np.ndarray
    room: float
    shares: np.ndarray | None
    uneven: bool = False  # an idle contact would carry a share, too


def of_several(seen: View, closed: tuple[int, ...]) -> Verdict:
    """The modes that several closed contacts can go on in, the others being open."""
    found: list[Trial] = []
    for tolerance in (SMALL, LOOSE):
        found = Together(seen, closed, tolerance).all_motions()
        if found:
            break
    choices = tuple(_choice(seen, closed, trial) for trial in found)
    return Verdict(choices, "" if len(found) == 1 else INDETERMINATE if found else INCONSISTENT)


def _choice(seen: View, closed: tuple[int, ...], trial: Trial) -> Choice:
    """A trial as a choice; open contacts that the others keep closed are idle."""
    rows = seen.columns(trial.modes, trial.ways)[0]
    modes = {k: IDLE if trial.modes[k] == OPEN and own_part(seen, rows, [3 * k]) is None else trial.modes[k] for k in closed}
    paces = {k: math.hypot(*trial.accelerations[k, 1:]) for k in trial.ways}
    return Choice(modes, trial.ways, paces, trial.shares)


def own_part(seen: View, rows: list[int], more: list[int]) -> np.ndarray | None:
    """What is left of A at some rows where others are held; None if it is nothing: they move only if the others do."""
    own = seen.A[np.ix_(more, more)]
    if not rows:
        return own
    Q = seen.range_of(rows)
    held, across = Q.T @ seen.A[np.ix_(rows, rows)] @ Q, Q.T @ seen.A[np.ix_(rows, more)]
    left = own - seen.A[np.ix_(more, rows)] @ Q @ np.linalg.solve(held, across)
    return left if float(np.abs(left).max()) > 1e-8 * float(np.abs(own).max()) else None


class Together:
    """Several closed contacts, and the scales of their forces and accelerations."""

    def __init__(self, seen: View, closed: tuple[int, ...], tolerance: float):
        self.seen, self.closed, self.tolerance = seen, closed, tolerance
        self.acceleration = max(float(np.abs(seen.c[list(closed)]).max()), 1e-300)
        self.force = self.acceleration / float(np.mean([seen.A[3 * k, 3 * k] for k in closed]))
        self.holds = {k: not seen.slips(k) for k in closed}  # it may stick, or begin to slip

    def all_motions(self) -> list[Trial]:
        """One trial for each motion that is consistent."""
        found = self.distinct(self.tried(modes, {}) for modes in self.combinations(begin=False))
        if len(self.closed) == 2:
            found = self.distinct([*found, *self.beginning_of_two()])
            if found:
                return found
        if not found:
            found = self.distinct([self.tried(*self.swept())])
        if len(found) == 1 and self.tame(found[0]):
            return found
        more: list[Trial | None] = [*found]
        for modes in self.combinations(begin=True):
            beginners = tuple(k for k in self.closed if modes[k] == SLIP and self.holds[k])
            if beginners and self.free_to_slip(modes, beginners):
                more += [self.tried(modes, ways) for ways in directions_together(self.seen, modes, beginners)]
        return self.distinct(more)

    def beginning_of_two(self) -> list[Trial | None]:
        """What two closed contacts can do with slip that begins at one of them, or at both; the fastest first."""
        found = []
        for future in sorted(futures_at(self.seen, self.closed), key=lambda f: -float(f.pace.sum())):
            modes = dict(zip(self.closed, future.modes))
            ways = {k: future.way[2 * i : 2 * i + 2] for i, k in enumerate(self.closed) if future.pace[i] > 0.0}
            if ways:
                found.append(self.tried(tuple(modes.get(k, OPEN) for k in range(len(self.seen.mu))), ways))
        return found

    def combinations(self, begin: bool) -> Iterable[tuple[int, ...]]:
        """Modes of all contacts; `begin`: with slip that begins, too."""
        options = [((STICK, SLIP, OPEN) if begin else (STICK, OPEN)) if self.holds[k] else (SLIP, OPEN) for k in self.closed]
        for some in itertools.product(*options):
            modes = dict(zip(self.closed, some))
            yield tuple(modes.get(k, OPEN) for k in range(len(self.seen.mu)))

    def free_to_slip(self, modes: tuple[int, ...], beginners: tuple[int, ...]) -> bool:
        """Whether what is held lets contacts slip at all."""
        rows = self.seen.columns(modes, {k: np.zeros(2) for k in beginners})[0]
        return all(own_part(self.seen, rows, [3 * k + 1, 3 * k + 2]) is not None for k in beginners)

    def distinct(self, trials: Iterable[Trial | None]) -> list[Trial]:
        """One trial for each motion: the one with room for all contacts that it holds, and of these the one that holds most."""

        def rank(trial: Trial) -> tuple[bool, bool, int, int]:
            return trial.uneven, trial.room <= SMALL, trial.modes.count(OPEN), -trial.modes.count(STICK)

        kept: list[Trial] = []
        size = ALIKE * max(1.0, self.tolerance / SMALL)
        for trial in sorted((t for t in trials if t is not None), key=rank):
            near = size * (float(np.abs(trial.motion).max()) + float(np.abs(self.seen.free[-self.seen.lift.shape[1] :]).max()))
            if all(float(np.abs(trial.motion - other.motion).max()) > near for other in kept):
                kept.append(trial)
        return [trial for trial in kept if not trial.uneven] or kept

    def tried(self, modes: tuple[int, ...], ways: dict[int, np.ndarray]) -> Trial | None:
        """A combination, if it is consistent."""
        seen, exact = self.seen, LOOSE * self.acceleration
        forces = seen.forces(modes, ways)
        a = seen.accelerations(forces)
        for k in self.closed:
            if modes[k] == OPEN and a[k, 0] < -self.tolerance * self.acceleration:
                return None
            if (modes[k] == SLIP and abs(a[k, 0]) > exact) or (modes[k] == STICK and float(np.abs(a[k]).max()) > exact):
                return None
            if k in ways and not (
                float(ways[k] @ a[k, 1:]) > SMALL * self.acceleration
                and abs(ways[k][0] * a[k, 2] - ways[k][1] * a[k, 1]) <= exact
            ):
                return None
        room, shares = self.room(modes, forces), None
        if room < ROOM and modes.count(STICK) > 1:
            eased = self.eased(modes, ways, forces)
            if eased is not None and self.room(modes, eased) > room:
                room, shares = self.room(modes, eased), eased
        if room < -self.tolerance:
            return None
        return Trial(modes, ways, seen.motion(forces), a, room, shares, self.uneven(modes, ways, forces))

    def uneven(self, modes: tuple[int, ...], ways: dict[int, np.ndarray], forces: np.ndarray) -> bool:
        """Whether a contact is idle that would press if it shared the load with the others."""
        rows = self.seen.columns(modes, ways)[0]
        for k in self.closed:
            if modes[k] == OPEN and rows and own_part(self.seen, rows, [3 * k]) is None:
                Q = self.seen.range_of(rows)
                share = np.linalg.solve(Q.T @ self.seen.A[np.ix_(rows, rows)] @ Q, Q.T @ self.seen.A[rows, 3 * k])
                if float(share @ (Q.T @ forces[rows])) > self.tolerance * self.force:
                    return True
        return False

    def room(self, modes: tuple[int, ...], forces: np.ndarray) -> float:
        """The least of N, and of mu N - |T| where a contact sticks, relative to the size of the forces."""
        least = math.inf
        for k in self.closed:
            if modes[k] != OPEN:
                least = min(least, forces[3 * k])
            if modes[k] == STICK:
                least = min(least, self.seen.mu[k] * forces[3 * k] - math.hypot(forces[3 * k + 1], forces[3 * k + 2]))
        return least / self.force

    def eased(self, modes: tuple[int, ...], ways: dict[int, np.ndarray], forces: np.ndarray) -> np.ndarray | None:
        """Forces with the same motion and more room, by forces between the contacts that stick; None if there are none."""
        rows, part = self.seen.columns(modes, ways)
        sticking = [p for p, row in enumerate(rows) if modes[row // 3] == STICK]
        effect = (part[:, sticking].T @ self.seen.lift).T
        _, sizes, Vt = np.linalg.svd(effect / np.abs(effect).max(axis=1, keepdims=True).clip(1e-300))
        rank = int((sizes > 1e-9 * sizes[0]).sum())
        if rank == len(sticking):
            return None
        Z = part[:, sticking] @ Vt[rank:].T
        sticks = [(k, float(self.seen.mu[k])) for k in self.closed if modes[k] == STICK]
        eta, _ = best_margin(forces / self.force, Z, sticks, [])
        return forces + self.force * (Z @ eta)

    def tame(self, trial: Trial) -> bool:
        """Whether no contact could lose its unique normal force, whatever the direction of its slip, the others free or holding."""
        for k in self.closed:
            mu, others = max(float(self.seen.mu[k]), 0.0), tuple(OPEN if j == k else m for j, m in enumerate(trial.modes))
            rows, part = self.seen.columns(others, trial.ways)
            own = [3 * k, 3 * k + 1, 3 * k + 2]
            A = self.seen.A[np.ix_(own, own)]
            left = A
            if rows:
                Q = self.seen.range_of(rows)
                held = np.linalg.lstsq(Q.T @ self.seen.A[rows] @ part @ Q, Q.T @ self.seen.A[np.ix_(rows, own)], rcond=1e-12)[0]
                left = A - self.seen.A[own] @ part @ Q @ held
            for B in (A, left):
                if B[0, 0] > 1e-8 * A[0, 0] and not B[0, 0] > mu * math.hypot(B[0, 1], B[0, 2]):
                    return False
        return True

    def swept(self) -> tuple[tuple[int, ...], dict[int, np.ndarray]]:
        """Modes, and directions of slip that begins, to which a relaxation points; the directions made exact."""
        seen, x = self.seen, np.zeros(3 * len(self.seen.mu))
        largest = {k: float(np.linalg.eigvalsh(0.5 * (seen.of(k)[1] + seen.of(k)[1].T)).max()) for k in self.closed}
        for _ in range(SWEEPS):
            before = x.copy()
            for k in self.closed:
                a, i = seen.c[k] + seen.A[3 * k : 3 * k + 3] @ x, 3 * k
                x[i] = max(x[i] - a[0] / largest[k], 0.0)
                mu = max(float(seen.mu[k]), 0.0)
                if not self.holds[k]:
                    x[i + 1 : i + 3] = -mu * x[i] * seen.way(k)
                    continue
                T = x[i + 1 : i + 3] - a[1:] / largest[k]
                x[i + 1 : i + 3] = T * min(1.0, mu * x[i] / max(math.hypot(*T), 1e-300))
            if not 1e-9 * self.force < float(np.abs(x - before).max()) < BEYOND * self.force:
                break
        modes = [OPEN] * len(seen.mu)
        for k in self.closed:
            normal, pull = x[3 * k], math.hypot(x[3 * k + 1], x[3 * k + 2])
            if normal > LOOSE * self.force:
                modes[k] = STICK if self.holds[k] and pull < seen.mu[k] * normal * (1.0 - 1e-6) else SLIP
        beginners = tuple(k for k in self.closed if modes[k] == SLIP and self.holds[k])
        if not beginners:
            return tuple(modes), {}
        found = directions_together(seen, tuple(modes), beginners, [pulled(seen, -x.reshape(-1, 3), beginners)], first=True)
        return tuple(modes), found[0] if found else pulled(seen, -x.reshape(-1, 3), beginners)
