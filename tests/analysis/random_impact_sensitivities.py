"""Random bodies that bounce, slide, stick and lift off: derivatives of the end state against differences of whole motions by the event-driven method.

python tests/analysis/random_impact_sensitivities.py FIRST COUNT [torus]
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

from rollick import Body, Coulomb, Ellipsoid, InputError, Torus, simulate, sliding
from rollick.analysis.sensitivity import sensitivity
from rollick.kernel.paths import replaced
from rollick.mechanics.mass.primitives import solid_ellipsoid

STATES = ("x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "omega1", "omega2", "omega3")
STEP, WEIGHTS = 2e-5, (2.0 / 3.0, -1.0 / 12.0)  # of differences, relative


def drawn(seed, shape="ellipsoid"):
    """A random body above the plane, its start, and until when."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(0.06, 0.12, 3)
    kind = Ellipsoid(a, b, c) if shape == "ellipsoid" else Torus(0.08 + 0.2 * a, 0.3 * c)
    body = Body.from_inertia(rng.uniform(0.5, 2.0), solid_ellipsoid(1.0, a, b, c).inertia, kind)
    bounce = 0.0 if rng.random() < 0.4 else rng.uniform(0.3, 0.9)
    system = sliding(body, law=Coulomb(rng.uniform(0.05, 0.6)), restitution=bounce)
    start = {"gap": rng.uniform(0.005, 0.1)} | {n: rng.normal() * 0.7 for n in ("vx", "vy")} | {"vz": rng.uniform(-1.0, 0.5)}
    start |= {n: rng.normal() * 4.0 for n in ("omega1", "omega2", "omega3")}
    start |= {"theta": rng.uniform(0.2, 1.2), "phi": rng.uniform(-2.0, 2.0), "psi": rng.uniform(-2.0, 2.0)}
    return system, start, rng.uniform(0.1, 0.4)


def motion(system, y, until):
    """The end of a motion, and the kinds of events on the way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = simulate(system, y, until, method="event-driven", rtol=1e-12)
    return m.end_state if m.complete else None, [(e.name, e.kind) for e in m.events]


def tried(seed, shape="ellipsoid"):
    """(largest error relative to the column, what happened on the way), or (None, why there is no derivative)."""
    system, start, until = drawn(seed, shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y0 = simulate(system, start, 1e-9, method="event-driven", at=[0.0]).y[0]
        try:
            rebounds = ["e_N"] if system.e_N > 0.0 else []  # e = 0 has no derivative: what lasts would rebound
            found = sensitivity(
                system, y0, until, list(STATES), ["law.sliding.mu", *rebounds], ["vx", "z"], method="event-driven"
            )
        except InputError as error:
            return None, str(error)
    base, way = motion(system, y0, until)
    if base is None:
        return None, "event-driven does not come to its end"
    worst = 0.0
    for j, one in enumerate(found.question.inputs):
        total, h = 0.0, STEP * one.size
        for k, weight in enumerate(WEIGHTS, 1):  # order four
            for sign in (1.0, -1.0):
                other, y = system, y0.copy()
                if one.parameter:
                    other = replaced(system, one.name, one.value + sign * k * h)
                else:
                    y[STATES.index(one.name)] += sign * k * h
                end, events = motion(other, y, until)
                if end is None or events != way:
                    return None, "a neighbour goes another way"
                total = total + sign * weight * end
        column = total / h
        size = max(float(np.abs(column).max()), 1e-2)  # differences are known to about 1e-9; sticking impacts owe nothing to mu
        worst = max(worst, float(np.abs(found.matrix[:, j] - column).max()) / size)
    return worst, " ".join(name for name, _ in way)


def main():
    """So many bodies, one line each that is off or refused, and a count."""
    first, count, shape = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "ellipsoid"
    errors, refused = [], 0
    for seed in range(first, first + count):
        worst, told = tried(seed, shape)
        if worst is None:
            refused += 1
            print(f"{seed}: {told[:230]}", flush=True)
            continue
        errors.append(worst)
        print(f"{seed}: {worst:.1e} {told[:100]}", flush=True)
    print(
        f"{len(errors)} compared, worst {max(errors):.1e}, median {np.median(errors):.1e}, {sum(e > 1e-6 for e in errors)} above 1e-6; {refused} without"
    )


if __name__ == "__main__":
    main()
