"""Friction of a tippedisk from a tracked motion: the synthetic experiment that is shipped with Rollick, cleaned, fitted and reported.

Writes out/fit_friction.png and out/fit_friction.html. With a file of your own: python examples/fit_friction.py my_track.csv
"""

import sys
from pathlib import Path

from rollick.analysis.tracking import read_track, without_outliers
from rollick.archetypes.tippedisk.experiment import FILE, TRUTH
from rollick.archetypes.tippedisk.friction_fit import fit_friction

OUT = Path("out")
OUT.mkdir(exist_ok=True)

track = without_outliers(read_track(sys.argv[1] if len(sys.argv) > 1 else FILE))
found = fit_friction(track, first={"mu": 0.2, "eps": 0.05}, progress=lambda text: print(f"  {text} ..."))
print(found.summary())
if track.synthetic:
    for name, value in TRUTH.items():
        low, high = found.interval(name)
        print(f"{name:7} made with {value:g}: {'inside' if low < value < high else 'OUTSIDE'} its interval")
found.plot(path=OUT / "fit_friction.png")
found.report(OUT / "fit_friction.html")
