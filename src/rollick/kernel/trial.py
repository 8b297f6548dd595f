"""A user's functions are tried once before they are trusted.

Compiled code does not look where it writes: a `rate` that sets out[5] of a system with two states overwrites something else's memory,
and an entry it forgets keeps what happened to be there. So the first time that a type of system somebody else defined is used, its
functions run between *margins*: arrays of the right size with room on both sides, all of it filled with NaNs that nothing else produces.
Afterwards every entry must have changed and no margin may have. That is the same machine code that runs later, so the trial costs one
call; it sees only what is done at that time and state.
"""

from __future__ import annotations

import dis
import inspect
from functools import cache
from typing import Any

import numpy as np

from .contents import implementers
from .dispatch import Generic
from .evaluate import rate_at, signals_along
from .names import InputError, called
from .not_compiled import explained
from .sources import is_foreign
from .system import description, integrals, rate, rate_with_integrals, signals

MARGIN = 1 << 15  # entries on either side; an index farther off than that is not a slip
UNTOUCHED = 0x7FF8_0000_5261_7721  # quiet NaNs with payloads of their own
BEYOND = 0x7FF8_0000_5261_7722

_tried: set[Any] = set()


class Margins:
    """An array of numbers with NaNs of one kind on both sides, and in it until it is filled."""

    def __init__(self, size: int, mark: int):
        self.size, self.mark = size, mark
        self.bits = np.full(size + 2 * MARGIN, mark, np.int64)
        self.inside = self.bits.view(float)[MARGIN : MARGIN + size]

    def touched_outside(self) -> int | None:
        """The index, counted from the first entry, of something written outside; the nearest one."""
        changed = np.flatnonzero(self.bits != self.mark) - MARGIN
        outside = changed[(changed < 0) | (changed >= self.size)]
        return int(outside[np.argmin(np.abs(outside))]) if outside.size else None

    def holding(self, mark: int) -> np.ndarray:
        """The indices of the entries that are NaNs of a kind (whatever their sign: arithmetic passes a NaN on, or minus it)."""
        return np.flatnonzero(self.inside.view(np.int64) & np.int64(0x7FFF_FFFF_FFFF_FFFF) == mark)


def parts(system: Any) -> Any:
    """The types a system is made of, nested as it is."""
    if isinstance(system, tuple):
        return (type(system), *(parts(part) for part in system))
    return type(system)


def foreign(system: Any) -> bool:
    """Whether a type that a system is made of, or what is registered for it, is not defined in Rollick. Quick enough for every simulation."""
    for part in system:
        if isinstance(part, tuple) and foreign(part):
            return True
    kind: Any = type(system)
    return kind in implementers and is_foreign_type(kind, *implementers[kind].values())


@cache
def is_foreign_type(kind: Any, *registered: Any) -> bool:
    """Whether a type, or one of the functions registered for it, is not defined in Rollick."""
    return any(is_foreign(thing.__module__) for thing in (kind, *registered))


def reads_time(system: Any) -> bool:
    """Whether the rate that somebody else wrote for a type of system uses the time: whether its code reads its second argument."""
    found = rate.generic.find((type(system),))
    if found is None or not is_foreign(found[1].__module__):
        return False
    code = inspect.unwrap(getattr(found[1], "py_func", found[1])).__code__
    if code.co_argcount < 2:
        return False
    time = code.co_varnames[1]
    reads = [
        step.argval for step in dis.get_instructions(code) if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE"))
    ]
    return any(time == name or (isinstance(name, tuple) and time in name) for name in reads)


