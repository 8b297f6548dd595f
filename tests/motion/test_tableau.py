"""Explicit Runge-Kutta methods by their tableaus: their orders, their estimates, their dense output, and what is no tableau."""

import itertools
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from systems import Oscillator, Pendulum

from rollick import Body, Ellipsoid, InputError, regularised, simulate, sliding
from rollick.motion.methods import EmbeddedRungeKutta, RungeKutta, Tableau

HEUN = Tableau(order=2, A=((1,),), b=(1 / 2, 1 / 2))
RK4 = Tableau(order=4, A=((1 / 2,), (0, 1 / 2), (0, 0, 1)), b=(1 / 6, 1 / 3, 1 / 3, 1 / 6))
BOSH3 = Tableau(
    order=3,
    A=((1 / 2,), (0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    b=(2 / 9, 1 / 3, 4 / 9, 0),
    error=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
)
LAST = (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
DOPRI5 = Tableau(  # Dormand and Prince (1980), with the dense output of Hairer, Norsett and Wanner
    order=5,
    A=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        LAST,
    ),
    b=(*LAST, 0),
    error=(71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    dense=(
        (
            -12715105075 / 11282082432,
            0,
            87487479700 / 32700410799,
            -10690763975 / 1880347072,
            701980252875 / 199316789632,
            -1453857185 / 822651844,
            69997945 / 29380423,
        ),
    ),
)


def by(kind, word, given):
    """A method of a kind by a tableau."""

    @dataclass(frozen=True)
    class Made(kind):
        name: ClassVar[str] = word
        tableau: ClassVar[Tableau] = given

    return Made


equal, embedded = partial(by, RungeKutta, "equal"), partial(by, EmbeddedRungeKutta, "embedded")


def run(method, until=2.0, **options):
    return simulate(Pendulum(), {"phi": 2.0}, until, method=method, progress=False, **options)


TRUTH = run("dop853", rtol=1e-13, dense=True)


@pytest.mark.parametrize("tableau", [HEUN, BOSH3, RK4, DOPRI5], ids=["heun", "bosh3", "rk4", "dopri5"])
def test_half_the_step_divides_the_error_by_two_to_its_order(tableau):
    Equal, dt = equal(tableau), 0.02 if tableau.order < 4 else 0.1
    errors = [np.abs(run(Equal(dt=step)).end_state - TRUTH.end_state).max() for step in (dt, dt / 2, dt / 4)]
    for before, after in itertools.pairwise(errors):
        assert np.log2(before / after) == pytest.approx(tableau.order, abs=0.35)


@pytest.mark.parametrize(("tableau", "order"), [(HEUN, 2), (RK4, 4), (DOPRI5, 5)], ids=["heun", "rk4", "dopri5"])
def test_dense_output_has_an_order_inside_the_steps(tableau, order):
    Equal, times = equal(tableau), np.linspace(0.013, 1.9, 37)
    errors = [np.abs(run(Equal(dt=dt), dense=True).at(times) - TRUTH.at(times)).max() for dt in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) > min(order, 4) - 0.5


@pytest.mark.parametrize("tableau", [BOSH3, DOPRI5], ids=["bosh3", "dopri5"])
def test_steps_follow_the_tolerance(tableau):
    Embedded, errors, steps = embedded(tableau), [], []
    truth = run("dop853", 20.0, rtol=1e-13).end_state
    for rtol in (1e-4, 1e-6, 1e-8):
        motion = run(Embedded(rtol=rtol), 20.0)
        errors.append(np.abs(motion.end_state - truth).max())
        steps.append(motion.provenance["steps"])
    assert errors[2] < 1e-3 * errors[0]
    for few, many in itertools.pairwise(steps):
        assert np.log(many / few) == pytest.approx(np.log(100.0) / tableau.order, rel=0.35)


def test_events_columns_and_going_back_come_from_the_loop():
    Embedded = embedded(DOPRI5)
    motion = run(Embedded(rtol=1e-9), events=["phi"], variational=True)
    judge = run("dop853", rtol=1e-12, events=["phi"], variational=True)
    assert [e.t for e in motion.events] == pytest.approx([e.t for e in judge.events], abs=1e-6)
    assert motion.transition[-1] == pytest.approx(judge.transition[-1], abs=1e-4)
    back = simulate(Pendulum(), motion.end_state, 0.0, since=2.0, method=Embedded(rtol=1e-9), progress=False)
    assert back.end_state == pytest.approx([2.0, 0.0], abs=1e-5)
    at = run(Embedded(rtol=1e-9), at=[0.0, 0.777, 2.0])
    assert at.y[1] == pytest.approx(TRUTH.at(0.777), abs=1e-6)


def test_a_motion_by_a_tableau_is_verified():
    assert run(equal(RK4)(dt=1e-2), verify=True).trust.worst > 4.0
    assert run(embedded(DOPRI5)(rtol=1e-8), verify=True).trust.worst > 5.0


def test_a_method_of_more_than_twelve_stages():
    """Six steps of 1/6 of Heun's method, as one method of twelve stages; seven, as one of fourteen."""
    for times in (6, 7):
        rows, weights = [], []
        for part in range(times):
            before = [0.5 / times] * (2 * part)
            rows += [before, [*before, 1.0 / times]]
            weights += [0.5 / times, 0.5 / times]
        many = equal(Tableau(order=2, A=tuple(map(tuple, rows[1:])), b=tuple(weights)))
        dt = 0.05
        one, other = run(many(dt=dt)), run(equal(HEUN)(dt=dt / times))
        assert one.end_state == pytest.approx(other.end_state, rel=1e-12)


@pytest.mark.parametrize(
    ("tableau", "words"),
    [
        (Tableau(2, ((1,),), (0.5, 0.4)), "the numbers in b must sum to 1, not 0.9"),
        (Tableau(2, (), (0.5, 0.5)), "A must have 1 rows of 1, 2, ..., 1 numbers, as b has 2; it has rows of []"),
        (Tableau(2, ((1,),), (0.5, 0.5), error=(1.0,)), "error must have 2 numbers, or 3 with the rate at the end"),
        (Tableau(2, ((1,),), (0.5, 0.5), error=(1.0, 0.0)), "the numbers in error must sum to 0, not 1"),
        (Tableau(2, ((1,),), (0.5, float("nan"))), "a coefficient is not finite"),
        (Tableau(2, ((1,),), (0.5, 0.5), error=np.zeros(2)), "all numbers in error are zero"),
        (Tableau(2, ((1,),), (0.5, 0.5), dense=((1.0, -1.0),) * 5), "dense has 5 rows; there are 4 at most"),
    ],
)
def test_what_is_no_tableau_is_refused(tableau, words):
    with pytest.raises(InputError) as error:
        run(equal(tableau)())
    assert words in str(error.value)


def test_methods_without_what_they_need_are_refused():
    @dataclass(frozen=True)
    class Nothing(RungeKutta):
        name: ClassVar[str] = "nothing"

    with pytest.raises(InputError, match=r"Nothing needs its coefficients: tableau = Tableau\(order, A, b\)"):
        run(Nothing())
    with pytest.raises(InputError, match="has no estimate of the error; give it `error`, or derive from RungeKutta"):
        run(embedded(RK4)())
    with pytest.raises(InputError, match="rtol is no option of method 'equal'"):
        run(equal(RK4)(), rtol=1e-6)
    with pytest.raises(InputError, match="dt = -1"):
        run(equal(RK4)(dt=-1.0))


def test_a_body_that_slides_in_lasting_contact_by_equal_steps():
    """Its gap, 1e-17 m, is rounding, and no reason to doubt."""
    body = sliding(Body.from_inertia(1.0, (4e-3, 5e-3, 6e-3), Ellipsoid(0.1, 0.12, 0.08)), law=regularised(0.3, 0.05))
    start = {"theta": 0.3, "omega3": 3.0}
    motion = simulate(body, start, 0.2, method=equal(RK4)(dt=1e-3), progress=False)
    judge = simulate(body, start, 0.2, rtol=1e-11, progress=False)
    assert motion.status == "finished"
    assert motion.end_state == pytest.approx(judge.end_state, abs=1e-7)


def test_a_tableau_steps_several_systems():
    motion = simulate(Oscillator(), None, 1.0, method=embedded(DOPRI5)(rtol=1e-10), progress=False)
    judge = simulate(Oscillator(), None, 1.0, rtol=1e-12, progress=False)
    assert motion.end_state == pytest.approx(judge.end_state, abs=1e-8)
