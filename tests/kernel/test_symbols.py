"""No two functions that are compiled share a name: the linker would take one for the other when code from disk meets new code."""

import importlib
import pkgutil
from collections import defaultdict

import numba
import pytest

import rollick
from rollick.kernel import scalar
from rollick.kernel.dispatch import Generic


def modules():
    for found in pkgutil.walk_packages(rollick.__path__, "rollick."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_every_compiled_function_has_a_name_of_its_own():
    names = defaultdict(set)

    def note(function):
        function = getattr(function, "py_func", function)
        names[function.__module__, function.__qualname__].add(function.__code__)

    generics = set()
    for module in modules():
        for value in vars(module).values():
            if isinstance(getattr(value, "generic", None), Generic):
                generics.add(value.generic)
            elif hasattr(value, "py_func"):
                note(value)
    assert len(generics) > 10
    for generic in generics:
        for implementation in generic.implementations():
            if implementation.__module__.startswith("rollick."):  # other tests make classes of their own
                note(implementation)
    for value in vars(scalar).values():
        for cell in getattr(value, "__closure__", None) or ():
            if callable(cell.cell_contents):
                note(cell.cell_contents)
    shared = {name: codes for name, codes in names.items() if len(codes) > 1 and "rollick.kernel.system" not in name[0]}
    assert not shared, shared
    counts = [name for name in names if name[0] == "rollick.kernel.system" and name[1].endswith("_Rattleback")]
    assert len(counts) == 3  # dim, integral_count and signal_count: closures of one code, told apart by name
    assert ("rollick.kernel.scalar", "sin_of_float") in names
