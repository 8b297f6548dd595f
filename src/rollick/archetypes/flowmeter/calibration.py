"""A calibration curve from measured pairs (flow, speed): least squares, its covariance, prediction bands, and what a reading then means.

speed = a + b flow + error of standard deviation s. With n pairs and p coefficients, s^2 = RSS/(n - p), cov = s^2 (X'X)^-1; a new reading lies with the probability given
within t_(n-p) s sqrt(1 + x (X'X)^-1 x') of the line. What a reading says about the flow is the inverse, with the uncertainty of line and reading.
"""

from __future__ import annotations

import csv
import functools
import io
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

from ...kernel.names import InputError, file_of
from ...kernel.units import parsed
from ...motion.result.digits import with_error

FEWEST = 4
UNIT = re.compile(r"^(.*?)\s*[\[(]([^\])]*)[\])]\s*$")


@dataclass(frozen=True)
class Pairs:
    """Measured pairs, in the units of the file: names and units of both columns, where the numbers are from."""

    flow: np.ndarray
    speed: np.ndarray
    names: tuple[str, str] = ("flow", "speed")
    units: tuple[str, str] = ("", "")
    source: str = "pairs"


def read_pairs(path: Any) -> Pairs:
    """Pairs from a CSV file: two columns (comma, semicolon or tab), the first line may name them with units, "flow [dm^3/min], speed [Hz]"; # begins a remark."""
    target = file_of(path)
    try:
        text = target.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {target}; give a CSV file with two columns, flow and speed.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{target} cannot be read as text ({error.__class__.__name__}); give a CSV file with two columns, flow and speed."
        ) from None
    lines = [(k, line) for k, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise InputError(f"{target} is empty; it must have lines of two numbers, flow and speed.")
    mark = max(",;\t", key=lines[0][1].count)
    names, units, rows = ("flow", "speed"), ("", ""), []
    for n, (k, line) in enumerate(lines):
        cells = [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=mark))]
        if len(cells) != 2:
            raise InputError(
                f"{target}, line {k}: two numbers are wanted, flow and speed, here {'is' if len(cells) == 1 else 'are'} {len(cells)}: {line.strip()[:60]!r}."
            )
        try:
            rows.append((float(cells[0]), float(cells[1])))
        except ValueError:
            if n > 0:
                raise InputError(
                    f"{target}, line {k}: {line.strip()[:60]!r} is not a pair of numbers (a decimal point, no units)."
                ) from None
            (names, units) = named_columns(target, cells)
            continue
        if not all(map(math.isfinite, rows[-1])):
            raise InputError(f"{target}, line {k}: {line.strip()[:60]!r} is not finite.")
    if not rows:
        raise InputError(f"{target} has a heading and no pairs.")
    found = np.array(rows)
    return Pairs(found[:, 0], found[:, 1], names, units, target.name)


