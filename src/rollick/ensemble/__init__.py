"""Many motions: ensembles over grids, samples and tables of parameters and starts; maps over grids of parameters."""

from .attractor import Attractor
from .call import ensemble
from .keep import Count, Final, First, Greatest, Last, Least, Mean, Path, Rms
from .members import Grid, Samples, Table
from .reducers import EnergyExponent, FrictionDemand, ImpactCount, ReversalTime, ShockRatio
from .result import Ensemble

__all__ = [
    "Attractor", "Count", "EnergyExponent", "Ensemble", "Final", "First", "FrictionDemand", "Greatest", "Grid", "ImpactCount", "Last", "Least", "Mean", "Path",
    "ReversalTime", "Rms", "Samples", "ShockRatio", "Table", "ensemble",
]  # fmt: skip
