"""The numbers that a function takes from outside, made its arguments.

    for level in levels:
        simulate(..., events=lambda t, y: y[0] - level)

Numba compiles `level` into the machine code as a constant, so that each new value costs a compilation. Here the function is rewritten to
f(t, y, level), once for all values: a default, a number from an enclosing function or from the module becomes an argument after its own.
The rewriting is of the bytecode, instruction by instruction; whatever is not understood is left as it was (None), and compiled as before.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)
ONE_PLACE = ("LOAD_FAST", "STORE_FAST", "DELETE_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "LOAD_FAST_BORROW")
TWO_PLACES = ("LOAD_FAST_LOAD_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")
REFUSED = (
    "MAKE_CELL",
    "LOAD_CLOSURE",
    "STORE_DEREF",
    "DELETE_DEREF",
    "LOAD_CLASSDEREF",
    "LOAD_FROM_DICT_OR_DEREF",
    "STORE_GLOBAL",
)
UNUSUAL = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE


class Split(NamedTuple):
    """A function whose numbers from outside are arguments, and these numbers: defaults first, then what it captured."""

    function: Callable
    values: tuple[Any, ...]


def is_number(value: Any) -> bool:
    """Whether a value is a plain number, so that it can be an argument."""
    return isinstance(value, NUMBERS)


def outside(f: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The numbers that a function captures from enclosing functions, and those it reads from its module."""
    code = f.__code__
    cells = {}
    for name, cell in zip(code.co_freevars, f.__closure__ or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # an empty cell
            continue
    read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    module = {name: f.__globals__[name] for name in sorted(read) if name in f.__globals__}
    return {k: v for k, v in cells.items() if is_number(v)}, {k: v for k, v in module.items() if is_number(v)}


def split(f: Any) -> Split | None:
    """The function with its numbers as arguments, or None if it has none, or is not understood."""
    code = f.__code__
    defaults = f.__defaults__ or ()
    if code.co_cellvars or code.co_kwonlyargcount or code.co_flags & UNUSUAL or not all(map(is_number, defaults)):
        return None
    captured, module = outside(f)
    values = (*defaults, *captured.values(), *module.values())
    if not values:
        return None
    if not (captured or module):
        return Split(FunctionType(code, f.__globals__, f.__name__, None, f.__closure__), values)
    changed = rewritten(code, [*captured, *module], set(captured))
    if changed is None:
        return None
    cells: tuple[CellType, ...] = tuple(cell for name, cell in zip(code.co_freevars, f.__closure__ or ()) if name not in captured)
    return Split(FunctionType(changed, f.__globals__, f.__name__, None, cells or None), values)


def rewritten(code: CodeType, names: list[str], captured: set[str]) -> CodeType | None:
    """The code with `names` as further arguments; those in `captured` were free variables, the others globals. None if not understood."""
    own, extra = code.co_argcount, len(names)
    local = len(code.co_varnames)
    left = [name for name in code.co_freevars if name not in captured]
    opcodes, text = dis.opmap, bytearray(code.co_code)

    def place(old: int) -> int:
        """Where a variable is now: arguments, the new ones, locals, free variables."""
        if old < own:
            return old
        if old < local:
            return old + extra
        name = code.co_freevars[old - local]
        return own + names.index(name) if name in captured else local + extra + left.index(name)

    widened = False
    for instruction in dis.get_instructions(code):
        at, name, arg = instruction.offset, instruction.opname, instruction.arg or 0
        if name in REFUSED:
            return None
        new = None
        if name in ONE_PLACE or name == "LOAD_DEREF":
            new = place(arg)
            if name == "LOAD_DEREF" and instruction.argval in captured:
                text[at] = opcodes["LOAD_FAST"]
        elif name in TWO_PLACES:
            first, second = place(arg >> 4), place(arg & 15)
            if max(first, second) > 15:
                return None
            new = first << 4 | second
        elif name == "COPY_FREE_VARS":
            new = len(left)
            if not left:
                text[at] = opcodes["NOP"]
        elif name == "LOAD_GLOBAL" and instruction.argval in names and instruction.argval not in captured:
            if arg & 1:  # it is called
                return None
            text[at], new = opcodes["LOAD_FAST"], own + names.index(instruction.argval)
            after = at + 2
            while after < len(text) and text[after] == opcodes["CACHE"]:
                text[after], text[after + 1] = opcodes["NOP"], 0
                after += 2
        elif "FAST" in name or "DEREF" in name:
            return None
        if new is not None:
            if widened or new > 255:
                return None
            text[at + 1] = new
        widened = name == "EXTENDED_ARG"
    return code.replace(
        co_code=bytes(text),
        co_argcount=own + extra,
        co_nlocals=code.co_nlocals + extra,
        co_varnames=(*code.co_varnames[:own], *names, *code.co_varnames[own:]),
        co_freevars=tuple(left),
    )
