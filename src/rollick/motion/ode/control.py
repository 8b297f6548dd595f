"""The control record of an integration: what must survive between two blocks of steps; and how long the next explicit step is.

A plain array of floats, so that a block can be resumed exactly, read after Ctrl-C, and kept per thread on a GPU.
"""

from __future__ import annotations

from ...kernel.compiled import inlined

TIME, STEP, END, MOST_STEP = 0, 1, 2, 3  # t, the (signed) next step, the final time, the largest |step| allowed
ACCEPTED, REJECTED, EVALUATIONS = 4, 5, 6
STORED, NEXT_AT = 7, 8  # steps stored in the present block; index of the next requested output time
STIFF, NOT_STIFF = 9, 10  # counters of the stiffness test
LEFT = 11  # how many more steps may be tried
LAST_REJECTED, LAST_ERROR = 12, 13
JACOBIANS, FACTORISATIONS, FRESH = 14, 15, 16  # of the stiff method; FRESH: whether the Jacobian is of this point
NORM = 17  # an estimate of |lambda|max, of the stiff method
LAST_STEP = 18  # the step the stiff method's stage values belong to (0: none)
FACTORED, KEEP = 19, 20  # the step the stiff method's matrices are factored for (0: none); whether its Jacobian serves on
CONTRACTION = 21  # theta/(1 - theta) of its Newton iteration
RESIDUAL, RESIDUAL_TIME = 22, 23  # of time stepping: the worst residual of a contact problem, and when
SIZE = 24

# Why a block of steps ended.
FULL, REACHED, UNDERFLOW, NOT_FINITE, STIFFNESS, MOST_STEPS, SMOOTH = 0, 1, 2, 3, 4, 5, 6

SAFETY = 0.8  # with 0.9 a quarter of the steps of a rattling stone is rejected; 0.8 needs 9 % fewer evaluations
GROW, SHRINK = 6.0, 1.0 / 3.0


@inlined
def step_factor(error, most):
    """By how much to lengthen a step of DOP853 whose error, relative to the tolerances, is this: SAFETY/error^(1/8), at most `most`, at least SHRINK."""
    return min(most, max(SHRINK, SAFETY * error ** (-1.0 / 8.0))) if error > 0.0 else most
