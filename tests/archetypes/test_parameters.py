"""The parameters that a model writes are read again, as numbers and as texts."""

import pytest

from rollick import InputError
from rollick.archetypes.models import model, model_names, read_parameters


@pytest.mark.parametrize("name", model_names())
def test_defaults_are_read_back(name):
    entry = model(name)
    defaults = {key: p.default for key, p in entry.parameters.items()}
    assert read_parameters(entry.parameters, defaults, name) == defaults
    made = entry.make()
    assert repr(entry.make(**defaults)) == repr(made)
    assert repr(entry.make(**{key: str(value) for key, value in defaults.items()})) == repr(made)


def test_a_number_of_the_other_profiles_is_refused_where_it_says_something():
    entry = model("wheelset_rolling")
    assert repr(entry.make(gauge=entry.parameters["gauge"].default)) == repr(entry.make())
    with pytest.raises(InputError, match="profiles = numbers does not know gauge"):
        entry.make(gauge=1.5)
