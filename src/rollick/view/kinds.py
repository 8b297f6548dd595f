"""What a system is, told by the name of its type: to ask loads no archetype. An instance of one has loaded its own, and a page needs no other.

kind_of(FlowMeter(...))      "flowmeter.system.FlowMeter"
"""

from __future__ import annotations

from typing import Any

HOME = "rollick.archetypes."


def kind_of(system: Any, known: tuple[str, ...]) -> str:
    """Which of the archetypes that are `known` here (module and name below `rollick.archetypes`) a system is an instance of; "" for none of them."""
    for base in type(system).__mro__:
        name = f"{base.__module__}.{base.__qualname__}".removeprefix(HOME)
        if name in known:
            return name
    return ""
