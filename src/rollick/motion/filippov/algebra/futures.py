"""What can follow an instant: every combination of modes that is consistent with Coulomb's law at each contact.

A contact whose slip is zero may roll (its forces inside the cone), begin to slip (along a limit direction that repels), or open (the gap grows without
force); one that slips may go on, or open. All combinations are tried. One is left: the future is unique. Several: it is not (two futures that differ in
rolling or slipping are Antali's ambiguity, or the wedging of section 4.4; one that opens is Painleve's indeterminate case). None: Painleve's inconsistent
case. A combination is a row of numbers: modes (2), directions (4), rates at which slip begins (2), forces (6), margin.
"""

from __future__ import annotations

import math

from ....kernel.apart import apart
from ....kernel.compiled import compiled
from ....kernel.local_array import float64, local_array
from .alone import can_open, has_no_negative, rolling_is_alone, single
from .cones import FAR, rolling_margin
from .forces import OPEN, ROLL, ROWS, SLIP, forces_in_mode
from .leaving import MOST as MOST_OF_ONE
from .leaving import ways_of_one
from .leaving_both import MOST as MOST_OF_BOTH
from .leaving_both import signs_of_both, ways_of_both

MODE, WAY, PACE, FORCE, MARGIN, WIDTH = 0, 2, 6, 8, 14, 15  # columns of a row
MOST = 24
SURE = 1e-10  # of the accelerations and forces at hand: less is zero


@compiled
def force_scale(count, size, pressing, modes, c, A, load):
    """The size of accelerations (c and what the loads give), and of the forces that belong to it."""
    a, stiff = 0.0, 0.0
    for k in range(count):
        if modes[k] != OPEN:
            for i in range(0 if pressing else 1, 1 + size):
                a = max(a, abs(c[3 * k + i]))
                stiff = max(stiff, abs(A[3 * k + i, 3 * k + i]))
    f = a / stiff if stiff > 0.0 else 0.0
    if not pressing:
        for k in range(count):
            f = max(f, abs(load[k]))
            a = max(a, abs(load[k]) * stiff)
    return a, f


@compiled
def gap_grows(size, c, A, x, modes, k):
    """The acceleration of the gap of a contact, under the forces of the others."""
    total = c[3 * k]
    for row in range(ROWS):
        if row // 3 != k and modes[row // 3] != OPEN and row % 3 < 1 + size:
            total += A[3 * k, row] * x[row]
    return total


@compiled
def admitted(count, size, pressing, modes, c, A, mu, w, x, null, missing, was, a, f):
    """Whether forces are consistent: no pull, inside the cones, no gap that would close; the margin of what rolls, and the tau it is for."""
    margin, tau = rolling_margin(count, size, modes, x, null, missing, mu)
    fine = margin >= -SURE * f
    for k in range(count):
        if modes[k] == SLIP and pressing:
            fine = fine and x[3 * k] >= -SURE * f
        if modes[k] == OPEN and was[k] != OPEN:
            fine = fine and gap_grows(size, c, A, x, modes, k) > SURE * a
    return fine, margin, tau


@compiled
def note(rows, found, modes, count, w, pace0, pace1, x, margin):
    """Write down a combination."""
    if found < MOST:
        for k in range(2):
            rows[found, MODE + k] = modes[k] if k < count else OPEN
        for i in range(4):
            rows[found, WAY + i] = w[i]
        rows[found, PACE], rows[found, PACE + 1] = pace0, pace1
        for i in range(ROWS):
            rows[found, FORCE + i] = x[i] if i < 3 * count else 0.0
        rows[found, MARGIN] = margin
        return found + 1
    return found


@compiled
def combination(count, size, pressing, modes, was, c, A, mu, load, w, rows, found):
    """A combination without a beginning slip: written down if consistent; how many there are then."""
    apart()
    x, null = local_array(ROWS, float64), local_array(ROWS, float64)
    a, f = force_scale(count, size, pressing, was, c, A, load)
    missing = forces_in_mode(count, size, pressing, modes, c, A, mu, load, w, x, null)
    fine, margin, _ = admitted(count, size, pressing, modes, c, A, mu, w, x, null, missing, was, a, f)
    return note(rows, found, modes, count, w, 0.0, 0.0, x, margin) if fine else found


@compiled
def may_open_beside(e, size, c, A, mu, a):
    """Whether the other contact could open while slip begins at contact e, along some direction w: its gap grows by

    c_o + N (A_on - mu A_oT.w),      N = -c_n/(A_nn - mu A_nT.w),

    whose product with the denominator, where that is positive for all w, is p + P.w, at most p + |P|.
    """
    n, o = 3 * e, 3 - 3 * e
    rest, P, D = c[o] - SURE * a, 0.0, 0.0
    p = rest * A[n, n] - c[n] * A[o, n]
    for i in range(1, 1 + size):
        P += (mu[e] * (rest * A[n, n + i] - c[n] * A[o, n + i])) ** 2
        D += (mu[e] * A[n, n + i]) ** 2
    return not math.sqrt(D) < A[n, n] or p + math.sqrt(P) > 0.0


