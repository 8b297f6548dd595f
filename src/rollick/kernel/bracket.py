"""The zero of a function between two places where its signs differ: the one root finder of the compiled code.

A function is plain data (a NamedTuple) that answers `value_of(function, x)`. Values may be infinite and may jump: only their signs are
relied upon, their sizes make it fast.
"""

from __future__ import annotations

from .compiled import compiled
from .dispatch import generic

EPS = 2.220446049250313e-16


@generic
def value_of(function, x):
    """The value at x of a function that is plain data."""


@compiled
def zero_between(function, a, fa, b, fb, width):
    """The interval, at most `width` wide or as narrow as numbers allow, in which the sign changes between a and b: (a, fa, b, fb).

    The method of Illinois, with a bisection after every two steps that did not make the interval half as wide. Each step goes a little
    beyond what the secant says, so that at the end both ends come close, not only one. The sign is that of fa at the first end and that of
    fb at the second (0 counts as negative); where the function is exactly zero both ends are that place. The values of the ends may have
    been halved.
    """
    side, slow = 0, 0
    for _ in range(200):
        wide = b - a
        enough = max(width, 2.0 * EPS * max(abs(a), abs(b)))
        if wide <= enough or wide < 1e-300:
            break
        halve = slow == 2
        x = b - fb * (b - a) / (fb - fa)
        if halve or not (a < x < b):
            x = 0.5 * (a + b)
            if not (a < x < b):
                break
        else:
            x += 0.45 * enough if x - a < b - x else -0.45 * enough
        fx = value_of(function, x)
        if fx == 0.0:
            return x, fx, x, fx
        if (fx > 0.0) == (fb > 0.0):
            b, fb = x, fx
            if side == 1 and not halve:
                fa *= 0.5
            side = 1
        else:
            a, fa = x, fx
            if side == -1 and not halve:
                fb *= 0.5
            side = -1
        slow = slow + 1 if not halve and b - a > 0.5 * wide else 0
    return a, fa, b, fb
