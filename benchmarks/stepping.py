"""What a time step costs: a tippedisk on the plane (5 s, dt = 1e-5, one closed contact), in microseconds and as ratios within one run.

    python benchmarks/stepping.py [--mujoco PYTHON]

The same disk in its own quaternion form and as a `Sliding` body, by the three schemes, with Coulomb's and with Coulomb-Contensou friction; in
the air, to see what the contact costs; and by the scheme of the thesis in plain NumPy, one Python step at a time. PYTHON is an interpreter that
can import MuJoCo: its contact model is another one (soft, convex), so that only the cost of a step is compared. Seconds of one core, the best of several runs; compare ratios.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from rollick import simulate  # noqa: E402
from rollick.archetypes.tippedisk import start, table_start, tippedisk  # noqa: E402
from rollick.mechanics.body import Body  # noqa: E402
from rollick.mechanics.laws.contensou import contensou  # noqa: E402
from rollick.mechanics.laws.sliding import Coulomb  # noqa: E402
from rollick.mechanics.shapes.convex import Rim  # noqa: E402
from rollick.mechanics.sliding import sliding  # noqa: E402

STEP, UNTIL, BAR = 1e-5, 5.0, 2.0
MU, RADIUS = 0.3, 2.9e-3
SCHEMES = ("moreau", "midpoint", "thesis")
LAWS = {"Coulomb": Coulomb(MU), "Contensou": contensou(MU, RADIUS)}

MUJOCO = """
import time, mujoco
model = mujoco.MjModel.from_xml_string('''<mujoco><option timestep="1e-5" cone="elliptic" integrator="Euler"/><worldbody>
  <geom type="plane" size="1 1 1" friction="0.3 0 0"/>
  <body pos="0 0 0.045" euler="90 0 0"><freejoint/>
    <inertial mass="0.4354" pos="0.0025 0 0" diaginertia="2.4856e-4 2.2406e-4 4.6536e-4"/>
    <geom type="ellipsoid" size="0.045 0.045 0.002" friction="0.3 0 0"/></body></worldbody></mujoco>''')
best = 1e9
for _ in range(3):
    data = mujoco.MjData(model)
    data.qvel[4] = 40.0
    mujoco.mj_step(model, data, 1000)
    began = time.process_time()
    mujoco.mj_step(model, data, 100000)
    best = min(best, (time.process_time() - began) / 100000)
print(mujoco.__version__, best, data.ncon)
"""


def per_step(system, state, scheme: str, until: float = UNTIL, repeats: int = 3) -> float:
    """Microseconds per step, the best of several runs."""
    simulate(system, state, 100 * STEP, method=scheme, dt=STEP)
    best = np.inf
    for _ in range(repeats):
        began = time.process_time()
        m = simulate(system, state, until, method=scheme, dt=STEP, progress=False)
        best = min(best, (time.process_time() - began) / m.provenance["steps"])
    return 1e6 * best


def as_sliding(form, law):
    """The same disk as a body of `rollick.mechanics.sliding`, with the start of Table 3.1."""
    d = form.disk
    moments = (d.A, d.Bb, d.C - d.m * d.e**2)
    given = {"theta": 0.5 * np.pi, "psi": -0.5 * np.pi + 0.1, "phi_rate": 40.0}
    return sliding(Body.from_inertia(d.m, moments, Rim(d.r), (d.e, 0.0, 0.0)), law=law), given


def attitude(p):
    """The rotation matrix of a unit quaternion."""
    w, v = p[0], p[1:]
    return (w * w - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * w * skew(v)


def skew(v):
    """The matrix of v x."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def position_rate(q, u):
    """q' of position and quaternion."""
    w, v, o = q[3], q[4:], u[3:]
    return np.concatenate([u[:3], [-0.5 * v @ o], 0.5 * (w * o + np.cross(v, o))])


