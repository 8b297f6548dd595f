"""How many operations of floating point the inner loops of `gpu.py` take, counted by numbers that count. Run with NUMBA_DISABLE_JIT=1: plain Python.

A sum, product, quotient, root or comparison-free absolute value is one; a sine or cosine is 20.
"""

from __future__ import annotations

import json
import math
import operator

import numpy as np

TOTAL = [0.0]
SINE = 20.0


class Counted(float):
    """A float that counts what is done with it."""


def _counting(name: str, cost: float = 1.0) -> None:
    plain = getattr(float, name)

    def apply(self, *others):
        found = plain(self, *(float(x) for x in others))
        if found is NotImplemented:
            return found
        TOTAL[0] += cost
        return Counted(found)

    setattr(Counted, name, apply)


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow"):
    _counting(f"__{_name}__")
Counted.__neg__ = lambda self: Counted(operator.neg(float(self)))
Counted.__abs__ = lambda self: Counted(abs(float(self)))


def _counted_math() -> None:
    """`math` as Rollick's functions see it."""
    for name, cost in (("sin", SINE), ("cos", SINE), ("tan", 2 * SINE), ("atan2", 2 * SINE), ("sqrt", 1.0), ("hypot", 4.0)):
        plain = getattr(math, name)

        def apply(*x, plain=plain, cost=cost):
            TOTAL[0] += cost
            return Counted(plain(*x))

        setattr(math, name, apply)


def objects(values) -> np.ndarray:
    """An array of counting numbers."""
    flat = np.array(values, float)
    out = np.empty(flat.shape, object)
    for place in np.ndindex(flat.shape):
        out[place] = Counted(flat[place])
    return out


def counting_arrays() -> None:
    """Scratch arrays of compiled functions hold counting numbers, too."""
    from types import SimpleNamespace

    from rollick.kernel import local_array

    def empty(shape, dtype):
        return np.zeros(shape, object if dtype.kind == "f" else dtype)

    local_array.np = SimpleNamespace(empty=empty, dtype=np.dtype)


def disk_step(count: int = 40) -> float:
    """A step of a tippedisk with set-valued Coulomb friction, Moreau's scheme."""
    from rollick.archetypes.many import ModelSource
    from rollick.mechanics.contact import contact_count, positions, velocities
    from rollick.motion.contact.gathering import DEFAULT
    from rollick.motion.contact.halving import careful_step
    from rollick.motion.contact.stepper import LOST
    from rollick.motion.contact.work import Work, work_for
    from rollick.motion.start import state_vector

    disk = ModelSource("tippedisk", {"law": "coulomb", "form": "euler"}).system
    plain = state_vector(disk, {"beta": "90deg", "gamma": -1.47, "alpha_rate": 40.0})
    y = objects(np.concatenate([plain, np.zeros(LOST)]))
    room = work_for(*(int(f(disk)) for f in (positions, velocities, contact_count)))
    w = Work(*(part if part.dtype == np.int64 else objects(part) for part in room))
    factors = objects([0.1, 0.1, 0.1, 0.1, 1e-4, 1e-4, 1.0, 0.0])
    system = with_counting(disk)

    def work() -> None:
        for i in range(count):
            careful_step(system, i * 1e-4, y, 1e-4, DEFAULT, 1e-12, factors, 10_000, w)

    return spent(work) / count


def with_counting(system):
    """A system whose floats count."""
    from rollick.kernel.leaves import floats_in, with_floats

    return with_floats(system, [Counted(x) for x in floats_in(system)])


def spent(work) -> float:
    """What a piece of work costs."""
    TOTAL[0] = 0.0
    work()
    return TOTAL[0]


def main() -> None:
    """Count."""
    from rollick import Rattleback
    from rollick.archetypes.rattleback.stone import Rattleback as Stone
    from rollick.kernel.system import rate
    from rollick.mechanics.plate import regular
    from rollick.motion.impacts import loop as c
    from rollick.motion.impacts.fall import fall

    assert Rattleback is Stone
    counting_arrays()
    _counted_math()
    y = objects([0.01, 0.01, 0.3, 0.1, -0.2, -5.0])
    found = {"stone_rate": spent(lambda: rate(with_counting(Stone()), 0.0, y, objects(np.zeros(6))))}
    # A step of DOP853: 12 rates; combinations of stages and both error estimates, about 2 (78 + 12 + 2 x 12) operations per component.
    found["stone_step"] = 12.0 * found["stone_rate"] + 6 * 2.0 * (78 + 12 + 24)
    plate, gamma = regular(3, 0.25), 0.2
    s, k = objects([0.01, 0.02, 1.0, 0.03, 0.05, -1.0, 0.0]), np.zeros(c.INTEGERS, object)
    k[[c.LAST, c.BEFORE]] = -1
    trail = np.zeros((512, 1), np.int8)
    none = np.empty((0, c.COLUMNS))
    cost = spent(lambda: fall(objects(plate.f), objects(plate.w), Counted(gamma), 0.0, s, k, 2000, math.inf, -1.0, none, trail))
    found["impact"] = cost / int(k[c.COUNT])
    found["disk_step"] = disk_step()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
