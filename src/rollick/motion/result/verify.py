"""How many digits of a motion to believe.

The motion is repeated by a finer version of its method (a thousandth of its tolerance or, if there is no finer one, a thousand times it; a quarter of
the time step). A repetition that takes about as many steps shows nothing: its steps are bounded then. Where the system has a second formulation (other coordinates, other
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
from scipy.ndimage import median_filter

from ...kernel.hooks import second_formulation
from ...kernel.names import called
from ...kernel.trial import reads_time
from .outcome import DOUBTFUL, MotionWarning
from .trust import Check, Trust, least

SIX_DIGITS = 1e-6  # formulations that agree to so much agree
MORE_STEPS = 1.5  # times as many, or as few, a repetition takes that shows anything
AROUND, OUTLIER, LEAST_JUMP = 21, 10.0, 1e-4  # intervals, times their median, of the largest value: what a jump is
SAME_IMPACT = 20  # intervals by which the time of an impact may differ between two motions
MOST_LEFT_OUT = 0.5  # of the instants
OTHER_ERROR = 1e3  # by so much more than a repetition another formulation may differ: its errors grow otherwise


class Repetition(NamedTuple):
    """A motion that was computed again: what was done, the states at the instants of the motion and at its end, where it broke off ("" if it did not), and how many steps it took."""

    what: str
    states: np.ndarray
    end: np.ndarray
    broke_off: str = ""
    steps: int = 0


def digits_of(difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """-log10 of a relative difference, between 0 and 16."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d = -np.log10(difference / np.where(scale > 0.0, scale, 1.0))
    return np.clip(np.where(np.isnan(d), 0.0, d), 0.0, 16.0)


def judge(motion: Any, method: Any, simulate: Any) -> Trust:
    """The trust in a motion with the digits of each state: it is repeated more carefully and in another way, with `simulate`; the worst disagreement counts."""
    names = tuple(q.name for q in motion.about.states)
    finer, in_words = method.finer()
    start = np.array(list(motion.provenance["start"].values()))
    since = motion.provenance["since"]

    def repeat(system: Any, first: np.ndarray, method: Any, what: str) -> Repetition:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            run = simulate(system, first, motion.end_time, since=since, method=method, at=motion.t, progress=False)
        steps = run.provenance["steps"]
        if run.complete or run.status == DOUBTFUL:  # a check of the repetition says nothing of its agreement
            return Repetition(f"{what} at {in_words}", run.y, run.end_state, steps=steps)
        ended = f"which did not get beyond t = {run.end_time:.6g} ({run.status})"
        return Repetition(f"{what} at {in_words}", run.y, np.full(run.end_state.size, np.nan), ended, steps)

    others = [repeat(motion.system, start, finer, "the same equations")]
    taken = motion.provenance["steps"]
    if "max_step" in finer.options and taken / MORE_STEPS < others[0].steps < taken * MORE_STEPS:
        bound = 0.5 * (motion.end_time - since) / taken
        finer = replace(finer, max_step=min(bound, float(finer.options["max_step"])))
        in_words = f"{in_words} and steps below {bound:.3g}"
        others = [repeat(motion.system, start, finer, "the same equations")]
    second = second_formulation(motion.system)
    if second is not None:
        other, forth, back = second
        again = repeat(other, forth(start), in_other_states(finer), called(other))
        states = back(np.vstack([again.states, again.end]), np.vstack([motion.y[: len(again.states)], motion.end_state]))
        others.append(again._replace(states=states[:-1], end=states[-1]))
    scale = np.maximum(np.abs(motion.y).max(axis=0), np.abs(motion.end_state)) if motion.t.size else np.abs(motion.end_state)
    changes_mode = np.isin(motion.t, [t for _, t in motion.provenance["methods"][1:]])
    compared = ~changes_mode
    digits, final = np.full(len(names), 16.0), np.full(len(names), 16.0)
    checks: list[Check] = []
    for repetition in others:
        count = min(len(repetition.states), motion.t.size)
        at_end = np.abs(repetition.end - motion.end_state)
        if method.local_error(motion.system) is None:
            compared[:count] &= ~beside_impacts(motion, repetition, count)
        known = compared[:count]
        apart = np.abs(repetition.states[:count] - motion.y[:count])[known]
        worst = np.maximum(apart.max(axis=0), at_end) if len(apart) else at_end
        whole = 1.0 / (
            1.0 - method.left_by_finer
        )  # the error of the motion, from its difference to a finer one that has some error itself
        agreed = digits_of(whole * worst, scale)
        digits, final = np.minimum(digits, agreed), np.minimum(final, digits_of(whole * at_end, scale))
        checks.append(repeated(repetition, 10.0 ** -float(agreed.min()), checks, int((~known & ~changes_mode[:count]).sum())))
    motion.provenance["no_digits_at"] = motion.t[~compared].tolist()
    trust = Trust((*motion.trust.checks, *checks, *method.compared(motion, simulate), *unseen(motion, method)))
    return least(trust, names, digits, final)


