"""Antali's thesis, chapters 2 and 3: targets E1-E4 (extended Filippov systems), DT1 (Tables 3.4 and 3.5) and the errata of chapter 2 (DE).

The thesis prints formulas; numbers are *reference*, computed independently by other code. Where it can be, a target is met twice: by the fields near
their set (`analysis`), and by the solver, which looks for all consistent futures and integrates from mode to mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...analysis.filippov import Plane, boundary_by_bisection, region_map
from ...analysis.filippov.theory.sliding_vector import SlidingVector
from ...analysis.filippov.what_follows import what_follows
from ...archetypes.filippov import BallInCorner, PoolBall, SpringDisk, Toy, pool_ball, spring_disk, toy
from ...archetypes.filippov.pool_ball import critical_speed
from ...motion.filippov.algebra.forces import ROLL, SLIP
from ...motion.filippov.instant import Contacts
from ...motion.simulate import simulate
from ..ledger import NEW, REFUTED, Row, bound, claim, value
from .counting import MODES, random_ranks
from .polar import SMALL, Stop, pool_ball_stops, straight_slip_ends, surge_leaves, toy_stops

BALL = PoolBall()
SLIP_A, SPEED_A = np.array([0.8, 0.9]), np.array([1.2, -0.7])


def rolls_up_to(rolls: Callable[[float], bool], low: float, high: float) -> float:
    """Where a state stops rolling, by bisection on what the solver says can follow."""
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        low, high = (middle, high) if rolls(middle) else (low, middle)


def follows(system: Any, state: Any) -> list[str]:
    """The modes that can follow."""
    return [f.letters for f in what_follows(system, state)]


def slides(vector: SlidingVector) -> np.ndarray:
    """The sliding vector, which must be unique."""
    assert vector.value is not None
    return vector.value


def e1() -> Iterator[Row]:
    """Example 2.7: the disk with a spring."""
    m, k, mu, g = 1.7, 2.3, 0.15, 9.81
    disk, limit = spring_disk(m, k, mu, g), 3.0 * mu * g * m / k
    moving = SpringDisk(m, k, mu, g)
    plane = Plane(lambda w, v: [w, v, 0.0], (0.0, 2.0 * limit), (-1.0, 1.0), ("w", "v"))
    traced = region_map(disk, plane, 5).boundaries
    off = max(float(np.abs(c.points[:, 0] - limit).max()) for c in traced)
    yield bound("E1", "end of the sliding strip, traced as a curve, against 3 mu g m/k, relative", off / limit, 1e-12)
    bisected = float(boundary_by_bisection(disk, plane, (0.5 * limit, 0.3), (1.5 * limit, 0.3))[0])
    yield bound("E1", "the same by bisection on the kind, relative", abs(bisected / limit - 1.0), 1e-8)
    last = rolls_up_to(lambda w: follows(moving, [w, 0.3, 0.0]) == ["R"], 0.0, 2.0 * limit)
    yield bound("E1", "the same from the solver's futures, relative", abs(last / limit - 1.0), 1e-8)
    rng, worst, weights = np.random.default_rng(27), 0.0, 0.0
    for w, v in rng.uniform(-0.99, 0.99, (50, 2)) * (limit, 2.0):
        point = disk.at([w, v, 0.0])
        assert point.sliding is not None
        assert point.weights is not None
        worst = max(worst, float(np.abs(point.sliding - [v, -2.0 * k * w / (3.0 * m), 0.0]).max()))
        shift = k * w / (6.0 * mu * m * g)
        weights = max(weights, abs(point.weights[0] - 0.5 + shift), abs(point.weights[1] - 0.5 - shift))
    yield bound("E1", "F_s against (v, -2kw/(3m), 0) (2.13), 50 points", worst, 1e-12)
    yield bound("E1", "weights against 1/2 -+ kw/(6 mu m g), 50 points", weights, 1e-12)
    motion = simulate(moving, [0.9 * limit, 0.0, 0.0], 10.0, rtol=1e-11, progress=False)
    exact = 0.9 * limit * np.cos(math.sqrt(2.0 * k / (3.0 * m)) * motion.t)
    off = float(np.abs(motion["w"] - exact).max() / limit)
    yield bound("E1", "10 s of rolling by the solver against the oscillation of F_s, relative", off, 1e-9)


def e2() -> Iterator[Row]:
    """Examples 2.16 and 2.18: the toy system."""
    numbers: list[tuple[float, str, str, str, str, list[str]]] = [
        (0.5, "-0.5", "-1.5", "-1", "attracting sliding", ["R"]),
        (1.5, "0.5", "-2.5", "-3", "crossing", ["S"]),
    ]
    for x3, first, second, third, kind, letters in numbers:
        for route in ("quartic", "sampling"):
            point = toy().at([0.0, 0.0, x3], route)
            angles = sorted(math.remainder(d.angle, 2.0 * math.pi) % math.pi for d in point.directions or [])
            off = max(min(a, math.pi - a) for a in angles)
            what = f"x3 = {x3}: limit directions 0 and pi, by {route}"
            yield claim("E2", what, f"{len(angles)}, off by {off:.1e}", len(angles) == 2 and off < 1e-9, printed="0, pi")
        speeds = sorted((d.radial for d in point.directions or []), reverse=True)
        for angle, speed, told in zip(("0", "pi"), speeds, (first, second)):
            yield value("E2", f"x3 = {x3}: R at phi = {angle}", speed, reference=told, tolerance=1e-12)
        yield claim("E2", f"x3 = {x3}: kind", point.kind, point.kind == kind, printed=kind)
        yield value("E2", f"x3 = {x3}: third component of F_s", slides(point.sliding())[2], reference=third, tolerance=1e-12)
        found = what_follows(Toy(), [0.0, 0.0, x3])
        said = [f.letters for f in found]
        yield claim("E2", f"x3 = {x3}: what follows, by the solver", ", ".join(map(str, found)), said == letters, printed=kind)
    yield value("E2", "x3 = 1.5: rate at which the solver leaves", found[0].pace[0], reference="0.5", tolerance=1e-12)
    motion = simulate(Toy(), [0.3, 0.4, 0.5], 2.0, rtol=1e-12, progress=False)
    stick, other = motion.events[0], toy_stops(np.array([0.3, 0.4]), 0.5)
    off = max(abs(stick.t - other.t), abs(stick.state[2] - other.x[0]))
    yield bound("E2", "from (.3, .4, .5): end of slip and x3 there, solver against polar coordinates", off, 1e-9, verdict=NEW)
    faded = float(other.x[0] * math.exp(-2.0 * (2.0 - other.t)))
    yield bound("E2", "then x3 at t = 2 against exp(-2t) of F_s", abs(motion.end_state[2] - faded), 1e-9, verdict=NEW)


def e3() -> Iterator[Row]:
    """(2.43), (2.45): where the pool ball rolls, and how."""
    limit = critical_speed()
    yield value("E3", "7 mu g m/(2K) of ball A [m/s]", limit, reference="6.867", tolerance=1e-12)
    plane = Plane(lambda p, q: [0.0, 0.0, p, q], (-9.0, 9.0), (-9.0, 9.0), ("v_y", "v_z"))
    regions = region_map(pool_ball(), plane, 9)
    rim = np.vstack([c.points for c in regions.boundaries])
    off = float(np.abs(np.hypot(*rim.T) / limit - 1.0).max())
    yield bound("E3", f"(2.43): boundary of sliding, traced in {len(rim)} points, relative", off, 1e-12)
    bisected = boundary_by_bisection(pool_ball(), plane, (3.0, -2.0), (8.1, -5.4))
    yield bound("E3", "the same by bisection on the kind, relative", abs(float(np.hypot(*bisected)) / limit - 1.0), 1e-8)
    last = rolls_up_to(lambda v: follows(BALL, [0.0, 0.0, 0.6 * v, -0.8 * v]) == ["R"], 1.0, 20.0)
    yield bound("E3", "the same from the solver's futures, relative", abs(last / limit - 1.0), 1e-8)
    rng, worst = np.random.default_rng(245), 0.0
    for _ in range(50):
        m, K, mu = (float(x) for x in rng.uniform(0.2, 2.0, 3))
        v = rng.normal(size=2)
        worst = max(
            worst, float(np.abs(slides(pool_ball(m, K, mu).sliding_vector([0, 0, *v]))[2:] + 5.0 * K * v / (7.0 * m)).max())
        )
    yield bound("E3", "F_s against -5Kv/(7m) (2.45), 50 random balls", worst, 1e-12)
    motion = simulate(BALL, [0.0, 0.0, 3.0, -2.0], 4.0, rtol=1e-11, progress=False)
    exact = np.array([3.0, -2.0]) * math.exp(-4.0 * 5.0 * BALL.K / (7.0 * BALL.m))
    yield bound("E3", "4 s of rolling by the solver against (2.45)", float(np.abs(motion.end_state[2:] - exact).max()), 1e-9)
    fast = what_follows(BALL, [0.0, 0.0, 8.0, -4.0])
    angle = math.atan2(fast[0].way[1], fast[0].way[0])
    departure = pool_ball().at([0, 0, 8, -4]).departure
    assert departure is not None
    off = abs(math.remainder(angle - departure.angle, 2.0 * math.pi)) + abs(fast[0].pace[0] - departure.radial)
    yield bound("E3", "v = (8, -4): direction and rate of beginning slip, solver against limit directions", off, 1e-9)


def arrival_off(stop: Stop) -> float:
    """How far the power with which ball A turns to the direction against v, as its slip ends, is from that of the limit direction there."""
    off = []
    for small in (-20.0, SMALL):
        there = pool_ball_stops(BALL, SLIP_A, SPEED_A, small)
        off.append(abs(math.remainder(there.angle - math.atan2(-there.x[1], -there.x[0]), 2.0 * math.pi)))
    power = math.log(off[0] / off[1]) / (-20.0 - SMALL)
    nodes = [d for d in pool_ball().at([0.0, 0.0, *stop.x]).directions or [] if d.kind == "node"]
    return abs(power - nodes[0].slope / nodes[0].radial)


def e4() -> Iterator[Row]:
    """Ball A: it sticks, rolls, and leaves rolling where the theory says."""
    motion = simulate(BALL, [*SLIP_A, *SPEED_A], 2.0, rtol=1e-12, progress=False)
    stick, other = motion.events[0], pool_ball_stops(BALL, SLIP_A, SPEED_A)
    yield value("E4", "ball A: slip ends at t [s]", stick.t, reference="0.357863144")
    yield value("E4", "v_y there [m/s]", stick.state[2], reference="0.843353")
    yield value("E4", "v_z there [m/s]", stick.state[3], reference="-0.858174")
    yield bound("E4", "time of the end of slip, solver against polar coordinates [s]", abs(stick.t - other.t), 1e-9)
    yield bound("E4", "velocity there [m/s]", float(np.abs(stick.state[2:4] - other.x).max()), 1e-9)
    yield bound(
        "E4", "phi - phi_2 shrinks as |u| to the power V'/R of the direction against v: power, off by", arrival_off(other), 1e-3
    )
    line = simulate(BALL, [1.0, 0.0, 0.7, 0.0], 1.0, rtol=1e-12, progress=False).events[0]
    end, speed = straight_slip_ends(BALL, 1.0, 0.7)
    yield bound(
        "E4",
        "slip along a line: its end and v there, solver against closed form",
        abs(line.t - end) + abs(line.state[2] - speed),
        1e-9,
    )
    surged = PoolBall(surge=10.0, omega=2.0)
    motion = simulate(surged, [0.0, 0.0, *SPEED_A], 1.0, rtol=1e-12, progress=False)
    left = next(e for e in motion.events if e.name == "slip")
    exact = surge_leaves(surged, 0.0, SPEED_A)
    what = "water surges: rolling ends where |v - w| = 7 mu g m/(2K), solver against closed form [s]"
    yield bound("E4", what, abs(left.t - exact), 1e-9, verdict=NEW)


def missing_equations(mode: str) -> int:
    """How many equations the solver finds missing for a ball in a corner."""
    modes = (ROLL if mode[0] == "R" else SLIP, ROLL if mode[1] == "R" else SLIP)
    contacts = Contacts(BallInCorner(tilt=0.1, slope=0.2), 5)
    return contacts.forces(contacts.at(0.0, [0.0, 0.5, 1.0, 2.0, 3.0], modes), modes)[2]


def dt1() -> Iterator[Row]:
    """Tables 3.4 and 3.5 (T1 of the digest): how many equations, how many free velocities."""
    from ...analysis.dual_point import Contact, DualPoint, case

    rng = np.random.default_rng(34)
    equations, free = {"SS": 10, "SR": 10, "RS": 10, "RR": 9}, {"SS": 4, "SR": 2, "RS": 2, "RR": 1}
    point = DualPoint(Contact((0.0, 0.0, -0.1), (0, 0, 1), 0.3), Contact((-0.1, 0, 0), (1, 0, 0), 0.3), 1.0, 0.004, (0, 0, -9.81))
    for mode in MODES:
        ranks = [random_ranks(rng, mode) for _ in range(100)]
        told = sorted({(r.equations, r.unknowns, r.free) for r in ranks})
        wanted = (equations[mode], 10, free[mode])
        made = case(point, mode, tuple(0.7 if letter == "S" else None for letter in mode))  # type: ignore[arg-type]
        missing = missing_equations(mode)
        holds = told == [wanted] and (made.rank, made.counts.free) == (wanted[0], wanted[2]) and missing == 10 - wanted[0]
        said = f"{told[0][0]} of {told[0][1]}, {told[0][2]} free; case: rank {made.rank}; solver: {missing} missing"
        what = f"{mode}: independent equations, unknowns, free velocities, 100 random bodies"
        yield claim("DT1", what, said, holds, printed=f"{wanted[0]} equations, 10 unknowns, {wanted[2]} free")


def errata() -> Iterator[Row]:
    """Errata 13-17."""
    printed = toy(1.0).at([0.0, 0.0, 0.5])
    yield claim(
        "DE",
        "13, (2.19) has +x2/rho: kind at x3 = .5 of the field as printed",
        f"{printed.kind}, {len(printed.directions or [])} limit directions",
        printed.kind == "crossing" and len(printed.directions or []) == 4,
        printed="sliding, two limit directions (2.25)",
        verdict=REFUTED,
    )
    found = what_follows(Toy(1.0), [0.0, 0.0, 0.5])
    yield claim(
        "DE",
        "13: what follows there, by the solver",
        ", ".join(f.letters for f in found),
        [f.letters for f in found] == ["R", "S", "S"],
        printed="it stays",
        verdict=REFUTED,
    )
    limit = toy().limit_field([0.0, 0.0, 0.5])
    mean = limit.samples.mean(axis=0)
    yield value(
        "DE",
        "14, (2.29) lacks 1/(2 pi): first component of the mean of F* at x3 = .5, by (2.34) x3",
        mean[0],
        reference="0.5",
        tolerance=1e-12,
        as_printed=2.0 * math.pi * mean[0],
        verdict=REFUTED,
    )
    linear, affine = (int(np.linalg.matrix_rank(a, 1e-9)) for a in (limit.samples, limit.samples - mean))
    yield claim(
        "DE",
        "15, Theorem 2.17: the vectors F*(phi) of the toy span",
        f"{linear} dimensions; F* - mean spans {affine}",
        (linear, affine) == (3, 2),
        printed="a two-dimensional subspace",
        verdict=REFUTED,
    )
    worst = max(abs(np.array(toy().sliding_vector([0, 0, x]).weights)[0] - x) for x in (-0.8, 0.3, 0.7, 1.9))
    yield bound("DE", "16, Example 2.18: a against x3 (printed x30), four points", worst, 1e-12, "a slip of the index")
    m, K, mu, g, v = 2.5, 0.5, 0.1, 9.81, np.array([1.2, -0.7])
    a = np.array(pool_ball(m, K, mu, g).sliding_vector([0.0, 0.0, *v]).weights)
    right, wrong = -2.0 * K * v / (7.0 * m * mu * g), -2.0 * K * m * v / (7.0 * mu * g)
    yield value(
        "DE",
        "17, after (2.44): a = -2 K v_y/(7 m mu g), m = 2.5, v_y = 1.2",
        a[0],
        reference=float(right[0]),
        tolerance=1e-12,
        as_printed=float(wrong[0]),
        verdict=REFUTED,
    )
    push = lambda c: float(np.abs(-3.5 * mu * g * c - K / m * v).max())  # u' of the combination with weights c
    yield bound(
        "DE", "17: u' with these weights; tangent means zero", push(right), 1e-12, as_printed=push(wrong), verdict=REFUTED
    )


TARGETS = {"E1": e1, "E2": e2, "E3": e3, "E4": e4, "DT1": dt1, "DE": errata}
