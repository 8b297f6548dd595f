"""The search for the zeros of an event function (motion/roots, scan, watching) on functions made to defeat it.

The steps are made by hand: x = t, exactly. All functions share one kind of event, so that the search is compiled once.
"""

import itertools
import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from systems import Clock, straight

from rollick.kernel import absolute, cos, exp, sin, sqrt
from rollick.kernel.compiled import interpreted
from rollick.motion.events.erased import Switch
from rollick.motion.events.event import Event, Watch
from rollick.motion.events.functions import switch_values
from rollick.motion.events.probe import COUNT, probe
from rollick.motion.events.roots import zeros_in_step
from rollick.motion.events.scan import enter
from rollick.motion.events.search import Watchman
from rollick.motion.events.shape import TABLES
from rollick.motion.events.simple import simple_zeros

(
    CUBIC,
    SQUARE,
    QUARTIC,
    CORNER,
    EXPANDED,
    SINE,
    COSINE,
    ROOT,
    RAMP,
    HAT,
    BUMP,
    SIGN,
    NOISE,
    TIME_SQUARE,
    TIME_LINE,
    GAP,
    CIRCLE,
    VECTOR,
    POLE,
    STEEP,
    MULTIPLE,
    MULTIPLIED_OUT,
) = range(22)


class Hard(NamedTuple):
    """One of many functions of x = t; a, b, c, d are its parameters."""

    which: int
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0


@switch_values.register(Hard)
def _(e, system, t, y, out):
    x = y[0]
    if e.which == CUBIC:
        out[0] = e.d * (x - e.a) * (x - e.b) * (x - e.c)
    elif e.which == SQUARE:
        out[0] = e.c * (x - e.a) ** 2 + e.b
    elif e.which == QUARTIC:
        out[0] = e.c * (x - e.a) ** 4 + e.b
    elif e.which == CORNER:
        out[0] = e.c * absolute(x - e.a) + e.b
    elif e.which == EXPANDED:  # (x - 0.3)^3 with all its rounding
        out[0] = ((x - 0.9) * x + 0.27) * x - 0.027
    elif e.which == SINE:
        out[0] = sin(e.a * x + e.b) + e.c
    elif e.which == COSINE:
        out[0] = cos(e.a * t) + e.c
    elif e.which == ROOT:
        out[0] = sqrt(e.a - x) - e.b
    elif e.which == RAMP:  # falls to zero at a and stays there
        out[0] = e.a - x if x < e.a else 0.0
    elif e.which == HAT:  # zero, except between a and b
        out[0] = e.c * (x - e.a) * (e.b - x) if e.a < x < e.b else 0.0
    elif e.which == BUMP:
        out[0] = exp(-(((x - e.a) / e.b) ** 2)) - e.c
    elif e.which == SIGN:
        out[0] = -1.0 if x < e.a else 1.0
    elif e.which == NOISE:
        out[0] = e.a * sin(1e18 * x)
    elif e.which == TIME_SQUARE:
        out[0] = (t - e.a) ** 2 + e.b
    elif e.which == TIME_LINE:
        out[0] = t - e.a
    elif e.which == GAP:  # smooth at first sight, with two zeros closer than a thousandth
        out[0] = (x - e.a) ** 2 - e.b + e.c * sin(3.0 * x)
    elif e.which == CIRCLE:
        out[0] = x * x + e.a * e.a - e.b
    elif e.which == VECTOR:
        out[0] = x - e.a
        out[1] = (x - e.b) ** 2
        out[2] = e.c - x
    elif e.which == MULTIPLE:  # a root of order b at a, one of order d at c
        out[0] = (x - e.a) ** int(e.b) * (x - e.c) ** int(e.d)
    elif e.which == MULTIPLIED_OUT:  # the same, without the second, with all its rounding
        total, coefficient = 0.0, 1.0
        for k in range(int(e.b), -1, -1):
            total += coefficient * x**k * (-e.a) ** (int(e.b) - k)
            coefficient *= k / (e.b - k + 1.0)
        out[0] = e.c * total
    elif e.which == POLE:
        out[0] = 1.0 / (x - e.a)
    else:
        out[0] = math.atan(e.b * (x - e.a))


RTOL, ATOL = 1e-9, np.array([1e-12])


