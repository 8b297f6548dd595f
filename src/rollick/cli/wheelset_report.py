"""What `rollick wheelset conicity` and `frequency` understand and tell: the wheelset from options, tables in words and as JSON."""

from __future__ import annotations

import math
from typing import Any


def geometry_of(
    set_: list[str] | None,
    wheel: str | None,
    rail: str | None,
    profile: tuple[str, str] | None,
    unit: str,
    smoothing: str,
    published: bool,
) -> Any:
    """The wheelset that the options ask for; without any: published profiles, or the numbers of Example 1.2."""
    from ..archetypes.wheelset.geometry import simple
    from ..archetypes.wheelset.rolling_model import NUMBERS, TRACK
    from ..archetypes.wheelset.track import on_track
    from ..kernel.names import InputError, choose, number
    from .simulate import pairs

    if profile is not None and (wheel is not None or rail is not None):
        raise InputError("--profile gives both profiles; leave out --wheel and --rail.")
    wheel, rail = profile or (wheel, rail)
    units = {name: p.unit for name, p in {**NUMBERS, **TRACK}.items()} | {"rail_at": "m"}
    given = {}
    for name, text in pairs(set_ or [], "--set").items():
        name = choose(name, units, "parameter of the wheelset")
        given[name] = float("inf") if str(text).strip() == "inf" and name == "R_w" else number(text, name, units[name])
    numbers = [name for name in given if name in NUMBERS]
    placed = [name for name in given if name not in NUMBERS]
    if numbers and (placed or wheel or rail):
        raise InputError(
            f"--set {numbers[0]} describes the profiles by numbers; it does not go with "
            f"{'--set ' + placed[0] if placed else 'profiles by name or file'}."
        )
    if numbers or (not published and not placed and wheel is None and rail is None):
        values = {name: float(p.default) for name, p in NUMBERS.items()} | given
        return simple(**values)
    return on_track(wheel or "s1002", rail or "uic60", unit=unit, smoothing=number(smoothing, "--smoothing", "m"), **given)


def amplitudes_of(up_to: str, points: int) -> Any:
    """Evenly spaced amplitudes [m]."""
    import numpy as np

    from ..kernel.names import InputError, number

    top = number(up_to, "--up-to", "m")
    if not 1 <= points <= 5000:
        raise InputError(f"--points {points} must lie between 1 and 5000.")
    if not 0.0 < top < 0.1:
        raise InputError(f"--up-to {up_to} must be an amplitude between 0 and 100 mm; write e.g. 8mm.")
    return top * np.arange(1, points + 1) / points


def told_geometry(g: Any) -> dict[str, Any]:
    """The nominal contact for JSON."""
    fits = {name: p.fit._asdict() if p.fit else None for name, p in (("wheel", g.wheel), ("rail", g.rail))}
    return {
        "wheel": {
            "name": g.wheel.name,
            "source": g.wheel.source,
            "fit": fits["wheel"],
            "jumps": [j._asdict() for j in g.wheel.jumps()],
        },
        "rail": {
            "name": g.rail.name,
            "source": g.rail.source,
            "fit": fits["rail"],
            "jumps": [j._asdict() for j in g.rail.jumps()],
        },
        "b": g.b,
        "r": g.r,
        "h": g.h,
        **g.curvatures,
    }


def geometry_lines(g: Any) -> list[str]:
    """The nominal contact in words."""
    k = {name: 0.0 if abs(value) < 1e-9 else value for name, value in g.curvatures.items()}
    lines = [
        f"{name:<10} {p.name}" + (f": {p.fit.words()}" if p.fit else "") for name, p in (("wheel", g.wheel), ("rail", g.rail))
    ]
    return [
        *lines,
        f"contact    b = {1e3 * g.b:.6g} mm, r = {1e3 * g.r:.6g} mm, h = {g.h:.6g}, R_w = {k['R_w']:.5g} m (R_w' = "
        f"{k['R1_w']:.4g}), R_r = {k['R_r']:.5g} m (R_r' = {k['R1_r']:.4g})",
    ]


def shown(amplitude: Any) -> Any:
    """Which amplitudes to print: all, or about ten of many."""
    n = len(amplitude)
    step = max(1, round(n / 10))
    return [k for k in range(n) if (k + 1) % step == 0 or k == n - 1]


