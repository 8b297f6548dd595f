"""Pseudo-arclength continuation (H. B. Keller): a tangent predictor, Newton's corrector in the plane across it, steps as long as that pays.

The algorithm is data (`PseudoArclength`); a `Walk` is one run of it in one direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.units import whole
from ...motion.result.outcome import FINISHED, LEFT, MOST_STEPS, UNCONVERGED
from .bordered import Singular, tangent_of
from .corrector import NoConvergence, correct
from .locate import NOISE, Piece, all_tests, crossings, located
from .point import Point, Special
from .problem import Finding

LARGER = 4.0  # times its scale: an unknown beyond it is measured by its own size, for the longest step
HALVINGS = 6  # of one step, where what was found does not explain how stability changed


@dataclass(frozen=True)
class PseudoArclength:
    """How to continue. Lengths are in the problem's scales (`Problem.scales`), so that 0.01 is about a hundredth of what matters.

    ds, ds_min, ds_max: the first, shortest and longest step; max_points: in each direction; tol: of Newton's last step; newton: how many of them;
    angle: the largest turn of the tangent in a step, in rad; detect: look for special points.
    """

    ds: float = 0.01
    ds_min: float = 1e-8
    ds_max: float = 0.02
    max_points: int = 1000
    tol: float = 1e-9
    newton: int = 8
    angle: float = 0.3
    detect: bool = True

    def __post_init__(self) -> None:
        for name in ("ds", "ds_min", "ds_max", "tol", "angle"):
            object.__setattr__(self, name, number(getattr(self, name), name))
        for name in ("max_points", "newton"):
            object.__setattr__(self, name, whole(getattr(self, name), name))
        if not 0.0 < self.ds_min <= self.ds <= self.ds_max < math.inf:
            raise InputError(
                f"steps must satisfy 0 < ds_min <= ds <= ds_max; got ds_min = {self.ds_min:g}, ds = {self.ds:g}, ds_max = {self.ds_max:g}."
            )
        if self.max_points < 1 or self.newton < 2 or not 0.0 < self.tol < 0.1 or not 0.0 < self.angle < 1.5:
            raise InputError(
                f"max_points = {self.max_points} must be 1 or more, newton = {self.newton} 2 or more, tol = {self.tol:g} between 0 and 0.1, "
                f"angle = {self.angle:g} between 0 and 1.5."
            )


def remembered(problem: Any) -> dict[str, np.ndarray]:
    """A copy of what a problem remembers."""
    return {name: np.array(value) for name, value in problem.memory().items()}


def finite(tests: dict[str, float]) -> dict[str, float]:
    """Tests that have a value."""
    return {name: float(value) for name, value in tests.items() if math.isfinite(value)}


class Walk:
    """One direction of a branch: yields what each step found, special points first; `status` and `message` when it has ended."""

    def __init__(
        self,
        problem: Any,
        method: PseudoArclength,
        start: Point,
        weights: np.ndarray,
        bounds: tuple[float, float],
        origin: np.ndarray | None = None,
        ds: float | None = None,
        taken: int = 0,
        quiet_start: bool = False,
        signs: dict[str, Point] | None = None,
        renews: bool = False,
    ):
        self.problem, self.method, self.point, self.weights, self.bounds = problem, method, start, weights, bounds
        self.origin = origin  # where the branch began: a branch that returns there is closed
        self.ds, self.taken = method.ds if ds is None else ds, taken
        self.status, self.message = "", ""
        self.doubts: list[str] = []
        self.renews = renews  # whether its start is a point from which it was to go on, before memory and sizes were renewed
        self.last: dict[str, Point] = dict(signs or {})  # of each test: the last point at which it had a sign
        if not quiet_start:
            self._note_signs(start)
        self.kept: dict[str, Any] = {}
        self.keep()

    def keep(self) -> None:
        """What goes on from the present point exactly as this walk does (`kept`), for files."""
        far = {name: asdict(p) for name, p in self.last.items() if p is not self.point}
        self.kept = {
            "ds": self.ds,
            "taken": self.taken,
            "origin": None if self.origin is None else self.origin.tolist(),
            "memory": remembered(self.problem),
            "weights": self.weights.tolist(),
            "tests": finite(self.point.tests),
            "signs": [name for name in self.last if name not in far],
            "signs_before": {name: {**p, "tests": finite(p["tests"])} for name, p in far.items()},
            "renews": self.taken > 0,
        }

    # -- steps -----------------------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Point]:
        if self.renews and not self.status:
            self._renew()
        while not self.status:
            if self.taken >= self.method.max_points:
                asked = any(map(math.isfinite, self.bounds))
                self._end(
                    MOST_STEPS if asked else FINISHED,
                    f"{self.method.max_points} points were made (max_points), up to {self._where(self.point)}",
                )
                return
            step = self._step()
            if step is None:
                return
            point, specials, end = step
            yield from specials
            self.point = point
            self.taken += 1
            self._note_signs(point)
            if end is not None:
                self._end(*end)  # before the point is kept, so that no file has the last point of a direction without its end
                yield point
                return
            yield point
            self._renew()

    def _renew(self) -> None:
        """Let the problem renew its memory, and the sizes in which arclength is measured; in new coordinates the points before are of no use."""
        old = self.point
        z, tangent = self.problem.update(old.z, old.tangent)
        if z is not old.z:
            self.point = replace(old, z=z, tangent=tangent)
            self.last = {name: self.point for name, point in self.last.items() if point is old}
            self.origin = None
        scales = self.problem.rescaled(self.point.z, 1.0 / np.sqrt(self.weights))
        if scales is not None:  # the same point and direction; its tangent has the length one in the new sizes
            here, self.weights = self.point, 1.0 / np.asarray(scales, float) ** 2
            t = here.tangent / math.sqrt(float(np.sum(self.weights * here.tangent**2)))
            self.point = replace(here, tangent=t)
            self.last = {name: self.point if point is here else point for name, point in self.last.items()}

    def _step(self) -> tuple[Point, list[Special], tuple[str, str] | None] | None:
        """The next point with the special points before it, and how the branch ends there if it does; None: no step is possible."""
        why, halved = "", 0
        leaves = False
        while True:
            if self.ds < self.method.ds_min:
                status = LEFT if leaves else UNCONVERGED
                told = "leaves what its equations hold for" if leaves else "the corrector does not converge"
                self._end(status, f"{told} beyond the last good point, {self._where(self.point)}: {why}")
                return None
            try:
                point, iterations, end = self._attempt(self.ds)
                beyond = self.problem.outside(point.z)
                if beyond:
                    leaves, why = True, beyond
                    self.ds *= 0.5
                    continue
                leaves = False
                arrived = self.problem.arrives(self.point, point) if end is None else None
                if arrived is not None and not self._side(arrived[0][-1]):
                    return self._arrived(*arrived)
                turn = math.acos(min(1.0, max(-1.0, float(np.sum(self.weights * point.tangent * self.point.tangent)))))
                if turn > self.method.angle and self.ds > 8.0 * self.method.ds_min:
                    self.ds *= max(0.2, min(0.7, 0.8 * self.method.angle / turn))
                    why = f"the branch turns by {math.degrees(turn):.3g} degrees in a step"
                    continue
                specials, doubts = self._specials(point)
                beyond_bound = [p for p in specials if self._side(p.z[-1])]
                if end is None and beyond_bound:  # it turns beyond a bound within this step
                    point, iterations, end = self._before(beyond_bound)
                    specials, doubts = self._specials(point)
                if not self._explained(point, specials):
                    if halved < HALVINGS and self.ds > 8.0 * self.method.ds_min:
                        self.ds *= 0.5
                        halved += 1
                        why = self._unexplained(point)
                        continue
                    doubts.append(self._unexplained(point))
            except (NoConvergence, Singular, np.linalg.LinAlgError, ArithmeticError) as error:
                why = str(error)
                self.ds *= 0.5
                continue
            # Newton with 3 iterations pays best; more: shorter steps. And no step that would turn too far.
            growth = 2.0 ** ((4.0 - iterations) / 3.0)
            if turn > 1e-3:
                growth = min(growth, max(0.5, 0.8 * self.method.angle / turn))
            self.ds = min(self._longest(point), self.ds * min(2.0, growth))
            self.doubts += doubts
            return point, specials, end

    def _longest(self, point: Point) -> float:
        """ds_max; more where the unknowns that change have become much larger than their scales, so that steps stay in proportion to them."""
        larger = np.maximum(1.0, np.sqrt(self.weights) * np.abs(point.z) / LARGER)
        larger[-1] = 1.0
        return self.method.ds_max / math.sqrt(float(np.sum(self.weights * (point.tangent / larger) ** 2)))

    def _attempt(self, ds: float) -> tuple[Point, int, tuple[str, str] | None]:
        """A point at the distance ds: predicted along the tangent, corrected; on the bound of the parameter if that would be crossed."""
        here, method = self.point, self.method
        row = self.weights * here.tangent
        z, _, J, iterations = correct(self.problem, here.z + ds * here.tangent, row, self.weights, method.tol, method.newton)
        end = None
        low, high = self.bounds
        if not low <= z[-1] <= high:
            bound = low if z[-1] < low else high
            u = (bound - here.z[-1]) / (z[-1] - here.z[-1])
            return self._on_bound(here.z + u * (z - here.z), bound)
        if self.origin is not None and self._closes(z, self.origin):
            z, _, J, _ = correct(self.problem, self.origin, row, self.weights, method.tol, method.newton)
            end = FINISHED, "the branch is closed: it came back to where it began"
        return self._made(z, J), iterations, end

    def _arrived(self, z: np.ndarray, finding: Finding) -> tuple[Point, list[Special], tuple[str, str]]:
        """The last point of a branch that ends by its nature: a special point."""
        here, J = self.point, self.problem.jacobian(z)
        measures = self.problem.measures(z, J)
        s = here.s + math.sqrt(float(np.sum(self.weights * (z - here.z) ** 2)))
        last = Point(z, here.tangent, s, measures, {}, self.problem.unstable(measures))
        told = Special(
            z, last.tangent, s, measures, {}, last.unstable, kind=finding.kind, sentence=finding.sentence, numbers=finding.numbers, arrays=finding.arrays
        )  # fmt: skip
        return last, [told], (FINISHED, f"{finding.sentence} at {self.problem.parameter} = {z[-1]:.9g}")

    def _side(self, value: float) -> int:
        """-1, 1: the parameter is beyond its lower, upper bound (by more than rounding); 0: between them."""
        slack = 1e-12 / math.sqrt(float(self.weights[-1]))
        return int(value > self.bounds[1] + slack) - int(value < self.bounds[0] - slack)

    def _before(self, beyond: list[Special]) -> tuple[Point, int, tuple[str, str]]:
        """The point on the bound that lies before special points beyond it: between the last point and a fold the curve is a parabola."""
        fold = next((p for p in beyond if p.kind in ("LP", "LPC")), beyond[0])
        here, bound = self.point, self.bounds[self._side(fold.z[-1]) > 0]
        along = (bound - fold.z[-1]) / (here.z[-1] - fold.z[-1])
        return self._on_bound(fold.z + math.sqrt(max(0.0, along)) * (here.z - fold.z), bound)

    def _on_bound(self, guess: np.ndarray, bound: float) -> tuple[Point, int, tuple[str, str]]:
        """The point on a bound of the parameter near a guess."""
        across = np.zeros(guess.size)
        across[-1] = 1.0
        guess = np.append(guess[:-1], bound)
        z, _, J, iterations = correct(self.problem, guess, across, self.weights, self.method.tol, self.method.newton)
        z[-1] = bound
        return self._made(z, J), iterations, (FINISHED, f"reached {self.problem.parameter} = {bound:g}")

    def _made(self, z: np.ndarray, J: Any) -> Point:
        """A point of the curve, on the side of the tangent of the one before, with its tests and measures."""
        here = self.point
        t, M = tangent_of(J, here.tangent, self.weights)
        tests = all_tests(self.problem, z, J, t, self.weights, M) if self.method.detect else {}
        measures = self.problem.measures(z, J)
        s = here.s + math.sqrt(float(np.sum(self.weights * (z - here.z) ** 2)))
        return Point(z, t, s, measures, tests, self.problem.unstable(measures))

    def _closes(self, z: np.ndarray, origin: np.ndarray) -> bool:
        """Whether the step passed the origin of the branch."""
        if self.taken < 5 or origin.size != z.size:
            return False
        here, w = self.point, self.weights
        chord, back = z - here.z, origin - here.z
        length = float(np.sum(w * chord * chord))
        u = float(np.sum(w * chord * back)) / length
        if not 0.0 < u <= 1.0:
            return False
        aside = float(np.sum(w * (back - u * chord) ** 2))
        if aside > 0.01 * length:
            return False
        try:  # the point of this branch in the plane of the origin must be the origin
            near, _, _, _ = correct(
                self.problem, here.z + u * chord, w * here.tangent, w, self.method.tol, self.method.newton
            )  # the plane through the foot of the origin
        except NoConvergence:
            return False
        return float(np.sum(w * (near - origin) ** 2)) < 1e-3 * length

    # -- special points ----------------------------------------------------------------------------------------------------------

    def _specials(self, point: Point) -> tuple[list[Special], list[str]]:
        names = crossings(self.last, point)
        if not names:
            return [], []
        pieces: dict[str, Piece] = {}

        def piece_of(name: str) -> Piece:
            if name not in pieces:
                pieces[name] = Piece(self.problem, self.method, self.weights, self.last[name], point)
            return pieces[name]

        return located(piece_of, names)

    def _explained(self, point: Point, specials: list[Special]) -> bool:
        """Whether the special points found account for the change of stability; if not, two of them may hide in one step."""
        before, after = self.point.unstable, point.unstable
        if before is None or after is None or not self.last or not self.method.detect:
            return True
        most = 0
        for special in specials:
            change = self.problem.expected(special.kind)
            if change is None:
                return True
            most += change
        least = abs(after - before)
        crossed = max(least, self.problem.crossed(self.point.measures, point.measures))
        neutral = self.problem.neutral(self.point.measures) + self.problem.neutral(point.measures)
        if neutral:  # these have not crossed: they came to the edge, or leave it
            return crossed <= most + neutral
        return crossed <= most and (most - least) % 2 == 0

    def _unexplained(self, point: Point) -> str:
        """What changed from the last point to this one, and no special point explains."""
        between = f"between {self.problem.parameter} = {self.point.z[-1]:.9g} and {point.z[-1]:.9g}"
        if self.point.unstable != point.unstable:
            told = f"the number of growing directions changes from {self.point.unstable} to {point.unstable} {between}"
        else:
            told = f"directions that grew decay, and as many that decayed grow, {between}"
        return f"{told}, which no special point found there explains"

    def _note_signs(self, point: Point) -> None:
        for name, value in point.tests.items():
            if np.isfinite(value) and abs(value) > NOISE:
                self.last[name] = point

    # -- the end -------------------------------------------------------------------------------------------------------------------

    def _end(self, status: str, message: str) -> None:
        self.status, self.message = status, message

    def _where(self, point: Point) -> str:
        """A point in words: the parameter, and the unknowns if they are few."""
        names = self.problem.names
        shown = ", ".join(f"{name} = {value:.9g}" for name, value in list(zip(names, point.z))[:6])
        more = ", ..." if len(names) > 6 else ""
        return f"{self.problem.parameter} = {point.z[-1]:.9g} ({shown}{more})"
