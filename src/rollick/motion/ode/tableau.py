"""Any explicit Runge-Kutta method by its tableau: the stages of a step, its error estimate and its dense output.

    k_i = f(t + c_i h, y + h sum_j A_ij k_j),    y_new = y + h sum_i b_i k_i,    c_i = sum_j A_ij

It runs in the loop of `explicit`, compiled once for all tableaus. Its work has the rows of DOP853: the rates at the start (0) and at the end of the step (12), the new state
(16); stages beyond the first twelve follow behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import sqrt
from ...kernel.system import rate
from . import control as c
from .block import Block, Tolerance
from .dense import ROWS as DENSE
from .dop853 import NEW, ROWS
from .erased import Engine
from .explicit import advance_explicit, dense_output, evaluations, rows_of, try_step

END = 12  # the row of the rate at the end of a step
BEHIND = ROWS - END  # stage i >= 12 is in row i + BEHIND
CONTROLLED = 8.0  # `control.step_factor` takes the error of a method of this order
CLOSE = 1e-12  # what sums of coefficients may be off


@dataclass(frozen=True)
class Tableau:
    """The coefficients of an explicit Runge-Kutta method.

    A: the rows below the first, which is empty; b: the weights of the stages. error: b minus the weights of the embedded method of order - 1, one number for each stage and perhaps one
    for the rate at the end of the step; without it the steps are equal. dense: weights, as many, of the rows f3, f4, ... of the dense output (`ode.dense`) beyond Hermite's cubic.
    """

    order: int
    A: Sequence[Sequence[float]]
    b: Sequence[float]
    error: Sequence[float] | None = None
    dense: Sequence[Sequence[float]] = ()

    def __post_init__(self) -> None:
        rows = lambda given: tuple(tuple(map(float, row)) for row in given)
        object.__setattr__(self, "A", rows(self.A))
        object.__setattr__(self, "b", tuple(map(float, self.b)))
        object.__setattr__(self, "error", None if self.error is None else tuple(map(float, self.error)))
        object.__setattr__(self, "dense", rows(self.dense))

    @property
    def stages(self) -> int:
        """The number of stages."""
        return len(self.b)

    def mistake(self) -> str:
        """What is wrong with the coefficients, as a sentence; "" if nothing is."""
        s = self.stages
        if not all(math.isfinite(x) for row in (*self.A, self.b, self.error or (), *self.dense) for x in row):
            return "a coefficient is not finite."
        if self.error is not None and not any(self.error):
            return "all numbers in error are zero, so that every step would do; leave it out."
        if [len(row) for row in self.A] != list(range(1, s)):
            return f"A must have {s - 1} rows of 1, 2, ..., {s - 1} numbers, as b has {s}; it has rows of {[len(row) for row in self.A]}."
        if abs(sum(self.b) - 1.0) > CLOSE:
            return f"the numbers in b must sum to 1, not {sum(self.b):.15g}."
        for name, weights in (("error", self.error or ()), *(("a row of dense", row) for row in self.dense)):
            if weights and len(weights) not in (s, s + 1):
                return f"{name} must have {s} numbers, or {s + 1} with the rate at the end of the step; it has {len(weights)}."
            if weights and abs(sum(weights)) > CLOSE * max(map(abs, weights)):
                return f"the numbers in {name} must sum to 0, not {sum(weights):.3g}: a constant rate has no error."
        if len(self.dense) > DENSE - 3:
            return f"dense has {len(self.dense)} rows; there are {DENSE - 3} at most."
        return ""

    def work(self, n: int, equal: bool) -> TableauWork:
        """Room for steps of n states, with the coefficients as arrays; `equal`: the error of equal steps is not asked for."""
        problem = self.mistake()
        if problem:
            raise InputError(f"this is no tableau of an explicit Runge-Kutta method: {problem}")
        s = self.stages
        A, error, dense = np.zeros((s, s)), np.zeros(s + 1), np.zeros((DENSE, s + 1))
        for i, row in enumerate(self.A, start=1):
            A[i, :i] = row
        if self.error is not None and not equal:
            error[: len(self.error)] = self.error
        dense[0, :s] = self.b
        dense[1, :s] = [-b for b in self.b]
        dense[1, 0] += 1.0
        dense[2, :s] = [2.0 * b for b in self.b]
        dense[2, 0] -= 1.0
        dense[2, s] -= 1.0
        for j, row in enumerate(self.dense, start=3):
            dense[j, : len(row)] = row
        last_is_end = bool(np.array_equal(A[s - 1], self.b))  # the last stage is the rate at the end
        rows = np.zeros((ROWS + max(0, s - END), n))
        return TableauWork(rows, A, A.sum(axis=1), np.array(self.b, float), error, dense, CONTROLLED / self.order, last_is_end)


class TableauWork(NamedTuple):
    """The rows of a step, and the coefficients: A, c, b, error, dense; the power that makes the error that of a method of order 8; whether the last stage is the rate at the end."""

    rows: Any
    A: Any
    c: Any
    b: Any
    error: Any
    dense: Any
    power: float
    last_is_end: bool


@compiled
def stage_row(i):
    """The row of stage i."""
    return i if i < END else i + BEHIND


@compiled
def weighted(k, weights, count, last, i):
    """The sum of weights[j] times stage j at entry i, and of weights[count] times the rate at the end."""
    total = last * k[END, i]
    for j in range(count):
        total += weights[j] * k[stage_row(j), i]
    return total


@rows_of.register(TableauWork)
def _(work):
    return work.rows


@evaluations.register(TableauWork)
def _(work):
    return float(work.b.size)


@try_step.register(TableauWork)
def _(work, system, t, y, h, rtol, atol):
    k, n, s = work.rows, y.size, work.b.size
    z = k[NEW]
    for stage in range(1, s):
        for i in range(n):
            z[i] = y[i] + h * weighted(k, work.A[stage], stage, 0.0, i)
        rate(system, t + work.c[stage] * h, z, k[stage_row(stage)])
    for i in range(n):
        z[i] = y[i] + h * weighted(k, work.b, s, 0.0, i)
    if work.last_is_end:
        for i in range(n):
            k[END, i] = k[stage_row(s - 1), i]
    else:
        rate(system, t + h, z, k[END])
    total, spoiled = 0.0, 0.0
    for i in range(n):
        spoiled += 0.0 * k[END, i]
        part = h * weighted(k, work.error, s, work.error[s], i)
        total += (part / (atol[i] + rtol * max(abs(y[i]), abs(z[i])))) ** 2
    return sqrt(total / n) ** work.power + spoiled


@dense_output.register(TableauWork)
def _(work, system, t, y, h, f):
    k, s = work.rows, work.b.size
    for j in range(DENSE):
        for i in range(y.size):
            f[j, i] = h * weighted(k, work.dense[j], s, work.dense[j, s], i)


class ByTableau:
    """The stepper of an explicit Runge-Kutta method."""

    puts_off = False

    def __init__(self, engine: Engine, n: int, tableau: Tableau, name: str, equal: bool):
        self.engine, self.name, self.order = engine, name, float(tableau.order)
        self.advice = "or take a larger dt" if equal else "or loosen rtol"
        self.work = tableau.work(n, equal)
        self.rate = self.work.rows[0]

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> int:
        """A block of steps; why it ended."""
        return advance_explicit(self.engine.erased, s, y, self.work, tolerance, block)


def equal_steps(s: np.ndarray, dt: float) -> None:
    """Let all steps be of one length, about dt, a whole number of which reaches the end."""
    span = float(s[c.END] - s[c.TIME])
    count = max(1, round(abs(span) / dt))
    s[c.STEP], s[c.MOST_STEP] = span / count, abs(span) / count
