"""Rollick's own target of Numba's compiler: functions of the package are compiled by rules of their own, and everybody else's by Numba's.

Numba lets a package register a target beside its own `cpu`. This one inherits all that the CPU has, and differs in five things:

- Machine code calls its own copies of other functions (`Library._finalize_final_module`).
- A function that is always merged into its callers is not optimised by itself (`Library._optimize_final_module`).
- Powers of complex numbers by whole exponents are products (`powers`).
- Settings of a compilation are compared quickly (`Settings`).
- Operations on eight numbers abreast are known here alone (`lowered`, `typed`; see `abreast`).

A user's function that was compiled with `numba.njit` can be called from here, and one of the package from there. The code of one target is never linked to that of
the other: whoever calls a function of the other target compiles it for its own (`own_twin`, `plain_twin`), as Numba's targets of GPUs do. So a user's functions and
caches are what they are without Rollick, and a power in a user's function that Rollick calls keeps its derivative.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any

from numba.extending import register_model

from .numba_inside import (
    CPU,
    CompilerSettings,
    CPUContext,
    CPUDispatcher,
    CPUTarget,
    Dispatcher,
    DispatcherType,
    FunctionCompiler,
    JITCodeLibrary,
    JITCPUCodegen,
    Linkage,
    LoweringRegistry,
    OpaqueModel,
    TypingContext,
    TypingRegistry,
    cpu_target,
    current_target,
    dispatcher_registry,
    jit,
    jit_registry,
    rtsys,
    target_override,
    target_registry,
    wrapped,
)
from .powers import complex_power, is_complex_power

NAME = "rollick"
lowered = LoweringRegistry()  # what operations of the target alone become
typed = TypingRegistry()  # and what they give


class RollickCPU(CPU):
    """The token by which Numba knows the target; it inherits every overload of the CPU."""


class Library(JITCodeLibrary):
    """The machine code of a function and of what it calls."""

    _shared_module: Any

    def _finalize_final_module(self) -> None:
        """Make the code ready to be called, its copies of other functions its own.

        The machine code of a function contains copies of the functions it calls, as far as they are not merged into it. Numba marks these as interchangeable with
        all others of their name, and what a call reaches is then whatever was loaded first: in the process that compiles it, the code that was made for the function
        by itself; in a later one, which finds the whole on disk, the copy. Both do the same, but not to the last bit: a copy is optimised once more, and a*b + c
        may be fused in one and not in the other (`compiled.OPTIONS`). Here calls reach the copies always, so that a first motion and a second one agree.

        What is linked into callers stays as Numba has it: they make copies of all of it.
        """
        module = self._final_module
        defined = [(function.name, function.linkage) for function in module.functions if not function.is_declaration]
        copies = [name for name, linkage in defined if linkage == Linkage.linkonce_odr]
        if copies and self._shared_module is None:
            shared = module.clone()
            for name, linkage in defined:
                if linkage == Linkage.external:
                    shared.get_function(name).linkage = "linkonce_odr"
            self._shared_module = shared
            for name in copies:
                module.get_function(name).linkage = "internal"
        super()._finalize_final_module()

    def _optimize_final_module(self) -> None:
        """Optimise a function together with all that it calls; not one that never runs by itself, for it is optimised in its callers."""
        if not self.only_merged():
            super()._optimize_final_module()

    def only_merged(self) -> bool:
        """Whether nothing of what the module offers to others can be called: all of it is merged (`compiled.inlined`)."""
        offered = [f for f in self._final_module.functions if not f.is_declaration and f.linkage == Linkage.external]
        return bool(offered) and all(any(b"alwaysinline" in attributes for attributes in f.attributes) for f in offered)


class Codegen(JITCPUCodegen):
    """Makes machine code, in libraries of this target."""

    _library_class = Library


class Settings(CompilerSettings):
    """Numba's settings of a compilation, compared as two dictionaries.

    Numba keeps what it has compiled under its settings, and compares them some forty thousand times in a first motion. Each time it asks two objects
    for forty properties: a tenth of all compilation. The answers are the same.
    """

    @classmethod
    @functools.cache
    def _defaults(cls) -> dict[str, Any]:
        return {name: option.default for name, option in cls.options.items()}

    @classmethod
    def like(cls, others: Any) -> Any:
        """The same settings as others."""
        made = cls()
        made._values.update(others._values)
        return made

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if not isinstance(other, Settings):
            return super().__eq__(other)
        return {**self._defaults(), **self._values} == {**self._defaults(), **other._values}

    def __hash__(self) -> int:
        return self._hash_of_names()

    @classmethod
    @functools.cache
    def _hash_of_names(cls) -> int:
        return hash(tuple(sorted(cls.options)))

    def copy(self) -> Any:
        """What functions that are compiled on the way inherit."""
        return Settings.like(self)


class Typing(TypingContext):
    """What functions give for arguments of some types."""

    def load_additional_registries(self) -> None:
        """Those of the CPU, and what this target alone knows."""
        super().load_additional_registries()
        self.install_registry(typed)

    def insert_global(self, gv: Any, gty: Any) -> None:
        """Remember the type of a function; ours have a type of their own."""
        super().insert_global(gv, OwnType(gv) if isinstance(gv, OwnDispatcher) else gty)

    def _get_global_type(self, gv: Any) -> Any:
        """The type of a value that was told to a context: to this one, or to Numba's own (a user's ufunc, a compiled class)."""
        found = super()._get_global_type(gv)
        return cpu_target.typing_context._get_global_type(gv) if found is None else found

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a value that a function takes from outside."""
        return here(super().resolve_value_type(val))

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        return super().resolve_function_type(here(func), args, kws)


