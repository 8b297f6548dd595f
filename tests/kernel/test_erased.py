"""Values packed into memory, read back by code that knows only their address."""

import gc
from typing import NamedTuple

import numpy as np
import pytest
from numba import types
from numba.core import config

from rollick.kernel.compiled import compiled
from rollick.kernel.erased import Packed, load

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="about machine code")


class Inner(NamedTuple):
    """An array inside."""

    table: np.ndarray
    factor: float


class Outer(NamedTuple):
    """Arrays at two depths."""

    first: np.ndarray
    inner: Inner
    more: tuple


@compiled
def read(address, kind, i):
    value = load(address, kind)
    return value.first[i] + value.inner.factor * value.inner.table[i, 0] + value.more[1][i]


def make():
    return Outer(np.array([1.0, 2.0]), Inner(np.array([[3.0], [4.0]]), 10.0), (np.zeros(2), np.array([0.5, 0.25])))


def test_packed_values_are_read_back():
    packed = Packed(make())
    kind = types.TypeRef(packed.kind.type)
    read.inside.compile((types.int64, kind, types.int64))
    assert read(packed.address, packed.kind.type, 1) == 2.0 + 40.0 + 0.25


def test_packed_arrays_are_owned_by_python_alone():
    """The counters of references that Numba makes for an array die with the call that brought it from Python: they must not be kept."""
    packed = Packed(make())
    words = packed.bytes[: packed.bytes.size // 8 * 8].view(np.int64)
    assert words[0] == 0  # the first array's counter of references
    assert words[1] == 0  # and its Python object
    assert words[4] == packed.value.first.ctypes.data


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_many_packed_values_come_and_go(count):
    kept = []
    for _ in range(count):
        packed = Packed(make())
        assert read(packed.address, packed.kind.type, 0) == 1.0 + 30.0 + 0.5
        kept = [*kept[-20:], bytearray(np.random.default_rng(1).integers(0, 48))]
    gc.collect()
