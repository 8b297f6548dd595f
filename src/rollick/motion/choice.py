"""Which way of integrating a body with contacts: as an ODE, by time stepping, or from event to event."""

from __future__ import annotations

from typing import Any

from ..kernel.names import InputError
from .result.motion import Motion

STEPPING = ("moreau", "midpoint", "thesis", "event-driven")


def stepped(options: dict[str, Any]) -> Motion | None:
    """The motion by time stepping, or from event to event, if that is asked for (or what the friction law needs); else None."""
    from ..mechanics.contact import contact_count, law_of

    system, method = options["system"], options["method"]
    contacts = contact_count.knows(type(system))
    if method == "auto" and contacts and (stays_put(law_of(system)) or stands(system)):
        method = "moreau"
    if method not in STEPPING:
        return None
    if not contacts:
        raise InputError(
            f"method = {method!r} is for bodies with contacts and friction, such as sliding(...); take 'auto', 'dop853' or 'radau'."
        )
    if options["until"] is None:
        raise InputError("until is missing: give the final time, e.g. until=20.0.")
    unused = [name for name in ("events", "variational", "dense", "verify") if options[name] not in (None, False, [], ())]
    if options["at"] is not None and method != "event-driven":
        unused.append("at")
    if unused:
        raise InputError(
            f"{', '.join(unused)} cannot be had with method = {method!r}; time stepping gives output after `every` so many steps of `dt`."
        )
    if method == "event-driven":
        from .contact.event_driven import switched_motion

        return switched_motion(system, options["start"], options["until"], rtol=options["rtol"], at=options["at"])
    from .contact.moreau import step_motion

    step = options["dt"] if options["dt"] is not None else 1e-4
    chosen = {
        "dt": step,
        "scheme": method,
        "every": options["every"],
        "adapt": options["adapt"],
        "progress": options["progress"],
        "wall_limit": options["wall_limit"],
    }
    return step_motion(system, options["start"], options["until"], **chosen)


def stands(system: Any) -> bool:
    """Whether a body has several feet, any of which may touch: lasting contact at one of them is then not enough."""
    from ..mechanics.sliding.feet import Feet

    return isinstance(getattr(system, "feet", None), Feet) and len(system.feet.places) > 1


def stays_put(law: Any) -> bool:
    """Whether any part of a friction law is set-valued, so that the body can come to rest or stick."""
    from ..mechanics.laws.sliding import set_valued

    return any(bool(set_valued(part)) for part in law)
