"""The phases of a sequence of collisions: flight with impacts, accumulation, lasting contact, simultaneous impact.

Between impacts the body flies (`loop.py`). Where impacts accumulate at one point or at two (`settle.py`) it goes on in lasting contact
(`touching.py`) until the next point arrives; then several touch at once, and a rule decides (`simultaneous.py`).
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiling import compiling
from ...mechanics.plate import Plate
from ..result.outcome import SEQUENCE_ENDS as MEANING
from . import loop as c
from .pattern import real_pairs, repeated_word, self_similar, word_map
from .record import Collisions, Happening
from .settle import MOVES, PARTS, settle_pair, settle_point
from .simultaneous import at_rest, complementary, sequential
from .touching import acceleration, next_touch

DEEP = 20.0  # a sequence that has lost this many e-foldings of energy by the last impact allowed is called complete chatter
GONE = 100.0  # e-foldings of energy after which a body that lies on some points, under gravity, is at rest
STILL = 1e-13  # of the body's velocity: a point that touches and moves less is at rest (accumulations of accumulations end so)
MOST_PHASES = 100_000


def scaled(x: float, exponent: int) -> float:
    """x 2^exponent, as large or small as a double can be."""
    return math.ldexp(x, min(exponent, 1000)) if x else 0.0


def chatters(plate: Plate, gamma: float, word: tuple[int, ...], flat: bool) -> str:
    """CC, if a sequence that has lost nearly all energy and repeats a word (empty: none) goes on for ever; otherwise max_impacts. flat: without flights."""
    if not word or -1 in word:
        return "CC"
    if flat:  # only velocities
        rod = plate.count == 2  # whose turn about its own axis, with the eigenvalue one, is no matter
        pairs = real_pairs(word_map(plate, gamma, word))
        return "CC" if any(leads or (rod and value < 1.0 - 1e-9) for value, _, leads in pairs) else "max_impacts"
    found = self_similar(plate, gamma, word)
    return "CC" if any(s.feasible and (s.dominant or plate.count == 2) for s in found) else "max_impacts"


def log_energy(plate: Plate, g_now: float, q: np.ndarray, p: np.ndarray, e_p: int) -> float:
    """ln of the energy of a state that is scaled by powers of two."""
    energy = 0.5 * float(p**2 @ plate.theta) + plate.mass * g_now * float(q[2])
    return math.log(energy) + 2.0 * math.log(2.0) * float(e_p) if energy > 0.0 else -math.inf


class Phases:
    """One sequence: the state, scaled, and what was recorded."""

    def __init__(
        self,
        plate: Plate,
        gamma: float,
        g: float,
        q: np.ndarray,
        p: np.ndarray,
        max_impacts: int,
        until: float,
        rule: str,
        tolerance: float,
        tie: float | None,
        beyond: bool,
        rising: bool,
        record: bool,
    ) -> None:
        self.plate, self.gamma, self.g = plate, gamma, g
        self.f, self.w = np.ascontiguousarray(plate.f), np.ascontiguousarray(plate.w)
        self.theta = plate.theta
        self.max_impacts, self.until, self.rule, self.tolerance = max_impacts, until, rule, tolerance
        self.tie = tie if tie is not None else (-1.0 if rule == "sequential" else 1e-12)
        self.beyond, self.rising, self.keep = beyond, rising, record
        self.start = (q.copy(), p.copy())
        self.s = np.concatenate([q, p, [0.0]])
        self.k = np.zeros(c.INTEGERS, np.int64)
        self.k[[c.LAST, c.BEFORE]] = -1
        self.values: list[np.ndarray] = []
        self.labels: list[np.ndarray] = []
        self.happenings: list[Happening] = []
        self.first_energy = self.log_energy()
        self.wait = 0.0  # time (scaled) spent since the last impact outside of flights

    # -- the state, scaled ---------------------------------------------------------------------------------------------------

    @property
    def q(self) -> np.ndarray:
        return self.s[:3]

    @property
    def p(self) -> np.ndarray:
        return self.s[3:6]

    @property
    def g_now(self) -> float:
        return scaled(self.g, int(self.k[c.EXPONENT_Q] - 2 * self.k[c.EXPONENT_P]))

    @property
    def unit(self) -> float:
        """The scaled unit of time."""
        return scaled(1.0, int(self.k[c.EXPONENT_Q] - self.k[c.EXPONENT_P]))

    def log_energy(self) -> float:
        return log_energy(self.plate, self.g_now, self.q, self.p, int(self.k[c.EXPONENT_P]))

    def happened(self, kind: str, points: list[int]) -> None:
        self.happenings.append(Happening(float(self.s[6]), kind, tuple(points), int(self.k[c.COUNT])))

    def pass_time(self, T: float) -> None:
        self.s[6] += T * self.unit
        self.wait += T

    def rescale(self) -> None:
        """Bring q and p near one by powers of two, as the loop does."""
        for part, place in ((self.q, c.EXPONENT_Q), (self.p, c.EXPONENT_P)):
            size = float(np.abs(part).sum())
            if 0.0 < size < c.SMALL or size > c.LARGE:
                shift = c.SHIFT if size < 1.0 else -c.SHIFT
                if place == c.EXPONENT_Q:
                    self.wait = math.ldexp(self.wait, shift)
                else:
                    self.wait = math.ldexp(self.wait, -shift)
                part *= math.ldexp(1.0, shift)
                self.k[place] -= shift
        if not self.q.any():  # flat: any exponent will do, so take the one that leaves gravity as it is
            change = 2 * int(self.k[c.EXPONENT_P]) - int(self.k[c.EXPONENT_Q])
            self.k[c.EXPONENT_Q] += change
            self.wait = math.ldexp(self.wait, -change)

    # -- phases --------------------------------------------------------------------------------------------------------------

    def go(self) -> Collisions:
        held: list[int] = []
        for _ in range(MOST_PHASES):
            ended, held = self.fly() if not held else self.touch(held)
            if ended:
                return self.finish(ended)
        return self.finish("max_impacts")

    def fly(self) -> tuple[str, list[int]]:
        """Flights and single impacts, until something else happens."""
        left = self.max_impacts - int(self.k[c.COUNT])
        if left <= 0:
            return self.ran_out(), []
        room = left if self.keep else 0
        values, labels = np.empty((room, c.COLUMNS)), np.empty((room, c.LABELS), np.int64)
        before = int(self.k[c.COUNT])
        with compiling("the collisions of a plate"):
            code = c.collisions(
                self.f, self.w, self.gamma, self.g, self.s, self.k, left, self.until, self.tie, self.rising, values, labels
            )
        made = int(self.k[c.COUNT]) - before
        if made and self.keep:
            self.add(values[:made], labels[:made])
        if code == c.LEAVES:
            return "ICC", []
        if code == c.REST:
            self.happened("rest", list(range(self.plate.count)))
            return "rest", []
        if code == c.TIME:
            self.advance((self.until - float(self.s[6])) / self.unit)
            return "time", []
        if code == c.FULL:
            return self.ran_out(), []
        if code == c.ZENO:
            return self.one_point(int(self.k[c.LAST]))
        if code == c.PAIR:
            return self.two_points(int(self.k[c.LAST]), int(self.k[c.BEFORE]))
        if code == c.TOUCH:
            span = 1e-12 * float(np.abs(self.q).sum())
            down = [j for j in range(self.plate.count) if abs(float(self.f[j] @ self.q)) <= span]
            return "", down
        if code == c.EDGE:
            return self.edge(int(self.k[c.LAST]), int(self.k[c.BEFORE]))
        if self.keep:
            self.wait += float(values[made, 0])  # the flight that ends in a tie
        return self.together([])

    def ran_out(self) -> str:
        """All impacts used: complete chatter, if nearly all energy is gone, and without gravity the pattern (if there is one) shrinks for ever."""
        if self.first_energy - self.log_energy() <= DEEP:
            return "max_impacts"
        word = repeated_word(np.concatenate([x[:, 0] for x in self.labels])[-2000:]) if self.g == 0.0 and self.labels else ()
        return chatters(self.plate, self.gamma, word, not self.q.any())

    def advance(self, T: float) -> None:
        """Free flight."""
        self.s[:3] += self.p * T
        self.s[2] -= 0.5 * self.g_now * T * T
        self.s[5] -= self.g_now * T
        self.pass_time(T)

    def one_point(self, j: int) -> tuple[str, list[int]]:
        q, p = self.q.copy(), self.p.copy()
        T = settle_point(self.f, self.w, self.gamma, self.g_now, q, p, j)
        if float(self.s[6]) + T * self.unit > self.until:
            return self.bounce_until(j), []
        self.s[:3], self.s[3:6] = q, p
        self.pass_time(T)
        self.happened("accumulation", [j])
        return ("zeno", []) if not self.beyond else ("", [j])

    def bounce_until(self, j: int) -> str:
        """Single bounces at j up to the final time, which lies inside their accumulation."""
        while int(self.k[c.COUNT]) < self.max_impacts:
            left = (self.until - float(self.s[6])) / self.unit
            flight = 2.0 * max(float(self.f[j] @ self.p), 0.0) / self.g_now
            self.advance(min(flight, left))
            if flight >= left or flight <= 1e-16 * left:
                self.s[6] = self.until
                return "time"
            before = self.p.copy()
            self.p[:] = before - (1.0 + self.gamma) * float(self.f[j] @ before) * self.w[j]
            self.note(j, before, self.p.copy())
        return self.ran_out()

    def two_points(self, a: int, b: int) -> tuple[str, list[int]]:
        outcome, T, q, p = settle_pair(self.f, self.w, self.gamma, self.g_now, tuple(self.q), tuple(self.p), a, b)
        if outcome == MOVES or float(self.s[6]) + T * self.unit > self.until:
            return "", []  # go on flying
        whole = float(np.max(np.abs(self.p)))
        self.s[:3], self.s[3:6] = q, p
        self.pass_time(T)
        if float(np.max(np.abs(self.p))) <= 1e-13 * whole:  # two opposite points, and nothing else moves: all of it rests
            self.p[:] = 0.0
            self.happened("accumulation", list(range(self.plate.count)))
            return "CC", []
        if outcome == PARTS:
            self.happened("near accumulation", sorted([a, b]))
            return "", []
        self.happened("accumulation", sorted([a, b]))
        return ("PCC", []) if not self.beyond else ("", [a, b])

    def edge(self, a: int, b: int) -> tuple[str, list[int]]:
        """Two points lie still, up to rounding: an accumulation of accumulations."""
        self.q[:] = at_rest(self.f, self.w, self.q, [a, b])
        self.p[:] = at_rest(self.f, self.w, self.p, [a, b])
        self.happened("accumulation", sorted([a, b]))
        return ("PCC", []) if not self.beyond else ("", [a, b])

    def touch(self, held: list[int]) -> tuple[str, list[int]]:
        """Lasting contact at `held` until another point arrives."""
        a, held = acceleration(self.f, self.theta, self.g_now, held)
        if not held:
            self.k[c.LAST] = -1
            return "", []
        moving = float(np.max(np.abs(self.p)))
        if moving == 0.0 and float(np.max(np.abs(a))) <= 1e-12 * max(self.g_now, 1e-300):
            self.happened("rest", held)
            return "rest", []
        T, arriving = next_touch(self.f, self.q, self.p, a, held)
        if float(self.s[6]) + T * self.unit > self.until:
            T = (self.until - float(self.s[6])) / self.unit
            arriving = []
        elif not arriving:
            return ("PCC" if len(held) == 2 else "ICC"), []
        self.happened("lasting contact", sorted(held))
        self.s[:3] += self.p * T + 0.5 * a * T * T
        self.s[3:6] += a * T
        self.pass_time(T)
        if not arriving:
            return "time", []
        self.q[:] = at_rest(self.f, self.w, self.q, [*held, *arriving])
        return self.together([*held, *arriving])

    def together(self, points: list[int]) -> tuple[str, list[int]]:
        """Several points touch: the rule decides."""
        if not points:  # a tie in flight: all that are down and approach
            size = 1e-11 * float(np.max(np.abs(self.q)) + np.max(np.abs(self.p)))
            points = [j for j in range(self.plate.count) if abs(float(self.f[j] @ self.q)) <= size]
            self.q[:] = at_rest(self.f, self.w, self.q, points)
        self.happened("simultaneous impact", sorted(points))
        if self.rule == "stop":
            return "simultaneous", []
        before = self.p.copy()
        if float(np.max(np.abs(self.f[points] @ before))) <= STILL * float(np.max(np.abs(before))):
            self.p[:] = at_rest(self.f, self.w, before, points)
            return "", points
        if self.rule == "sequential":
            p, made = sequential(self.f, self.w, self.gamma, before, points, self.tolerance)
            for j, b, after in made:
                self.note(j, b, after)
        else:
            p, _ = complementary(self.f, self.theta, self.gamma, before, points)
            self.note(-1, before, p)
        scale = float(np.max(np.abs(self.f[points] @ before)))
        v = self.f[points] @ p
        small = max(1e-9 * scale, STILL * float(np.max(np.abs(p))))
        still = [j for j, x in zip(points, v) if abs(x) <= small]
        p = at_rest(self.f, self.w, p, still)
        if float(np.max(np.abs(p))) <= 1e-12 * float(np.max(np.abs(before))):
            p = np.zeros(3)
        self.s[3:6] = p
        self.rescale()
        self.k[[c.LAST, c.BEFORE]] = -1
        self.k[[c.SAME, c.PAIRED, c.TWO]] = 0
        if self.g > 0.0 and still and self.first_energy - self.log_energy() > GONE:
            self.happened("rest", sorted(points))
            return "rest", []
        if int(self.k[c.COUNT]) >= self.max_impacts:
            return self.ran_out(), []
        return "", still

    # -- records -------------------------------------------------------------------------------------------------------------

    def note(self, j: int, before: np.ndarray, after: np.ndarray) -> None:
        """One impact, of a simultaneous one."""
        if self.keep:
            row = np.concatenate([[0.0], self.q, before, after])[None]
            self.add(row, np.array([[j, self.k[c.EXPONENT_Q], self.k[c.EXPONENT_P]]]))
        self.k[c.COUNT] += 1

    def add(self, values: np.ndarray, labels: np.ndarray) -> None:
        """Record impacts; the time spent outside of flights belongs to the flight before the first."""
        values[0, 0] += max(self.wait, 0.0)
        self.wait = 0.0
        self.values.append(values)
        self.labels.append(labels)

    def finish(self, status: str) -> Collisions:
        values = np.concatenate(self.values) if self.values else np.empty((0, c.COLUMNS))
        labels = np.concatenate(self.labels) if self.labels else np.empty((0, c.LABELS), np.int64)
        e_q, e_p = int(self.k[c.EXPONENT_Q]), int(self.k[c.EXPONENT_P])
        message = (
            MEANING[status] if status != "ICC" or self.k[c.COUNT] else "no point approaches the plane: the body flies away"
        ) + (f", points {self.happenings[-1].points}" if status in ("zeno", "simultaneous") else "")
        made = {
            "impacts": int(self.k[c.COUNT]),
            "max_impacts": self.max_impacts,
            "rule": self.rule,
            "tie": self.tie,
            "tolerance": self.tolerance,
        }
        end = (self.q.copy(), self.p.copy(), e_q, e_p)
        args = (self.plate, self.gamma, self.g, self.start, values, labels, self.happenings, status, message + ".", end)
        return Collisions(*args, float(self.s[6]), made)
