"""Jumps of the state at contacts: velocities taken out by impulses, positions put back onto a surface, and what an impact costs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from rollick.kernel.names import called
from rollick.mechanics.contact import (
    contact_count,
    contact_rows,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    surface_velocity,
    tidy,
    velocities,
)
from rollick.mechanics.size import size_and_extent
from rollick.motion.contact.held import OF_EACH, TOTALS, account_size
from rollick.motion.event_driven.thresholds import ABOVE, DEEPEST, SLOW

from .modes import OPEN, SLIP, STICK, in_mode, project_mode
from .seen import View


def at_rest(
    system: Any,
    body: Any,
    t: float,
    y: np.ndarray,
    closed: tuple[int, ...],
    still: tuple[int, ...],
    wanted: np.ndarray | None = None,
) -> np.ndarray:
    """The state without normal velocity at closed contacts and without slip (or with that wanted) at still ones, by impulses there.

    `body` is the system by its address (`by_address`).
    """
    made = y.copy()
    modes = tuple(STICK if k in still else SLIP if k in closed else OPEN for k in range(int(contact_count(system))))
    project_mode(in_mode(body, modes), float(t), made)
    rows = [(k, i) for k in range(int(contact_count(system))) for i in range(3) if k in still or (k in closed and i == 0)]
    if not rows:
        return made
    nq, nu = int(positions(system)), int(velocities(system))
    M, W, w = np.zeros((nu, nu)), np.zeros((int(contact_count(system)), 6, nu)), np.zeros((int(contact_count(system)), 6))
    mass_matrix(system, made[:nq], M)
    for k in {k for k, _ in rows}:
        contact_rows(system, float(t), made[:nq], k, W[k])
        surface_velocity(system, float(t), made[:nq], k, w[k])
    R = np.array([W[k, i] for k, i in rows])
    off = R @ made[nq:] - np.array([w[k, i] for k, i in rows])
    if wanted is not None:
        off -= wanted[[3 * k + i for k, i in rows]]
    lift = np.linalg.solve(M, R.T)
    made[nq:] -= lift @ np.linalg.lstsq(R @ lift, off, rcond=1e-9)[0]
    return made


def moved_up(
    system: Any, body: Any, y: np.ndarray, seen: View, low: list[int], kept: list[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The state with some contacts moved up to a little above their surfaces, while others keep their gaps; by which impulses, and those' rows.

    Above by as much as rounding makes uncertain (ABOVE): a low rebound from a hair below would rise through zero and come back, which is hard to tell from a touch.
    """
    nq, rows = int(positions(system)), [3 * k for k in (*low, *kept)]
    made, dq = y.copy(), np.zeros(nq)
    up = np.zeros(len(rows))
    up[: len(low)] = ABOVE * size_and_extent(body, y[:nq])[1] - seen.gaps[low]
    pushes = np.linalg.lstsq(seen.A[np.ix_(rows, rows)], up, rcond=1e-9)[0]
    way = pushes @ seen.lift[rows]
    position_rate(system, y[:nq], way, dq)
    made[:nq] += dq
    tidy(system, made[:nq])
    return made, pushes, seen.lift[rows]


def raised(system: Any, body: Any, t: float, y: np.ndarray, seen: View) -> tuple[np.ndarray, np.ndarray]:
    """The state with the contacts that are below their surfaces moved up, where an impact is found a little late; the work that this takes at each."""
    work = np.zeros(seen.gaps.size)
    low = [k for k in range(seen.gaps.size) if seen.gaps[k] < 0.0]
    if not low:
        return y, work
    made, pushes, lift = moved_up(system, body, y, seen, low, [])
    nq = int(positions(system))
    M = np.zeros((lift.shape[1], lift.shape[1]))
    mass_matrix(system, y[:nq], M)
    work[low] = -pushes * (lift @ M @ seen.free[nq:])
    return made, work


def leaving_from_above(system: Any, body: Any, y: np.ndarray, seen: View, held: tuple[int, ...]) -> np.ndarray:
    """The state after contacts were pulled onto their surfaces (`held`): others, that leave theirs, may have come below them by rounding, and are moved up."""
    low = [k for k in range(seen.gaps.size) if k not in held and -DEEPEST < seen.gaps[k] < 0.0 < seen.gamma[k, 0]]
    return moved_up(system, body, y, seen, low, list(held))[0] if low else y


