"""What a user's function does, as it stands in memory: its bytecode, and all it takes from outside.

Machine code contains the values of global and enclosing variables (the number of states of a chain whose length is an option, say)
and what the function calls, wherever that is defined. A source file does not tell: it may be read with other options, or have been
edited since. Of Rollick's own functions the name suffices, since its sources are fingerprinted as a whole.

Followed are modules within modules (`constants.planets.G`), functions and their overloads, generics, enumerations, and the classes of
tuples that are built on the way, with their defaults and all that is registered for them. What Numba can put into machine code and
is not understood here (a C function, say) has no fingerprint: code that uses it is not kept.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from .overloads import overloaded_attributes, overloads_of

KNOWN = {"rollick", "numpy", "numba", "numba_cuda", "scipy", "llvmlite", "builtins"}  # by name and version
STANDARD = tuple(os.path.realpath(path) + os.sep for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})

# The implementations registered for a class: class -> {(name of the generic, types it is registered for): function}; see `dispatch`.
# Under `object` stand those that serve every type.
implementers: dict[type, dict[tuple[str, tuple[type, ...]], Callable]] = {}


class NotKnown(Exception):
    """Something that machine code may contain and that has no fingerprint."""


@functools.cache
def _standard(top: str) -> bool:
    """Whether a module is Python's own, and not a user's file of the same name."""
    if top not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(top), "__file__", None)
    return file is None or os.path.realpath(file).startswith(STANDARD)


def _followed(module: str | None) -> bool:
    """Whether what a module defines is looked into, rather than taken by its name."""
    top = (module or "").partition(".")[0]
    return module == "__main__" or not (top in KNOWN or _standard(top))


def content(functions: Iterable[Any]) -> str | None:
    """A hash of what some functions do, following what they refer to; None if that cannot be known."""
    digest = hashlib.sha256()
    seen: set[int] = set()
    try:
        for function in functions:
            for word in _function(function, seen):
                digest.update(f"{word}\n".encode())
    except NotKnown:
        return None
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
    for name, value in sorted((function.__kwdefaults__ or {}).items()):
        yield name
        yield from _value(value, seen)
    names = set(_names(function.__code__))
    for cell in function.__closure__ or ():
        try:
            yield from _value(cell.cell_contents, seen)
            yield from _attributes(cell.cell_contents, names, set(), seen)
        except ValueError:  # not filled yet
            yield "empty"
    for name in sorted(names & set(function.__globals__)):
        value = function.__globals__[name]
        yield name
        yield from _value(value, seen)
        yield from _attributes(value, names, set(), seen)
    for name, implementation in overloaded_attributes(names):
        if _followed(implementation.__module__):
            yield f"attribute {name}"
            yield from _function(implementation, seen)


def _attributes(value: Any, names: set[str], path: set[int], seen: set[int]) -> Iterator[str]:
    """What may be meant by `value.attribute`, or by `value.attribute.attribute`, if the value is a module of the user's."""
    if not isinstance(value, ModuleType) or not _followed(value.__name__) or id(value) in path:
        return
    path.add(id(value))
    for attribute in sorted(names & set(vars(value))):
        yield attribute
        yield from _value(vars(value)[attribute], seen)
        yield from _attributes(vars(value)[attribute], names, path, seen)


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


def _python_function(value: Any) -> Any:
    """The Python function inside a compiled function, a ufunc of Numba's, an intrinsic or a callback; None if there is none."""
    if isinstance(value, FunctionType):
        return value
    for name in ("py_func", "_defn", "_pyfunc"):
        if isinstance(getattr(value, name, None), FunctionType):
            return getattr(value, name)
    return getattr(getattr(value, "_dispatcher", None), "py_func", None)


def _value(value: Any, seen: set[int]) -> Iterator[str]:
    """A value that machine code may contain."""
    generic = getattr(value, "generic", None)
    if generic is not None and hasattr(generic, "implementations"):
        yield f"generic {value.__module__}.{value.__qualname__}"
        if _followed(value.__module__) and id(generic) not in seen:
            seen.add(id(generic))
            for implementation in generic.implementations():
                yield from _function(implementation, seen)
    elif isinstance(value, type):
        yield from _class(value, seen)
    elif _python_function(value) is not None:
        yield from _callable(value, _python_function(value), seen)
    elif isinstance(value, (np.ndarray, np.generic)):
        yield f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    elif isinstance(value, (tuple, list)):
        yield from _class(type(value), seen)
        yield str(len(value))
        for item in value:
            yield from _value(item, seen)
    elif isinstance(value, frozenset):
        yield from sorted(word for item in value for word in _value(item, seen))
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, Enum, np.dtype, types.Type)):
        yield f"{type(value).__qualname__} {value!r}"
    else:
        yield from _other(value, seen)


def _callable(value: Any, function: Any, seen: set[int]) -> Iterator[str]:
    """A function, compiled or not, and what Numba was told about it."""
    yield type(value).__qualname__
    if _followed(function.__module__):
        yield from _function(function, seen)
    else:
        yield f"{function.__module__}.{function.__qualname__}"
    yield from _overloads(value, seen)


def _overloads(value: Any, seen: set[int]) -> Iterator[str]:
    for implementation in overloads_of(value):
        if _followed(implementation.__module__):
            yield "overload"
            yield from _function(implementation, seen)


def _class(cls: type, seen: set[int]) -> Iterator[str]:
    """A class: an enumeration with its members, a NamedTuple with its defaults and what is registered for it, a compiled class."""
    yield f"{cls.__module__}.{cls.__qualname__}"
    if id(cls) in seen:
        return
    seen.add(id(cls))
    for key, implementation in sorted(implementers.get(cls, {}).items(), key=lambda item: str(item[0])):
        if _followed(implementation.__module__):
            yield str(key)
            yield from _function(implementation, seen)
    yield from _overloads(cls, seen)
    if not _followed(cls.__module__):
        return
    if issubclass(cls, Enum):
        for name, member in cls.__members__.items():
            yield f"{name} {member.value!r}"
    elif hasattr(cls, "_fields"):
        yield repr(cls._fields)
        for name, default in sorted(getattr(cls, "_field_defaults", {}).items()):
            yield name
            yield from _value(default, seen)
    elif hasattr(cls, "class_type"):
        yield repr(cls.class_type.struct)
        for methods in (cls.class_type.jit_methods, cls.class_type.jit_static_methods):
            for name, method in sorted(methods.items()):
                yield name
                yield from _function(method, seen)
        for name, accessors in sorted(cls.class_type.jit_props.items()):
            for method in (accessors[kind] for kind in sorted(accessors)):
                yield name
                yield from _function(method, seen)


def _other(value: Any, seen: set[int]) -> Iterator[str]:
    """A built-in function or a ufunc, by its name; something that machine code cannot contain; or `NotKnown`."""
    home = getattr(value, "__module__", None) or type(value).__module__
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    yield f"{type(value).__qualname__} {home}.{name}"
    yield from _overloads(value, seen)
    if name and not _followed(home):
        return
    try:
        numba.typeof(value)
    except (TypeError, ValueError):
        return  # Numba would not compile it
    raise NotKnown(name)
