"""Random bodies among one to six surfaces and rods of one's own, with random events, by compiled code and by Python's automaton: what differs, in words.

    PYTHONPATH=tests python tests/motion/random_mixtures.py [NUMBER] [FIRST SEED] [KIND]

Both share the equations of the bodies and the impact law; neither the search for what ends a mode, nor the decisions what follows, nor the account.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from motion.judge.automaton import InPython
from random_boxes import random_box
from random_dry import random_dry
from test_own_contacts import Rod, RodInSpace

from rollick import Body, Coulomb, Ellipsoid, Event, InputError, Plane, Regularised, Sphere, friction, simulate, sliding
from rollick.kernel.system import description
from rollick.mechanics.surfaces import Bowl, Ramp, Shaken, Swing, Tilting, wall
from rollick.motion.methods import EventDriven

CLOSE = 1e-6  # relative: ends of motions that are one
# Rounding decides which of two contacts at the same height such signals tell of; and angles jump where they are not unique.
AT_RANDOM = ("q", "contact", "slip", "twist", "approach", "phi", "psi", "theta")


def random_walls(r, total):
    """A floor and walls around the origin, each leaning a little, with laws and restitutions of their own."""
    facing = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)][:total]
    lean = 0.4 * r.normal(size=(total, 3)) * r.integers(0, 2)
    return [
        (wall(tuple(np.array(n) + d), (0.0, 0.0, 0.0)), Coulomb(r.choice([0.0, r.uniform(0.05, 1.0)])), r.choice([0.0, 0.3, 0.8]))
        for n, d in zip(facing, lean)
    ]


def random_groove(seed, total):
    """An ellipsoid or a ball among surfaces, thrown."""
    r = np.random.default_rng([seed, total])
    axes = 10.0 ** r.uniform(-1.6, -0.7, 3)
    if seed % 2:
        axes[:] = axes[0]
    inertia = 0.2 * np.array([axes[1] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[1] ** 2])
    system = sliding(Body.from_inertia(1.0, tuple(inertia), Ellipsoid(*axes)), on=random_walls(r, total))
    q = r.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q)))
    place = 1.5 * axes.max() * np.array([1.0 if total > 1 else 0.0, 1.0 if total > 2 else 0.0, 1.0])
    start |= dict(zip(("x", "y", "z"), place + 0.3 * r.uniform(0.0, 1.0, 3)))
    start |= dict(zip(("vx", "vy", "vz"), r.normal(size=3) * r.choice([0.0, 1.0])))
    start |= {f"omega{i + 1}": w for i, w in enumerate(r.normal(size=3) * r.choice([0.0, 5.0, 30.0]))}
    return system, start, 0.6


def random_room(seed, total):
    """An ellipsoid or a ball thrown inside a room of five or six walls, each with a law and a restitution of its own."""
    r = np.random.default_rng([seed, total, 6])
    axes = 10.0 ** r.uniform(-1.6, -0.7, 3)
    if seed % 2:
        axes[:] = axes[0]
    inertia = 0.2 * np.array([axes[1] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[1] ** 2])
    half = axes.max() * r.uniform(1.1, 2.0, 3)
    facing = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)][:total]
    walls = [
        (wall(n, tuple(-np.array(n) * half)), Coulomb(r.choice([0.0, r.uniform(0.05, 1.0)])), r.choice([0.0, 0.3, 0.8]))
        for n in facing
    ]
    q = r.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q)))
    start |= dict(zip(("x", "y", "z"), 0.5 * r.uniform(-1.0, 1.0, 3) * (half - axes.max())))
    start |= dict(zip(("vx", "vy", "vz"), r.normal(size=3) * r.choice([0.3, 2.0])))
    start |= {f"omega{i + 1}": w for i, w in enumerate(r.normal(size=3) * r.choice([0.0, 5.0, 30.0]))}
    return sliding(Body.from_inertia(1.0, tuple(inertia), Ellipsoid(*axes)), on=walls), start, 0.6


def random_bowl(seed):
    """A ball thrown into a bowl."""
    r = np.random.default_rng([seed, 77])
    radius = r.uniform(0.03, 0.1)
    body = Body.from_inertia(1.0, (0.4 * radius**2,) * 3, Sphere(radius))
    system = sliding(body, on=[(Bowl(0.5), Coulomb(r.uniform(0.0, 0.8)), r.choice([0.0, 0.4, 0.8]))])
    start = dict(zip(("x", "y", "z"), 0.2 * r.uniform(-1.0, 1.0, 3) + [0.0, 0.0, 0.4]))
    start |= dict(zip(("vx", "vy", "vz"), r.normal(size=3)))
    start |= {f"omega{i + 1}": w for i, w in enumerate(5.0 * r.normal(size=3))}
    return system, start, 1.0


def random_rod(seed):
    """A rod of one's own, in a plane of three or of four coordinates."""
    r = np.random.default_rng([seed, 5])
    cls = Rod if seed % 2 else RodInSpace
    system = cls(law=friction(Coulomb(r.uniform(0.0, 0.4))), e_N=r.choice([0.0, 0.3, 0.7]))
    angle = r.uniform(-1.5, 1.5)
    z = 0.5 * abs(np.sin(angle)) + r.choice([0.0, r.uniform(0.0, 0.5)])
    q = [0.0, z, angle] if cls is Rod else [0.0, 0.0, z, angle]
    u = r.normal(size=3) * r.choice([0.0, 1.0])
    return system, [*q, *(u if cls is Rod else [u[0], 0.0, *u[1:]])], 0.8