def jumps(states: np.ndarray) -> np.ndarray:
    """The intervals between instants in which a state changes by far more than it does around them: impacts of a stepped motion."""
    change, scale = np.abs(np.diff(states, axis=0)), np.abs(states).max(axis=0)
    usual = median_filter(change, size=(AROUND, 1), mode="mirror")
    return np.flatnonzero(((change > OUTLIER * usual) & (change > LEAST_JUMP * scale)).any(axis=1))


def beside_impacts(motion: Any, repetition: Repetition, count: int) -> np.ndarray:
    """Which of the first `count` instants lie between an impact of a stepped motion and the same impact of its repetition, or as far beyond; none where that would be most of them."""
    found = np.zeros(count, dtype=bool)
    mine, others = jumps(motion.y[:count]), jumps(repetition.states[:count])
    if count < AROUND or not mine.size or not others.size:
        return found
    for one in mine:
        other = others[np.abs(others - one).argmin()]
        apart = abs(int(other) - int(one))
        if apart <= SAME_IMPACT:
            found[max(0, min(one, other) - apart - 1) : max(one, other) + apart + 3] = True
    return found if found.mean() <= MOST_LEFT_OUT else np.zeros(count, dtype=bool)


def repeated(repetition: Repetition, missed: float, before: list[Check], left_out: int) -> Check:
    """The check by a repetition. One that breaks off confirms nothing; a second formulation must agree about as well as the finer run does."""
    name = "second formulation" if before else "finer run"
    if repetition.broke_off:
        text = f"{repetition.what}, {repetition.broke_off}"
        return Check(name, text, np.inf, 0.0, 0.0, "A motion that a more careful run does not confirm is not to be believed.")
    text = f"{repetition.what}: off by {missed:.1e}"
    if left_out:
        text += f", without {left_out} instants next to impacts, whose times are known to some steps"
    if not before:
        return Check(name, text, missed, np.inf)
    explained = max(SIX_DIGITS, OTHER_ERROR * before[0].missed)
    cause = "Both cannot be right: look at the equations, or at a singularity of the coordinates."
    return Check(name, text, missed, explained, cause=cause)


def unseen(motion: Any, method: Any) -> list[Check]:
    """What no repetition can see: a pulse between the evaluations of a step, where the rate depends on t and steps are not bounded."""
    if not reads_time(motion.system) or method.options.get("max_step") != np.inf:
        return []
    text = "a pulse in t that is shorter than a step would go unseen by all of them: give max_step to look closer"
    return [Check("pulses", text, 0.0, np.inf)]


def in_other_states(method: Any) -> Any:
    """The method for a system with other states: a tolerance per state becomes the smallest of them."""
    atol = method.options.get("atol")
    return method if atol is None else replace(method, atol=float(np.min(atol)))
