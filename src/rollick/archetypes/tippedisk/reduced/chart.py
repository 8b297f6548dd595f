"""The stability chart in (kappa, zeta, omega) (Sailer, sections 6.3 and 6.4): its surfaces in closed form, and computed.

    surface    closed form                                     computed
    Phi        omega_c = 1 + kappa                             eigenvalues of Model 1.4 cross the axis
    Sigma      omega_h = sqrt(15/(7 + 8 zeta)) (1 + kappa)     Melnikov's integral over the separatrix
    Lambda     zeta = 1                                        zeta*(kappa): the curvature of the branch at the Hopf point (E22)
               omega_sigma = 1 - kappa                         the trace at the saddle
    fold       none                                            the extremum of the branch of cycles

Types: v1 (supercritical Hopf point, stable connection), v2 (subcritical Hopf point, stable connection, fold above both), v3 (supercritical Hopf point, unstable
connection, fold below). Both charts hold for small delta = eps/(Omega r mu), to leading order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....kernel.names import InputError, numbers
from ....motion.result.outcome import FINISHED
from ....motion.result.protocol import Result
from .balance import criticality_boundary
from .cycle_integral import folds, nu_zeroth, omega_heteroclinic

INVERTED, CYCLE, UNSTABLE_CYCLE = 1, 2, 4  # what there is at a point of the chart, as bits
PSI, MU, EPSILON = 3.95, 0.3, 0.06  # for eigenvalues of Model 1.4; Hopf points do not depend on them


def types(kappa: Any, zeta: Any, omega_h: Any, star: Any) -> np.ndarray:
    """1, 2, 3: v1, v2, v3."""
    k, z, h = np.asarray(kappa), np.asarray(zeta), np.asarray(omega_h)
    return np.where(z < star, 2, np.where(h < 1.0 - k, 3, 1))


def closed_regions(kappa: Any, zeta: Any, omega: Any) -> np.ndarray:
    """What the closed forms tell on a grid (kappa, zeta, omega) of any size, as bits: 1 above Phi (inverted spinning attracts), 2 above Sigma (past the connection).

    The type of a point of (kappa, zeta) says what lies between both; folds have no closed form.
    """
    k, z, w = (np.asarray(v, float) for v in (kappa, zeta, omega))
    above = w[None, :] > 1.0 + k[:, None]  # (kappa, omega)
    limit = (1.0 + k[:, None]) * np.sqrt(nu_zeroth(z))[None, :]  # (kappa, zeta)
    found = np.empty((k.size, z.size, w.size), np.uint8)
    np.multiply(w[None, None, :] > limit[:, :, None], 2, out=found, casting="unsafe")
    found += above[:, None, :].astype(np.uint8)
    return found


def hopf_by_eigenvalues(kappa: np.ndarray, psi: float = PSI, mu: float = MU, epsilon: float = EPSILON) -> np.ndarray:
    """omega where a pair of eigenvalues of Model 1.4 without dimensions is imaginary, by secants on their real part."""
    k = np.asarray(kappa, float)

    def growth(w: np.ndarray) -> np.ndarray:
        s = 1.0 + k
        J = np.zeros((*k.shape, 3, 3))
        J[..., 0, 2] = J[..., 1, 0] = 1.0
        J[..., 2, 0] = s / w**2 - 1.0
        J[..., 2, 1] = -mu * k * s / (epsilon * w**2)
        J[..., 2, 2] = -mu * s**2 / (epsilon * w**2)
        values = np.linalg.eigvals(J)
        pair = np.argmax(values.imag, axis=-1)[..., None]
        return np.take_along_axis(values, pair, axis=-1)[..., 0].real

    a, b = np.full_like(k, 0.99), np.full_like(k, 1.11)
    fa, fb = growth(a), growth(b)
    for _ in range(30):
        flat = np.abs(fb - fa) < 1e-300
        step = np.where(flat, 0.0, fb * (b - a) / np.where(flat, 1.0, fb - fa))
        a, fa, b = b, fb, b - step
        if np.abs(step).max() < 1e-13:
            break
        fb = growth(b)
    return b


@dataclass(frozen=True, repr=False)
class StabilityChart(Result):
    """Surfaces over (kappa, zeta): omega_c, omega_h, omega_f (nan without a fold), the amplitude of gamma at the fold, the types; `closed`: by closed forms."""

    has_page = False
    kappa: np.ndarray
    zeta: np.ndarray
    omega_c: np.ndarray
    omega_h: np.ndarray
    omega_f: np.ndarray
    amplitude_f: np.ndarray
    types: np.ndarray
    closed: bool
    status: str = FINISHED

    @property
    def message(self) -> str:
        """What was done."""
        how = "closed forms, without folds" if self.closed else "eigenvalues, Melnikov's integral and cycle integrals"
        return f"{self.kappa.size} x {self.zeta.size} points by {how}"

    @property
    def system_name(self) -> str:
        """What it is of."""
        return "stability chart of the tippedisk"

    def regions(self, omega: Any) -> np.ndarray:
        """What there is at (kappa, zeta, omega), as bits: 1 inverted spinning attracts, 2 a stable cycle, 4 an unstable cycle."""
        if self.closed:
            raise InputError("closed forms have no fold: closed_regions tells what they do know. Compute the chart instead.")
        w = np.asarray(numbers(omega, "omega"), float)[None, None, :]
        c, h, f = (v[..., None] for v in (self.omega_c, self.omega_h, self.omega_f))
        t = self.types[..., None]
        stable = np.where(t == 1, (w > h) & (w < c), np.where(t == 2, (w > h) & (w < f), (w > f) & (w < c)))
        unstable = np.where(t == 2, (w > c) & (w < f), (t == 3) & (w > f) & (w < h))
        return (INVERTED * (w > c) + CYCLE * stable + UNSTABLE_CYCLE * unstable).astype(np.uint8)

    @property
    def data(self) -> Any:
        """The surfaces as an `xarray.Dataset`."""
        import xarray as xr

        over = ("kappa", "zeta")
        names = ("omega_c", "omega_h", "omega_f", "amplitude_f", "types")
        return xr.Dataset(
            {name: (over, getattr(self, name)) for name in names},
            coords={"kappa": self.kappa, "zeta": self.zeta},
            attrs={"title": self.title, "closed": int(self.closed)},
        )

    def own_numbers(self) -> dict[str, Any]:
        """The surfaces."""
        names = ("kappa", "zeta", "omega_c", "omega_h", "omega_f", "amplitude_f", "types", "closed")
        return {name: getattr(self, name) for name in names}

    def summary(self) -> str:
        """How much of the chart each type has."""
        lines = [self.title, f"status   {self.status}: {self.message}"]
        lines.append(
            f"kappa    {self.kappa.min():.6g} .. {self.kappa.max():.6g}, zeta {self.zeta.min():.6g} .. {self.zeta.max():.6g}"
        )
        told = {
            1: "supercritical Hopf point, stable connection",
            2: "subcritical Hopf point, fold",
            3: "unstable connection, fold",
        }
        lines += [f"v{k}       {100.0 * (self.types == k).mean():6.2f} %  {words}" for k, words in told.items()]
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Types over (kappa, zeta) with their boundaries, and omega over kappa for some zeta (Figs. 6.2, 6.3)."""
        from .pictures import plot_chart

        return plot_chart(self, path)


