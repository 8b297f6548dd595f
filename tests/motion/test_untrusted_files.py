"""Opening somebody's file must never run anything the file says."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

from rollick import InputError, Motion, Rattleback, simulate
from rollick.archetypes.rubber import torus
from rollick.motion.result.rebuilt import NotRebuilt, known_type, rebuilt
from rollick.motion.result.whole_file import save_data

CANARY = "canary"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A motion's data set, in memory."""
    return simulate(Rattleback(), start={"alpha": 0.01, "omega3": -5.0}, until=0.05).data


def tampered(saved, tmp_path, change):
    """A file whose provenance was changed by somebody."""
    data = saved.copy(deep=True)
    made = json.loads(data.attrs["provenance"])
    change(made)
    data.attrs["provenance"] = json.dumps(made)
    path = tmp_path / "theirs.nc"
    save_data(data, path)  # a seal is nobody's signature
    return path


def nested(depth, core):
    return core if depth == 0 else {"_type": "rollick.archetypes.rattleback.stone:Rattleback", "a": nested(depth - 1, core)}


COMMAND = f"touch {CANARY}"
ATTACKS = {
    "a function of a module": {"_type": "os:system", "command": COMMAND},
    "as a positional field": {"_type": "subprocess:getoutput", "cmd": COMMAND},
    "a class that runs a process": {"_type": "subprocess:Popen", "args": ["touch", CANARY]},
    "builtins": {"_type": "builtins:exec", "source": f"open('{CANARY}', 'w')"},
    "eval": {"_type": "builtins:eval", "source": f"open('{CANARY}', 'w')"},
    "an attribute of an attribute": {"_type": "numpy:os.system", "command": COMMAND},
    "open": {"_type": "builtins:open", "file": CANARY, "mode": "w"},
    "a function of the package": {"_type": "rollick.motion.result.files:save_data", "data": 1, "path": CANARY},
    "a module of the package that runs": {"_type": "rollick.__main__:main"},
    "inside a list": [{"_type": "os:system", "command": COMMAND}],
    "inside an array": {"_array": [{"_type": "os:system", "command": COMMAND}]},
    "deep inside": nested(5, {"_type": "os:system", "command": COMMAND}),
    "a name that is no text": {"_type": ["os", "system"], "command": COMMAND},
    "a type without a table": {"_type": "pathlib:Path", "args": CANARY},
    "a text": "__import__('os').system('touch canary')",
    "ragged rows": {"_array": [[1.0], [1.0, 2.0]]},
    "nothing": None,
    "empty": {},
}


PLACES = "field", "parameters", "type"
FIRST = (
    "a function of a module",
    "inside an array",
    "a text",
    "nothing",
)  # the others are fast in the first place alone: each takes a file


@pytest.mark.parametrize(
    ("place", "attack"),
    [
        pytest.param(place, attack, id=f"{place}-{name}", marks=() if place == "field" or name in FIRST else pytest.mark.slow)
        for place in PLACES
        for name, attack in ATTACKS.items()
    ],
)
def test_a_file_cannot_run_anything(saved, tmp_path, monkeypatch, attack, place):
    monkeypatch.chdir(tmp_path)

    def change(made):
        if place == "field":
            made["parameters"]["a"] = attack
        elif place == "parameters":
            made["parameters"] = attack
        else:
            made["type"] = attack["_type"] if isinstance(attack, dict) and "_type" in attack else attack

    motion = Motion.open(tampered(saved, tmp_path, change))
    own_type = place == "type" and isinstance(attack, dict) and str(attack.get("_type")).endswith(":Rattleback")
    assert motion.system is None or own_type
    assert not (tmp_path / CANARY).exists()
    np.testing.assert_array_equal(motion["alpha"], saved["alpha"].values)


def test_deep_nesting_is_refused_in_words(saved, tmp_path):
    data = saved.copy(deep=True)
    data.attrs["provenance"] = '{"a":' * 5000 + "1" + "}" * 5000
    data.to_netcdf(tmp_path / "deep.nc", engine="h5netcdf")
    with pytest.raises(InputError, match="damaged"):
        Motion.open(tmp_path / "deep.nc")
    with pytest.raises(NotRebuilt):
        rebuilt(Rattleback, nested(200, 1.0))


def test_a_huge_array_is_no_number(saved, tmp_path):
    path = tampered(saved, tmp_path, lambda made: made["parameters"].update(a={"_array": [1.0] * 20_000}))
    assert Motion.open(path).system is None


def test_foreign_modules_are_never_imported(tmp_path, monkeypatch):
    (tmp_path / "sly.py").write_text(f"open({str(tmp_path / CANARY)!r}, 'w')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in (
        "sly:Thing",
        "rollick.sly:Thing",
        "rollick.motion..sly:x",
        "rollick.cli.main:main",
        "rollick.motion.result.rebuilt:rebuilt",
    ):
        with pytest.raises(NotRebuilt):
            known_type(name)
    assert not (tmp_path / CANARY).exists()


def test_a_file_is_known_again_in_a_fresh_process(tmp_path):
    motion = simulate(torus(), {"theta": "60deg", "ell": 1.0}, until=0.05)
    path = tmp_path / "torus.nc"
    motion.to_netcdf(path)
    code = f"from rollick import Motion; m = Motion.open({str(path)!r}); print(m.system)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True).stdout
    assert told.strip() == str(motion.system)
    with xr.open_dataset(path, engine="h5netcdf") as data:
        assert "torus" in data.attrs["provenance"] or data.attrs["title"]
