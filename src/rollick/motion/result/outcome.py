"""How a motion ended, in a word and in a sentence."""

from __future__ import annotations

from typing import NamedTuple

FINISHED = "finished"  # reached the final time
EVENT = "event"  # stopped by a terminal event
MOST_STEPS = "max_steps"
TIME_LIMIT = "wall_limit"
INTERRUPTED = "interrupted"
UNDERFLOW = "step_underflow"
NOT_FINITE = "not_finite"
BAD_EVENT = "bad_event"
RAISED = "exception"  # the system's own equations raised one
LEFT = "left_domain"  # came to the end of the range in which the equations hold

FAILURES = (UNDERFLOW, NOT_FINITE, BAD_EVENT, RAISED)
INCOMPLETE = (MOST_STEPS, TIME_LIMIT, INTERRUPTED, *FAILURES)


class MotionWarning(UserWarning):
    """A motion that did not reach its end, or deserves a second look."""


class StartAdjusted(UserWarning):
    """A start that violated the constraints of its system and was pulled onto them."""


class Outcome(NamedTuple):
    """Why a motion ended: a status word, and a message that says when, where and what to try."""

    status: str
    message: str

    @property
    def complete(self) -> bool:
        """Whether the motion reached its final time or a terminal event."""
        return self.status not in INCOMPLETE

    @property
    def failed(self) -> bool:
        """Whether the integrator could not go on."""
        return self.status in FAILURES
