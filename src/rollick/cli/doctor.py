"""`rollick doctor`: what is installed, where compiled code is kept, which cores and GPUs there are, and whether a few motions come out right; for reports of defects."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json
from .output import print_json

NEEDED = ("numpy", "scipy", "numba", "llvmlite", "xarray", "h5netcdf", "h5py", "matplotlib", "typer", "rich")
OPTIONAL = {
    "numba-cuda": "cuda",
    "dask": "cluster",
    "distributed": "cluster",
    "playwright": "video",
    "imageio-ffmpeg": "video",
    "trimesh": "meshes",
    "nicegui": "studio",
}  # the extra that brings each
MOTION_S, MEMBERS = 20.0, 16
KEPT, SAME = 1e-7, 0.0
ROUNDED = 1e-11  # of members eight abreast: on ARM the compiler fuses other sums of eight than of one


def installed(name: str) -> str | None:
    """The version of a package; None if it is not there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def packages() -> dict[str, str | None]:
    """Versions of what Rollick needs, and of what it can use."""
    from ..version import __version__

    return {"rollick": __version__, "python": platform.python_version()} | {n: installed(n) for n in (*NEEDED, *OPTIONAL)}


def machine() -> dict[str, Any]:
    """The system, its cores, and the GPU, or why there is none."""
    from ..ensemble.threads import cores
    from ..kernel.names import InputError

    found: dict[str, Any] = {"system": platform.platform(), "processor": platform.machine(), "cores": cores()}
    found["NUMBA_NUM_THREADS"] = os.environ.get("NUMBA_NUM_THREADS")
    try:
        from ..ensemble.gpu.cuda import prepare

        names = [device.name for device in prepare().gpus]
        found["gpu"] = ", ".join(n.decode() if isinstance(n, bytes) else str(n) for n in names)
    except InputError as error:
        found["gpu"], found["no_gpu"] = None, str(error)
    except Exception as error:  # a driver that does not answer is no reason to fail
        found["gpu"], found["no_gpu"] = None, f"{type(error).__name__}: {error}"
    return found


def compiled_code() -> dict[str, Any]:
    """Where machine code is kept, how much of it there is, and what is to be said about the code that came with the package."""
    from ..kernel import shipped
    from ..kernel.cache import cache_directory

    place = Path(cache_directory())
    files = [file.stat().st_size for file in place.rglob("*") if file.is_file()] if place.exists() else []
    return {
        "directory": str(place),
        "files": len(files),
        "mb": round(sum(files) / 2**20, 1),
        "writable": os.access(place, os.W_OK),
        "shipped": about_shipped(shipped.description(), shipped.why_not(), len(list(shipped.FOLDER.glob("*.code")))),
    }


def about_shipped(made_for: dict[str, str] | None, why_not: str | None, files: int) -> str:
    """Whether compiled code came with the package, and whether it is used."""
    if made_for is None:
        return "none came with the package; what is needed is compiled once"
    if why_not is not None:
        return f"came with the package and is not used: {why_not}"
    return f"{files} functions came with the package, for {made_for['processor']}"


def _stone() -> tuple[Any, Any]:
    import numpy as np

    from ..archetypes.models import model
    from ..motion.simulate import simulate

    entry = model("rattleback")
    return entry, simulate(entry.make(), dict(entry.start), MOTION_S, at=np.linspace(0.0, MOTION_S, 201), progress=False)


def keeps_its_energy() -> tuple[str, float, float]:
    """A rattleback for 20 s: nothing takes its energy."""
    import numpy as np

    _, motion = _stone()
    energy = motion.data["energy"].values
    return f"a rattleback keeps its energy for {MOTION_S:.0f} s", float(np.ptp(energy) / abs(energy[0])), KEPT


def comes_back_from_a_file() -> tuple[str, float, float]:
    """A motion that is written and opened is the same."""
    import numpy as np

    from ..motion.result.motion import Motion

    _, motion = _stone()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stone.nc"
        motion.to_netcdf(place)
        again = Motion.open(place)
    off = max(float(np.max(np.abs(again.data[name].values - motion.data[name].values))) for name in ("omega3", "gamma"))
    return "a motion comes back from its file", off, SAME


