"""Melnikov's integrals: what a small perturbation makes of the connections and closed orbits of a planar system with a first integral."""

from .cycles import Cycle as Cycle
from .cycles import CycleBranch as CycleBranch
from .cycles import cycle_branch as cycle_branch
from .limit import HamiltonianLimit as HamiltonianLimit
from .melnikov import MelnikovFunction as MelnikovFunction
from .melnikov import SurvivingConnection as SurvivingConnection
from .melnikov import melnikov as melnikov
from .melnikov import surviving_connection as surviving_connection
from .separatrix import Separatrix as Separatrix
from .separatrix import separatrix as separatrix
