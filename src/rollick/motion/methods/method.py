"""What a method is: an object with its options, that says what it suits and what it cannot honour, and runs a problem.

To add one, write a file with a frozen dataclass derived from `Method` and register it:

    @register
    @dataclass(frozen=True)
    class Euler(Method):
        name: ClassVar[str] = "euler"
        dt: float = 1e-3
        def begin(self, run, s): ...        a stepper, see `motion.ode.block` for its contract

Its fields are its options; `simulate(..., method="euler", dt=1e-4)` is a shorthand for `method=Euler(dt=1e-4)`. What it cannot honour is
named in `refuses`, with the reason; everything else the common loop (`motion.integrate`) does for it: output at chosen times, events,
limits, progress, going on from a motion.
"""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, choose
from ...kernel.system import integral_count
from ...mechanics.contact import contact_count, law_of
from ...mechanics.laws.each import first_law
from ...mechanics.laws.sliding import jumps
from ..filippov.systems.form import is_form
from ..integrate import Run, integrate
from ..ode.block import Tolerance
from ..problem import Problem
from ..result.checks import deepest
from ..result.motion import Motion
from ..result.trust import Check
from .table import HOMES, METHODS

# What a motion may be asked for besides its end, or its system brings along; a method that cannot honour one of these says why in `refuses`.
DRY_FRICTION = "dry friction"
ASKED = ("at", "dense", "events", "variational", "integrals", "backward", "verify", DRY_FRICTION)


@dataclass(frozen=True)
class Method:
    """A way of computing a motion."""

    name: ClassVar[str] = "method"
    about: ClassVar[str] = ""
    refuses: ClassVar[dict[str, str]] = {}  # what it cannot honour: why, and what to do instead
    left_by_finer: ClassVar[float] = (
        0.01  # of its error that its finer version has: the difference of the two is that much too small
    )
    remedy: ClassVar[str] = ""  # what to try where a check of a motion fails, as a sentence

    @property
    def options(self) -> dict[str, Any]:
        """The options as they are set."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def unsuited(self, system: Any) -> str:
        """Why the method is not made for a system, as a clause; "" if it is."""
        return ""

    def check(self, system: Any) -> None:
        """Raise `InputError` if the method is not made for a system (`refuse_unsuited`), or an option is out of range."""

    def chosen(self, system: Any, asked: Collection[str] = ()) -> Method:
        """The method that is really used for a system with the options that are asked for; only one that chooses among others answers something else than itself."""
        return self

    def why(self, system: Any, taken: Method) -> str:
        """Why it chose another method, as a clause; "" where there is nothing to tell."""
        return ""

    def integrals(self, system: Any, wanted: bool | None, variational: bool) -> int:
        """How many of a system's integrals are accumulated."""
        return int(integral_count(system)) if (not variational if wanted is None else wanted) else 0

    def run(self, problem: Problem) -> Motion:
        """The motion."""
        return integrate(problem, self)

    def for_problem(self, problem: Problem) -> Method:
        """The method that is really used for a problem; only one that looks at the start answers something else than itself."""
        return self

    def successor(self, taken: Method, problem: Problem, motion: Motion) -> Method | None:
        """The method that computes the motion instead where the one that it took had to stop; None if that did not, or if there is no other."""
        return None

    def finer(self) -> tuple[Method, str]:
        """A more careful version of itself, to judge a motion by, and that in words."""
        raise InputError(
            f"verify cannot be had with method = {self.name!r}: it does not say what is finer than itself; write its `finer`, "
            f"which returns a method and a few words, as (replace(self, dt=0.5 * self.dt), 'half the step'); or leave out verify."
        )

    def as_careful(self) -> list[tuple[Method, str]]:
        """Versions of itself that err about as much and otherwise, and each in words: what agrees with a finer run by chance does not agree with these."""
        return []

    def compared(self, motion: Motion, simulate: Any) -> list[Check]:
        """What other methods say of a motion of this one, for `verify`."""
        return []

    def local_error(self, system: Any) -> Tolerance | None:
        """The local error per step that it allows each state; None for a method that controls none."""
        return None

    def depth(self, motion: Motion) -> float:
        """How far below a surface (m) its errors may take a body."""
        return deepest(0.0)

    # -- for the common loop ------------------------------------------------------------------------------------------------------

    lasting: ClassVar[bool] = False  # whether a contact is closed throughout, so that its gap is kept
    uses_rate: ClassVar[bool] = (
        True  # whether its steps call the system's `rate`, which is tried once before, if somebody else wrote it
    )
    switches: ClassVar[bool] = False  # whether blocks are to end when another stepper would suit the motion better
    leaves: ClassVar[bool] = True  # whether a system's `guard` ends its motions (they are of its ODE)

    def stride(self, problem: Problem) -> int:
        """Output after so many steps."""
        return 1

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """What is integrated, and its state at the start: the states, the integrals, and whatever else rides along."""
        raise InputError(
            f"method = {self.name!r} does not say what it integrates; write `engine = Adaptive.engine` (of rollick.motion.methods.smooth)."
        )

    def tolerance(self, problem: Problem, size: int) -> Tolerance:
        """Local error per step for the `size` components; for a method without, what counts as zero when events are looked for."""
        return Tolerance(1e-10, np.full(size, 1e-13))

    def begin(self, run: Run, s: np.ndarray) -> Any:
        """The stepper, at the start."""
        raise InputError(f"method = {self.name!r} makes no stepper; write its `begin(self, run, s)`, as docs/adding.md shows.")

    def next_stepper(self, stepper: Any, s: np.ndarray) -> Any:
        """The stepper that takes over, when a block ended because another would suit the motion better."""
        raise InputError(
            f"method = {self.name!r} has no other stepper; write its `next_stepper`, or do not return STIFFNESS or SMOOTH."
        )


