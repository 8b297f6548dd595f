"""The motion from event to event as a stepper of the common loop: blocks of `follow.follow_modes`, its log, and the answers to what has no single answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof

from ...kernel.compiled import DISABLED, compiled, interpreted
from ...kernel.names import called
from ...mechanics.contact import contact_count, positions
from ..ahead import compile_contacts_ahead
from ..contact.by_address import STIFF_MODES, ByAddress
from ..contact.held import STICK
from ..contact.without_collision import percussion_without_collision
from ..contact.work import ROWS as WIDTH
from ..events.event import Occurrence
from ..filippov.algebra.code import Code, futures_code
from ..ode import control as c
from ..ode.block import Block, Tolerance, empty_block
from ..ode.dop853 import ROWS as STAGES
from ..result import outcome as o
from ..result.failure import broken_down
from ..result.outcome import Outcome
from .account import book_impact
from .all_futures import all_futures
from .changes import FUTURES, JAMMED, UNSOLVED
from .follow import (
    ASKED,
    CROWDED,
    DEEPEST,
    MAX_CHANGES,
    MAX_STEP,
    NOT_STARTED,
    OPTIONS,
    RTOL,
    STARTS,
    TOO_MANY,
    follow_modes,
    keep_jump,
    look_past_start,
    settle_struck,
    take_chosen,
)
from .held_body import AccountedBody, HeldBody
from .memory import change_kind, memory, room_for_futures
from .one_closed import TAKEN
from .policy import STRIKE, Policy, is_fork, spelled
from .several_closed import copy_choice
from .sight import see
from .thresholds import CROWD, MOST_CLOSED, MOVING
from .words import Words, unsolved

LOG = 256  # rows; a block ends where it is full
COMPILED: set[Any] = set()  # kinds of bodies for which `take_block` is compiled: to ask Numba takes as long as a short motion


@compiled
def take_block(body, code, m, log, s, y, k, tolerance, step, block, options):
    """`follow_modes`, for Python."""
    return follow_modes(body, code, m, log, s, y, k, tolerance, step, block, options)


class FromEventToEvent:
    """Steps, impacts and changes of mode of a body with contacts. `policy` answers what has no single answer; `words` says what happened."""

    advice = "or loosen rtol"
    straight = False

    def __init__(self, run: Any, s: np.ndarray, method: Any, by_address: ByAddress, policy: Policy):
        self.run, self.n, self.by_address, self.policy = run, run.n, by_address, policy
        self.system, self.count = by_address.body, int(contact_count(by_address.body))
        self.memory = m = memory(self.system)
        self.body = (AccountedBody if run.m else HeldBody)(self.system, m.choice)
        if getattr(self.system, "rigid", ()):
            compile_contacts_ahead(self.count)
        self.code = Code(0, 0, 0, 0)
        self.log = np.zeros(LOG, change_kind(self.system)).view(np.recarray)
        self.explicit = np.zeros((STAGES, run.y.size))
        self.work: Any = self.explicit  # of the method that makes the steps
        none = np.empty(0)
        self.step = empty_block(1, run.y.size, none, np.empty((0, run.y.size)), True, True, True)
        self.options = np.zeros(OPTIONS)
        self.options[[RTOL, MAX_STEP, MAX_CHANGES, DEEPEST]] = method.rtol, method.max_step, method.max_changes, np.inf
        m.fresh, m.pauses, m.asked = -1.0, float(bool(run.watches)), NOT_STARTED
        self.words = Words(policy.system)
        self.outcome: Outcome | None = None
        self.jump: tuple[np.ndarray, np.ndarray] | None = (
            None  # the states before and after a change, if the last block, or the start, ended with one
        )
        y, end, start = run.y, s[c.END], run.y.copy()
        s[c.END] = s[c.TIME]  # no farther than through an impact at the start
        block = empty_block(1, y.size, none, np.empty((0, y.size)), False, False, False)
        kind = (type(self.body), m.dtype, *(len(getattr(self.system, name, ())) for name in ("rigid", "single")))
        if not DISABLED and kind not in COMPILED:  # another process compiles the futures meanwhile
            take_block.compile(tuple(map(typeof, self.arguments(s, y, run.tolerance, block))))
            COMPILED.add(kind)
        self.code = futures_code(min(self.count, 2))
        self.advance(run.engine, s, y, run.tolerance, block)
        s[c.END] = end
        self.jump = start, y.copy()
        run.recorder.begin_at(y)
        self.name = self.words.first_mode

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> int:
        """A block of steps; why it ended."""
        self.jump = None
        if self.outcome is not None:
            return c.UNDERFLOW
        why = c.STIFFNESS
        while why in (c.STIFFNESS, c.SMOOTH):
            why = take_block(*self.arguments(s, y, tolerance, block))
            self.read_log()
            if why in (c.STIFFNESS, c.SMOOTH):
                self.hand_over(s)
                why = c.FULL if s[c.STORED] > 0.0 else why
        if why == ASKED:
            why = self.decide(s, y, block)
        stored = int(s[c.STORED])
        if self.memory.pauses > 0.0 and stored and block.ts[stored] == block.ts[stored - 1]:
            self.jump = block.ys[stored - 1].copy(), block.ys[stored].copy()
        return int(why)

    def hand_over(self, s: np.ndarray) -> None:
        """Let Radau IIA go on from here, or DOP853."""
        from .stiff import hand_over, radau_work

        if self.work is self.explicit:
            self.by_address.add(STIFF_MODES)
            self.work = radau_work(self.explicit.shape[1])
            interpreted(hand_over)(s, self.explicit[0], self.work.f0)
        else:
            interpreted(hand_over)(s, self.work.f0, self.explicit[0])
            self.work = self.explicit

    def arguments(self, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> tuple[Any, ...]:
        """What compiled code is given for a block."""
        return self.body, self.code, self.memory, self.log, s, y, self.work, tolerance, self.step, block, self.options

    def read_log(self) -> None:
        """Take the rows of the log over, and empty it."""
        self.words.take(self.log[: int(self.memory.logged)].copy())
        self.memory.logged = 0.0

    def decide(self, s: np.ndarray, y: np.ndarray, block: Block) -> int:
        """Answer what was asked; why the block ended."""
        m, t = self.memory, float(s[c.TIME])
        at_start = m.asked == STARTS
        if m.asked == TOO_MANY:
            told = f"stopped at t = {t:.6g} after {self.options[MAX_CHANGES]:g} changes of mode; what was computed until then is here."
            self.outcome = Outcome(o.MOST_STEPS, told)
        elif m.asked == CROWDED:
            told = f"{called(self.policy.system)} changed its mode {CROWD} times at t = {t:.10g} and gets no further; the motion until then is kept."
            self.outcome = Outcome(o.MOST_STEPS, told)
        else:
            while not self.answer(t, y) and self.outcome is None:
                pass
            m.fresh = -1.0
            self.read_log()
        if not at_start:
            interpreted(keep_jump)(s, y, block)
        return c.UNDERFLOW if self.outcome is not None else c.FULL if s[c.END] > t else c.REACHED

    def answer(self, t: float, y: np.ndarray) -> bool:
        """Answer the question that compiled code ended with; whether the motion goes on (without an outcome: it was followed by another question)."""
        m, here = self.memory, y[: self.n]
        closed = np.flatnonzero(m.closed[: self.count] > 0.0)
        if m.question == UNSOLVED:
            approach = float(m.sight.gamma[: 3 * self.count : 3][m.touching[: self.count] > 0.0].min())
            here[:] = m.struck[: self.n]
            return self.end(o.UNSOLVED, unsolved(self.policy.system, t, approach))
        if m.question != FUTURES:
            return self.paradox(t, y, "inconsistent" if m.question == JAMMED else "indeterminate", closed, ())
        if len(closed) > MOST_CLOSED:
            told = (
                f"{called(self.policy.system)} has {len(closed)} closed contacts at t = {t:.10g}; the event-driven method tries all combinations of modes, of at "
                f"most {MOST_CLOSED} contacts. The motion until then is kept; take method='moreau', or fewer feet."
            )
            return self.end(o.UNSOLVED, told)
        rows = room_for_futures(self.system)
        kept = rows[: all_futures(self.system, self.code, m, rows)]
        futures = [tuple(row.modes[closed].astype(int).tolist()) for row in kept]
        if is_fork(futures):
            return self.fork(t, y, kept, futures)
        if len(futures) != 1:
            return self.paradox(t, y, "indeterminate" if futures else "inconsistent", closed, kept)
        return self.go_on(t, y, kept[0], False)

    def fork(self, t: float, y: np.ndarray, kept: Any, futures: list[tuple[int, ...]]) -> bool:
        """Take one of several futures that keep all contacts closed. In a band that was entered before, what goes on is not asked for again."""
        m = self.memory
        if m.in_band > 0.0 and m.asked >= 0.0 and m.landed == 0.0:
            for row in kept:
                if np.array_equal(row.modes[: self.count], m.old.modes[: self.count]):
                    return self.go_on(t, y, row, True)
        taken = self.policy.at_fork(t, futures)
        took = "" if taken is None else f", took {spelled(futures[taken])}"
        self.words.say(Occurrence(t, "ambiguous", f"{len(futures)} futures{took}", y[: self.n].copy(), taken is None))
        if taken is None:
            return self.end(o.AMBIGUOUS, self.policy.why, t, y)
        return self.go_on(t, y, kept[taken], STICK in futures[taken])

    def paradox(self, t: float, y: np.ndarray, case: str, closed: np.ndarray, kept: Any) -> bool:
        """No future is consistent, or several of which one opens contacts: take what the policy says."""
        futures = [tuple(row.modes[closed].astype(int).tolist()) for row in kept]
        self.words.say(self.words.told(t, f"painleve_{case}", y, closed))
        struck = self.struck_without_collision(t, y, int(closed[0])) if len(closed) == 1 else None
        taken = self.policy.at_paradox(t, case, futures, len(closed), struck is not None)
        if taken is None:
            return self.end(o.PAINLEVE, self.policy.why, t, y)
        if struck is not None and taken == len(futures):
            return self.strike(t, y, int(closed[0]), struck)
        return self.go_on(t, y, kept[taken], False)

    def go_on(self, t: float, y: np.ndarray, choice: Any, in_band: bool) -> bool:
        """Go over to a choice of modes; at the start it is looked a moment ahead, as where there is one future."""
        m, rtol, at_start = self.memory, self.options[RTOL], self.memory.asked == STARTS
        interpreted(copy_choice)(self.system, choice, m.choice)
        m.in_band = float(in_band)
        take_chosen(self.body, m, self.log, t, y, rtol)
        if not at_start or in_band:
            return True
        before = m.old.modes.copy()
        status = look_past_start(self.system, self.code, m, t, y[: self.n], rtol)
        m.old.modes[:] = before
        if status != TAKEN:  # asked again, as if nothing had been decided but an impact
            m.logged = 0.0 if m.landed == 0.0 else m.logged
            m.landed = 0.0
        return bool(status == TAKEN)

    def struck_without_collision(self, t: float, y: np.ndarray, k: int) -> np.ndarray | None:
        """The percussion of an impact without collision at contact k, a number for each row; None if there is none."""
        m, rows = self.memory, slice(3 * k, 3 * k + 3)
        see(self.system, t, y[: self.n], self.options[RTOL], m.sight)
        gamma = m.sight.gamma[rows]
        if m.sight.mu[k] <= 0.0 or np.hypot(*gamma[1:]) <= MOVING * m.sight.still[k]:
            return None
        return percussion_without_collision(gamma, m.sight.A[rows, rows], float(m.sight.mu[k]))

    def strike(self, t: float, y: np.ndarray, k: int, percussion: np.ndarray) -> bool:
        """Go on after an impact without collision at contact k."""
        m, nq = self.memory, int(positions(self.system))
        self.keep_landing(t, y)
        m.struck[: self.n] = y[: self.n]
        m.touching[:], m.blows[:], m.work[:] = 0.0, 0.0, 0.0
        m.touching[k], m.blows[WIDTH * k : WIDTH * k + 3] = 1.0, percussion
        y[nq : self.n] += percussion @ m.sight.lift[3 * k : 3 * k + 3, : self.n - nq]
        self.words.say(self.words.told(t, STRIKE.replace(" ", "_"), y, [k]))
        return bool(settle_struck(self.body, self.code, m, self.log, t, y, self.options[RTOL]) == TAKEN)

    def keep_landing(self, t: float, y: np.ndarray) -> None:
        """Put an impact, behind which the motion was asked about, into the account and into words."""
        m = self.memory
        if m.landed > 0.0:
            book_impact(self.body, m, t, y)
            new = np.flatnonzero((m.touching > 0.0) & (m.held == 0.0))
            self.words.waiting.insert(0, self.words.told(t, "impact", m.after, new))
            m.landed = 0.0

    def end(self, status: str, told: str, t: float | None = None, y: np.ndarray | None = None) -> bool:
        """End the motion; (t, y): the instant and the state behind an impact, if there was one."""
        if t is not None and y is not None:
            self.keep_landing(t, y)
        self.outcome = Outcome(status, told)
        return False

    def failure(self, status: int, run: Any, s: np.ndarray) -> Outcome:
        """The end, with its reason."""
        if self.outcome is not None:
            return self.outcome
        return broken_down(status, run, run.method.name, s, [], instead="moreau")