def without_rebounds(
    system: Any, y: np.ndarray, struck: np.ndarray, after: View, lasting: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """The state after an impact without the speeds at which contacts leave that last from now on, and by how much percussions change with it, three for each contact.

    Until they last, the remaining rebounds would press as long as lasting contact does from now on, less by what these speeds are worth: weight has to end them, not
    contact. So much was pressed too early, with friction (P, -mu P w) where they slip: both are taken back. Without friction, or where that would turn a slip or
    give more energy than there was before the impact (`y`), nothing is: the speeds are taken out later (`at_rest`).
    """
    count, nq = int(contact_count(system)), int(positions(system))
    modes = tuple((SLIP if after.slips(k) else STICK) if k in lasting else OPEN for k in range(count))
    rubs = [k for k in lasting if modes[k] == SLIP and after.mu[k] > 0.0]
    if not rubs:
        return struck, np.zeros(3 * count)
    back = replace(after, c=after.gamma).forces(modes)
    made = struck.copy()
    made[nq:] += back @ after.lift
    slip = (after.gamma + (after.A @ back).reshape(-1, 3))[rubs, 1:]
    M = np.zeros((made.size - nq, made.size - nq))
    mass_matrix(system, y[:nq], M)
    keeps_on = np.all(np.sum(slip * after.gamma[rubs, 1:], axis=1) > 0.0)
    if not keeps_on or not made[nq:] @ M @ made[nq:] <= y[nq:] @ M @ y[nq:]:
        return struck, np.zeros(3 * count)
    return made, back


def unsolved(system: Any, seen: View, touching: tuple[int, ...], t: float, y: np.ndarray, struck: np.ndarray) -> str:
    """A sentence if an impact was not solved: it leaves contacts approaching (`seen`: all contacts in the state after it), faster than a ten-millionth of the speed that its
    energy could give them."""
    nq, nu = int(positions(system)), int(velocities(system))
    M = np.zeros((nu, nu))
    mass_matrix(system, y[:nq], M)
    before, afterwards = (0.5 * float(u @ M @ u) for u in (y[nq : nq + nu], struck[nq : nq + nu]))
    speed = (
        math.sqrt(2.0 * max(before, afterwards) * max(seen.A[3 * k, 3 * k] for k in touching))
        if before + afterwards > 0.0
        else 1.0
    )
    approach = seen.gamma[list(touching), 0]
    if np.all(approach > -1e-7 * (speed + SLOW)):
        return ""
    return (
        f"the impact of {called(system)} at t = {t:.10g} was not solved: a contact would still approach with {-approach.min():.3g} m/s. "
        f"The motion until then is kept; method='moreau' may get further."
    )


def losses(
    system: Any,
    t: float,
    y: np.ndarray,
    struck: np.ndarray,
    contacts: tuple[int, ...],
    blows: np.ndarray | None = None,
    work: np.ndarray | None = None,
) -> np.ndarray:
    """What an impact at some contacts adds to the account: normal percussion, and the energies lost to sliding, pivoting, contour friction and impacts;
    of the body and, of several contacts, of each (`by_contact`).

    `blows` are the percussions that the impact law found, a row for each contact; what the velocities changed by besides (the rebounds that were
    summed) is put down to the least ones. They cannot be told from the velocities alone: two feet of a rigid body may press against each other.
    `work` was done on the body at each contact on the way, and counts as lost by so much less.
    """
    nq, nu, rows = int(positions(system)), int(velocities(system)), int(rows_per_contact(system))
    M, W, w = np.zeros((nu, nu)), np.zeros((len(contacts), 6, nu)), np.zeros((len(contacts), 6))
    mass_matrix(system, y[:nq], M)
    for a, k in enumerate(contacts):
        contact_rows(system, float(t), y[:nq], k, W[a])
        surface_velocity(system, float(t), y[:nq], k, w[a])
    R = W[:, :rows].reshape(-1, nu)
    change, mean = struck[nq : nq + nu] - y[nq : nq + nu], 0.5 * (struck[nq : nq + nu] + y[nq : nq + nu])
    known = np.zeros((len(contacts), rows)) if blows is None else blows
    P = known + np.linalg.lstsq(R.T, M @ change - R.T @ known.ravel(), rcond=1e-10)[0].reshape(-1, rows)
    taken = -P * ((R @ mean).reshape(-1, rows) - w[:, :rows])
    each = np.zeros((int(contact_count(system)), OF_EACH))
    each[list(contacts)] = np.column_stack(
        [P[:, 0], taken[:, 1:3].sum(axis=1), taken[:, 3:4].sum(axis=1), taken[:, 4:].sum(axis=1), taken[:, 0]]
    )
    if work is not None:
        each[:, -1] -= work
    made = np.zeros(int(account_size(system)))
    made[:OF_EACH] = each.sum(axis=0)
    if made.size > TOTALS:
        made[TOTALS:] = each.ravel()
    return made
