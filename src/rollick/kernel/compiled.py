"""The one decorator that turns a function of the package into machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from .cache import SourceKeyedCache
from .passes import Passes
from .sources import is_foreign
from .target import OwnCompiler, OwnDispatcher, Settings

DISABLED: bool = getattr(numba.config, "DISABLE_JIT", 0) != 0

# error_model: a division by zero gives inf or nan, which the integrators notice, instead of an exception.
# contract: a*b + c may become one fused instruction, as a GPU does anyway; no other liberty is taken with arithmetic.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "fastmath": {"contract"}}


class _Forgetful(dict):
    """Numba remembers that a function did not compile; here it tries again, for the user may have mended what was wrong."""

    def __setitem__(self, key, value):
        pass


BARE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # machine code that only machine code can call
FOR_PYTHON: dict[str, Any] = {"no_cfunc_wrapper": True}  # nothing of the package is called as a function of C


# What Numba says of a function that gives arrays back, or makes some, and does not count references.
NEEDED = ("Only accept returning of array", "NRT required but not enabled")


def _holds_array(kind: Any) -> bool:
    """Whether values of a type contain arrays."""
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_array, kind.types))  # type: ignore[attr-defined]
    return not isinstance(kind, (types.Number, types.Boolean, types.NoneType, types.Literal, types.Omitted))


def _passes_arrays_on(made: Any) -> bool:
    """Whether machine code gives arrays back, or calls compiled functions that do."""
    note = made.type_annotation
    calls = [
        signature.return_type
        for expression, signature in note.calltypes.items()
        if getattr(expression, "op", "") == "call" and isinstance(note.typemap.get(expression.func.name), types.Dispatcher)
    ]
    return any(map(_holds_array, [made.signature.return_type, *calls]))


class _Inherited(Settings):
    """The settings of a function that may not count references; what Numba itself adds to it, and keeps for others, does (`copy` is what that inherits).

    What is kept for others is kept under the copy. It tells no ways in: otherwise all that is generic would be compiled twice, for callers
    with and without one.
    """

    def copy(self) -> Any:
        made = Settings.like(self)
        made._values.update(BARE, nrt=True)
        made._values.pop("release_gil", None)  # of the way in, too
        return made


class _Compiler(OwnCompiler):
    """How functions of the package are compiled: without counting references to arrays.

    Hardly any machine code of the package makes arrays: they belong to Python, which keeps them while a call lasts, or to the stack. Numba would
    count references to each slice all the same, with atomic operations: more than half of the time of a time step. Functions that make
    arrays, give some back or get some from others do count, and so does code of users.
    """

    def __init__(self, py_func: Any, *more: Any):
        super().__init__(py_func, *more)
        self.counts = self.always_counts = is_foreign(py_func.__module__)
        self._failed_cache = _Forgetful()

    def _customize_flags(self, flags: Any) -> Any:
        # both set either way: otherwise a function is compiled as its caller is, and is another one for who asks first
        flags.nrt, flags.forceinline = self.counts, bool(self.targetoptions.get("forceinline"))
        return _Inherited.like(flags)

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        """The machine code for some types of arguments, without what was only needed to make it."""
        made = self._compile_counting_if_need_be(args, return_type)
        made.library.forget_copies()
        return made._replace(type_annotation="")

    def _compile_counting_if_need_be(self, args: Any, return_type: Any) -> Any:
        if self.always_counts:
            return super()._compile_core(args, return_type)
        try:
            made = super()._compile_core(args, return_type)
            if not _passes_arrays_on(made):
                return made
        except NumbaError as error:
            if not any(words in str(error) for words in NEEDED):
                raise
        self.counts = True
        try:
            return super()._compile_core(args, return_type)
        finally:
            self.counts = False


def _of_any_value(kind: Any) -> Any:
    """The type of an argument without the whole numbers and truth values that it has."""
    if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)):
        return types.unliteral(kind)
    if isinstance(kind, (types.Tuple, types.UniTuple)):
        return types.Tuple([_of_any_value(part) for part in kind])
    return kind


class _Inside(OwnDispatcher):
    """A function as machine code calls it. It needs nothing that takes Python objects apart."""

    compiler_kind = _Compiler

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a compiled caller asks for, with whole numbers and truth values of any value, also in tuples.

        Numba would compile a function for each whole number that is written in a call of it, f(0, x) and f((0, 1), x), and once more for f(k, x). Only a function that
        cannot be compiled otherwise (a number is the length of an array on the stack) is compiled so.
        """
        plain = tuple(_of_any_value(a) for a in args)
        if plain == tuple(args):
            return super().get_call_template(args, kws)
        try:
            return super().get_call_template(plain, kws)
        except NumbaError:
            return super().get_call_template(args, kws)


