"""The motion from event to event as a stepper of the common loop: blocks of `follow.follow_modes`, its log, and the changes that Python decides."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof

from ...kernel.compiled import DISABLED, compiled, interpreted
from ...kernel.names import called
from ..ahead import compile_contacts_ahead
from ..contact.event_driven import CROWD, DryContact
from ..contact.modes import in_mode
from ..contact.transitions import BREAKS as BREAKS_EVENT
from ..contact.transitions import FREES as FREES_EVENT
from ..contact.transitions import IDLES as IDLES_EVENT
from ..contact.transitions import JAMS as JAMS_EVENT
from ..contact.transitions import LANDS, LEAVES, NETS, STOPS
from ..contact.transitions import LIFTS as LIFTS_EVENT
from ..contact.uniqueness import FORKS, JOINS
from ..events.event import Occurrence
from ..filippov.code import Code, futures_code
from ..hybrid.automaton import Change, Mode
from ..ode import control as c
from ..ode.block import Block, Tolerance, empty_block
from ..ode.dop853 import ROWS as STAGES
from ..result import outcome as o
from ..result.failure import broken_down
from ..result.outcome import Outcome
from . import guards
from .changes import AFTER_IMPACT, enter
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
    rate_row,
)
from .held_body import AccountedBody, HeldBody
from .memory import change_kind, memory
from .words import Words

LOG = 256  # rows; a block ends where it is full
ENDINGS = {  # the names under which `contact.event_driven` knows the guards after those of the contacts
    guards.IDLES: IDLES_EVENT,
    guards.STOPS: STOPS,
    guards.LIFTS: LIFTS_EVENT.label,
    guards.JAMS: JAMS_EVENT.label,
    guards.FREES: FREES_EVENT.label,
    guards.BREAKS: BREAKS_EVENT.label,
}
OF_A_CONTACT = (LANDS, NETS, LEAVES)


@compiled
def take_block(body, code, m, log, s, y, k, tolerance, step, block, options):
    """`follow_modes`, for Python."""
    return follow_modes(body, code, m, log, s, y, k, tolerance, step, block, options)


@compiled
def enter_here(system, m, t, y, rtol):
    """`enter`, for Python."""
    enter(system, m, t, y, rtol)


class FromEventToEvent:
    """Steps, impacts and changes of mode of a body with contacts. `automaton` decides what compiled code does not; `words` says what happened."""

    advice = "or loosen rtol"
    straight = False

    def __init__(self, run: Any, s: np.ndarray, method: Any, automaton: DryContact):
        self.run, self.n, self.automaton, self.count = run, run.n, automaton, automaton.count
        self.system = automaton.body
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
        self.words = Words(automaton)
        self.outcome: Outcome | None = None
        self.jump: tuple[np.ndarray, np.ndarray] | None = (
            None  # the states before and after a change, if the last block, or the start, ended with one
        )
        y, end, start = run.y, s[c.END], run.y.copy()
        s[c.END] = s[c.TIME]  # no farther than through an impact at the start
        block = empty_block(1, y.size, none, np.empty((0, y.size)), False, False, False)
        if not DISABLED:  # another process compiles the futures meanwhile
            take_block.compile(tuple(map(typeof, self.arguments(s, y, run.tolerance, block))))
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
        from ..contact.by_address import STIFF_MODES
        from .stiff import hand_over, radau_work

        is_explicit, before = self.work is self.explicit, rate_row(self.work)
        if is_explicit:
            self.automaton.by_address.add(STIFF_MODES)
            self.work = radau_work(self.explicit.shape[1])
        else:
            self.work = self.explicit
        interpreted(hand_over)(s, before, rate_row(self.work))

    def arguments(self, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> tuple[Any, ...]:
        """What compiled code is given for a block."""
        return self.body, self.code, self.memory, self.log, s, y, self.work, tolerance, self.step, block, self.options

    def read_log(self) -> None:
        """Take the rows of the log over, and empty it."""
        self.words.take(self.log[: int(self.memory.logged)].copy())
        self.memory.logged = 0.0

    def decide(self, s: np.ndarray, y: np.ndarray, block: Block) -> int:
        """Let Python say what follows the change that was asked for; why the block ended."""
        m, t, automaton = self.memory, float(s[c.TIME]), self.automaton
        ending, shares = float(m.asked), m.old.shares[: 3 * self.count]
        y[: self.n] = m.y[: self.n]
        modes = tuple(int(mode) for mode in m.old.modes[: self.count])
        if ending == STARTS:
            self.go_over(automaton.begin(t, y[: self.n].copy()), ending, t, y)
        elif ending == TOO_MANY:
            told = f"stopped at t = {t:.6g} after {self.options[MAX_CHANGES]:g} changes of mode; what was computed until then is here."
            self.outcome = Outcome(o.MOST_STEPS, told)
        elif ending == CROWDED:
            told = f"{called(automaton.system)} changed its mode {CROWD} times at t = {t:.10g} and gets no further; the motion until then is kept."
            self.outcome = Outcome(o.MOST_STEPS, told)
        else:
            mode = Mode("", in_mode(self.system, modes, shares))
            automaton.in_band, automaton.recent = m.in_band > 0.0, []
            automaton.begun = {k: m.begun_ways[2 * k : 2 * k + 2].copy() for k in range(self.count) if m.begun[k] > 0.0}
            event = Occurrence(t, self.event_of(ending), "", y[: self.n].copy(), True)
            self.go_over(automaton.after(mode, event, t, y[: self.n].copy()), ending, t, y)
            interpreted(keep_jump)(s, y, block)
        return c.UNDERFLOW if self.outcome is not None else c.FULL if s[c.END] > t else c.REACHED

    def event_of(self, ending: float) -> str:
        """The name under which the automaton knows a guard."""
        place = int(ending) - guards.PER_CONTACT * self.count
        if place < 0:
            return OF_A_CONTACT[int(ending) % guards.PER_CONTACT]
        if place == guards.FORKS:
            return JOINS if self.memory.in_band > 0.0 else FORKS
        return ENDINGS[place]

    def go_over(self, change: Change, ending: float, t: float, y: np.ndarray) -> None:
        """Go on as the automaton decided."""
        m, automaton = self.memory, self.automaton
        y[: self.n] = change.state
        if change.sums is not None:
            y[self.n :] += change.sums[: y.size - self.n]
        self.outcome = change.outcome
        if change.mode is None:
            self.words.say(t, change, ())
            return
        modes = change.mode.system.modes[: self.count]
        m.choice.modes[: self.count], m.choice.shares[: 3 * self.count] = modes, change.mode.system.shares[: 3 * self.count]
        m.choice.begins[:], m.begun[:] = 0.0, 0.0
        for k, way in automaton.begun.items():
            m.begun[k], m.begun_ways[2 * k : 2 * k + 2] = 1.0, way
        m.in_band, m.before[: self.count] = float(automaton.in_band), m.old.modes[: self.count]
        if ending == STARTS or not any(report.name == "lift_off" for report in change.reports):
            m.before[0] = AFTER_IMPACT
        m.levels[guards.BODY_SIZE] = automaton.size(change.state)
        enter_here(self.system, m, t, y[: self.n], self.options[RTOL])
        m.fresh = -1.0
        self.words.say(t, change, modes)

    def failure(self, status: int, run: Any, s: np.ndarray) -> Outcome:
        """The end, with its reason."""
        if self.outcome is not None:
            return self.outcome
        return broken_down(status, run, run.method.name, s, [], instead="moreau")
