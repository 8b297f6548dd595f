"""Residuals of a simulated motion against a track, with exact derivatives.

In each window of time the motion begins at a state of its own; the parameters are common. For a frame at t

    e = r(t) - r_i,      v = log(R_i^T R(t)),      residual = L^-1 (e, v),  L L^T = C_i,

the covariance of the track. The derivative of the state with respect to each input is carried along (`analysis.sensitivity`: variational equations by
complex step); that of the pose follows by a complex step of `pose_along`, and dv = J_r(v)^-1 d.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.names import InputError
from ..sensitivity.sensitivity import Question
from .attitudes import axial, log_slope, logarithm
from .pose import pose_along
from .track import Track

FAILED = 1e3  # residuals of a motion that does not come to its end: a step there is taken back


class Weights:
    """What makes errors of a frame (e, v) into independent numbers of variance 1, for the frames of a track."""

    def __init__(self, track: Track, place: bool):
        assert track.covariance is not None
        self.place = place
        C = track.covariance if place else track.covariance[:, 3:, 3:]
        self.inverse = np.linalg.inv(np.linalg.cholesky(C))

    def __call__(self, e: np.ndarray, v: np.ndarray) -> np.ndarray:
        both = np.concatenate([e, v], axis=1) if self.place else v
        return np.einsum("nij,nj->ni", self.inverse, both)


class Window:
    """An interval of time with its frames, and the question whose columns give the derivatives."""

    def __init__(self, question: Question, track: Track, place: bool):
        self.question, self.track, self.place = question, track, place
        self.weights = Weights(track, place)

    def residuals(self, values: np.ndarray) -> np.ndarray:
        """Residuals (frames, 3 or 6) for values of the inputs."""
        q = self.question.with_values(values)
        y, _ = q.path(None).at(self.track.t)
        e, v, _ = self.errors(q.system, y)
        return self.weights(e, v)

    def errors(self, system: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """e, v and the attitudes of states."""
        r, R = pose_along(system, y)
        return r - self.track.position, logarithm(np.swapaxes(self.track.attitude, 1, 2) @ R), R

    def slopes(self, values: np.ndarray, held: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Residuals, and their derivatives (frames, 3 or 6, inputs); those with respect to the first `held` inputs are left out (zero)."""
        q = self.question.with_values(values)
        first, columns = None, []
        for one in q.inputs[held:]:
            y, w = q.path(one).at(self.track.t)
            n = len(q.starting.problem.start)
            if first is None:
                e, v, R = self.errors(q.system, y[:, :n])
                first, J = self.weights(e, v), log_slope(v)
            moved, turned = pose_along(q.system, y[:, :n] + 1j * EPS * w[:, :n])
            d = axial(np.swapaxes(R, 1, 2) @ (turned.imag / EPS))
            columns.append(self.weights(moved.imag / EPS, np.einsum("nij,nj->ni", J, d)) / one.size)
        assert first is not None
        return first, np.stack([np.zeros_like(first)] * held + columns, axis=-1)


class Shooting:
    """All windows as one problem: parameters first, then the start of each window."""

    def __init__(self, windows: Sequence[Window], parameters: int):
        self.windows, self.p = list(windows), parameters
        self.calls = self.slopes_calls = 0
        self.counts = [len(w.question.inputs) - parameters for w in windows]
        first = windows[0].question.inputs
        self.inputs = list(first[:parameters])
        for k, w in enumerate(windows):
            for one in w.question.inputs[parameters:]:
                self.inputs.append(one if len(windows) == 1 else dataclasses.replace(one, name=f"{one.name}[{k + 1}]"))
        self._kept: tuple[bytes, np.ndarray, np.ndarray] | None = None
        self.hold = False  # parameters stay

    @property
    def begin(self) -> np.ndarray:
        """The values the questions hold."""
        return np.concatenate([self.windows[0].question.values[: self.p], *(w.question.values[self.p :] for w in self.windows)])

    def parts(self, x: np.ndarray) -> list[np.ndarray]:
        """The inputs of each window."""
        found, at = [], self.p
        for count in self.counts:
            found.append(np.concatenate([x[: self.p], x[at : at + count]]))
            at += count
        return found

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """All residuals in one row; large where the motion breaks off (the disk lifts off, falls)."""
        if self._kept is not None and self._kept[0] == x.tobytes():
            return self._kept[1]
        self.calls += 1
        found = []
        for w, part in zip(self.windows, self.parts(x)):
            try:
                found.append(w.residuals(part).ravel())
            except InputError:
                found.append(np.full(w.track.t.size * (6 if w.place else 3), FAILED))
        return np.nan_to_num(np.concatenate(found), nan=FAILED, posinf=FAILED, neginf=-FAILED)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of all residuals."""
        if self._kept is None or self._kept[0] != x.tobytes():
            self.slopes_calls += 1
            rows, blocks = [], []
            for w, part in zip(self.windows, self.parts(x)):
                try:
                    r, J = w.slopes(part, self.p if self.hold else 0)
                except InputError as error:
                    raise InputError(f"{error} Begin with other first values, at a later frame, or with more windows.") from None
                rows.append(r.ravel())
                blocks.append(J.reshape(-1, J.shape[-1]))
            total = np.zeros((sum(b.shape[0] for b in blocks), x.size))
            down, right = 0, self.p
            for b, count in zip(blocks, self.counts):
                total[down : down + b.shape[0], : self.p] = b[:, : self.p]
                total[down : down + b.shape[0], right : right + count] = b[:, self.p :]
                down, right = down + b.shape[0], right + count
            self._kept = x.tobytes(), np.concatenate(rows), total
        return self._kept[2]