class _Addressed(_Compiler):
    """How functions are compiled that are called by their address."""

    def _compile_counting_if_need_be(self, args: Any, return_type: Any) -> Any:
        made = super()._compile_counting_if_need_be(args, return_type)
        made.library.emit()
        return made


class _ByAddress(OwnDispatcher):
    """A function as machine code calls it that knows its address alone (`erased`)."""

    compiler_kind = _Addressed

    def address(self, signature: tuple) -> int:
        """Where the machine code for some types of arguments lies; compiled if need be, or read from the cache."""
        self.compile(signature)
        code = self.overloads[signature]
        return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


class _Outside(OwnDispatcher):
    """A function as Python calls it; compiled callers are sent to `inside`.

    What takes Python objects apart is, for arrays and tuples of them, a good part of the work; most functions are only ever called by machine code.
    """

    compiler_kind = _Compiler
    inside: _Inside
    by_address: _ByAddress

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a compiled caller asks for."""
        return self.inside.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The machine code that a compiled caller calls."""
        return self.inside.get_overload(sig)


def _dispatcher(function: Callable, cached: bool, **more: Any) -> Any:
    """A function that Python and machine code can call."""
    options = {"nopython": True, "boundscheck": None, **OPTIONS, **more}
    passes = None if is_foreign(function.__module__) else Passes
    outside = _Outside(function, targetoptions={**options, **FOR_PYTHON}, pipeline_class=passes)
    outside.inside = _Inside(function, targetoptions={**options, **BARE}, pipeline_class=passes)
    outside.by_address = _ByAddress(function, targetoptions={**options, **BARE}, pipeline_class=passes)
    if cached:
        for way, dispatcher in (("python", outside), ("inside", outside.inside), ("address", outside.by_address)):
            dispatcher._cache = SourceKeyedCache(function, way)
    return outside


def compiled(function: Callable) -> Any:
    """Compile on first call, for each combination of argument types, and keep the code on disk.

    The result can be called from Python, from other compiled functions, and inside CUDA kernels.
    ``NUMBA_DISABLE_JIT=1`` leaves the plain Python function.
    """
    return function if DISABLED else _dispatcher(function, True)


def named(function: Callable, name: str) -> Callable:
    """Give a function a name of its own within its module.

    Numba tells machine code apart by module, name, argument types and a number that is unique only within a process. Two functions of
    one name and one kind of arguments (all the `_` of a module) may therefore meet, when code from disk is linked with new code, under
    one symbol; and the linker keeps one of them. So everything that is compiled must have a name of its own.
    """
    if hasattr(function, "__code__"):
        function.__name__ = function.__qualname__ = name
    return function


def inlined(function: Callable) -> Any:
    """As `compiled`, for a piece of a formula that must cost nothing to call: it is always merged into its callers."""
    return function if DISABLED else _dispatcher(function, False, forceinline=True)


def merged(function: Callable) -> Any:
    """As `compiled`, for a step of a long chain of calls with one caller: it is compiled as a part of that caller.

    A caller's machine code is optimised together with all that it calls, so that each step of a chain is compiled once more for every step above it.
    """
    return function if DISABLED else _dispatcher(function, False, inline="always")


def compiled_uncached(function: Callable) -> Any:
    """As `compiled`, for functions made at run time (a user's event): nothing is kept on disk."""
    return function if DISABLED else _dispatcher(function, False)


def interpreted(function: Any) -> Callable:
    """A compiled function as the Python function that it was written as, for the odd call that is not worth a compilation."""
    return getattr(function, "py_func", function)