def search(event, ts, direction=0, touches=True, size=1, first=True, final=True, rtol=RTOL, atol=ATOL, blocks=1):
    """What a `Watchman` finds in hand-made steps, given to it in so many blocks: (its stop, [(t, component, kind)])."""
    ts, ys, fs = straight(ts)
    watch = Watch(
        Event("x", {0: "both", 1: "rising", -1: "falling"}[direction], touch=touches, name="hard"),
        Hard(event.which, *map(float, event[1:])),
        size,
        tuple(str(i) for i in range(size)),
        0,
        Clock(),
    )
    run = SimpleNamespace(
        system=Clock(), t0=ts[0], t1=ts[-1], n=1, m=0, tolerance=SimpleNamespace(relative=rtol, absolute=atol), watches=[watch]
    )
    run.stepper = None  # its steps are not taken as straight
    watchman, stop = Watchman(run), None
    edges = np.linspace(0, ts.size - 1, blocks + 1).astype(int)
    for a, b in itertools.pairwise(edges):
        stop = stop or watchman.look(ts[a : b + 1], ys[a : b + 1], fs[a:b], b - a, first and a == 0, final and b == ts.size - 1)
    for e in run.occurrences:
        assert e.state[0] == pytest.approx(e.t, rel=1e-15, abs=1e-15 * np.ptp(ts))  # the state is that of the moment
    return stop, [(e.t, int(e.name), e.kind) for e in run.occurrences]


def zeros(event, ts, **options):
    stop, found = search(event, ts, **options)
    assert stop is None
    assert [t for t, _, _ in found] == sorted(t for t, _, _ in found)
    return [(t, kind) for t, _, kind in found]


def assert_close(found, expected, tolerance=4e-16):
    """The same kinds at the same times, to a relative error that rounding explains."""
    assert [kind for _, kind in found] == [kind for _, kind in expected]
    for (t, _), (u, _) in zip(found, expected):
        assert abs(t - u) <= tolerance * max(1.0, abs(u)), (t, u)


# -- crossings ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ts", [[-10, 10], [-10, 1e6], [-7, -6, 3], [-6.5, -1.9, 2.1], np.linspace(-10, 10, 14), [-10, -5.999, 1.999, 10]]
)
def test_cubic(ts):
    found = zeros(Hard(CUBIC, -6, -2, 2, 1.0), ts)
    assert_close(found, [(-6, "rising"), (-2, "falling"), (2, "rising")], 2e-16 * (1 + np.max(np.diff(ts))))


def test_cubic_at_every_scale():
    """The search must not care about the unit of g or of time."""
    for factor in (1e-200, 1e-30, 1e-9, 1e9, 1e30, 1e200):
        assert_close(zeros(Hard(CUBIC, -6, -2, 2, factor), [-10, 10]), [(-6, "rising"), (-2, "falling"), (2, "rising")], 2e-15)
    for unit in (1e-9, 1e-3, 1e6):
        found = zeros(Hard(CUBIC, -6 * unit, -2 * unit, 2 * unit, 1.0), [-10 * unit, 10 * unit], atol=ATOL * 1e-9)
        assert_close([(t / unit, kind) for t, kind in found], [(-6, "rising"), (-2, "falling"), (2, "rising")], 2e-15)


@pytest.mark.parametrize("direction", [1, -1])
def test_direction(direction):
    found = zeros(Hard(CUBIC, -6, -2, 2, 1.0), [-10, 10], direction=direction)
    assert_close(found, [(-6, "rising"), (2, "rising")] if direction > 0 else [(-2, "falling")], 2e-15)


def test_roots_at_the_ends_of_steps_count_once():
    """A zero at the end of a step belongs to it, not to the next one; whatever the steps."""
    expected = [(-6, "rising"), (-2, "falling"), (2, "rising")]
    for ts in ([-10, -6, -2, 2, 10], [-7, -6, -4, -2, 0, 2, 3], [-10, -6, 10], [-10, -2, 10], [-10, 2, 10]):
        assert_close(zeros(Hard(CUBIC, -6, -2, 2, 1.0), ts), expected, 2e-15)
    for ts in ([-10, -6, -2, 2], [-10, 2]):  # the last one at the very end of the motion
        assert_close(zeros(Hard(CUBIC, -6, -2, 2, 1.0), ts), expected, 2e-15)
    for ts in ([-6, -2, 2, 10], [-6, 10], [-6, 2]):  # the first one at its very start: it has fired already
        assert_close(zeros(Hard(CUBIC, -6, -2, 2, 1.0), ts), expected[1:], 2e-15)


