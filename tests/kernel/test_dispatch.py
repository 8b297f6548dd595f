"""Compile-time dispatch: which implementation is chosen, from Python and from machine code, and what is said when none is."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import config
from numba.core.errors import TypingError

from rollick.kernel import compiled, describe, dim, generic, rate
from rollick.kernel import system as systems
from rollick.kernel.compiled import compiled_uncached
from rollick.kernel.dispatch import constant, decided
from rollick.kernel.names import called

needs_compiler = pytest.mark.skipif(config.DISABLE_JIT, reason="about machine code")


class Ball(NamedTuple):
    """A shape."""

    r: float


class Box(NamedTuple):
    """Another shape, with the same content."""

    r: float


class Carrier(NamedTuple):
    """A system made of systems: only its own type and that of its load say what it is."""

    load: Any
    factor: float


@generic
def volume(shape, scale):
    """The volume of a shape at a scale."""


@volume.register(Ball)
def ball_volume(shape, scale):
    return 4.0 * shape.r**3 * scale


@volume.register(Box)
def box_volume(shape, scale):
    return 8.0 * shape.r**3 * scale


@volume.register(Carrier)
def carrier_volume(shape, scale):
    return shape.factor * volume(shape.load, scale)


@compiled
def total(a, b, scale):
    """Two shapes together."""
    return volume(a, scale) + volume(b, scale)


def both_ways(function):
    """A compiled function, and the Python function it was made of."""
    return function, getattr(function, "py_func", function)


def test_implementation_is_chosen_by_type():
    for f in both_ways(total):
        assert f(Ball(1.0), Box(1.0), 2.0) == 24.0
        assert f(Box(1.0), Box(2.0), 1.0) == 72.0
    assert volume(Ball(2.0), 1.0) == 32.0


def test_nested_types_are_resolved_all_the_way_down():
    outer = Carrier(Carrier(Ball(1.0), 3.0), 5.0)
    for f in both_ways(total):
        assert f(outer, Carrier(Box(1.0), 0.5), 1.0) == 64.0


def test_complex_numbers_pass_through():
    for f in both_ways(total):
        assert f(Ball(1.0), Box(1.0), 1.0 + 1e-100j).imag / 1e-100 == 12.0


def test_a_generic_keeps_its_name_and_its_words():
    assert volume.__name__ == "volume"
    assert volume.__doc__ == "The volume of a shape at a scale."
    assert volume.knows(Ball)
    assert not volume.knows(Stranger)
    assert volume.table[(Ball,)] is ball_volume


def test_registering_returns_the_function_itself():
    assert ball_volume(Ball(1.0), 1.0) == 4.0


# two types


@generic
def meeting(first, second):
    """What happens when two things meet."""


@meeting.otherwise
def anything(first, second):
    return 0


@meeting.register(Ball)
def ball_first(first, second):
    return 1


@meeting.register(Ball, Box)
def ball_and_box(first, second):
    return 2


@meeting.register(Box, Ball)
def box_and_ball(first, second):
    return 3


@compiled
def meet(first, second):
    """The same from machine code."""
    return meeting(first, second)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Ball(1.0), Box(1.0), 2),
        (Ball(1.0), Ball(1.0), 1),
        (Ball(1.0), 5.0, 1),
        (Box(1.0), Ball(1.0), 3),
        (Box(1.0), Box(1.0), 0),
        (7.0, Ball(1.0), 0),
    ],
)
def test_two_types_win_over_one_and_one_over_none(first, second, expected):
    assert meeting(first, second) == expected
    assert meet(first, second) == expected


# what is said


class Stranger(NamedTuple):
    """A type that nothing was registered for."""

    x: float


def test_unknown_type_is_named_together_with_the_known_ones():
    message = r"`volume` has no implementation for Stranger; known: (.*, )?Ball, Box, Carrier(, .*)?. Add one with @volume.register\(Stranger\)."
    with pytest.raises(TypeError, match=message):
        volume(Stranger(1.0), 1.0)
    with pytest.raises(TypeError if config.DISABLE_JIT else TypingError, match=message):
        total(Stranger(1.0), Ball(1.0), 1.0)


def test_a_generic_without_implementations_says_so():
    @generic
    def lonely(x):
        """Nothing yet."""

    with pytest.raises(TypeError, match="`lonely` has no implementation for float; known: none yet"):
        lonely(1.0)


def test_subclass_is_a_type_of_its_own():
    class Marble(Ball):
        pass

    with pytest.raises(TypeError, match="no implementation for Marble"):
        volume(Marble(1.0), 1.0)


@pytest.mark.parametrize("wrong", [int, tuple, "Ball", Ball(1.0), None, dict])
def test_only_namedtuple_classes_can_be_registered(wrong):
    with pytest.raises(TypeError, match="`volume` dispatches on NamedTuple classes, not on"):
        volume.register(wrong)
    with pytest.raises(TypeError, match="dispatches on NamedTuple classes"):
        volume.register(Ball, wrong)


def test_old_namedtuples_serve_as_well():
    Old = namedtuple("Old", "r")
    volume.register(Old)(lambda shape, scale: 2.0 * shape.r * scale)
    assert volume(Old(3.0), 1.0) == 6.0


# what is compiled stays compiled


class Early(NamedTuple):
    """Registered before it is compiled."""

    x: float


class Late(NamedTuple):
    """Registered after its default was compiled."""

    x: float


class Mended(NamedTuple):
    """Registered wrongly, then rightly."""

    x: float


@generic
def worth(thing, other):
    """A number."""


@worth.otherwise
def worth_of_anything(thing, other):
    return 10.0


@worth.register(Early)
def worth_of_early(thing, other):
    return thing.x


@compiled_uncached
def worth_compiled(thing, other):
    """The same from machine code."""
    return worth(thing, other)


def test_implementation_can_be_replaced_until_it_is_compiled():
    class Fresh(NamedTuple):
        x: float

    worth.register(Fresh)(lambda thing, other: 1.0)
    assert worth(Fresh(0.0), 0.0) == 1.0  # a call from Python compiles nothing
    worth.register(Fresh)(lambda thing, other: 2.0)
    assert worth(Fresh(0.0), 0.0) == 2.0


@needs_compiler
def test_compiled_implementation_cannot_be_replaced():
    assert worth_compiled(Early(3.0), 0.0) == 3.0
    with pytest.raises(
        RuntimeError, match=r"`worth` for Early is already part of compiled code .* class Early again first, or restart Python"
    ):
        worth.register(Early)(lambda thing, other: -1.0)
    assert worth.register(Early)(worth_of_early) is worth_of_early  # the same again does no harm
    assert worth(Early(3.0), 0.0) == worth_compiled(Early(3.0), 0.0) == 3.0
    # Nor can a more specific one sneak in; for types that were not compiled it may.
    assert worth_compiled(Early(3.0), Late(1.0)) == 3.0
    with pytest.raises(RuntimeError, match="`worth` for Early, Late is already part of compiled code"):
        worth.register(Early, Late)(lambda thing, other: -1.0)
    worth.register(Early, Early)(lambda thing, other: 7.0)
    assert worth(Early(3.0), Early(1.0)) == worth_compiled(Early(3.0), Early(1.0)) == 7.0


@needs_compiler
def test_registration_that_comes_after_its_default_was_compiled_is_refused():
    assert worth_compiled(Late(3.0), 0.0) == 10.0
    with pytest.raises(RuntimeError, match="`worth` for Late is already part of compiled code"):
        worth.register(Late)(lambda thing, other: -1.0)
    with pytest.raises(RuntimeError, match="`worth` for all other types is already part of compiled code"):
        worth.otherwise(lambda thing, other: -1.0)
    assert worth(Late(3.0), 0.0) == worth_compiled(Late(3.0), 0.0) == 10.0


@needs_compiler
def test_an_implementation_that_did_not_compile_can_be_mended():
    worth.register(Mended)(lambda thing, other: thing.no_such_field)
    for _ in range(2):
        with pytest.raises(TypingError, match="no_such_field"):
            worth_compiled(Mended(3.0), 0.0)
    worth.register(Mended)(lambda thing, other: 2.0 * thing.x)
    assert worth_compiled(Mended(3.0), 0.0) == 6.0


@needs_compiler
def test_a_missing_implementation_can_be_supplied():
    class Absent(NamedTuple):
        x: float

    with pytest.raises(TypingError, match="`volume` has no implementation for Absent"):
        total(Absent(1.0), Ball(1.0), 1.0)
    volume.register(Absent)(lambda shape, scale: shape.x * scale)
    assert total(Absent(5.0), Ball(1.0), 1.0) == 9.0


def shape_of_one_name(factor):
    """A new class each time, always with the same name and fields, as when the cell of a notebook is run again."""

    class Again(NamedTuple):
        r: float

    volume.register(Again)(lambda shape, scale: factor * shape.r * scale)
    return Again


def test_classes_of_the_same_name_are_told_apart():
    first, second = shape_of_one_name(1.0), shape_of_one_name(3.0)
    for f in both_ways(total):
        assert f(first(1.0), first(1.0), 1.0) == 2.0
        assert f(second(1.0), second(1.0), 1.0) == 6.0
        assert f(first(1.0), second(1.0), 1.0) == f(second(1.0), first(1.0), 1.0) == 4.0
    assert first.__name__ == "Again"
    assert second.__name__ != "Again"
    assert called(first) == called(second) == called(second(1.0)) == "Again"
    assert volume.complaint(second).startswith("`volume` has no implementation for Again;")
    assert eval(repr(second(2.0)), {"Again": second}) == (2.0,)


# systems


class Decay(NamedTuple):
    """y' = -k y."""

    k: float


