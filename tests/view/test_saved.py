"""Files opened again: as what they were, or as labelled numbers."""

import importlib

import numpy as np
import pytest
import xarray as xr

from rollick import InputError, Motion, Rattleback, simulate
from rollick.view.saved import READERS, SPECIAL, Saved, open_saved


def test_motions_come_back_as_motions(tmp_path):
    simulate(Rattleback(), {"alpha": 0.1}, 0.1).to_netcdf(tmp_path / "a.nc")
    assert isinstance(open_saved(tmp_path / "a.nc"), Motion)


def test_maps_curves_and_components_are_drawn(tmp_path):
    x, y, t = np.linspace(0, 1, 20), np.linspace(2, 3, 30), np.linspace(0, 5, 50)
    data = xr.Dataset(
        {
            "R": (("x", "y"), np.outer(x, y)),
            "done": (("x", "y"), np.ones((20, 30), np.int8)),
            "angle": ("t", np.sin(t), {"units": "rad"}),
            "q": (("t", "axis"), np.outer(t, [1.0, 2.0, 3.0])),
            "words": ("t", np.array(["a"] * 50, dtype=object)),
        },
        {"x": x, "y": y, "t": t, "axis": list("xyz")},
        {"format": "rollick map 1", "title": "a map"},
    )
    data.to_netcdf(tmp_path / "m.nc", engine="h5netcdf")
    saved = open_saved(tmp_path / "m.nc")
    assert isinstance(saved, Saved)
    assert set(saved.names) == {"R", "done", "angle", "q"}
    fig = saved.plot("R", "angle", "q", path=tmp_path / "m.png")
    curves = fig.axes[1].get_lines()[0]
    assert curves.get_ydata().max() == pytest.approx(np.degrees(np.sin(t).max()))
    assert len(fig.axes[2].get_lines()) == 3
    assert np.array_equal(fig.axes[1].get_lines()[0].get_xdata(), t)
    assert saved.chosen(()) == ["angle", "q"]
    with pytest.raises(InputError, match="Did you mean 'angle'"):
        saved.plot("angel")
    with pytest.raises(InputError, match="nothing to show moving"):
        saved.save_html(tmp_path / "m.html")


@pytest.mark.parametrize("home", [*READERS.values(), *SPECIAL.values()])
def test_every_kind_of_file_has_its_reader(home):
    module, _, name = home.partition(":")
    assert callable(getattr(importlib.import_module(module), name))
