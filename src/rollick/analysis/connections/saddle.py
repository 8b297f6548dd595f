"""Equilibria that connections leave and reach: Newton's method, eigenvalues, and the subspaces along which motions leave and arrive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.names import InputError
from ..rates import Formula


@dataclass(frozen=True)
class Saddle:
    """A hyperbolic equilibrium x at the parameter p: eigenvalues by falling real part, the Jacobian A."""

    x: np.ndarray
    p: float
    A: np.ndarray
    eigenvalues: np.ndarray

    @property
    def unstable(self) -> int:
        """The dimension of the unstable manifold."""
        return int(np.count_nonzero(self.eigenvalues.real > 0.0))

    @property
    def saddle_quantity(self) -> float:
        """The leading unstable exponent plus the leading stable one: negative where a homoclinic loop attracts from inside (Andronov and Leontovich)."""
        re = self.eigenvalues.real
        return float(re[re > 0.0].min() + re[re < 0.0].max()) if 0 < self.unstable < re.size else float("nan")

    def direction(self, unstable: bool) -> tuple[float, np.ndarray, np.ndarray]:
        """(exponent, v, w): the only unstable (or stable) eigenvalue with its right and left eigenvector, |v| = 1, w.v = 1."""
        values, vectors = np.linalg.eig(self.A)
        k = int(np.argmax(values.real) if unstable else np.argmin(values.real))
        v = vectors[:, k].real / np.linalg.norm(vectors[:, k].real)
        left, rows = np.linalg.eig(self.A.T)
        w = rows[:, int(np.argmin(np.abs(left - values[k])))].real
        return float(values[k].real), v, w / float(w @ v)

    def annihilator(self, unstable: bool) -> np.ndarray:
        """Rows that vanish exactly on the unstable (or stable) subspace: real left eigenvectors of the other eigenvalues."""
        values, rows = np.linalg.eig(self.A.T)
        wanted = values.real < 0.0 if unstable else values.real > 0.0
        out = []
        for value, row in zip(values[wanted], rows[:, wanted].T):
            if value.imag > 0.0:
                out += [row.real, row.imag]
            elif value.imag == 0.0:
                out.append(row.real)
        return np.array(out).reshape(len(out), self.x.size)


def saddle_near(rates: Formula, near: np.ndarray, p: float, what: str) -> Saddle:
    """The equilibrium near a state, by Newton's method; refused where an eigenvalue is on the imaginary axis."""
    x = np.array(near, float)
    for _ in range(60):
        value, A = rates(x, p), rates.slopes(x, p)
        if not (np.all(np.isfinite(value)) and np.all(np.isfinite(A))):
            break
        try:
            step = np.linalg.solve(A, value)
        except np.linalg.LinAlgError:
            break
        x = x - step
        if np.abs(step).max() <= 1e-13 * max(1.0, float(np.abs(x).max())):
            A = rates.slopes(x, p)
            values = np.linalg.eigvals(A)
            values = values[np.argsort(-values.real, kind="stable")]
            if np.abs(values.real).min() < 1e-9 * np.abs(values).max():
                raise InputError(
                    f"the {what} {np.array2string(x, precision=6)} at p = {p:.9g} has an eigenvalue on the imaginary axis ({values}): connections of "
                    f"equilibria that are not hyperbolic are not followed. Choose other values of the parameter."
                )
            return Saddle(x, p, A, values)
    raise InputError(
        f"no equilibrium was found near the {what} {np.asarray(near).tolist()} at p = {p:.9g}; give a state nearer to it, or other values of the parameter."
    )
