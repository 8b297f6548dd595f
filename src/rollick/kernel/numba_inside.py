"""What Rollick uses of Numba's insides, which Numba does not promise to keep; the rest of the package imports it from here (a test looks).

Of the classes below these attributes are used, overridden or set, which are Numba's own affair as well:

- `target`: `Dispatcher._compiler`, `._type`, `.locals`, `.targetoptions`; `FunctionCompiler._customize_flags`; `CompilerSettings._values`; `CPUContext._internal_codegen`;
  `TypingContext._get_global_type`; `JITCodeLibrary._final_module`, `._finalize_final_module`, `._optimize_final_module`, `._reload_init`, `._dynamic_globals`; `JITCPUCodegen._library_class`;
  `CPUTarget._toplevel_target_context`, `._toplevel_typing_context`
- `passes`: `ReconstructSSA._patch_locals`, `PreLowerStripPhis._strip_phi_nodes`
- `compiled`: `FunctionCompiler._compile_core`, `._failed_cache`; `Dispatcher._cache`
- `cache`: `Cache._impl_class`, `._cache_file`, `._cache_path`, `._impl`, `._index_key`, `._load_overload`, `._save_overload`, `._py_func`
- `dispatch`, `overloads`: the templates' `_impl_cache`, `_overload_func`, `_attr`

Seen with Numba 0.61.0 (llvmlite 0.44) and 0.68.1 (llvmlite 0.50). Another Numba is refused by a sentence; `ROLLICK_ANY_NUMBA=1` tries it.
"""

from __future__ import annotations

import os
from typing import Any

import numba

FIRST, BEFORE = (0, 61), (0, 69)  # the versions that are known, as in pyproject.toml


def refusal(version: str) -> str:
    """Why a version of Numba is not taken, as a sentence; "" if it is."""
    found = tuple(int(part) for part in version.split(".")[:2])
    if FIRST <= found < BEFORE or os.environ.get("ROLLICK_ANY_NUMBA") == "1":
        return ""
    first, last = ".".join(map(str, FIRST)), f"{BEFORE[0]}.{BEFORE[1] - 1}"
    return (
        f"Rollick works with Numba {first} to {last}, and this is Numba {version}: pip install 'numba>={first},<{BEFORE[0]}.{BEFORE[1]}'. "
        f"ROLLICK_ANY_NUMBA=1 tries it all the same."
    )


if refusal(numba.__version__):
    raise ImportError(refusal(numba.__version__))

import llvmlite  # noqa: E402
from llvmlite import binding, ir  # noqa: E402
from numba import _dynfunc  # type: ignore[attr-defined]  # noqa: E402
from numba.core import (  # noqa: E402
    base,
    caching,
    cgutils,
    codegen,
    compiler,
    compiler_machinery,
    config,
    cpu,
    decorators,
    dispatcher,
    environment,
    event,
    imputils,
    ir_utils,
    registry,
    runtime,
    serialize,
    sigutils,
    ssa,
    target_extension,
    transforms,
    typeconv,
    typed_passes,
    types,
    untyped_passes,
)
from numba.core.compiler_lock import global_compiler_lock as compiler_lock  # noqa: E402
from numba.core.datamodel import models, register_default  # noqa: E402
from numba.core.errors import ForceLiteralArg  # noqa: E402
from numba.core.typing import context, templates  # noqa: E402
from numba.cpython import numbers  # noqa: E402

# the target (`target`)
CPU: Any = target_extension.CPU
target_registry: Any = target_extension.target_registry
dispatcher_registry: Any = target_extension.dispatcher_registry
jit_registry: Any = target_extension.jit_registry
current_target: Any = target_extension.current_target
target_override: Any = target_extension.target_override
cpu_target: Any = registry.cpu_target
CPUTarget: Any = registry.CPUTarget
CPUDispatcher: Any = registry.CPUDispatcher
CPUContext: Any = cpu.CPUContext
TypingContext: Any = context.Context
JITCodeLibrary: Any = codegen.JITCodeLibrary
JITCPUCodegen: Any = codegen.JITCPUCodegen
CompilerSettings: Any = compiler.Flags
Dispatcher: Any = dispatcher.Dispatcher
FunctionCompiler: Any = dispatcher._FunctionCompiler  # type: ignore[attr-defined]
DispatcherType: Any = types.Dispatcher
FunctionType: Any = types.Function
OpaqueModel: Any = models.OpaqueModel
LoweringRegistry: Any = imputils.Registry
TypingRegistry: Any = templates.Registry
jit: Any = decorators.jit
rtsys: Any = runtime.rtsys
Linkage: Any = binding.Linkage
parse_bitcode: Any = binding.parse_bitcode

# the passes of a compilation (`passes`)
Compiler: Any = compiler.Compiler
DefaultPassBuilder: Any = compiler.DefaultPassBuilder
PassManager: Any = compiler.PassManager
register_pass: Any = compiler_machinery.register_pass
IRProcessing: Any = untyped_passes.IRProcessing
ReconstructSSA: Any = untyped_passes.ReconstructSSA
PreLowerStripPhis: Any = typed_passes.PreLowerStripPhis
canonicalize_cfg: Any = transforms.canonicalize_cfg
reconstruct_ssa: Any = ssa.reconstruct_ssa
build_definitions: Any = ir_utils.build_definitions
PASSES_FOR_INLINE: tuple[Any, ...] = (untyped_passes.WithLifting, untyped_passes.InlineInlinables, typed_passes.InlineOverloads)
PASSES_FOR_ARRAYS: tuple[Any, ...] = (typed_passes.NopythonRewrites,)  # sums and products of whole arrays as one loop
PASSES_FOR_CLOSURES: tuple[Any, ...] = (untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction)

# machine code
host_features: Any = binding.get_host_cpu_features  # which of its features this processor has
lookup_environment: Any = environment.lookup_environment
make_function: Any = _dynfunc.make_function
wrapped: Any = (
    base._wrap_impl
)  # an implementation in the form in which Numba looks implementations up; `._context` is the one it calls and links for

# the cache of compiled code (`cache`)
Cache: Any = caching.Cache
CompileResultCacheImpl: Any = caching.CompileResultCacheImpl
CacheLocator: Any = caching._CacheLocator

dumps: Any = serialize.dumps

# types and operations of one's own (`abreast`, `powers`, `local_array`, `erased`)
AbstractTemplate: Any = templates.AbstractTemplate
signature: Any = templates.signature
Conversion: Any = typeconv.Conversion
complex_power_impl: Any = numbers.complex_power_impl

# what was registered for functions and types (`dispatch`, `overloads`)
overload_registry: Any = templates.builtin_registry


def versions() -> dict[str, str]:
    """The versions that compiled code depends on."""
    return {"Numba": numba.__version__, "llvmlite": llvmlite.__version__}


__all__ = ["ForceLiteralArg", "cgutils", "compiler_lock", "config", "event", "ir", "models", "register_default", "sigutils"]
