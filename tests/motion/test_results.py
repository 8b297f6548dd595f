"""What all results have in common: one vocabulary, one form for JSON, the manners of `Result`."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from rollick import Rattleback, simulate
from rollick.archetypes.dropped_device import result as drop_result
from rollick.archetypes.dropped_device import solid_result
from rollick.archetypes.dropped_device.device import device
from rollick.archetypes.dropped_device.drop import drop
from rollick.archetypes.dying_disk.irregular import Exponents
from rollick.archetypes.lander.flight import Flight
from rollick.ensemble import ensemble
from rollick.kernel.names import InputError
from rollick.mechanics.plate import regular
from rollick.motion.impacts.collide import collide
from rollick.motion.impacts.record import Collisions
from rollick.motion.result import outcome
from rollick.motion.result.motion import Motion
from rollick.motion.result.protocol import SCHEMA, Result
from rollick.studies.philae.crater import Crater
from rollick.studies.philae.sun_track import SunTrack
from rollick.view.saved import Saved, open_saved

PAGE = Path(__file__).parents[2] / "docs" / "results.md"
KINDS = [Motion, Flight, Collisions, drop_result.Drop, solid_result.SolidDrop, Exponents, SunTrack, Crater, Saved]
MANNERS = (
    "status",
    "message",
    "complete",
    "data",
    "events",
    "to_netcdf",
    "to_dict",
    "as_dict",
    "plot",
    "view",
    "save_html",
    "summary",
)


@pytest.fixture(scope="module")
def collisions():
    return collide(regular(3, 0.3), 0.1, [0.01, 0.02, 1.0, 0.03, 0.05, -1.0], max_impacts=40)


@pytest.fixture(scope="module")
def dropped():
    return drop(device(), 0.8, 10.0, until=8.0)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_has_the_manners(kind):
    assert issubclass(kind, Result)
    fields = getattr(kind, "__dataclass_fields__", {})
    assert [name for name in MANNERS if not hasattr(kind, name) and name not in fields] == []
    assert kind.__repr__ is Result.__repr__


def test_every_word_is_in_the_vocabulary():
    words = {
        outcome.FINISHED,
        outcome.EVENT,
        outcome.LEFT,
        *outcome.INCOMPLETE,
        *outcome.SEQUENCE_ENDS,
        *drop_result.WORDS.values(),
    }
    source = Path(solid_result.__file__).read_text(encoding="utf-8")
    told = source[source.index("def message") :]
    solid = set(re.findall(r'^            "(\w+)": f', told, re.MULTILINE)) & set(
        re.findall(r'"(\w+)"', source[: source.index("def stands")])
    )
    assert {"rested", "topples", "stuck", "max_impacts", "finished"} <= solid | {"vertex_rests", "edge_rests"}
    fixed = {Exponents.status, SunTrack.status, Crater.__dataclass_fields__["status"].default}
    assert words | solid | set(solid_result.RESTING.values()) | fixed == set(outcome.STATUSES)


def test_the_page_shows_the_vocabulary():
    text = PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text[text.index("| word |") : text.index("## JSON")], re.MULTILINE))
    assert rows == outcome.STATUSES
    keys = text[text.index("## JSON") : text.index("It is strict")]
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", keys, re.MULTILINE)))) == set(SCHEMA)


def test_collisions_and_drops_have_the_same_keys(collisions, dropped):
    for result in (collisions, dropped):
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert set(SCHEMA) <= set(told)
        assert told["model"] is None
        assert told == result.as_dict()
        for values in (*told["states"].values(), *told["derived"].values()):
            assert len(values) == len(told["t"])
        assert set(told["more"]) <= set(told)  # where earlier versions had them
        assert told["more"]["impacts"] > 3
    told = collisions.to_dict()
    for former in ("impacts", "t", "point", "impulse", "energy_before", "energy_after", "end_time", "happenings", "checks"):
        assert former in told
    assert told["derived"]["impulse"] == collisions.impulse.tolist()
    assert told["states"]["v"] == collisions.p_after[:, 2].tolist()
    told = dropped.to_dict()
    for former in ("device", "start", "settings", "R", "R_goyal", "peak", "peak_time", "rest_time", "impacts", "flips", "checks"):
        assert former in told
    assert [e["t"] for e in told["events"]] == dropped.impact_log[:, 0].tolist()
    assert set(told["events"][0]["state"]) == {"h", "phi", "v", "w", "u", "du"}


def test_a_model_gives_its_name(collisions, dropped, tmp_path):
    for result, name in ((collisions, "polygon"), (dropped, "drop")):
        assert result.title in ("Plate", "Device")
        named = pickle.loads(pickle.dumps(result)).of_model(name)
        assert result.model is None
        assert named.title == named.to_dict()["model"] == named.provenance["model"] == name
        assert name in named.summary().splitlines()[0]
        named.to_netcdf(tmp_path / f"{name}.nc")
        again = open_saved(tmp_path / f"{name}.nc")
        assert (again.model, again.status, again.message) == (name, named.status, named.message)
        assert again.data.attrs["title"].endswith(name)
        assert "<pre>" in named._repr_html_()


class Throws(Result):
    """The example of the page."""

    status, message, has_page = "finished", "three throws.", False

    @property
    def data(self):
        import xarray as xr

        return xr.Dataset({"height": ("throw", np.array([1.0, 1.2, np.nan]), {"units": "m"})})

    def own_numbers(self):
        return {"best": float(self.data["height"].max()), "odd": np.inf}


def test_a_result_of_ones_own(tmp_path):
    throws = Throws()
    assert throws.complete
    told = throws.to_dict()
    assert told["more"] == {"best": 1.2, "odd": None}
    assert told["system"] == "Throws"
    assert repr(throws) == "Throws\nstatus  finished: three throws."
    throws.to_netcdf(tmp_path / "t.nc")
    assert open_saved(tmp_path / "t.nc").summary().startswith("t.nc")
    with pytest.raises(InputError, match="no body to show"):
        throws.save_html(tmp_path / "t.html")
    with pytest.raises(InputError, match="no picture"):
        throws.plot()


def test_quantities_are_asked_for_with_in_and_results_are_no_sequences():
    """`"gap" in motion` answered "unknown quantity: 0"."""
    motion = simulate(Rattleback(), {"alpha": 0.01}, 0.1, progress=False)
    many = ensemble(Rattleback(), {"alpha": [0.01, 0.02]}, 0.1, progress=False)
    for result, inside, outside in ((motion, "alpha", "gap"), (many, "alpha", "gap")):
        assert inside in result
        assert outside not in result
        assert set(result.keys()) >= {inside}
        with pytest.raises(TypeError):
            list(result)
    assert np.array_equal(dict(motion)["alpha"], motion["alpha"])