def named_columns(target: Path, cells: list[str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Names and units of a heading; a unit that is not known is refused."""
    names, units = [], []
    for cell in cells:
        found = UNIT.match(cell)
        names.append(found[1] if found else cell)
        units.append(found[2].strip() if found else "")
        if units[-1] and parsed(units[-1]) is None:
            raise InputError(
                f"{target}: the unit {units[-1]!r} of the column {names[-1]!r} is not known; write e.g. dm^3/min, m^3/h, m/s, Hz, or none."
            )
    return (names[0], names[1]), (units[0], units[1])


@dataclass(frozen=True)
class Calibration:
    """speed = coefficients . (1, flow) (or flow alone): the fit, its covariance, s, and what speaks against a straight line.

    bend: t of a quadratic term, if one is added; bent: whether it is significant at 99 %; runs: the probability that chance alone would change the sign of the
    residuals so seldom, in the order of flows. outliers: the pairs whose studentised residual is beyond what 99 % of samples have.
    """

    pairs: Pairs
    through_zero: bool
    coefficients: np.ndarray
    covariance: np.ndarray
    s: float
    r_squared: float
    probability: float
    bend: float | None
    bent: bool
    runs: float
    outliers: tuple[int, ...]

    @property
    def freedom(self) -> int:
        """n - p."""
        return self.pairs.flow.size - self.coefficients.size

    @property
    def slope(self) -> float:
        """b, speed per flow."""
        return float(self.coefficients[-1])

    @property
    def offset(self) -> float:
        """a."""
        return 0.0 if self.through_zero else float(self.coefficients[0])

    @functools.cached_property
    def quantile(self) -> float:
        """t of the probability given, two-sided."""
        return float(student.ppf(0.5 + 0.5 * self.probability, self.freedom))

    def rows(self, flow: Any) -> np.ndarray:
        """The rows (1, flow) or (flow) of the fit."""
        x = np.atleast_1d(np.asarray(flow, float))
        return x[:, None] if self.through_zero else np.stack([np.ones_like(x), x], axis=1)

    def speed(self, flow: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The line at flows; half widths of the band of the line (confidence) and of new readings (prediction)."""
        X = self.rows(flow)
        line = np.einsum("ij,jk,ik->i", X, self.covariance, X)
        return X @ self.coefficients, self.quantile * np.sqrt(line), self.quantile * np.sqrt(line + self.s**2)

    def flow(self, speed: float) -> tuple[float, float, float]:
        """The flow that a reading means, and the least and largest flow in whose prediction band it lies."""
        t2, y = self.quantile**2, float(speed) - self.offset
        V = np.zeros((2, 2))
        V[-self.coefficients.size :, -self.coefficients.size :] = self.covariance
        # (y - b x)^2 = t^2 (s^2 + V00 + 2 V01 x + V11 x^2), a quadratic in x
        a = self.slope**2 - t2 * V[1, 1]
        h = self.slope * y + t2 * V[0, 1]
        k = y * y - t2 * (self.s**2 + V[0, 0])
        if a <= 0.0:  # the slope itself is not known to be above zero
            return y / self.slope, -math.inf, math.inf
        root = math.sqrt(max(h * h - a * k, 0.0))
        return y / self.slope, float((h - root) / a), float((h + root) / a)

    def summary(self) -> str:
        """The curve in words."""
        x, y = (f"{name} [{unit}]" if unit else name for name, unit in zip(self.pairs.names, self.pairs.units))
        error = np.sqrt(np.diag(self.covariance))
        lines = [f"{self.pairs.flow.size} pairs of {self.pairs.source}: {y} against {x}"]
        if not self.through_zero:
            lines.append(f"offset      {with_error(self.offset, error[0])}")
        lines += [
            f"slope       {with_error(self.slope, error[-1])}",
            f"scatter     {self.s:.4g} (standard deviation of a reading, {self.freedom} degrees of freedom), R^2 = {self.r_squared:.6f}",
        ]
        ends = np.array([self.pairs.flow.min(), self.pairs.flow.max()])
        _, _, wide = self.speed(ends)
        for x_end, half in zip(ends, wide):
            lines.append(
                f"at {x_end:.6g}   a reading lies within +-{half:.3g} ({self.probability:.0%}), that is +-{half / abs(self.slope):.3g} in flow"
            )
        if self.bend is not None:
            likely = abs(self.bend) > float(student.ppf(0.975, self.freedom - 1))
            verdict = "a bend is likely" if likely else "no sign of a bend"
            verdict = "the curve is bent, a straight line does not do" if self.bent else verdict
            lines.append(f"straight?   t = {self.bend:.2f} of a quadratic term: {verdict}")
        if self.runs < 0.025:
            lines.append(
                f"pattern     residuals change their sign too seldom for chance (p = {self.runs:.2g}): the pairs do not follow a straight line"
            )
        if self.outliers:
            lines.append(f"outliers    pairs {', '.join(str(k + 1) for k in self.outliers)} are further off than chance")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        x = np.linspace(float(self.pairs.flow.min()), float(self.pairs.flow.max()), 21)
        line, confidence, prediction = self.speed(x)
        return {
            "source": self.pairs.source, "pairs": int(self.pairs.flow.size), "columns": list(self.pairs.names), "units": list(self.pairs.units),
            "offset": self.offset, "slope": self.slope, "covariance": self.covariance.tolist(), "s": self.s, "r_squared": self.r_squared,
            "probability": self.probability, "bend_t": self.bend, "bent": self.bent, "runs_p": self.runs, "outliers": [k + 1 for k in self.outliers],
            "curve": {"flow": x.tolist(), "speed": line.tolist(), "confidence": confidence.tolist(), "prediction": prediction.tolist()},
        }  # fmt: skip


def least_squares(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Coefficients, covariance and s, by QR."""
    Q, R = np.linalg.qr(X)
    made = np.linalg.solve(R, Q.T @ y)
    left = y - X @ made
    s2 = float(left @ left) / (len(y) - X.shape[1])
    inverse = np.linalg.inv(R)
    return made, s2 * inverse @ inverse.T, math.sqrt(s2)


def seldom(signs: np.ndarray) -> float:
    """Wald and Wolfowitz: the probability of as few runs of one sign, or fewer, if all orders of these signs are as likely."""
    plus, minus = int(np.sum(signs > 0)), int(np.sum(signs < 0))
    if plus == 0 or minus == 0:
        return 1.0
    kept = signs[signs != 0]
    seen, ways = 1 + int(np.sum(kept[1:] != kept[:-1])), 0
    for r in range(2, seen + 1):
        k = r // 2
        if r % 2 == 0:
            ways += 2 * math.comb(plus - 1, k - 1) * math.comb(minus - 1, k - 1)
        else:
            ways += math.comb(plus - 1, k) * math.comb(minus - 1, k - 1) + math.comb(plus - 1, k - 1) * math.comb(minus - 1, k)
    return ways / math.comb(plus + minus, plus)


def calibrate(pairs: Pairs, through_zero: bool = False, probability: float = 0.95) -> Calibration:
    """The straight line through measured pairs."""
    x, y = np.asarray(pairs.flow, float), np.asarray(pairs.speed, float)
    if not 0.0 < probability < 1.0:
        raise InputError(f"probability = {probability!r} must lie between 0 and 1, e.g. 0.95.")
    if x.ndim != 1 or x.shape != y.shape or not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
        raise InputError("flow and speed must be as many finite numbers each.")
    if x.size < FEWEST:
        raise InputError(
            f"{pairs.source}: {x.size} pairs are too few for a line and its uncertainty; {FEWEST} or more are needed."
        )
    if np.unique(x).size < 2 or float(np.ptp(x)) <= 1e-9 * float(np.abs(x).max()):
        raise InputError(f"{pairs.source}: all flows are {x[0]:g}; a line needs different ones.")
    if np.any(x < 0.0) or np.any(y < 0.0):
        k = int(np.flatnonzero((x < 0.0) | (y < 0.0))[0])
        raise InputError(f"{pairs.source}: pair {k + 1} ({x[k]:g}, {y[k]:g}) is negative; flow and speed of a meter are sizes.")
    scale = float(np.abs(x).max())
    z = x / scale  # so that the columns are of one size
    X = z[:, None] if through_zero else np.stack([np.ones_like(z), z], axis=1)
    made, cov, s = least_squares(X, y)
    back = np.diag([1.0 / scale] if through_zero else [1.0, 1.0 / scale])
    hat = np.einsum("ij,ji->i", X, np.linalg.pinv(X))
    free = x.size - X.shape[1]
    bend, bent = None, False
    outliers: tuple[int, ...] = ()
    if s > 1e-12 * float(np.abs(y).max()):
        if np.unique(x).size > X.shape[1] + 1 and free > 1:
            more, covered, _ = least_squares(np.column_stack([X, z * z]), y)
            bend = float(more[-1] / math.sqrt(covered[-1, -1])) if covered[-1, -1] > 0.0 else math.inf
            bent = abs(bend) > float(student.ppf(0.995, free - 1))
        r = (y - X @ made) / (s * np.sqrt(np.maximum(1.0 - hat, 1e-12)))
        if free > 1:
            inside = np.maximum(free - r * r, 1e-12)
            external = r * np.sqrt((free - 1) / inside)
            limit = float(student.ppf(1.0 - 0.005 / x.size, free - 1))
            outliers = tuple(int(k) for k in np.flatnonzero(np.abs(external) > limit))
    left = y - X @ made
    noisy = s > 1e-12 * float(np.abs(y).max())
    runs = seldom(np.sign(left[np.argsort(x, kind="stable")])) if noisy else 1.0
    total = float(y @ y if through_zero else (y - y.mean()) @ (y - y.mean()))
    r2 = 1.0 - float(left @ left) / total if total > 0.0 else 0.0
    if made[-1] <= 0.0:
        raise InputError(
            f"{pairs.source}: the speed does not grow with the flow (slope {made[-1] / scale:.3g}); are the columns exchanged, or is one constant?"
        )
    return Calibration(pairs, through_zero, back @ made, back @ cov @ back, s, r2, float(probability), bend, bent, runs, outliers)
