"""What the linear theory (`spinning`) says of one stone: how it moves about rest, and which of its steady spins are stable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, numbers
from .spinning import (
    centre_height,
    chirality,
    critical_spin,
    divergence_spins,
    growth_rate,
    principal_radii,
    stable_ranges,
    stable_sense,
)


class RestMode(NamedTuple):
    """One of the two small motions about rest: its kind in a word, and its rate."""

    kind: str  # "rocks" (a frequency in rad/s), "tips" (a growth rate in 1/s) or "neutral" (rate 0)
    rate: float

    def __str__(self) -> str:
        if self.kind == "rocks":
            return f"rocks at {self.rate:.6g} rad/s"
        return f"tips over like exp({self.rate:.6g} t), t in s" if self.kind == "tips" else "is neutral"


def rest_modes(stone) -> tuple[RestMode, RestMode]:
    """The two small rolling motions about rest, by rising omega^2: det(K - omega^2 [[A + M k^2, D], [D, B + M k^2]]) = 0.

    K = diag(M g (q-k), M g (p-k)). omega^2 > 0: the stone rocks at omega. omega^2 < 0: it is not statically stable along this mode, and
    tips over at the rate sqrt(-omega^2). omega^2 = 0: neutral.
    """
    M, g, k, (p, q) = stone.M, stone.g, centre_height(stone), principal_radii(stone)
    J1, J2, D = stone.A + M * k**2, stone.B + M * k**2, stone.D
    K1, K2 = M * g * (q - k), M * g * (p - k)
    # omega^2 of det = c4 w^2 - (J1 K2 + J2 K1) w + K1 K2; the discriminant without cancellation.
    c4, total = J1 * J2 - D**2, J1 * K2 + J2 * K1
    inner = (J1 * K2 - J2 * K1) ** 2 + 4.0 * D**2 * K1 * K2
    far = 0.5 * (total + math.copysign(math.sqrt(max(inner, 0.0)), total))
    low, high = sorted((far / c4, K1 * K2 / far if far != 0.0 else 0.0))
    kind = lambda square: "rocks" if square > 0.0 else "tips" if square < 0.0 else "neutral"
    return RestMode(kind(low), math.sqrt(abs(low))), RestMode(kind(high), math.sqrt(abs(high)))


def rest_frequencies(stone) -> tuple[float, float]:
    """(low, high) in rad/s of small rolling oscillations about rest; a stone that tips over has no two of them and is refused by name."""
    modes = rest_modes(stone)
    if any(mode.kind != "rocks" for mode in modes):
        raise InputError(
            f"this stone has no two frequencies at rest: along one mode it {modes[0]}, along the other it {modes[1]} (principal radii "
            f"{principal_radii(stone)[0]:.6g} and {principal_radii(stone)[1]:.6g} m, mass centre at {centre_height(stone):.6g} m); "
            f"rest_modes(stone) gives both by name."
        )
    return modes[0].rate, modes[1].rate


STONE = ("a", "b", "c", "M", "h", "A", "B", "C", "D", "g")  # what a stone has, whatever else it is


@dataclass(frozen=True)
class SteadySpin:
    """All that the linear theory says of one stone's steady spin; made by `steady_spin`. Rates in rad/s and 1/s."""

    radii: tuple[float, float]
    height: float
    rest_modes: tuple[RestMode, RestMode]
    chirality: int
    stable_sense: int | None
    stable_ranges: tuple[tuple[float, float], ...]
    critical_spin: float | None
    divergence_spins: tuple[float, ...]
    spins: tuple[float, ...]
    growth_negative: tuple[float, ...]
    growth_positive: tuple[float, ...]

    @property
    def statically_stable(self) -> bool:
        """Whether the stone at rest is stable: both radii of curvature exceed the height of the mass centre."""
        return min(self.radii) > self.height

    def verdict(self) -> str:
        """One sentence on which steady spins are stable."""
        if self.stable_sense is None:
            return "achiral: both senses of spin are alike, and neutral at best"
        if self.stable_sense == 0:
            return "no stable steady spin in either sense at any rate"
        sign = "-" if self.stable_sense < 0 else "+"
        parts = [
            f"{low:.6g} < |omega3| < {high:.6g} rad/s" if high < math.inf else f"|omega3| > {low:.6g} rad/s"
            for low, high in self.stable_ranges
        ]
        return f"steady spin with omega3 of sign {sign} is stable for {' and '.join(parts)}; the other sense is always unstable"

    def __str__(self) -> str:
        divergence = ", ".join(f"{spin:.6g}" for spin in self.divergence_spins) or "none"
        critical = "none" if self.critical_spin is None else f"{self.critical_spin:.6g} rad/s"
        return "\n".join(
            [
                f"{self.verdict()}; growth rates (1/s, undamped):",
                "  |omega3| (rad/s)   omega3 < 0   omega3 > 0",
                *(
                    f"  {spin:<16.6g}   {minus:<10.5g}   {plus:.5g}"
                    for spin, minus, plus in zip(self.spins, self.growth_negative, self.growth_positive, strict=True)
                ),
                f"  critical spin: {critical}; divergence at (rad/s): {divergence}",
                f"  at rest: {'stable' if self.statically_stable else 'unstable'}; it {self.rest_modes[0]}, and {self.rest_modes[1]}",
                f"  principal radii {self.radii[0]:.6g} m and {self.radii[1]:.6g} m, mass centre at {self.height:.6g} m",
            ]
        )


def steady_spin(stone: Any, spins: Any = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)) -> SteadySpin:
    """The linear theory of the stone's steady spin, with growth rates at +-`spins` (one or several, in rad/s or with a unit), without damping."""
    if not all(hasattr(stone, name) for name in STONE):
        raise InputError(
            f"stone = {stone!r} is no rattleback; it needs {', '.join(STONE)}: write e.g. steady_spin(Rattleback())."
        )
    spins = np.abs(np.atleast_1d(numbers(spins, "spins", "rad/s")))
    if spins.ndim != 1:
        raise InputError(f"spins of the shape {spins.shape} must be one rate of spin or a list of them, e.g. [1, 2, 5].")
    return SteadySpin(
        radii=principal_radii(stone),
        height=centre_height(stone),
        rest_modes=rest_modes(stone),
        chirality=chirality(stone),
        stable_sense=stable_sense(stone),
        stable_ranges=stable_ranges(stone),
        critical_spin=critical_spin(stone),
        divergence_spins=divergence_spins(stone),
        spins=tuple(spins.tolist()),
        growth_negative=tuple(growth_rate(stone, -spins).tolist()),
        growth_positive=tuple(growth_rate(stone, spins).tolist()),
    )
