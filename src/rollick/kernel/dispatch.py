"""Compile-time dispatch: free functions whose implementation is chosen by the types of their arguments.

    @generic
    def support(shape, direction): "The farthest point of the shape in a direction."

    @support.register(Ellipsoid)
    def _(shape, direction): ...

Called from Python, the implementation is looked up; inside compiled code (CPU or CUDA) it is resolved while compiling, so
that it costs nothing at run time and every combination of types becomes machine code of its own. Types are
``NamedTuple`` classes; ``register(A, B)`` dispatches on the first two arguments and wins over ``register(A)``.

What is compiled stays compiled: an implementation that machine code of this process already contains cannot be replaced, and one
that comes too late to be chosen is refused, rather than silently ignored.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from .cache import loaded
from .compiled import BARE, OPTIONS, named
from .contents import implementers
from .names import InputError, called
from .numba_inside import overload_registry
from .sources import is_foreign

F = TypeVar("F", bound=Callable[..., Any])


class GenericFunction(Protocol):
    """What `generic` makes of a signature: a function, to which implementations can be added."""

    __name__: str
    generic: Generic
    table: dict[tuple[type, ...], Callable[..., Any]]

    def __call__(self, *args: Any) -> Any:
        """The implementation for the types of the arguments, called."""

    def register(self, *classes: type) -> Callable[[F], F]:
        """Decorator: the implementation for these types of the leading arguments."""

    def otherwise(self, implementation: F) -> F:
        """Decorator: the implementation for every type that has none of its own."""

    def knows(self, cls: type) -> bool:
        """Whether an implementation is registered whose first argument is of this class."""

    def complaint(self, cls: type | None) -> str:
        """What to tell somebody who called this with a type it does not know."""


class Generic:
    """A function with one implementation per type (or tuple of types) of its leading arguments."""

    def __init__(self, stub: Callable[..., Any]):
        self.__name__: str = stub.__name__
        self.__doc__ = stub.__doc__
        self.title = f"{stub.__module__}.{stub.__qualname__}"
        self.parameters = list(inspect.signature(stub).parameters)
        self.table: dict[tuple[type, ...], Callable[..., Any]] = {}
        self.default: Callable[..., Any] | None = None
        self.built: dict[Any, Any] = {}  # Numba's record of what was compiled: (_, argument types, ...) -> (dispatcher, _)
        self._widths: list[int] = []
        self.mistake: Callable[..., str] = lambda *args: (
            ""
        )  # what is wrong with arguments that a call from Python broke down with

    def find(self, kinds: tuple[Any, ...]) -> tuple[tuple[type, ...], Callable[..., Any]] | None:
        """The most specific registration for these argument types."""
        for width in self._widths:
            key = kinds[:width]
            if key in self.table:
                return key, self.table[key]
        return None

    def __call__(self, *args: Any) -> Any:
        found = self.find(tuple(type(a) for a in args))
        implementation = self.default if found is None else found[1]
        if implementation is not None:
            try:
                return implementation(*args)
            except (ArithmeticError, TypeError, IndexError) as error:
                wrong = self.mistake(*args)
                if wrong:
                    raise InputError(wrong) from error
                raise
        raise TypeError(self.complaint(type(args[0]) if args else None))

    def knows(self, cls: type) -> bool:
        """Whether an implementation is registered whose first argument is of this class."""
        return any(key[0] is cls for key in self.table)

    def complaint(self, cls: type | None) -> str:
        """What to tell somebody who called this with a type it does not know."""
        name = called(cls) if isinstance(cls, type) else str(cls)
        known = ", ".join(sorted({called(key[0]) for key in self.table})) or "none yet"
        return (
            f"`{self.__name__}` has no implementation for {name}; known: {known}. Add one with @{self.__name__}.register({name})."
        )

    def implementations(self) -> list[Callable[..., Any]]:
        """All implementations, in a fixed order."""
        found = [self.table[key] for key in sorted(self.table, key=str)]
        return found if self.default is None else [*found, self.default]

    def in_machine_code(self, classes: tuple[type, ...], implementation: Callable[..., Any]) -> bool:
        """Whether compiled code of this process would have to change for an implementation to be the one for these types."""
        for (_, kinds, *_), (dispatcher, _) in self.built.items():
            met = tuple(_class_of(kind) for kind in kinds)
            if dispatcher is not None and met[: len(classes)] == classes:
                key = (self.find(met) or ((), None))[0]
                inside = getattr(dispatcher.py_func, "implementation", dispatcher.py_func)
                if len(key) <= len(classes) and inside is not implementation:
                    return True
        replaced = self.table.get(classes)  # code from disk may contain it, too
        return replaced is not None and replaced is not implementation and loaded.issuperset(classes)

    def register(self, *classes: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the implementation for these types of the leading arguments."""
        for cls in classes:
            if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
                raise TypeError(
                    f"`{self.__name__}` dispatches on NamedTuple classes, not on {cls!r}; write `class {getattr(cls, '__name__', 'Thing')}(NamedTuple): ...`."
                )

        def keep(implementation: Callable[..., Any]) -> Callable[..., Any]:
            self.check_arguments(classes, implementation)
            if self.in_machine_code(classes, implementation):
                names = ", ".join(called(c) for c in classes)
                raise RuntimeError(
                    f"`{self.__name__}` for {names} is already part of compiled code and cannot be changed in this process. "
                    f"Run the cell that defines class {called(classes[0])} again first, or restart Python."
                )
            for cls in classes:
                _distinguish(cls)
            label = "_".join([self.title, *(f"{c.__module__}.{c.__name__}" for c in classes)])
            named(implementation, label.replace(".", "_").replace(" ", "_"))
            self.table[classes] = implementation
            self._widths = sorted({len(key) for key in self.table}, reverse=True)
            for cls in classes:
                implementers.setdefault(cls, {})[self.title, classes] = implementation
            return implementation

        return keep

    def check_arguments(self, classes: tuple[type, ...], implementation: Callable[..., Any]) -> None:
        """Refuse an implementation that cannot be called with the arguments of this function; compiled code would say so in pages."""
        try:
            signature = inspect.signature(implementation)
        except (TypeError, ValueError):  # not told
            return
        try:
            signature.bind(*self.parameters)
        except TypeError:
            names, wanted = ", ".join(called(c) for c in classes), ", ".join(self.parameters)
            raise TypeError(
                f"`{self.__name__}` is called as {self.__name__}({wanted}), but what is registered for {names} takes {signature}; "
                f"write `def _({wanted}): ...`."
            ) from None

    def otherwise(self, implementation: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the implementation for every type that has none of its own."""
        replaced = self.default is not None and self.default is not implementation
        if replaced and any(d is not None and d.py_func is self.default for d, _ in self.built.values()):
            raise RuntimeError(
                f"`{self.__name__}` for all other types is already part of compiled code and cannot be changed in this process. Restart Python."
            )
        self.default = named(implementation, f"{self.title}_otherwise".replace(".", "_"))
        if is_foreign(implementation.__module__) and not is_foreign(
            self.title
        ):  # part of machine code that a signature does not show
            implementers.setdefault(object, {})[self.title, ()] = implementation
        return implementation


def _shown(thing: Any) -> str:
    """A NamedTuple as Python writes it, under the name its class was given."""
    return f"{called(thing)}({', '.join(f'{name}={value!r}' for name, value in zip(thing._fields, thing))})"


_taken: dict[tuple[str, tuple[str, ...]], type] = {}


def _distinguish(cls: type) -> None:
    """Make sure that no other class has the same name and fields: by these, and not by the class, Numba looks up types it has met.

    Without this, an edited class of a notebook would run the code of its first version, and a class of one module that of another.
    A space at the end of `__name__` suffices; `names.called` tells the name as it was written.
    """
    fields = cls._fields  # type: ignore[attr-defined]
    while _taken.setdefault((cls.__name__, fields), cls) is not cls:
        cls.__name__ += " "
        if getattr(cls.__repr__, "__module__", "") == "collections":  # the one that every NamedTuple gets, which tells `__name__`
            cls.__repr__ = _shown  # type: ignore[method-assign, assignment]


def _class_of(kind: Any) -> type | None:
    """The NamedTuple class behind a Numba type."""
    return getattr(kind, "instance_class", None)


def phantom(kind: Any) -> Any:
    """A value of a Numba type that has its type and nothing else: NamedTuples of phantoms, tuples of the right length, None for the rest."""
    if isinstance(kind, types.BaseTuple):
        inside = [phantom(part) for part in kind.types]  # type: ignore[attr-defined]
        cls = _class_of(kind)
        return tuple.__new__(cls, inside) if cls is not None else tuple(inside)
    return None


_sized_by_data: set[type] = set()


def sizes_as_data(cls: type) -> type:
    """Decorator of a NamedTuple: what is a `constant` of other types is found in its fields when it is asked for."""
    _sized_by_data.add(cls)
    return cls


def _has_sizes_as_data(kind: Any) -> bool:
    """Whether a type, or that of one of its fields, has its sizes as data."""
    if _class_of(kind) in _sized_by_data:
        return True
    return isinstance(kind, types.BaseTuple) and any(map(_has_sizes_as_data, kind.types))  # type: ignore[attr-defined]


def generic(stub: Callable[..., Any]) -> GenericFunction:
    """Make a generic function of a signature; the body of `stub` is never run, its docstring is kept."""
    if not inspect.isfunction(stub):
        raise InputError(
            f"generic is a decorator for functions; write `@generic` above `def name(thing, ...): ...`, not generic({stub!r})."
        )
    return _generic(stub, False)


def constant(stub: Callable[..., Any]) -> GenericFunction:
    """As `generic`, for a whole number that the type of the arguments fixes: a size, a count.

    In compiled code it is found by running the implementation, while compiling, on a `phantom` of the arguments; so it is a literal there,
    and `local_array` can be given it. An implementation must ask for nothing but types, lengths of tuples and other such constants.
    For a type with `sizes_as_data` the number is found when it is asked for.
    """
    return _generic(stub, True)


def decided(chooser: Callable[..., Any]) -> Any:
    """A function that is one of several: `chooser`, given the arguments, returns which.

        @decided
        def solve(system, ...):
            return solve_one if contact_count(system) == 1 else solve_many

    In compiled code it is asked while compiling, with `phantom`s of the arguments, so that what is not chosen is not compiled. It must ask for
    nothing but types, lengths of tuples and `constant`s.
    """

    def choose(*kinds: Any) -> Any:
        chosen = chooser(*(phantom(kind) for kind in kinds))
        return getattr(chosen, "py_func", chosen)

    @functools.wraps(chooser)
    def call(*args: Any) -> Any:
        return chooser(*args)(*args)

    return _overloaded(call, list(inspect.signature(chooser).parameters), choose)


def _overloaded(call: Callable[..., Any], names: list[str], choose: Callable[..., Any]) -> Any:
    """A plain function `call` whose implementation in compiled code is what `choose`, given the types of the arguments, returns."""
    # Numba reads the argument names off the overload's signature, so that it must be written out.
    scope: dict[str, Any] = {"choose": choose}
    exec(f"def resolve({', '.join(names)}):\n    return choose({', '.join(names)})", scope)
    options: Any = {"error_model": OPTIONS["error_model"], "fastmath": OPTIONS["fastmath"], **BARE}
    overload(call, strict=False, jit_options=options)(scope["resolve"])
    return call


def _generic(stub: Callable[..., Any], is_constant: bool) -> GenericFunction:
    generic_function = Generic(stub)
    names = list(inspect.signature(stub).parameters)

    def choose(*kinds: Any) -> Any:
        found = generic_function.find(tuple(_class_of(kind) for kind in kinds))
        implementation = found[1] if found is not None else generic_function.default
        if implementation is None:
            raise TypingError(generic_function.complaint(_class_of(kinds[0]) or kinds[0]))
        if not is_constant:
            return implementation
        try:
            value = int(implementation(*(phantom(kind) for kind in kinds)))
        except TypeError:
            if not any(map(_has_sizes_as_data, kinds)):
                raise
            return implementation
        made = named(eval(f"lambda {', '.join(names)}: {value}"), f"{implementation.__name__}_is_{value}")
        made.implementation = implementation  # type: ignore[attr-defined]
        return made

    # Numba wants a plain function to hang the overload on; it also serves Python callers.
    @functools.wraps(stub)
    def call(*args: Any) -> Any:
        return generic_function(*args)

    function: GenericFunction = _overloaded(call, names, choose)
    templates = next(kind.templates for value, kind in reversed(overload_registry.globals) if value is call)
    generic_function.built = templates[0]._impl_cache
    function.generic = generic_function
    for name in ("register", "otherwise", "knows", "complaint", "table"):
        setattr(function, name, getattr(generic_function, name))
    return function
