"""`rollick warm`: compile models ahead of time, so that their first motion starts at once."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import typer

from .. import Body, Coulomb, Ellipsoid, Rim, Sphere, rolling, sliding
from ..archetypes.models import model, model_names
from ..kernel.cache import cache_directory
from ..kernel.names import InputError
from ..mechanics.mass.primitives import box, solid_sphere
from ..mechanics.sliding import Lowest
from ..motion.events.event import Event
from ..motion.result.outcome import INTERRUPTED
from ..motion.simulate import simulate


def common_bodies() -> dict[str, tuple[Any, dict[str, Any], dict[str, dict[str, Any]]]]:
    """Bodies that many begin with: a system, where it starts, and ways to follow it."""
    ellipsoid = Body.from_inertia(1.0, (1e-3, 1.2e-3, 0.8e-3), Ellipsoid(0.05, 0.06, 0.04))
    disk = Body.from_inertia(0.4, (2.4e-4, 2.2e-4, 4.6e-4), Rim(0.045))
    ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
    block = Body.from_parts(box(1.0, 0.2, 0.2, 0.1), Ellipsoid(0.1, 0.1, 0.05))
    corners = [(x, y, -0.05) for x in (0.1, -0.1) for y in (0.1, -0.1)]
    spins, leans, falls = (
        {"omega1": 2.0, "omega3": 1.0},
        {"theta": 1.4, "phi_rate": 20.0},
        {"gap": 1e-4, "vx": 0.1, "omega1": 2.0},
    )
    free: dict[str, dict[str, Any]] = {"": {}, "events": {"events": [Event("omega1")]}}
    bound: dict[str, dict[str, Any]] = {"": {}, "moreau": {"method": "moreau"}, "event-driven": {"method": "event-driven"}}
    return {
        "rolling ellipsoid": (rolling(ellipsoid), spins, free),
        "rolling disk": (rolling(disk), leans, free),
        "rolling ball": (rolling(ball), spins, free),
        "sliding ellipsoid": (sliding(ellipsoid, law=Coulomb(0.3), e_N=0.3), falls, bound),
        "sliding disk": (sliding(disk, law=Coulomb(0.3), e_N=0.3, feet=Lowest()), leans, bound),
        "sliding ball": (sliding(ball, law=Coulomb(0.3), e_N=0.3), falls, bound),
        "box on its corners": (sliding(block, law=Coulomb(0.3), feet=corners), {"vx": 0.1}, bound),
    }


def warm_bodies() -> None:
    """Follow each of the common bodies for a short time, in the common ways; the machine code stays on disk."""
    for name, (system, start, ways) in common_bodies().items():
        for way, options in ways.items():
            before = time.perf_counter()
            with warnings.catch_warnings(), tempfile.TemporaryDirectory() as place:
                warnings.simplefilter("ignore")
                motion = simulate(system, start, 0.02, progress=False, **options)
                if motion.status == INTERRUPTED:
                    raise KeyboardInterrupt
                motion.to_netcdf(Path(place) / "motion.nc")
            print(f"{name}{', ' if way else ''}{way}: {time.perf_counter() - before:.1f} s", flush=True)


def as_typed(app: typer.Typer, name: str) -> None:
    """What `rollick simulate NAME` does, but for what it prints; it ends the command if that does not end well."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = app(["simulate", name], standalone_mode=False)
    if code:
        raise typer.Exit(code)


def ways(entry: Any) -> dict[str, dict[str, Any]]:
    """What else is often asked of a model: options of `simulate`."""
    return {
        "events on states": {"events": [Event(next(iter(entry.start)))]},
        "stiff method": {"method": "radau"},
        "without integrals": {"integrals": False, "verify": True},
        "variational": {"variational": True},
    }


def warm_up(app: typer.Typer, names: list[str], thorough: bool = False, bodies: bool = False) -> None:
    """Run models (default: all) as `rollick simulate` of the command `app` does, or in every common way, and common bodies; the machine code stays on disk."""
    began = time.perf_counter()
    if bodies:
        warm_bodies()
    for name in names or model_names():
        entry = model(name)
        before = time.perf_counter()
        as_typed(app, name)
        print(f"{name}: {time.perf_counter() - before:.1f} s", flush=True)
        for way, options in ways(entry).items() if thorough and entry.run is None else ():
            before = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    motion = entry.simulate(entry.make(), dict(entry.start), 1e-2, **options)
                except InputError:  # as docs/what_works.md has it
                    print(f"{name}: {way}: not for this model", flush=True)
                    continue
                if motion.status == INTERRUPTED:  # a motion that is stopped ends well; this does not
                    raise KeyboardInterrupt
                _ = motion.derived
            print(f"{name}: {way}: {time.perf_counter() - before:.1f} s", flush=True)
    print(f"compiled after {time.perf_counter() - began:.1f} s; the machine code is kept in {cache_directory()}")
