"""Taylor arithmetic: polynomials in several variables, cut off beyond a total degree, that pass through NumPy formulas as numbers do.

A formula evaluated on x + dx (`variables`) yields its Taylor polynomial in dx: all partial derivatives up to the degree, exact to rounding, at many points at
once. Sums, products and quotients are those of polynomials; f(c + u), u without constant term, is sum_k f^(k)(c)/k! u^k, a finite sum since u^(degree+1) = 0.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernel.names import InputError


class Algebra:
    """The monomials of a number of variables up to a total degree, and how they multiply."""

    def __init__(self, variables: int, degree: int):
        self.variables, self.degree = variables, degree
        every = itertools.product(range(degree + 1), repeat=variables)
        self.exponents = sorted((e for e in every if sum(e) <= degree), key=lambda e: (sum(e), tuple(-k for k in e)))
        self.place = {e: i for i, e in enumerate(self.exponents)}
        triples = []
        for i, a in enumerate(self.exponents):
            for j, b in enumerate(self.exponents):
                if sum(a) + sum(b) <= degree:
                    triples.append((self.place[tuple(x + y for x, y in zip(a, b))], i, j))
        triples.sort()
        k, self.left, self.right = (np.array(column) for column in zip(*triples))
        self.starts = np.flatnonzero(np.diff(k, prepend=-1))

    def product(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The coefficients of a product."""
        return np.add.reduceat(a[self.left] * b[self.right], self.starts, axis=0)

    def derivative(self, a: np.ndarray, variable: int) -> np.ndarray:
        """The coefficients of a partial derivative; those of the highest degree are not known, and zero."""
        out = np.zeros_like(a)
        for e, i in self.place.items():
            if e[variable] > 0:
                lower = (*e[:variable], e[variable] - 1, *e[variable + 1 :])
                out[self.place[lower]] = e[variable] * a[i]
        return out


@functools.cache
def algebra(variables: int, degree: int) -> Algebra:
    """The same algebra for everybody."""
    return Algebra(variables, degree)


def _powers(c: np.ndarray, exponent: float, degree: int) -> list[np.ndarray]:
    """(c + u)^exponent: binomial coefficients times c^(exponent - k)."""
    out, factor = [], 1.0
    for k in range(degree + 1):
        out.append(factor * c ** (exponent - k) if factor != 0.0 else np.zeros_like(c))
        factor *= (exponent - k) / (k + 1)
    return out


def _cycle(values: list[np.ndarray], degree: int) -> list[np.ndarray]:
    """A function whose derivatives repeat after len(values)."""
    return [values[k % len(values)] / math.factorial(k) for k in range(degree + 1)]


def _times(a: list[Any], b: list[Any], k: int) -> Any:
    return sum(a[j] * b[k - j] for j in range(k + 1))


def _riccati(value: np.ndarray, sign: float, degree: int) -> list[np.ndarray]:
    """tan (sign +) and tanh (sign -): w' = 1 + sign w^2."""
    w = [value]
    for k in range(degree):
        w.append(((1.0 if k == 0 else 0.0) + sign * _times(w, w, k)) / (k + 1))
    return w


def _integral(value: np.ndarray, slope: list[np.ndarray], degree: int) -> list[np.ndarray]:
    return [value, *(slope[k] / (k + 1) for k in range(degree))]


def _inverse_slope(c: np.ndarray, sign: float, exponent: float, degree: int) -> list[np.ndarray]:
    """(1 + sign (c + u)^2)^exponent as a series in u."""
    one = algebra(1, degree)
    u = np.zeros((degree + 1, *np.shape(c)), dtype=np.result_type(c, float))
    u[0] = c
    if degree:
        u[1] = 1.0
    inside = sign * one.product(u, u)
    inside[0] += 1.0
    power = Series(one, inside) ** exponent
    return list(power.c)


