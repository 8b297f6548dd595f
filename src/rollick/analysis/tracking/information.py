"""What data know of the numbers that were fitted: the information matrix, its inverse, and the directions it says nothing about.

With residuals of variance 1 the information is J^T J. In units of the typical sizes of the inputs, J D = U S V^T: along the column v_k of V the inputs are known
to 1/s_k of their sizes. Where that exceeds `UNKNOWN` (or rounding, s_1/s_k > 1e9) the data do not determine the combination v_k; inputs with a part in it have no
interval, all others keep theirs: the covariance is D V S^-2 V^T D over the directions that are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

UNKNOWN = 30.0  # times its size: a combination that is known no better is not known
SINGULAR = 1e9
PART = 0.05  # a component of v_k at least so large belongs to the combination
WEAK = 0.5  # relative standard error beyond which a parameter is told to be weakly known


@dataclass(frozen=True)
class Information:
    """covariance (nan for inputs that are not known), errors, correlation; the combinations that are not known, as {name: part}."""

    covariance: np.ndarray
    errors: np.ndarray
    correlation: np.ndarray
    unknown: list[dict[str, float]]
    condition: float

    @property
    def not_known(self) -> list[str]:
        """The inputs that are not known."""
        return list(dict.fromkeys(name for one in self.unknown for name in one))


def information(J: np.ndarray, sizes: np.ndarray, names: list[str], scale: float = 1.0) -> Information:
    """What residuals with the Jacobian J say; scale: their standard deviation."""
    _, S, Vt = np.linalg.svd(J * sizes, full_matrices=False)
    lost = (S[0] / SINGULAR >= S) | (scale / np.maximum(S, 1e-300) > UNKNOWN)
    unknown = []
    for v in Vt[lost]:
        # the largest part first; equal parts in the order of the names, whatever rounding says
        order = np.argsort(-np.round(np.abs(v), 6), kind="stable")
        v = v * np.sign(v[order[0]])
        unknown.append({names[k]: float(v[k]) for k in order if abs(v[k]) > PART})
    kept = Vt[~lost] * sizes
    covariance = scale**2 * (kept.T / S[~lost] ** 2) @ kept
    hidden = np.array([name in {n for one in unknown for n in one} for name in names])
    covariance[hidden] = np.nan
    covariance[:, hidden] = np.nan
    errors = np.sqrt(np.diag(covariance))
    condition = float(S[0] / S[-1]) if S[-1] > 0.0 else np.inf
    return Information(covariance, errors, covariance / np.outer(errors, errors), unknown, condition)
