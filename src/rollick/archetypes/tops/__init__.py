"""Toys that need friction: the tippe top, which turns over, and Euler's disk, which rolls ever faster until it lies flat."""

from .dissipation import decay_rate, disk_with, law_figure, measured, predicted
from .euler_disk import (
    EulerDisk,
    Steady,
    energy_above_flat,
    euler_disk,
    nutation,
    on_plane,
    precession,
    steady,
    stiffness,
    without_slip,
)
from .jellett import VerticalSpins, destination, group, jellett, least_energy, vertical_spins
from .tippe_top import TippeTop, clearances, inversion, law_named, on_both, on_sphere, on_stem, spun, stem_angle, tippe_top

__all__ = [
    "EulerDisk",
    "Steady",
    "TippeTop",
    "VerticalSpins",
    "clearances",
    "decay_rate",
    "destination",
    "disk_with",
    "energy_above_flat",
    "euler_disk",
    "group",
    "inversion",
    "jellett",
    "law_figure",
    "law_named",
    "least_energy",
    "measured",
    "nutation",
    "on_both",
    "on_plane",
    "on_sphere",
    "on_stem",
    "precession",
    "predicted",
    "spun",
    "steady",
    "stem_angle",
    "stiffness",
    "tippe_top",
    "vertical_spins",
    "without_slip",
]
