"""Does the tippedisk ever lift off? The normal force along motions in lasting contact, and the spin at which it first comes to zero.

The thesis (section 3.9) sees no detachment at 40 rad/s and leaves faster spins open. In lasting contact the normal force is known; where it reaches
zero the unilateral contact opens: the disk jumps by itself. `jump` lets it, by time stepping.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...mechanics.laws.sliding import Regularised
from ...motion.contact.lasting import normal_forces
from ...motion.result import outcome as o
from ...motion.result.outcome import MotionWarning
from ...motion.simulate import simulate
from .build import tippedisk
from .starts import TABLE_OFFSET, table_start


@dataclass(frozen=True)
class Contact:
    """How a spin fared in lasting contact: the least normal force over the weight, and when the contact opens (None: it does not)."""

    spin: float
    least: float
    opens: float | None


def contact_of(
    spin: float, offset: float = TABLE_OFFSET, disk: Any = "V1", law: Any = None, until: float = 2.0, rtol: float = 1e-9
) -> Contact:
    """The normal force from the start of Table 3.1 with another spin (and offset of gamma from the non-inverted position)."""
    system = tippedisk(disk, law or Regularised(0.3, 0.1), "quaternion")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        m = simulate(system, np.concatenate(table_start(system, spin, offset)), until, rtol=rtol, method="dop853", progress=False)
    least = float(normal_forces(system, m.t, m.y).min() / (system.disk.m * system.g))
    return Contact(float(spin), least, m.end_time if m.status == o.LEFT else None)


def jumping_spin(
    offset: float = TABLE_OFFSET,
    low: float = 40.0,
    high: float = 300.0,
    disk: Any = "V1",
    law: Any = None,
    until: float = 2.0,
    digits: float = 1e-3,
) -> float:
    """The least spin (rad/s, to `digits`) above which the contact opens within a time, by bisection between one that holds and one that opens."""
    if contact_of(low, offset, disk, law, until).opens is not None or contact_of(high, offset, disk, law, until).opens is None:
        raise InputError(
            f"between {low:g} rad/s, which must hold, and {high:g} rad/s, which must open, there is no change; widen the range."
        )
    while high - low > digits:
        middle = 0.5 * (low + high)
        if contact_of(middle, offset, disk, law, until).opens is None:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def jump(
    spin: float, offset: float = TABLE_OFFSET, disk: Any = "V1", law: Any = None, until: float = 0.5, dt: float = 1e-5
) -> Any:
    """The motion with unilateral contact, by time stepping: its gap shows the jump."""
    system = tippedisk(disk, law or Regularised(0.3, 0.1), "quaternion")
    return simulate(system, np.concatenate(table_start(system, spin, offset)), until, method="moreau", dt=dt, progress=False)
