"""Same numbers for every model: an ensemble's members are its motions, bit for bit, in threads, one by one, by an executor, in pieces of any size.

Members that go eight abreast are the same among each other bit for bit, and those of `simulate` up to rounding.
"""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from round_off import round_off

from rollick.archetypes.many import ModelSource
from rollick.archetypes.models import model, model_names
from rollick.ensemble import Table, ensemble
from rollick.kernel.names import number
from rollick.kernel.system import description

QUICK = ("rattleback", "rod", "polygon")  # the others compile long, or take long
FIXED = {"rod": {"max_impacts": 200}, "polygon": {"max_impacts": 200}, "dying_disk": {"max_impacts": 500}, "drop": {"eps": 1e-6}}
SECONDS = {
    "philae": 20.0,
    "tippe_top": 0.01,
    "euler_disk": 0.01,
    "tippedisk": 0.1,
    "flowmeter": 1.0,
    "wheelset": 0.1,
    "tippedisk_normalised": 20.0,
}


def last_numbers(result):
    """The states at the end: the last row of what a result has over time."""
    if hasattr(result, "end_state"):
        return [float(v) for v in result.end_state]
    return [float(np.asarray(v)[-1]) for v in result.series()[1].values()]


def first_number(result):
    """The first state at the end, for a member that is simulated by itself."""
    return last_numbers(result)[0]


def varied(name):
    """Three values of a number of the start, or of a parameter, around the model's own; its name in a table, and how it is given to `simulate`."""
    entry = model(name)
    for key, value in entry.start.items():
        at = number(value, key, "rad") if isinstance(value, str) else float(value)
        if at != 0.0:
            return f"{key}(0)", [at * f for f in (1.0, 1.01, 1.02)], lambda v, key=key: ({}, {key: v})
    key, at = next(
        (k, p.default) for k, p in entry.parameters.items() if k == "swirl" or (not isinstance(p.default, str) and p.default)
    )
    return key, [at * f for f in (1.0, 1.01, 1.02)], lambda v, key=key: ({key: v}, {})


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in model_names()])
def test_members_are_the_motions_of_the_model(name):
    entry, fixed = model(name), FIXED.get(name, {})
    source = ModelSource(name, fixed)
    until = SECONDS.get(name, entry.until if math.isinf(entry.until) or not source.is_motion else 0.1 * entry.until)
    column, values, split = varied(name)
    keep = ["final"] if source.is_motion else [{"first_state": first_number}]
    own, nudged = [], []
    abreast = source.is_motion and description(source.system).abreast
    for value, kept in [(v, own) for v in values] + [(float(np.nextafter(v, np.inf)), nudged) for v in values if abreast]:
        parameters, start = split(value)
        asked = {"integrals": False} if source.is_motion else {}  # an ensemble accumulates only what is kept
        result = entry.simulate(entry.make(**fixed, **parameters), {**entry.start, **start}, until, progress=False, **asked)
        kept.append(last_numbers(result) if source.is_motion else [first_number(result)])

    def together(**more):
        found = ensemble(
            source, Table({column: values}), until, start=dict(entry.start), keep=more.pop("keep", keep), progress=False, **more
        )
        assert all(f["status"] == "max_impacts" for f in found.failures), found.summary()  # a limit that is low on purpose
        return found.found.values

    whole = together(workers=1, chunk=3)
    if abreast:
        assert np.all(np.abs(whole - own) <= round_off(own, nudged))
    else:
        assert np.array_equal(whole, own)
    assert np.array_equal(together(workers=2, chunk=1), whole)
    assert np.array_equal(together(workers=1, chunk=2, keep=[*keep, {"one": first_number}])[:, : len(own[0])], own)  # one by one
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(together(on=pool, chunk=2), whole)
