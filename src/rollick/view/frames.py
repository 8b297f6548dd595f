"""A motion at evenly spaced instants: the poses of its body and a few numbers, for moving pictures.

States and numbers are those of the motion itself, to the accuracy of its method (`motion.result.again`): from its dense output, or from the same steps
made once more. Instants of stepped motions are ends of their steps. Where neither is to be had (a motion of a method that is not known here, a file of
another version whose motion comes out differently) poses are interpolated, which is good to the eye as long as the body turns by less than a
radian or so from one output time to the next, and signals lie on straight lines between the values there: no curve shows what the motion does not have.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, called
from ..kernel.warn import warn_user
from ..mechanics.contact import contact_count, position_rate, positions
from ..mechanics.poses import Poses, matrices, poses
from ..motion.result.again import Known, is_stepped, known_at, on_steps
from .contacts import free_but_for_gravity

# Where the versions of `poses` of Rollick's own systems are; those of a user's come with the user's modules.
HOMES = (
    "rollick.mechanics.poses",
    "rollick.mechanics.sliding.poses",
    "rollick.archetypes.rattleback.poses",
    "rollick.archetypes.rubber.poses",
    "rollick.archetypes.tippedisk.poses",
    "rollick.archetypes.tippedisk.reduced.poses",
    "rollick.archetypes.lander.poses",
    "rollick.archetypes.falling_plate",
    "rollick.archetypes.filippov.poses",
    "rollick.archetypes.flowmeter.poses",
    "rollick.archetypes.wheelset.dry_poses",
    "rollick.archetypes.wheelset.rolling_poses",
)
PER_SECOND = 120.0
TURN = 0.05  # rad, what a body may turn from one frame to the next; its contact point may run by as much of its size
FEWEST, MOST = 600, 4000
CURVES = 9  # numbers of a page, at most
BESIDE = (
    0.002  # of the time between frames: a velocity by differences is then good to 1e-6, an acceleration is still above rounding
)
COARSE = 2.0  # rad between output times, from which on a warning is given


class Number(NamedTuple):
    """A number over time: its name, unit and values; shown: written beside the body, and not only offered as a curve."""

    name: str
    unit: str
    values: np.ndarray
    shown: bool = True


class Frames(NamedTuple):
    """Evenly spaced instants t, the poses there, the values (n, k) of k numbers, each named with its unit, of which the first `shown` are written.

    y: the states; around: the poses a little before and after, and by how much. Both None where they are not known.
    """

    t: np.ndarray
    poses: Poses
    numbers: list[tuple[str, str]]
    values: np.ndarray
    shown: int | None = None
    y: np.ndarray | None = None
    around: tuple[Poses, Poses, float] | None = None


def told(t: np.ndarray, placed: Poses, numbers: list[Number], y: np.ndarray | None = None, around: Any = None) -> Frames:
    """Frames with such numbers, those that are shown first."""
    ordered = sorted(numbers, key=lambda number: not number.shown)
    values = np.stack([number.values for number in ordered], axis=1) if ordered else np.empty((len(t), 0))
    return Frames(t, placed, [(n.name, n.unit) for n in ordered], values, sum(n.shown for n in ordered), y, around)


def check_drawable(system: Any) -> None:
    """Refuse a system whose body nobody has said how to place. Of the archetypes' own versions of `poses` the one is loaded that may be its."""
    room = ".".join(type(system).__module__.split(".")[:3])
    for home in HOMES:
        if home.startswith(("rollick.mechanics.", f"{room}.")):
            importlib.import_module(home)
    if poses.knows(type(system)):
        return
    for home in HOMES:  # one that is drawn from elsewhere; and who is refused is told what is known
        importlib.import_module(home)
    if not poses.knows(type(system)):
        known = ", ".join(sorted(called(key[0]) for key in poses.table))
        name = called(system)
        raise InputError(
            f"it is not known where the body of {name} is at an instant, so that it cannot be drawn; known are: {known}. "
            f"Register @rollick.mechanics.poses.poses.register({name}), which returns e.g. touching(body, quaternions, track)."
        )


def turns(attitude: np.ndarray) -> np.ndarray:
    """The angles by which a body turns from one attitude to the next."""
    cosine = np.abs(np.einsum("ij,ij->i", attitude[1:], attitude[:-1]))
    return 2.0 * np.arccos(np.minimum(cosine, 1.0))


