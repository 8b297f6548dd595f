"""Friction of a tippedisk from a tracked motion: the smooth laws, which of their parts are fitted, and which of them explains the data.

The thesis compares by eye (section 7.3: mu = 0.3, eps = 0.001 m/s, "identified by manual inspection"), finds that sliding friction alone loses too little energy, and wishes for an
optimisation that tells what pivoting and contour friction do (section 8). One type of system serves all laws here: a part that is left out has the coefficient zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...analysis.tracking.compare import Comparison, compare
from ...analysis.tracking.identified import Identified
from ...analysis.tracking.identify import identify
from ...analysis.tracking.smooth import estimate_noise
from ...analysis.tracking.track import Track
from ...kernel.names import InputError, choose, number
from ...mechanics.laws.checked import regularised, regularised_contour, regularised_pivoting
from ...mechanics.laws.friction import friction
from . import tracked  # noqa: F401  (pose and start of a tracked disk)
from .build import tippedisk
from .pose import Tippedisk

# name: path in the system, first value, unit
COEFFICIENTS = {
    "mu": ("law.sliding.mu", 0.3, ""),
    "eps": ("law.sliding.eps", 0.02, "m/s"),
    "mu_tau": ("law.pivoting.mu", 0.01, ""),
    "mu_R": ("law.contour.mu", 2e-3, ""),
}
# besides: what a fit leaves as it is (mu_tau and radius enter as their product once radius |omega| >> eps_tau)
GIVEN = {"radius": (2.9e-3, "m"), "eps_tau": (1e-3, "m/s"), "eps_R": (1e-2, "m/s")}
PATHS = {"radius": "law.pivoting.radius", "eps_tau": "law.pivoting.eps", "eps_R": "law.contour.eps"}
LAWS: dict[str, tuple[str, ...]] = {
    "sliding": ("mu", "eps"),
    "sliding+pivoting": ("mu", "eps", "mu_tau"),
    "sliding+contour": ("mu", "eps", "mu_R"),
    "sliding+pivoting+contour": ("mu", "eps", "mu_tau", "mu_R"),
}
DRY = ("coulomb", "contensou", "dry pivoting", "dry contour")


def smooth_tippedisk(disk: Any = "V1", g: Any = 9.81, form: str = "euler", **values: Any) -> Tippedisk:
    """A tippedisk with regularised sliding, pivoting and contour friction: mu, eps, mu_tau, mu_R, radius, eps_tau, eps_R."""
    v = {name: number(values.pop(name, default), name, unit) for name, (default, unit) in _all().items()}
    if values:
        choose(next(iter(values)), list(v), "number of the friction of a tippedisk")
    law = friction(
        regularised(v["mu"], v["eps"]),
        regularised_pivoting(v["mu_tau"], v["radius"], v["eps_tau"]),
        regularised_contour(v["mu_R"], v["eps_R"]),
    )
    return tippedisk(disk, law, form, 0.0, g)


def _all() -> dict[str, tuple[float, str]]:
    return {**{n: (value, unit) for n, (_, value, unit) in COEFFICIENTS.items()}, **GIVEN}


def parts_of(law: str) -> tuple[str, ...]:
    """The coefficients of a law; dry laws are refused by name."""
    if str(law).lower() in DRY:
        raise InputError(
            f"{law} friction is set-valued: its motions stick and slip, and have no derivatives here. Identify with {', '.join(LAWS)}; a small eps comes close to a dry law."
        )
    return LAWS[choose(law, LAWS, "law")]


def fit_friction(
    track: Track,
    law: str = "sliding+pivoting+contour",
    *,
    disk: Any = "V1",
    first: Mapping[str, Any] | None = None,
    also: Sequence[str] = (),
    g: Any = 9.81,
    **options: Any,
) -> Identified:
    """Coefficients of friction of a tippedisk from a track.

    first: {name: first value} of mu, eps, mu_tau, mu_R, and values of radius, eps_tau, eps_R, which stay as they are unless named in `also`. Options: those of `identify`.
    """
    parts = parts_of(law)
    values = dict(first or {})
    absent = [n for n in ("mu_tau", "mu_R") if n not in parts]
    for name in absent:
        if values.get(name):
            raise InputError(
                f"{name} = {values[name]!r} has no place in the law {law!r}; leave it out, or take sliding+pivoting+contour."
            )
    system = smooth_tippedisk(disk, g, **{**values, **dict.fromkeys(absent, 0.0)})
    for name in parts:
        if number(values.get(name, COEFFICIENTS[name][1]), name, COEFFICIENTS[name][2]) <= 0.0:
            raise InputError(f"{name} = {values[name]!r}: a search begins at a number above zero.")
    more = [choose(name, GIVEN, "further number") for name in also]
    paths = {COEFFICIENTS[n][0]: n for n in parts} | {PATHS[n]: n for n in more}
    return identify(system, track, list(paths), called_as=paths, **options).of_model("tippedisk")


def compare_friction(
    track: Track, laws: Sequence[str] = tuple(LAWS), *, progress: Callable[[str], None] | None = None, **options: Any
) -> Comparison:
    """Several laws on one track, with the same noise: that of the track, or estimated from it once."""
    for law in laws:
        parts_of(law)
    if track.covariance is None:
        sizes = estimate_noise(track)
        track = track.with_noise(
            sizes["position"] if sizes["position"] == sizes["position"] else 1.0,
            sizes["angle"],
            "the noise was estimated from how well frames predict the frames between them.",
        )
    fits = {}
    for law in laws:
        say = (lambda text, law=law: progress(f"{law}: {text}")) if progress else None
        first = {k: v for k, v in dict(options.get("first") or {}).items() if k not in COEFFICIENTS or k in LAWS[law]}
        fits[law] = fit_friction(track, law, progress=say, **{**options, "first": first})
    return compare(fits)
