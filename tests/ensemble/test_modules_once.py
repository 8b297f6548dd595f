"""The parts of a kernel: all that it calls, directly or not, each once, in one order."""

from types import SimpleNamespace

from rollick.ensemble.gpu.modules_once import parts_of


def library(name, *linked):
    return SimpleNamespace(name=name, _module=f"code of {name}", _linking_libraries=set_of(linked))


def overload(name, types):
    """Numba names libraries by the function alone."""
    return SimpleNamespace(name=name, _module=Module(f"{name} of {types}"), _linking_libraries=set())


class Module(str):
    @property
    def functions(self):
        return [SimpleNamespace(name=str(self))]


class set_of(tuple):
    """Libraries in the order in which a set happens to give them."""


def test_what_many_functions_call_is_there_once():
    product = library("product")
    turned, rows = library("turned", product), library("rows", product)
    balance = library("balance", rows, turned, product)
    kernel = library("kernel", balance, turned)
    found = parts_of(kernel)
    assert found[0] == "code of kernel"
    assert sorted(found) == sorted(f"code of {name}" for name in ("kernel", "balance", "turned", "rows", "product"))
    again = library("kernel", turned, balance)
    assert parts_of(again) == found  # whatever the order of the set


def test_a_long_ladder_of_calls_costs_no_more_than_its_rungs():
    here = library("a0")
    for i in range(1, 60):  # two ways from each rung to the next: 2^60 ways in all
        here = library(f"a{i}", library(f"b{i}", here), library(f"c{i}", here))
    assert len(parts_of(here)) == 1 + 3 * 59


def test_code_from_elsewhere_is_asked_for_its_own():
    outside = SimpleNamespace(name="outside", modules=set())
    assert parts_of(library("kernel", outside)) == ["code of kernel"]


def test_functions_of_one_name_have_their_order_from_what_they_take():
    plain, complex_ = overload("add", "floats"), overload("add", "complex numbers")
    assert parts_of(library("kernel", plain, complex_)) == parts_of(library("kernel", complex_, plain))
