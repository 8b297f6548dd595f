"""Motions through modes, and from event to event, on a GPU against threads: the ends, and motions per second through the public call, transfers included.

PYTHONPATH=src python tests/ensemble/gpu_modes_checks.py corner|flowmeter|wheelset|body|egg|box [COUNT]    COUNT 0: no speeds
"""

import sys
import time
import warnings

import numpy as np
from between_walls import BETWEEN, ball_between_walls
from struck_bodies import BOX_START, EGG_START, box, boxes, egg, eggs

from rollick.archetypes.filippov import BallInCorner
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.archetypes.many import ModelSource
from rollick.ensemble import Samples, ensemble
from rollick.motion.methods import EventDriven

warnings.simplefilter("ignore")
TIGHT = 1e-6  # of the largest value among members: rounding differs, and modes change many times


def corner(count, on):
    """A ball shaken in a corner: some seventy changes of mode each."""
    starts = Samples(count, "sobol", seed=3, mu_plus=(0.2, 0.4), tilt=(0.0, 0.3), Omega_z=(-1.0, 1.0))
    shaken = BallInCorner(shake=12.0, omega=20.0, slope=0.1)
    return ensemble(
        shaken,
        starts,
        2.0,
        start={"v": 0.1},
        method=EventDriven(ambiguous="roll"),
        keep=["final", "energy"],
        on=on,
        progress=False,
    )


def flowmeter(count, on):
    """Flowmeters, some of which start with slip."""
    ranges = {"mu": (0.02, 0.5), "flow.v_f": (0.05, 1.5), "drag.c": (0.01, 2.0), "d": (0.02, 0.2), "u1p": (0.0, 0.2)}
    return ensemble(
        FlowMeter(), Samples(count, "sobol", seed=3, **ranges), 4.0, method="event-driven", keep=["final"], on=on, progress=False
    )  # fmt: skip


def wheelset(count, on):
    """Wheelsets that slip."""
    starts = Samples(count, "sobol", seed=3, mu=(0.1, 0.4))
    return ensemble(ModelSource("wheelset", {}), starts, 1.0, keep=["final"], on=on, progress=False)


def body(count, on):
    """A ball between two walls, as a body; some leave them."""
    return ensemble(
        ball_between_walls(),
        Samples(count, "sobol", seed=3, vy=(-2.0, 2.0)),
        1.0,
        start=BETWEEN,
        method="event-driven",
        on=on,
        progress=False,
    )


def bouncing_egg(count, on):
    """An egg that falls, bounces and rolls: one contact."""
    kept = ["final", "energy"]
    return ensemble(egg(), eggs(count), 1.0, start=EGG_START, method="event-driven", keep=kept, on=on, progress=False)


def rocking_box(count, on):
    """A box that falls onto its four feet, slides and rocks."""
    return ensemble(box(), boxes(count), 1.0, start=BOX_START, method="event-driven", on=on, progress=False)


MAKE = {"corner": corner, "flowmeter": flowmeter, "wheelset": wheelset, "body": body, "egg": bouncing_egg, "box": rocking_box}


def compare(name, make, count):
    """Whether a GPU and threads agree."""
    began = time.perf_counter()
    there = make(count, "cuda")
    first = time.perf_counter() - began
    began = time.perf_counter()
    there = make(count, "cuda")
    again = time.perf_counter() - began
    here = make(count, "threads")
    finished = here.found.status == there.found.status
    size = np.maximum(np.nanmax(np.abs(here.found.values), axis=0), 1e-9)
    off = np.abs(there.found.values - here.found.values) / size
    near = (off <= TIGHT) | (np.isnan(there.found.values) & np.isnan(here.found.values))
    rows = near.all(axis=1) & finished
    print(
        f"{name}: {count} motions, {there.statuses} (threads {here.statuses}); the same {rows.sum()}, farthest of them {np.nanmax(off[rows], initial=0.0):.1e}, "
        f"median of all {np.nanmedian(off):.1e}; first call {first:.1f} s, second {again:.2f} s",
        flush=True,
    )
    return bool(rows.mean() > 0.99)


def main(name, count):
    make = MAKE[name]
    good = compare(name, make, 512)
    for size in (count // 16, count // 4, count) if count else ():
        began = time.perf_counter()
        found = make(size, "cuda")
        taken = time.perf_counter() - began
        print(f"{name}: {size} motions, {taken:.2f} s, {size / taken:,.0f} per second {found.statuses}", flush=True)
        began = time.perf_counter()
        make(min(size, 1 << 12), "threads")
        taken = time.perf_counter() - began
        print(f"    on threads: {min(size, 1 << 12) / taken:,.0f} per second", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 16))