def conicity_told(g: Any, delta: Any, table: Any, own: Any, reach: float, limit: str) -> dict[str, Any]:
    """A table of equivalent conicities for JSON; own: those of exact oscillations."""
    from ..archetypes.wheelset.conicity import nonlinearity_parameter

    return {
        **told_geometry(g),
        **{name: getattr(table, name).tolist() for name in table._fields},
        "exact": own.tolist(),
        "exact_up_to": reach,
        "why_not_further": limit,
        "contact_jumps": [d._asdict() for d in delta.jumps],
        "nonlinearity_parameter_per_mm": nonlinearity_parameter(delta),
    }


def conicity_lines(g: Any, delta: Any, table: Any, own: Any, reach: float, limit: str) -> list[str]:
    """The same in words."""
    from ..archetypes.wheelset.conicity import nonlinearity_parameter
    from ..archetypes.wheelset.locus import jump_words

    lines = [*geometry_lines(g), *(f"jump       {jump_words(d)}" for d in delta.jumps)]
    if math.isfinite(reach) and any(map(math.isnan, own)):
        lines.append(f"exact      up to {1e3 * reach:.4g} mm: {limit}")
    lines.append("amplitude  integration  harmonic  regression    exact   wavelength   radius difference")
    for k in shown(table.amplitude):
        last = "        -" if math.isnan(own[k]) else f"{own[k]:9.6f}"
        lines.append(
            f"{1e3 * table.amplitude[k]:7.3f} mm   {table.integration[k]:9.6f} {table.harmonic[k]:9.6f}   "
            f"{table.regression[k]:9.6f} {last} {table.wavelength[k]:9.4f} m {1e3 * table.radius_difference[k]:12.5f} mm"
        )
    nonlinear = nonlinearity_parameter(delta)
    if nonlinear is not None:
        lines.append(f"nonlinearity parameter (Polach; EN 15302:2021): {nonlinear:+.5f} 1/mm")
    return lines


def frequency_told(g: Any, f: Any) -> dict[str, Any]:
    """Frequencies for JSON; coefficients per second, at the speed v."""
    small = {**f.small._asdict(), "printed": f.small.printed, "corrected": f.small.corrected, "complete": f.small.complete}
    return {
        **told_geometry(g),
        "v": f.v,
        "linear": f.linear._asdict(),
        "omega_L": f.omega_L,
        "coefficients": {name: f.v * getattr(f.coefficients, name) for name in ("a01", "a03", "a21", "b10", "b30", "b12")},
        "beta": f.beta,
        "beta_small_conicity": small,
        "warnings": f.warnings,
        **{name: getattr(f, name).tolist() for name in ("amplitude", "by_beta", "balanced", "exact")},
        "exact_up_to": f.reach,
        "why_not_further": f.limit,
        "wavelength": f.wavelength(f.exact).tolist(),
    }


def frequency_lines(g: Any, f: Any) -> list[str]:
    """The same in words."""
    formulas = ", ".join(f"{name.capitalize()} {value:.7g}" for name, value in f.linear._asdict().items())
    lines = [
        *geometry_lines(g),
        f"small oscillations at {f.v:g} m/s: {formulas} rad/s",
        f"exact      {f.omega_L:.7g} rad/s, {f.omega_L / (2.0 * math.pi):.7g} Hz, wavelength "
        f"{2.0 * math.pi * f.v / f.omega_L:.5g} m; equivalent conicity {g.b * g.r * (f.omega_L / f.v) ** 2:.6g}",
        f"beta       {1e-6 * f.beta:.6g} 1/mm^2 (series); small conicity (1.61): {1e-6 * f.small.printed:.6g} as "
        f"printed, {1e-6 * f.small.corrected:.6g} with its fourth term, {1e-6 * f.small.complete:.6g} with a fifth in 1/b",
        *(f"warning    {text}" for text in f.warnings),
    ]
    if any(map(math.isnan, f.exact)):
        lines.append(f"exact      up to {1e3 * f.reach:.4g} mm: {f.limit}")
    lines.append("amplitude      beta (1.41)   balance (1.43)        exact   wavelength")
    waves = f.wavelength(f.exact)
    for k in shown(f.amplitude):
        own = "           -          -" if math.isnan(f.exact[k]) else f"{f.exact[k]:12.7g}  {waves[k]:9.5g} m"
        lines.append(f"{1e3 * f.amplitude[k]:7.3f} mm   {f.by_beta[k]:12.7g}     {f.balanced[k]:12.7g} {own}")
    return lines
