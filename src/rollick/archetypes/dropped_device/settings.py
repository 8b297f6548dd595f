"""How a drop is computed, as a person chooses it, and checked."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from ...kernel.names import InputError, choose, number
from .sequence import SEQUENTIAL, STOP, TOGETHER, Rules

SCHEMES = ("exact", "thesis")
SIMULTANEOUS = {"sequential": SEQUENTIAL, "simultaneous": TOGETHER, "stop": STOP}
RINGDOWN = ("free", "weight")
THESIS_EPS, EXACT_EPS = 5e-3, 1e-9
NO_HEIGHT = 1e-290  # heights below this are zero by bookkeeping
LONGEST = 1e6


@dataclass(frozen=True)
class Settings:
    """The choices of a drop; see `settings`."""

    eps: float
    scheme: str
    centrifugal: bool
    simultaneous: str
    ringdown: str
    until: float | None
    max_impacts: int

    def rules(self) -> Rules:
        """For the compiled code."""
        thesis = self.scheme == "thesis"
        return Rules(
            self.eps,
            self.eps if thesis else NO_HEIGHT,
            self.eps if thesis else self.eps**2,
            SIMULTANEOUS[self.simultaneous],
            1.0 if self.centrifugal else 0.0,
            0.0 if thesis else 1.0,
            1.0 if self.ringdown == "weight" else 0.0,
            LONGEST if self.until is None else self.until,
            self.max_impacts,
        )

    def as_dict(self) -> dict[str, Any]:
        """The choices by name."""
        return asdict(self)

    def with_eps(self, eps: float) -> Settings:
        """The same with another tolerance."""
        return Settings(**{**asdict(self), "eps": eps})


def settings(
    eps: Any = None,
    scheme: str = "exact",
    centrifugal: bool = True,
    simultaneous: str = "sequential",
    ringdown: str = "free",
    until: Any = None,
    max_impacts: int = 100_000,
) -> Settings:
    """Checked choices.

    Parameters
    ----------
    eps: the velocity, in units of sqrt(g l), below which an end counts as at rest: where infinite sequences of impacts are cut (default
        1e-9; 5e-3 in the scheme of the thesis).
    scheme: "exact", or "thesis", which uses eps for heights too and so merges impacts (Fig. 5.6, erratum E15).
    centrifugal: whether the oscillator feels u phi'^2, as (5.15) says; the published tables leave it out (erratum E14).
    simultaneous: what to do when both ends hit at once: "sequential" (one after the other, as the thesis), "simultaneous" (both, by
        complementarity with Newton's restitution), or "stop".
    ringdown: the oscillator's equation once the rod rests: "free" as in the reference motion, which is how the published values come about,
        or "weight", the term cos(phi) of (5.15) included.
    """
    choose(scheme, SCHEMES, "scheme")
    choose(simultaneous, SIMULTANEOUS, "rule for simultaneous impacts")
    choose(ringdown, RINGDOWN, "ring-down")
    value = (THESIS_EPS if scheme == "thesis" else EXACT_EPS) if eps is None else number(eps, "eps")
    if not 1e-14 <= value <= 0.1:
        raise InputError(f"eps = {value:g} must be between 1e-14 and 0.1; 1e-9 suits nearly all drops.")
    end = None if until is None else number(until, "until")
    if end is not None and not 0.0 < end <= LONGEST:
        raise InputError(f"until = {end:g} must be above zero and at most {LONGEST:g}.")
    if int(max_impacts) < 1:
        raise InputError(f"max_impacts = {max_impacts} must be at least 1.")
    return Settings(value, scheme, bool(centrifugal), simultaneous, ringdown, end, int(max_impacts))


def drop_start(phi0: Any, h0: Any, v0: Any = 0.0, w0: Any = 0.0, u0: Any = 0.0, du0: Any = 0.0) -> tuple[float, ...]:
    """The start of a drop, checked: (h, phi, h', phi', u, u')."""
    phi, h = number(phi0, "phi0", "rad"), number(h0, "h0")
    low = h - abs(math.sin(phi))
    if low < 0.0:
        raise InputError(
            f"h0 = {h:g} puts an end {-low:.3g} below the floor at phi0 = {phi:g} rad; take h0 of at least {abs(math.sin(phi)):.6g}."
        )
    rest = (number(v0, "v0"), number(w0, "w0"), number(u0, "u0"), number(du0, "du0"))
    return (h, phi, *rest)
