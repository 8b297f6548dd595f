"""Changes of mode per second: a ball shaken in a corner by the Filippov solver, beside its regularised twin and the event-driven method. Ratios within one run.

python benchmarks/modes.py
"""

import math
import time
import warnings

from rollick import Body, Coulomb, Sphere, simulate, sliding
from rollick.archetypes.filippov import BallInCorner
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall
from rollick.motion.filippov.algebra.code import contact_code
from rollick.motion.filippov.systems.twin import Twin
from rollick.motion.methods import EventDriven

SHAKEN = BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2, mu_plus=0.3, mu_minus=0.25)
START = [0.0, 0.1, 0.0, 0.0, 0.3]


def timed(run):
    """The shortest of three runs after a first one that compiles, and what it returned."""
    run()
    best, found = math.inf, None
    for _ in range(3):
        began = time.perf_counter()
        found = run()
        best = min(best, time.perf_counter() - began)
    return best, found


def corner_body():
    """A ball between two walls as a body."""
    a = math.pi / 4.0
    walls = [(wall((s * math.cos(a), 0.0, math.sin(a)), (0, 0, 0)), Coulomb(0.3), 0.0) for s in (1.0, -1.0)]
    return sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=walls)


def main():
    """Print a table."""
    warnings.simplefilter("ignore")
    print(f"{'rtol':>7} {'changes':>8} {'steps':>7} {'changes/s':>10} {'us/change':>10}")
    for rtol in (1e-4, 1e-6, 1e-9, 1e-12):
        method = EventDriven(rtol=rtol, ambiguous="roll")
        seconds, motion = timed(lambda method=method: simulate(SHAKEN, START, 200.0, method=method, at=[200.0], progress=False))
        changes = len(motion.provenance["methods"]) - 1
        print(
            f"{rtol:7.0e} {changes:8d} {motion.provenance['steps']:7d} {changes / seconds:10.0f} {1e6 * seconds / changes:10.1f}"
        )
    ours, _ = timed(lambda: simulate(SHAKEN, START, 0.5, method=EventDriven(ambiguous="roll"), at=[0.5], progress=False))
    twin = Twin(SHAKEN, 1e-5, contact_code())
    theirs, _ = timed(lambda: simulate(twin, START, 0.5, rtol=1e-9, method="auto", at=[0.5], progress=False))
    print(f"0.5 s of it: the twin with eps = 1e-5 takes {theirs / ours:.0f} times as long")
    body, start = corner_body(), [0, 0, 0.1 * math.sqrt(2.0), 1, 0, 0, 0, 0, -1.0, 0, 3.0, -4.0, -2.0]
    ours, _ = timed(lambda: simulate(body, start, 1.0, method="event-driven", at=[1.0], progress=False))
    theirs, _ = timed(lambda: simulate(body, start, 1.0, method="event-driven", at=[1.0], progress=False))
    print(f"1 s of a ball in a corner as a body: event-driven takes {theirs / ours:.1f} times as long")


if __name__ == "__main__":
    main()
