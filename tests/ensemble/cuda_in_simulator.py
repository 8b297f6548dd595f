"""Small ensembles with on='cuda' against on='threads', to be run with NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1; prints the largest differences as JSON.

A number given to it shortens the longest motions to this part of their time; those of the eggs to no less than it takes them to fly, slip and stick.
"""

import json
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")

from struck_bodies import EGG_START, egg  # noqa: E402

from rollick import Rattleback  # noqa: E402
from rollick.archetypes.filippov import BallInCorner  # noqa: E402
from rollick.archetypes.many import ModelSource  # noqa: E402
from rollick.ensemble import Greatest, Grid, Path, Samples, ensemble  # noqa: E402

PART = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
STONES = Samples(4, "sobol", seed=1, omega3=(-6.0, -4.0), D=(-4e-5, -1e-5))
BASE = {"alpha": "0.5deg", "beta": "0.5deg"}
DISK = {"beta": "90deg", "gamma": -1.4, "alpha_rate": 40.0}
CASES = {
    "stones": lambda on: ensemble(Rattleback(), STONES, 0.02 * PART, start=BASE, method="dop853", keep=["final", Greatest("alpha"), "energy"], on=on),
    "paths": lambda on: ensemble(
        Rattleback(), Grid(omega3=[-5.0, -4.0, 5.0]), 0.01, start=BASE, method="dop853", keep=["final", Path([0.0, 0.002, 0.007, 0.02])], on=on
    ),
    "spins": lambda on: ensemble(
        Rattleback(), Grid(omega3=[-5.0, -4.0, 5.0, 6.0]), 0.02, start=BASE, method="dop853", on=on, chunk=2
    ),
    "impossible": lambda on: ensemble(Rattleback(), Grid(a=[0.2, -0.1, 0.21, 0.22]), 0.01, start=BASE, method="dop853", on=on),
    "disks": lambda on: ensemble(
        ModelSource("tippedisk", {"law": "coulomb", "form": "euler"}), Grid(mu=[0.2, 0.3], gamma=[-1.4, -1.3]), 4e-4, start=DISK, method="moreau",
        dt=1e-4, keep=["final", "energy"], on=on,
    ),
    "corners": lambda on: ensemble(
        BallInCorner(shake=12.0, omega=20.0, slope=0.1, tilt=0.2), Grid(mu_plus=[0.2, 0.3], Omega_z=[0.3, 0.0]), 0.05 * PART, start={"v": 0.1}, method="event-driven", keep=["final", "u_a"], on=on
    ),
    "lost": lambda on: ensemble(
        BallInCorner(tilt=0.6, slope=0.2), Grid(opening=[1.0, 1.5707963267948966, 2.9]), 0.02, start={"v": 0.1, "Omega_y": 2.0}, method="event-driven", on=on
    ),
    "eggs": lambda on: ensemble(
        egg(), Grid(gap=[0.0, 1e-4], vx=[0.3, 0.0]), 0.01 * max(PART, 0.6), start={**EGG_START, "vz": -0.1}, method="event-driven", rtol=1e-7, on=on
    ),
    "triangles": lambda on: ensemble(
        ModelSource("polygon", {"n": 3, "max_impacts": 40}), Samples(6, "sobol", seed=1, rho=(0.1, 0.5), gamma=(0.0, 0.9), phi_x=(0.0, 0.1)),
        keep=["phi_x", "h", "v", "point"], on=on,
    ),
}  # fmt: skip

OTHER_STEPS = ("eggs",)  # Python makes some steps beyond the end of a mode before it looks for it


def main():
    found = {}
    for name, make in CASES.items():
        there, here = make("cuda").found, make("threads").found
        size = np.maximum(np.nanmax(np.abs(here.values), axis=0), 1e-9)
        same = np.array_equal(there.status, here.status) and np.array_equal(np.isnan(there.values), np.isnan(here.values))
        found[name] = {
            "same": bool(
                same and there.reasons == here.reasons and (name in OTHER_STEPS or np.array_equal(there.steps, here.steps))
            ),
            "difference": float(np.nanmax(np.abs(there.values - here.values) / size)),
            "paths": there.paths is None or bool(np.allclose(there.paths, here.paths, rtol=1e-9, atol=1e-12, equal_nan=True)),
            "members": len(here.status),
            "with_numbers": int(np.isfinite(there.values).all(axis=1).sum()),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
