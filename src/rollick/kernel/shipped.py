"""Compiled code that comes with the package, so that a first motion need not be compiled.

A platform wheel carries, beside the sources, machine code of the listed models and of common bodies (`make dist`). It is made for a *baseline*, a processor that
nearly everybody has, and it is used where Python, Numba, llvmlite, the sources and the processor are those it was made for. Elsewhere everything is compiled, as from the
source distribution, and `why_not` says why.
"""

from __future__ import annotations

import functools
import json
import platform
import sys
from typing import Any

from .numba_inside import config, host_features, versions
from .sources import PACKAGE, package_fingerprint

FOLDER = PACKAGE / "compiled"
DESCRIPTION = "made_for.json"  # in the folder
# LLVM's name of the baseline, and what a processor must have to run its code: on x86, what all have that came after 2015
X86 = "x86-64-v3", ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
ARM = "generic", ()
BASELINES: dict[str, tuple[str, tuple[str, ...]]] = {"x86_64": X86, "AMD64": X86, "aarch64": ARM, "arm64": ARM}


def made_here() -> dict[str, str]:
    """What compiled code made by this process would be for."""
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    processor = str(_chosen("CPU_NAME") or "")
    system = f"{platform.system()} {platform.machine()}"
    return {"Python": python, **versions(), "system": system, "processor": processor, "sources": package_fingerprint()}


def _chosen(name: str) -> Any:
    """What somebody chose for Numba; None where it goes by the processor."""
    return getattr(config, name, None)


def settings_of_baseline() -> dict[str, str]:
    """The environment in which Numba compiles for the baseline of this machine."""
    name, _needed = BASELINES[platform.machine()]
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


@functools.cache
def description() -> dict[str, str] | None:
    """What the compiled code that came with the package was made for; None if none came."""
    try:
        found = json.loads((FOLDER / DESCRIPTION).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else None


@functools.cache
def why_not() -> str | None:
    """Why the compiled code that came with the package is not used, as half a sentence; None if it is, or if none came."""
    made_for = description()
    if made_for is None:
        return None
    if any(_chosen(name) is not None for name in ("CPU_NAME", "CPU_FEATURES")):
        return "NUMBA_CPU_NAME or NUMBA_CPU_FEATURES chooses a processor"
    here = made_here()
    for name, value in here.items():
        if name not in ("processor", "sources") and made_for.get(name) != value:
            return f"it was made for {_words(name, made_for.get(name))}, and this is {_words(name, value)}"
    baseline, needed = BASELINES.get(platform.machine(), ("", ()))
    if made_for.get("processor") != baseline:
        return f"it was made for the processor {made_for.get('processor')}"
    lacking = [name for name in needed if not host_features().get(name)]
    if lacking:
        return f"it was made for {baseline}, and this processor has no {', '.join(lacking)}"
    if made_for.get("sources") != here["sources"]:
        return "the sources of the package were changed"
    return None


def _words(name: str, value: str | None) -> str:
    return str(value) if name in ("Python", "system") else f"{name} {value}"


def machine(triple: str) -> tuple[Any, ...] | None:
    """How Numba names the baseline, to find code that came with the package; None if there is none that can be used."""
    made_for = description()
    if made_for is None or why_not() is not None:
        return None
    return triple, made_for["processor"], ""
