"""Old names of modules lead to the new ones, with a sentence."""

import importlib
import sys
import warnings

import pytest

import rollick
from rollick.archetypes.models import model
from rollick.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_module_is_the_new_one(old):
    new = importlib.import_module(MOVED[old])
    spec = new.__spec__
    sys.modules.pop(old, None)
    with pytest.warns(FutureWarning, match=f"^{old} is {MOVED[old]} now"):
        found = importlib.import_module(old)
    assert found is new
    assert new.__spec__ is spec
    assert new.__name__ == MOVED[old]


def test_names_come_from_the_old_place_too():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        from rollick.mechanics.primitives import solid_sphere
    from rollick.mechanics.mass import primitives

    assert solid_sphere is primitives.solid_sphere


def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("rollick.mechanics.primitive")


@pytest.mark.parametrize(("old", "new"), [("lander", "philae"), ("dropped_device", "drop"), ("disk", "rolling_disk")])
def test_old_names_of_models_are_met_by_a_sentence(old, new):
    with pytest.raises(rollick.InputError, match=new):
        model(old)
