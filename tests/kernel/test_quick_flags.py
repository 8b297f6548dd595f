"""Numba's settings compared quickly: with the answers of Numba's own comparison."""

import random

from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig

from rollick.kernel.compiled import _OwnFlags
from rollick.kernel.quick_flags import hash_of_settings, same_settings

NAMES = [name for name, option in Flags.options.items() if option.type is bool]


def test_it_is_in_place():
    assert Flags.__eq__ is same_settings
    assert Flags.__hash__ is hash_of_settings
    assert TargetConfig.__eq__ is not same_settings  # others keep their own


def test_answers_are_those_of_numba():
    draw = random.Random(3)
    equal = 0
    for _round in range(400):
        pair = [draw.choice([Flags, _OwnFlags])(), draw.choice([Flags, _OwnFlags])()]
        chosen = draw.sample(NAMES, draw.randint(0, 2))
        for flags in pair:
            for name in chosen:
                if draw.random() < 0.8:
                    setattr(flags, name, draw.random() < 0.5)
        a, b = pair
        assert (a == b) is TargetConfig.__eq__(a, b)
        assert (a != b) is not TargetConfig.__eq__(a, b)
        if a == b:
            equal += 1
            assert hash(a) == hash(b)
        assert {a: 1}.get(b, 0) == int(a == b)
    assert 50 < equal < 350


def test_a_setting_at_its_default_is_as_one_that_is_not_set():
    one, other = Flags(), Flags()
    one.nrt = Flags.options["nrt"].default
    assert one == other
    one.nrt = not one.nrt
    assert one != other
    assert (one == 3) is False


def test_what_is_kept_for_others_tells_no_ways_in():
    """Generic functions are kept under the settings of their caller: callers with and without a way in from Python share them."""
    inside, outside = _OwnFlags(), _OwnFlags()
    inside.no_cpython_wrapper = inside.no_cfunc_wrapper = True
    outside.no_cpython_wrapper = False
    assert inside != outside
    assert inside.copy() == outside.copy()
    assert inside.copy().nrt
