"""Values whose type is forgotten, and machine code behind addresses.

An integrator is generic over systems, and machine code of its own would be made for each type of system: seconds of compilation for every
new shape. Instead a system can be packed into memory (`Packed`), and the few functions that are its own can be compiled as *entries*

    entry(address, kind, ...)        first argument: where the system lies in memory; second: its type, which has no content

whose address (`entry_address`) is called by code that knows nothing of the system (`call_code`). A call passes plain pointers, so that it
costs a few nanoseconds more than one that the compiler can see. See `motion.ode.erased`, `motion.events.erased`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.extending import intrinsic as numba_intrinsic

from .compiled import compiled
from .leaves import floats_in, with_floats
from .numba_inside import cgutils
from .target import OwnDispatcher

REALS = types.CPointer(types.float64)
COMPLEX = types.CPointer(types.complex128)
intrinsic: Any = numba_intrinsic
WITNESS = types.Opaque("witness")  # stands for the reference to a type


def _unowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value whose arrays belong to nobody: their counters of references live only as long as the call that brought them from Python."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        for name in ("meminfo", "parent"):
            setattr(array, name, cgutils.get_null_value(getattr(array, name).type))
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, part in enumerate(kind.types):  # type: ignore[attr-defined]
            inside = builder.extract_value(value, i)
            value = builder.insert_value(value, _unowned(context, builder, part, inside), i)
    return value


@intrinsic
def _store(typingctx, address, value):
    """Write a value to an address, as it lies in memory."""

    def codegen(context, builder, signature, args):
        model = context.data_model_manager[value]
        pointer = builder.inttoptr(args[0], model.get_data_type().as_pointer())
        builder.store(model.as_data(builder, _unowned(context, builder, value, args[1])), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, value), codegen


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


@intrinsic
def view(typingctx, pointer, shape):
    """The numbers at a pointer as an array of a shape, a whole number or a tuple of them."""
    sizes: Any = shape.types if isinstance(shape, types.BaseTuple) else (shape,)  # type: ignore[attr-defined]
    kind = types.Array(pointer.dtype, len(sizes), "C")

    def codegen(context, builder, signature, args):
        numbers = cgutils.unpack_tuple(builder, args[1]) if isinstance(shape, types.BaseTuple) else [args[1]]
        extents = [context.cast(builder, number, given, types.intp) for number, given in zip(numbers, sizes)]
        width = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [width]
        for extent in reversed(extents[1:]):
            strides.insert(0, builder.mul(strides[0], extent))
        array = context.make_array(kind)(context, builder)
        context.populate_array(array, data=args[0], shape=extents, strides=strides, itemsize=width, meminfo=None)
        return array._getvalue()

    return kind(pointer, shape), codegen


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


def call_listed(result: Any, kinds: tuple[Any, ...], which: int, place: Any, arguments: Any) -> Any:
    """What an intrinsic(table, data, place, arguments) returns that calls the entry whose address stands at a place of a table: the `which`-th.

    `kinds` are the types of the entry's arguments after its data; arrays among the arguments, a tuple, are passed as pointers.
    """
    called = (types.int64, WITNESS, *kinds)

    def codegen(context, builder, signature, args):
        table, data, _, values = args
        passed = [data, context.get_constant_null(WITNESS)]
        for i, (kind, wanted) in enumerate(zip(arguments.types, kinds)):
            value = builder.extract_value(values, i)
            if isinstance(kind, types.Array):
                passed.append(context.make_array(kind)(context, builder, value).data)
            else:
                passed.append(context.cast(builder, value, kind, wanted))
        function = context.call_conv.get_function_type(result, called)
        where = builder.add(table, context.get_constant(types.int64, 8 * which))
        pointer = builder.load(builder.inttoptr(where, function.as_pointer().as_pointer()))
        status, value = context.call_conv.call_function(builder, pointer, result, called, passed)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value if result is not types.void else context.get_dummy_value()

    return result(types.int64, types.int64, place, arguments), codegen


def call_whole(result: Any, kinds: tuple[Any, ...]) -> Any:
    """What an intrinsic(address, *arguments) returns that calls compiled code at an address, with arguments as they are: tuples, records, arrays.

    For code that is too large to be compiled once more into every function that calls it; its address is that of `address_of`.
    """
    kinds = tuple(types.unliteral(kind) for kind in kinds)

    def codegen(context, builder, signature, args):
        function = context.call_conv.get_function_type(result, kinds)
        pointer = builder.inttoptr(args[0], function.as_pointer())
        status, value = context.call_conv.call_function(builder, pointer, result, kinds, args[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return result(types.int64, *kinds), codegen


def address_of(function: Any, result: Any, *arguments: Any) -> int:
    """The address of the machine code of a compiled function for arguments of these types: the very code that Python calls with them."""
    kinds = tuple(typeof(argument) for argument in arguments)
    function.compile(kinds)
    code = function.overloads[kinds]
    if code.signature.return_type != result:
        raise AssertionError(f"{function.__name__} returns {code.signature.return_type}, not {result}.")
    return code.library.get_pointer_to_function(code.fndesc.llvm_func_name)


@compiled
def _pack(value, address):
    _store(address, value)


class Kind:
    """What is known of a type of values: its Numba type, how many bytes a value takes, how its numbers follow each other in them, and the addresses of its entries."""

    def __init__(self, value: Any):
        self.type = typeof(value)
        context = OwnDispatcher.targetdescr.target_context
        self.size = max(1, context.get_abi_sizeof(context.data_model_manager[self.type].get_data_type()))
        letters = [LETTERS.get(type(number)) for number in numbers_in(value)]
        plain = None not in letters and 8 * len(letters) == self.size
        self.layout = struct.Struct("=" + "".join(map(str, letters))) if plain else None  # None: not only numbers of eight bytes
        self.addresses: dict[Any, int] = {}

    def pack(self, value: Any, memory: np.ndarray) -> None:
        """Write a value of this type to memory. Numbers of eight bytes are written by Python; whatever else there is, by machine code made for the type."""
        if self.layout is None:
            _pack(value, int(memory.ctypes.data))
        else:
            self.layout.pack_into(memory.data, 0, *numbers_in(value))


_kinds: dict[Any, Kind] = {}
LETTERS = {float: "d", np.float64: "d", int: "q"}  # of the struct module, for numbers of eight bytes


def numbers_in(value: Any) -> Iterator[Any]:
    """The innermost parts of nested tuples, in their order."""
    if isinstance(value, tuple):
        for part in value:
            yield from numbers_in(part)
    else:
        yield value


def outline(value: Any) -> Any:
    """What the Numba type of a value depends on: the classes of its parts. Much faster than asking Numba."""
    if isinstance(value, tuple):
        return type(value), *map(outline, value)
    if isinstance(value, (float, int)):
        return type(value)
    return typeof(value)


class Erased(NamedTuple):
    """A system by addresses: of its data and of its functions (the Jacobian's is 0 until it is asked for). What they are registered for: `motion.ode.erased`."""

    data: int
    states: int  # how many
    rate: int
    project: int
    step: int
    jacobian: int


NO_SYSTEM = Erased(0, 0, 0, 0, 0, 0)


class Packed:
    """A value (a NamedTuple) in memory; it must be kept as long as its address is used."""

    def __init__(self, value: Any):
        self.value, key = value, outline(value)
        self.kind = _kinds.get(key) or _kinds.setdefault(key, Kind(value))
        self.bytes = np.zeros(self.kind.size, np.uint8)
        self.address = int(self.bytes.ctypes.data)
        self.kind.pack(value, self.bytes)

    def put(self, value: Any) -> None:
        """Another value of the same type in the same place (classes of all parts must agree: nothing checks that)."""
        self.value = value
        self.kind.pack(value, self.bytes)

    def entry(self, entry: Any, *arguments: Any) -> int:
        """The address of the machine code of an entry for the type of this value; compiled if need be, or read from the cache."""
        known, key = self.kind.addresses, (entry, arguments)
        if key not in known:
            known[key] = entry.by_address.address((types.int64, types.TypeRef(self.kind.type), *arguments))
        return known[key]


class PackedMany:
    """Values of one type, one behind the other in memory; it must be kept as long as their addresses are used."""

    def __init__(self, values: list[Any]):
        first = Packed(values[0])
        self.kind, self.entry = first.kind, first.entry
        self.bytes = np.zeros((len(values), -(-first.kind.size // 16) * 16), np.uint8)
        begin, stride = int(self.bytes.ctypes.data), self.bytes.shape[1]
        self.addresses = begin + stride * np.arange(len(values), dtype=np.int64)
        for value, memory in zip(values, self.bytes):
            self.kind.pack(value, memory)


class PackedRows:
    """Values of one type that differ in floats only, one behind the other in memory: a template and a table of its floats (`leaves.rows_of`).

    `wrap` makes the value that is packed from a system. Where a float lies is found by packing it with another number there.
    """

    def __init__(self, template: Any, rows: np.ndarray, wrap: Any = None):
        wrap = wrap or (lambda system: system)
        first = Packed(wrap(template))
        self.kind, self.entry, self.template = first.kind, first.entry, template
        size = -(-first.kind.size // 16) * 16
        self.bytes = np.zeros((len(rows), size), np.uint8)
        self.bytes[:, : first.kind.size] = first.bytes
        self.addresses = int(self.bytes.ctypes.data) + size * np.arange(len(rows), dtype=np.int64)
        given = np.array(floats_in(template), float)
        varies: Any = np.flatnonzero((rows.view(np.int64) != given.view(np.int64)).any(axis=0)) if len(rows) else []
        for j in varies:
            places = self._places(wrap, template, given, int(j), first)
            for place in places:
                self.bytes[:, place : place + 8] = np.ascontiguousarray(rows[:, j]).view(np.uint8).reshape(-1, 8)

    def _places(self, wrap: Any, template: Any, given: np.ndarray, j: int, first: Packed) -> list[int]:
        """Where the j-th float lies in memory (more than once, if a wrapper holds it twice)."""
        images = []
        for pattern in (0x5555555555555555, 0x2AAAAAAAAAAAAAAA):  # two finite doubles that differ in all but the highest bit
            other = given.copy()
            other.view(np.int64)[j] = pattern
            images.append(Packed(wrap(with_floats(template, other.tolist()))).bytes.copy())
        differ = np.flatnonzero(images[0] != images[1])
        if differ.size == 0 or differ.size % 8:
            raise AssertionError(f"the float {j} of {type(template).__name__} was not found in memory.")
        return differ[::8].tolist()
