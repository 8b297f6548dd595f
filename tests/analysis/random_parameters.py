"""Random bodies from event to event: derivatives by their parameters against differences of whole motions with other parameters.

PYTHONPATH=tests:tests/motion python tests/analysis/random_parameters.py [NUMBER] [FIRST SEED] [KIND]
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "motion"))
from random_mixtures import KINDS
from random_neighbours import SHARP, STEPS, SUMMED, run, story

from rollick import InputError
from rollick.analysis.sensitivity import At, sensitivity
from rollick.kernel.paths import fields_of, replaced, value_at
from rollick.kernel.system import description
from rollick.motion.methods import EventDriven

AT_ONCE = 3  # parameters of each body
LONG = 300  # events of a motion: rods rattle for thousands


def column(system, y, name, h, until):
    """The difference of two motions at the end, per relative change of a parameter; and their stories. A start that was moved (out of a surface that it touches) makes another story."""
    value = value_at(system, name)
    ends = [run(replaced(system, name, value * (1.0 + sign * h)), y, until, 1e-12, at=[0.0, until]) for sign in (1.0, -1.0)]
    moved = [np.abs(end.y[0] - y).max() > 1e-3 * h for end in ends]
    return (ends[0].end_state - ends[1].end_state) / (2.0 * h), [(*story(end), was) for end, was in zip(ends, moved)]


def judged(kind, seed):
    """What became of the parameters of a random body: words, and by how much its worst derivative is off, in units of what is allowed."""
    system, start, until = KINDS[kind](seed)
    y = run(system, start, 1e-6, 1e-9, at=[0.0]).y[0]
    motion = run(system, y, until, 1e-12, at=[0.0, until])
    if motion.status not in ("finished", "doubtful"):
        return [motion.status], 0.0
    events = [e.name for e in motion.events]
    if len(events) > LONG:
        return ["long"], 0.0
    sharp = SUMMED if events.count("impact") > 3 and "contact" in events else SHARP
    rng, words, worst = np.random.default_rng(seed), [], 0.0
    outputs = [At(q.name) for q in description(system).states]
    used = [name for name in fields_of(system) if abs(value_at(system, name)) > 0.0]
    for name in rng.permutation(used)[:AT_ONCE].tolist():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = sensitivity(system, y, until, outputs, [name], method=EventDriven(ambiguous="roll", rtol=1e-12))
            columns = [column(system, y, name, h, until) for h in STEPS]
        except InputError as refused:
            words.append("refused: " + str(refused).split(" at t = ")[0].split(", and would")[0][-40:])
            continue
        if any(told != (*story(motion), False) for _, stories in columns for told in stories):
            words.append("neighbours go elsewhere")
            continue
        (one, _), (two, _) = columns
        best, slope = (4.0 * one - two) / 3.0, found.matrix[:, 0] * value_at(system, name)
        allowed = 2.0 * np.abs(one - two).max() + sharp * max(1.0, np.abs(best).max())
        off = float(np.abs(slope - best).max() / allowed)
        words.append("agrees" if off <= 1.0 else f"differs by {name}")
        worst = max(worst, off)
    return words, worst


def main():
    """Judge, and print what differs, and how many ended how."""
    number, first = (int(x) for x in (*sys.argv[1:3], *(20, 0)[len(sys.argv[1:3]) :]))
    for kind in sys.argv[3:] or KINDS:
        found = Counter()
        for seed in range(first, first + number):
            try:
                words, off = judged(kind, seed)
            except InputError:  # it starts inside a surface
                words, off = ["no start"], 0.0
            found.update(word.split(" by ")[0] for word in words)
            if any("differs" in word for word in words):
                print(kind, seed, f"{off:.3g}", words, flush=True)
        print(kind, dict(found), flush=True)


if __name__ == "__main__":
    main()
