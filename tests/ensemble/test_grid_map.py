"""Maps over grids: right values, threads, resumption, interruption."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rollick import InputError
from rollick.ensemble.grid_map import grid_map
from rollick.ensemble.stored.map_file import reasons_of
from rollick.motion.result.whole_file import hidden_name

AXES = {"x": np.linspace(0.0, 1.0, 7), "y": np.linspace(-1.0, 1.0, 5)}


def product(points, first):
    return np.stack([points[:, 0] * points[:, 1], first + np.arange(len(points))], axis=1)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("chunk", [1, 4, 100])
def test_values_stand_where_they_belong(workers, chunk):
    found = grid_map(product, AXES, ("product", "index"), workers=workers, chunk=chunk, progress=False)
    assert np.array_equal(found["product"].values, np.outer(AXES["x"], AXES["y"]))
    assert np.array_equal(found["index"].values.ravel(), np.arange(35))
    assert found["product"].sel(x=1.0, y=-1.0) == -1.0


def test_an_interrupted_map_is_resumed(tmp_path):
    path, calls = tmp_path / "map.nc", []

    def breaks(points, first):
        if first >= 20:
            raise KeyboardInterrupt
        return product(points, first)

    with pytest.raises(KeyboardInterrupt):
        grid_map(breaks, AXES, ("product", "index"), store=path, workers=1, chunk=5, progress=False, about={"seed": 1})

    def counts(points, first):
        calls.append(first)
        return product(points, first)

    found = grid_map(counts, AXES, ("product", "index"), store=path, workers=1, chunk=5, progress=False, about={"seed": 1})
    assert sorted(calls) == [20, 25, 30]
    assert np.array_equal(found["index"].values.ravel(), np.arange(35))
    assert found.attrs["seed"] == 1


def test_a_map_is_kept_early(tmp_path):
    """What a process has computed when it is killed is beside the file, chunk by chunk; when all is there, the file alone is left."""
    path, kept = tmp_path / "map.nc", []

    def looks(points, first):
        kept.append(len(list((tmp_path / "map.nc.parts" / "done").glob("*.json"))))
        return product(points, first)

    grid_map(looks, AXES, ("product", "index"), store=path, workers=1, chunk=5, progress=False)
    assert kept[0] == 0
    assert kept[-1] >= len(kept) - 2  # the latest may be under way
    assert [p.name for p in tmp_path.iterdir()] == ["map.nc"]


def test_why_points_have_no_value_is_kept(tmp_path):
    def partly(points, first):
        values = product(points, first)
        gone = {k: "x is too small" for k in range(len(points)) if points[k, 0] < 0.3}
        values[list(gone)] = np.nan
        return values, gone

    for _ in range(2):  # computed, and read again
        found = grid_map(partly, AXES, ("product", "index"), store=tmp_path / "map.nc", chunk=4, progress=False)
        assert reasons_of(found) == {"x is too small": 10}
        assert np.isnan(found["product"].values).sum() == 10


def test_points_may_be_computed_by_an_executor():
    with ThreadPoolExecutor(2) as pool:
        found = grid_map(product, AXES, ("product", "index"), chunk=3, on=pool, progress=False)
    assert np.array_equal(found["index"].values.ravel(), np.arange(35))


def test_files_that_killed_writers_left_are_swept(tmp_path):
    path = tmp_path / "cut.nc"
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
    alive, other = hidden_name(path), tmp_path / ".cut.notes.txt"
    dead = tmp_path / alive.name.replace(f".{os.getpid()}.", f".{int(gone.stdout)}.")
    for file in (dead, alive, other):
        file.write_bytes(b"half")
        os.utime(file, (1.0, 1.0))
    grid_map(product, AXES, ("product", "index"), store=path, progress=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([alive.name, other.name, path.name])


def test_a_store_of_another_map_is_refused(tmp_path):
    path = tmp_path / "map.nc"
    grid_map(product, AXES, ("product", "index"), store=path, progress=False, about={"seed": 1})
    with pytest.raises(InputError, match="another map"):
        grid_map(product, AXES, ("product", "index"), store=path, progress=False, about={"seed": 2})
    with pytest.raises(InputError, match="another map"):
        grid_map(product, {**AXES, "y": [0.0]}, ("product", "index"), store=path, progress=False, about={"seed": 1})


def test_bad_axes_are_refused():
    with pytest.raises(InputError, match="axis y"):
        grid_map(product, {"x": [0.0], "y": [np.nan]}, ("a", "b"), progress=False)
    with pytest.raises(InputError, match=r"\.nc"):
        grid_map(product, AXES, ("a", "b"), store="map.csv", progress=False)


def test_an_interrupted_map_of_another_kind_is_refused(tmp_path):
    def breaks(points, first):
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            grid_map(breaks, AXES, ("a", "b"), store=tmp_path / "map.nc", progress=False, about={"seed": 1})
    with pytest.raises(InputError, match=r"about.seed: 1 in the store, 2 now"):
        grid_map(breaks, AXES, ("a", "b"), store=tmp_path / "map.nc", progress=False, about={"seed": 2})


def test_a_failing_point_is_reported(tmp_path):
    def fails(points, first):
        raise ZeroDivisionError("at the third point")

    with pytest.raises(ZeroDivisionError, match="third"):
        grid_map(fails, AXES, ("a",), progress=False)
