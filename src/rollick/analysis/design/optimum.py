"""What `optimise` answers: the best parameters, the output there, what was tried, and whether it is an optimum or a bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import called, choose
from ...motion.result.outcome import FINISHED, MOST_STEPS
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from ..sensitivity.evaluate import unit_of

EDGE = 1e-9  # of the range: this near to a bound is at it


class Optimum(Result):
    """`values` by the `names` of the inputs, `objective` there and `gradient` (zero, but for inputs `at_bound`), `tried`: all evaluations."""

    has_page = False

    def __init__(self, question: Any, f: Any, best: tuple, goal: str, ends: list[float], broken_off: bool, limits: tuple):
        self.question, self.goal, self.ends = question.with_values(best[0]), goal, ends
        self.names = [one.label for one in question.inputs]
        self.units = [one.unit for one in question.inputs]
        self.low, self.high = limits
        self.values, self.objective = np.array(best[0]), float(f.sign * best[1])
        self.gradient = f.sign * np.array(best[2]) / (self.high - self.low)
        self.tried = [(v, float(f.sign * value)) for v, value, _ in f.tried]
        self.refused, self._broken_off = f.refused, broken_off
        self.began = self.tried[0][1]
        span = self.high - self.low
        near = np.minimum(self.values - self.low, self.high - self.values) <= EDGE * span
        self.at_bound = [name for name, here in zip(self.names, near) if here]
        self.output = question.outputs[0].label
        self.unit = unit_of(question.outputs[0], question.quantities[0])
        inner = np.abs(self.gradient * span)[~near]
        self.flat = float(inner.max()) if inner.size else 0.0

    @property
    def status(self) -> str:
        """finished, or max_steps."""
        return MOST_STEPS if self._broken_off else FINISHED

    @property
    def message(self) -> str:
        """How it ended."""
        word = "least" if self.goal == "min" else "greatest"
        told = f"{self.output} is {word} here" + (f", with {', '.join(self.at_bound)} at a bound" if self.at_bound else "")
        told += f"; over the range of an input it would change by {self.flat:.1e} at most, to first order." if self.flat else "."
        if self._broken_off:
            told = f"stopped after the limit of iterations; {told}"
        if self.refused:
            told += f" {len(self.refused)} trial points had no such output (the last: {self.refused[-1]})"
        return told

    def keys(self) -> list[str]:
        """The names of the chosen numbers."""
        return list(self.names)

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.names.index(choose(name, self.names, "chosen number"))])

    @property
    def system(self) -> Any:
        """The system with the best parameters."""
        return self.question.system

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the best system."""
        return numbers_of(self.system)

    @property
    def data(self) -> Any:
        """Everything tried, and the best, as an `xarray.Dataset`."""
        import xarray as xr

        variables = {
            "value": ("input", self.values),
            "gradient": ("input", self.gradient),
            "unit": ("input", self.units),
            "tried": (("trial", "input"), np.array([v for v, _ in self.tried])),
            "objective": ("trial", np.array([o for _, o in self.tried]), {"units": self.unit}),
        }
        attributes = {
            "title": f"optimum of {self.title}",
            "format": "rollick optimum 1",
            "output": self.output,
            "goal": self.goal,
        }
        return xr.Dataset(variables, coords={"input": self.names}, attrs=attributes)

    @property
    def provenance(self) -> dict[str, Any]:
        """System, method, cost."""
        q = self.question
        made = {
            "system": self.system_name,
            "model": self.model,
            "method": q.method.name,
            "rtol": float(q.method.rtol),
            "evaluations": len(self.tried),
        }
        return {**made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """The best numbers."""
        rows = zip(self.names, self.units, self.values.tolist(), self.gradient.tolist())
        return {
            "output": self.output,
            "goal": self.goal,
            "objective": self.objective,
            "began": self.began,
            "unit": self.unit,
            "chosen": [{"name": n, "unit": u, "value": v, "gradient": g, "at_bound": n in self.at_bound} for n, u, v, g in rows],
            "ends": self.ends,
            "evaluations": len(self.tried),
        }

    def summary(self) -> str:
        """The best numbers."""
        lines = [f"{self.output} of {self.title}: {self.began:.8g} -> {self.objective:.8g} {self.unit}".rstrip()]
        lines.append(f"status   {self.status}: {self.message}")
        width = max(map(len, self.names))
        for k, name in enumerate(self.names):
            where = " (at a bound)" if name in self.at_bound else ""
            lines.append(
                f"{name:{width}} = {self.values[k]:.8g} {self.units[k]}".rstrip()
                + f" in [{self.low[k]:g}, {self.high[k]:g}]{where}"
            )
        lines.append(
            f"{len(self.tried)} evaluations"
            + (f"; {len(self.ends)} starts ended at {', '.join(f'{e:.6g}' for e in self.ends)}" if len(self.ends) > 1 else "")
        )
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """What was tried: the output over each input, in the order of trial; returns the figure."""
        from .pictures import plot_optimum

        return plot_optimum(self, names, path)
