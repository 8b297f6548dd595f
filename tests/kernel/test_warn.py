"""A warning points at the line of the user."""

import warnings

import pytest

from rollick import Rattleback, simulate
from rollick.kernel.system import validate
from rollick.kernel.warn import warn_user


def test_it_points_here():
    with pytest.warns(UserWarning, match="look") as caught:
        warn_user("look")
    assert caught[0].filename == __file__


def test_from_deep_inside():
    with pytest.warns(UserWarning, match="unusual stone") as caught:
        validate(Rattleback(a=0.2, b=0.02, c=0.03))
    assert {w.filename for w in caught} == {__file__}


def test_from_a_motion():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        simulate(Rattleback(), {"omega3": -5.0}, 1.0, max_steps=1)
    assert {w.filename for w in caught} == {__file__}
