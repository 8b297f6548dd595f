"""The tippedisk (S. Sailer): an eccentric disk that, spun fast enough, turns its mass centre upwards."""

from . import signals
from .angles import Powers, Readings, friction_power, physical_angles, readings
from .build import FORMS, tippedisk
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .pose import Pose, pose_of, state_of
from .quaternion import FLAT, TippediskQuaternion
from .specimens import Disk, drilled_disk, specimen, tippedisk_body
from .starts import RENDERED_SPIN, TABLE_SPIN, converted, start, table_start

__all__ = [
    "FLAT",
    "FORMS",
    "RENDERED_SPIN",
    "TABLE_SPIN",
    "Disk",
    "Pose",
    "Powers",
    "Readings",
    "TippediskCorotating",
    "TippediskEuler",
    "TippediskQuaternion",
    "converted",
    "drilled_disk",
    "friction_power",
    "physical_angles",
    "pose_of",
    "readings",
    "signals",
    "specimen",
    "start",
    "state_of",
    "table_start",
    "tippedisk",
    "tippedisk_body",
]
