"""Counting references in machine code: only where arrays are made or given back."""

import resource
import sys

import numpy as np
import pytest

from rollick.kernel.compiled import DISABLED, compiled_uncached

pytestmark = pytest.mark.skipif(DISABLED, reason="nothing is compiled")


def _as_own(function):
    """The function as one of the package's."""
    function.__module__ = "rollick.kernel.elsewhere"
    return compiled_uncached(function)


def test_arrays_that_are_made_or_given_back_are_counted_and_others_need_not_be():
    @_as_own
    def total(a):
        return a[0] + a[1:].sum() if a.size > 1 else a[0]

    @_as_own
    def part(a):
        return a[1:3]

    @_as_own
    def made(n):
        return np.ones(n)

    @_as_own
    def used(n):
        return made(n)[0] + 1.0

    a = np.arange(5.0)
    piece = part(a)
    assert piece.tolist() == [1.0, 2.0]
    a[1] = 7.0
    assert piece[0] == 7.0
    before = sys.getrefcount(a)
    for _ in range(100):
        total(a)
        part(a)
    assert abs(sys.getrefcount(a) - before) < 10  # 100 calls; what compiling left behind may be collected meanwhile
    assert used(1_000_000) == 2.0
    least = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):
        used(1_000_000)  # 8 MB each
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - least < 100_000  # kB


def test_code_of_users_may_make_arrays():
    @compiled_uncached
    def theirs(a):
        scratch = np.zeros(3)
        scratch[:2] = a[:2]
        return scratch.sum()

    @_as_own
    def ours(a):
        return theirs(a) + 1.0

    assert ours(np.array([1.0, 2.0])) == 4.0
    assert theirs(np.array([1.0, 2.0])) == 3.0
