"""The quantities that are measured: on a CPU by addresses, one machine code for all; on a GPU as a chain that is compiled into the kernel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel.compiled import compiled
from ..kernel.dispatch import generic
from ..motion.events.erased import SwitchAt
from ..motion.events.functions import switch_values
from ..motion.events.probe import Probe


class ByAddress(NamedTuple):
    """Quantities by the addresses of their data and of their code."""

    data: np.ndarray
    codes: np.ndarray


class Last(NamedTuple):
    """The end of a chain."""


class Link(NamedTuple):
    """A quantity, and those after it."""

    head: Any
    tail: Any


class Picked(NamedTuple):
    """The quantity of a number in a chain."""

    chain: Any
    number: int


def chained(switches: list[Any]) -> Any:
    """Quantities as a chain."""
    chain: Any = Last()
    for switch in reversed(switches):
        chain = Link(switch, chain)
    return chain


@generic
def event_at(watching, m):
    """The m-th quantity."""


@event_at.register(ByAddress)
def _(watching, m):
    return SwitchAt(watching.data[m], watching.codes[m])


@event_at.register(Link)
def _(watching, m):
    return Picked(watching, m)


@event_at.register(Last)
def _(watching, m):
    return Picked(watching, m)


@generic
def write_of(chain, number, system, t, y, out):
    """Write the value of the quantity of a number in a chain."""


@write_of.register(Last)
def _(chain, number, system, t, y, out):
    out[0] = 0.0


@write_of.register(Link)
def _(chain, number, system, t, y, out):
    if number == 0:
        switch_values(chain.head, system, t, y, out)
    else:
        write_of(chain.tail, number - 1, system, t, y, out)


@switch_values.register(Picked)
def _(picked, system, t, y, out):
    write_of(picked.chain, picked.number, system, t, y, out)


@compiled
def looking_at(p, of, watching, m):
    """The probe of the m-th quantity, in the memory of another one."""
    return Probe(event_at(watching, m), of, p.box, p.note, p.g, p.zeros, p.desk)