class Context(CPUContext):
    """What functions are in machine code."""

    def init(self) -> None:
        """Make the generator of code; what counts references is Numba's own, for both targets."""
        rtsys.initialize(cpu_target.target_context)
        super().init()
        self._internal_codegen = Codegen("rollick.exec")

    def load_additional_registries(self) -> None:
        """Those of the CPU, and what this target alone knows."""
        super().load_additional_registries()
        self.install_registry(lowered)

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """The implementation of a function; powers are our own."""
        if is_complex_power(fn, sig):
            return wrapped(complex_power, self, sig)
        try:
            return super().get_function(here(fn), sig, _firstcall)
        except (NotImplementedError, KeyError):
            found = cpu_target.target_context.get_function(
                fn, sig
            )  # told to Numba's own context: a ufunc, the constructor of a class
            found._context = self  # a fresh wrapper: it links and calls for us
            return found


class Target(CPUTarget):
    """The target's two contexts."""

    @functools.cached_property
    def _toplevel_target_context(self) -> Any:
        return Context(self.typing_context, NAME)

    @functools.cached_property
    def _toplevel_typing_context(self) -> Any:
        return Typing()


class OwnType(DispatcherType):
    """The type of a compiled function of this target. Asked by another target, it answers for the twin that was compiled there."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        if context is cpu_target.typing_context:
            return DispatcherType(plain_twin(self.dispatcher)).get_call_type(context, args, kws)
        return super().get_call_type(context, args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The machine code for a signature."""
        if current_target() != NAME:
            return plain_twin(self.dispatcher).get_overload(sig.args)
        return super().get_overload(sig)


register_model(OwnType)(OpaqueModel)


class OwnCompiler(FunctionCompiler):
    """How a function of this target is compiled."""

    def _customize_flags(self, flags: Any) -> Any:
        return Settings.like(flags)


class OwnDispatcher(Dispatcher):
    """A function of this target, compiled for each combination of argument types when it is first called with it."""

    targetdescr = Target(NAME)
    compiler_kind: Any = OwnCompiler
    _compiler: Any

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = None):
        more = {} if pipeline_class is None else {"pipeline_class": pipeline_class}
        super().__init__(py_func, {} if locals is None else locals, {} if targetoptions is None else targetoptions, **more)
        made = self._compiler
        self._compiler = self.compiler_kind(py_func, made.targetdescr, made.targetoptions, made.locals, made.pipeline_class)
        self._type = OwnType(self)

    @property
    def _numba_type_(self) -> Any:
        return self._type

    def compile(self, sig: Any) -> Any:
        """The entry point of the machine code for some types of arguments."""
        with target_override(NAME):
            return super().compile(sig)


_own_twins: weakref.WeakKeyDictionary[Any, OwnDispatcher] = weakref.WeakKeyDictionary()
_plain_twins: weakref.WeakKeyDictionary[OwnDispatcher, Any] = weakref.WeakKeyDictionary()


def own_twin(dispatcher: Any) -> OwnDispatcher:
    """A user's function, compiled for this target with the options that the user gave."""
    if dispatcher not in _own_twins:
        _own_twins[dispatcher] = OwnDispatcher(dispatcher.py_func, dispatcher.locals, dispatcher.targetoptions)
    return _own_twins[dispatcher]


def plain_twin(dispatcher: OwnDispatcher) -> Any:
    """A function of the package, compiled for Numba's own target."""
    if dispatcher not in _plain_twins:
        _plain_twins[dispatcher] = jit(**dispatcher.targetoptions)(dispatcher.py_func)
    return _plain_twins[dispatcher]


def here(function: Any) -> Any:
    """A function that is called from this target: that of a user is its twin here."""
    if type(function) is DispatcherType and isinstance(function.dispatcher, CPUDispatcher):
        return OwnType(own_twin(function.dispatcher))
    return function


def own_jit(*given: Any, **options: Any) -> Any:
    """`numba.jit` for this target."""
    return jit(*given, _target=NAME, **options)


target_registry[NAME] = RollickCPU
dispatcher_registry[RollickCPU] = OwnDispatcher
jit_registry[RollickCPU] = own_jit