def _axes(kappa: Any, zeta: Any) -> tuple[np.ndarray, np.ndarray]:
    k, z = (np.atleast_1d(np.asarray(numbers(v, name), float)) for v, name in ((kappa, "kappa"), (zeta, "zeta")))
    if not np.all((k > 0.0) & (k < 0.3)):
        raise InputError("kappa must lie between 0 and 0.3 in a chart: beyond, further folds and types were not looked for.")
    if not np.all((z >= 0.3) & (z < 4.0)):
        raise InputError("zeta must lie between 0.3 and 4 in a chart.")
    return k, z


def closed_chart(kappa: Any, zeta: Any) -> StabilityChart:
    """The chart by the closed forms of the thesis."""
    k, z = _axes(kappa, zeta)
    K, Z = np.meshgrid(k, z, indexing="ij")
    h = (1.0 + K) * np.sqrt(nu_zeroth(Z))
    nothing = np.full_like(K, np.nan)
    return StabilityChart(k, z, 1.0 + K, h, nothing, nothing, types(K, Z, h, 1.0), True)


def computed_chart(kappa: Any, zeta: Any) -> StabilityChart:
    """The chart computed: Hopf points by eigenvalues, connections and folds by quadrature."""
    k, z = _axes(kappa, zeta)
    K, Z = np.meshgrid(k, z, indexing="ij")
    h = omega_heteroclinic(K, Z)
    fold = folds(K, Z)
    return StabilityChart(k, z, hopf_by_eigenvalues(K), h, fold.omega, fold.Gamma, types(K, Z, h, criticality_boundary(K)), False)
