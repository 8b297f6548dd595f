"""`rollick wheelset critical` and `rollick wheelset return-map`: where a wheelset with dry friction slips, and what slip does to its oscillation."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any

import typer

from .output import print_json, written

SetNames = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter of the model wheelset, e.g. --set v=250km/h --set mu=0.2 (repeatable)."
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="A picture (png, pdf or svg).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
KMH = 3.6


def made(set_: list[str] | None, plot: Path | None) -> Any:
    """The wheelset that the options ask for, on a straight track."""
    from ..archetypes.models import model
    from ..kernel.names import InputError
    from .simulate import PICTURES, pairs, writable

    writable(plot, "--plot", PICTURES)
    given = pairs(set_ or [], "--set")
    idle = [name for name in given if name.startswith("track")]
    if idle:
        raise InputError(f"critical amplitudes and return maps are those of a straight track; leave out {', '.join(idle)}.")
    return model("wheelset").make(**given)


def critical(
    set_: SetNames = None,
    speeds: Annotated[str, typer.Option("--speeds", metavar="LOW:HIGH:STEP", help="Speeds of the table, in km/h.")] = "50:400:50",
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """Critical amplitudes of rolling against the speed, with resonances and crossings (Antali, section 5.4.2)."""
    import numpy as np

    from ..archetypes.wheelset.slip_limit import critical_curve, slip_ellipse, special_speeds
    from ..kernel.names import InputError, number

    w = made(set_, plot)
    parts = speeds.split(":")
    if len(parts) != 3:
        raise InputError(f"--speeds {speeds!r} must be LOW:HIGH:STEP in km/h, e.g. 50:400:50.")
    low, high, step = (number(p, "--speeds") for p in parts)
    if not (0.0 <= low <= high and step > 0.0 and (high - low) / step < 100_000):
        raise InputError(f"--speeds {speeds!r}: 0 <= LOW <= HIGH and STEP above zero, with less than 100000 speeds.")
    at = low + step * np.arange(int((high - low) / step + 1e-9) + 1)
    curve = critical_curve(w, at / KMH)
    special = {name: None if v is None else KMH * v for name, v in special_speeds(w).items()}
    ellipse = slip_ellipse(w)
    if plot is not None:
        from ..archetypes.wheelset.pictures_friction import critical_picture
        from ..plotting import figure, save

        fig, axes = figure(1, width=7.4, height=4.4)
        critical_picture(w, (max(0.2, low / KMH), max(high / KMH, low / KMH + 1.0)), axes[0, 0])
        axes[0, 0].set_title("wheelset: amplitudes up to which it rolls", loc="left", fontsize=10)
        plot = written(plot, lambda path: save(fig, path))
    rows: list[dict[str, Any]] = [
        {
            "v_kmh": float(v),
            "lateral": float(a),
            "yaw": float(b),
            "amplitude": float(min(a, b)),
            "governs": "lateral" if a <= b else "yaw",
        }
        for v, (a, b) in zip(at, curve)
    ]
    if json_:
        composed = {k: float(x) for k, x in w._asdict().items() if k != "track"}
        half = {"y": ellipse.y, "Psi": ellipse.Psi}
        print_json({"parameters": composed, "special_speeds_kmh": special, "ellipse": half, "speeds": rows})
        return
    named = {"alpha_y": "lateral resonance", "alpha_psi": "yaw resonance", "omega_L1": "crossing", "omega_L2": "second crossing"}
    print(f"omega_L {w.omega_L:.6g} rad/s at {KMH * w.v:.6g} km/h, eta {w.eta:.6g}, C {w.C:.6g} m/s^2, M_psi {w.M_psi:.6g}")
    print(
        f"alpha_y {w.alpha_y:.6g}, alpha_psi {w.alpha_psi:.6g} rad/s; half axes of the ellipse: y {1e3 * ellipse.y:.6g}, Psi {1e3 * ellipse.Psi:.6g} mm"
    )
    for name, text in named.items():
        print(f"{text:<18} {'none' if special[name] is None else f'{special[name]:.2f} km/h'}")
    print(f"{'v [km/h]':>9} {'lateral [mm]':>13} {'yaw [mm]':>10} {'rolls up to':>12}")
    for row in rows:
        print(
            f"{row['v_kmh']:9.6g} {1e3 * row['lateral']:13.4f} {1e3 * row['yaw']:10.4f} {1e3 * row['amplitude']:12.4f}  {row['governs']}"
        )
    if plot is not None:
        print(f"wrote {plot}")


def return_map(
    set_: SetNames = None,
    most: Annotated[float, typer.Option("--most", help="Largest amplitude, in critical ones.")] = 2.5,
    points: Annotated[int, typer.Option("--points", help="Amplitudes that are tried.")] = 24,
    periods: Annotated[int, typer.Option("--periods", help="Periods after which it is asked where an oscillation ends.")] = 40,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """Amplitude after a slip episode against that before it: does slip damp or pump? Fixed points, jumps, and where oscillations end."""
    import numpy as np

    from ..archetypes.wheelset import return_map as r
    from ..kernel.names import InputError
    from ..motion.progress import Progress

    w = made(set_, plot)
    if not 1.01 <= most <= 100.0:
        raise InputError(f"--most {most:g} must lie between 1.01 and 100: the largest amplitude, in critical ones.")
    if not 4 <= points <= 2000:
        raise InputError(f"--points {points} must lie between 4 and 2000.")
    if not 4 <= periods <= 10_000:
        raise InputError(f"--periods {periods} must lie between 4 and 10000.")
    overs = 1.0 + np.geomspace(min(2e-3, 0.1 * (most - 1.0)), most - 1.0, points)
    with Progress(False if json_ else None, 0.0, 1.0, "slip episodes") as bar:
        found = r.return_map(w, overs, progress=lambda done, total: bar.update(done / total))
    end = r.long_run(w, min(1.1, most), periods)
    small: float | None = None
    lasts: float | None = None
    with contextlib.suppress(InputError):  # at the crossing there is no such law
        small, lasts = r.small_overshoot(w)
    if plot is not None:
        from ..archetypes.wheelset.pictures_friction import return_picture
        from ..plotting import figure, save

        fig, axes = figure(1, 2, width=12.0, height=4.6)
        return_picture([found], axes[0, 0], axes[0, 1])
        plot = written(plot, lambda path: save(fig, path))
    told = map_told(found, end, small, lasts)
    if json_:
        print_json({"parameters": {k: float(x) for k, x in w._asdict().items() if k != "track"}, **told})
        return
    print("\n".join(map_lines(found, small)))
    print(
        f"from {min(1.1, most):g} critical, after {periods} periods, it is {end.kind}, amplitude {1e3 * end.low:.4f} to {1e3 * end.high:.4f} mm"
    )
    if end.cycle is not None:
        print(
            f"limit cycle of slip alone: {2.0 * np.pi / end.cycle.period:.4f} rad/s, {'stable' if end.cycle.stable else 'unstable'}"
        )
    if plot is not None:
        print(f"wrote {plot}")


def map_told(found: Any, end: Any, small: float | None, lasts: float | None) -> dict[str, Any]:
    """A return map for JSON."""
    return {
        "critical_amplitude": found.critical.amplitude,
        "governs": found.critical.governs,
        "small_overshoot": {"ratio": small, "duration": lasts},
        "episodes": [
            {"amplitude": e.amplitude, "ratio": e.ratio, "duration": e.duration, "ends": e.stuck, "rolls_before": e.rolls}
            for e in found.episodes
        ],
        "fixed_points": [{**p._asdict(), "stable": p.stable} for p in found.fixed],
        "jumps": [j._asdict() for j in found.jumps],
        "long_run": {"kind": end.kind, "low": end.low, "high": end.high, "cycle": cycle_told(end.cycle)},
    }


def map_lines(found: Any, small: float | None) -> list[str]:
    """A return map in words."""
    w, limit = found.wheelset, found.critical
    lines = [f"critical amplitude {1e3 * limit.amplitude:.4f} mm ({limit.governs}), {KMH * w.v:.6g} km/h"]
    if small is not None:
        sign, does = ("+", "pumps") if small > 0.0 else ("-", "damps")
        lines.append(f"small overshoot e: after/before = 1 {sign} {abs(small):.4g} e^2, slip {does}")
    lines.append(f"{'before/critical':>16} {'after/before':>13} {'slip [periods]':>15}")
    for e in found.episodes:
        text = f"{e.ratio:13.6f} {e.duration * w.omega_L / 6.283185307179586:15.4f}" if e.stuck else f"{'slip goes on':>13}"
        lines.append(f"{e.amplitude / limit.amplitude:16.5f} {text}{'' if e.rolls else '  (rolls nowhere before)'}")
    for p in found.fixed:
        how = "stable" if p.stable else "unstable"
        lines.append(f"limit cycle at {p.over:.5f} critical: f' = {p.slope:.4f}, {how}; it slips {p.slipping:.1%} of the time")
    for j in found.jumps:
        lines.append(f"jump at {j.low / limit.amplitude:.5f} critical: {ratio_words(j.ratio_low)} to {ratio_words(j.ratio_high)}")
    return lines


def ratio_words(ratio: float) -> str:
    """A ratio, or that slip goes on."""
    return f"{ratio:.5f}" if ratio == ratio else "slip goes on"


def cycle_told(cycle: Any) -> Any:
    """A cycle for JSON."""
    if cycle is None:
        return None
    sizes = sorted((abs(complex(x)) for x in cycle.multipliers), reverse=True)
    return {
        "period": cycle.period,
        "low": cycle.low,
        "high": cycle.high,
        "multipliers": sizes,
        "fading": cycle.fading,
        "stable": cycle.stable,
    }
