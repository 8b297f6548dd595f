"""Where the members of an ensemble come from: a system with other numbers in some of its fields.

A source knows which names are parameters, makes the system of a member, and simulates it. Another kind (a model by its name, see `archetypes.many`) answers the
same questions; it must be possible to pickle it, since workers on other machines make their members themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.names import InputError, called
from ..kernel.paths import path_of, replaced
from ..kernel.system import description
from ..motion.result.provenance import parameters as numbers_of
from ..motion.simulate import simulate
from ..motion.start import check_system, with_rate


class SystemSource:
    """Members of one system, with other numbers in its fields."""

    def __init__(self, system: Any):
        if isinstance(system, type):
            raise InputError(f"an ensemble needs a system, not the class {called(system)}; write {called(system)}(...).")
        self.given = system
        self.system = check_system(with_rate(system))

    @property
    def title(self) -> str:
        """What moves."""
        return called(self.system)

    def parameter(self, name: str) -> str | None:
        """The parameter of a name; None if there is none."""
        try:
            return path_of(self.system, name)
        except InputError:
            return None

    def unit(self, name: str) -> str:
        """The unit of a parameter, as far as it is known."""
        quantity = description(self.system).parameters.get(name)
        return quantity.unit if quantity is not None else ""

    def make(self, values: Mapping[str, Any]) -> Any:
        """The system of a member."""
        system = self.system
        for path, value in values.items():
            system = replaced(system, path, value)
        return check_system(system) if values else system

    def simulate(self, system: Any, start: Any, until: Any, **options: Any) -> Any:
        """The motion of a member."""
        return simulate(system, start, until, **options)

    @property
    def is_motion(self) -> bool:
        """Whether `simulate` goes through the common loop, so that members can be computed by it in compiled code."""
        return True

    def stated(self) -> dict[str, Any]:
        """The system in plain values."""
        return {"system": called(self.system), "parameters": numbers_of(self.system)}
