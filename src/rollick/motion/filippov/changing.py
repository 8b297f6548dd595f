"""What follows the end of a mode, in compiled code: all consistent futures are looked for; the one there is, is taken, or what the policy says.

Where forces leave a cone, or a normal force vanishes, two modes meet and the question is put a moment later, in the mode that ends: as little later as it takes
for that mode to be out of the question.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from .algebra.code import find_futures
from .algebra.forces import OPEN, ROLL, SLIP
from .algebra.futures import MODE as FUTURE_MODE
from .algebra.futures import PACE as FUTURE_PACE
from .algebra.futures import WAY as FUTURE_WAY
from .by_address import add_up, aim, forces_here, keep_on, see, see_again, slip_rates
from .memory import (
    AMBIGUOUS,
    CHANGES,
    CHOSEN,
    CONTACT,
    CROWD,
    CROWDED,
    FORKED,
    FORKS,
    FOUND,
    GIVEN,
    GOES_ON,
    INSTANT,
    JAMMED,
    LOG_BEGINS,
    LOG_CONTACT,
    LOG_FUTURES,
    LOG_GIVEN,
    LOG_NEW,
    LOG_OLD,
    LOG_STATE,
    LOG_TAKEN,
    LOG_TIME,
    LOG_WHY,
    LOST,
    MODE,
    PACE,
    PAINLEVE,
    POLICY,
    SCALE,
    SPAN,
    WHY,
)
from .slip.slips import measure, none, speed, take_slip_away

# what ended a mode (with the contact added: 0, 1; 2, 3); FORK: rolling ceased to be the only future
STOPS, LIFTS, BREAKS, JAMS, STARTS, FORK = 0, 2, 4, 5, 6, 7
STOP, PREFER_ROLLING, PREFER_SLIP = range(3)  # policies, where the future is not unique
AHEAD = 1e-6  # of the time in which slips change: how much later it is asked what follows at an edge
HARDLY = 0.3  # of a slip: what it may change in that moment
STILL = 20.0  # times the slip that counts as none: another contact with so little slip stops as well
SAME, MANY = 1e-12, 50


@compiled
def find(form, modes, still, m):
    """All futures of the instant that m.here holds; how many."""
    apart()
    here = m.here
    return find_futures(
        form.code, form.total, form.size, form.pressing != 0, modes, still, False, here.c, here.A, here.mu, here.load, here.w, here.rows
    )  # fmt: skip


@compiled
def goes_on(m, found, modes):
    """Whether one of the futures is to go on as before."""
    for i in range(found):
        row = m.here.rows[i]
        if row[FUTURE_MODE] == modes[0] and row[FUTURE_MODE + 1] == modes[1]:
            if row[FUTURE_PACE] == 0.0 and row[FUTURE_PACE + 1] == 0.0:
                return True
    return False


@compiled
def moment(m):
    """A little of the time in which slips change."""
    r = m.record
    return AHEAD * min(max(r[SCALE], r[SCALE + 1]) / r[PACE] if r[PACE] > 0.0 else 1.0, r[SPAN])


@compiled
def a_moment_later(form, modes, still, t, y, m):
    """The futures a moment after the edge of a mode; how many. If it only touched the edge: those at the edge."""
    r, here = m.record, m.here
    out = m.k[1]
    given = r[GIVEN : GIVEN + 6]
    see_again(form, modes, t, y, here)
    aim(form, modes, given, here)
    forces_here(form, modes, here)
    add_up(form, modes, here, out)
    slip_rates(form, modes, here, m.U)
    ahead = moment(m)
    most = math.inf  # slips must not turn on the way
    for k in range(form.total):
        if modes[k] == SLIP and given[4 + k] == 0.0:
            turning = math.sqrt(m.U[2 * k] * m.U[2 * k] + m.U[2 * k + 1] * m.U[2 * k + 1])
            most = min(most, HARDLY * speed(here, k) / turning if turning > 0.0 else math.inf)
    ahead = min(ahead, 0.01 * most)
    beyond = False
    for _ in range(6):
        for i in range(y.size):
            m.y[i] = y[i] + ahead * out[i]
        see_again(form, modes, t + ahead, m.y, here)
        aim(form, modes, given, here)
        found = find(form, modes, still, m)
        if not goes_on(m, found, modes):
            if found > 0:
                return found
            beyond = True  # within rounding of the edge nothing may be admitted yet: a little later it is known
        ahead = min(10.0 * ahead, most)
    if beyond:
        return 0
    see_again(form, modes, t, y, here)
    aim(form, modes, given, here)
    return find(form, modes, still, m)


@compiled
def choose(form, m, found):
    """Which of the futures to take; -1: none of them. The next of the choices says so, then the policy: the future in which most contacts roll, or in which most
    slip, and of these the one whose slip grows fastest."""
    r, rows = m.record, m.here.rows
    if found == 1:
        return 0
    if r[CHOSEN] < m.chosen_from[0]:
        wanted = int(m.choices[int(r[CHOSEN])])
        return wanted if wanted < found else -1
    if r[POLICY] == STOP:
        return -1
    preferred = ROLL if r[POLICY] == PREFER_ROLLING else SLIP
    best, most, fastest, twice = -1, 0, 0.0, False
    for i in range(found):
        total, pace = 0, 0.0
        for k in range(form.total):
            if rows[i, FUTURE_MODE + k] == preferred:
                total += 1
                pace += rows[i, FUTURE_PACE + k] if preferred == SLIP else 0.0
        if total > most or (total == most and total > 0 and pace > fastest):
            best, most, fastest, twice = i, total, pace, False
        elif total == most and pace == fastest:
            twice = True
    return -1 if twice else best


@compiled
def write_log(form, m, t, y, why, contact, old, taken, found, before):
    """Add a row to the log."""
    apart()
    row = m.log[int(m.logged[0])]
    r = m.record
    row[LOG_TIME], row[LOG_WHY], row[LOG_CONTACT] = t, why, contact
    for k in range(2):
        row[LOG_OLD + k] = old[k]
        row[LOG_NEW + k] = r[MODE + k]
        row[LOG_BEGINS + k] = r[GIVEN + 4 + k]
    row[LOG_FUTURES], row[LOG_TAKEN] = found, taken
    for i in range(4):
        row[LOG_GIVEN + i], row[LOG_GIVEN + 4 + i] = r[GIVEN + i], before[i]
    for i in range(y.size):
        row[LOG_STATE + i] = y[i]
    m.logged[0] += 1.0


@compiled
def ended(m, why, contact):
    """Note why the motion ends."""
    m.record[WHY], m.record[CONTACT] = why, contact
    return why


@compiled
def take(form, m, old, i, t, y):
    """Go over to a future: modes and directions into the record, slips that are to be zero out of the state."""
    r, row = m.record, m.here.rows[i]
    opens = False
    for k in range(form.total):
        opens = opens or (row[FUTURE_MODE + k] == OPEN and old[k] != OPEN)
    if opens:
        return LOST
    for k in range(2):
        r[MODE + k] = row[FUTURE_MODE + k] if k < form.total else OPEN
        begins = row[FUTURE_PACE + k] > 0.0
        r[GIVEN + 4 + k] = 1.0 if begins else 0.0
        if begins:
            r[GIVEN + 2 * k], r[GIVEN + 2 * k + 1] = row[FUTURE_WAY + 2 * k], row[FUTURE_WAY + 2 * k + 1]
    held0 = ROLL if r[GIVEN + 4] > 0.0 else int(r[MODE])
    held1 = ROLL if r[GIVEN + 5] > 0.0 else int(r[MODE + 1])
    take_slip_away(form, (held0, held1), t, y, m)
    keep_on(form, (int(r[MODE]), int(r[MODE + 1])), y)  # what rolls has no slip, not even a trace of rounding
    return GOES_ON


@compiled
def change(form, m, why, contact, t, y, little):
    """What follows the end of a mode at (t, y); why the motion ends, or GOES_ON. Of a slip that stopped, the state has arrived; `little`: another slip that
    small has stopped with it."""
    r, here = m.record, m.here
    old = (int(r[MODE]), int(r[MODE + 1]))
    r[CHANGES] += 1.0
    if abs(t - r[INSTANT]) > SAME * max(1.0, abs(t)):
        r[INSTANT], r[CROWDED] = t, 0.0
    r[CROWDED] += 1.0
    if r[CROWDED] > MANY:
        return ended(m, CROWD, contact)
    if why == JAMS:
        return ended(m, JAMMED, contact)
    if why == FORK:
        return decide(form, m, why, contact, old, int(r[FOUND]), t, y)
    still0, still1 = old[0] == ROLL, old[1] == ROLL
    if why == STOPS:
        held = (ROLL if contact == 0 else old[0], ROLL if contact == 1 else old[1])
        take_slip_away(form, held, t, y, m)
        see_again(form, old, t, y, here)
        aim(form, old, r[GIVEN : GIVEN + 6], here)
        measure(form, old, m)
        other = 1 - contact
        too = form.total == 2 and old[other] == SLIP and speed(here, other) <= max(STILL * none(m, other), little)
        still0 = still0 or contact == 0 or too
        still1 = form.total == 2 and (still1 or contact == 1 or too)
        found = find(form, old, (still0, still1), m)
    else:
        see_again(form, old, t, y, here)
        measure(form, old, m)
        found = a_moment_later(form, old, (still0, still1), t, y, m)
        if found == 0 and why == LIFTS:
            return ended(m, LOST, contact)
    return decide(form, m, why, contact, old, found, t, y)


@compiled
def decide(form, m, why, contact, old, found, t, y):
    """Take the one future there is, or what the policy says."""
    m.record[FOUND] = found
    if found == 0:
        return ended(m, PAINLEVE, contact)
    taken = choose(form, m, found)
    if taken < 0:
        return ended(m, FORKS if why == FORK else AMBIGUOUS, contact)
    if found > 1:
        m.record[CHOSEN] += 1.0
    r = m.record
    r[FORKED] = t if found > 1 else math.nan
    before = (r[GIVEN], r[GIVEN + 1], r[GIVEN + 2], r[GIVEN + 3])
    result = take(form, m, old, taken, t, y)
    if result != GOES_ON:
        return ended(m, result, contact)
    write_log(form, m, t, y, why, contact, old, taken, found, before)
    return GOES_ON


@compiled
def back_to_rolling(form, m, contact, t, y):
    """Slip of a contact did not begin after all: it goes on rolling, which is logged as a change."""
    r = m.record
    old = (int(r[MODE]), int(r[MODE + 1]))
    before = (r[GIVEN], r[GIVEN + 1], r[GIVEN + 2], r[GIVEN + 3])
    r[CHANGES] += 1.0
    r[MODE + contact] = ROLL
    r[GIVEN + 4 + contact] = 0.0
    modes = (int(r[MODE]), int(r[MODE + 1]))
    take_slip_away(form, modes, t, y, m)
    keep_on(form, modes, y)
    write_log(form, m, t, y, STOPS, contact, old, 0, 1, before)


@compiled
def start(form, m, t):
    """The modes at the start, from the state in its record: contacts without slip or with it."""
    r, here, y = m.record, m.here, m.state
    was = (SLIP, SLIP if form.total == 2 else OPEN)
    see(form, was, t, y, here)
    measure(form, was, m)
    still0 = speed(here, 0) <= STILL * none(m, 0)
    still1 = form.total == 2 and speed(here, 1) <= STILL * none(m, 1)
    for k in range(form.total):  # slip of one component: its sign
        if was[k] == SLIP and speed(here, k) > 0.0:
            for i in range(2):
                r[GIVEN + 2 * k + i] = here.slip[2 * k + i] / speed(here, k)
    aim(form, was, r[GIVEN : GIVEN + 6], here)
    r[MODE] = ROLL if still0 else was[0]
    r[MODE + 1] = ROLL if still1 else was[1]
    found = find(form, was, (still0, still1), m)
    return decide(form, m, STARTS, 0, was, found, t, y)
