"""Rollick's own target of Numba's compiler: functions of the package are compiled by rules of their own, and everybody else's by Numba's.

Numba lets a package register a target beside its own `cpu`. This one inherits all that the CPU has, and differs in five things:

- Machine code calls its own copies of other functions (`Library.emit`).
- Only a function that Python calls, or that is called by its address, is optimised and made machine code, with all that it calls (`Library`).
- Powers of complex numbers by whole exponents are products (`powers`).
- Settings of a compilation are compared quickly (`Settings`).
- Operations on eight numbers abreast are known here alone (`lowered`, `typed`; see `abreast`).

A user's function that was compiled with `numba.njit` can be called from here, and one of the package from there. The code of one target is never linked to that of
the other: whoever calls a function of the other target compiles it for its own (`own_twin`, `plain_twin`), as Numba's targets of GPUs do. So a user's functions and
caches are what they are without Rollick, and a power in a user's function that Rollick calls keeps its derivative.
"""

from __future__ import annotations

import functools
import operator
import weakref
from typing import Any

from numba import types
from numba.extending import register_model

from .elements import element_code
from .numba_inside import (
    CPU,
    CompilerSettings,
    CPUContext,
    CPUDispatcher,
    CPUTarget,
    Dispatcher,
    DispatcherType,
    ForceLiteralArg,
    FunctionCompiler,
    FunctionType,
    JITCodeLibrary,
    JITCPUCodegen,
    Linkage,
    LoweringRegistry,
    OpaqueModel,
    TypingContext,
    TypingRegistry,
    compiler_lock,
    config,
    cpu_target,
    current_target,
    dispatcher_registry,
    event,
    jit,
    jit_registry,
    lookup_environment,
    make_function,
    parse_bitcode,
    rtsys,
    sigutils,
    target_override,
    target_registry,
    wrapped,
)
from .passes import Passes
from .powers import complex_power, is_complex_power
from .sources import is_foreign

NAME = "rollick"
COUNTING = ("NRT_incref", "NRT_decref")  # what counts references to arrays
ENVIRONMENT, UNRESOLVED = (
    "_ZN08NumbaEnv",
    ".numba.unresolved$",
)  # how names begin: of what a function needs of Python; of functions that call themselves
OFFERED = (Linkage.external, Linkage.weak_odr)  # how functions are marked that others may call
NUMBERS = (types.Float, types.Integer, types.Complex, types.Boolean)
OPERATIONS = {bool, *(f for name, f in vars(operator).items() if callable(f) and not name.startswith("_"))}
ELEMENTS = (operator.getitem, operator.setitem)
lowered = LoweringRegistry()  # what operations of the target alone become
typed = TypingRegistry()  # and what they give


class RollickCPU(CPU):
    """The token by which Numba knows the target; it inherits every overload of the CPU."""


_code_of_numba: weakref.WeakKeyDictionary[Any, bytes] = weakref.WeakKeyDictionary()


def _numbas_code(library: Any) -> bytes:
    """Code of Numba's own target that is called from here, with all that it calls: what counts references, a user's ufunc."""
    if library not in _code_of_numba:
        _code_of_numba[library] = library._get_module_for_linking().as_bitcode()
    return _code_of_numba[library]