FUNCTIONS: dict[Any, Callable[[np.ndarray, int], list[np.ndarray]]] = {
    np.exp: lambda c, d: _cycle([np.exp(c)], d),
    np.sin: lambda c, d: _cycle([np.sin(c), np.cos(c), -np.sin(c), -np.cos(c)], d),
    np.cos: lambda c, d: _cycle([np.cos(c), -np.sin(c), -np.cos(c), np.sin(c)], d),
    np.sinh: lambda c, d: _cycle([np.sinh(c), np.cosh(c)], d),
    np.cosh: lambda c, d: _cycle([np.cosh(c), np.sinh(c)], d),
    np.tan: lambda c, d: _riccati(np.tan(c), 1.0, d),
    np.tanh: lambda c, d: _riccati(np.tanh(c), -1.0, d),
    np.sqrt: lambda c, d: _powers(c, 0.5, d),
    np.log: lambda c, d: _integral(np.log(c), _powers(c, -1.0, d), d),
    np.arctan: lambda c, d: _integral(np.arctan(c), _inverse_slope(c, 1.0, -1.0, d), d),
    np.arcsin: lambda c, d: _integral(np.arcsin(c), _inverse_slope(c, -1.0, -0.5, d), d),
    np.arccos: lambda c, d: _integral(np.arccos(c), [-x for x in _inverse_slope(c, -1.0, -0.5, d)], d),
}


