"""Design with motions: parameters that fit data, and parameters for which an output is best; on exact derivatives."""

from .fit import fit
from .fitted import Fit
from .optimise import optimise
from .optimum import Optimum

__all__ = ["Fit", "Optimum", "fit", "optimise"]
