"""Contact against the field: cardillo, MuJoCo and Siconos' published numbers beside Rollick, in ratios within one run.

    python benchmarks/contact.py [--cardillo CHECKOUT] [--siconos CHECKOUT]

cardillo (github.com/cardilloproject/cardillo) is run from a checkout by its `Moreau` solver with its own default options, which is the scheme that Rollick
calls `moreau`; several contacts with prox_scaling = 0.5, as in its example of a rocking rod. MuJoCo (`pip install mujoco`) has another contact model, soft and without a coefficient of restitution: it is run with elliptic cones and
the integrator `implicitfast`, once with its default softness and once as stiff as it allows (solref = 2 dt, impratio = 10). Of Siconos, which comes as
C++ or by conda, the reference file of its example `RockingBlock` is read from a checkout of github.com/siconos/siconos-tutorials. Whatever is missing is
left out, and said so.

Accuracy is measured against a reference that none of the tools computed alone: closed forms, or Rollick's event-driven method. Times are of one core and of
whole calls, the median of several (of cardillo, one), without imports, compilation and the building of models; compare ratios only.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import math
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
from scipy.optimize import brentq  # noqa: E402

from rollick import Body, Coulomb, Ellipsoid, simulate, sliding  # noqa: E402

G = 9.81
REPEATS = 5


class Case(NamedTuple):
    """A body on a plane, for all tools: its spheres (x, y, z, radius) or its half axes, and a start.

    The state of all three is x, y, z of the mass centre, a unit quaternion, the velocity, and the angular velocity along the body's axes.
    """

    mass: float
    moments: tuple[float, float, float]
    start: np.ndarray
    mu: float
    e: float = 0.0
    spheres: tuple[tuple[float, float, float, float], ...] = ()
    box: tuple[float, float, float] | None = None
    ellipsoid: tuple[float, float, float] | None = None

    def energy(self, states: np.ndarray) -> np.ndarray:
        """Kinetic and potential energy."""
        kinetic = 0.5 * self.mass * (states[:, 7:10] ** 2).sum(1) + 0.5 * (np.array(self.moments) * states[:, 10:] ** 2).sum(1)
        return kinetic + self.mass * G * states[:, 2]


class Run(NamedTuple):
    """What a tool made of a case: its name, the states after every step, and microseconds per step."""

    tool: str
    t: np.ndarray
    states: np.ndarray
    cost: float


def median_cost(work, steps: int, repeats: int = REPEATS) -> float:
    """Microseconds per step."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return 1e6 * float(np.median(times)) / steps


def in_rollick(case: Case):
    """The case as Rollick's system."""
    axes = case.ellipsoid or (0.1, 0.1, 0.1)  # with feet, only drawn
    body = Body.from_inertia(case.mass, case.moments, Ellipsoid(*axes))
    if case.box:
        a, b, c = case.box
        feet: Any = [(x, y, -c) for x in (a, -a) for y in (b, -b)]
    else:
        feet = list(case.spheres)
    return sliding(body, law=Coulomb(case.mu), e_N=case.e, g=G, **({"feet": feet} if feet else {}))


def with_rollick(case: Case, scheme: str, dt: float, until: float) -> Run:
    """By one of Rollick's schemes, with its default output while timed."""
    system = in_rollick(case)
    m = simulate(system, case.start, until, method=scheme, dt=dt, every=1, progress=False)
    cost = median_cost(lambda: simulate(system, case.start, until, method=scheme, dt=dt, progress=False), m.provenance["steps"])
    return Run(f"rollick {scheme}", m.t, m.y[:, :13], cost)