@compiled
def one_begins(e, count, size, pressing, modes, was, c, A, mu, load, w, rows, found):
    """Slip begins at contact e, the other one in its mode."""
    apart()
    ways = local_array((MOST_OF_ONE, 5), float64)
    x, null, u = local_array(ROWS, float64), local_array(ROWS, float64), local_array(4, float64)
    a, f = force_scale(count, size, pressing, was, c, A, load)
    if count == 2 and modes[1 - e] == OPEN and was[1 - e] != OPEN and not may_open_beside(e, size, c, A, mu, a):
        return found
    total = ways_of_one(e, count, size, pressing, modes, c, A, mu, load, w, SURE * a, ways)
    for i in range(1 if total == -1 else total):
        if ways[i, 2] > SURE * a and ways[i, 3] >= -SURE * f:
            for j in range(4):
                u[j] = w[j]
            u[2 * e], u[2 * e + 1] = ways[i, 0], ways[i, 1]
            missing = forces_in_mode(count, size, pressing, modes, c, A, mu, load, u, x, null)
            fine, margin, _ = admitted(count, size, pressing, modes, c, A, mu, u, x, null, missing, was, a, f)
            if fine:
                pace = ways[i, 2]
                found = note(rows, found, modes, count, u, pace if e == 0 else 0.0, pace if e == 1 else 0.0, x, margin)
    return found


@compiled
def friction_angles(x, null, tau, angles):
    """The angles against friction at both contacts, where the forces are x + tau null."""
    for k in range(2):
        angles[k] = math.atan2(-x[3 * k + 2] - tau * null[3 * k + 2], -x[3 * k + 1] - tau * null[3 * k + 1])


@compiled
def both_begin(size, pressing, was, careful, c, A, mu, load, guess, rows, found):
    """Slip begins at both contacts; `guess`: angles of friction at the static margin, where they are known (contacts that press)."""
    apart()
    ways = local_array((MOST_OF_BOTH, 8), float64)
    x, null, u = local_array(ROWS, float64), local_array(ROWS, float64), local_array(4, float64)
    a, f = force_scale(2, size, pressing, was, c, A, load)
    if size == 1:
        total = signs_of_both(pressing, c, A, mu, load, ways)
    else:
        if not pressing:
            rolling = (ROLL, ROLL)
            missing = forces_in_mode(2, size, pressing, rolling, c, A, mu, load, u, x, null)
            friction_angles(x, null, rolling_margin(2, size, rolling, x, null, missing, mu)[1], guess)
        total = ways_of_both(pressing, careful, c, A, mu, load, guess, a, ways)
    slipping = (SLIP, SLIP)
    for i in range(total):
        if min(ways[i, 4], ways[i, 5]) > SURE * a and (not pressing or min(ways[i, 6], ways[i, 7]) >= -SURE * f):
            for j in range(4):
                u[j] = ways[i, j]
            forces_in_mode(2, size, pressing, slipping, c, A, mu, load, u, x, null)
            found = note(rows, found, slipping, 2, u, ways[i, 4], ways[i, 5], x, FAR)
    return found


@compiled
def monotone(count, size, was, A):
    """Whether friction with known loads is a monotone law: the symmetric part of A along the surfaces has no negative eigenvalue.

    Then accelerations are unique (a variational inequality on the product of friction disks), and one consistent combination is all there is.
    """
    S = local_array((4, 4), float64)
    rows = local_array(4, float64)
    m = 0
    for k in range(count):
        if was[k] != OPEN:
            for i in range(size):
                rows[m] = 3 * k + 1 + i
                m += 1
    for i in range(m):
        for j in range(m):
            S[i, j] = 0.5 * (A[int(rows[i]), int(rows[j])] + A[int(rows[j]), int(rows[i])])
    return has_no_negative(S, m)


@compiled
def kept_mode(was, still):
    """The mode of a contact that goes on, or rolls where it is still."""
    return was if was == OPEN else (ROLL if still else SLIP)


@compiled
def openings(count, size, pressing, was, still, c, A, mu, w):
    """Whether contact 0 may open beside the other one, contact 1, and both at once, by bounds of the forces."""
    if count == 1 or not pressing or was[0] == OPEN or was[1] == OPEN:
        return True, True, True
    upper0, upper1 = single(0, size, still, c, A, mu, w)[1], single(1, size, still, c, A, mu, w)[1]
    first = upper1 < 0.0 or can_open(0, size, still, c, A, mu, w, upper1)
    second = upper0 < 0.0 or can_open(1, size, still, c, A, mu, w, upper0)
    return first, second, c[0] > 0.0 and c[3] > 0.0


@compiled
def cannot_open(modes, was, opens):
    """Whether a combination opens contacts that cannot."""
    first, second = modes[0] == OPEN and was[0] != OPEN, modes[1] == OPEN and was[1] != OPEN
    if first and second:
        return not opens[2]
    return (first and not opens[0]) or (second and not opens[1])


