"""What is to be continued: n equations F(z) = 0 in n unknowns and one parameter, z = (unknowns, parameter).

Equilibria, periodic orbits (shooting, collocation), curves of folds or of Hopf points are all of this form. To add one, derive from `Problem` and
answer `names`, `parameter`, `residual` and `jacobian`; everything else has a default:

    evaluate(z)                 (F, J) in one go, where that is cheaper than one after the other
    quick_residual(z)           F alone, where that is much cheaper than (F, J); None where it is not
    measures(z, J)              what is recorded at every point: name -> number, or array of a fixed shape
    tests(z, J, tangent)        name -> value; a zero along the branch is a special point of that name (LP and BP are told by the core)
    classify(name, z, J, tangent)  what such a zero is: a `Finding`, or None if it is nothing
    unstable(measures)          how many directions grow; None where that is not known
    neutral(measures)           how many directions neither grow nor decay, as far as numbers tell
    expected(kind)              by how many that number changes at a special point
    crossed(before, after)      of two points' measures: how many eigenvalues or multipliers changed sides between them
    scales(z, bounds)           typical sizes of z, in which arclength is measured
    rescaled(z, scales)         other sizes from now on, where solutions have outgrown those that arclength is measured in; None: the same
    not_looked_for()            sentences on special points that cannot be looked for here
    outside(z)                  a sentence if z is beyond where the equations hold
    arrives(here, point)        where the branch comes to its end between two points, by its nature: z and a `Finding`; None: it goes on
    update(z, tangent)          called after every accepted point: a problem that has a memory (a phase condition, a mesh) renews it here,
                                and may return z and tangent in new coordinates of the same length
    memory(), recall(memory)    that memory as a dict of arrays, for files
    about()                     plain values that say which problem it is, for files and for `resume`

F must be smooth and J = F_z, n rows and n + 1 columns, its exact derivative; J may be a SciPy sparse matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.names import called
from .point import Point


@dataclass(frozen=True)
class Finding:
    """What a special point is: a short label (LP, H, BP, ...), a sentence, numbers that belong to it, and arrays (vectors, say) for later use."""

    kind: str
    sentence: str = ""
    numbers: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


class Problem:
    """F(z) = 0 along a curve."""

    names: tuple[str, ...] = ()  # of the unknowns
    parameter: str = "parameter"
    units: dict[str, str] = {}  # of unknowns, parameter and measures; "" where none is given
    core: tuple[str, ...] = ("LP", "BP")  # the tests of the core that mean something here: folds, branch points
    model: str | None = None  # the name of the model it is of, if it has one
    what: str = "solutions"  # what a branch of these is called: "equilibria", "periodic orbits"

    def residual(self, z: np.ndarray) -> np.ndarray:
        """F(z), n numbers."""
        raise NotImplementedError(f"{called(self)} has no residual(z); a Problem of continuation needs one.")

    def jacobian(self, z: np.ndarray) -> Any:
        """F_z(z), n rows and n + 1 columns."""
        raise NotImplementedError(f"{called(self)} has no jacobian(z); a Problem of continuation needs one.")

    def evaluate(self, z: np.ndarray) -> tuple[np.ndarray, Any]:
        """F and F_z."""
        return self.residual(z), self.jacobian(z)

    def quick_residual(self, z: np.ndarray) -> np.ndarray | None:
        """F without its derivative, where that saves most of the work; None where it does not."""
        return None

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """What is recorded at a point besides z."""
        return {}

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """Functions whose zeros along the branch are special points, besides folds and branch points."""
        return {}

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """What a zero of the test `name` is; None drops it."""
        return Finding(name)

    def unstable(self, measures: dict[str, Any]) -> int | None:
        """How many directions grow at a point with these measures."""
        return None

    def neutral(self, measures: dict[str, Any]) -> int:
        """How many directions are too near to the edge of stability to be counted on either side."""
        return 0

    def expected(self, kind: str) -> int | None:
        """By how many the number of growing directions changes at a special point of a kind; None if anything may happen there."""
        return None

    def crossed(self, before: dict[str, Any], after: dict[str, Any]) -> int:
        """How many directions changed between growing and decaying, in both senses, from a point with some measures to the next; 0 if not known."""
        return 0

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """Typical sizes of the entries of z: arclength is measured in them."""
        return np.ones(z.size)

    def rescaled(self, z: np.ndarray, scales: np.ndarray) -> np.ndarray | None:
        """Typical sizes that suit z better than those in use; None where these still do."""
        return None

    def not_looked_for(self) -> list[str]:
        """Which special points are not looked for, and why: told among the doubts of a branch."""
        return []

    def outside(self, z: np.ndarray) -> str:
        """Why the equations do not hold at z, or ""."""
        return ""

    def arrives(self, here: Point, point: Point) -> tuple[np.ndarray, Finding] | None:
        """The end of the branch that lies between two points; None: it goes on."""
        return None

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Renew what the problem remembers; z and tangent, in new coordinates if these changed."""
        return z, tangent

    def afresh(self) -> None:
        """Forget what another branch left behind: one begins, or is gone on with."""

    def memory(self) -> dict[str, np.ndarray]:
        """What the problem remembers, for files."""
        return {}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take up a memory again."""

    def about(self) -> dict[str, Any]:
        """Which problem it is, in plain values."""
        return {"problem": called(self), "parameter": self.parameter, "unknowns": list(self.names)}