def many_are_as_one() -> tuple[str, float, float]:
    """Members of an ensemble, in threads, end where single motions end, up to rounding."""
    import numpy as np

    from ..archetypes.many import ModelSource
    from ..archetypes.models import model
    from ..ensemble import Grid, ensemble
    from ..motion.simulate import simulate

    spins = np.linspace(-6.0, -4.0, MEMBERS)
    entry = model("rattleback")
    start = {name: value for name, value in entry.start.items() if name != "omega3"}
    found = ensemble(ModelSource("rattleback"), Grid(omega3=spins), 2.0, start=start, keep=["omega3"], progress=False)
    one = simulate(entry.make(), {**start, "omega3": float(spins[-1])}, 2.0, integrals=False, progress=False)
    return (
        f"{MEMBERS} motions in threads are as one",
        float(abs(found.found.values[-1, 0] - one.data["omega3"].values[-1])),
        ROUNDED,
    )


def loses_energy_at_impacts() -> tuple[str, float, float]:
    """A thin triangle that clatters: energy never grows."""
    import numpy as np

    from ..archetypes.models import model

    entry = model("polygon")
    assert entry.run is not None
    run = entry.run(entry.make(), dict(entry.start), None)
    before, after = (np.asarray(run.data[name].values) for name in ("energy_before", "energy_after"))
    rise = float((after - before).max(initial=0.0) / before[0])
    return f"a triangle loses energy in {before.size} impacts", max(rise, 0.0), 1e-12


CHECKS: tuple[Callable[[], tuple[str, float, float]], ...] = (
    keeps_its_energy,
    comes_back_from_a_file,
    many_are_as_one,
    loses_energy_at_impacts,
)


def self_test() -> list[dict[str, Any]]:
    """Each check with its number, the most that number may be, and its time; a check that fails to run says why."""
    told = []
    for check in CHECKS:
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                what, value, most = check()
                one = {"what": what, "value": value, "most": most, "ok": bool(value <= most)}
            except Exception as error:  # this is what the command is for
                one = {"what": check.__name__.replace("_", " "), "ok": False, "error": f"{type(error).__name__}: {error}"}
        told.append({**one, "seconds": round(time.perf_counter() - began, 3)})
    return told


def doctor(
    json_: Json = False, test: Annotated[bool, typer.Option("--test/--no-test", help="Run the self-test.")] = True
) -> None:
    """Tell versions, cache, cores and GPU, and run a self-test; put what it prints into reports of defects."""
    began = time.perf_counter()
    found: dict[str, Any] = {"packages": packages(), "machine": machine(), "compiled_code": compiled_code()}
    if test:
        if not json_ and found["compiled_code"]["files"] == 0:
            print("rollick: nothing is compiled yet; the self-test will take half a minute.", file=sys.stderr, flush=True)
        found["checks"] = self_test()
    found["seconds"] = round(time.perf_counter() - began, 2)
    missing = [name for name in NEEDED if found["packages"][name] is None]
    found["ok"] = not missing and all(check["ok"] for check in found.get("checks", []))
    if json_:
        print_json(found)
    else:
        print_report(found)
    if not found["ok"]:
        raise typer.Exit(1)


def print_report(found: dict[str, Any]) -> None:
    """The findings, a line each."""
    for name, version in found["packages"].items():
        extra = f"not installed (pip install 'rollick[{OPTIONAL[name]}]')" if name in OPTIONAL else "missing"
        print(f"{name:<14} {version or extra}")
    here, cache = found["machine"], found["compiled_code"]
    print(f"{'system':<14} {here['system']}, {here['cores']} cores")
    print(f"{'gpu':<14} {here['gpu'] or here['no_gpu']}")
    print(
        f"{'compiled code':<14} {cache['directory']}: {cache['files']} files, {cache['mb']} MB{'' if cache['writable'] else ', NOT writable'}"
    )
    print(f"{'':<14} {cache['shipped']}")
    for check in found.get("checks", []):
        number = check.get("error") or f"{check['value']:.2g} (at most {check['most']:.2g})"
        print(f"{'ok' if check['ok'] else 'WRONG':<14} {check['what']}: {number}, {check['seconds']:.2f} s")
    print("all is well." if found["ok"] else "something is wrong; please report it with the lines above.")
