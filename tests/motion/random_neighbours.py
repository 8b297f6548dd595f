"""Random motions from event to event: their state-transition matrix against differences of neighbouring motions.

PYTHONPATH=tests python tests/motion/random_neighbours.py [NUMBER] [FIRST SEED] [KIND]
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter

import numpy as np
from random_mixtures import KINDS

from rollick import InputError, simulate
from rollick.motion.methods import EventDriven

STEPS = (1e-6, 2e-6)  # by which neighbours start apart
SHARP = 1e-6  # relative: what differences are allowed to be off besides what two of them disagree by
SUMMED = 1e-4  # relative: the same where a series of impacts was summed, whose rest is left out of derivatives


def run(system, start, until, rtol, **options):
    """A motion, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(system, start, until, method=EventDriven(rtol=rtol, ambiguous="roll"), progress=False, **options)


def story(motion):
    """The modes one after the other, and how the motion ended: those of neighbours must be the same."""
    return motion.status, [name for name, _ in motion.provenance["methods"]]


def column(system, y, way, h, until):
    """The difference of two neighbours at the end, per unit; and their stories. A start that was moved (out of a surface that it touches) makes another story."""
    ends = [run(system, y + sign * h * way, until, 1e-12, at=[0.0, until]) for sign in (1.0, -1.0)]
    moved = [np.abs(end.y[0] - (y + sign * h * way)).max() > 1e-3 * h for end, sign in zip(ends, (1.0, -1.0))]
    return (ends[0].end_state - ends[1].end_state) / (2.0 * h), [(*story(end), was) for end, was in zip(ends, moved)]


def along_attitudes(motion, way):
    """A direction in which the attitude's quaternion, if there is one, keeps its length."""
    names = [q.name for q in motion.about.states]
    if "q0" in names:
        part = slice(names.index("q0"), names.index("q0") + 4)
        q = motion.y[0, part]
        way[part] -= q * (q @ way[part])
    return way


def judged(kind, seed):
    """What became of one random motion: a word, and by how much its matrix is off, in units of what is allowed."""
    system, start, until = KINDS[kind](seed)
    try:
        first = run(system, start, 1e-6, 1e-9, at=[0.0]).y[0]  # behind an impact at the very start
        motion = run(system, first, until, 1e-12, at=[0.0, 1e-9, until], variational=True)
    except InputError as refused:
        return "refused: " + str(refused).split(" at t = ")[0][-40:], 0.0
    if motion.status not in ("finished", "doubtful"):
        return motion.status, 0.0
    if len(motion.t) < 3:
        return "short", 0.0
    y = motion.y[0]
    rng, worst = np.random.default_rng(seed), 0.0
    for _ in range(2):
        way = along_attitudes(motion, motion.transition[1] @ rng.normal(size=y.size))  # and along what contacts hold at the start
        way /= np.abs(way).max()
        columns = [column(system, y, way, h, until) for h in STEPS]
        if any(told != (*story(motion), False) for _, stories in columns for told in stories):
            return "neighbours go elsewhere", 0.0
        (one, _), (two, _) = columns
        best = (4.0 * one - two) / 3.0  # their errors go with the square of the step, but for rounding
        names = [e.name for e in motion.events]
        sharp = SUMMED if names.count("impact") > 3 and "contact" in names else SHARP
        allowed = 2.0 * np.abs(one - two).max() + sharp * max(1.0, np.abs(best).max())
        worst = max(worst, np.abs(motion.transition[-1] @ way - best).max() / allowed)
    return "agrees" if worst <= 1.0 else "differs", worst


def main():
    """Judge, and print what differs, and how many ended how."""
    number, first = (int(x) for x in (*sys.argv[1:3], *(40, 0)[len(sys.argv[1:3]) :]))
    for kind in sys.argv[3:] or KINDS:
        found = Counter()
        for seed in range(first, first + number):
            try:
                word, off = judged(kind, seed)
            except InputError:  # it starts inside a surface
                word, off = "no start", 0.0
            found[word] += 1
            if word == "differs":
                print(kind, seed, f"{off:.3g}", flush=True)
        print(kind, dict(found), flush=True)


if __name__ == "__main__":
    main()
