"""How a motion, or any other result, ended: in a word and in a sentence. One vocabulary for all of them (`STATUSES`)."""

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
UNSOLVED = "contact_unsolved"  # a contact problem could not be solved, with the shortest step either
LEFT = "left_domain"  # came to the end of the range in which the equations hold
PAINLEVE = "painleve"  # no contact force is consistent, or several are
PENETRATES = "penetration"  # a body is inside a surface
AMBIGUOUS = "ambiguous"  # several futures are consistent
LOST = "contact_loss"  # a contact opens, and the states cannot tell how it goes on
DOUBTFUL = "doubtful"  # reached its end, but a check misses by more than the tolerances explain
UNCONVERGED = "no_convergence"  # a branch of solutions that Newton's method could not follow any farther

# How a sequence of collisions ends
SEQUENCE_ENDS = {
    "CC": "complete chatter: impacts without end bring the body to rest",
    "PCC": "partially complete chatter: two points come to rest, the body still moves",
    "ICC": "incomplete chatter: after a last impact the body flies away",
    "zeno": "the impacts at one point accumulate, and it stays in contact",
    "rest": "the body rests on the plane",
    "simultaneous": "several points met the plane at once",
    "time": "the final time was reached",
    "max_impacts": "the limit on the number of impacts was reached, and nothing is decided",
}

# Every word that a result may end with, and what it means; docs/results.md shows this table.
STATUSES = {
    FINISHED: "the final time was reached, or everything was done",
    EVENT: "a terminal event stopped it",
    LEFT: "it came to the end of the range in which its equations hold",
    PAINLEVE: "with this much friction no contact force is consistent, or contacts may as well open (Painleve's paradox), and no policy was chosen",
    PENETRATES: "a body was found inside a surface: the motion is wrong from there on",
    AMBIGUOUS: "several futures are consistent with Coulomb's law, and no policy was chosen",
    LOST: "a contact opens, and the states of the system cannot tell how the motion goes on",
    MOST_STEPS: "the limit on the number of steps was reached",
    TIME_LIMIT: "the limit on the seconds spent was reached",
    INTERRUPTED: "somebody stopped it",
    UNDERFLOW: "the step fell below what the time can resolve",
    NOT_FINITE: "a rate is not finite",
    UNSOLVED: "the contact problem of a time step could not be solved, not even with a much shorter step",
    BAD_EVENT: "an event function is not finite, or raised an exception",
    RAISED: "the system's own equations raised an exception",
    UNCONVERGED: "Newton's method did not converge; a branch is kept up to its last good point, which the message names",
    **SEQUENCE_ENDS,
    "rested": "the dropped body rests",
    "simultaneous_impact": "both ends of a dropped rod hit at once, and no rule was chosen",
    "vertex_rests": "impacts accumulate at a vertex of a dropped body; its friction from then on is not followed",
    "edge_rests": "impacts accumulate at an edge of a dropped body; its friction from then on is not followed",
    "topples": "three vertices touch, but the mass centre is not above them; this is not followed",
    "stuck": "impacts without end in one instant",
    DOUBTFUL: "it reached its end, but a check of it (energy, gap, second formulation, ...) misses by more than the tolerances explain",
}

FAILURES = (UNDERFLOW, NOT_FINITE, BAD_EVENT, RAISED, UNSOLVED, UNCONVERGED)
INCOMPLETE = (MOST_STEPS, TIME_LIMIT, INTERRUPTED, PAINLEVE, PENETRATES, AMBIGUOUS, LOST, DOUBTFUL, *FAILURES)


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
