"""Steps of DOP853, and whole motions of a rattleback with step-size control; how many motions a second."""

import math
import time

import numpy as np
from numba import cuda, float64

from rollick.kernel.compiled import compiled
from rollick.kernel.system import dim, rate
from rollick.motion.ode import control as c
from rollick.motion.ode.block import Block, Tolerance
from rollick.motion.ode.control import GROW, step_factor
from rollick.motion.ode.dense import interpolate
from rollick.motion.ode.dop853 import NEW, dop853_dense, dop853_step
from rollick.motion.ode.explicit import advance_explicit, first_step

from .checks import COUNT, FEW, SIMULATED, STATES, STONE, check, launch
from .systems import rate_on_cpu


@cuda.jit
def step_kernel(system, y, h, out, errors):
    i = cuda.grid(1)
    if i < y.shape[0]:
        k = cuda.local.array((18, 6), float64)
        here = cuda.local.array(6, float64)
        atol = cuda.local.array(6, float64)
        for j in range(6):
            here[j] = y[i, j]
            atol[j] = 1e-12
        rate(system, 0.0, here, k[0])
        errors[i] = dop853_step(system, 0.0, here, h, k, 1e-9, atol)
        for j in range(6):
            out[i, j] = k[NEW, j]


@check("dop853_step: the new state", 1e-12)
def _():
    return one_step()[0]


@check("dop853_step: the error estimate", 1e-4)  # a small difference of large numbers
def _():
    return one_step()[1]


def one_step():
    h, out, errors = 4e-3, np.zeros((COUNT, 6)), np.zeros(COUNT)
    launch(step_kernel, COUNT, STONE, STATES, h, out, errors)
    expected, wanted, k = np.zeros((COUNT, 6)), np.zeros(COUNT), np.zeros((18, 6))
    for i, y in enumerate(STATES):
        rate_on_cpu(STONE, y[None], k[:1])
        wanted[i] = dop853_step(STONE, 0.0, y, h, k, 1e-9, np.full(6, 1e-12))
        expected[i] = k[NEW]
    return (out, expected), (errors, wanted)


@compiled
def steps_and_dense(system, y, k, f, atol, h, count, middle):
    """`count` steps of equal length; the state in the middle of the last one by dense output."""
    rate(system, 0.0, y, k[0])
    for n in range(count):
        dop853_step(system, n * h, y, h, k, 1e-9, atol)
        if n == count - 1:
            dop853_dense(system, n * h, y, h, k, f)
            interpolate(0.5, y, f, middle)
        for j in range(dim(system)):
            y[j] = k[NEW, j]
            k[0, j] = k[12, j]


@cuda.jit
def steps_kernel(system, starts, h, count, out, middles):
    i = cuda.grid(1)
    if i < starts.shape[0]:
        k = cuda.local.array((18, 6), float64)
        f = cuda.local.array((7, 6), float64)
        y = cuda.local.array(6, float64)
        atol = cuda.local.array(6, float64)
        middle = cuda.local.array(6, float64)
        for j in range(6):
            y[j] = starts[i, j]
            atol[j] = 1e-12
        steps_and_dense(system, y, k, f, atol, h, count, middle)
        for j in range(6):
            out[i, j] = y[j]
            middles[i, j] = middle[j]


@check("dop853_step in a loop, with dense output", 1e-9)
def _():
    count = 10 if SIMULATED else 250
    out = np.zeros((2, COUNT, 6))
    gentle = STATES * np.array([0.03, 0.03, 1.0, 0.03, 0.03, 1.0])  # equal steps suit no pitching stone
    launch(steps_kernel, COUNT, STONE, gentle, 1e-3, count, out[0], out[1])
    expected = np.zeros((2, COUNT, 6))
    for i in range(COUNT):
        expected[0, i] = gentle[i]
        steps_and_dense(
            STONE, expected[0, i], np.zeros((18, 6)), np.zeros((7, 6)), np.full(6, 1e-12), 1e-3, count, expected[1, i]
        )
    return out, expected


# whole motions, with step-size control


@compiled
def lean(system, y, k, atol, rtol, end):
    """The adaptive loop and nothing else, with the control of `advance_explicit`; the number of steps tried."""
    n = dim(system)
    t = 0.0
    rate(system, t, y, k[0])
    h = first_step(system, t, y, end, 8.0, math.inf, k, rtol, atol)
    most = GROW
    tried = 0
    while t < end and tried < 1000000:
        final = h * 1.01 >= end - t
        if final:
            h = end - t
        error = dop853_step(system, t, y, h, k, rtol, atol)
        tried += 1
        factor = step_factor(error, GROW)
        if error <= 1.0:
            for j in range(n):
                y[j] = k[NEW, j]
                k[0, j] = k[12, j]
            t = end if final else t + h
            h *= min(most, factor)
            most = GROW
        else:
            h *= factor if math.isfinite(error) else 0.1
            most = 1.0
    return tried if t == end else -tried