@compiled
def keeps_rolling(count, size, modes, was, still, c, A, mu, load, w, guess, rows):
    """The combination in which all contacts that press and are still roll: how many it makes, and whether it is sure that there is no other. If both roll, the angles
    against their friction go to `guess`."""
    apart()
    x, null = local_array(ROWS, float64), local_array(ROWS, float64)
    a, f = force_scale(count, size, True, was, c, A, load)
    missing = forces_in_mode(count, size, True, modes, c, A, mu, load, w, x, null)
    fine, margin, tau = admitted(count, size, True, modes, c, A, mu, w, x, null, missing, was, a, f)
    found = note(rows, 0, modes, count, w, 0.0, 0.0, x, margin) if fine else 0
    if fine and (missing == 0 or stays_still(modes, c, A, x, SURE * a)):
        if rolling_is_alone(count, size, was, still, c, A, mu, w, x, null):
            return found, True
    if modes[0] == ROLL and modes[1] == ROLL:
        friction_angles(x, null, tau, guess)
    return found, False


@compiled
def stays_still(modes, c, A, x, least):
    """Whether no row of two contacts that roll accelerates under the forces x: that of the missing equation does not either."""
    for row in range(ROWS):
        total = c[row]
        for j in range(ROWS):
            total += A[row, j] * x[j]
        if abs(total) > least:
            return False
    return True


@compiled
def futures(count, size, pressing, was, still, careful, c, A, mu, load, w, rows):
    """All consistent combinations into rows; how many. was: which contacts are closed; still[k]: whether the slip of contact k is zero, else w is known.

    careful: pairs of directions in which both begin to slip are looked for nine times as closely, and so they are where there is no other future.
    """
    found = all_combinations(count, size, pressing, was, still, careful, c, A, mu, load, w, rows)
    if found == 0 and count == 2 and size == 2 and still[0] and still[1] and not careful:
        return all_combinations(count, size, pressing, was, still, True, c, A, mu, load, w, rows)
    return found


@compiled
def futures_of_one(size, was, still, c, A, mu, load, w, rows):
    """As `futures`, for one contact that presses. There are three: it rolls, or slips, or opens."""
    guess = local_array(2, float64)
    kept, opens = (kept_mode(was[0], still[0]), OPEN), (OPEN, OPEN)
    if kept[0] == ROLL:
        found, alone = keeps_rolling(1, size, kept, was, still, c, A, mu, load, w, guess, rows)
        if alone:
            return found
        found = one_begins(0, 1, size, True, (SLIP, OPEN), was, c, A, mu, load, w, rows, found)
    else:
        found = combination(1, size, True, kept, was, c, A, mu, load, w, rows, 0) if kept[0] == SLIP else 0
    return combination(1, size, True, opens, was, c, A, mu, load, w, rows, found)


@compiled
def all_combinations(count, size, pressing, was, still, careful, c, A, mu, load, w, rows):
    """The same, once."""
    if count == 1 and pressing:
        return futures_of_one(size, was, still, c, A, mu, load, w, rows)
    found, guess = 0, local_array(2, float64)
    one_is_all = not pressing and monotone(count, size, was, A)
    kept = (kept_mode(was[0], still[0]), kept_mode(was[1], still[1]) if count == 2 else OPEN)
    if pressing and (kept[0] == ROLL or kept[1] == ROLL):
        found, alone = keeps_rolling(count, size, kept, was, still, c, A, mu, load, w, guess, rows)
        if alone:
            return found
    opens = openings(count, size, pressing, was, still, c, A, mu, w)
    for first in (ROLL, SLIP, OPEN):
        for second in (ROLL, SLIP, OPEN):
            if count == 1 and second != OPEN:
                continue
            modes = (first, second)
            ok = True
            for k in range(count):
                ok = ok and ((modes[k] == OPEN) if was[k] == OPEN else True)
                ok = ok and not (modes[k] == ROLL and not still[k])
                ok = ok and not (modes[k] == OPEN and was[k] != OPEN and not pressing)
            if not ok or (found > 0 and one_is_all) or cannot_open(modes, was, opens):
                continue
            if pressing and (kept[0] == ROLL or kept[1] == ROLL) and first == kept[0] and second == kept[1]:
                continue  # asked already, before all others
            starts0 = first == SLIP and still[0]
            starts1 = count == 2 and second == SLIP and still[1]
            if starts0 and starts1:
                found = both_begin(size, pressing, was, careful, c, A, mu, load, guess, rows, found)
            elif starts0:
                found = one_begins(0, count, size, pressing, modes, was, c, A, mu, load, w, rows, found)
            elif starts1:
                found = one_begins(1, count, size, pressing, modes, was, c, A, mu, load, w, rows, found)
            else:
                found = combination(count, size, pressing, modes, was, c, A, mu, load, w, rows, found)
    return min(found, 1) if one_is_all else found  # what else there is, is the same one, found less well
