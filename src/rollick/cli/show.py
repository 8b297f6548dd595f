"""`rollick show MODEL`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..archetypes.models import model as find
from ..kernel.system import Description, Quantity, description, descriptions


def _table(title: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    widths = [max(len(r[i]) for r in [header, *rows]) for i in range(len(header))]
    lines = [title]
    for row in [header, *rows]:
        lines.append("  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip())
    return [*lines, ""]


def show_model(name: str) -> None:
    """Print what there is to know about a model before using it."""
    entry = find(name)
    system = entry.make()
    about = description(system) if type(system) in descriptions else Description(states=())

    def quantities(group: tuple[Quantity, ...]) -> list[tuple[str, ...]]:
        return [(q.name, q.unit or "-", q.about) for q in group]

    parameters = [
        (f, p.unit or "-", p.default if isinstance(p.default, str) else f"{p.default:g}", p.about)
        for f, p in entry.parameters.items()
    ]
    lines = [f"{entry.name}: {entry.title}", f"source: {entry.source}", ""]
    lines += _table("parameters (--set name=value)", ("name", "unit", "default", "meaning"), parameters)
    lines += _table("states (--start name=value)", ("name", "unit", "meaning"), quantities(about.states))
    if entry.starts:
        lines += [f"a start {'also ' if about.states else ''}understands {entry.starts}", ""]
    lines += _table("derived signals", ("name", "unit", "meaning"), quantities(about.signals))
    lines += _table("accumulated integrals", ("name", "unit", "meaning"), quantities(about.integrals))
    start = ", ".join(f"{k}={v}" for k, v in entry.start.items())
    unit = about.time if about.states else "s"
    end = f"until {entry.until:g} {unit}".rstrip() if math.isfinite(entry.until) else "to its end"
    lines += [f"default start: {start}; {end}", entry.about]
    print("\n".join(lines))
