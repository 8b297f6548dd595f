"""Dense output: the motion inside a step, as a polynomial of degree 7 in a nested form shared by all integrators.

With x = (s - t)/h in [0, 1] and rows f0..f6,

    y(x) = y + x (f0 + (1-x) (f1 + x (f2 + (1-x) (f3 + x (f4 + (1-x) (f5 + x f6))))))

which is DOP853's own form; a method of lower order leaves its last rows zero.
"""

from __future__ import annotations

import numpy as np

from ...kernel.compiled import compiled, inlined

ROWS = 7


@compiled
def copy(source, target):
    """target = source, entry by entry (NumPy's assignment compiles ten times as long)."""
    for i in range(target.size):
        target[i] = source[i]


@compiled
def interpolate(x, y, f, out):
    """out = the state at the fraction x of the step that starts at y and has coefficients f."""
    u = 1.0 - x
    for i in range(out.size):
        out[i] = y[i] + x * (
            f[0, i] + u * (f[1, i] + x * (f[2, i] + u * (f[3, i] + x * (f[4, i] + u * (f[5, i] + x * f[6, i])))))
        )


def nested_terms(places: np.ndarray) -> np.ndarray:
    """What the rows of the nested form are multiplied with at some places x: x, x(1-x), x^2(1-x), ..."""
    terms = np.empty((len(places), ROWS))
    for j, x in enumerate(places):
        term = x
        for k in range(ROWS):
            terms[j, k] = term
            term *= (1.0 - x) if k % 2 == 0 else x
    return terms


PLACES = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, ROWS + 1) / (ROWS + 1))  # in (0, 1], as many as there are rows
PLACES[-1] = 1.0
FROM_PLACES = np.linalg.inv(nested_terms(PLACES))  # rows from the way until the places


@compiled
def shorten(x, y, f, room):
    """Rows for the first part of a step, of the fraction x: the same polynomial of another variable. `room`: as large as f."""
    for j in range(ROWS):
        interpolate(x * PLACES[j], y, f, room[j])
        for i in range(y.size):
            room[j, i] -= y[i]
    for i in range(y.size):
        for k in range(ROWS):
            total = 0.0
            for j in range(ROWS):
                total += FROM_PLACES[k, j] * room[j, i]
            f[k, i] = total
        f[0, i] = room[ROWS - 1, i]


@inlined
def interpolate_row(x, f, row):
    """As `interpolate`, inside one array: row 0 the start of the step, 1 to 7 its coefficients; slices would double the time it takes."""
    u = 1.0 - x
    for i in range(f.shape[1]):
        f[row, i] = f[0, i] + x * (
            f[1, i] + u * (f[2, i] + x * (f[3, i] + u * (f[4, i] + x * (f[5, i] + u * (f[6, i] + x * f[7, i])))))
        )


@compiled
def sample(ts, ys, fs, times, out):
    """States at many times from the steps' ends ts, ys and coefficients fs; times outside are clamped to the nearest step."""
    steps = fs.shape[0]
    forward = ts[steps] >= ts[0]
    for j in range(times.size):
        low = 0
        high = steps - 1
        while low < high:  # the step that holds times[j]: the last whose start is not after it
            middle = (low + high + 1) // 2
            after = ts[middle] > times[j] if forward else ts[middle] < times[j]
            if after:
                high = middle - 1
            else:
                low = middle
        if steps == 0 or times[j] == ts[low]:
            copy(ys[low], out[j])
        elif times[j] == ts[low + 1]:
            copy(ys[low + 1], out[j])
        else:
            interpolate((times[j] - ts[low]) / (ts[low + 1] - ts[low]), ys[low], fs[low], out[j])


def empty_coefficients(steps: int, n: int) -> np.ndarray:
    """Room for the coefficients of so many steps."""
    return np.empty((steps, ROWS, n))