@rate.register(Decay)
def decay_rate(s, t, y, out):
    out[0] = -s.k * y[0]


DECAY = describe(Decay, states={"y": ("m", "a length")}, integrals={"area": "m s"}, parameters={"k": ("1/s", "how fast")})


@compiled
def rates(s, t, y, out):
    """All rates, and how many there are."""
    rate(s, t, y, out)
    return dim(s), systems.integral_count(s)


def test_describing_a_system_fixes_its_size_at_compile_time():
    for f in both_ways(rates):
        out = np.zeros(1)
        assert f(Decay(2.0), 0.0, np.array([3.0]), out) == (1, 1)
        assert out[0] == -6.0
    assert dim(Decay(1.0)) == 1


def test_description_holds_names_units_and_meanings():
    assert systems.description(Decay(1.0)) is systems.description(Decay) is DECAY
    assert DECAY.states == (systems.Quantity("y", "m", "a length"),)
    assert DECAY.integrals[0].unit == "m s"
    assert DECAY.parameters["k"] == systems.Quantity("k", "1/s", "how fast")
    assert DECAY.about == "y' = -k y."
    with pytest.raises(TypeError, match=r"Stranger is not described; call rollick.describe\(Stranger"):
        systems.description(Stranger)


def test_describing_again_changes_the_words_and_nothing_else():
    again = describe(Decay, states={"z": "mm"}, integrals={"area": ""})
    assert systems.description(Decay) is again
    assert dim(Decay(1.0)) == 1
    systems.descriptions[Decay] = DECAY