def _aligned(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients of two series with the same number of axes: points are broadcast as NumPy does."""
    axes = max(a.ndim, b.ndim)
    return tuple(c.reshape(c.shape[0], *(1,) * (axes - c.ndim), *c.shape[1:]) for c in (a, b))  # type: ignore[return-value]


class Series:
    """A polynomial: coefficients c[i, ...] of the monomials of an algebra, at one point or at an array of them."""

    __slots__ = ("algebra", "c")
    __array_priority__ = 100.0

    def __init__(self, algebra: Algebra, coefficients: np.ndarray):
        self.algebra, self.c = algebra, coefficients

    # -- making and reading ------------------------------------------------------------------------------------------------------

    def part(self, *exponents: int) -> np.ndarray:
        """The coefficient of a monomial."""
        return self.c[self.algebra.place[exponents]]

    @property
    def value(self) -> np.ndarray:
        """The constant term: the value at the point."""
        return self.c[0]

    def derivative(self, variable: int) -> Series:
        """The partial derivative with respect to a variable; its highest degree is cut off."""
        return Series(self.algebra, self.algebra.derivative(self.c, variable))

    def _other(self, other: Any) -> Series | None:
        if isinstance(other, Series):
            return other
        number = np.asarray(other)
        if number.dtype == object:
            return None
        c = np.zeros((self.c.shape[0], *number.shape), dtype=np.result_type(number, float))
        c[0] = number
        return Series(self.algebra, c)

    def apply(self, function: Any) -> Series:
        """A function of one variable of it."""
        if function not in FUNCTIONS:
            known = ", ".join(sorted(f.__name__ for f in FUNCTIONS))
            raise InputError(
                f"{getattr(function, '__name__', function)} has no Taylor series here; in formulas whose higher derivatives are needed use + - * / ** and {known}."
            )
        return self._composed(FUNCTIONS[function](self.c[0], self.algebra.degree))

    def _composed(self, taylor: list[np.ndarray]) -> Series:
        u = self.c.copy()
        u[0] = 0.0
        out = np.zeros((u.shape[0], *np.broadcast_shapes(u.shape[1:], np.shape(taylor[-1]))), dtype=np.result_type(u, taylor[-1]))
        out[0] = taylor[-1]
        for coefficient in reversed(taylor[:-1]):
            out = self.algebra.product(out, u)
            out[0] = out[0] + coefficient
        return Series(self.algebra, out)

    # -- arithmetic --------------------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Series:
        b = self._other(other)
        return NotImplemented if b is None else Series(self.algebra, np.add(*_aligned(self.c, b.c)))

    __radd__ = __add__

    def __neg__(self) -> Series:
        return Series(self.algebra, -self.c)

    def __pos__(self) -> Series:
        return self

    def __sub__(self, other: Any) -> Series:
        b = self._other(other)
        return NotImplemented if b is None else Series(self.algebra, np.subtract(*_aligned(self.c, b.c)))

    def __rsub__(self, other: Any) -> Series:
        return (-self) + other

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            number = np.asarray(other)
            return (
                NotImplemented if number.dtype == object else Series(self.algebra, np.multiply(*_aligned(self.c, number[None])))
            )
        return Series(self.algebra, self.algebra.product(*_aligned(self.c, other.c)))

    __rmul__ = __mul__

    def reciprocal(self) -> Series:
        """1/self."""
        return self._composed(_powers(self.c[0], -1.0, self.algebra.degree))

    def __truediv__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            number = np.asarray(other)
            return NotImplemented if number.dtype == object else Series(self.algebra, np.divide(*_aligned(self.c, number[None])))
        return self * other.reciprocal()

    def __rtruediv__(self, other: Any) -> Series:
        return self.reciprocal() * other

    def __pow__(self, exponent: Any) -> Series:
        if isinstance(exponent, Series):
            return (exponent * self.apply(np.log)).apply(np.exp)
        power = float(exponent)
        if power == int(power) and 0 <= power <= 64:
            out = self._other(np.ones(self.c.shape[1:]))
            assert out is not None
            for _ in range(int(power)):
                out = out * self
            return out
        return self._composed(_powers(self.c[0], power, self.algebra.degree))

    def __rpow__(self, base: Any) -> Series:
        return (self * np.log(base)).apply(np.exp)

    def __abs__(self) -> Series:
        return self * np.sign(self.c[0].real)

    # comparisons are those of the values
    def __lt__(self, other: Any) -> Any:
        return self.c[0].real < np.real(getattr(other, "value", other))

    def __gt__(self, other: Any) -> Any:
        return self.c[0].real > np.real(getattr(other, "value", other))

    def __le__(self, other: Any) -> Any:
        return self.c[0].real <= np.real(getattr(other, "value", other))

    def __ge__(self, other: Any) -> Any:
        return self.c[0].real >= np.real(getattr(other, "value", other))

    # -- NumPy -------------------------------------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        if len(inputs) == 1:
            simple = {
                np.negative: Series.__neg__,
                np.positive: Series.__pos__,
                np.absolute: Series.__abs__,
                np.square: lambda a: a * a,
            }
            return simple[ufunc](inputs[0]) if ufunc in simple else inputs[0].apply(ufunc)
        a, b = inputs
        return _binary(ufunc, a, b)


def _binary(ufunc: Any, a: Any, b: Any) -> Any:
    names = {
        np.add: "add",
        np.subtract: "sub",
        np.multiply: "mul",
        np.divide: "truediv",
        np.power: "pow",
        np.less: "lt",
        np.greater: "gt",
        np.less_equal: "le",
        np.greater_equal: "ge",
    }
    mirrored = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
    if ufunc not in names:
        return NotImplemented
    name = names[ufunc]
    if isinstance(a, Series):
        return getattr(a, f"__{name}__")(b)
    return getattr(b, f"__{mirrored[name]}__")(a) if name in mirrored else getattr(b, f"__r{name}__")(a)


def variables(point: Any, degree: int, more: int = 0) -> list[Series]:
    """x + dx as series: one for each row of `point`, which may hold many points along its further axes; `more` variables have the value zero.

    The coefficient of dx^e, times e!, of what a formula makes of them is its partial derivative of order e.
    """
    x = np.asarray(point)
    x = x.astype(np.result_type(x, float))
    own = algebra(x.shape[0] + more, degree)
    out = []
    for i in range(x.shape[0] + more):
        c = np.zeros((len(own.exponents), *x.shape[1:]), dtype=x.dtype)
        if i < x.shape[0]:
            c[0] = x[i]
        if degree:
            c[own.place[tuple(int(k == i) for k in range(x.shape[0] + more))]] = 1.0
        out.append(Series(own, c))
    return out


def as_series(value: Any, like: Series) -> Series:
    """A series, also of a plain number that a formula returned, with the points of another one."""
    out = value if isinstance(value, Series) else like._other(value)
    if out is None:
        raise InputError(f"a formula returned {value!r}, which is neither a number nor an array of numbers.")
    return Series(
        like.algebra,
        np.broadcast_to(_aligned(out.c, like.c)[0], np.broadcast_shapes(*(c.shape for c in _aligned(out.c, like.c)))),
    )
