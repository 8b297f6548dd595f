"""Homo- and heteroclinic orbits between equilibria: by shooting along manifolds, and as a boundary-value problem."""

from .find import Connection as Connection
from .find import connection_from_guess as connection_from_guess
from .find import find_connection as find_connection
from .reversible import find_symmetric_connection as find_symmetric_connection
from .saddle import Saddle as Saddle
