"""What `sensitivity` answers: a table of derivatives with names and units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...motion.hybrid.differences import difference
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from .evaluate import unit_of


class Sensitivity(Result):
    """Outputs (`values`), and their derivatives (`matrix`: a row for each output, a column for each input)."""

    has_page = False
    status = FINISHED
    message = "all derivatives were computed."

    def __init__(self, question: Any, values: np.ndarray, matrix: np.ndarray):
        self.question, self.values, self.matrix = question, values, matrix
        self.outputs = [one.label for one in question.outputs]
        self.output_units = [unit_of(o, q) for o, q in zip(question.outputs, question.quantities)]
        self.inputs = [one.label for one in question.inputs]
        self.input_units = [one.unit for one in question.inputs]
        self.input_values = question.values

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.question.system)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.question.system)

    @property
    def elasticities(self) -> np.ndarray:
        """The derivatives in relative terms, d ln(output)/d ln(input): per cent per per cent. nan where an output is zero."""
        with np.errstate(all="ignore"):
            found = self.matrix * self.input_values / self.values[:, None]
        return np.where(np.isfinite(found), found, np.nan)

    def keys(self) -> list[tuple[str, str]]:
        """All pairs (output, input)."""
        return [(output, name) for output in self.outputs for name in self.inputs]

    def __getitem__(self, pair: tuple[str, str]) -> float:
        output, name = pair
        for label, known in ((output, self.outputs), (name, self.inputs)):
            if label not in known:
                raise InputError(f"{label!r} is not in this table; there are {', '.join(known)}.")
        return float(self.matrix[self.outputs.index(output), self.inputs.index(name)])

    def unit(self, i: int, j: int) -> str:
        """The unit of a derivative."""
        a, b = self.output_units[i], self.input_units[j]
        if a == b or not b:
            return "" if a == b else a
        return f"{a or '1'}/({b})" if set(b) & set(" /*") else f"{a or '1'}/{b}"

    def by_differences(self, step: float = 3e-4) -> np.ndarray:
        """The same matrix by central differences of order six of whole motions: slower, and good to about 1e-7; a check. nan where a neighbour cannot exist."""
        q, columns = self.question, []
        for j, one in enumerate(q.inputs):

            def outputs(h: float, j: int = j, one: Any = one) -> np.ndarray:
                values = q.values
                values[j] += h * one.size
                return q.outputs_at(values)

            try:
                columns.append(difference(outputs, step) / one.size)
            except InputError:  # one side cannot be: a damping below zero, say
                columns.append(np.full(len(self.outputs), np.nan))
        return np.stack(columns, axis=1)

    @property
    def data(self) -> Any:
        """Values, derivatives and elasticities as an `xarray.Dataset`."""
        import xarray as xr

        variables = {
            "value": ("output", self.values),
            "derivative": (("output", "input"), self.matrix),
            "elasticity": (("output", "input"), self.elasticities),
            "input_value": ("input", self.input_values),
            "output_unit": ("output", self.output_units),
            "input_unit": ("input", self.input_units),
        }
        attributes = {"title": f"sensitivities of {self.title}", "format": "rollick sensitivity 1", "by": self.question.by}
        return xr.Dataset(variables, coords={"output": self.outputs, "input": self.inputs}, attrs=attributes)

    @property
    def provenance(self) -> dict[str, Any]:
        """System, start, method, how the derivatives were had."""
        p, method = self.question.starting.problem, self.question.method
        return {
            "system": self.system_name,
            "model": self.model,
            "start": p.start.tolist(),
            "since": p.t0,
            "until": p.t1,
            "method": method.name,
            "rtol": float(method.rtol),
            "by": self.question.by,
            "steps": self.question.steps,
            **environment(),
        }

    def own_numbers(self) -> dict[str, Any]:
        """The table."""
        return {
            "outputs": [
                {"name": n, "unit": u, "value": v} for n, u, v in zip(self.outputs, self.output_units, self.values.tolist())
            ],
            "inputs": [
                {"name": n, "unit": u, "value": v} for n, u, v in zip(self.inputs, self.input_units, self.input_values.tolist())
            ],
            "derivatives": self.matrix.tolist(),
            "elasticities": self.elasticities.tolist(),
        }

    def summary(self) -> str:
        """The table in words."""
        lines = [f"sensitivities of {self.title}, by {self.question.by}"]
        shares = self.elasticities
        width = max(len(name) for name in self.inputs)
        for i, name in enumerate(self.outputs):
            lines.append(f"{name} = {self.values[i]:.9g} {self.output_units[i]}".rstrip())
            for j, other in enumerate(self.inputs):
                share = "" if np.isnan(shares[i, j]) or self.input_values[j] == 0.0 else f"   {shares[i, j]:+.4g} % per %"
                lines.append(f"    d/d {other:{width}}  {self.matrix[i, j]:+.9e} {self.unit(i, j)}".rstrip() + share)
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Bars: for each output what a change of each input by one per cent does to it; returns the figure."""
        from .pictures import plot_bars

        return plot_bars(self, names, path)
