"""What every motion needs besides its own equations, compiled by a second process while this one compiles those.

The control of steps and the search for events know systems by addresses only (`ode.erased`, `events.erased`), and are the same machine code for all of
them: two thirds of what a first motion compiles. So are impacts and the algebra of contacts (`contact.by_address`, `filippov.algebra.code`): a third of what a first motion from event to
event does.
"""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
from numba import typeof, types

from ..kernel import shipped
from ..kernel.cache import cache_directory
from ..kernel.second_process import can_start, compilers, end_with_starter, start
from .events.at_ends import is_zero
from .events.erased import SwitchAt
from .events.event import DIRECTIONS
from .events.probe import probe
from .events.scan import begin, scan
from .events.shape import TABLES
from .events.standing import COLUMNS
from .ode import control as c
from .ode.block import Tolerance, empty_block
from .ode.dop853 import ROWS
from .ode.erased import NO_SYSTEM
from .ode.explicit import advance_explicit
from .ode.later import Later

_asked = [False]
_asked_contacts = [False]


def name_of(function: Any) -> str:
    """A compiled function by its module and name."""
    return f"{function.py_func.__module__}.{function.py_func.__qualname__}"


def signatures() -> dict[Any, tuple[Any, ...]]:
    """The functions, and the types of the arguments that every motion calls them with."""
    one = np.zeros(1)
    block = empty_block(1, 1, one, np.zeros((1, 1)), True, True, False)
    p, latest = probe(SwitchAt(0, 0), None, 1, 1e-9, one), np.zeros((1, COLUMNS))
    source = Later(NO_SYSTEM, np.zeros((ROWS, 1)))
    room = np.zeros((1, 5)), np.zeros((1, 1))
    given: dict[Any, tuple[Any, ...]] = {
        scan: (source, p, block.ts, block.ys, block.fs, 1, latest, DIRECTIONS["both"], True, *room, TABLES, begin(p, latest)),
        is_zero: (p, 0, 0.0),
        advance_explicit: (NO_SYSTEM, np.zeros(c.SIZE), one, np.zeros((ROWS, 1)), Tolerance(1e-9, one), block),
    }
    return {function: tuple(map(typeof, arguments)) for function, arguments in given.items()}


def shares(count: int) -> list[list[Any]]:
    """What each of `count` other processes compiles, in the order in which this one will ask for it."""
    if count < 1:
        return []
    return [[is_zero, scan]] if count == 1 else [[scan], [advance_explicit, is_zero]]


def compile_ahead() -> None:
    """Let other processes compile what every motion with events needs, unless the cache has it; once in a process."""
    if _asked[0] or not can_start():
        return
    _asked[0] = True
    if any(any(folder.glob("scan.scan-*.code")) for folder in (cache_directory(), shipped.FOLDER)):
        return
    for share in shares(compilers() - 1):
        start(__name__, map(name_of, share))


def impact_of(contacts: int) -> tuple[Any, tuple[Any, ...]]:
    """The function of an impact of a free body with so many contacts, as compiled code calls it, and the types of its arguments."""
    from .contact.by_address import free_body
    from .event_driven.memory import memory
    from .event_driven.resting import hit

    body = free_body(contacts)
    m = memory(body)
    kind = typeof(m)
    blows, touching = kind.typeof("blows"), kind.typeof("touching")
    return hit.inside, (typeof(body), types.float64, typeof(np.zeros(1)), touching, blows)


def compile_contacts_ahead(contacts: int) -> None:
    """Let another process compile what every motion from event to event needs of a free body with so many contacts, unless the cache has it; once in a process."""
    if _asked_contacts[0] or not can_start():
        return
    _asked_contacts[0] = True
    function, kinds = impact_of(contacts)
    if function._cache.is_kept(kinds, function.targetctx):
        return
    from .filippov.algebra.code import entry_of_futures

    start(__name__, [str(contacts), name_of(function), name_of(entry_of_futures(contacts))])


def main(names: list[str]) -> None:
    """In the other process: compile the functions of these names, one after the other; or, behind a number of contacts, those of such bodies."""
    end_with_starter()
    gc.disable()
    if names[0].isdigit():
        from .filippov.algebra.code import futures_code

        function, kinds = impact_of(int(names[0]))
        function.compile(kinds)
        futures_code(min(int(names[0]), 2))
        return
    known = {name_of(function): (function, kinds) for function, kinds in signatures().items()}
    for name in names:
        function, kinds = known[name]
        function.compile(kinds)


if __name__ == "__main__":
    main(sys.argv[1:])
