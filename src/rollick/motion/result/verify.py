"""How many digits of a motion to believe.

The motion is repeated by a finer version of its method (a thousandth of its tolerance or, if there is no finer one, a thousand times it; a quarter of
the time step, and 0.618 of it). A repetition that takes about as many steps shows nothing: its steps are bounded then. Where the system has a second formulation (other coordinates, other
equations), the motion is repeated in that as well. The digits of a state are -log10 of the largest difference over the motion, relative to the state's
largest magnitude. Instants at which a motion changes its mode are left out: velocities may jump there, and which side of a jump they
show is decided by rounding. So are the instants next to an impact of a stepped motion, whose time is known to some steps. `no_digits_at` of the provenance lists them. Agreement of repetitions shows convergence; agreement of formulations shows more, since they share no coordinates.
No state has more digits than any other check of the motion leaves (`trust.least`).
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...kernel.hooks import second_formulation
from ...kernel.names import called
from ...kernel.trial import reads_time
from .outcome import DOUBTFUL, INTERRUPTED, TIME_LIMIT, MotionWarning
from .trust import Check, Trust, least

SIX_DIGITS = 1e-6  # formulations that agree to so much agree
MORE_STEPS = 1.5  # times as many, or as few, a repetition takes that shows anything
AROUND, OUTLIER, LEAST_JUMP = 21, 10.0, 1e-4  # intervals, times their median, of the largest value: what a jump is
SAME_IMPACT = 20  # intervals by which the time of an impact may differ between two motions
MOST_LEFT_OUT = 0.5  # of the instants
LATE = 0.05  # of the instants: the last ones, which say what the end of a stepped motion is worth
ONE_DIGIT = 0.1  # relative: what differs by more has no digit in common
NOISE = 1e-9  # of the largest state of all: a state that is no larger says nothing
SHARE_EXPLAINED = 0.1  # of what the tolerances explain: what a finer motion misses by as well
LEAST_BOUND = 1e-12  # of the time: no bound of steps is shorter
OTHER_ERROR = 1e3  # by so much more than a repetition another formulation may differ: its errors grow otherwise


FINER, OTHER_STEPS, SECOND = "finer run", "other steps", "second formulation"
SAME = "the same equations"


class Repetition(NamedTuple):
    """A motion that was computed again: what kind of check it is, what was done, the states at the instants of the motion and at its end, the status and the time it broke off with
    ("" if it did not), how many steps it took, and its own checks that failed."""

    kind: str
    what: str
    states: np.ndarray
    end: np.ndarray
    broke_off: str = ""
    end_time: float = 0.0
    steps: int = 0
    doubts: tuple[Check, ...] = ()


class Instants(NamedTuple):
    """What of a motion is compared: instants, with dense output also those between them, the states there, and which of them count."""

    t: np.ndarray
    y: np.ndarray
    counts: np.ndarray


def digits_of(difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """-log10 of a relative difference, between 0 and 16."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d = -np.log10(difference / np.where(scale > 0.0, scale, 1.0))
    return np.clip(np.where(np.isnan(d), 0.0, d), 0.0, 16.0)