def frame_times(low: float, high: float, t: np.ndarray, coarse: Poses) -> np.ndarray:
    """The instants to show: 120 per second, more where the body turns or its contact point runs fast, neither very few nor very many."""
    size = float(np.linalg.norm(coarse.footprint, axis=1).max())
    runs = [np.linalg.norm(np.diff(points, axis=0), axis=1) / size for points in (coarse.contact, coarse.footprint)]
    if coarse.touch is not None:  # what jumps, from one foot to another or in the air, does not run
        runs = [np.where((coarse.touch[1:] == coarse.touch[:-1]) & (coarse.touch[1:] > 0), run, 0.0) for run in runs]
    fastest = max(float(np.max(angles / np.diff(t))) for angles in (turns(coarse.attitude), *runs))
    count = (high - low) * max(PER_SECOND, fastest / TURN)
    return np.linspace(low, high, int(np.clip(count, FEWEST, MOST)) + 1)


def distinct(t: np.ndarray) -> np.ndarray:
    """The indices of output times in increasing order, without those that all but coincide (events at the end of a step)."""
    order = np.argsort(t, kind="stable")
    apart = np.diff(t[order]) > 1e-9 * max(float(np.ptp(t)), 1e-300)
    return order[np.concatenate([[True], apart])]


def interpolated(motion: Any, keep: np.ndarray, times: np.ndarray) -> Known:
    """A motion between its instants `keep` where it is not known there: smooth states for the poses, signals on straight lines between their values."""
    from scipy.interpolate import CubicSpline

    t, jumps = motion.t[keep], contact_count.knows(type(motion.system))
    lines = lambda values: np.stack([np.interp(times, t, column) for column in values[keep].T], axis=1)
    curves = lambda values: CubicSpline(t, values[keep])(times)
    y = between_jumps(motion, keep, times) if jumps else curves(motion.y)
    q = None if motion.q is None else lines(motion.q) if jumps else curves(motion.q)
    return Known(times, y, q, lines(motion.derived) if motion.about.signals else np.empty((len(times), 0)))


def between_jumps(motion: Any, keep: np.ndarray, times: np.ndarray) -> np.ndarray:
    """States of a body with contacts: positions by Hermite cubics, velocities by straight lines, each interval for itself.

    An interval begins with the state after an event, if there is one at its beginning: an impact changes the velocities there.
    """
    t, right = motion.t[keep], motion.y[keep]
    left = right.copy()
    for event in motion.events:
        nearest = int(np.argmin(np.abs(t - event.t)))
        if abs(t[nearest] - event.t) <= 1e-12 * (1.0 + abs(event.t)):
            left[nearest] = event.state[: left.shape[1]]
    n = int(positions(motion.system))
    slopes = [np.empty((len(t), n)) for _ in range(2)]
    for states, rates in zip((left, right), slopes):
        for row, rate in zip(states, rates):
            position_rate(motion.system, row[:n], row[n:], rate)
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    s = (times - t[k])[:, None] / h
    made = (1.0 - s) * left[k] + s * right[k + 1]
    chord = right[k + 1, :n] - left[k, :n]
    made[:, :n] += s * (1.0 - s) * ((1.0 - s) * (h * slopes[0][k] - chord) - s * (h * slopes[1][k + 1] - chord))
    return made


def numbers_at(motion: Any, known: Known, most: int) -> list[Number]:
    """The numbers of a motion, angles in degrees: the first `most` of its plot and the energy are written beside the body, some more can be drawn as curves."""
    from ..plotting.symbols import in_degrees  # brings matplotlib, which takes a second

    about = motion.about
    groups = [(about.states, known.y), (about.integrals, known.q), (about.signals, known.signals)]
    values_of = {
        quantity.name: (quantity.unit, values[:, j])
        for quantities, values in groups
        if values is not None
        for j, quantity in enumerate(quantities)
    }
    wanted = [name for name in about.plot if name in values_of] or [quantity.name for quantity in about.states]
    shown = [*wanted[:most], *(name for name in ("energy",) if name in values_of and name not in wanted[:most])]
    quaternion = {name for name in values_of if len(name) == 2 and name[0] in "qp" and name[1] in "0123"}
    others = [*wanted, *(quantity.name for quantity in (*about.signals, *about.states))]
    more = [name for name in dict.fromkeys(others) if name not in shown and name not in quaternion]
    made = []
    for name in [*shown, *more][: max(CURVES, len(shown))]:
        values, unit = in_degrees(values_of[name][1], values_of[name][0])
        made.append(Number(name, unit, values, name in shown))
    return made


