"""Tracked motions: what cameras saw of a rigid body, made clean and smooth, and what it tells about the body's parameters.

track = read_track("disk.csv", units={"position": "mm"})      columns, units, frames, markers
track = without_outliers(align_clocks(track))                  clocks of cameras, outliers
found = identify(system, track, ["law.mu"])                    least squares over the simulator, the start with it
compare({"with": found, "without": other})                     which law explains the data
"""

from .clocks import align_clocks, find_shifts
from .compare import Comparison, compare
from .identified import Identified
from .identify import identify
from .markers import fit_markers
from .outliers import find_outliers, without_outliers
from .pose import pose_along, start_from
from .read import read_track
from .smooth import Smooth, estimate_noise, smooth
from .synthetic import synthetic_track
from .track import Track, track_of

__all__ = [
    "Comparison",
    "Identified",
    "Smooth",
    "Track",
    "align_clocks",
    "compare",
    "estimate_noise",
    "find_outliers",
    "find_shifts",
    "fit_markers",
    "identify",
    "pose_along",
    "read_track",
    "smooth",
    "start_from",
    "synthetic_track",
    "track_of",
    "without_outliers",
]