def with_cardillo(case: Case, dt: float, until: float) -> Run:
    """By cardillo's solver `Moreau`, silenced."""
    from cardillo import System
    from cardillo.contacts import Sphere2Plane
    from cardillo.discrete import RigidBody
    from cardillo.forces import Force
    from cardillo.solver import Moreau, SolverOptions

    options = SolverOptions(prox_scaling=0.5 if case.box else 1.0)

    spheres = case.spheres
    if case.box:
        a, b, c = case.box
        spheres = tuple((x, y, -c, 0.0) for x in (a, -a) for y in (b, -b))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        system = System()
        body = RigidBody(case.mass, np.diag(case.moments), q0=case.start[:7], u0=case.start[7:])
        contacts = [
            Sphere2Plane(system.origin, body, mu=case.mu, r=r, B_r_CP=np.array([x, y, z]), e_N=case.e, e_F=0.0, name=f"foot {k}")
            for k, (x, y, z, r) in enumerate(spheres)
        ]
        system.add(body, *contacts, Force(np.array([0.0, 0.0, -case.mass * G]), body))
        system.assemble(options=options)
        began = time.process_time()
        solved = Moreau(system, until, dt, options=options).solve()
        cost = 1e6 * (time.process_time() - began) / (len(solved.t) - 1)
    return Run("cardillo Moreau", solved.t, np.hstack([solved.q, solved.u]), cost)


def mujoco_text(case: Case, dt: float, stiff: bool) -> str:
    """The case as an MJCF document."""
    soft = f'solref="{2.0 * dt:g} 1"' if stiff else ""
    if case.box:
        geoms = f'<geom type="box" size="{case.box[0]} {case.box[1]} {case.box[2]}"/>'
    elif case.ellipsoid:
        geoms = f'<geom type="ellipsoid" size="{case.ellipsoid[0]} {case.ellipsoid[1]} {case.ellipsoid[2]}"/>'
    else:
        geoms = "".join(f'<geom type="sphere" pos="{x} {y} {z}" size="{r}"/>' for x, y, z, r in case.spheres)
    return f"""<mujoco>
  <option timestep="{dt}" gravity="0 0 -{G}" cone="elliptic" integrator="implicitfast" impratio="{10 if stiff else 1}"/>
  <default><geom condim="3" friction="{case.mu} 0 0" {soft}/></default>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body><freejoint/>
      <inertial mass="{case.mass}" pos="0 0 0" diaginertia="{case.moments[0]} {case.moments[1]} {case.moments[2]}"/>
      {geoms}
    </body></worldbody></mujoco>"""


def with_mujoco(case: Case, dt: float, until: float, stiff: bool) -> Run:
    """By MuJoCo; timed in one call for all steps, as its authors advise."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_text(case, dt, stiff))
    steps = round(until / dt)

    def begin():
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = case.start[:7], case.start[7:]
        return data

    data = begin()
    states = [case.start]
    for _ in range(steps):
        mujoco.mj_step(model, data)
        states.append(np.concatenate([data.qpos, data.qvel]))
    cost = median_cost(lambda: mujoco.mj_step(model, begin(), steps), steps)
    return Run(f"MuJoCo {'stiff' if stiff else 'default'}", dt * np.arange(steps + 1), np.array(states), cost)


def all_tools(case: Case, dt: float, until: float, tools: set[str], schemes=("moreau", "midpoint")) -> list[Run]:
    """The case by every tool that is there and can do it."""
    runs = [with_rollick(case, scheme, dt, until) for scheme in schemes]
    if "cardillo" in tools and not case.ellipsoid:
        runs.append(with_cardillo(case, dt, until))
    if "mujoco" in tools and not case.e:
        runs += [with_mujoco(case, dt, until, stiff) for stiff in (False, True)]
    return runs


def table(title: str, runs: list[Run], columns: dict[str, Any]) -> None:
    """One line per tool: the given measures, microseconds per step, and the ratio to Rollick's `moreau`."""
    print(f"\n{title}")
    print(f"  {'':<18}{''.join(f'{c:>26}' for c in columns)}{'us per step':>14}{'ratio':>9}")
    for run in runs:
        values = "".join(f"{measure(run):>26}" for measure in columns.values())
        print(f"  {run.tool:<18}{values}{run.cost:14.2f}{run.cost / runs[0].cost:9.2f}")


def lean(states: np.ndarray) -> np.ndarray:
    """The angle between the body's axis and the vertical."""
    return 2.0 * np.arcsin(np.hypot(states[:, 4], states[:, 5]))


