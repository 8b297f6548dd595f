"""Kernels of GPUs on disk: what their keys hold, and that nothing but the very same kernel is taken from there (on a GPU itself: tests/kernel/cuda_checks.py)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from rollick import Rattleback
from rollick.ensemble.gpu.kernel_cache import KernelCache, kept


class Context:
    """What Numba gives to a cache: a context with a code generator for one architecture."""

    def __init__(self, architecture=(9, 0)):
        self.architecture = architecture

    def refresh(self):
        pass

    def codegen(self):
        return self

    def magic_tuple(self):
        return self.architecture


class Compiled:
    """A kernel that was compiled, as far as a cache looks at it."""

    launch_config_sensitive = False

    def __init__(self, states, context):
        self.states, self.target_context = states, context

    def _reduce_states(self):
        return self.states


class Kernel:
    """A kernel as `cuda.jit` makes it."""

    def __init__(self):
        self.py_func, self._cache = test_the_same_kernel_comes_back, None


@pytest.fixture(autouse=True)
def rebuilt(monkeypatch, tmp_path):
    dispatcher = pytest.importorskip("numba.cuda.dispatcher")
    monkeypatch.setattr(dispatcher._Kernel, "_rebuild", classmethod(lambda cls, **states: states))
    monkeypatch.setattr("rollick.ensemble.gpu.kernel_cache.cache_directory", lambda: tmp_path)


def cache(numbers=(1, True, (0, 2))):
    return kept(Kernel(), ("dop853", object(), *numbers), (Rattleback(),))._cache


def test_the_same_kernel_comes_back():
    cache().save_overload("(float64,)", Compiled({"code": b"1"}, Context()))
    assert cache().load_overload("(float64,)", Context()) == {"code": b"1"}


def test_any_other_does_not():
    cache().save_overload("(float64,)", Compiled({"code": b"1"}, Context()))
    assert cache().load_overload("(int64,)", Context()) is None
    assert cache().load_overload("(float64,)", Context((8, 0))) is None
    assert cache((2, True, (0, 2))).load_overload("(float64,)", Context()) is None
    assert cache((1, True, (0, 3))).load_overload("(float64,)", Context()) is None


def test_a_damaged_file_is_none(tmp_path):
    one = cache()
    one.save_overload("(float64,)", Compiled({"code": b"1"}, Context()))
    (file,) = tmp_path.glob("*.code")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert one.load_overload("(float64,)", Context()) is None


def test_what_depends_on_its_launch_or_cannot_be_known_is_not_kept(tmp_path):
    class Here(NamedTuple):
        a: float

    assert kept(Kernel(), ("dop853",), (Here(1.0),))._cache is None
    made = Compiled({"code": b"1"}, Context())
    made.launch_config_sensitive = True
    cache().save_overload("(float64,)", made)
    assert list(tmp_path.glob("*.code")) == []
    assert isinstance(cache(), KernelCache)


def test_kernels_of_the_simulator_stay_as_they_are():
    simulated = object()
    assert kept(simulated, ("dop853",), (Rattleback(),)) is simulated
