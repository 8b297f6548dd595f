"""The reference of the library, from signatures and docstrings: the public names by subject, and every folder of the package with all that is public in it."""

from __future__ import annotations

import re
from pathlib import Path

from .markdown import markdown
from .source import PACKAGE, Module, Thing, file_of, find, module

# The public names by subject; what stands in no subject goes into the last one, so that none is lost.
SUBJECTS = {
    "Simulating": [
        "simulate",
        "Motion",
        "Event",
        "MotionWarning",
        "StartAdjusted",
        "InputError",
        "UnitWarning",
        "open_saved",
        "compare",
        "plot_style",
    ],
    "Methods": ["Method", "Auto", "DOP853", "Radau", "Moreau", "Midpoint", "Thesis", "EventDriven"],
    "Bodies and shapes": [
        "Body",
        "read_body",
        "Sphere",
        "Ellipsoid",
        "Superellipsoid",
        "Torus",
        "Rim",
        "Revolution",
        "Sum",
        "turned",
        "support",
        "principal_radii",
        "smoothness",
        "smooth_fit",
        "rest_positions",
        "plate",
    ],
    "Rolling, slipping, bouncing": [
        "rolling",
        "Marble",
        "Rubber",
        "sliding",
        "Sliding",
        "Plane",
        "Bowl",
        "Shaken",
        "wall",
        "Coulomb",
        "Regularised",
        "Viscous",
        "friction",
        "contensou",
        "each",
        "collide",
        "classify",
    ],
    "Models of the literature": ["models", "Rattleback", "rattleback", "reversals", "steady_spin", "tippedisk"],
    "A system of your own": ["generic", "describe", "rate", "signals", "integrals", "jacobian", "system_jacobian"],
    "Fields that jump": ["Switching", "DoubleSwitching", "ExtendedSwitching", "what_next"],
    "Steady motions and their branches": [
        "steady_motion",
        "steady_motions",
        "continue_steady",
        "trace_folds",
        "trace_hopfs",
        "EquilibriumProblem",
        "trace_branch",
        "PseudoArclength",
    ],
    "Periodic orbits": [
        "find_orbit",
        "continue_orbit",
        "orbits_from_hopf",
        "Shooting",
        "MultipleShooting",
        "Collocation",
        "HarmonicBalance",
    ],
    "Slow and fast": ["slow_manifold", "SlowFast", "SystemSplit"],
    "Sensitivities, fits, designs": [
        "sensitivity",
        "fit",
        "optimise",
        "At",
        "AtEvent",
        "EventTime",
        "Integral",
        "Maximum",
        "Minimum",
        "Reset",
        "impact_reset",
    ],
    "Chaos, sections, maps": ["largest_exponent", "spectrum", "poincare", "basins", "chart"],
    "Other": [],
}
ROOMS = (
    "kernel",
    "mechanics",
    "motion",
    "ensemble",
    "analysis",
    "plotting",
    "archetypes",
    "studies",
    "view",
)  # what a script imports; the others are programs


def public_names() -> dict[str, str]:
    """The public names of the package and the modules they come from."""
    from rollick.lazily import homes_in

    return {name: f"rollick{home}" for name, home in homes_in((PACKAGE / "__init__.py").read_text(encoding="utf-8")).items()}


def linked(text: str, names: set[str]) -> str:
    """Public names in backticks as links."""

    def link(found: re.Match) -> str:
        name = found[1].removeprefix("rollick.")
        return f"{{py:obj}}`{found[1]} <rollick.{name}>`" if name in names else found[0]

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if k % 2 else re.sub(r"(?<![`}\w])`([\w.]+)`(?!`)", link, part) for k, part in enumerate(parts))


def directive(kind: str, head: str, options: list[str], body: str, fence: str) -> str:
    """A directive of Sphinx in Markdown."""
    return "\n".join([f"{fence}{{py:{kind}}} {head}", *options, "", body.strip(), fence, ""])


