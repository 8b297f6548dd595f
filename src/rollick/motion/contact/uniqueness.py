"""Whether what closed contacts do is the only motion: all futures of one or two closed contacts, by the algebra of `filippov.algebra.futures`.

A contact that sticks with forces inside its cone need not go on sticking. Slip may be consistent, too, in a band of states that a motion enters while it sticks: its edge is
a fork. The guard of a fork is 1 where one motion is consistent, and -1 where several are. Three and more closed contacts are not asked: `combinations` judges them where a
mode ends.
"""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...mechanics.contact import contact_count, law_of, positions, velocities
from ..filippov.algebra.code import find_futures
from ..filippov.algebra.forces import ROLL, ROWS
from ..filippov.algebra.futures import MODE, MOST, WIDTH
from .balance import balance, force_count
from .held import OPEN, SLIP, STICK
from .resistance import grip


@compiled
def futures_of_closed(code, first, second, still, c, A, mu, gamma, rows):
    """All futures of the closed contacts `first` and `second` (-1: there is one only) into rows; how many. still: whether their slips are zero. c, A, gamma: three rows
    for each contact."""
    apart()
    c2, A2, mu2 = local_array(ROWS, float64), local_array((ROWS, ROWS), float64), local_array(2, float64)
    load, w = local_array(2, float64), local_array(4, float64)
    count = 1 if second < 0 else 2
    for k in range(2):
        of = first if k == 0 or second < 0 else second
        mu2[k], load[k] = max(mu[of], 0.0), 0.0
        size = (gamma[3 * of + 1] * gamma[3 * of + 1] + gamma[3 * of + 2] * gamma[3 * of + 2]) ** 0.5
        w[2 * k], w[2 * k + 1] = (gamma[3 * of + 1] / size, gamma[3 * of + 2] / size) if size > 0.0 else (1.0, 0.0)
        for i in range(3):
            c2[3 * k + i] = c[3 * of + i]
            for j in range(2):
                other = first if j == 0 or second < 0 else second
                for q in range(3):
                    A2[3 * k + i, 3 * j + q] = A[3 * of + i, 3 * other + q]
    was = (SLIP, SLIP if count == 2 else OPEN)
    return find_futures(code, count, 2, True, was, still, True, c2, A2, mu2, load, w, rows)


@compiled
def two_closed(system, modes):
    """(first, second, whether one of them sticks) of the contacts that press; second: -1 if there is one; first: -1 if there are none, or more than two, or idle ones."""
    first, second, sticks = -1, -1, False
    for k in range(contact_count(system)):
        if modes[k] == OPEN:
            continue
        sticks = sticks or modes[k] == STICK
        if second >= 0 or not (modes[k] == SLIP or modes[k] == STICK):
            return -1, -1, False
        if first < 0:
            first = k
        else:
            second = k
    return first, second, sticks


@compiled
def is_only_future(system, code, modes, t, y):
    """Whether contacts that stick go on sticking at (t, y), and have no other future. True as well where that is not asked."""
    apart()
    first, second, sticks = two_closed(system, modes)
    if not sticks:
        return True
    dq, f = local_array(positions(system), float64), local_array(velocities(system), float64)
    c, gamma, A = local_array(force_count(system), float64), local_array(force_count(system), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    lift, power = local_array((force_count(system), velocities(system)), float64), local_array((contact_count(system), 5), float64)  # fmt: skip
    mu, rows = local_array(contact_count(system), float64), local_array((MOST, WIDTH), float64)
    balance(system, modes, t, y, dq, f, c, A, lift, gamma, power)
    for k in range(contact_count(system)):
        mu[k] = grip(law_of(system, k))
    still = (modes[first] == STICK, second >= 0 and modes[second] == STICK)
    if futures_of_closed(code, first, second, still, c, A, mu, gamma, rows) > 1:
        return False
    return (not still[0] or rows[0, MODE] == ROLL) and (not still[1] or rows[0, MODE + 1] == ROLL)
