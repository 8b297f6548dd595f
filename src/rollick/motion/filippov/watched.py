"""What is watched while a mode goes on: quantities that are positive until it ends.

    stops      slip along its direction (if it has one component)         breaks     the margin of what rolls
    lifts      a normal force of a contact that slips                     jams       `drive`: slip loses its unique normal force (Painleve)

They are noted at some of the stages of a step: where they stay far from zero, no end is looked for in it (`ends`).
"""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from .algebra.code import DRIVE, MARGIN, judge
from .algebra.code import PACE as FORCE_PACE
from .algebra.code import SIZE as FORCE_SIZE
from .algebra.cones import FAR, rolling_margin, slack
from .algebra.forces import SLIP
from .algebra.futures import force_scale
from .by_address import aim, forces_here, see_again
from .changing import BREAKS, JAMS, LIFTS, STOPS
from .records import WATCHED
from .slip.slips import none, speed
from .slip.straight import HELD
from .steady import fixed_forces, fixed_size, is_fixed, is_held, missing_in

EDGE = 1e-6  # of `drive`: closer to zero, the normal force of slip has no limit
UNLOADED = 1e-11  # of the forces at hand: a contact that neither presses nor pulls has a normal force of that size, by rounding
CLEARLY = 1.0  # times its variation within a step: a quantity that stays so large does not vanish in it


@compiled
def judge_here(form, modes, here):
    """What there is to watch, at the instant that `here` holds with its forces."""
    if not is_held(modes, here):
        judge(
            form.code, form.total, form.size, form.pressing != 0, modes, here.c, here.A, here.mu, here.load, here.w, here.x, here.null, here.told
        )  # fmt: skip
        return
    missing, loose = missing_in(modes, here), here.loose[3 * modes[0] + modes[1]]
    here.told[MARGIN], here.fixed[2] = rolling_margin(form.total, form.size, modes, here.x, loose, missing, here.mu)
    if is_fixed(here):
        here.told[FORCE_SIZE] = fixed_size(form, here)
        return
    here.told[FORCE_PACE], here.told[FORCE_SIZE] = force_scale(
        form.total, form.size, form.pressing != 0, modes, here.c, here.A, here.load
    )  # fmt: skip


@compiled
def watched_here(form, modes, given, here, out):
    """What is positive while a mode goes on, at the instant that `here` holds with its forces."""
    apart()
    judge_here(form, modes, here)
    size = here.told[FORCE_SIZE] if here.told[FORCE_SIZE] > 0.0 else 1.0
    for i in range(WATCHED):
        out[i] = 1.0
    for k in range(form.total):
        if modes[k] == SLIP:
            if form.size == 1:
                out[STOPS + k] = given[2 * k] * here.slip[2 * k]
            if form.pressing:
                out[LIFTS + k] = here.x[3 * k] / size + UNLOADED
    out[BREAKS] = min(here.told[MARGIN] / size, 1e3)
    out[JAMS] = here.told[DRIVE] - EDGE


@compiled
def aim_within(form, modes, given, m):
    """The directions of slip within a step: slip that began with it has the direction it was given only as long as it counts as none, unless that is held."""
    here = m.here
    aim(form, modes, given, here)
    if here.straight[0] == HELD:
        return
    for k in range(form.total):
        if form.size == 2 and modes[k] == SLIP and given[4 + k] > 0.0:
            size = speed(here, k)
            if size > none(m, k):
                here.w[2 * k], here.w[2 * k + 1] = here.slip[2 * k] / size, here.slip[2 * k + 1] / size


@compiled
def watched_at(form, modes, given, t, y, m, out):
    """The same at any state within a step."""
    apart()
    see_again(form, modes, t, y, m.here)
    if is_fixed(m.here):
        fixed_forces(m.here)
    else:
        aim_within(form, modes, given, m)
        if is_held(modes, m.here):  # else `judge` finds them
            forces_here(form, modes, m.here)
    watched_here(form, modes, given, m.here, out)


@compiled
def begin_noting(here, values):
    """From now on what is watched is noted at some of the stages of DOP853, from its values at the start of the step on."""
    here.seen[0], here.seen[1] = 0.0, 1.0
    for i in range(WATCHED):
        here.low[i] = here.high[i] = values[i]


@compiled
def note_value(here, i, value):
    """Note a value of a watched quantity."""
    here.low[i], here.high[i] = min(here.low[i], value), max(here.high[i], value)


@compiled
def note_fixed(form, modes, here):
    """Note what is watched, where forces are linear in c: normal forces of what slips, and a lower bound of the margin of what rolls, which is the margin
    itself unless both do (then for the tau of the start of the step)."""
    size, margin = fixed_size(form, here), FAR
    per = 1.0 / size if size > 0.0 else 1.0
    loose, tau = here.loose[3 * modes[0] + modes[1]], here.fixed[2]
    for k in range(form.total):
        if modes[k] == SLIP:
            note_value(here, LIFTS + k, here.x[3 * k] * per + UNLOADED)
        else:
            margin = min(margin, slack(here.x, loose, here.mu, form.size, k, tau))
    note_value(here, BREAKS, min(margin * per, 1e3))


@compiled
def note_stage(form, modes, given, here, values):
    """Note what is watched at a stage of DOP853: at those at 0.25, 0.333, 0.6, 0.857 of the step, and at its end. `values`: memory."""
    here.seen[0] += 1.0
    stage = here.seen[0]
    if stage == 5.0 or stage == 6.0 or stage == 9.0 or stage == 10.0 or stage == 12.0:
        if is_fixed(here):
            note_fixed(form, modes, here)
            return
        watched_here(form, modes, given, here, values)
        for i in range(WATCHED):
            note_value(here, i, values[i])


@compiled
def far_from_end(here):
    """Whether what was noted at the stages of a step stays so far above zero, compared with how much it varies, that the mode does not end in it."""
    for i in range(WATCHED):
        if not here.low[i] > CLEARLY * (here.high[i] - here.low[i]):
            return False
    return True


@compiled
def can_end(form, modes):
    """Whether a mode can end otherwise than by the end of slip of two components (`arrival`): not if known loads slip at all contacts."""
    rolls_or_opens = modes[0] != SLIP or (form.total == 2 and modes[1] != SLIP)
    return form.size == 1 or form.pressing != 0 or rolls_or_opens