@pytest.mark.parametrize("start", [0.0, 0.1, 1.0, 1e3, 123456.7])
def test_functions_of_time_at_inexact_step_ends(start):
    """t + h is not always the next t: a zero of t - a exactly at a step's end must count once, not twice and not never."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        ts = start + np.cumsum(rng.uniform(0.01, 0.3, 12))
        ts = np.concatenate([[start], ts])
        for a in ts[1:]:
            found = zeros(Hard(TIME_LINE, a), ts)
            assert [kind for _, kind in found] == ["rising"]
            assert abs(found[0][0] - a) <= 2.0 * np.spacing(a)


@pytest.mark.parametrize("blocks", [1, 2, 3, 6])
def test_blocks_of_steps_make_no_difference(blocks):
    """Zeros and touches at, and around, the place where one block ends and the next begins."""
    ts = np.array([-9.0, -6.0, -5.0, -2.0, 0.0, 2.0, 3.0])
    assert_close(zeros(Hard(CUBIC, -6, -2, 2, 1.0), ts, blocks=blocks), [(-6, "rising"), (-2, "falling"), (2, "rising")], 2e-15)
    for a in (-6.0, -2.0, 0.0, 2.0):
        for offset in (0.0, 1e-14, -1e-14, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3):
            assert_close(zeros(Hard(SQUARE, a + offset, 0.0, 1.0), ts, blocks=blocks), [(a + offset, "touch")], 3e-6)
            assert_close(zeros(Hard(TIME_LINE, a + offset), ts, blocks=blocks), [(a + offset, "rising")], 1e-15)


def test_double_crossings_close_together():
    for gap in (1e-1, 1e-3, 1e-5, 1e-6):
        for centre in (0.5, 0.123456, 0.9, 0.75):
            found = zeros(Hard(SQUARE, centre, -(gap**2), 1.0), [0, 1])
            assert_close(found, [(centre - gap, "falling"), (centre + gap, "rising")], 1e-15 / gap)
            found = zeros(Hard(SQUARE, centre, gap**2, -1.0), [0, 1])
            assert_close(found, [(centre - gap, "rising"), (centre + gap, "falling")], 1e-15 / gap)


def test_double_crossing_in_a_huge_step():
    """A first step of the clock: the two zeros are in its first millionth, where no sample falls."""
    assert_close(zeros(Hard(SQUARE, 2.0, -1e-4, 1.0), [0, 1e6]), [(1.99, "falling"), (2.01, "rising")], 1e-10)
    assert_close(zeros(Hard(CUBIC, 1.0, 1.001, 1e7, 1.0), [0, 1e6]), [(1.0, "rising"), (1.001, "falling")], 1e-7)


def test_double_crossing_across_a_step_end():
    for edge in (0.5, 0.5 + 5e-7, 0.5 - 1e-6, 0.5 + 1e-6, 0.499999):
        found = zeros(Hard(SQUARE, 0.5, -1e-12, 1.0), [0, edge, 1])
        assert_close(found, [(0.5 - 1e-6, "falling"), (0.5 + 1e-6, "rising")], 1e-9)


def test_a_curve_that_is_neither_convex_nor_monotone():
    """g = (x - a)^2 - b + c sin 3x, against a dense table of its signs."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        a, b, c = rng.uniform(-4, 4), rng.uniform(0, 4), rng.uniform(-2, 2)
        x = np.linspace(-5, 5, 400_001)
        g = (x - a) ** 2 - b + c * np.sin(3.0 * x)
        expected = [(x[i], "rising" if g[i] < 0 else "falling") for i in np.flatnonzero(g[1:] * g[:-1] < 0)]
        assert_close(zeros(Hard(GAP, a, b, c), [-5, 5]), expected, 3e-5)


