"""Small Filippov systems of M. Antali, Dynamics of Dual-Point Rolling Bodies (2017), chapters 2 and 3: what happens where they jump, and their motions."""

from .corner import BallInCorner
from .pool_ball import PoolBall, pool_ball
from .spring_disk import SpringDisk, spring_disk
from .toy import Toy, toy

__all__ = ["BallInCorner", "PoolBall", "SpringDisk", "Toy", "pool_ball", "spring_disk", "toy"]
