"""Elements of arrays in machine code, against NumPy's."""

import numba
import numpy as np
import pytest

from rollick.kernel.compiled import compiled_uncached

CUBE = np.arange(60.0).reshape(3, 4, 5)
UNALIGNED = np.frombuffer(b"-" + np.arange(12.0).tobytes(), np.float64, offset=1).reshape(3, 4)
ARRAYS = {
    "C": CUBE[1],
    "F": np.asfortranarray(CUBE[1]),
    "gaps": CUBE[:, 1:, ::2][2],
    "backwards": CUBE[0, ::-1, ::-1],
    "unaligned": UNALIGNED,
    "complex": CUBE[1] * (1.0 + 2.0j),
    "whole": np.arange(12).reshape(3, 4),
    "narrow": np.arange(12, dtype=np.int16).reshape(3, 4),
    "single": CUBE[1].astype(np.float32),
}


@compiled_uncached
def pick(a, i, j):
    return a[i, j], a[-1, j], a[i][j], a[0, 1]


@compiled_uncached
def put(a, i, j, value):
    a[i, j] = value
    a[-1, 2] = 3
    row = a[1]
    row[i] = value
    row[-1] = True
    return a


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize(("i", "j"), [(0, 1), (-1, -2), (np.uint8(2), np.int32(-1)), (True, False)])
def test_elements_are_those_of_numpy(name, i, j):
    a = ARRAYS[name]
    if isinstance(i, bool):  # no index here
        i, j = int(i), int(j)
    assert pick(a, i, j) == pick.py_func(a, i, j)
    if name != "unaligned":  # which cannot be written to
        found, expected = (f(a.copy(order="K"), i, j, 7) for f in (put, put.py_func))
        np.testing.assert_array_equal(found, expected)


@numba.njit(boundscheck=True)
def careful(a, i):
    return a[i]


@compiled_uncached
def calls_careful(a, i):
    return a[0] + careful(a, i)


def test_a_user_who_asks_for_bounds_gets_them():
    a = np.arange(3.0)
    assert calls_careful(a, 2) == 2.0
    with pytest.raises(IndexError):
        calls_careful(a, 3)