def judge(motion: Any, method: Any, simulate: Any) -> Trust:
    """The trust in a motion with the digits of each state: it is repeated more carefully and in another way, with `simulate`; the worst disagreement counts."""
    if motion.provenance["steps"] == 0 and not motion.outcome.complete:
        return motion.trust
    motion.provenance["no_digits_at"] = []
    seen = instants(motion)
    others = repetitions(motion, method, simulate, seen.t)
    if others[-1].broke_off in (INTERRUPTED, TIME_LIMIT):
        text = f"{others[-1].what} was broken off ({others[-1].broke_off}): nobody knows how many digits there are"
        return Trust((*motion.trust.checks, Check(FINER, text, 0.0, np.inf)))
    names = tuple(q.name for q in motion.about.states)
    start = np.array(list(motion.provenance["start"].values()))
    scale = np.abs(np.vstack([motion.y, motion.end_state, start])).max(axis=0)
    units = [q.unit for q in motion.about.states]  # a state may be nothing but noise: those of one unit share a scale
    shared = largest_of_unit(scale, units)
    local = method.local_error(motion.system)
    noise = max(NOISE, motion.provenance["steps"] * local.relative if local else 0.0) * scale.max(initial=0.0)
    # the error of the motion, from its difference to a finer one that has some error itself
    whole = 1.0 / (1.0 - method.left_by_finer)
    stepped = local is None and not method.lasting
    digits, final = np.full(len(names), 16.0), np.full(len(names), 16.0)
    checks: list[Check] = []
    for repetition in others:
        count = min(len(repetition.states), seen.t.size)
        at_end = np.abs(repetition.end - motion.end_state)
        beside = np.zeros(count, dtype=bool)
        if stepped:
            beside = beside_impacts(seen.y[:count], repetition.states[:count]) & seen.counts[:count]
            seen.counts[:count] &= ~beside
        known = seen.counts[:count]
        apart = np.abs(repetition.states[:count] - seen.y[:count])
        worst = np.vstack([apart[known], at_end]).max(axis=0)
        if stepped:  # one difference of stepped motions may be small by chance: the last instants and all states of a unit count
            late = max(1, round(LATE * count))
            at_end = np.vstack([apart[count - late :][known[count - late :]], at_end]).max(axis=0)
            worst, at_end = largest_of_unit(worst, units), largest_of_unit(at_end, units)
        digits, final = np.minimum(digits, digits_of(whole * worst, scale)), np.minimum(final, digits_of(whole * at_end, scale))
        relative = whole * worst / np.where(shared > 0.0, shared, 1.0)
        relative[(relative > ONE_DIGIT) & (whole * worst <= noise)] = 0.0
        missed = float(relative.max())
        checks.append(repeated(repetition, missed, checks, int(beside.sum())))
        checks += not_of_the_tolerance(motion.trust, repetition)
    motion.provenance["no_digits_at"] = seen.t[~seen.counts].tolist()
    trust = Trust((*motion.trust.checks, *checks, *method.compared(motion, simulate), *unseen(motion, method)))
    return least(trust, names, digits, final)


def largest_of_unit(values: np.ndarray, units: list[str]) -> np.ndarray:
    """For each state the largest value among the states of its unit."""
    return np.array([max(value for value, other in zip(values, units) if other == unit) for unit in units])


def instants(motion: Any) -> Instants:
    """The instants at which a motion is compared. Those at which it changes its mode do not count."""
    t, y = motion.t, motion.y
    if motion.has_dense and t.size > 1:
        between = 0.5 * (t[:-1] + t[1:])
        t, first = np.unique(np.concatenate([t, between]), return_index=True)
        y = np.vstack([y, motion.at(between)])[first]
        if motion.t[-1] < motion.t[0]:
            t, y = t[::-1], y[::-1]
    return Instants(t, y, ~np.isin(t, [changed for _, changed in motion.provenance["methods"][1:]]))


def repetitions(motion: Any, method: Any, simulate: Any, t: np.ndarray) -> list[Repetition]:
    """The motion by a finer version of its method, by those that are as careful and, where there is one, in its second formulation."""
    finer, in_words = method.finer()
    start = np.array(list(motion.provenance["start"].values()))
    since, taken = motion.provenance["since"], motion.provenance["steps"]

    def repeat(kind: str, system: Any, first: np.ndarray, method: Any, what: str) -> Repetition:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            run = simulate(system, first, motion.end_time, since=since, method=method, at=t, progress=False)
        done = run.complete or run.status == DOUBTFUL
        end = run.end_state if done else np.full(run.end_state.size, np.nan)
        broke_off, steps = "" if done else run.status, run.provenance["steps"]
        return Repetition(kind, what, run.y, end, broke_off, run.end_time, steps, run.trust.doubts)

    found = [repeat(FINER, motion.system, start, finer, f"{SAME} at {in_words}")]
    bound = 0.5 * abs(motion.end_time - since) / max(taken, 1)
    as_many = taken / MORE_STEPS < found[0].steps < taken * MORE_STEPS
    if "max_step" in finer.options and as_many and bound > LEAST_BOUND * max(abs(since), abs(motion.end_time)):
        finer = replace(finer, max_step=min(bound, float(finer.options["max_step"])))
        in_words = f"{in_words} and steps below {bound:.3g}"
        found = [repeat(FINER, motion.system, start, finer, f"{SAME} at {in_words}")]
    for other, other_words in method.as_careful():
        if found[-1].broke_off not in (INTERRUPTED, TIME_LIMIT):
            found.append(repeat(OTHER_STEPS, motion.system, start, other, f"{SAME} at {other_words}"))
    second = second_formulation(motion.system)
    if second is not None and found[-1].broke_off not in (INTERRUPTED, TIME_LIMIT):
        other, forth, back = second
        again = repeat(SECOND, other, forth(start), in_other_states(finer), f"{called(other)} at {in_words}")
        beside = motion.at(t[: len(again.states)]) if t.size > motion.t.size else motion.y[: len(again.states)]
        states = back(np.vstack([again.states, again.end]), np.vstack([beside, motion.end_state]))
        found.append(again._replace(states=states[:-1], end=states[-1]))
    return found


