"""Small Filippov systems of M. Antali, Dynamics of Dual-Point Rolling Bodies (2017), chapter 2."""

from .pool_ball import pool_ball
from .spring_disk import spring_disk
from .toy import toy

__all__ = ["pool_ball", "spring_disk", "toy"]