@needs_compiler
def test_describing_again_with_another_size_is_refused_once_compiled():
    rates(Decay(2.0), 0.0, np.array([3.0]), np.zeros(1))
    with pytest.raises(RuntimeError, match="`dim` for Decay is already part of compiled code"):
        describe(Decay, states={"y": "", "z": ""})
    assert systems.description(Decay) is DECAY


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"states": {}}, "Stranger needs at least one state"),
        ({"states": {"x": ""}, "signals": {"x": ""}}, r"the name\(s\) x stand for two things"),
        ({"states": {"t": ""}}, r"the name\(s\) t stand for two things"),
        ({"states": {"y": ""}, "parameters": {"mass": "kg"}}, "Stranger has no parameter mass; its fields are x"),
    ],
)
def test_a_wrong_description_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        describe(Stranger, **arguments)


# no cost


@compiled
def plain(y, n):
    """The formula without dispatch."""
    total = 0.0
    for i in range(n):
        total += 4.0 * y**3 * i
    return total


@compiled
def dispatched(shape, n):
    """The same through a generic."""
    total = 0.0
    for i in range(n):
        total += volume(shape, i)
    return total


def test_same_result_with_and_without_dispatch():
    assert dispatched(Ball(1.1), 1000) == plain(1.1, 1000)
    for f in both_ways(dispatched):
        assert f(Ball(1.1), 100) == pytest.approx(plain(1.1, 100), rel=1e-14)


@needs_compiler
def test_machine_code_calls_no_generic_at_run_time():
    code = compiled_uncached(dispatched.py_func)
    code(Ball(1.1), 10)
    assert " = call " not in code.inspect_llvm(code.signatures[0]).split("define ")[1]


def test_a_class_of_a_name_that_is_taken_shows_the_name_it_was_given():
    @generic
    def colour(thing):
        """A number."""

    def make(**methods):
        class Twin(NamedTuple):
            a: float
            b: tuple

        for name, method in methods.items():
            setattr(Twin, name, method)
        colour.register(Twin)(lambda thing: 1.0)
        return Twin

    first, second = make(), make()
    assert first.__name__ != second.__name__
    assert repr(first(1.0, (2,))) == repr(second(1.0, (2,))) == str(second(1.0, (2,))) == "Twin(a=1.0, b=(2,))"
    third = make(__repr__=lambda self: "mine")
    assert repr(third(1.0, ())) == "mine"


def test_an_implementation_with_the_wrong_arguments_is_refused_where_it_is_registered():
    class Cone(NamedTuple):
        r: float

    words = r"`volume` is called as volume\(shape, scale\), but what is registered for Cone takes \(shape\); write `def _\(shape, scale\): ...`"
    with pytest.raises(TypeError, match=words):
        volume.register(Cone)(lambda shape: shape.r)
    assert not volume.knows(Cone)
    volume.register(Cone)(lambda cone, size=1.0: cone.r * size)  # other names are fine
    assert volume(Cone(2.0), 3.0) == 6.0


class Boxes(NamedTuple):
    """Some numbers in a tuple."""

    inside: tuple


@constant
def how_many(boxes):
    """How many numbers there are."""


@how_many.register(Boxes)
def _(boxes):
    return len(boxes.inside)


def only_one(boxes, factor):
    return factor * boxes.inside[0]


def more_than_one(boxes, factor):
    return factor * boxes.inside[1]  # there is none if there is one only: that would not compile


@decided
def second_or_only(boxes, factor):
    """One of two functions."""
    return only_one if how_many(boxes) == 1 else more_than_one


@compiled
def asks(boxes):
    return second_or_only(boxes, 2.0)


def test_what_is_not_chosen_is_not_compiled():
    assert asks(Boxes((3.0,))) == 6.0
    assert asks(Boxes((3.0, 4.0))) == 8.0
    assert second_or_only(Boxes((3.0,)), 5.0) == 15.0
