"""Newton's method onto steady motions: damped, for singular matrices too, from many starts, around those already found.

A step is -A^+ F, A^+ the pseudo-inverse (a conserved quantity makes A singular: then the nearest motion of the family is found), halved until the next
step would be shorter. Motions that are known are deflated (P. Brown and W. Gearhart; P. Farrell, A. Birkisson and S. Funke, SIAM J. Sci. Comput. 37 (2015) A2026): with
M(x) = product of (1/|x - x_k|^2 + 1) the step of Newton's method for M F is that for F times 1/(1 - d), d = (grad M/M).step, so that it
runs away from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...motion.interrupt import uninterrupted
from ...motion.progress import Progress

RANK = 1e-10  # singular values below this part of the largest count as zero
STEPS = 100


class NotFound(ArithmeticError):
    """Newton's method did not come to a steady motion."""


def pseudo_inverse(A: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """A^+ with lengths in the scale of the unknowns: what it gives is measured in that scale."""
    U, s, Vt = np.linalg.svd(A * scale)
    kept = s > RANK * max(s[0], 1e-300)
    return Vt[: len(s)][kept].T @ (U[:, : len(s)][:, kept].T / s[kept][:, None])


def newton(
    equations: Any, x: np.ndarray, p: np.ndarray, scale: np.ndarray, known: tuple[np.ndarray, ...] | list[np.ndarray] = ()
) -> np.ndarray:
    """A steady motion near x, none of those `known`; raises `NotFound`."""
    x = np.array(x, float)
    F, A = equations.with_matrix(x, p)
    for _ in range(STEPS):
        if not (np.all(np.isfinite(F)) and np.all(np.isfinite(A))):
            raise NotFound("the rates are not finite there")
        if equations.constraints:  # within what its constraints allow
            T = equations.kept_tangents(x, p)
            inverse = (T / scale[:, None]) @ pseudo_inverse(T.T @ A @ T, np.ones(T.shape[1])) @ T.T
        else:
            inverse = pseudo_inverse(A, scale)
        step = -scale * (inverse @ F)
        size = float(np.max(np.abs(step / scale)))
        if size <= 1e-13 * (1.0 + float(np.max(np.abs(x / scale)))):
            x = equations.pulled(x + step, p)
            break
        taken = _lower(equations, x, p, step / _slowed(x, step, scale, known), F, inverse, scale, known)
        if taken is None:
            if size < 1e-9 * (1.0 + float(np.max(np.abs(x / scale)))):  # |F| is at rounding
                break
            raise NotFound("Newton's steps do not reduce the rates any more")
        new, value, matrix = taken
        x, F, A = new, value, matrix
    else:
        raise NotFound(f"Newton's method did not settle in {STEPS} steps")
    F, A = equations.with_matrix(x, p)
    if not np.all(np.abs(F) <= _rounding(A, x, scale)):
        raise NotFound(f"the rates have a least size of {np.max(np.abs(F)):.3g} there, but no zero")
    return x


def _rounding(A: np.ndarray, x: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Rates below this are zero: small beside their own terms at x. A far start or a wide box, scales above one, makes them no larger."""
    terms = np.abs(A) * np.maximum(np.abs(x), np.minimum(scale, 1.0))[None, :]
    return 1e-9 * np.max(terms, axis=1, initial=0.0) + 1e-12 * float(np.max(terms, initial=0.0)) + 1e-300


def _slowed(x: np.ndarray, step: np.ndarray, scale: np.ndarray, known: Any) -> float:
    """1 - d of deflation."""
    factor = 1.0
    for other in known:
        d = (x - other) / scale
        r2 = max(float(d @ d), 1e-300)
        factor -= float((-2.0 * d / r2**2 / (1.0 / r2 + 1.0)) @ (step / scale))
    return factor or 1.0


def _lower(
    equations: Any,
    x: np.ndarray,
    p: np.ndarray,
    step: np.ndarray,
    F: np.ndarray,
    inverse: np.ndarray,
    scale: np.ndarray,
    known: Any,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """A point along the step, halved as often as need be, where the next step would be shorter; with F and A there.

    Not |F| but |A^+ F| is to fall, A^+ at x (P. Deuflhard's natural test): so it does not matter in which units rates are measured.
    """
    merit = _deflated(inverse @ F, x, scale, known)
    reach = 2.0 * (1.0 + float(np.max(np.abs(x / scale))))
    cut = min(1.0, reach / max(float(np.max(np.abs(step / scale))), 1e-300))
    for _ in range(40):
        new = equations.pulled(x + cut * step, p)
        value, matrix = equations.with_matrix(new, p)
        if np.all(np.isfinite(value)) and np.all(np.isfinite(matrix)):
            if _deflated(inverse @ value, new, scale, known) <= (1.0 - 0.25 * cut) * merit:
                return new, value, matrix
        cut *= 0.5
    return None


def _deflated(F: np.ndarray, x: np.ndarray, scale: np.ndarray, known: Any) -> float:
    value = float(np.linalg.norm(F))
    for other in known:
        d = (x - other) / scale
        value *= 1.0 / max(float(d @ d), 1e-300) + 1.0
    return value


def default_scale(x: np.ndarray) -> np.ndarray:
    """The size of each unknown, one for those that are zero."""
    return np.where(np.abs(x) > 1e-9, np.abs(x), 1.0)


def solve_steady(equations: Any, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The steady motion near x; `InputError` in a sentence if there is none."""
    try:
        return newton(equations, x, p, default_scale(x))
    except NotFound as error:
        named = ", ".join(f"{name} = {value:.6g}" for name, value in zip(equations.kept_names(), x))
        raise InputError(
            f"no steady motion of {called(equations.system)} was found from {named}: {error}. Begin nearer to one, or search a box (steady_motions)."
        ) from None


def search(
    equations: Any,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    starts: int,
    seed: int,
    near: np.ndarray | None = None,
    progress: bool | None = None,
) -> tuple[list[tuple[np.ndarray, int]], int, bool]:
    """Steady motions in a box, from starts spread over it (a Sobol sequence), each start repeated with what is known deflated.

    With each, how often it was met; how many starts were made; and whether Ctrl-C ended the search: what was found is kept.
    """
    from scipy.stats import qmc

    scale = high - low
    unit = qmc.Sobol(low.size, seed=seed).random(1 << max(0, int(np.ceil(np.log2(max(starts, 1))))))[:starts]
    found: list[np.ndarray] = []
    met: list[int] = []

    def same(x: np.ndarray) -> int | None:
        for k, other in enumerate(found):
            if float(np.max(np.abs(x - other) / scale)) < 1e-7:
                return k
        return None

    begins = [low + scale * u for u in unit]
    if near is not None:
        begins.insert(0, near)

    def from_start(begin: np.ndarray) -> None:
        known: list[np.ndarray] = []
        for _ in range(len(begins)):
            try:
                x = newton(equations, begin, p, scale, known)
            except (NotFound, np.linalg.LinAlgError):
                return
            if np.any(x < low - 1e-9 * scale) or np.any(x > high + 1e-9 * scale):
                return
            k = same(x)
            if k is None:
                found.append(x)
                met.append(1)
            else:
                met[k] += 1
                if len(known) == len(found):
                    return
            known = list(found)

    made = 0
    with Progress(progress, 0.0, float(len(begins)), "steady motions: {t:.0f} of {end:.0f} starts") as bar:
        try:
            for begin in begins:
                with uninterrupted():
                    from_start(begin)
                    made += 1
                bar.update(float(made))
        except KeyboardInterrupt:
            pass
    return list(zip(found, met)), made, made < len(begins)