@compiled
def by_advance(system, s, y, k, atol, rtol, end, at, at_out, ts, ys, fs):
    """The package's own block of steps, called until the end is reached; why it ended."""
    for j in range(s.size):
        s[j] = 0.0
    s[c.END], s[c.MOST_STEP], s[c.LEFT], s[c.NEXT_AT] = end, math.inf, 1e6, at.size
    rate(system, 0.0, y, k[0])
    s[c.STEP] = first_step(system, 0.0, y, end, 8.0, math.inf, k, rtol, atol)
    status = c.FULL
    while status == c.FULL:
        status = advance_explicit(system, s, y, k, Tolerance(rtol, atol), Block(ts, ys, fs, at, at_out, False, False, False))
    return status


def lean_kernel(**options):
    @cuda.jit(**options)
    def kernel(system, starts, rtol, end, out, status):
        i = cuda.grid(1)
        if i < starts.shape[0]:
            k = cuda.local.array((18, 6), float64)
            y = cuda.local.array(6, float64)
            atol = cuda.local.array(6, float64)
            for j in range(6):
                y[j] = starts[i, j]
                atol[j] = 1e-3 * rtol
            status[i] = lean(system, y, k, atol, rtol, end)
            for j in range(6):
                out[i, j] = y[j]

    return kernel


def advance_kernel(**options):
    @cuda.jit(**options)
    def kernel(system, starts, rtol, end, out, status):
        i = cuda.grid(1)
        if i < starts.shape[0]:
            s = cuda.local.array(24, float64)
            k = cuda.local.array((18, 6), float64)
            y = cuda.local.array(6, float64)
            atol = cuda.local.array(6, float64)
            at = cuda.local.array(1, float64)
            at_out = cuda.local.array((1, 6), float64)
            ts = cuda.local.array(1025, float64)
            ys = cuda.local.array((1, 6), float64)
            fs = cuda.local.array((1, 7, 6), float64)
            for j in range(6):
                y[j] = starts[i, j]
                atol[j] = 1e-3 * rtol
            status[i] = by_advance(system, s, y, k, atol, rtol, end, at, at_out, ts, ys, fs)
            for j in range(6):
                out[i, j] = y[j]

    return kernel


def figure_4(count):
    """Kane and Levinson's start for Fig. 4, with the spin of each motion a little different."""
    starts = np.zeros((count, 6))
    starts[:, :2] = math.radians(0.5)
    starts[:, 5] = -5.0 - 0.01 * np.arange(count) / count
    return starts


END, RTOL = (0.1, 1e-9) if SIMULATED else (20.0, 1e-9)


def motion_check(name, factory, tolerance):
    def run():
        count = FEW
        starts, out, status = figure_4(count), np.zeros((count, 6)), np.zeros(count)
        launch(factory(), count, STONE, starts, RTOL, END, out, status)
        expected, wanted = starts.copy(), np.zeros(count)
        for i, y in enumerate(expected):
            if factory is lean_kernel:
                wanted[i] = lean(STONE, y, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END)
            else:
                room = np.zeros(1), np.zeros((1, 6)), np.zeros(1025), np.zeros((1, 6)), np.zeros((1, 7, 6))
                wanted[i] = by_advance(STONE, np.zeros(24), y, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END, *room)
        # Rounding grows some 600-fold in 20 s, and may once in a while decide whether a step is accepted.
        return np.column_stack([out, status > 0.0]), np.column_stack([expected, wanted > 0.0])

    check(name, tolerance)(run)


motion_check("motion to the end of Fig. 4, a lean loop", lean_kernel, 1e-5)
motion_check("motion to the end of Fig. 4, by advance_explicit", advance_kernel, 1e-5)


@check("both loops make the same steps", 1e-9)
def _():
    """On the CPU: what is timed below is what the package does."""
    first, second = figure_4(1)[0], figure_4(1)[0]
    lean(STONE, first, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END)
    room = np.zeros(1), np.zeros((1, 6)), np.zeros(1025), np.zeros((1, 6)), np.zeros((1, 7, 6))
    by_advance(STONE, np.zeros(24), second, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END, *room)
    return first, second


def run_timings(count=1 << 17):
    """Motions per second: 20 s of Fig. 4 at rtol 1e-9, one thread per motion."""
    print(f"\n{count} motions of 20 s, rtol 1e-9")
    for name, factory in (("a lean loop", lean_kernel), ("advance_explicit", advance_kernel)):
        for registers in (None, 128):
            try:
                kernel = factory() if registers is None else factory(max_registers=registers)
                for threads in (64, 128):
                    starts = cuda.to_device(figure_4(count))
                    out, status = cuda.device_array((count, 6)), cuda.device_array(count)
                    kernel[1, threads](STONE, starts, RTOL, 0.1, out, status)  # compiled here
                    cuda.synchronize()
                    best = math.inf
                    for _ in range(3):
                        began = time.perf_counter()
                        kernel[(count + threads - 1) // threads, threads](STONE, starts, RTOL, 20.0, out, status)
                        cuda.synchronize()
                        best = min(best, time.perf_counter() - began)
                    bad = int((status.copy_to_host() <= 0.0).sum())
                    used = next(iter(kernel.get_regs_per_thread().values()))
                    text = f"registers {'free' if registers is None else registers} ({used} used), {threads} threads a block"
                    print(f"  {name:18} {text:48} {best:8.3f} s  {count / best:12,.0f} motions/s  {bad} failed", flush=True)
            except Exception as error:
                print(f"  {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