@pytest.mark.parametrize("frequency", [50.0, 1000.0, 8 * math.pi, 16 * math.pi, 4096.0])
@pytest.mark.parametrize("phase", [0.0, 0.4, math.pi / 2])
def test_hundreds_of_zeros_in_one_step(frequency, phase):
    found = zeros(Hard(SINE, frequency, phase), [0, 1], final=False)
    k = np.arange(1, int((frequency + phase) / math.pi) + 1)
    times = (k * math.pi - phase) / frequency
    k, times = k[(times > 1e-9) & (times < 1 - 1e-9)], times[(times > 1e-9) & (times < 1 - 1e-9)]
    inside = [(t, kind) for t, kind in found if t < 1 - 1e-9]
    assert_close(inside, [(t, "rising" if j % 2 == 0 else "falling") for j, t in zip(k, times)], 1e-15)


def test_a_function_of_time_only_that_oscillates_in_step_with_the_samples():
    """cos(2 pi k t) takes the same value at equidistant points: it must not pass for a constant."""
    for k in (4, 8, 16, 32, 64):
        found = zeros(Hard(COSINE, 2 * math.pi * k), [0, 1])
        assert len(found) == 2 * k
        np.testing.assert_allclose([t for t, _ in found], (np.arange(2 * k) + 0.5) / (2 * k), rtol=0, atol=1e-15)


def test_thousands_of_zeros_are_refused_not_lost():
    """More zeros than anybody wants: the search says so, up to where it is complete, and what to do."""
    stop, found = search(Hard(SINE, 1e6, 0.4), [0, 0.001, 1])
    assert stop.outcome.status == "bad_event"
    assert "max_step" in stop.outcome.message
    assert stop.t >= 0.001
    expected = (np.arange(1, len(found) + 1) * math.pi - 0.4) / 1e6
    np.testing.assert_allclose([t for t, _, _ in found], expected, rtol=1e-12)
    assert len(found) >= 318
    assert search(Hard(NOISE, 1.0), [0.1, 1])[0].outcome.status == "bad_event"


# -- touches -----------------------------------------------------------------------------------------------------------------------

SPOTS = [0.5, 0.3, 0.25, 0.123456, 0.875, 0.999, 1e-4, 1 - 1e-9]


@pytest.mark.parametrize("which", [SQUARE, QUARTIC, CORNER])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_touch_from_both_sides(which, sign):
    for a in SPOTS:
        found = zeros(Hard(which, a, 0.0, sign), [0, 1])
        assert_close(found, [(a, "touch")], {SQUARE: 1e-8, QUARTIC: 1e-3, CORNER: 2e-9}[which])


def test_touch_of_a_function_of_time_only():
    for a in (3.0, 0.1, 7.77):
        assert_close(zeros(Hard(TIME_SQUARE, a), [-1, 2, 10]), [(a, "touch")], 1e-8)
    assert zeros(Hard(TIME_SQUARE, 3.0, 1e-6), [-1, 2, 10]) == []
    assert_close(zeros(Hard(COSINE, 1.0, 0.0, 1.0), [0, 10]), [(math.pi, "touch"), (3 * math.pi, "touch")], 1e-7)
    assert_close(zeros(Hard(COSINE, 1.0, 0.0, -1.0), [1, 10]), [(2 * math.pi, "touch")], 1e-7)


def test_touch_within_tolerance_counts_and_beyond_does_not():
    """g = (x - a) + b has no extremum; of c|x - a| + b the touch is real if b < 10 (atol + rtol a) c, the doubt about x there."""
    for c in (1.0, 1e3, -1e-3):
        for a in (0.5, 0.3, 0.77):
            doubt = 10.0 * (1e-12 + 1e-9 * a) * abs(c)
            sign = math.copysign(1.0, c)
            assert_close(zeros(Hard(CORNER, a, 0.5 * sign * doubt, c), [0, 1]), [(a, "touch")], 1e-9)
            assert zeros(Hard(CORNER, a, 1.5 * sign * doubt, c), [0, 1]) == []


def test_a_smooth_near_miss_is_no_touch():
    """At the minimum of a parabola g hardly depends on x: what x is uncertain by moves it by 1e-17, so that 1e-12 is a miss."""
    for a in SPOTS[:6]:
        for gap in (1e-3, 1e-9, 1e-12, 1e-13):
            assert zeros(Hard(SQUARE, a, gap, 1.0), [0, 1]) == []
            assert zeros(Hard(SQUARE, a, -gap, -1.0), [0, 1]) == []
    assert zeros(Hard(SQUARE, 2.0, 0.1, 1.0), [0, 1e6]) == []


