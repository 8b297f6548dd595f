"""Many motions: ensembles over grids, samples and tables of parameters and starts; maps over grids of parameters."""

from .call import ensemble
from .keep import Count, Final, First, Greatest, Last, Least, Mean, Path, Rms
from .members import Grid, Samples, Table
from .result import Ensemble

__all__ = [
    "Count", "Ensemble", "Final", "First", "Greatest", "Grid", "Last", "Least", "Mean", "Path", "Rms", "Samples", "Table", "ensemble",
]  # fmt: skip