def try_once(system: Any, t: float, y: np.ndarray) -> None:
    """Try the rate of a system (with its integrals, if `system` accumulates them), unless its type is Rollick's own or was tried before.

    Raises `InputError` with what is wrong: an entry that is not set, or one that does not exist.
    """
    if not foreign(system) or (key := ("rate", parts(system))) in _tried:
        return
    about = description(_described(system))
    names = [q.name for q in (*about.states, *about.integrals)][: len(y)]
    n = len(about.states)
    if len(y) > n and not (_known(integrals, system) or _known(rate_with_integrals, system)):
        raise TypeError(integrals.complaint(type(_described(system))))
    state, out = _state(y), Margins(len(y), UNTOUCHED)
    _run(system, "rate", lambda: rate_at(system, float(t), state.inside, out.inside))

    def entry(i: int) -> str:
        return f"out[{i}], the rate of {names[i]}" if i < n else f"the rate of the integral {names[i]}"

    _judge(system, "rate" if len(y) <= n else "rate or integrals", state, y, out, entry)
    _tried.add(key)


def try_signals(system: Any, t: float, y: np.ndarray) -> None:
    """As `try_once`, for the signals of a system."""
    if not foreign(system) or (key := ("signals", parts(system))) in _tried:
        return
    if not _known(signals, system):
        raise TypeError(signals.complaint(type(system)))
    names = [q.name for q in description(system).signals]
    state, out = _state(y), Margins(len(names), UNTOUCHED)
    _run(system, "signals", lambda: signals_along(system, np.full(1, float(t)), state.inside[None, :], out.inside[None, :]))
    _judge(system, "signals", state, y, out, lambda i: f"out[{i}], the signal {names[i]}")
    _tried.add(key)


def _described(system: Any) -> Any:
    """What a wrapper without a description of its own is about."""
    while True:
        try:
            description(system)
            return system
        except TypeError:
            inner = [part for part in system if isinstance(part, tuple)]
            if len(inner) != 1:
                raise
            system = inner[0]


def _known(function: Any, system: Any) -> bool:
    """Whether a generic has an implementation for a system, or for what it wraps."""
    table: Generic = function.generic
    return any(table.find((type(thing),)) is not None for thing in (system, _described(system)))


def _state(y: np.ndarray) -> Margins:
    state = Margins(len(y), BEYOND)
    state.inside[:] = y
    return state


def _run(system: Any, what: str, call: Any) -> None:
    try:
        with np.errstate(all="ignore"), explained(_described(system)):
            call()
    except IndexError as error:  # without the compiler, or a tuple
        raise InputError(f"`{what}` of {called(_described(system))} asks for an entry that does not exist: {error}.") from error


def _judge(system: Any, what: str, state: Margins, y: np.ndarray, out: Margins, entry: Any) -> None:
    name = called(_described(system))
    beyond = out.touched_outside()
    if beyond is not None:
        where = f"out[{beyond}]" if beyond >= 0 else f"out[{beyond - out.size}]"
        raise InputError(
            f"`{what}` of {name} writes {where}, but there are {out.size} entries, out[0] to out[{out.size - 1}]: {_list(entry, out.size)}. "
            f"Correct the index, or describe({name}, ...) what is missing."
        )
    changed = np.flatnonzero(state.inside.view(np.int64) != np.asarray(y, float).view(np.int64))
    if changed.size or state.touched_outside() is not None:
        i = int(changed[0]) if changed.size else state.touched_outside()
        raise InputError(f"`{what}` of {name} changes y[{i}]; it may only read y, and writes its results to out.")
    forgotten = out.holding(UNTOUCHED)
    if forgotten.size:
        raise InputError(
            f"`{what}` of {name} does not set {', '.join(entry(int(i)) for i in forgotten)}; set every entry of out, if only to 0.0."
        )
    if out.holding(BEYOND).size:
        raise InputError(
            f"`{what}` of {name} reads beyond its {state.size} states: {entry(int(out.holding(BEYOND)[0]))} comes from no state. "
            f"y[0] to y[{state.size - 1}] exist."
        )


def _list(entry: Any, size: int) -> str:
    shown = [entry(i) for i in range(min(size, 8))]
    return "; ".join(shown) + ("; ..." if size > 8 else "")
