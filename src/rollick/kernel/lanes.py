"""Numbers of many members at once: a column that behaves as one float, so that functions written for a float check and build many systems in one run.

`in_lanes(columns, work)` calls `work` with a `Lanes` for each column. Sums, products and quotients are those of the floats, lane by lane, to the last bit. A
comparison has one answer: where the lanes disagree, they are parted and `work` runs again for each part. What a column cannot do as floats do it (become a
float, a text, an index; divide by zero) leaves its lanes to whoever makes them one by one. So a lane that comes through has gone the very way of its float.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # imported where lanes are made: whoever reads one number needs none
    import numpy as np

MOST_RUNS = 64  # parts into which lanes may fall; what is left then is made one by one


class Parting(BaseException):
    """Lanes disagree. Not an `Exception`: nobody who guards against errors may swallow it."""

    def __init__(self, yes: np.ndarray):
        super().__init__()
        self.yes = yes


class OneByOne(BaseException):
    """Something that a column cannot do."""


class Journey:
    """One run: whether its lanes were given up, even if somebody caught that."""

    def __init__(self) -> None:
        self.given_up = False

    def give_up(self) -> NoReturn:
        self.given_up = True
        raise OneByOne

    def agree(self, answers: np.ndarray) -> bool:
        """The one answer of all lanes."""
        if answers.all():
            return True
        if not answers.any():
            return False
        self.given_up = True
        raise Parting(answers)


def _arithmetic(operation: Callable, swapped: bool = False) -> Callable:
    def apply(self: Lanes, other: Any) -> Lanes:
        import numpy as np

        a, b = self.values, self._of(other)
        if swapped:
            a, b = b, a
        if operation is operator.truediv and not self.journey.agree(np.broadcast_to(b != 0.0, self.values.shape)):
            self.journey.give_up()  # floats raise
        with np.errstate(all="ignore"):
            return Lanes(operation(a, b), self.journey)

    return apply


def _comparison(operation: Callable) -> Callable:
    def apply(self: Lanes, other: Any) -> bool:
        if other is None or isinstance(other, (str, tuple)):  # a float is none of these
            return bool(operation is operator.ne) if operation in (operator.eq, operator.ne) else self.journey.give_up()
        return self.journey.agree(operation(self.values, self._of(other)))

    return apply


def _impossible(self: Lanes, *_: Any, **__: Any) -> NoReturn:
    self.journey.give_up()


class Lanes:
    """A column of floats that passes for one."""

    __slots__ = ("journey", "values")

    def __init__(self, values: np.ndarray, journey: Journey):
        self.values, self.journey = values, journey

    @property  # type: ignore[misc]
    def __class__(self):  # type: ignore[override]
        return float

    def _of(self, other: Any) -> Any:
        if type(other) is Lanes:
            return other.values
        if isinstance(other, (float, int)):
            return float(other)
        self.journey.give_up()

    __add__, __radd__ = _arithmetic(operator.add), _arithmetic(operator.add, True)
    __sub__, __rsub__ = _arithmetic(operator.sub), _arithmetic(operator.sub, True)
    __mul__, __rmul__ = _arithmetic(operator.mul), _arithmetic(operator.mul, True)
    __truediv__, __rtruediv__ = _arithmetic(operator.truediv), _arithmetic(operator.truediv, True)
    __lt__, __le__, __gt__, __ge__ = (_comparison(op) for op in (operator.lt, operator.le, operator.gt, operator.ge))
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __format__ = __str__ = __repr__ = __round__ = __trunc__ = _impossible  # type: ignore[assignment]
    __floor__ = __ceil__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = _impossible
    __array__ = __reduce_ex__ = _impossible  # type: ignore[assignment]

    def __neg__(self) -> Lanes:
        return Lanes(-self.values, self.journey)

    def __pos__(self) -> Lanes:
        return self

    def __abs__(self) -> Lanes:
        return Lanes(abs(self.values), self.journey)

    def __bool__(self) -> bool:
        return self.journey.agree(self.values != 0.0)

    def __pow__(self, power: Any, modulus: Any = None) -> Lanes:
        return by_lane(lambda x: x**power, self) if type(power) in (int, float) else self.journey.give_up()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # what NumPy and others look for
            raise AttributeError(name)
        self.journey.give_up()


def by_lane(function: Callable, *given: Any) -> Any:
    """A function of floats, also of lanes: there the same function, lane after lane."""
    lanes = [x for x in given if type(x) is Lanes]
    if not lanes:
        return function(*given)
    import numpy as np

    size, journey = lanes[0].values.size, lanes[0].journey
    columns = [x.values.tolist() if type(x) is Lanes else [x] * size for x in given]
    found, good = np.zeros(size), np.ones(size, bool)
    for k, row in enumerate(zip(*columns)):
        try:
            found[k] = function(*row)
        except (ValueError, OverflowError, ZeroDivisionError):
            good[k] = False
    if not journey.agree(good):
        journey.give_up()
    return Lanes(found, journey)


def is_finite(x: Any) -> bool:
    """`math.isfinite`, also of lanes."""
    if type(x) is not Lanes:
        return math.isfinite(x)
    import numpy as np

    return x.journey.agree(np.isfinite(x.values))


def as_float(x: Any) -> Any:
    """`float(x)`; lanes are floats already."""
    return x if type(x) is Lanes else float(x)


def in_lanes(
    columns: Mapping[str, np.ndarray], count: int, work: Callable[[dict[str, Any]], Any]
) -> tuple[list[tuple[np.ndarray, Any]], np.ndarray]:
    """What `work` makes of columns of numbers: (places, result) for each part of the lanes; and the places that have to be made one by one."""
    import numpy as np

    waiting, done, left, runs = [np.arange(count)], [], [], 0
    while waiting:
        places = waiting.pop()
        runs += 1
        if runs > MOST_RUNS:
            left.append(places)
            continue
        journey = Journey()
        try:
            found = work({name: Lanes(column[places], journey) for name, column in columns.items()})
        except Parting as parting:
            waiting += [places[~parting.yes], places[parting.yes]]
            continue
        except (OneByOne, Exception):  # also an error: whoever makes the lane by itself tells it
            left.append(places)
            continue
        if journey.given_up:
            left.append(places)
        else:
            done.append((places, found))
    return done, np.sort(np.concatenate(left)) if left else np.zeros(0, int)