def test_a_smooth_touch_within_a_doubt_that_matters():
    """x^2 - b over a state of large doubt: touches to tolerance at a step's or an interval's end, or inside, count once."""
    for edges in ([-1, 1], [-1, 0, 1], [-1, 1e-9, 1], [-1, -1e-9, 1], [-1, -1e-5, 1], [-1, 1e-5, 1], [-1, -0.5, 0.25, 1]):
        # Doubt: |x| may be off by 10 * 1e-6, so that x^2 + 9e-11 may well be zero at x = 0 and x^2 + 2e-10 may not.
        found = zeros(Hard(SQUARE, 0.0, 9e-11, 1.0), edges, atol=np.array([1e-6]), rtol=1e-12)
        assert_close(found, [(0.0, "touch")], 1e-5)
        assert zeros(Hard(SQUARE, 0.0, 2e-10, 1.0), edges, atol=np.array([1e-6]), rtol=1e-12) == []


@pytest.mark.parametrize("which", [SQUARE, CORNER, QUARTIC])
def test_touch_at_or_near_the_end_of_a_step_counts_once(which):
    tolerance = {SQUARE: 2e-6, QUARTIC: 1e-3, CORNER: 2e-6}[which]
    for offset in (0.0, 1e-17, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 4e-7, 6e-7, 1e-6, 1e-5, 1e-3):
        for side in (1, -1):
            a = 0.5 + side * offset
            for sign in (1.0, -1.0):
                for gap in (0.0,) if which == QUARTIC else (0.0, 1e-17):
                    found = zeros(Hard(which, a, sign * gap, sign), [0, 0.5, 1])
                    assert_close(found, [(a, "touch")], tolerance)


def test_touch_and_direction():
    """A touch counts as the direction of its approach, and can be left out."""
    for sign, approach in ((1.0, -1), (-1.0, 1)):
        for a in SPOTS:
            event = Hard(SQUARE, a, 0.0, sign)
            assert len(zeros(event, [0, 1], direction=approach)) == 1
            assert zeros(event, [0, 1], direction=-approach) == []
            assert zeros(event, [0, 1], touches=False) == []


def test_touch_beside_crossings():
    """(x - 2)^2 (x + 6): a touch and a crossing in one step, in one order and the other."""
    assert_close(zeros(Hard(CUBIC, -6, 2, 2, 1.0), [-10, 10]), [(-6, "rising"), (2, "touch")], 1e-7)
    assert_close(zeros(Hard(CUBIC, -6, -6, 2, 1.0), [-10, 10]), [(-6, "touch"), (2, "rising")], 1e-7)


def test_many_touches_in_one_step():
    found = zeros(Hard(SINE, 400.0, 0.3, 1.0), [0, 1])
    expected = (np.arange(1, 65) * 2 * math.pi - math.pi / 2 - 0.3) / 400.0
    assert_close(found, [(t, "touch") for t in expected[expected < 1]], 1e-8)
    assert zeros(Hard(SINE, 400.0, 0.3, 1.00001), [0, 1]) == []


def test_the_peak_of_a_narrow_bump():
    """exp(-((x - a)/b)^2) - c with b a tenth of the step: two crossings for c < 1, a touch at 1, nothing above."""
    width = 0.1 * math.sqrt(math.log(2.0))
    assert_close(zeros(Hard(BUMP, 0.37, 0.1, 0.5), [0, 1]), [(0.37 - width, "rising"), (0.37 + width, "falling")], 1e-15)
    assert_close(zeros(Hard(BUMP, 0.37, 0.1, 1.0), [0, 1]), [(0.37, "touch")], 1e-8)
    assert zeros(Hard(BUMP, 0.37, 0.1, 1.0 + 1e-7), [0, 1]) == []


# -- rough functions ---------------------------------------------------------------------------------------------------------------


def test_corner_that_crosses():
    for a in SPOTS[:6]:
        found = zeros(Hard(CORNER, a, -1e-5, 1.0), [0, 1])
        assert_close(found, [(a - 1e-5, "falling"), (a + 1e-5, "rising")], 1e-15)


