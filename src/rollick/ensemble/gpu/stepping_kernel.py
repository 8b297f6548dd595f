"""Time stepping on a GPU: a thread makes all steps of a member, in the same compiled functions as on a CPU; its end comes back.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numba import cuda, float64, int64

from ...kernel.erased import outline
from ...kernel.leaves import builder
from ...mechanics.contact import contact_count, positions, velocities
from ...motion.contact.stepper import DT, EVERY, FIRST, LOST, SCHEME, SETTINGS, SWEEPS, TOL, TOTAL, StepWork, advance_equal
from ...motion.contact.work import FACTORS, MEMORY, ROWS, VECTORS, WHOLE, Work
from ...motion.methods.stepping import FACTORS as PUBLISHED
from ...motion.methods.stepping import Stepping
from ...motion.ode import control as c
from ...motion.ode.block import Block
from ..chunks.loop import ASK, DONE
from ..chunks.prepared import Group
from .cuda import kernel_of, launched

MOST_SWEEPS = 10_000
REGISTERS = 255


def step_on_gpu(group: Group, starts: np.ndarray, method: Stepping, max_steps: float) -> tuple[np.ndarray, ...]:
    """Ends, times, steps and status of members whose systems are of one type; starts: (q, u, sums), a row each."""
    template = group.lead.system
    spans = group.spans
    each, which = np.unique(spans, axis=0, return_inverse=True)
    totals = np.array([method.total(replace(group.lead, t0=t0, t1=t1)) for t0, t1 in each.tolist()], float)[which.ravel()]
    settings = np.zeros(SETTINGS)
    settings[SCHEME], settings[TOL], settings[SWEEPS] = method.scheme, float(method.tol), MOST_SWEEPS
    factors = np.array([*PUBLISHED, 1.0, 0.0], float)
    varied = group.varied
    status, ended = np.full(len(starts), ASK, np.int64), np.zeros((len(starts), 2))
    given = [
        group.rows[:, varied] if varied else np.zeros((1, 1)),
        spans,
        totals,
        settings,
        factors,
        np.array([max_steps]),
        np.zeros(0),
    ]
    found, ended, status = launched(
        ("stepping", outline(template), varied),
        lambda: stepping_kernel(template, varied),
        len(starts),
        given,
        [starts, ended, status],
        (template,),
    )
    return found, ended[:, 0], ended[:, 1].astype(np.int64), status


def stepping_kernel(template: Any, varied: tuple[int, ...]) -> Any:
    """The kernel for a type of system; `varied`: the floats that differ from the template's."""
    build = builder(template, varied)
    nq, nu, contacts = (int(f(template)) for f in (positions, velocities, contact_count))
    size, n, memory = nq + nu + LOST, ROWS * contacts, contacts + 1
    longest = max(nq, nu, n, FACTORS * contacts)
    control, settled, factored, vectors, whole, wide, columns = c.SIZE, SETTINGS, FACTORS, VECTORS, WHOLE, ROWS, MEMORY

    @kernel_of(REGISTERS)
    def kernel(template, fields, spans, totals, common, factors, limit, at, ends, ended, status):
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < ends.shape[0]:
            system = build(template, fields[i % fields.shape[0]])
            w = Work(
                cuda.local.array((nu, nu), float64),
                cuda.local.array((2, n, nu), float64),
                cuda.local.array((3, n, n), float64),
                cuda.local.array((3, wide, wide), float64),
                cuda.local.array((vectors, longest), float64),
                cuda.local.array((whole, contacts), int64),
                cuda.local.array((memory, columns), float64),
            )
            for a in range(vectors):
                for b in range(longest):
                    w.v[a, b] = 0.0
            for b in range(contacts):
                for a in range(whole):
                    w.k[a, b] = 0
            for a in range(memory):
                for b in range(columns):
                    w.last[a, b] = 0.0
            settings, own = cuda.local.array(settled, float64), cuda.local.array(factored, float64)
            for a in range(settled):
                settings[a] = common[a]
            for a in range(factored):
                own[a] = factors[a]
            first, last = spans[i, 0], spans[i, 1]
            total = totals[i]
            settings[DT], settings[EVERY], settings[FIRST] = (last - first) / total, total, first
            settings[TOTAL] = total if last != first else 0.0
            s, y = cuda.local.array(control, float64), cuda.local.array(size, float64)
            for a in range(control):
                s[a] = 0.0
            s[c.TIME], s[c.END], s[c.LEFT], s[c.MOST_STEP] = first, last, limit[0], np.inf
            for a in range(size):
                y[a] = ends[i, a]
            old = cuda.local.array(size, float64)
            block = Block(
                cuda.local.array(2, float64),
                cuda.local.array((1, 1), float64),
                cuda.local.array((1, 1, 1), float64),
                at,
                cuda.local.array((1, 1), float64),
                False,
                False,
                False,
            )
            why = advance_equal(system, s, y, StepWork(w, own, settings, old), None, block)
            if why == c.REACHED:
                status[i] = DONE
                for a in range(size):
                    ends[i, a] = y[a]
            ended[i, 0], ended[i, 1] = s[c.TIME], s[c.ACCEPTED]

    return kernel
