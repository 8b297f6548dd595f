"""From impact to impact: the compiled loop of a plate (`mechanics/plate.py`) in free flight, with or without gravity.

Flights are parabolas or straight lines in closed form. Without gravity positions and velocities may be multiplied by any two factors,
and with gravity the factors change g (section 4.8 of the theory). So both are kept near one by powers of two, which is exact:

    q = 2^e_q q~,   p = 2^e_p p~,   t = 2^(e_q - e_p) t~,   g~ = 2^(e_q - 2 e_p) g,

and a body may lose hundreds of orders of magnitude of its energy without underflow.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined

# How the loop ended.
FULL, LEAVES, TIE, REST, ZENO, PAIR, TIME, EDGE, TOUCH = range(9)

# Places in the integer record of a state.
EXPONENT_Q, EXPONENT_P, LAST, SAME, COUNT, BEFORE, PAIRED, TWO = range(8)
INTEGERS = 8

# Columns of the record of an impact: flight time, q, p before, p after (scaled); and: point, e_q, e_p.
COLUMNS, LABELS = 10, 3

SHIFT = 100  # powers of two by which a state is rescaled at once
SMALL, LARGE = 2.0**-SHIFT, 2.0**SHIFT
FAINT = 1e-290  # gravity below this is none: flights are straight lines
CANCELLED = 1e-13  # of q before a flight and the distance covered in it: what is left of q is rounding
SAME_POINT = 20  # impacts at one point in a row before an accumulation there is looked for
STILL, FLAT = (
    1e-10,
    1e-13,
)  # of the sizes of p and q: with less velocity and height a point lies beside one that bounces as little
SAME_TWO = 64  # impacts at no more than two points before it is looked whether both lie still, up to rounding
SAME_PAIR = 8  # impacts at two points in turn before an accumulation there is looked for


@inlined
def meeting(h, v, a):
    """The first t >= 0 at which h + v t + a t^2/2 = 0 while falling (h >= 0), or infinity."""
    square = v * v - 2.0 * a * h
    if v > 0.0:
        return (v + math.sqrt(square)) / -a if a < 0.0 else math.inf
    if square < 0.0 or (v == 0.0 and a >= 0.0):
        return math.inf
    below = math.sqrt(square) - v
    return 2.0 * h / below if below > 0.0 else 0.0


@inlined
def along(f, j, x):
    """f_j.x: the height or the velocity of point j."""
    return f[j, 0] * x[0] + f[j, 1] * x[1] + x[2]


@inlined
def size_of(x):
    """|x_0| + |x_1| + |x_2|."""
    return abs(x[0]) + abs(x[1]) + abs(x[2])


@inlined
def lowest(f, q):
    """The height of the lowest point."""
    least = math.inf
    for j in range(f.shape[0]):
        least = min(least, along(f, j, q))
    return least


@inlined
def falls_next(f, last, q, p, g):
    """The point that meets the plane next under gravity, and when; the point that was hit last has height zero exactly."""
    hit, tau, fastest = -1, math.inf, 0.0
    for j in range(f.shape[0]):
        v = along(f, j, p)
        meet = meeting(0.0 if j == last else max(along(f, j, q), 0.0), v, -g)
        if meet < tau or (meet == tau and v < fastest):
            hit, tau, fastest = j, meet, v
    return hit, tau


@inlined
def flies_next(f, last, q, p):
    """The point that meets the plane next without gravity, and when: the least h/-v, by products."""
    hit, hb, vb = -1, 0.0, 0.0
    for j in range(f.shape[0]):
        v = along(f, j, p)
        if v < 0.0 and j != last:
            h = along(f, j, q)
            if hit < 0 or h * vb > hb * v or (h * vb == hb * v and v < vb):
                hit, hb, vb = j, h, v
    return hit, (max(hb, 0.0) / -vb if hit >= 0 else math.inf)


@compiled
def several_meet(f, last, q, p, g, hit, latest):
    """Whether a point other than `hit` meets the plane by the time `latest`."""
    for j in range(f.shape[0]):
        if j != hit:
            v = along(f, j, p)
            h = 0.0 if j == last else max(along(f, j, q), 0.0)
            meet = meeting(h, v, -g) if g > FAINT else (h / -v if v < 0.0 and j != last else math.inf)
            if meet <= latest:
                return True
    return False


@inlined
def flown(f, w, hit, q, p, g, tau):
    """q and p after the flight to an impact at `hit`, its height made zero; q is zero where only rounding is left of it."""
    span = size_of(q) + size_of(p) * tau
    q0, q1, q2, p2 = q[0] + p[0] * tau, q[1] + p[1] * tau, q[2] + (p[2] - 0.5 * g * tau) * tau, p[2] - g * tau
    off = f[hit, 0] * q0 + f[hit, 1] * q1 + q2
    q0, q1, q2 = q0 - off * w[hit, 0], q1 - off * w[hit, 1], q2 - off * w[hit, 2]
    if abs(q0) + abs(q1) + abs(q2) < CANCELLED * span:
        q0, q1, q2 = 0.0, 0.0, 0.0  # the body lies flat, up to rounding
    return (q0, q1, q2), (p[0], p[1], p2)


@inlined
def struck(f, w, gamma, hit, p):
    """p after an impact at `hit`."""
    jump = -(1.0 + gamma) * along(f, hit, p)
    return p[0] + jump * w[hit, 0], p[1] + jump * w[hit, 1], p[2] + jump * w[hit, 2]


@inlined
def write_impact(values, labels, tau, q, before, after, hit, e_q, e_p):
    """One row of the record."""
    values[0] = tau
    for i in range(3):
        values[1 + i], values[4 + i], values[7 + i] = q[i], before[i], after[i]
    labels[0], labels[1], labels[2] = hit, e_q, e_p


@inlined
def record(values, labels, count, before, tau, q, p, after, hit, e_q, e_p):
    """Write an impact where there is room for it; where there is more room for labels, write the point into a ring of them."""
    if count < values.shape[0]:
        write_impact(values[count], labels[count], tau, q, p, after, hit, e_q, e_p)
    elif labels.shape[0] > values.shape[0]:
        labels[(before + count) & (labels.shape[0] - 1), 0] = hit


@compiled
def rescaled(x, exponent):
    """x and its exponent of two, with the size of x brought between SMALL and LARGE by exact factors; zero stays zero."""
    size = size_of(x)
    while 0.0 < size < SMALL:
        x, size, exponent = (x[0] * LARGE, x[1] * LARGE, x[2] * LARGE), size * LARGE, exponent - SHIFT
    while size > LARGE:
        x, size, exponent = (x[0] * SMALL, x[1] * SMALL, x[2] * SMALL), size * SMALL, exponent + SHIFT
    return x, exponent


@compiled
def settles_alone(f, w, gamma, g, q, p, j):
    """Whether the bounces at j, seen from right after one of them, accumulate before any other point can touch.

    Their total time is T = 2 v/(g (1 - gamma)). Point k moves at most at V = |v_k| + g T + |f_k.w_j| (1 + gamma) v/(1 - gamma)
    meanwhile, so that h_k > V T for all k is enough.
    """
    v = f[j, 0] * p[0] + f[j, 1] * p[1] + p[2]
    if gamma >= 1.0 or v < 0.0:
        return False
    if v == 0.0:
        return True
    T = 2.0 * v / (g * (1.0 - gamma))
    push = (1.0 + gamma) * v / (1.0 - gamma)
    for k in range(f.shape[0]):
        if k != j:
            height = f[k, 0] * q[0] + f[k, 1] * q[1] + q[2]
            speed = abs(f[k, 0] * p[0] + f[k, 1] * p[1] + p[2])
            share = abs(f[k, 0] * w[j, 0] + f[k, 1] * w[j, 1] + w[j, 2])
            if height <= (speed + g * T + share * push) * T:
                return False
    return True


@compiled
def lies_beside(f, q, p, j):
    """A point other than j that lies still on the plane while j bounces as little, or -1: both have come to rest, up to rounding."""
    size, length = abs(p[0]) + abs(p[1]) + abs(p[2]), abs(q[0]) + abs(q[1]) + abs(q[2])
    if abs(f[j, 0] * p[0] + f[j, 1] * p[1] + p[2]) > STILL * size:
        return -1
    for k in range(f.shape[0]):
        if k != j and abs(f[k, 0] * q[0] + f[k, 1] * q[1] + q[2]) <= FLAT * length:
            if abs(f[k, 0] * p[0] + f[k, 1] * p[1] + p[2]) <= STILL * size:
                return k
    return -1


@compiled
def lasting(f, w, gamma, g, q, p, hit, often):
    """Whether contact lasts from here on: (ZENO, -1) at the point `hit`; (EDGE, another point) at both; otherwise (FULL, -1)."""
    if settles_alone(f, w, gamma, g, q, p, hit):
        return ZENO, -1
    beside = lies_beside(f, q, p, hit) if often else -1
    return (EDGE, beside) if beside >= 0 else (FULL, -1)


@compiled
def collisions(f, w, gamma, g, s, k, max_impacts, until, tie, rising, values, labels):
    """Fly and collide until `max_impacts`, or something else ends it (see the codes above); `s` and `k` are changed in place.

    s: q (3), p (3), time. k: exponents, the point hit last, and counters. `tie`: relative difference of times below which impacts count
    as simultaneous (negative: never; of points that meet at the very same time the one that approaches fastest is hit). `rising`: end as soon
    as the mass centre rises, when there is no gravity. Impacts are written to `values` and `labels` as far as there is room; if there is more
    room for labels (a power of two), the points that were hit last are written there, round and round.
    """
    q, p, t = (s[0], s[1], s[2]), (s[3], s[4], s[5]), s[6]
    e_q, e_p, last, before = int(k[EXPONENT_Q]), int(k[EXPONENT_P]), k[LAST], k[BEFORE]
    same, paired, two = k[SAME], k[PAIRED], k[TWO]
    other = before if before != last else -1  # of the two points hit lately, the one that was not hit last
    g_now, unit = math.ldexp(g, e_q - 2 * e_p), math.ldexp(1.0, e_q - e_p)
    count, code = 0, FULL
    if g > 0.0 and size_of(p) == 0.0 and lowest(f, q) <= 0.0:
        code, max_impacts = TOUCH, 0  # at rest on some points: whoever called must see whether it stays so
    while count < max_impacts:
        if p[2] > 0.0 and rising and g_now <= FAINT:
            code = LEAVES
            break
        hit, tau = falls_next(f, last, q, p, g_now) if g_now > FAINT else flies_next(f, last, q, p)
        if hit < 0:
            code = REST if size_of(p) == 0.0 else LEAVES
            break
        lasts = tau * unit if tau > 0.0 else 0.0
        if t + lasts > until:
            code = TIME
            break
        if tie >= 0.0 and several_meet(f, last, q, p, g_now, hit, tau * (1.0 + tie)):
            code = TIE
        q, p = flown(f, w, hit, q, p, g_now, tau)
        t += lasts
        if code == TIE:
            last = hit
            if count < values.shape[0]:
                values[count, 0] = tau  # for whoever resolves the tie
            break
        after = struck(f, w, gamma, hit, p)
        record(values, labels, count, k[COUNT], tau, q, p, after, hit, e_q, e_p)
        p = after
        count += 1
        same = same + 1 if hit == last else 0
        paired = paired + 1 if hit == before and hit != last else 0
        two = two + 1 if hit in (last, other) or other < 0 else 0
        other = last if hit != last else other
        before, last = last, hit
        size, length = size_of(p), size_of(q)
        if size < SMALL or length < SMALL or size > LARGE or length > LARGE:
            if size == 0.0:
                code = TOUCH if g > 0.0 else REST
                break
            p, e_p = rescaled(p, e_p)
            q, e_q = rescaled(q, e_q)
            if length == 0.0:  # flat: any exponent will do, so take the one that leaves gravity, or the time, as it is
                e_q = 2 * e_p if g > 0.0 else e_p
            g_now, unit = math.ldexp(g, e_q - 2 * e_p), math.ldexp(1.0, e_q - e_p)
        often = same >= SAME_POINT or two >= SAME_TWO
        if g_now > FAINT and (gamma == 0.0 or same >= SAME_POINT or (two >= SAME_TWO and two % SAME_POINT == 0)):
            code, beside = lasting(f, w, gamma, g_now, q, p, hit, often)
            if code != FULL:
                before = beside if beside >= 0 else before
                break
        if paired >= SAME_PAIR and f.shape[0] > 2 and paired % SAME_PAIR == 0:
            code = PAIR
            break
    s[0], s[1], s[2], s[3], s[4], s[5], s[6] = q[0], q[1], q[2], p[0], p[1], p[2], t
    k[EXPONENT_Q], k[EXPONENT_P], k[LAST], k[BEFORE], k[SAME], k[PAIRED], k[TWO] = e_q, e_p, last, before, same, paired, two
    k[COUNT] += count
    return code
