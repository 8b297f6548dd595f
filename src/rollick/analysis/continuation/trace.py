"""The call: from a start along a curve of solutions, in both directions, kept on the way; and going on where a file ends."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, pair
from ...kernel.renamed import renamed
from ...kernel.units import whole
from ...motion.interrupt import uninterrupted
from ...motion.problem import positive
from ...motion.progress import Progress
from ...motion.result.outcome import INTERRUPTED, TIME_LIMIT
from ...motion.result.provenance import environment
from .arclength import PseudoArclength, Walk
from .branch import Branch, problem_of
from .first_point import first_point, point_at
from .locate import NOISE
from .point import Point, Special

DIRECTIONS = ("both", "forward", "backward")
RUNNING = INTERRUPTED, "not finished: what made the file stopped here"


@renamed(method="steps")
def trace_branch(
    problem: Any,
    start: Any,
    steps: PseudoArclength | None = None,
    *,
    bounds: tuple[float | None, float | None] | None = None,
    directions: str = "both",
    tangent: Any = None,
    file: Any = None,
    every: int = 25,
    wall_limit: float | None = None,
    progress: bool | None = None,
) -> Branch:
    """The branch of solutions of a `Problem` through a start.

    start: z = (unknowns, parameter), near a solution; or a `Special` point. From a branch point (BP) the *other* branch is followed.
    steps: how to continue. bounds: of the parameter, (low, high), None for no bound; the branch ends exactly there.
    directions: "both", "forward" (the parameter grows at first) or "backward".
    tangent: the direction to set out in, if it is not the branch's own.
    file: a netCDF file (.nc) that is renewed every `every` points (less often where writing would take longer than computing), whole each time, so that whatever happens to this process the branch up to
        there is kept; `resume(file, problem)` goes on, to the points that it would have had without the stop.
    wall_limit: stop after so many seconds, looked at behind each point.

    A corrector that fails ends its direction, with a status and a message that names the last good point; Ctrl-C ends both. What there is is
    returned either way.
    """
    method = steps if steps is not None else PseudoArclength()
    _check_kinds(problem, method)
    low, high = _bounds(bounds)
    if directions not in DIRECTIONS:
        raise InputError(f"directions = {directions!r} must be one of {', '.join(DIRECTIONS)}.")
    _check_file(file, every)
    problem.afresh()
    first, weights, quiet = first_point(problem, start, method, (low, high), tangent, directions == "both")
    signs = {"both": (1.0, -1.0), "forward": (1.0,), "backward": (-1.0,)}[directions]
    tracer = Tracer(problem, method, (low, high), weights, file, every, wall_limit, progress)
    for sign in signs:
        begin = replace(first, tangent=sign * first.tangent, tests=_turned(first.tests, sign))
        tracer.begin(sign, begin, origin=first.z, quiet=quiet)
    tracer.points = [first]
    return tracer.run()


def resume(
    file: Any,
    problem: Any = None,
    *,
    max_points: int | None = None,
    progress: bool | None = None,
    every: int = 25,
    wall_limit: float | None = None,
) -> Branch:
    """Go on with a branch from its file, and keep it there. `max_points`: a new limit in each direction; `wall_limit`: of this call.

    `problem` must be the problem of the file; it can be left out where the file suffices to make it again (equilibria of Rollick's own systems).
    """
    branch = Branch.open(file)
    if problem is None:
        problem = problem_of(branch)
    _check_kinds(problem, None)
    mine, kept = _identity(problem.about()), _identity(branch.about)
    different = [key for key in mine if key in kept and mine[key] != kept[key]]
    if different:
        told = "; ".join(f"{key}: {kept[key]} in the file, {mine[key]} given" for key in different)
        raise InputError(f"{file} holds the branch of another problem ({told}); give the problem it was made with.")
    options = dict(branch.about["method"])
    if max_points is not None:
        options["max_points"] = max_points
    method = PseudoArclength(**options)
    bounds = _bounds(branch.about.get("bounds"))
    weights = np.asarray(branch.more["weights"], float)
    tracer = Tracer(problem, method, bounds, weights, file, every, wall_limit, progress)
    tracer.points, tracer.specials, tracer.made = list(branch.points), list(branch.specials), branch.more.get("made")
    tracer.doubts = list(branch.doubts)
    problem.afresh()
    for walk in branch.more["walks"]:
        problem.recall(walk.get("memory", {}))
        made = tracer.go_on(branch.points, walk)
        at_limit = (
            walk["taken"] < method.max_points and walk["status"] in ("max_steps", "finished") and "max_points" in walk["message"]
        )
        if walk["status"] not in ("", INTERRUPTED, TIME_LIMIT) and not at_limit:
            made.status, made.message = walk["status"], walk["message"]
    return tracer.run()


class Tracer:
    """The walks of a branch, one after the other, and what is kept of them."""

    def __init__(
        self,
        problem: Any,
        method: PseudoArclength,
        bounds: Any,
        weights: np.ndarray,
        file: Any,
        every: int,
        wall_limit: Any,
        progress: Any,
    ):
        self.problem, self.method, self.bounds, self.weights = problem, method, bounds, weights
        self.file, self.every, self.progress = file, every, progress
        self.wall = math.inf if wall_limit is None else positive(wall_limit, "wall_limit")
        self.walks: list[tuple[float, Walk]] = []
        self.points: list[Point] = []
        self.specials: list[Special] = []
        self.doubts: list[str] = []
        self.made: dict[str, Any] | None = None
        self.unsaved, self.saved, self.save_after = 0, False, 0.0

    def begin(self, sign: float, start: Point, origin: np.ndarray | None, quiet: bool) -> None:
        """A walk in one direction; arclength has this sign in the branch."""
        made = Walk(self.problem, self.method, start, self.weights, self.bounds, origin, quiet_start=quiet)
        self.walks.append((sign, made))

    def go_on(self, points: list[Point], kept: dict[str, Any]) -> Walk:
        """A walk that goes on from the end of a branch, as it would have gone on (`Walk.kept`)."""
        sign, taken = float(kept["sign"]), int(kept["taken"])
        end = points[-1] if sign > 0.0 else points[0]
        weights = np.asarray(kept.get("weights", self.weights), float)
        origin = None if kept.get("origin") is None else np.asarray(kept["origin"], float)
        here = replace(end, tangent=sign * end.tangent, s=sign * end.s, tests=dict(kept.get("tests", {})))
        signs = {name: here for name in kept.get("signs", ())}
        signs |= {name: before_of(p) for name, p in kept.get("signs_before", {}).items()}
        if "tests" not in kept and taken > 0:  # a file of an earlier version
            here = point_at(self.problem, end.z, here.tangent, weights, here.s, self.method)
            signs = {name: here for name, value in here.tests.items() if math.isfinite(value) and abs(value) > NOISE}
        ds = max(self.method.ds_min, float(kept["ds"]))
        made = Walk(
            self.problem, self.method, here, weights, self.bounds, origin, ds, taken, True, signs, bool(kept.get("renews"))
        )
        self.walks.append((sign, made))
        return made

    def run(self) -> Branch:
        """All walks to their ends, or until Ctrl-C."""
        total, began = float(self.method.max_points * len(self.walks)), time.monotonic()
        text = f"{self.problem.what}: {{t:.0f}} points"
        try:
            with Progress(self.progress, 0.0, total, text) as bar:
                for sign, walk in self.walks:
                    if sign < 0.0 and any(w.message.startswith("the branch is closed") for _, w in self.walks):
                        walk.status, walk.message = "finished", "the branch is closed"
                    self.problem.recall(walk.kept["memory"])
                    points, going = iter(walk), not walk.status
                    while going:
                        with uninterrupted():  # Ctrl-C waits until a point is whole
                            going = self._next(sign, walk, points)
                        bar.update(float(sum(w.taken for _, w in self.walks)))
                        if time.monotonic() - began > self.wall:
                            self._stop(TIME_LIMIT, f"stopped after wall_limit = {self.wall:g} s")
        except KeyboardInterrupt:
            self._stop(INTERRUPTED, "interrupted")
        with uninterrupted():
            branch = self.branch()
            if self.file is not None:
                branch.to_netcdf(self.file)
        return branch

    def _stop(self, status: str, words: str) -> None:
        """End the walks that go on still, where they are."""
        for _, walk in self.walks:
            if not walk.status:
                walk.status, walk.message = status, f"{words} at {self.problem.parameter} = {walk.point.z[-1]:.9g}"

    def _next(self, sign: float, walk: Walk, points: Iterator[Point]) -> bool:
        """The next point of a walk, kept, and written with those before it if it is time; whether there was one."""
        made = next(points, None)
        if made is None:
            return False
        self._keep(sign, made)
        if isinstance(made, Special):  # kept with the point behind it
            return True
        walk.keep()
        self.unsaved += 1
        now = time.monotonic()
        if self.file is not None and self.unsaved >= self.every and now > self.save_after:
            self.branch().to_netcdf(self.file)
            self.unsaved = 0
            done = time.monotonic()
            if self.saved:  # the first time libraries are loaded
                self.save_after = done + min(2.0 * (done - now), 5.0)  # writing a long branch takes a third of the time at most
            self.saved = True
        return True

    def _keep(self, sign: float, made: Point) -> None:
        kept = replace(made, s=sign * made.s, tangent=sign * made.tangent)
        if isinstance(kept, Special):
            self.specials.append(kept)
        elif sign > 0.0:
            self.points.append(kept)
        else:
            self.points.insert(0, kept)

    def branch(self) -> Branch:
        """The branch as far as it is known."""
        ends = {sign: (walk.status or RUNNING[0], walk.message or RUNNING[1]) for sign, walk in self.walks}
        told = [*self.problem.not_looked_for(), *self.doubts, *(doubt for _, walk in self.walks for doubt in walk.doubts)]
        doubts = list(dict.fromkeys(told))
        about = {
            **self.problem.about(),
            "what": self.problem.what,
            "model": self.problem.model,
            "units": dict(self.problem.units),
            "method": asdict(self.method),
            "bounds": [b if math.isfinite(b) else None for b in self.bounds],
        }
        self.made = self.made or environment()
        more = {
            "weights": self.weights.tolist(),
            "walks": [{"sign": sign, "status": walk.status, "message": walk.message, **walk.kept} for sign, walk in self.walks],
            "doubts": doubts,
            "made": self.made,
        }
        low, high = self.points[0].s, self.points[-1].s
        specials = [p for p in self.specials if low <= p.s <= high]  # a special point is kept once the point behind it is
        return Branch(about, list(self.points), specials, (ends.get(-1.0, ("", "")), ends.get(1.0, ("", ""))), more)


def before_of(kept: dict[str, Any]) -> Point:
    """A point of a walk, as `Walk.keep` has it."""
    z, tangent = (np.asarray(kept[name], float) for name in ("z", "tangent"))
    return Point(z, tangent, float(kept["s"]), kept["measures"], kept["tests"], kept["unstable"])


# -- beginnings --------------------------------------------------------------------------------------------------------------------


def _bounds(bounds: Any) -> tuple[float, float]:
    """(low, high), infinite where none is given."""
    if bounds is None:
        return -math.inf, math.inf
    given = pair(bounds)
    if given is None:
        raise InputError(f"bounds = {bounds!r} must be two numbers (low, high), None for no bound.")
    try:
        low, high = (none if one is None else float(one) for one, none in zip(given, (-math.inf, math.inf)))
    except (TypeError, ValueError):
        raise InputError(f"bounds = {bounds!r} must be two numbers (low, high), None for no bound.") from None
    if not low < high:
        raise InputError(f"bounds = {bounds!r} must be (low, high) with low below high.")
    return low, high


def _check_kinds(problem: Any, method: Any) -> None:
    """Refuse what is no problem, or no algorithm."""
    if not (hasattr(problem, "residual") and hasattr(problem, "names") and hasattr(problem, "about")):
        raise InputError(
            f"{called(problem)} is no problem of continuation: give a Problem, e.g. EquilibriumProblem(system, parameter, near), or call continue_steady."
        )
    if method is not None and not isinstance(method, PseudoArclength):
        raise InputError(f"the way of continuing is a PseudoArclength(ds=, ds_max=, ...); got {method!r}.")


def _check_file(file: Any, every: int) -> None:
    if file is not None and not str(file).endswith(".nc"):
        raise InputError(f"file = {str(file)!r} must end in .nc.")
    whole(every, "every", 1)


def _identity(about: dict[str, Any]) -> dict[str, Any]:
    """What makes two problems the same, as JSON has it."""
    import json

    from ...kernel.strict_json import strict

    skipped = ("what", "units", "method", "bounds", "model")
    return json.loads(json.dumps(strict({k: v for k, v in about.items() if k not in skipped}), sort_keys=True))


def _turned(tests: dict[str, float], sign: float) -> dict[str, float]:
    """Tests of the core along the other direction: the tangent's part changes sign, and so does the determinant of [F_z; t]."""
    return {name: sign * value if name in ("LP", "BP") else value for name, value in tests.items()}
