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
)  # of the sizes of p and q: a point with less velocity and height lies beside one that bounces as little
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
def time_to(f, j, last, q0, q1, q2, p0, p1, p2, g):
    """The time until point j meets the plane; the point that was hit last has height zero exactly."""
    v = f[j, 0] * p0 + f[j, 1] * p1 + p2
    h = 0.0 if j == last else max(f[j, 0] * q0 + f[j, 1] * q1 + q2, 0.0)
    if g > FAINT:
        return meeting(h, v, -g)
    return h / -v if v < 0.0 and j != last else math.inf


@inlined
def lowest(f, q0, q1, q2):
    """The height of the lowest point."""
    least = math.inf
    for j in range(f.shape[0]):
        least = min(least, f[j, 0] * q0 + f[j, 1] * q1 + q2)
    return least


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
def collisions(f, w, gamma, g, s, k, most, until, tie, rising, values, labels):
    """Fly and collide until `most` impacts, or something else ends it (see the codes above); `s` and `k` are changed in place.

    s: q (3), p (3), time. k: exponents, the point hit last, and counters. `tie`: relative difference of times below which impacts count
    as simultaneous (negative: never; of points that meet at the very same time the one that approaches fastest is hit). `rising`: end as soon as the mass centre rises, when there is no gravity. Impacts are written to
    `values` and `labels` as far as there is room.
    """
    n = f.shape[0]
    q0, q1, q2, p0, p1, p2 = s[0], s[1], s[2], s[3], s[4], s[5]
    t = s[6]
    e_q, e_p, last, before = int(k[EXPONENT_Q]), int(k[EXPONENT_P]), k[LAST], k[BEFORE]
    same, paired, two = k[SAME], k[PAIRED], k[TWO]
    other = before if before != last else -1  # of the two points hit lately, the one that was not hit last
    g_now = math.ldexp(g, e_q - 2 * e_p)
    unit = math.ldexp(1.0, e_q - e_p)
    count, code = 0, FULL
    if g > 0.0 and p0 == 0.0 and p1 == 0.0 and p2 == 0.0 and lowest(f, q0, q1, q2) <= 0.0:
        code = TOUCH  # at rest on some points: whoever called must see whether it stays so
        most = 0
    while count < most:
        if p2 > 0.0 and rising and g_now <= FAINT:
            code = LEAVES
            break
        hit, tau, vb = -1, math.inf, 0.0
        if g_now > FAINT:
            for j in range(n):
                v = f[j, 0] * p0 + f[j, 1] * p1 + p2
                h = 0.0 if j == last else max(f[j, 0] * q0 + f[j, 1] * q1 + q2, 0.0)
                meet = meeting(h, v, -g_now)
                if meet < tau or (meet == tau and v < vb):
                    hit, tau, vb = j, meet, v
        else:
            hb = 0.0
            for j in range(n):
                v = f[j, 0] * p0 + f[j, 1] * p1 + p2
                if v < 0.0 and j != last:
                    h = f[j, 0] * q0 + f[j, 1] * q1 + q2
                    if hit < 0 or h * vb > hb * v or (h * vb == hb * v and v < vb):
                        hit, hb, vb = j, h, v
            if hit >= 0:
                tau = max(hb, 0.0) / -vb
        if hit < 0:
            code = REST if p0 == 0.0 and p1 == 0.0 and p2 == 0.0 else LEAVES
            break
        lasts = tau * unit if tau > 0.0 else 0.0
        if t + lasts > until:
            code = TIME
            break
        if tie >= 0.0:
            for j in range(n):
                if j != hit and time_to(f, j, last, q0, q1, q2, p0, p1, p2, g_now) <= tau * (1.0 + tie):
                    code = TIE
        span = abs(q0) + abs(q1) + abs(q2) + (abs(p0) + abs(p1) + abs(p2)) * tau
        q0 += p0 * tau
        q1 += p1 * tau
        q2 += (p2 - 0.5 * g_now * tau) * tau
        p2 -= g_now * tau
        t += lasts
        off = f[hit, 0] * q0 + f[hit, 1] * q1 + q2
        q0 -= off * w[hit, 0]
        q1 -= off * w[hit, 1]
        q2 -= off * w[hit, 2]
        if abs(q0) + abs(q1) + abs(q2) < CANCELLED * span:
            q0, q1, q2 = 0.0, 0.0, 0.0  # the body lies flat, up to rounding
        if code == TIE:
            last = hit
            if count < values.shape[0]:
                values[count, 0] = tau  # for whoever resolves the tie
            break
        normal = f[hit, 0] * p0 + f[hit, 1] * p1 + p2
        jump = -(1.0 + gamma) * normal
        room = count < values.shape[0]
        if room:
            values[count, 0], values[count, 1], values[count, 2], values[count, 3] = tau, q0, q1, q2
            values[count, 4], values[count, 5], values[count, 6] = p0, p1, p2
            labels[count, 0], labels[count, 1], labels[count, 2] = hit, e_q, e_p
        p0 += jump * w[hit, 0]
        p1 += jump * w[hit, 1]
        p2 += jump * w[hit, 2]
        if room:
            values[count, 7], values[count, 8], values[count, 9] = p0, p1, p2
        count += 1
        same = same + 1 if hit == last else 0
        paired = paired + 1 if hit == before and hit != last else 0
        two = two + 1 if hit in (last, other) or other < 0 else 0
        if hit != last:
            other = last
        before, last = last, hit
        size = abs(p0) + abs(p1) + abs(p2)
        length = abs(q0) + abs(q1) + abs(q2)
        if size < SMALL or length < SMALL or size > LARGE or length > LARGE:
            if size == 0.0:
                code = TOUCH if g > 0.0 else REST
                break
            while size < SMALL:
                p0, p1, p2, size, e_p = p0 * LARGE, p1 * LARGE, p2 * LARGE, size * LARGE, e_p - SHIFT
            while size > LARGE:
                p0, p1, p2, size, e_p = p0 * SMALL, p1 * SMALL, p2 * SMALL, size * SMALL, e_p + SHIFT
            while 0.0 < length < SMALL:
                q0, q1, q2, length, e_q = q0 * LARGE, q1 * LARGE, q2 * LARGE, length * LARGE, e_q - SHIFT
            while length > LARGE:
                q0, q1, q2, length, e_q = q0 * SMALL, q1 * SMALL, q2 * SMALL, length * SMALL, e_q + SHIFT
            if length == 0.0:  # flat: any exponent will do, so take the one that leaves gravity, or the time, as it is
                e_q = 2 * e_p if g > 0.0 else e_p
            g_now = math.ldexp(g, e_q - 2 * e_p)
            unit = math.ldexp(1.0, e_q - e_p)
        if g_now > FAINT and (gamma == 0.0 or same >= SAME_POINT or (two >= SAME_TWO and two % SAME_POINT == 0)):
            if settles_alone(f, w, gamma, g_now, (q0, q1, q2), (p0, p1, p2), hit):
                code = ZENO
                break
            if same >= SAME_POINT or two >= SAME_TWO:
                beside = lies_beside(f, (q0, q1, q2), (p0, p1, p2), hit)
                if beside >= 0:
                    before, code = beside, EDGE
                    break
        if paired >= SAME_PAIR and n > 2 and paired % SAME_PAIR == 0:
            code = PAIR
            break
    s[0], s[1], s[2], s[3], s[4], s[5], s[6] = q0, q1, q2, p0, p1, p2, t
    k[EXPONENT_Q], k[EXPONENT_P], k[LAST], k[BEFORE], k[SAME], k[PAIRED], k[TWO] = e_q, e_p, last, before, same, paired, two
    k[COUNT] += count
    return code