def not_of_the_tolerance(trust: Trust, repetition: Repetition) -> list[Check]:
    """The checks of a repetition that failed, where they miss by a good part of what the tolerances of the motion explain: a finer tolerance does not mend it."""
    explained = {check.name: check.explained for check in trust.checks if check.passed}
    return [
        replace(check, text=f"{repetition.what}: {check.text}")
        for check in repetition.doubts
        if check.missed > SHARE_EXPLAINED * explained.get(check.name, np.inf)
    ]


def jumps(states: np.ndarray) -> np.ndarray:
    """The intervals between instants in which a state changes by far more than it does around them: impacts of a stepped motion."""
    from scipy.ndimage import median_filter  # not before a stepped motion is verified

    change, scale = np.abs(np.diff(states, axis=0)), np.abs(states).max(axis=0)
    usual = median_filter(change, size=(AROUND, 1), mode="mirror")
    return np.flatnonzero(((change > OUTLIER * usual) & (change > LEAST_JUMP * scale)).any(axis=1))


def beside_impacts(states: np.ndarray, repeated: np.ndarray) -> np.ndarray:
    """Which instants lie between an impact of a stepped motion and the same impact of its repetition, or as far beyond; none where that would be most of them."""
    found = np.zeros(len(states), dtype=bool)
    if len(states) < AROUND:
        return found
    mine, others = jumps(states), jumps(repeated)
    if not mine.size or not others.size:
        return found
    for one in mine:
        other = others[np.abs(others - one).argmin()]
        apart = abs(int(other) - int(one))
        if apart <= SAME_IMPACT:
            found[max(0, min(one, other) - apart - 1) : max(one, other) + apart + 3] = True
    return found if found.mean() <= MOST_LEFT_OUT else np.zeros(len(states), dtype=bool)


def repeated(repetition: Repetition, missed: float, before: list[Check], left_out: int) -> Check:
    """The check by a repetition. One that breaks off confirms nothing; a second formulation must agree about as well as the finer run does."""
    name = repetition.kind
    if repetition.broke_off:
        text = f"{repetition.what}, which did not get beyond t = {repetition.end_time:.6g} ({repetition.broke_off})"
        return Check(name, text, np.inf, 0.0, 0.0, "A motion that a more careful run does not confirm is not to be believed.")
    text = f"{repetition.what}: off by {missed:.1e}"
    if left_out:
        text += f", without {left_out} instants next to impacts, whose times are known to some steps"
    if name != SECOND:
        cause = "Not one digit is left: the motion depends on the last digits of its start, or its tolerance or its step is too large."
        return Check(name, text, missed, ONE_DIGIT, cause=cause)
    explained = max(SIX_DIGITS, OTHER_ERROR * before[0].missed)
    cause = "Both cannot be right: look at the equations, or at a singularity of the coordinates."
    return Check(name, text, missed, explained, cause=cause)


def unseen(motion: Any, method: Any) -> list[Check]:
    """What no repetition can see: a pulse between the evaluations of a step, where the rate depends on t and no bound shortens the steps."""
    bound = method.options.get("max_step")
    if bound is None or not reads_time(motion.system):
        return []
    if bound * motion.provenance["steps"] < 2.0 * abs(motion.end_time - motion.provenance["since"]):
        return []
    text = "a pulse in t that is shorter than a step would go unseen by all of them: give max_step to look closer"
    return [Check("pulses", text, 0.0, np.inf)]


def in_other_states(method: Any) -> Any:
    """The method for a system with other states: a tolerance per state becomes the smallest of them."""
    atol = method.options.get("atol")
    return method if atol is None else replace(method, atol=float(np.min(atol)))