def numpy_steps(form, q, u, steps: int, tol: float = 1e-8, factor: float = 0.1):
    """The scheme of the thesis for the quaternion form, one contact, step by step."""
    d, g = form.disk, form.g
    inertia, arm, P = np.diag([d.A, d.B, d.C]), np.array([d.e, 0.0, 0.0]), np.zeros(3)
    for _ in range(steps):
        qm = q + 0.5 * STEP * position_rate(q, u)
        R = attitude(qm[3:] / np.linalg.norm(qm[3:]))
        n, o = R[2], u[3:]
        M = np.block([[d.m * np.eye(3), -d.m * R @ skew(arm)], [-d.m * (R @ skew(arm)).T, inertia]])
        weight = np.array([0.0, 0.0, -d.m * g])
        forces = np.concatenate(
            [weight - d.m * R @ np.cross(o, np.cross(o, arm)), np.cross(arm, R.T @ weight) - np.cross(o, inertia @ o)]
        )
        c = -d.r * np.array([n[0], n[1], 0.0]) / np.hypot(n[0], n[1])
        free = u + STEP * np.linalg.solve(M, forces)
        if qm[2] + n @ c <= 0.0:
            axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
            W = np.hstack([axes, np.cross(c, axes @ R)])
            lift = np.linalg.solve(M, W.T)
            G, gamma = W @ lift, W @ free
            while True:
                x = P - factor * (G @ P + gamma)
                normal = max(x[0], 0.0)
                size = np.hypot(x[1], x[2])
                k = min(1.0, form.law.sliding.mu * normal / size) if size > 0.0 else 1.0
                new = np.array([normal, k * x[1], k * x[2]])
                change, P = np.abs(new - P).sum(), new
                if change < tol:
                    break
            free = free + lift @ P
        u = free
        q = qm + 0.5 * STEP * position_rate(qm, u)
        q[3:] /= np.linalg.norm(q[3:])
    return q, u


def main() -> None:
    """Measure and print."""
    read = argparse.ArgumentParser(description="What a time step costs.")
    read.add_argument("--mujoco", metavar="PYTHON", help="an interpreter that can import mujoco")
    given = read.parse_args()
    costs = {}
    for law_name, law in LAWS.items():
        form = tippedisk("V1", law)
        for scheme in SCHEMES:
            costs["quaternion form", law_name, scheme] = per_step(form, np.concatenate(table_start(form)), scheme)
        body, state = as_sliding(form, law)
        for scheme in SCHEMES:
            costs["sliding body", law_name, scheme] = per_step(body, state, scheme)
    form = tippedisk("V1", LAWS["Coulomb"])
    reference = costs["quaternion form", "Coulomb", "moreau"]
    print(f"{'us per step':<34}{''.join(f'{scheme:>10}' for scheme in SCHEMES)}")
    for what in ("quaternion form", "sliding body"):
        for law_name in LAWS:
            row = "".join(f"{costs[what, law_name, scheme]:10.2f}" for scheme in SCHEMES)
            print(f"{what + ', ' + law_name:<34}{row}")
    high = np.concatenate(start(form, gamma=0.1, alpha_rate=40.0, gap=200.0))
    air = per_step(form, high, "moreau")
    print(f"quaternion form in the air, no contact: {air:.2f} us; the contact is {100 * (1 - air / reference):.0f} % of a step")
    q, u = table_start(form)
    began = time.process_time()
    made = np.concatenate(numpy_steps(form, q, u, 2000))
    plain = 1e6 * (time.process_time() - began) / 2000
    apart = np.abs(made - simulate(form, np.concatenate([q, u]), 2000 * STEP, method="thesis", dt=STEP).end_state).max()
    thesis = costs["quaternion form", "Coulomb", "thesis"]
    print(
        f"plain NumPy, thesis: {plain:.0f} us, {plain / thesis:.0f} times as much; states after 2000 steps differ by {apart:.1e}"
    )
    if given.mujoco:
        told = subprocess.run([given.mujoco, "-c", MUJOCO], check=True, capture_output=True, text=True).stdout.split()
        print(
            f"MuJoCo {told[0]}, {told[2]} contact: {1e6 * float(told[1]):.2f} us, {1e6 * float(told[1]) / reference:.2f} times as much"
        )
    print(f"bar: {BAR:g} us for the quaternion form with Coulomb friction; here {reference:.2f} us")


if __name__ == "__main__":
    main()