def test_jump():
    for a in (0.3, 0.5, 0.7772):
        assert_close(zeros(Hard(SIGN, a), [0, 1]), [(a, "rising")], 1e-15)


def test_steep():
    for slope in (1e3, 1e6, 1e9):
        assert_close(zeros(Hard(STEEP, 0.3, slope), [0, 1]), [(0.3, "rising")], 1e-15)


def test_flat_crossing_in_noise_counts_once():
    """(x - 0.3)^3 multiplied out: within 1e-5 of its zero it is nothing but rounding, with hundreds of changes of sign."""
    assert_close(zeros(Hard(EXPANDED), [0, 1]), [(0.3, "rising")], 1e-4)
    assert_close(zeros(Hard(EXPANDED), [0, 0.2, 0.31, 1]), [(0.3, "rising")], 1e-4)


def test_identically_zero_is_no_event():
    assert zeros(Hard(HAT, 5, 6, 1.0), [0, 1, 2]) == []
    assert zeros(Hard(SQUARE, 0.0, 0.0, 0.0), [0, 1, 2]) == []


def test_a_stretch_of_zeros():
    """Arriving at a stretch of zeros is an event, staying and leaving are none."""
    for a in (0.3, 0.5, 1.0, 1.4):
        assert_close(zeros(Hard(RAMP, a), [0, 1, 2, 3]), [(a, "falling")], 1e-11)
    for ts in ([0, 1, 2, 3, 4], [0, 4], [0, 1.5, 4], [0, 1.3, 2.7, 4]):
        assert_close(zeros(Hard(HAT, 1.3, 2.7, 1.0), ts), [(2.7, "falling")], 1e-11)
        assert_close(zeros(Hard(HAT, 1.3, 2.7, -1.0), ts), [(2.7, "rising")], 1e-11)


def test_within_tolerance_all_the_time_is_no_touch():
    """A function that stays within the doubt about zero (a sticking phase, as computed) does not touch."""
    assert zeros(Hard(SQUARE, 0.5, 1e-13, 1e-12), [0, 1], atol=np.array([1.0])) == []


# -- functions that break ----------------------------------------------------------------------------------------------------------


def test_not_a_number_is_located():
    """sqrt(0.7 - x) - b ends at 0.7: the search says where, and knows all before."""
    for b, expected in ((2.0, []), (0.2, [(0.66, "falling")])):
        stop, found = search(Hard(ROOT, 0.7, b), [0, 0.5, 1])
        assert stop.outcome.status == "bad_event"
        assert "hard is not a finite number just after t = 0.7" in stop.outcome.message.replace("0.6999999999", "0.7").replace(
            "0.7999", "0.7"
        )
        assert stop.t == pytest.approx(0.7, abs=1e-11)
        assert stop.state[0] == stop.t
        assert stop.step == 1
        assert_close([(t, kind) for t, _, kind in found], expected, 1e-15)
    stop, found = search(Hard(ROOT, -1.0), [0, 0.5, 1])
    assert (stop.t, stop.step, found) == (0.0, 0, [])


def test_pole_is_a_change_of_sign_or_bad():
    """1/(x - a) has no zero but changes sign; hit exactly it is infinite. Nothing hangs, nothing is invented besides the jump."""
    assert search(Hard(POLE, 0.5), [0, 1])[0].outcome.status == "bad_event"
    stop, found = search(Hard(POLE, 0.3), [0, 1])
    assert stop is not None or [kind for _, _, kind in found] == ["rising"]


# -- start and end -----------------------------------------------------------------------------------------------------------------


def test_zero_at_the_start_is_silent():
    for ts in ([0, 1], [0, 1e-3, 1], [0, 1e6]):
        for offset in (0.0, 1e-17, -1e-17, 1e-13, -1e-13):
            assert zeros(Hard(CUBIC, offset, -7, -8, 1.0), ts) == []
            assert zeros(Hard(SQUARE, offset, 0.0, 1.0), ts) == []
        for offset in (0.0, 1e-17, -1e-17):
            assert zeros(Hard(TIME_LINE, offset), ts) == []
    assert_close(zeros(Hard(CUBIC, 0, 0.5, 2, 1.0), [0, 1]), [(0.5, "falling")])  # but not deaf


