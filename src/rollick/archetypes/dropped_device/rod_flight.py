"""The flight of a rod: exact rotation, and the first contact of its ends with the floor, without a missed root.

Dimensionless rod of half-length 1 under gravity 1. In flight the mass centre falls, h(s) = h + v s - s^2/2, and the angle grows evenly,
phi(s) = phi + w s. The height of an end is

    g(s) = h(s) + sigma sin(phi + w s),      sigma = +1 or -1,                                        # thesis (2.50), l = 1
    g''  = -1 - sigma w^2 sin(phi + w s),    |g''| <= 1 + w^2,    |g'''| <= |w|^3.

From a point where g >= 0, the parabola g + g' tau - (1 + w^2) tau^2/2 lies below the curve, so that its first root is a step that passes no
root of g. Repeated, these steps approach the first root from one side, quadratically where the end arrives with a velocity. Where the end
rises, the cubic with the true g'' and the bound on g''' allows a longer step. While the mass centre is higher than the half-length nothing
can touch, and that time is skipped. The mass centre cannot fall below the floor, so that a first contact always exists.

Near a bounce g is the small difference of large numbers. It is therefore written as an increment,

    g(s) = g0 + g1 s - s^2/2 + sigma [ -2 sin(phi) sin^2(x/2) + cos(phi) (sin x - x) ],    x = w s,

with the height g0 and velocity g1 of the end at the start: both keep their relative accuracy, however small they are.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined

MOST_STEPS = 100_000
CLOSE = 4e-16
PI_REST = 1.2246467991473532e-16  # pi = math.pi + PI_REST


@inlined
def sine_excess(x):
    """sin(x) - x, accurate to the last digits for small x too."""
    if abs(x) > 0.6:
        return math.sin(x) - x
    q = x * x
    series = 1.0 / 6227020800.0 - q / 1307674368000.0
    series = -1.0 / 39916800.0 + q * series
    series = 1.0 / 362880.0 + q * series
    series = -1.0 / 5040.0 + q * series
    series = 1.0 / 120.0 + q * series
    series = -1.0 / 6.0 + q * series
    return x * q * series


@inlined
def end_height(s, sigma, sin_phi, cos_phi, w, g0, g1):
    """Height, velocity and acceleration of an end after the time s of flight."""
    x = w * s
    half = math.sin(0.5 * x)
    turned = 2.0 * half * half  # 1 - cos x
    sx = math.sin(x)
    g = g0 + s * (g1 - 0.5 * s) + sigma * (cos_phi * sine_excess(x) - sin_phi * turned)
    dg = g1 - s - sigma * w * (sin_phi * sx + cos_phi * turned)
    ddg = -1.0 - sigma * w * w * (sin_phi * (1.0 - turned) + cos_phi * sx)
    return g, dg, ddg


@inlined
def safe_step(g, dg, ddg, bend, jerk):
    """A time within which an end at height g >= 0 cannot reach the floor, if |g''| <= bend and |g'''| <= jerk."""
    root = math.sqrt(dg * dg + 2.0 * bend * g)
    if dg < 0.0:
        return 2.0 * g / (root - dg)
    step = (dg + root) / bend
    half = 0.5 * ddg  # g1 + g2 tau/2 - jerk tau^2/6 stays above zero up to its positive root
    lift = math.sqrt(half * half + 2.0 * dg * jerk / 3.0)
    if half < 0.0:
        rise = 2.0 * dg / (lift - half)
    elif jerk > 0.0:
        rise = 3.0 * (lift + half) / jerk
    else:
        rise = 0.0
    return max(step, rise)


@compiled
def first_contact(sigma, phi, w, h, v, g0, g1, begin, limit):
    """The first time after `begin` at which an end comes down to the floor; inf if there is none before `limit`.

    `begin` is zero, or a time up to which the end is known to be above the floor (see `release_time`).
    """
    sin_phi, cos_phi = math.sin(phi), math.cos(phi)
    bend, jerk = 1.0 + w * w, abs(w) ** 3
    s, high = begin, True
    for _ in range(MOST_STEPS):
        if s >= limit:
            return math.inf
        if high and h + s * (v - 0.5 * s) > 1.0:  # out of reach until the mass centre comes down to the half-length
            high = False
            down = (
                v + math.sqrt(v * v + 2.0 * (h - 1.0)) if v > 0.0 else 2.0 * (h - 1.0) / (math.sqrt(v * v + 2.0 * (h - 1.0)) - v)
            )
            s = max(s, down)
            continue
        g, dg, ddg = end_height(s, sigma, sin_phi, cos_phi, w, g0, g1)
        if g < 0.0:  # by rounding only
            return s
        step = safe_step(g, dg, ddg, bend, jerk)
        if step <= CLOSE * s:
            return s
        s += step
    return s


@compiled
def fall_time(h, v):
    """The time until the mass centre reaches the floor: an upper bound of every flight."""
    root = math.sqrt(v * v + 2.0 * max(h, 0.0))
    return v + root if v > 0.0 else 2.0 * h / (root - v) if h > 0.0 else 0.0


@compiled
def release_time(sigma, phi, w):
    """A time for which an end that has just lifted off (height, velocity and acceleration zero) stays above the floor.

    g''' = -sigma w^3 cos(phi) > 0 there and |g''''| <= w^4, so that g > 0 up to 4 |cos phi|/|w|; half of that is used.
    """
    lift = -sigma * w * math.cos(phi)
    return 2.0 * lift / (w * w) if lift > 0.0 else 0.0


@compiled
def next_contact(sign, phi, w, h, v, g0a, g1a, begin_a, g0b, g1b, begin_b):
    """When and with which end the rod touches the floor next: (time, 0 or 1). End 0 is at +sign sin(phi), end 1 at -sign sin(phi)."""
    limit = fall_time(h, v) * (1.0 + 1e-14)
    a = first_contact(sign, phi, w, h, v, g0a, g1a, begin_a, limit)
    b = first_contact(-sign, phi, w, h, v, g0b, g1b, begin_b, min(a, limit))
    if b < a:
        return b, 1
    if a < math.inf:
        return a, 0
    low = sign * math.sin(phi + w * limit)  # both within rounding of the bound: a flat fall
    return limit, (0 if low <= 0.0 else 1)


@inlined
def half_turns(phi):
    """An angle within -pi/2 .. pi/2 and the number of half turns taken off, without loss of digits near multiples of pi."""
    turns = math.floor(phi / math.pi + 0.5)
    if turns != 0.0:
        phi = (phi - turns * math.pi) - turns * PI_REST
    return phi, int(turns)
