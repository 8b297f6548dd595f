"""Melnikov's integrals along a connection: first and second order, with or without time in the perturbation.

    x' = f0(x) + eps f1(x, p, t) + eps^2 f2(x, p, t)

On the line across the connection at x0(0), at the time t0, unstable and stable manifold differ in H by eps M1 + eps^2 M2 + ...:

    M1(t0) = int grad H . f1(x0(t), t + t0) dt
    M2(t0) = int_-oo^0 [D(grad H . f1) x1u + grad H . f2] dt + the same with x1s from 0 to oo, + x1.H'' x1/2 at both ends,

where x1' = Df0 x1 + f1 along the connection, bounded towards the saddle from which (x1u) or to which (x1s) it runs, and along the line at t = 0.
In coordinates in which f0 is not canonical the same formulas hold: only grad H . f0 = 0 is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..rates import Formula
from .march import B, C, march_linear
from .separatrix import Half, Separatrix

HARMONICS = 64  # points per period at the saddles


def first_order(orbit: Separatrix, perturbation: Formula, p: Any, t0: np.ndarray, every: int = 1) -> np.ndarray:
    """M1 at the times t0, by the trapezoidal rule on all nodes, or on each second one (to see how well it converged)."""
    g = orbit.limit.gradient(orbit.x, orbit.p)[:, ::every]
    x, t = orbit.x[:, ::every], orbit.t[::every]
    out = np.empty(t0.size)
    for part in np.array_split(np.arange(t0.size), max(1, t0.size * t.size // 2_000_000)):
        f1 = perturbation(x[:, None, :], p, t[None, :] + t0[part, None])
        out[part] = every * orbit.h * np.einsum("in,ikn->k", g, np.broadcast_to(f1, (2, part.size, t.size)))
    return out


def _at_saddle(half: Half, orbit: Separatrix, f1: Formula, p: Any, t: np.ndarray, period: float | None) -> np.ndarray:
    """The bounded x1 at the saddle at the times t, shape (2, times): x1' = A x1 + f1(saddle, t), harmonic by harmonic."""
    A = orbit.limit.field_slopes(half.saddle, orbit.p)
    if period is None:
        right = f1(half.saddle, p, 0.0)
        return np.repeat(-np.linalg.solve(A, right)[:, None], t.size, axis=1)
    times = period * np.arange(HARMONICS) / HARMONICS
    c = np.fft.fft(np.broadcast_to(f1(half.saddle[:, None], p, times), (2, HARMONICS)), axis=1) / HARMONICS
    k = np.fft.fftfreq(HARMONICS, 1.0 / HARMONICS)
    if np.abs(c[:, HARMONICS // 4 : 3 * HARMONICS // 4]).max() > 1e-10 * max(np.abs(c).max(), 1e-300):
        raise InputError(
            f"the perturbation at the saddle is not resolved by {HARMONICS} points per period {period:g}: is this its period? It must be smooth in time."
        )
    omega = 2.0 * np.pi / period
    response = np.stack([np.linalg.solve(1j * omega * kk * np.eye(2) - A, c[:, i]) for i, kk in enumerate(k)], axis=1)
    return (response @ np.exp(1j * omega * np.outer(k, t))).real


def _half_second(
    half: Half, orbit: Separatrix, f1: Formula, f2: Formula | None, p: Any, t0: np.ndarray, period: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """What one half contributes: H at t = 0, first and second order in eps, for each t0 (relative to H of the saddle)."""
    limit, h = orbit.limit, half.h
    steps = half.stages.shape[1]
    begin = half.t[:-1]
    times = begin[:, None] + h * C[None, :]
    x = half.stages
    when = times[None] + t0[:, None, None]  # (cases, steps, stages)
    fields = np.broadcast_to(f1(x[:, None], p, when), (2, t0.size, steps, C.size))
    x1, stages = march_linear(limit.field_slopes(x, orbit.p), fields, _at_saddle(half, orbit, f1, p, half.t[0] + t0, period), h)
    f0_end = limit.field(half.x[:, -1], orbit.p)
    shift = -(f0_end @ x1[..., -1]) / (f0_end @ f0_end)  # along the connection, so that x1 at t = 0 is on the line
    stages = stages + shift[None, :, None, None] * limit.field(x, orbit.p)[:, None]
    start = x1[..., 0] + shift[None, :] * limit.field(half.x[:, 0], orbit.p)[:, None]
    g, H2 = limit.gradient(x, orbit.p), limit.hessian(x, orbit.p)
    big = np.broadcast_to(x[:, None], (2, t0.size, steps, C.size))
    slopes = f1.slopes(big, p, when)
    rate2 = np.einsum("iksm,ijsm,jksm->ksm", stages, H2, fields) + np.einsum("ism,ijksm,jksm->ksm", g, slopes, stages)
    if f2 is not None:
        rate2 = rate2 + np.einsum("ism,iksm->ksm", g, np.broadcast_to(f2(big, p, when), big.shape))
    rate1 = np.einsum("ism,iksm->ksm", g, fields)
    first = h * np.einsum("m,ksm->k", B, rate1)
    H2_start = limit.hessian(half.x[:, 0], orbit.p)
    second = h * np.einsum("m,ksm->k", B, rate2) + 0.5 * np.einsum("ik,ij,jk->k", start, H2_start, start)
    return first + limit.gradient(half.x[:, 0], orbit.p) @ start, second


def second_order(
    orbit: Separatrix,
    perturbation: Formula,
    second: Callable | None,
    p: Any,
    t0: np.ndarray,
    period: float | None,
) -> tuple[np.ndarray, np.ndarray]:
    """(M1, M2) at the times t0; M1 once more, by another quadrature than `first_order`."""
    f2 = None if second is None else Formula(second, 2, "the second-order perturbation")
    u = _half_second(orbit.unstable, orbit, perturbation, f2, p, t0, period)
    s = _half_second(orbit.stable, orbit, perturbation, f2, p, t0, period)
    return u[0] - s[0], u[1] - s[1]
