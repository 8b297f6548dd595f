"""Velocities that a start leaves out: what is assumed instead, said in words where it is not what one would expect.

A body that touches and is told nothing about its velocity starts without slip. If a start names vx alone, the same rule gives vy the value at which
the contact point does not slip, and a spinning body leaves sideways. The rule stays (tops and disks start by it); whoever meets this case is told which
numbers were taken and how to give others. A body in the air starts with the velocities that are given, and zero for the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...kernel.warn import warn_user

SMALL = 1e-9  # m/s: below this what is assumed is rest


def tell_assumed(given: Collection[str], assumed: Mapping[str, float]) -> None:
    """Warn if one of vx, vy was given and the other was taken from no slip and is not zero.

    given: the names of velocities in the start; assumed: the values taken for vx and vy where the start gives neither these nor a slip.
    """
    moving = {name: v for name, v in assumed.items() if abs(v) > SMALL}
    named = [name for name in ("vx", "vy") if name in given]
    if not moving or not named:
        return
    values = " and ".join(f"{name} = {v:.6g} m/s" for name, v in moving.items())
    zero = ", ".join(f"{name}=0" for name in moving)
    warn_user(
        f"the start gives {', '.join(named)} but not {' and '.join(moving)}: {values} {'is' if len(moving) == 1 else 'are'} assumed, at which the lowest point of the "
        "turning body does not slip. "
        f"Give {zero} if it shall not move that way, or give what it shall be."
    )


def tell_taken_away(speed: Mapping[str, float], v: Mapping[str, float]) -> None:
    """Warn of velocities that were given and cannot be had, because an upright surface is in the way."""
    changed = {name: v[name] for name in v if name in speed and abs(v[name] - speed[name]) > SMALL}
    if changed:
        before = ", ".join(f"{name} = {speed[name]:.6g} m/s" for name in changed)
        after = ", ".join(f"{name} = {value:.6g} m/s" for name, value in changed.items())
        warn_user(
            f"the body touches an upright surface, which {before} would enter or leave: it starts with {after}. Give vz as well, or a gap."
        )
