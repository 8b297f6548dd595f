"""How far the forces of rolling are inside their friction cones: the least mu N - |T| of the contacts that roll.

If both roll, the forces are x + tau null for any tau, and tau is chosen to make the smaller slack as large as it can be: the static margin. Each slack
is concave in tau; so is the smaller one. It is largest at the top of one of them, or where both are equal between their tops. The same
problem for analysis, with all its special cases told apart: `margin`.
"""

from __future__ import annotations

import math

from ....kernel.compiled import compiled
from .forces import ROLL

FAR = 1e30  # for what has no bound
HALVINGS = 200
EQUAL = 1e-15  # relative: two slacks that are the same


@compiled
def slack(x, null, mu, size, k, tau):
    """mu N - |T| of contact k."""
    a = x[3 * k + 1] + tau * null[3 * k + 1]
    b = x[3 * k + 2] + tau * null[3 * k + 2] if size == 2 else 0.0
    return mu[k] * (x[3 * k] + tau * null[3 * k]) - math.sqrt(a * a + b * b)


@compiled
def top(x, null, mu, size, k):
    """The tau at which the slack of contact k is largest; +-FAR if it grows for ever.

    With tau = tau0 + s, tau0 = -T.t/|t|^2, it is a constant and mu n s - sqrt(d^2 + |t|^2 s^2).
    """
    t1, t2 = null[3 * k + 1], null[3 * k + 2] if size == 2 else 0.0
    T1, T2 = x[3 * k + 1], x[3 * k + 2] if size == 2 else 0.0
    rise = mu[k] * null[3 * k]
    tt = t1 * t1 + t2 * t2
    if tt <= rise * rise * (1.0 + 1e-14):
        return 0.0 if rise == 0.0 else math.copysign(FAR, rise)
    d = abs(T1 * t2 - T2 * t1) / math.sqrt(tt)
    return -(T1 * t1 + T2 * t2) / tt + rise * d / (math.sqrt(tt) * math.sqrt(tt - rise * rise))


@compiled
def equal_between(x, null, mu, size, low, high):
    """The tau between two at which both slacks are equal: secants that keep the zero between them (Illinois), halving where these are slow."""
    below = slack(x, null, mu, size, 0, low) - slack(x, null, mu, size, 1, low)
    above = slack(x, null, mu, size, 0, high) - slack(x, null, mu, size, 1, high)
    rising = above > 0.0
    side, slow = 0, 0
    for _ in range(HALVINGS):
        wide = high - low
        tau = high - above * wide / (above - below)
        if slow == 2 or not low < tau < high:
            tau = 0.5 * (low + high)
            if tau <= low or tau >= high:
                return tau
        s0, s1 = slack(x, null, mu, size, 0, tau), slack(x, null, mu, size, 1, tau)
        here = s0 - s1
        if abs(here) <= EQUAL * (abs(s0) + abs(s1)):
            return tau
        if (here > 0.0) == rising:
            high, above = tau, here
            below = 0.5 * below if side == 1 and slow < 2 else below
            side = 1
        else:
            low, below = tau, here
            above = 0.5 * above if side == -1 and slow < 2 else above
            side = -1
        slow = slow + 1 if slow < 2 and high - low > 0.5 * wide else 0
    return 0.5 * (low + high)


@compiled
def shared_margin(x, null, mu, size):
    """The static margin of two contacts that roll, and the tau that has it; FAR if it has no bound: the body wedges itself."""
    tops = top(x, null, mu, size, 0), top(x, null, mu, size, 1)
    if abs(tops[0]) >= FAR and tops[0] == tops[1]:
        return FAR, 0.0
    reach = 1.0
    for row in range(6):
        reach = max(reach, 1e6 * abs(x[row]))
    first = min(max(tops[0], -reach), reach)
    second = min(max(tops[1], -reach), reach)
    if abs(tops[0]) < FAR and slack(x, null, mu, size, 1, first) >= slack(x, null, mu, size, 0, first):
        return slack(x, null, mu, size, 0, first), first
    if abs(tops[1]) < FAR and slack(x, null, mu, size, 0, second) >= slack(x, null, mu, size, 1, second):
        return slack(x, null, mu, size, 1, second), second
    tau = equal_between(x, null, mu, size, min(first, second), max(first, second))
    return min(slack(x, null, mu, size, 0, tau), slack(x, null, mu, size, 1, tau)), tau


@compiled
def rolling_margin(count, size, modes, x, null, missing, mu):
    """The least slack of the contacts that roll (FAR if none does), and the tau it is for."""
    if missing > 0 and modes[0] == ROLL and modes[1] == ROLL:
        return shared_margin(x, null, mu, size)
    least = FAR
    for k in range(count):
        if modes[k] == ROLL:
            least = min(least, slack(x, null, mu, size, k, 0.0))
    return least, 0.0