def test_silent_at_the_start_of_a_motion_only():
    """A block in the middle of a motion starts where the last one ended: nothing is silent there but what has just fired."""
    assert zeros(Hard(CUBIC, 1e-13, -7, -8, 1.0), [0, 1]) == []
    assert_close(zeros(Hard(CUBIC, 1e-13, -7, -8, 1.0), [0, 1], first=False), [(1e-13, "rising")])


def test_restart_from_a_located_zero_of_a_state_with_large_numbers():
    """Metres and 1e7 of them: a located zero is off by the rounding of 1e7, far more than atol; it must not fire again."""
    for x0 in (1e7 * 1e-16, -1e7 * 1e-16, 1e7 * 3e-16):
        assert zeros(Hard(CUBIC, x0, -2e9, -3e9, 1.0), [0, 1e4]) == []


def test_a_bounce_right_after_the_start_is_found():
    """Thrown up from the ground with little speed, in a step that is a million flights long."""
    for flight in (1.0, 1e-3, 1e-6, 1e-8):
        found = zeros(Hard(CUBIC, 0, flight, -1e9, -1.0), [0, 10])
        assert_close([(t / flight, kind) for t, kind in found], [(1.0, "falling")], 1e-6)


def test_zero_at_the_end_is_reported_at_the_end():
    for offset in (0.0, 1e-17, 1e-12):
        assert_close(zeros(Hard(CUBIC, 1.0 + offset, -7, -8, 1.0), [0, 0.7, 1]), [(1.0, "rising")])
        assert_close(zeros(Hard(CUBIC, 1.0 + offset, -7, -8, -1.0), [0, 1]), [(1.0, "falling")])
        assert zeros(Hard(CUBIC, 1.0 + offset, -7, -8, 1.0), [0, 0.7, 1], final=False) == (
            [] if offset > 1e-16 else [(1.0, "rising")]
        )
    assert_close(
        zeros(Hard(CUBIC, 1.0 + 1e-12, -7, -8, 1.0), [0, 0.7, 1 - 1e-11, 1]), [(1.0, "rising")]
    )  # even if the last step is short
    assert zeros(Hard(CUBIC, 1.0 + 1e-6, -7, -8, 1.0), [0, 0.7, 1]) == []


def test_zero_just_before_the_end_is_not_reported_twice():
    for back in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15):
        found = zeros(Hard(CUBIC, 1.0 - back, -7, -8, 1.0), [0, 0.7, 1], rtol=1e-4)
        assert_close(found, [(1.0 - back, "rising")], 1e-15)


def test_dying_away_is_no_event_at_the_end():
    """exp(-x^2) is zero to tolerance at x = 6, but it is not about to cross."""
    assert zeros(Hard(BUMP, 0.0, 1.0, 0.0), [0, 1, 2, 3, 4, 5, 6], atol=np.array([1e-6])) == []


# -- several -----------------------------------------------------------------------------------------------------------------------


def test_vector():
    stop, found = search(Hard(VECTOR, 0.7, 0.4, 0.2), [0, 1], size=3)
    assert stop is None
    assert [(component, kind) for _, component, kind in found] == [
        (2, "falling"),
        (1, "touch"),
        (0, "rising"),
    ]  # in order of time
    np.testing.assert_allclose([t for t, _, _ in found], [0.2, 0.4, 0.7], rtol=0, atol=1e-8)