def register(cls: type[Method]) -> type[Method]:
    """Decorator: make a method known by its name. A name stands for one class; only a newer version of that class may take it."""
    if not (isinstance(cls, type) and issubclass(cls, Method)):
        raise InputError(f"{cls!r} is not a method; write a frozen dataclass derived from Method, and register that.")
    if "name" not in vars(cls):
        raise InputError(f'{cls.__name__} has no name of its own; write `name: ClassVar[str] = "{cls.__name__.lower()}"` in it.')
    own = cls.name in HOMES and cls.__module__ == importlib.util.resolve_name(HOMES[cls.name], __package__)
    known = None if own else METHODS.get(cls.name)
    if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
        raise InputError(f"the method {cls.name!r} exists already ({known.__module__}.{known.__qualname__}); take another name.")
    METHODS[cls.name] = cls
    return cls


def as_method(given: Any) -> Method:
    """A method that is given as an object, a class or a name."""
    if isinstance(given, type) and issubclass(given, Method):
        given = given()
    if isinstance(given, Method):
        return given
    if isinstance(given, str):
        return METHODS[choose(given, METHODS, "method")]()
    raise InputError(f"method = {given!r} is neither a name ({', '.join(METHODS)}) nor a method such as DOP853(rtol=1e-10).")


def method_of(given: Any, shorthands: dict[str, Any], system: Any) -> Method:
    """The method that was asked for, with its options: an object, a class, or a name with options as arguments of `simulate`.

    An option that the method does not have is refused.
    """
    base = as_method(given)
    asked = {name: value for name, value in shorthands.items() if value is not None}
    chosen = base.chosen(system, asked)
    known = chosen.options
    for name in asked:
        if name not in known:
            raise InputError(f"{name} is no option of {described(base, chosen)}: {own_options(chosen)} {having(name)}")
    set_ = {k: v for k, v in base.options.items() if base is not chosen and v != getattr(type(base)(), k)}
    for name in set_:
        if name not in known:
            raise InputError(f"{name} is no option of {described(base, chosen)}: {own_options(chosen)} {having(name)}")
    method = dataclasses.replace(chosen, **set_, **asked) if asked or set_ else chosen
    method.check(system)
    return method


def described(base: Method, chosen: Method) -> str:
    """The method in words: "auto" says what it took."""
    return f"method {chosen.name!r}" if base is chosen else f"method {chosen.name!r}, which {base.name!r} takes for this system"


def own_options(method: Method) -> str:
    """The options of a method, in a sentence."""
    names = ", ".join(method.options)
    return f"it has {names}." if names else "it has none."


def having(option: str) -> str:
    """Which methods have an option, in a sentence."""
    names = [name for name, cls in METHODS.items() if option in {f.name for f in dataclasses.fields(cls)}]
    return f"Leave {option} out, or choose {' or '.join(names)}." if names else f"Leave {option} out."


def has_dry_friction(system: Any) -> bool:
    """Whether the force at the contact that lasts jumps with the direction of slip."""
    if contact_count.knows(type(system)):
        return bool(jumps(first_law(law_of(system, 0))))
    return is_form(system)


def takers(system: Any) -> str:
    """The methods that take a system, as a choice: "'auto', 'dop853' or 'radau'"."""
    dry = has_dry_friction(system)
    names = [
        repr(name) for name, cls in METHODS.items() if not cls().unsuited(system) and not (dry and DRY_FRICTION in cls.refuses)
    ]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def refuse_unsuited(method: Method, system: Any) -> None:
    """Refuse a system that a method is not made for, with the reason and the methods that do take it."""
    reason = method.unsuited(system)
    if reason:
        raise InputError(f"{reason}; take {takers(system)}.")


def registers(system: Any) -> str:
    """What a system that no sliding body is registers for its motion, in words."""
    if contact_count.knows(type(system)):
        return "M, h, W and gap of its own"
    return "the form of its dry contacts (`contact_form`)" if is_form(system) else "a rate, and no contacts"


def refuse(method: Method, asked: dict[str, bool], system: Any) -> None:
    """The one place where what a method cannot honour is refused, by name."""
    for name, wanted in asked.items():
        if wanted and name in method.refuses:
            told = method.refuses[name]
            if name == DRY_FRICTION:
                smooth = ", or a smooth law such as Regularised(mu, eps)" if contact_count.knows(type(system)) else ""
                told = f"{told}; take {takers(system)}{smooth}."
            raise InputError(f"{name} cannot be had with method = {method.name!r} of {called(system)}: {told}")
