"""Values whose type is forgotten, and machine code behind addresses.

An integrator is generic over systems, and machine code of its own would be made for each type of system: seconds of compilation for every
new shape. Instead a system can be packed into memory (`Packed`), and the few functions that are its own can be compiled as *entries*

    entry(address, kind, ...)        first argument: where the system lies in memory; second: its type, which has no content

whose address (`entry_address`) is called by code that knows nothing of the system (`call_code`). A call passes plain pointers, so that it
costs a few nanoseconds more than one that the compiler can see. See `motion.ode.erased`, `motion.events.erased`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

from .compiled import compiled

REALS = types.CPointer(types.float64)
COMPLEX = types.CPointer(types.complex128)
intrinsic: Any = numba_intrinsic
WITNESS = types.Opaque("witness")  # stands for the reference to a type


@intrinsic
def _store(typingctx, address, value):
    """Write a value to an address, as it lies in memory."""

    def codegen(context, builder, signature, args):
        model = context.data_model_manager[value]
        pointer = builder.inttoptr(args[0], model.get_data_type().as_pointer())
        builder.store(model.as_data(builder, args[1]), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, value), codegen


@intrinsic
def _size(typingctx, value):
    """How many bytes a value takes in memory."""

    def codegen(context, builder, signature, args):
        return context.get_constant(types.int64, context.get_abi_sizeof(context.data_model_manager[value].get_data_type()))

    return types.int64(value), codegen


@intrinsic
def load(typingctx, address, kind):
    """The value of a type at an address."""
    inside = kind.instance_type

    def codegen(context, builder, signature, args):
        model = context.data_model_manager[inside]
        pointer = builder.inttoptr(args[0], model.get_data_type().as_pointer())
        value = model.from_data(builder, builder.load(pointer))
        if context.enable_nrt:  # the value is dropped at the end of the function that loads it; the packed one stays
            context.nrt.incref(builder, inside, value)
        return value

    return inside(types.int64, kind), codegen


def call_code(result: Any, more: tuple[Any, ...]) -> Any:
    """What an intrinsic(address, data, *more) returns that calls the entry at an address; arrays among `more` are passed as pointers."""
    kinds = (types.int64, WITNESS, *(types.CPointer(kind.dtype) if isinstance(kind, types.Array) else kind for kind in more))

    def codegen(context, builder, signature, args):
        args = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, args)
        ]
        function = context.call_conv.get_function_type(result, kinds)
        pointer = builder.inttoptr(args[0], function.as_pointer())
        nothing = context.get_constant_null(WITNESS)
        status, value = context.call_conv.call_function(builder, pointer, result, kinds, [args[1], nothing, *args[2:]])
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value if result is not types.void else context.get_dummy_value()

    return result(types.int64, types.int64, *more), codegen


@compiled
def _pack(value, address):
    _store(address, value)


@compiled
def _packed_size(value):
    return _size(value)


class Packed:
    """A value (a NamedTuple) in memory; it must be kept as long as its address is used."""

    def __init__(self, value: Any):
        self.value, self.kind = value, typeof(value)
        self.bytes = np.zeros(max(1, _packed_size(value)), np.uint8)
        self.address = int(self.bytes.ctypes.data)
        _pack(value, self.address)

    def entry(self, entry: Any, *arguments: Any) -> int:
        """The address of the machine code of an entry for the type of this value; compiled if need be, or read from the cache."""
        key = entry, self.kind, arguments
        if key not in _addresses:
            signature = (types.int64, types.TypeRef(self.kind), *arguments)
            entry.inside.compile(signature)
            code = entry.inside.overloads[signature]
            _addresses[key] = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
        return _addresses[key]


_addresses: dict[Any, int] = {}
