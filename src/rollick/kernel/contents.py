"""What a user's function does, as it stands in memory: its bytecode, and all it takes from outside.

Machine code contains the values of global and enclosing variables (the number of states of a chain whose length is an option, say)
and what the function calls, wherever that is defined. A source file does not tell: it may be read with other options, or have been
edited since. Of Rollick's own functions the name suffices, since its sources are fingerprinted as a whole.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

KNOWN = {"rollick", "numpy", "numba", "numba_cuda", "scipy", "llvmlite", *sys.stdlib_module_names}  # by name and version


def _followed(module: str | None) -> bool:
    """Whether what a module defines is looked into, rather than taken by its name."""
    return (module or "").partition(".")[0] not in KNOWN or module == "__main__"


def content(functions: Iterable[Any]) -> str:
    """A hash of what some functions do, following what they refer to."""
    digest = hashlib.sha256()
    seen: set[int] = set()
    for function in functions:
        for word in _function(function, seen):
            digest.update(f"{word}\n".encode())
    return digest.hexdigest()[:16]


def _function(function: Any, seen: set[int]) -> Iterator[str]:
    """A Python function (or a compiled one): its name, its code, and the values of the names in it."""
    function = getattr(function, "py_func", function)
    yield f"{function.__module__}.{function.__qualname__}"
    if id(function) in seen:
        return
    seen.add(id(function))
    yield from _code(function.__code__)
    yield from _value(function.__defaults__, seen)
    for cell in function.__closure__ or ():
        try:
            yield from _value(cell.cell_contents, seen)
        except ValueError:  # not filled yet
            yield "empty"
    names = sorted(set(_names(function.__code__)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name
            yield from _value(value, seen)
            if isinstance(value, ModuleType) and _followed(value.__name__):
                for attribute in sorted(set(names) & set(vars(value))):  # what may be meant by `module.attribute`
                    yield attribute
                    yield from _value(vars(value)[attribute], seen)


def _code(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield from _value(constant, set())


def _names(code: CodeType) -> Iterator[str]:
    """The global names and attributes in a piece of code and in the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _value(value: Any, seen: set[int]) -> Iterator[str]:
    """A value that machine code may contain."""
    generic = getattr(value, "generic", None)
    if generic is not None and hasattr(generic, "implementations"):
        yield f"generic {value.__module__}.{value.__qualname__}"
        if _followed(value.__module__) and id(generic) not in seen:
            seen.add(id(generic))
            for implementation in generic.implementations():
                yield from _function(implementation, seen)
    elif isinstance(value, FunctionType) or hasattr(value, "py_func"):
        function = getattr(value, "py_func", value)
        if _followed(function.__module__):
            yield from _function(function, seen)
        else:
            yield f"{function.__module__}.{function.__qualname__}"
    elif isinstance(value, (np.ndarray, np.generic)):
        yield f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    elif isinstance(value, (tuple, list)):
        yield f"{type(value).__qualname__} {len(value)}"
        for item in value:
            yield from _value(item, seen)
    elif isinstance(value, frozenset):
        yield from sorted(word for item in value for word in _value(item, seen))
    elif isinstance(value, type):
        yield f"{value.__module__}.{value.__qualname__}"
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, Enum)):
        yield f"{type(value).__qualname__} {value!r}"
    else:  # a built-in function, a ufunc, or something that machine code cannot contain
        name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
        yield f"{type(value).__qualname__} {getattr(value, '__module__', '')}.{name}"