def test_random_polynomials():
    """Cubics with random roots over random steps: all of them, in order, to rounding."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        roots = np.sort(rng.uniform(0, 1, 3))
        if np.diff(roots).min() < 1e-3:
            continue
        sign = rng.choice([-1.0, 1.0])
        ts = np.concatenate([[-0.1], np.sort(rng.uniform(0, 1, rng.integers(0, 5))), [1.1]])
        kinds = ["rising", "falling", "rising"] if sign > 0 else ["falling", "rising", "falling"]
        assert_close(zeros(Hard(CUBIC, *roots, sign), ts), list(zip(roots, kinds)), 1e-14)


# -- zeros of higher order ---------------------------------------------------------------------------------------------------------


def random_steps(rng, a):
    """Steps around a; some end at it, or very close to it."""
    low, high = a - rng.uniform(0.05, 3.0), a + rng.uniform(0.05, 3.0)
    inner = rng.uniform(low, high, rng.integers(1, 6))
    choice = rng.integers(4)
    if choice == 0:
        inner[0] = a
    elif choice == 1:
        inner[0] = np.clip(a + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-16, -1), low, high)
    return np.unique([low, *inner, high])


def expected_kinds(left, roots):
    """Signs of a polynomial: from that at the left through roots of given orders."""
    kinds = []
    for _, order in sorted(roots):
        kinds.append("touch" if order % 2 == 0 else "rising" if left < 0 else "falling")
        left = left if order % 2 == 0 else -left
    return kinds


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6, 8])
def test_multiple_roots_are_reported_once(order):
    """(x - a)^m, wherever the steps end: one event, a crossing or a touch."""
    rng = np.random.default_rng(order)
    for _ in range(400):
        a = rng.uniform(0.05, 0.95) * 10.0 ** rng.choice([0, 1, -1])
        ts = random_steps(rng, a)
        found = zeros(Hard(MULTIPLE, a, order, 0.0, 0), ts)
        assert [kind for _, kind in found] == expected_kinds((-1.0) ** order, [(a, order)]), (a, ts.tolist(), found)
        assert abs(found[0][0] - a) ** order < 1e-14


@pytest.mark.parametrize(("order", "other"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 3), (6, 1)])
def test_two_multiple_roots(order, other):
    """Far enough apart that g between them is more than the rounding of its largest value in the step: below that they may be one."""
    rng = np.random.default_rng(10 * order + other)
    for _ in range(200):
        a = rng.uniform(0.05, 0.95)
        b = a + rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 1.0)
        ts = random_steps(rng, a)
        roots = [(a, order)] + ([(b, other)] if ts[0] < b < ts[-1] else [])
        found = zeros(Hard(MULTIPLE, a, order, b, other), ts)
        left = (ts[0] - a) ** order * (ts[0] - b) ** other
        assert [kind for _, kind in found] == expected_kinds(left, roots), (a, b, ts.tolist(), found)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_multiple_roots_in_rounding_noise(order):
    """Multiplied out, hundreds of changes of sign by rounding alone: one event, as long as the steps are longer than the noise."""
    rng = np.random.default_rng(order)
    for _ in range(200):
        a, sign = rng.uniform(0.05, 0.95), rng.choice([-1.0, 1.0])
        ts = np.array([a - rng.uniform(0.05, 3.0), a + rng.uniform(0.05, 3.0)])
        found = zeros(Hard(MULTIPLIED_OUT, a, order, sign), ts)
        assert [kind for _, kind in found] == expected_kinds(sign * (-1.0) ** order, [(a, order)]), (a, ts.tolist(), found)


def test_no_warning_at_the_end():
    """A zero within rounding of the end of the last step: no 0/0."""
    with np.errstate(all="raise"):
        for k in range(200):
            a = 1.0 - k * 1.1e-16
            assert len(zeros(Hard(TIME_LINE, a), [0.0, 0.7, 1.0])) == 1
            assert len(zeros(Hard(SQUARE, a, 0.0, 1.0), [0.0, 0.7, 1.0])) == 1


def test_the_quick_search_agrees_with_the_careful_one_wherever_it_answers():
    random = np.random.default_rng(11)
    ts, ys, fs = straight([0.0, 1.0])
    answered = 0
    for which in (CUBIC, SQUARE, QUARTIC, SINE, BUMP, MULTIPLE, EXPANDED, CORNER):
        for _ in range(150):
            a, b, c, d = random.uniform(0.0, 1.0, 4)
            event = Hard(
                which, *((8.0 * a, b, 1.5 * c - 0.7, d) if which == SINE else (a, b - 0.5 if which != CUBIC else b, c, d))
            )
            switch = Switch(event, Clock())
            p = probe(switch.erased, None, 1, 1e-9, np.full(1, 1e-12))
            interpreted(enter)(p, ts, ys, fs, 0)
            if not simple_zeros(p, TABLES):
                continue
            answered += 1
            quick = p.zeros[:, : int(p.note[COUNT])].copy()
            zeros_in_step(p, TABLES)
            careful = p.zeros[:, : int(p.note[COUNT])]
            assert np.array_equal(quick[1], careful[1]), (event, quick, careful)
            assert np.all(np.abs(quick[0] - careful[0]) < 1e-14), (event, quick, careful)
    assert answered > 500
