"""`rollick warm`: compile models ahead of time, so that their first motion starts at once."""

from __future__ import annotations

import time
import warnings
from typing import Any

from ..archetypes.models import model, model_names
from ..kernel.cache import cache_directory
from ..kernel.names import InputError
from ..motion.events.event import Event
from ..motion.result.outcome import INTERRUPTED
from ..motion.simulate import simulate


def warm_up(names: list[str], thorough: bool = False) -> None:
    """Run a short motion of models (default: all) in the usual way, or in every common way; the machine code stays on disk."""
    began = time.perf_counter()
    for name in names or model_names():
        entry = model(name)
        system = entry.make()
        if entry.run is not None:
            before = time.perf_counter()
            entry.run(system, dict(entry.start), None)
            print(f"{name}: {time.perf_counter() - before:.1f} s", flush=True)
            continue
        state = next(iter(entry.start))
        ways: dict[str, dict[str, Any]] = {
            "motion": {"events": [Event(e) for e in entry.events]},
            "events on states": {"events": [Event(state)]},
            "stiff method": {"method": "radau"},
            "without integrals": {"integrals": False, "verify": True},
            "variational": {"variational": True},
        }
        if not thorough:
            ways = {"motion": ways["motion"]}
        for way, options in ways.items():
            before = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    motion = simulate(system, dict(entry.start), 1e-2, rtol=1e-6, **options)
                except InputError:  # as docs/what_works.md has it
                    print(f"{name}: {way}: not for this model", flush=True)
                    continue
                if motion.status == INTERRUPTED:
                    raise KeyboardInterrupt
                _ = motion.derived
            if motion.status == INTERRUPTED:  # a motion that is stopped ends well; this does not
                raise KeyboardInterrupt
            print(f"{name}: {way}: {time.perf_counter() - before:.1f} s", flush=True)
    print(f"compiled after {time.perf_counter() - began:.1f} s; the machine code is kept in {cache_directory()}")
