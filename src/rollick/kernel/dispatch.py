"""Compile-time dispatch: free functions whose implementation is chosen by the types of their arguments.

    @generic
    def support(shape, direction): "The farthest point of the shape in a direction."

    @support.register(Ellipsoid)
    def _(shape, direction): ...

Called from Python, the implementation is looked up; inside compiled code (CPU or CUDA) it is resolved while compiling, so
that it costs nothing at run time and every combination of types becomes machine code of its own. Types are
``NamedTuple`` classes; ``register(A, B)`` dispatches on the first two arguments and wins over ``register(A)``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from numba.extending import overload

from .cache import implementers
from .compiled import OPTIONS


class Generic:
    """A function with one implementation per type (or tuple of types) of its leading arguments."""

    def __init__(self, stub: Callable):
        self.__name__: str = stub.__name__
        self.__doc__ = stub.__doc__
        self.table: dict[tuple[type, ...], Callable] = {}
        self.default: Callable | None = None
        self.used: set[tuple[type, ...]] = set()  # keys that compiled code already contains
        self._widths: list[int] = []

    def find(self, kinds: tuple[Any, ...]) -> tuple[tuple[type, ...], Callable] | None:
        """The most specific registration for these argument types."""
        for width in self._widths:
            key = kinds[:width]
            if key in self.table:
                return key, self.table[key]
        return None

    def __call__(self, *args):
        found = self.find(tuple(type(a) for a in args))
        if found is not None:
            return found[1](*args)
        if self.default is not None:
            return self.default(*args)
        raise TypeError(self.complaint(type(args[0]) if args else None))

    def knows(self, cls: type) -> bool:
        """Whether an implementation is registered whose first argument is of this class."""
        return any(key[0] is cls for key in self.table)

    def complaint(self, cls: type | None) -> str:
        """What to tell somebody who called this with a type it does not know."""
        name = getattr(cls, "__name__", str(cls))
        known = ", ".join(sorted({key[0].__name__ for key in self.table})) or "none yet"
        return (
            f"`{self.__name__}` has no implementation for {name}; known: {known}. Add one with @{self.__name__}.register({name})."
        )

    def register(self, *classes: type) -> Callable[[Callable], Callable]:
        """Decorator: the implementation for these types of the leading arguments."""
        for cls in classes:
            if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
                raise TypeError(
                    f"`{self.__name__}` dispatches on NamedTuple classes, not on {cls!r}; write `class {getattr(cls, '__name__', 'Thing')}(NamedTuple): ...`."
                )

        def keep(implementation: Callable) -> Callable:
            if classes in self.used and self.table[classes] is not implementation:
                names = ", ".join(c.__name__ for c in classes)
                raise RuntimeError(
                    f"`{self.__name__}` for {names} is already part of compiled code and cannot be replaced in this process. "
                    f"Run the cell that defines class {classes[0].__name__} again first, or restart Python."
                )
            self.table[classes] = implementation
            self._widths = sorted({len(key) for key in self.table}, reverse=True)
            for cls in classes:
                implementers.setdefault(cls, set()).add(implementation.__module__)
            return implementation

        return keep

    def otherwise(self, implementation: Callable) -> Callable:
        """Decorator: the implementation for every type that has none of its own."""
        self.default = implementation
        return implementation


def generic(stub: Callable) -> Any:
    """Make a generic function of a signature; the body of `stub` is never run, its docstring is kept."""
    generic_function = Generic(stub)
    names = list(inspect.signature(stub).parameters)

    def choose(*kinds):
        found = generic_function.find(tuple(getattr(k, "instance_class", None) for k in kinds))
        if found is None:
            return generic_function.default
        generic_function.used.add(found[0])
        return found[1]

    # Numba reads the argument names off the overload's signature, so that it must be written out.
    scope: dict[str, Any] = {"choose": choose}
    exec(f"def resolve({', '.join(names)}):\n    return choose({', '.join(names)})", scope)

    # Numba wants a plain function to hang the overload on; it also serves Python callers.
    @functools.wraps(stub)
    def call(*args):
        return generic_function(*args)

    overload(call, strict=False, jit_options={"error_model": OPTIONS["error_model"], "fastmath": OPTIONS["fastmath"]})(
        scope["resolve"]
    )
    for name in ("register", "otherwise", "knows", "complaint", "table"):
        setattr(call, name, getattr(generic_function, name))
    return call