def entry(thing: Thing, names: set[str], home: str = "", note: str = "") -> str:
    """A function or class with its members; `home`: where it is found, if the page has not said the module already."""
    body = linked(markdown(thing.doc), names) + (f"\n\n{note}" if note else "")
    if thing.kind != "class":
        return directive("function", f"{home}{thing.name}{thing.signature}", [], body, "`````")
    inner = []
    for part in thing.members:
        text = linked(markdown(part.doc), names)
        if part.kind in ("field", "property"):
            typed, _, value = part.signature.removeprefix(": ").partition(" = ")
            options = [f":type: {typed}"] * bool(typed) + [f":value: {value}"] * bool(value)
            inner.append(
                directive(
                    "property" if part.kind == "property" else "attribute",
                    part.name,
                    [o for o in options if part.kind == "field" or ":value:" not in o],
                    text,
                    "`````",
                )
            )
        else:
            options = [f":{part.kind}:"] if part.kind in ("classmethod", "staticmethod") else []
            inner.append(directive("method", f"{part.name}{part.signature}", options, text, "`````"))
    return directive("class", f"{home}{thing.name}{thing.signature}", [], body + "\n\n" + "\n".join(inner), "``````")


def names_page(names: dict[str, str]) -> str:
    """The page of the public names, by subject."""
    known = {name for group in SUBJECTS.values() for name in group}
    groups = {**SUBJECTS, "Other": sorted(set(names) - known)}
    lines = [
        "# Public names", "",
        f"`from rollick import ...`: the {len(names)} names a script needs most, by subject. Each is loaded when it is first used. "
        "Where a name is defined, and what else is there, is in the [rooms](../../reference.md#the-rooms-of-the-package).", "",
    ]  # fmt: skip
    for subject, group in groups.items():
        present = [name for name in group if name in names]
        if not present:
            continue
        lines += [f"## {subject}", ""]
        for name in present:
            found = find(file_of(names[name]), name)
            if not found:
                raise LookupError(f"{names[name]} has no {name}")
            where, thing = found
            lines.append(entry(thing._replace(name=name), set(names), "rollick.", f"Defined in {{py:mod}}`{where.name}`."))
    return "\n".join(lines)


def folders() -> list[Path]:
    """The folders of the rooms that a script imports from."""
    found = []
    for room in ROOMS:
        found += [p.parent for p in sorted((PACKAGE / room).rglob("__init__.py"))]
    return found


def page_name(folder: Path) -> str:
    """The name of a folder's page."""
    return "rollick." + ".".join(folder.relative_to(PACKAGE).parts)


def module_text(m: Module, names: set[str]) -> str:
    """A module of a folder."""
    short = m.name.rpartition(".")[2]
    lines = [f"## {short}", "", f"```{{py:module}} {m.name}", "```", "", f"`{m.name}`", "", linked(markdown(m.doc), names), ""]
    return "\n".join([*lines, *(entry(thing, names) for thing in m.things)])


def folder_page(folder: Path, names: set[str]) -> str:
    """A folder with its modules."""
    package = module(folder / "__init__.py")
    lines = [f"# {package.name}", "", f"```{{py:module}} {package.name}", "```", "", linked(markdown(package.doc), names), ""]
    if package.exports:
        links = []
        for name in package.exports:
            found = find(folder / "__init__.py", name)
            links.append(
                f"{{py:obj}}`{name} <{found[0].name}.{name}>`"
                if found and not found[0].name.startswith("rollick.cli")
                else f"`{name}`"
            )
        lines += [f"`from {package.name} import ...`: " + ", ".join(links), ""]
    lines += [entry(thing, names) for thing in package.things]
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py" and not path.name.startswith("_"):
            lines.append(module_text(module(path), names))
    return "\n".join(lines)


def write(folder: Path) -> list[str]:
    """All pages of the reference; their names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = public_names()
    texts = {"names": names_page(names)} | {page_name(path): folder_page(path, set(names)) for path in folders()}
    for name, text in texts.items():
        put(folder / f"{name}.md", text)
    return list(texts)


def put(path: Path, text: str) -> None:
    """Write a page if it changed, so that a build reads only what is new."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