def rise(case: Case, states: np.ndarray) -> float:
    """The largest growth of energy after any instant, over all its changes. What soft contacts store is not counted, and is growth when given back."""
    energy = case.energy(states)
    return float((energy - np.minimum.accumulate(energy)).max() / np.ptp(energy))


def tippe_top(tools: set[str]) -> None:
    """cardillo's example `tippetop.py`, with its parameters; the stem stays clear of the ground."""
    th, dt, until = 0.1, 1e-4, 0.3
    start = np.array([0.0, 0.0, 1.2015e-2, math.cos(0.5 * th), math.sin(0.5 * th), *[0.0] * 7, 180.0])
    case = Case(6e-3, (8e-7, 8e-7, 7e-7), start, 0.3, spheres=((0.0, 0.0, 3e-3, 1.5e-2), (0.0, 0.0, 1.6e-2, 5e-3)))
    body = Body.from_inertia(case.mass, case.moments, Ellipsoid(1.5e-2, 1.5e-2, 1.5e-2), centre=(0.0, 0.0, -3e-3))
    alone = sliding(body, law=Coulomb(case.mu), g=G)
    runs = all_tools(case, dt, until, tools)
    sphere = dict(zip(("q0", "q1", "vx", "vy", "vz", "omega3"), (start[3], start[4], 0.0, 0.0, 0.0, 180.0)))
    truth = simulate(alone, {**sphere, "gap": 0.0}, until, method="event-driven", rtol=1e-11, at=runs[0].t)
    exact = lean(truth.y)

    def error(run):
        return f"{np.degrees(np.abs(np.interp(runs[0].t, run.t, lean(run.states)) - exact).max()):.2e}"

    def depth(run):
        return f"{1e6 * max(0.0, (1.5e-2 - run.states[:, 2] - 3e-3 * np.cos(lean(run.states))).max()):.2g}"

    table(
        f"cardillo's tippe top, dt = {dt:g} s, {until:g} s of motion (inclination {np.degrees(exact.min()):.2f} to {np.degrees(exact.max()):.2f} deg)",
        runs,
        {"inclination off [deg]": error, "depth [um]": depth},
    )
    if "cardillo" in tools:
        ours, theirs = runs[0].states, next(r.states for r in runs if "cardillo" in r.tool)[: len(runs[0].states)]
        print(
            f"  largest difference of cardillo's inclination to rollick's moreau: {np.degrees(np.abs(lean(theirs) - lean(ours)).max()):.1e} deg"
        )


