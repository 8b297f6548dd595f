"""What can be chosen: the models of `rollick models`, and a body of one's own; their words, units of starts, methods, and the text of their source."""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any

from ..archetypes.models import Model, model, model_names
from ..archetypes.polygon import BODIES
from ..kernel.names import InputError, choose
from ..kernel.system import Description, Quantity, description, descriptions
from ..mechanics.bodyfile.read import START_UNITS
from ..mechanics.contact import contact_count
from ..motion.methods import METHODS
from .own_body import BODY
from .own_body import MODEL as OWN

# parameters that name files: the page never reads a file by name
FILES = {("profile", "points"), ("wheelset", "track"), (BODY, "mesh")}
SMOOTH = ("auto", "dop853", "radau")
# the modules whose words introduce the equations of a model, beside that of its system
TOLD_IN = {
    "rattleback": ("rattleback.stone", "rattleback.equations"), "tippedisk": ("tippedisk.quaternion",), "rod": ("rod",), "polygon": ("polygon",),
    "tippedisk_reduced": ("tippedisk.reduced.spinning", "tippedisk.reduced.slow"), "tippedisk_normalised": ("tippedisk.reduced.spinning",),
    "dying_disk": ("dying_disk.disk",), "drop": ("dropped_device.device", "dropped_device.oscillator"), "philae": ("lander.equations",),
    "tippe_top": ("tops.tippe_top",), "euler_disk": ("tops.euler_disk",), "pool_ball": ("filippov.pool_ball",), "spring_disk": ("filippov.spring_disk",),
    "filippov_toy": ("filippov.toy",), "ball_in_corner": ("filippov.corner",), "flowmeter": ("flowmeter.system",), "wheelset": ("wheelset.dry",),
    "wheelset_rolling": ("wheelset.rolling",),
}  # fmt: skip
ROLLING = ("rubber.body", "rubber.reduced")


def system_names() -> list[str]:
    """All systems of the studio."""
    return [*model_names(), BODY]


def entry(name: str) -> Model:
    """A system by name."""
    return OWN if name == BODY else model(choose(name, system_names(), "system") if name not in system_names() else name)


def hidden(given: Model, name: str) -> bool:
    """Whether a parameter is not for the page, because it names a file (a mesh does too, but one that was uploaded)."""
    return (given.name, name) in FILES - {(BODY, "mesh")}


def words_of(given: Model, name: str) -> tuple[str, ...]:
    """The words that a parameter may be; none for a number."""
    if (given.name, name) == ("polygon", "body"):
        return ("", *BODIES)
    return given.parameters[name].allowed


@functools.lru_cache(maxsize=64)
def own_description(name: str) -> Description:
    """The states, signals and integrals of a system with its own numbers; nothing for those that go from event to event."""
    system = entry(name).make()
    return description(system) if type(system) in descriptions else Description(states=())


def quantities(name: str) -> dict[str, Quantity]:
    """States, signals and integrals by name."""
    about = own_description(name)
    return {q.name: q for q in (*about.states, *about.signals, *about.integrals)}


@functools.lru_cache(maxsize=64)
def start_units(name: str) -> dict[str, str]:
    """What a start may name, with units: the system's own start, its states, and the usual names of attitudes and velocities where it knows them."""
    given, about = entry(name), own_description(name)
    units = {q.name: q.unit for q in about.states}
    found: dict[str, str] = {}
    for key, value in given.start.items():
        found[key] = units[key] if key in units else START_UNITS.get(key) or unit_in(key, value)
    words = given.starts.replace(",", " ").replace("(", " ").replace(")", " ").replace("..", " ").split()
    more = {key: START_UNITS[key] for key in words if key in START_UNITS}
    if name == BODY:
        more |= START_UNITS
    return (
        found
        | {key: unit for key, unit in units.items() if key not in found}
        | {key: unit for key, unit in more.items() if key not in found and key not in units}
    )


def unit_in(name: str, value: Any) -> str:
    """rad where a value is written in degrees or radians, rad/s for the rate of an angle, else none."""
    if isinstance(value, str) and value.strip().endswith(("deg", "rad")):
        return "rad"
    return "rad/s" if name.endswith("_rate") else ""


@functools.lru_cache(maxsize=64)
def methods_of(name: str) -> tuple[str, ...]:
    """The methods that the page offers for a system; one that does not suit its present numbers says so itself."""
    given = entry(name)
    if given.run is not None:
        return ("auto",)
    if given.method == "event-driven":
        return ("auto", "event-driven", *SMOOTH[1:])
    try:
        contacts = contact_count.knows(type(given.make()))
    except InputError:
        contacts = False
    if not contacts:
        return SMOOTH
    return ("auto", *(m for m in METHODS if m not in ("auto", "thesis") or (m == "thesis" and name == "tippedisk")))


def told(name: str) -> list[tuple[str, str]]:
    """(module, its words): the equations of a system as its source introduces them."""
    homes = TOLD_IN.get(name, ROLLING if name != BODY else ())
    modules = [f"rollick.archetypes.{home}" for home in homes] or [
        "rollick.mechanics.sliding.equations",
        "rollick.mechanics.rolling",
    ]
    found = []
    for module in modules:
        words = inspect.getdoc(importlib.import_module(module))
        if words:
            found.append((module, words))
    return found
