"""The flow of a system over pieces of time, with its derivatives: what shooting is made of.

One compiled loop goes over the pieces [t_i, t_{i+1}]; it knows the system by addresses (`motion.ode.erased`), so that it is compiled once for
all of them. For each piece: the end y_i(t_{i+1}), the transition matrix G_i = d end/d start, g_i = d end/d p, and the rates at both ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from ...kernel.compiled import DISABLED, compiled
from ...kernel.names import InputError, called
from ...kernel.system import dim, rate
from ...motion.methods import DOP853, Radau
from ...motion.methods.smooth import tolerances
from ...motion.ode import control as c
from ...motion.ode.block import Tolerance, empty_block
from ...motion.ode.columns import with_transition
from ...motion.ode.control import END, EVALUATIONS, FULL, REACHED, STEP, TIME
from ...motion.ode.dop853 import ROWS
from ...motion.ode.erased import Engine
from ...motion.ode.explicit import advance_explicit, first_step
from ...motion.ode.implicit import advance_implicit, radau_work
from .sensitive import compared, sensitive
from .watch import look

BLOCK, SPREAD = (128, 4096), 40_000  # steps between two looks, the more states the fewer: a second at most
MOST_STEPS = 20_000.0  # of one piece
TIGHT = DOP853(rtol=1e-11)  # the integrator, unless another one is asked for
LOOSER = 1e-1  # absolute tolerance of transition matrices, in units of rtol (their size is about one)


class Pieces(NamedTuple):
    """The flow over pieces of time: ends, transition matrices, derivatives by the parameter (zero without one), rates at starts and ends."""

    ends: np.ndarray
    matrices: np.ndarray
    by_parameter: np.ndarray
    first_rates: np.ndarray
    last_rates: np.ndarray


class Lost(ArithmeticError):
    """The flow does not reach the end of a piece."""


@compiled
def reset(y, n, start):
    """y = (start, 1, 0): the state, the unit matrix by columns, and zero for the rest."""
    for i in range(y.size):
        y[i] = 0.0
    for i in range(n):
        y[i] = start[i]
        if y.size > n:
            y[n + i * (n + 1)] = 1.0


@compiled
def explicit_pieces(engine, n, times, starts, chained, out, rates, y, k, scratch, s, tolerance, block, piece, begun):
    """Pieces by DOP853 from `piece` on (`begun`: from the midst of it); out[i] is the extended state at the end of piece i.

    Returns the piece it came to and why it ended there: REACHED behind the last one, FULL where a block is full, so that somebody may look up and call again.
    """
    rtol, atol = tolerance
    while piece < times.size - 1:
        if not begun:
            reset(y, n, out[piece - 1] if chained and piece > 0 else starts[piece])
            s[TIME] = times[piece]
            s[END] = times[piece + 1]
            s[c.LEFT] = MOST_STEPS
            rate(engine, s[TIME], y, k[0])
            for i in range(n):
                rates[piece, 0, i] = k[0, i]
            if piece == 0:
                for i in range(y.size):
                    scratch[0, i] = k[0, i]
                s[STEP] = first_step(engine, s[TIME], y, s[END], 8.0, s[c.MOST_STEP], scratch, rtol, atol)
            s[c.LAST_REJECTED] = 0.0
        begun = False
        status = advance_explicit(engine, s, y, k, tolerance, block)
        if status != REACHED:
            return piece, status
        for i in range(y.size):
            out[piece, i] = y[i]
        for i in range(n):
            rates[piece, 1, i] = k[0, i]
        piece += 1
    return piece, REACHED


@compiled
def implicit_pieces(engine, n, times, starts, chained, out, rates, y, work, scratch, s, tolerance, block, piece, begun):
    """Pieces by Radau IIA, as `explicit_pieces`."""
    rtol, atol = tolerance
    while piece < times.size - 1:
        if not begun:
            reset(y, n, out[piece - 1] if chained and piece > 0 else starts[piece])
            s[TIME] = times[piece]
            s[END] = times[piece + 1]
            s[c.LEFT] = MOST_STEPS
            rate(engine, s[TIME], y, work.f0)
            for i in range(n):
                rates[piece, 0, i] = work.f0[i]
            for i in range(y.size):
                scratch[0, i] = work.f0[i]
            s[STEP] = first_step(engine, s[TIME], y, s[END], 5.0, s[c.MOST_STEP], scratch, rtol, atol)
            s[c.FRESH] = 0.0
            s[c.LAST_STEP] = 0.0
            s[c.LAST_ERROR] = 0.0
            s[c.LAST_REJECTED] = 0.0
            s[c.FACTORED] = 0.0
            s[c.KEEP] = 0.0
        begun = False
        status = advance_implicit(engine, s, y, work, tolerance, block)
        if status != REACHED:
            return piece, status
        for i in range(y.size):
            out[piece, i] = y[i]
        for i in range(n):
            rates[piece, 1, i] = work.f0[i]
        piece += 1
    return piece, REACHED


class Flow:
    """The flow of a kind of system; `parameter`: by whose value derivatives are wanted, too; `derivatives=False`: states alone."""

    def __init__(self, system: Any, parameter: str | None = None, method: Any = None, derivatives: bool = True):
        self.method = TIGHT if method is None else method
        if not isinstance(self.method, (DOP853, Radau)):
            raise InputError(
                f"the integrator of an orbit is DOP853(...) or Radau(...), which know derivatives; got {self.method!r}."
            )
        self.n, self.parameter, self.derivatives = int(dim(system)), parameter, derivatives
        self.wrap = with_transition if parameter is None else self._sensitive
        if not derivatives:
            self.wrap = lambda inner: inner
        engine = Engine(self.wrap(system))
        self.extended = int(dim(engine.system))
        rtol, atol = tolerances(self.method.rtol, self.method.atol, self.extended, self.n, [])
        atol[self.n :] = np.maximum(atol[self.n :], LOOSER * rtol)
        self.tolerance = Tolerance(rtol, atol)
        self.stiff = isinstance(self.method, Radau)
        self.work: Any = radau_work(self.extended) if self.stiff else np.zeros((ROWS, self.extended))
        self.scratch, self.y = np.zeros((3, self.extended)), np.zeros(self.extended)
        steps = min(max(SPREAD // self.extended, BLOCK[0]), BLOCK[1])
        self.block = empty_block(steps, self.extended, np.empty(0), np.empty((0, self.extended)), False, False, False)
        self.evaluations = 0
        self.system: Any = system
        self.engine: Engine = engine
        self.put(system, engine)

    def _sensitive(self, system: Any) -> Any:
        assert self.parameter is not None
        return sensitive(system, self.parameter)

    def put(self, system: Any, engine: Engine | None = None) -> None:
        """Another system of the same kind from now on (another value of the parameter)."""
        if engine is None and system == self.system:
            return
        if engine is None and not DISABLED and type(system) is type(self.system):
            self.system = system
            self.engine.packed.put(self.wrap(system))
            return
        self.system = system
        self.engine = engine or Engine(self.wrap(system))
        try:
            self.erased = self.engine.for_implicit() if self.stiff else self.engine.for_explicit()
        except NumbaError:
            if self.parameter is None or self.wrap is not self._sensitive:
                raise
            name = self.parameter  # the equations take no complex parameter
            self.wrap = lambda inner: compared(inner, name)
            self.put(system, Engine(self.wrap(system)))

    def over(self, times: np.ndarray, starts: np.ndarray, chained: bool = False) -> Pieces:
        """The flow over the pieces between `times`; each from its own start, or all from the first one, one after the other."""
        n, count = self.n, len(times) - 1
        out, rates = np.empty((count, self.extended)), np.empty((count, 2, n))
        s = np.zeros(c.SIZE)
        s[c.MOST_STEP] = self.method.max_step
        run = implicit_pieces if self.stiff else explicit_pieces
        times, starts = np.ascontiguousarray(times, float), np.ascontiguousarray(starts, float)
        args = (
            self.erased,
            n,
            times,
            starts,
            chained,
            out,
            rates,
            self.y,
            self.work,
            self.scratch,
            s,
            self.tolerance,
            self.block,
        )
        reached, status = run(*args, 0, False)
        while status == FULL:
            look((s[TIME] - times[0]) / ((times[-1] - times[0]) or 1.0))
            reached, status = run(*args, reached, True)
        self.evaluations += int(s[EVALUATIONS])
        if reached < count:
            raise Lost(
                f"the motion of {called(self.system)} cannot be followed beyond t = {s[TIME]:.6g} (method {self.method.name})"
            )
        matrices, by_parameter = np.empty((0, n, n)), np.zeros((count, n))
        if self.derivatives:
            matrices = out[:, n : n * (n + 1)].reshape(count, n, n).transpose(0, 2, 1)
        if self.derivatives and self.parameter is not None:
            by_parameter = out[:, n * (n + 1) :].copy()
        return Pieces(out[:, :n].copy(), matrices, by_parameter, rates[:, 0], rates[:, 1])