def rocking(tools: set[str]) -> None:
    """Housner's column: what one impact leaves of the angular velocity, from the energy at the next turning point."""
    a, h, tilt, until = 0.05, 0.2, 0.15, 0.9
    tall, wide = (4.0 * h * h + 4.0 * a * a) / 12.0, 8.0 * a * a / 12.0
    start = np.zeros(13)
    start[2], start[3], start[5] = h * math.cos(tilt) + a * math.sin(tilt), math.cos(0.5 * tilt), math.sin(0.5 * tilt)
    case = Case(1.0, (tall, tall, wide), start, 1.0, box=(a, a, h))
    housner = 1.0 - 1.5 * math.sin(math.atan(a / h)) ** 2

    def left(run):
        angle = 2.0 * np.arctan2(run.states[:, 5], run.states[:, 3])
        hit = int(np.flatnonzero(angle < 0.0)[0])
        turn = hit + int(np.argmin(angle[hit : hit + len(angle) // 2]))
        energy = case.energy(run.states) - case.mass * G * h
        return f"{math.sqrt(max(energy[turn], 0.0) / energy[0]):.4f}"

    def grown(run):
        return f"{rise(case, run.states):.1e}"

    for dt, these in ((1e-3, tools), (1e-4, tools - {"cardillo"})):
        table(
            f"rocking column, dt = {dt:g} s: ratio of angular velocities at the first impact, by Housner {housner:.4f}",
            all_tools(case, dt, until, these),
            {"ratio": left, "energy grows by": grown},
        )
    if "cardillo" in tools:
        print("  cardillo is left out at the smaller step: a minute and more")


LENGTH, HEIGHT, INERTIA = 0.2, 0.1, 1.25 / 12.0


def exact_block(t: np.ndarray, z: float, angle: float, e: float) -> np.ndarray:
    """Height and angle of a block without friction on two corners, one of which hits at a time: parabolas between Newton's impacts."""

    def gap(k, s):
        turned = angle + rate * s
        return z + v * s - 0.5 * G * s * s + k * 0.5 * LENGTH * math.sin(turned) - 0.5 * HEIGHT * math.cos(turned)

    v, rate, begun, out = 0.0, 0.0, 0.0, np.empty((len(t), 2))
    while begun < t[-1]:
        fine = np.arange(1e-7, t[-1] - begun + 1e-4, 1e-4)
        hits = []
        for k in (-1, 1):
            below = np.flatnonzero([gap(k, s) < 0.0 for s in fine])
            if len(below):
                hits.append(
                    (
                        brentq(
                            lambda s, k=k: gap(k, s), 0.0 if below[0] == 0 else fine[below[0] - 1], fine[below[0]], xtol=1e-15
                        ),
                        k,
                    )
                )
        span, k = min(hits, default=(math.inf, 0))
        here = (t >= begun) & (t <= begun + span)
        s = t[here] - begun
        out[here] = np.stack([z + v * s - 0.5 * G * s * s, angle + rate * s], axis=1)
        if not hits:
            break
        z, angle, v, begun = z + v * span - 0.5 * G * span * span, angle + rate * span, v - G * span, begun + span
        arm = k * 0.5 * LENGTH * math.cos(angle) + 0.5 * HEIGHT * math.sin(angle)
        push = -(1.0 + e) * (v + arm * rate) / (1.0 + arm * arm / INERTIA)
        v, rate = v + push, rate + arm * push / INERTIA
    return out


def siconos_block(tools: set[str], checkout: Path | None) -> None:
    """Siconos' RockingBlock with its event-driven scheme (LSODAR, e = 0.8): the block that its reference file belongs to.

    Its mass and inertia are those of a block of 1 m by 0.5 m, its corners those of one of 0.2 m by 0.1 m; it falls without friction.
    """
    z, angle, e, until = 0.5 * math.sin(math.pi / 3) + 0.25 * math.cos(math.pi / 3), math.pi / 3, 0.8, 2.0
    start = np.zeros(13)
    start[2], start[3], start[5] = z, math.cos(0.5 * angle), -math.sin(0.5 * angle)
    case = Case(
        1.0, (INERTIA,) * 3, start, 0.0, e, spheres=tuple((s * 0.5 * LENGTH, 0.0, -0.5 * HEIGHT, 0.0) for s in (1.0, -1.0))
    )

    def off(t, height, turned):
        exact = exact_block(t, z, angle, e)
        return f"{np.abs(height - exact[:, 0]).max():.1e} m, {np.abs(turned - exact[:, 1]).max():.1e} rad"

    def error(run):
        return off(run.t, run.states[:, 2], np.unwrap(-2.0 * np.arctan2(run.states[:, 5], run.states[:, 3])))

    for dt in (1e-2, 1e-3):
        table(
            f"Siconos' RockingBlock (2 s, 7 impacts, e = 0.8, no friction), dt = {dt:g} s",
            all_tools(case, dt, until, tools),
            {"off the closed form": error},
        )
    if checkout:
        file = checkout / "examples/mechanics/RockingBlock/RockingBlockED_Lsodar_LZBimpact.ref"
        rows = np.loadtxt(file, skiprows=1)
        rows = rows[: int(np.argmax(rows[:, 0])) + 1]
        print(
            f"  Siconos' reference file, event-driven with LSODAR: {off(rows[:, 0], rows[:, 2], rows[:, 3])} off the closed form"
        )


def sliding_box(tools: set[str]) -> None:
    """A flat box that slides to rest: v^2/(2 mu g) far, and then it should not move at all."""
    v, mu, dt, until = 2.0, 0.3, 1e-3, 2.0
    start = np.array([0.0, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0, v, *[0.0] * 5])
    case = Case(
        1.0, tuple((0.04 * s + 0.04 * r) / 12.0 for s, r in ((1, 0.25), (1, 0.25), (1, 1))), start, mu, box=(0.1, 0.1, 0.05)
    )
    far = v * v / (2.0 * mu * G)

    def error(run):
        return f"{1e3 * abs(run.states[-1, 0] - far):.2g}"

    def creep(run):
        late = run.t > until - 0.5
        return f"{1e6 * np.ptp(run.states[late, 0]) / 0.5:.2g}"

    def depth(run):
        return f"{1e6 * max(0.0, 0.05 - run.states[:, 2].min()):.2g}"

    table(
        f"a box slides to rest, dt = {dt:g} s, four contacts; {1e3 * far:.1f} mm by theory",
        all_tools(case, dt, until, tools),
        {"distance off [mm]": error, "creep at rest [um/s]": creep, "depth [um]": depth},
    )


def tumbling(tools: set[str]) -> None:
    """An ellipsoid dropped with spin, without restitution: it must not gain energy, nor sink in."""
    axes, dt, until = (0.1, 0.06, 0.03), 1e-3, 1.0
    q = np.array([0.8, 0.3, 0.5, 0.1]) / np.linalg.norm([0.8, 0.3, 0.5, 0.1])
    moments = tuple(0.2 * (axes[(i + 1) % 3] ** 2 + axes[(i + 2) % 3] ** 2) for i in range(3))
    start = np.array([0.0, 0.0, 0.15, *q, 0.5, 0.0, 0.0, 5.0, -8.0, 3.0])
    case = Case(1.0, moments, start, 0.3, ellipsoid=axes)
    runs = all_tools(case, dt, until, tools)
    judge = simulate(in_rollick(case), start, until, method="event-driven", rtol=1e-10, at=runs[0].t)
    landed = judge.events[0].t
    early = runs[0].t < landed + 0.1

    def off(run):
        return f"{1e3 * np.abs(run.states[early, :3] - judge.y[early, :3]).max():.2g}"

    def depth(run):
        rows = [
            np.array([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d])
            for a, b, c, d in run.states[:, 3:7]
        ]
        height = run.states[:, 2] - np.sqrt(((np.array(rows) * axes) ** 2).sum(1))
        return f"{1e6 * max(0.0, -height.min()):.2g}"

    def grown(run):
        return f"{rise(case, run.states):.1e}"

    table(
        f"a tumbling ellipsoid, dt = {dt:g} s, one contact, e = 0; it lands at {landed:.4f} s",
        runs,
        {"off until 0.1 s later [mm]": off, "energy grows by": grown, "depth [um]": depth},
    )


def main() -> None:
    """Measure and print."""
    read = argparse.ArgumentParser(description="Contact against the field.")
    read.add_argument("--cardillo", type=Path, metavar="CHECKOUT", help="a checkout of github.com/cardilloproject/cardillo")
    read.add_argument("--siconos", type=Path, metavar="CHECKOUT", help="a checkout of github.com/siconos/siconos-tutorials")
    given = read.parse_args()
    if given.cardillo:
        sys.path.insert(0, str(given.cardillo))
    hints = {
        "cardillo": "give a checkout by --cardillo; it needs vtk, tqdm, cachetools, trimesh, dill, scipy_dae and urdf_parser_py",
        "mujoco": "pip install mujoco",
    }
    tools = set()
    for tool, hint in hints.items():
        try:
            version = getattr(importlib.import_module(tool), "__version__", "")
            tools.add(tool)
            print(f"{tool} {version or '(tells no version)'}")
        except ImportError as wrong:
            print(f"{tool} is left out ({wrong}): {hint}")
    if not given.siconos:
        print("Siconos' reference file is left out: give a checkout of siconos-tutorials by --siconos")
    tippe_top(tools)
    rocking(tools)
    siconos_block(tools, given.siconos)
    sliding_box(tools)
    tumbling(tools)


if __name__ == "__main__":
    main()
