"""How many digits of a motion to believe.

The motion is repeated by a finer version of its method (a hundredth of its tolerance or, if there is no finer one, a hundred times it; half
the time step) and, where the system has a second formulation (other coordinates, other
equations), in that as well. The digits of a state are -log10 of the largest difference over the motion, relative to the state's
largest magnitude; instants at which a motion changes its mode, where velocities may jump, are left out, since which side of a jump they
show is decided by rounding. Agreement of repetitions shows convergence; agreement of formulations shows more, since they share no coordinates.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...kernel.hooks import second_formulation
from ...kernel.names import called
from ...kernel.trial import reads_time
from .outcome import MotionWarning


@dataclass(frozen=True)
class Trust:
    """For each state: digits that the repetitions agree on, over the whole motion and at its end."""

    names: tuple[str, ...]
    digits: tuple[float, ...]
    final_digits: tuple[float, ...]
    checks: tuple[str, ...]

    @property
    def worst(self) -> float:
        """The digits of the state one knows least about."""
        return min(self.digits)

    def __str__(self) -> str:
        parts = ", ".join(f"{n} {d:.1f}" for n, d in zip(self.names, self.digits))
        last = ", ".join(f"{n} {d:.1f}" for n, d in zip(self.names, self.final_digits))
        return f"digits to believe: {parts}\n  at the end: {last}\n  judged by: {'; '.join(self.checks)}"


def digits_of(difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """-log10 of a relative difference, between 0 and 16."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d = -np.log10(difference / np.where(scale > 0.0, scale, 1.0))
    return np.clip(np.where(np.isnan(d), 0.0, d), 0.0, 16.0)


def judge(motion: Any, method: Any, simulate: Any) -> Trust:
    """Repeat a motion more carefully and in another way, with `simulate`; the worst disagreement counts."""
    n = len(motion.about.states)
    names = tuple(q.name for q in motion.about.states)
    finer, in_words = method.finer()
    start = np.array(list(motion.provenance["start"].values()))
    since = motion.provenance["since"]
    others: list[tuple[str, np.ndarray, np.ndarray]] = []

    def repeat(system: Any, first: np.ndarray, method: Any, what: str) -> tuple[str, np.ndarray, np.ndarray]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            run = simulate(system, first, motion.end_time, since=since, method=method, at=motion.t, progress=False)
        if run.complete:
            return f"{what} at {in_words}", run.y, run.end_state
        told = f"{what} at {in_words}, which did not get beyond t = {run.end_time:.6g} ({run.status})"
        return told, run.y, np.full(run.end_state.size, np.nan)

    others.append(repeat(motion.system, start, finer, "the same equations"))
    second = second_formulation(motion.system)
    if second is not None:
        other, forth, back = second
        told, y, end = repeat(other, forth(start), in_other_states(finer), called(other))
        states = back(np.vstack([y, end]), np.vstack([motion.y[: len(y)], motion.end_state]))
        others.append((told, states[:-1], states[-1]))
    scale = np.maximum(np.abs(motion.y).max(axis=0), np.abs(motion.end_state)) if motion.t.size else np.abs(motion.end_state)
    compared = ~np.isin(motion.t, [t for _, t in motion.provenance["methods"][1:]])
    digits, final = np.full(n, 16.0), np.full(n, 16.0)
    for _, states, end in others:
        count = min(len(states), motion.t.size)
        at_end = np.abs(end - motion.end_state)
        apart = np.abs(states[:count] - motion.y[:count])[compared[:count]]
        worst = np.maximum(apart.max(axis=0), at_end) if len(apart) else at_end
        digits = np.minimum(digits, digits_of(worst, scale))
        final = np.minimum(final, digits_of(at_end, scale))
    checks = (*(text for text, _, _ in others), *method.compared(motion, simulate), *unseen(motion, method))
    return Trust(names, tuple(digits.tolist()), tuple(final.tolist()), checks)


def unseen(motion: Any, method: Any) -> list[str]:
    """What no repetition can see, as a sentence: a pulse between the evaluations of a step, where the rate depends on t and steps are not bounded."""
    if not reads_time(motion.system) or method.options.get("max_step") != np.inf:
        return []
    return ["a pulse in t that is shorter than a step would go unseen by all of them: give max_step to look closer"]


def in_other_states(method: Any) -> Any:
    """The method for a system with other states: a tolerance per state becomes the smallest of them."""
    atol = method.options.get("atol")
    return method if atol is None else replace(method, atol=float(np.min(atol)))
