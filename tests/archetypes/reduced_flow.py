"""The reduced equations of a rubber body by SciPy, which shares no code with the quadrature of its nutation."""

import numpy as np
from scipy.integrate import solve_ivp

from rollick.kernel import rate


def state_after(body, start, seconds, rtol, atol):
    """The reduced state after some time."""

    def flow(t, y):
        out = np.empty(7)
        rate(body, t, y, out)
        return out

    return solve_ivp(flow, (0.0, seconds), start, method="DOP853", rtol=rtol, atol=atol).y[:, -1]