def energy_of(system: Any, t: np.ndarray, found: Poses, around: tuple[Poses, Poses, float] | None = None) -> np.ndarray | None:
    """Kinetic and potential energy of a body from its poses, by differences between those around each instant; None where its mass or gravity is not known."""
    g = getattr(system, "gravity", getattr(system, "g", None))
    if g is None or found.body.mass <= 0.0 or found.spin is not None:
        return None
    r = matrices(found.attitude)
    if around is None:
        slope, spin = (np.gradient(x, float(t[1] - t[0]), axis=0) for x in (found.centre, r))
    else:
        before, after, h = around
        slope = (after.centre - before.centre) / (2.0 * h)
        spin = (matrices(after.attitude) - matrices(before.attitude)) / (2.0 * h)
    turning = np.einsum("nji,njk->nik", r, spin)  # R^T R' = omega x, in body axes
    omega = 0.5 * np.stack(
        [turning[:, 2, 1] - turning[:, 1, 2], turning[:, 0, 2] - turning[:, 2, 0], turning[:, 1, 0] - turning[:, 0, 1]], axis=1
    )
    inertia = np.array(found.body.inertia, float)
    kinetic = 0.5 * found.body.mass * np.sum(slope**2, axis=1) + 0.5 * np.einsum("ni,ij,nj->n", omega, inertia, omega)
    return kinetic + found.body.mass * float(np.linalg.norm(g)) * (found.centre @ np.array(found.up))


def frames_of(motion: Any, most_numbers: int = 3) -> Frames:
    """A motion at evenly spaced instants, with up to so many of the numbers that its plot would show."""
    if motion.system is None:
        raise InputError(
            f"the system {motion.provenance['system']} of this motion is not known here (it was read from a file), so that its body cannot "
            f"be drawn; import {motion.provenance['type'].partition(':')[0]} before Motion.open, or simulate it again."
        )
    check_drawable(motion.system)
    keep = distinct(motion.t)
    if keep.size < 2:
        raise InputError(f"this motion has {keep.size} instants, too few to show; ask for more output times.")
    t, low, high = motion.t[keep], float(motion.t[keep[0]]), float(motion.t[keep[-1]])
    placed = poses(motion.system, t, motion.y[keep], None if motion.q is None else motion.q[keep])
    if motion.has_dense:
        low, high = sorted((float(motion.provenance["since"]), float(motion.end_time)))
    wanted = frame_times(low, high, t, placed)
    for _ in range(2):
        times = on_steps(motion, wanted)
        found, beside = known_around(motion, times)
        if found is None:
            warn_of_guess(motion, placed)
        known = interpolated(motion, keep, times) if found is None else found
        placed = poses(motion.system, times, known.y, known.q)
        wanted = frame_times(low, high, times, placed)  # few output times do not tell how fast a body turns, frames do
        if found is None or is_stepped(motion) or len(wanted) < 1.5 * len(times):
            break
    around = None if beside is None else (*(poses(motion.system, at.t, at.y, at.q) for at in beside), slope_step(times))
    numbers = numbers_at(motion, known, most_numbers)
    missing = not any(number.name == "energy" for number in numbers)
    if missing and (energy := energy_of(motion.system, times, placed, around)) is not None:
        numbers.insert(sum(number.shown for number in numbers), Number("energy", "J", energy, True))
    return told(times, placed, numbers, known.y, around)


def slope_step(times: np.ndarray) -> float:
    """How far before and after a frame the body is looked at for its velocity and acceleration."""
    return BESIDE * float(times[1] - times[0])


def known_around(motion: Any, times: np.ndarray) -> tuple[Known | None, tuple[Known, Known] | None]:
    """What a motion is at the frames, and a little before and after them (at the ends, of instants that much further inside); None where it is not known."""
    if is_stepped(motion) or ("energy" in motion.names and not free_but_for_gravity(motion.system)):
        return known_at(motion, times), None
    h = slope_step(times)
    inside = np.clip(times, times[0] + h, times[-1] - h)
    found = known_at(motion, np.concatenate([times, inside - h, inside + h]))
    if found is None:
        return None, None
    now, before, after = (rows_of(found, slice(k * len(times), (k + 1) * len(times))) for k in range(3))
    return now, (before, after)


def rows_of(known: Known, rows: slice) -> Known:
    """Some of the instants."""
    return Known(known.t[rows], known.y[rows], None if known.q is None else known.q[rows], known.signals[rows])


def warn_of_guess(motion: Any, coarse: Poses) -> None:
    """Say that a motion is not known between its output times. The solver's own instants, close to each other, need no word."""
    widest = float(turns(coarse.attitude).max())
    if is_stepped(motion) and widest < COARSE:
        return
    warn_user(
        f"this motion is not known between its {motion.t.size} output times (up to {np.degrees(widest):.0f} degrees from one to the next), "
        "since computing it once more is not possible here or gives another one: what is shown there is a guess, and signals are on straight lines. "
        "Simulate with dense=True, or with more output times, to see it as it is."
    )
