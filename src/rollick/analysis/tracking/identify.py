"""`identify`: parameters of a system from a tracked motion of it, with confidence intervals; the start of the motion is estimated with them.

Least squares over the simulator, sum |L_i^-1 (e_i, v_i)|^2 (`shooting`), by Levenberg's and Marquardt's method with exact derivatives. Since starts far off lead astray where
neighbouring motions part quickly, the data are taken in bit by bit: first the start alone over a short time, then all over growing times (with a weak pull of the
parameters towards their first values, while little of the data is there to hold them), at last all of the data and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, whole
from ...kernel.system import description
from ...mechanics.contact import law_of
from ...mechanics.laws.sliding import jumps
from ...motion.start import check_system, with_rate
from ..design.bounds import bounds_of
from ..sensitivity.sensitivity import Question
from .identified import Identified
from .levenberg import Least, least
from .pose import start_from
from .shooting import Shooting, Window
from .smooth import estimate_noise, smooth
from .track import Track

STAGES = (0.12, 0.3, 0.6)  # of each window
PULL = 1.0  # standard deviation of the logarithm of a parameter, while the data are few
ROUNDS = 3  # of the noise, where it is not known
RTOL = 1e-8
COARSE = 1e-6  # rtol while the data are taken in
ENOUGH = 1e-5  # the search ends where no step lowers the sum of squares by more: 3e-3 of a standard error, of which two digits are told
USES = ("pose", "attitude")


def identify(
    system: Any,
    track: Track,
    parameters: Any,
    *,
    start: Mapping[str, Any] | None = None,
    start_of: Sequence[str] | None = None,
    use: str = "pose",
    windows: int = 1,
    starts: int = 1,
    bounds: Mapping[str, Any] | None = None,
    gradually: bool = True,
    level: float = 0.95,
    method: Any = "auto",
    rtol: float = RTOL,
    seed: int = 0,
    max_jacobians: int = 30,
    progress: Callable[[str], None] | None = None,
    called_as: Mapping[str, str] | None = None,
) -> Identified:
    """Parameters from a track.

    Parameters
    ----------
    system: the body with its friction; its parameters are where the search begins.
    track: what was seen of it (`read_track`); its times are those of the motion.
    parameters: names of float fields, "law.sliding.mu" or, where one field is called so, "mu".
    start, start_of: where the motion begins and which of its numbers are estimated; by default all that `start_from` tells, from the track made smooth.
    use: "pose", places and attitudes; or "attitude" alone.
    windows: pieces of time with a start of their own; more than one where motions part so quickly that one start cannot serve (information is lost).
    starts: how many first values of the parameters are tried; all but the first are those given times factors between 1/3 and 3.
    gradually: take in the data bit by bit; without it the search begins with all of them, which needs first values close by.
    called_as: {path of a parameter: its name in tables}.
    bounds: {parameter: (low, high)}; by default zero and none (for a parameter that must not be zero, a thousandth of its first value).
    """
    began = time.perf_counter()
    system = _suitable(system)
    _check(use, level)
    told = progress or (lambda text: None)
    frames, known = _frames(track, use, told)
    pieces = _pieces(frames, whole(windows, "windows", 1))
    begins = [_beginning(system, frames, piece, start if k == 0 else None, use) for k, piece in enumerate(pieces)]
    names = list(begins[0]) if start_of is None else [start_of] if isinstance(start_of, str) else list(start_of)
    parts = [parameters] if isinstance(parameters, str) else list(parameters)
    asked = {"parameters": parts, "start_of": names, "method": method}

    def problem(part: float, frames_of: Track, tolerance: float = rtol) -> Shooting:
        made = []
        for piece, begin in zip(pieces, begins):
            end = piece[0] + part * (piece[1] - piece[0])
            rows = frames_of.part(
                (frames_of.t >= piece[0]) & (frames_of.t <= end) & ((frames_of.t < piece[1]) | (piece is pieces[-1]))
            )  # the frame between two windows belongs to the later one
            question = Question(system, begin, end, [_first_state(system)], since=piece[0], rtol=tolerance, **asked)
            made.append(Window(question, rows, use == "pose"))
        return Shooting(made, len(parts))

    whole_problem = problem(1.0, frames)
    _refuse_too_few(whole_problem, use)
    limits = _limits(whole_problem, parts, bounds)
    search = Search(problem, frames, limits, len(parts), max_jacobians, told)
    firsts = _first_values(whole_problem.begin[: len(parts)], limits, whole(starts, "starts", 1), seed)
    at_once = len(firsts) == 1 and not gradually
    tried = [(whole_problem.begin, np.inf)] if at_once else [search.from_parameters(p) for p in firsts]
    x, cost = min(tried, key=lambda pair: pair[1])
    found, x, frames = _polished(search, x, frames, known, use)
    same = sum(1 for _, c in tried if c <= cost * (1.0 + 1e-3) + 1.0)
    return Identified(
        system=system, track=track, frames=frames, shooting=search.last if known else problem(1.0, frames), x=x, found=found, known=known, level=level, use=use, parameters=len(parts),
        starts=(len(tried), same), calls=(search.calls, search.slope_calls), seconds=time.perf_counter() - began, limits=limits,
        called_as=called_as,
    )  # fmt: skip


def _check(use: str, level: float) -> None:
    choose(use, USES, "use")
    if not 0.0 < level < 1.0:
        raise InputError(f"level = {level!r} is that of confidence intervals, between 0 and 1, e.g. 0.95.")


def _polished(search: Search, x: np.ndarray, frames: Track, known: bool, use: str) -> tuple[Least, np.ndarray, Track]:
    """The least sum of squares of all data, where it is, and the frames with their noise, which is estimated on the way where it is not known."""
    for _ in range(1 if known else ROUNDS):
        search.told("all of the data")
        found = search.polish(search.problem(1.0, frames), x)
        x = found.x
        if not known:
            frames = _noise_from(search.last, frames, use)
    return found, x, frames


def _refuse_too_few(problem: Shooting, use: str) -> None:
    """Refuse as many unknowns as data."""
    count, free = sum(w.track.t.size for w in problem.windows) * (6 if use == "pose" else 3), len(problem.inputs)
    if count <= free:
        raise InputError(f"{count} data cannot determine {free} numbers; take fewer windows or parameters, or a longer track.")


def _frames(track: Track, use: str, told: Callable[[str], None]) -> tuple[Track, bool]:
    """The frames that tell what is used, with their noise, and whether that was known; else it is estimated."""
    frames = track.part(track.seen & (track.placed if use == "pose" else True))
    if use == "pose" and len(frames) < 0.5 * track.seen.sum():
        raise InputError(f"{track.name} tells places in {len(frames)} of {int(track.seen.sum())} frames; take use='attitude'.")
    if frames.covariance is not None:
        return frames, True
    told("estimating the noise")
    sizes = estimate_noise(frames)
    return frames.with_noise(sizes["position"] if np.isfinite(sizes["position"]) else 1.0, sizes["angle"]), False


class Search:
    """The way from first values to the least sum of squares."""

    def __init__(
        self, problem: Callable[..., Shooting], frames: Track, limits: Any, p: int, most: int, told: Callable[[str], None]
    ):
        self.problem, self.frames, self.limits, self.p, self.most, self.told = problem, frames, limits, p, most, told
        self.calls = self.slope_calls = 0
        self.last: Any = None

    def from_parameters(self, first: np.ndarray) -> tuple[np.ndarray, float]:
        """The best point found from first values of the parameters, over growing times."""
        x, cost = None, np.inf
        for k, part in enumerate((STAGES[0], *STAGES, 1.0)):
            s = self.problem(part, self.frames, COARSE)
            s.hold = k == 0
            if x is None:
                x = s.begin
                x[: self.p] = first
            self.told("the start" if k == 0 else f"{100 * part:.0f} % of the time")
            found = self._pulled(s, x, first) if part < 1.0 else self._least(s, x, 0.3, self.most)
            x, cost = found.x, found.cost
        assert x is not None
        return x, cost

    def polish(self, s: Shooting, x: np.ndarray) -> Least:
        """The least sum of squares of all data."""
        self.last = s
        return self._least(s, x, ENOUGH, self.most)

    def _least(self, s: Shooting, x: np.ndarray, enough: float, most: int) -> Least:
        scale = np.array([max(one.size, 1e-3) for one in s.inputs])
        low, high = self.limits
        found = least(s.residuals, s.jacobian, x, low, high, scale, enough=enough, most=most)
        self._count(s)
        return found

    def _count(self, s: Shooting) -> None:
        self.calls += s.calls
        self.slope_calls += s.slopes_calls

    def _pulled(self, s: Shooting, x: np.ndarray, first: np.ndarray) -> Least:
        """A few steps, parameters pulled towards their first values."""
        weight = np.zeros((self.p, x.size))
        weight[np.arange(self.p), np.arange(self.p)] = 1.0 / (PULL * np.maximum(np.abs(first), 1e-300))

        def residuals(z: np.ndarray) -> np.ndarray:
            return np.concatenate([s.residuals(z), weight[:, : self.p] @ (z[: self.p] - first)])

        def jacobian(z: np.ndarray) -> np.ndarray:
            return np.concatenate([s.jacobian(z), weight])

        scale = np.array([max(one.size, 1e-3) for one in s.inputs])
        low, high = self.limits
        found = least(residuals, jacobian, x, low, high, scale, enough=1.0, most=12)
        self._count(s)
        return found


def _suitable(system: Any) -> Any:
    """The system with its ODE; set-valued laws are refused by name."""
    system = check_system(with_rate(system))
    try:
        law = law_of(system, 0)
    except Exception:  # a system without contacts
        return system
    if jumps(law):
        dry = [called(part) for part in law if jumps(part)] if hasattr(law, "_fields") else [called(law)]
        raise InputError(
            f"{', '.join(dry)} friction is set-valued: its motions stick and slip, and have no derivatives here. Identify with the smooth laws, Regularised(mu, eps), "
            f"RegularisedPivoting and RegularisedContour (eps small comes close to a dry law)."
        )
    return system


def _first_state(system: Any) -> str:
    return description(system).states[0].name


def _pieces(frames: Track, windows: int) -> list[tuple[float, float]]:
    """Intervals of time with as many frames each."""
    if len(frames) < 8 * windows:
        raise InputError(f"{len(frames)} frames are too few for {windows} windows; each needs eight or more.")
    edges = [frames.t[min(k * len(frames) // windows, len(frames) - 1)] for k in range(windows)] + [frames.t[-1]]
    return [(float(a), float(b)) for a, b in pairwise(edges)]


def _beginning(
    system: Any, frames: Track, piece: tuple[float, float], given: Mapping[str, Any] | None, use: str
) -> dict[str, float]:
    """The start of a window, from the track made smooth; what is given counts."""
    at = smooth(frames, [piece[0]])
    place, velocity = (at.position[0], at.velocity[0]) if use == "pose" else (np.full(3, np.nan), np.full(3, np.nan))
    try:
        found = start_from(system, place, at.attitude[0], velocity, at.spin[0])
    except InputError:
        if not given:
            raise
        found = {}
    return {**found, **dict(given or {})}


def _limits(problem: Shooting, parts: Sequence[str], bounds: Mapping[str, Any] | None) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of all inputs: a parameter stays positive."""
    inputs = problem.inputs
    named = {one.name: one for one in inputs[: len(parts)]}
    given = {}
    for name, pair in (bounds or {}).items():
        full = next((n for n in named if n == name or n.endswith(f".{name}")), name)
        given[full] = pair
    low, high = bounds_of(inputs, given)
    for k, one in enumerate(inputs[: len(parts)]):
        if one.value > 0.0 and not np.isfinite(low[k]):
            low[k] = 0.0 if one.name.rpartition(".")[2].startswith("mu") else 1e-3 * one.value
    return low, high


def _first_values(begin: np.ndarray, limits: Any, count: int, seed: int) -> list[np.ndarray]:
    """First values of the parameters: those given, and others by random factors between 1/3 and 3."""
    rng = np.random.default_rng(seed)
    low, high = (one[: begin.size] for one in limits)
    more = [np.clip(begin * 3.0 ** rng.uniform(-1.0, 1.0, size=begin.size), low, high) for _ in range(count - 1)]
    return [begin.copy(), *more]


def _noise_from(shooting: Shooting, frames: Track, use: str) -> Track:
    """The noise from what is left of places and attitudes."""
    assert shooting._kept is not None
    r = shooting._kept[1].reshape(-1, 6 if use == "pose" else 3)
    share = 1.0 - len(shooting.inputs) / r.size
    place = frames.noise["position"] * (np.sqrt(np.mean(r[:, :3] ** 2) / share) if use == "pose" else 1.0)
    return frames.with_noise(float(place), float(frames.noise["angle"] * np.sqrt(np.mean(r[:, -3:] ** 2) / share)))