def random_moving(seed):
    """A ball or an ellipsoid on a plate that is shaken or tilts."""
    r = np.random.default_rng([seed, 31])
    axes = r.uniform(0.05, 0.12, 3) if seed % 2 else np.full(3, r.uniform(0.05, 0.12))
    inertia = 0.2 * np.array([axes[1] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[1] ** 2])
    shaken = Shaken(Plane(), Swing(0.01 * r.uniform(0.1, 1.0), r.uniform(2.0, 20.0)), (r.choice([0.0, 1.0]), 0.0, 1.0))
    tilting = Tilting(Plane(), Ramp(r.uniform(0.05, 0.5)))
    body = Body.from_inertia(1.0, tuple(inertia), Ellipsoid(*axes))
    law = Coulomb(r.uniform(0.05, 0.8))
    system = sliding(body, on=shaken if r.random() < 0.6 else tilting, law=law, restitution=r.choice([0.0, 0.3, 0.8]))
    q = r.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q))) | {"z": axes.max() + 0.05, "vx": r.normal()}
    return system, start | {f"omega{i + 1}": w for i, w in enumerate(3.0 * r.normal(size=3))}, 1.0


def random_smooth(seed, total):
    """A body thrown at surfaces with smooth laws, and some with Coulomb's."""
    r = np.random.default_rng([seed, total, 32])
    system, start, until = random_groove(seed, total)
    on = [
        (surface, Regularised(r.uniform(0.1, 0.6), 10.0 ** r.uniform(-4.0, -1.0)) if r.random() < 0.7 or k == 0 else law, e)
        for k, (surface, law, e) in enumerate(random_walls(r, total))
    ]
    return sliding(system.body, on=on), start, until


KINDS = {
    "moving": random_moving,
    "smooth": lambda seed: random_smooth(seed, 1),
    "smooth pair": lambda seed: random_smooth(seed, 2),
    "dry": lambda seed: (*random_dry(seed), 0.5),
    "box": lambda seed: (*random_box(seed), 0.6),
    "two": lambda seed: random_groove(seed, 2),
    "three": lambda seed: random_groove(seed, 3),
    "four": lambda seed: random_groove(seed, 4),
    "five": lambda seed: random_room(seed, 5),
    "six": lambda seed: random_room(seed, 6),
    "bowl": random_bowl,
    "rod": random_rod,
}


def random_options(seed, system):
    """Output at chosen times, dense output, events: of velocities, which jump, and of signals, some of which end the motion."""
    r = np.random.default_rng([seed, 9])
    options = {"dense": True} if r.random() < 0.3 else {}
    if r.random() < 0.4:
        options["at"] = np.linspace(0.0, 0.5, 23)
    if r.random() < 0.5:
        about = description(system)
        names = [q.name for q in (*about.states, *about.signals) if not q.name.startswith(AT_RANDOM)]
        some = r.choice(names, size=min(3, len(names)), replace=False).tolist()
        options["events"] = [Event(name, r.choice(["both", "rising", "falling"]), level=r.choice([-0.02, 0.05])) for name in some]
        if r.random() < 0.3:
            options["events"].append(Event(some[0], level=0.01, terminal=True, name="end"))
    return options


def differences(system, start, until, rtol=1e-9, **options):
    """What differs between the two, in words; and the motion of compiled code."""
    methods = [kind(rtol, ambiguous="roll", painleve="slip") for kind in (InPython, EventDriven)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a, b = (simulate(system, start, until, method=method, progress=False, **options) for method in methods)
    found = []
    if a.status != b.status:
        found.append(f"status {a.status}, {b.status}: {b.message}")
    names = [[e.name for e in m.events if e.t > 0.0] for m in (a, b)]  # those at an impact at the start Python does not tell
    if sorted(names[0]) != sorted(names[1]):
        found.append(f"{len(names[0])} events, {len(names[1])}")
    off = np.abs(a.end_state - b.end_state).max() / np.abs(a.end_state).max()
    if off > CLOSE:
        found.append(f"ends apart by {off:.1e}")
    if a.end_integrals is not None:
        size = np.abs(a.end_integrals).max() + 1e-12
        apart = np.abs(a.end_integrals - b.end_integrals).max() / size
        if apart > CLOSE:
            found.append(f"accounts apart by {apart:.1e}")
        each = [np.array([[*c.values()] for c in m.provenance["contacts"]]) for m in (a, b)]
        apart = np.abs(each[0] - each[1]).max() / size
        if apart > 10.0 * CLOSE:
            found.append(f"accounts of contacts apart by {apart:.1e}")
    if a.t.shape != b.t.shape and "at" in options:
        found.append("not the same output times")
    elif "at" in options and np.abs(a.y - b.y).max() > CLOSE * np.abs(a.y).max():
        found.append("outputs apart")
    if np.any(np.diff(b.t) <= 0.0):
        found.append("output times do not rise")
    check = b.provenance.get("energy_check")
    if check is not None and abs(check["left"]) > 1e-8 * max(check["in_play"], check["size"]):
        found.append(f"the energy account is open by {check['left']:.1e} of {check['in_play']:.1e}")
    return found, b


def main():
    """Compare, and print what differs."""
    number, first = (int(x) for x in (*sys.argv[1:3], *(40, 0)[len(sys.argv[1:3]) :]))
    for kind, make in KINDS.items():
        if sys.argv[3:] and kind not in sys.argv[3:]:
            continue
        bad = 0
        for seed in range(first, first + number):
            system, start, until = make(seed)
            try:
                found, _ = differences(system, start, until, **random_options(seed, system))
            except InputError:  # it starts inside a surface
                continue
            if found:
                bad += 1
                print(kind, seed, "; ".join(found), flush=True)
        print(f"{kind}: {bad} of {number} differ", flush=True)


if __name__ == "__main__":
    main()