class Library(JITCodeLibrary):
    """The code of a function and of all that it calls. It is optimised and made machine code when somebody asks for an address.

    Numba optimises each function together with all that it calls, makes machine code of it, and does both again for each function that calls it, and so on to the top.
    Most functions of the package are only ever called by others, which contain copies of them. So they stay as they were written down, and the work
    is done once, for what Python calls or what is called by its address.
    """

    _final_module: Any
    _parts: dict[bytes, bool] | None = None  # see `parts`
    _offered: set[str]  # functions that others may call
    _compiled_object: Any = None  # machine code from disk
    _emitted = False

    def __init__(self, codegen: Any, name: str):
        super().__init__(codegen, name)
        self._called: dict[Any, None] = {}  # the code of what is called, in the order of the first calls

    def _optimize_functions(self, ll_module: Any) -> None:
        """Tidy up functions one by one, by passes that are made ready once for all of them.

        They are LLVM's of the first level: each function is optimised in full as a part of what is emitted, which takes no longer for it. A thirtieth of a first motion.
        """
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=min(int(config.OPT), 1))  # type: ignore[attr-defined]
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def add_ir_module(self, ir_module: Any) -> None:
        """Take over what was written down. LLVM has read it then, and it is taken apart: its instructions refer to each other in circles.

        A first motion writes down a million objects, and Python's collector of circles needs more than a second for them (`compiling`).
        """
        super().add_ir_module(ir_module)
        for function in ir_module.functions:
            for block in function.blocks:
                block.instructions.clear()
                block.terminator = None
            function.blocks.clear()
            function.args = ()
        ir_module.globals.clear()

    def add_linking_library(self, library: Any) -> None:
        """Note what is called; it is linked in `emit`.

        Numba links a function with clones of all that it calls, which contain all that these call, and so on: each function would be cloned into each one above it.
        """
        library._ensure_finalized()
        self._called[library] = None

    def finalize(self) -> None:
        """Nothing is added any more."""
        super().finalize()
        for library in self._called:
            self._reload_init.update(library._reload_init)
            self._dynamic_globals += [name for name in library._dynamic_globals if name not in self._dynamic_globals]

    def _optimize_final_module(self) -> None:
        """Wait: `emit` does it, if machine code is asked for."""

    def _finalize_final_module(self) -> None:
        """Make the code ready to be linked into callers; what comes from disk as machine code, to be called."""
        if self._compiled_object is not None:
            self._emitted = True
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._offered = {f.name for f in self._final_module.functions if not f.is_declaration and f.linkage in OFFERED}
        self._finalized = True

    def defines(self, name: str) -> bool:
        """Whether there is a function of this name that can be called."""
        return self._emitted or any(f.name == name and not f.is_declaration for f in self._final_module.functions)

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0 if there is none of this name."""
        self.emit()
        return int(self._codegen._engine.get_function_address(name))

    def parts(self) -> dict[bytes, bool]:
        """The code of the function and of all that it calls, each written down once (LLVM's bitcode), callers before what they call; and whether it is Numba's own."""
        self._ensure_finalized()
        if self._parts is None:
            if self._emitted:
                raise RuntimeError(f"{self.name} is machine code, of which nobody makes copies")
            for name in self._offered:
                self._final_module.get_function(name).linkage = "weak_odr"  # kept when it is linked, also beside another copy
            self._parts = {self._final_module.as_bitcode(): False}
            for library in self._called:
                self._parts |= library.parts() if isinstance(library, Library) else {_numbas_code(library): True}
        return self._parts

    def emit(self) -> None:
        """Make machine code, its copies of other functions its own.

        Numba marks copies as interchangeable with all others of their name, so that a call reaches whatever was loaded first. All do the same, but not to the last
        bit: each is optimised beside other functions, and a*b + c may be fused in one and not in the other (`compiled.OPTIONS`). Here calls reach the copies beside
        them always, so that a first motion and a second one, which finds its code on disk, agree.
        """
        self._ensure_finalized()
        if self._emitted:
            return
        parts = self.parts()
        whole, *called = map(
            parse_bitcode, sorted(parts, key=parts.__getitem__)
        )  # of Numba's own, what is needed so far is linked
        for part in called:
            whole.link_in(part)
        whole.name = self._final_module.name
        whole.verify()
        self._final_module = whole
        for function in whole.functions:
            if not function.is_declaration and function.linkage == Linkage.weak_odr:
                function.linkage = "external" if function.name in self._offered else "linkonce_odr"
        self._verify_declare_only_symbols()
        self._emitted = True
        self._optimise()
        recursive = {
            v.name.removeprefix(UNRESOLVED) for v in self._final_module.global_variables if v.name.startswith(UNRESOLVED)
        }
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr and function.name not in recursive:
                function.linkage = "internal"
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:  # what a function in it needs of Python: what its errors say
            found = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if found is not None:
                self._codegen.set_env(variable.name, found)

    def forget_copies(self) -> None:
        """Keep machine code alone, for what Python calls or what has an address: nobody makes copies of it."""
        if self._emitted:
            self._parts = None
            self._called.clear()

    def _optimise(self) -> None:
        """Optimise a function together with all that it calls.

        Numba does it twice, the first time to find references that need not be counted. Where none are counted, once is enough.
        """
        if any(function.name in COUNTING for function in self._final_module.functions):
            super()._optimize_final_module()
        else:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)

    def serialize_using_object_code(self) -> Any:
        """The code as it is kept on disk: machine code, or what callers make copies of; never both, since what Python calls or what has an address is not copied."""
        self._ensure_finalized()
        return (self.name, "object", self._get_compiled_object()) if self._emitted else (self.name, "parts", self.parts())

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        """The code from what was kept on disk."""
        name, kind, code = state
        library = codegen.create_library(name)
        if kind == "object":
            library.enable_object_caching()
            library._set_compiled_object(code)
        else:
            library._parts = code
            library._final_module = parse_bitcode(next(iter(code)))
        library._finalize_final_module()
        return library


class Codegen(JITCPUCodegen):
    """Makes machine code, in libraries of this target."""

    _library_class = Library

    def set_env(self, env_name: str, env: Any) -> None:
        """Tell machine code what it needs of Python, if there is machine code that needs it."""
        if self._engine.get_global_value_address(env_name):
            super().set_env(env_name, env)


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


class Operation(FunctionType):
    """The type of an operation, as `+` and `a[i]`. What it gives for numbers, and for elements of arrays of numbers, is looked up once.

    Numba tries all that it knows about `+` each time, once for its type and once for its code: 15 500 questions in a first motion, of which 6 500 are left. Where more becomes known
    about `+`, that is another object.
    """

    def __init__(self, templates: Any):
        super().__init__(templates)
        self.known: dict[Any, Any] = {}

    def augment(self, other: Any) -> Any:
        """The type of the operation with more that is known about it."""
        return Operation(self.templates + other.templates) if other.typing_key == self.typing_key else None

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature for some types of arguments."""
        found = None if kws else self.known.get(args)
        if found is None:
            found = super().get_call_type(context, args, kws)
            if self.typing_key in ELEMENTS and isinstance(args[0], types.Array) and isinstance(args[0].dtype, NUMBERS):
                pieces = [kind for each in args[1:] for kind in getattr(each, "types", (each,))]
            else:
                pieces = args
            if not kws and all(isinstance(kind, NUMBERS) for kind in pieces):
                self.known[args] = found
        return found


register_model(Operation)(OpaqueModel)


class Typing(TypingContext):
    """What functions give for arguments of some types."""

    def load_additional_registries(self) -> None:
        """Those of the CPU, and what this target alone knows."""
        super().load_additional_registries()
        self.install_registry(typed)

    def insert_global(self, gv: Any, gty: Any) -> None:
        """Remember the type of a function; ours have a type of their own, and so have operations."""
        if isinstance(gv, OwnDispatcher):
            gty = OwnType(gv)
        elif type(gty) is FunctionType and gty.typing_key in OPERATIONS:
            gty = Operation(gty.templates)
        super().insert_global(gv, gty)

    def _get_global_type(self, gv: Any) -> Any:
        """The type of a value that was told to a context: to this one, or to Numba's own (a user's ufunc, a compiled class)."""
        found = super()._get_global_type(gv)
        return cpu_target.typing_context._get_global_type(gv) if found is None else found

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a value that a function takes from outside."""
        return here(super().resolve_value_type(val))

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        operation = func if isinstance(func, types.Type) else self._lookup_global(func)
        known = operation.known.get(args) if type(operation) is Operation and not kws else None
        return super().resolve_function_type(here(func), args, kws) if known is None else known


def _looked_up(known: dict[str, int], kind: Any, ask: Any) -> int:
    """What is known of a type of LLVM, or what is found when it is asked; types are known by what is written of them, but for those that are mere names."""
    words = str(kind)
    if words not in known:
        found = int(ask(kind))
        if "%" in words:
            return found
        known[words] = found
    return known[words]


class Context(CPUContext):
    """What functions are in machine code."""

    def init(self) -> None:
        """Make the generator of code; what counts references is Numba's own, for both targets."""
        rtsys.initialize(cpu_target.target_context)
        super().init()
        self._internal_codegen = Codegen("rollick.exec")
        # what is known for this target, whatever is compiled
        self._sizes: dict[str, int] = {}
        self._alignments: dict[str, int] = {}
        self._packers: dict[tuple, Any] = {}
        self._operations: dict[tuple[Any, Any, bool], Any] = {}

    def load_additional_registries(self) -> None:
        """Those of the CPU, and what this target alone knows."""
        super().load_additional_registries()
        self.install_registry(lowered)

    def get_abi_sizeof(self, ty: Any) -> int:
        """How many bytes a type takes. Each question is a module that LLVM reads: three thousand in a first motion, a fiftieth of the time."""
        return _looked_up(self._sizes, ty, super().get_abi_sizeof)

    def get_abi_alignment(self, ty: Any) -> int:
        """How the places of values of a type are aligned."""
        return _looked_up(self._alignments, ty, super().get_abi_alignment)

    def get_arg_packer(self, fe_args: Any) -> Any:
        """How arguments are handed over: tuples in pieces."""
        types_of_all = tuple(fe_args)
        if types_of_all not in self._packers:
            self._packers[types_of_all] = super().get_arg_packer(fe_args)
        return self._packers[types_of_all]

    def insert_func_defn(self, defns: Any) -> None:
        """Learn of more implementations."""
        super().insert_func_defn(defns)
        self._operations.clear()

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """What Python calls; of a function that only machine code calls, something that stands for it."""
        if library.defines(fndesc.llvm_cpython_wrapper_name):
            return super().get_executable(library, fndesc, env)
        return make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,))

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """The implementation of a function; powers are our own."""
        if isinstance(fn, str):  # asked for at each array, in vain: nobody declares one meanwhile
            return super().get_function(fn, sig, False)
        if is_complex_power(fn, sig):
            return wrapped(complex_power, self, sig)
        if type(fn) is Operation and sig.args in fn.known:
            return self._operation(fn, sig)
        try:
            return super().get_function(here(fn), sig, _firstcall)
        except (NotImplementedError, KeyError):
            found = cpu_target.target_context.get_function(
                fn, sig
            )  # told to Numba's own context: a ufunc, the constructor of a class
            found._context = self  # a fresh wrapper: it links and calls for us
            return found

    def _operation(self, fn: Any, sig: Any) -> Any:
        """The implementation of an operation, which is looked up once: for each `+` Numba would ask all that it has, and look at the parameters of what it finds."""
        looked_up = fn, sig, bool(self.enable_boundscheck)
        if looked_up not in self._operations:
            element = None if self.enable_boundscheck else element_code(fn.typing_key, sig.args)
            self._operations[looked_up] = super().get_function(fn, sig) if element is None else wrapped(element, self, sig)
        made = object.__new__(wrapped)
        vars(made).update(vars(self._operations[looked_up]), _context=self)  # links and calls for us
        return made


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
        if pipeline_class is None and not is_foreign(
            py_func.__module__
        ):  # an implementation of a generic function, made by Numba
            pipeline_class = Passes
        more = {} if pipeline_class is None else {"pipeline_class": pipeline_class}
        super().__init__(py_func, {} if locals is None else locals, {} if targetoptions is None else targetoptions, **more)
        made = self._compiler
        self._compiler = self.compiler_kind(py_func, made.targetdescr, made.targetoptions, made.locals, made.pipeline_class)
        self._type = OwnType(self)

    @property
    def _numba_type_(self) -> Any:
        return self._type

    def compile(self, sig: Any) -> Any:
        """The entry point of the machine code for some types of arguments: known already, from disk, or compiled.

        As Numba's own, without its stopwatches: each compilation inside another one would be told of every call of LLVM, a twentieth of the time.
        """
        with target_override(NAME), compiler_lock, self._compiling_counter:
            args, return_type = sigutils.normalize_signature(sig)
            if tuple(args) in self.overloads:
                return self.overloads[tuple(args)].entry_point
            if not self._can_compile:
                raise RuntimeError("compilation disabled")
            made = self._cache.load_overload(sig, self.targetctx)
            if made is not None:
                self._cache_hits[sig] += 1
                self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
                self.add_overload(made)
                return made.entry_point
            self._cache_misses[sig] += 1
            with event.trigger_event("numba:compile", data={"dispatcher": self, "args": args, "return_type": return_type}):
                try:
                    made = self._compiler.compile(args, return_type)
                except ForceLiteralArg as error:
                    raise error.bind_fold_arguments(lambda args, kws: self._compiler.fold_argument_types(args, kws)[1]) from None
                self.add_overload(made)
            self._cache.save_overload(sig, made)
            return made.entry_point


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
