"""`rollick philae`: what it prints and writes."""

import json

import pytest
import xarray as xr
from typer.testing import CliRunner

from rollick import InputError
from rollick.cli.philae import philae_app


def run(*words: str):
    return CliRunner().invoke(philae_app, list(words), catch_exceptions=False)


def test_sun(tmp_path):
    told = json.loads(run("sun", "--row", "7,190-192", "--json").stdout)
    assert [row["row"] for row in told["rows"]] == [7, 190, 191]
    assert told["impossible_patterns"][0]["lit"] == [2, 4, 5, 6]
    text = run("sun", "--row", "191-192", "--out", str(tmp_path / "s.nc")).stdout
    assert "14:48:19" in text
    assert "not to be found" in text
    with xr.open_dataset(tmp_path / "s.nc", engine="h5netcdf") as found:
        assert found.sizes["row"] == 308
    for bad in ("0", "300-400", "x", "9-3"):
        with pytest.raises(InputError, match="row"):
            run("sun", "--row", bad)
    with pytest.raises(InputError, match="from the smaller to the larger row; write 2-5"):
        run("sun", "--row", "5-2")


def test_data(tmp_path):
    run("data", str(tmp_path / "p.csv"))
    assert (tmp_path / "p.csv").read_text().count("\n") == 309
    run("data", str(tmp_path / "p.nc"))
    with xr.open_dataset(tmp_path / "p.nc", engine="h5netcdf") as found:
        assert found["power"].attrs["units"] == "W"
        assert "Rosetta" in found.attrs["source"]
    with pytest.raises(InputError, match="must end in"):
        run("data", str(tmp_path / "p.txt"))


def test_crater(tmp_path):
    told = json.loads(run("crater", "--count", "3", "--seed", "2", "--json", "--store", str(tmp_path / "c.nc")).stdout)
    assert told["seed"] == 2
    again = json.loads(run("crater", "--count", "3", "--seed", "2", "--json", "--store", str(tmp_path / "c.nc")).stdout)
    assert again == told


@pytest.mark.slow
def test_fit(tmp_path):
    told = json.loads(run("fit", "--step", "0.3", "--refine", "2", "--json", "--store", str(tmp_path / "f.nc")).stdout)
    assert told["grid"]["flights"] == 6 * 6 * 3
    assert len(told["minima"]) == 2
    assert told["printed_lines"]["L4"]["s_x and s_y exchanged"]["emd"] < 0.05
