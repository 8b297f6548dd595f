"""The rattleback's motion by DOP853 as a C program, made from the same sources: its equations traced to C, its tableau written out. The natural limit of speed.

The same stages, error estimate and step-size control as `rollick.motion.ode.explicit`, without dense output, events and limits; one system, one state's length, all known
to the compiler.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from rollick import Rattleback
from rollick.motion.ode.control import GROW, SAFETY, SHRINK
from rollick.motion.ode.dop853_tableau import E3, E5, A, B

FLAGS = ("-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fPIC", "-shared")


class Traced:
    """A number of which only the C expression is known; each operation becomes a line."""

    def __init__(self, lines: list[str], text: str):
        self.lines, self.text = lines, text

    def made(self, text: str) -> Traced:
        """A new variable."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"const double {name} = {text};")
        return Traced(self.lines, name)

    def __add__(self, o: Any) -> Traced:
        return self.made(f"{self.text} + {told(o)}")

    def __radd__(self, o: Any) -> Traced:
        return self.made(f"{told(o)} + {self.text}")

    def __sub__(self, o: Any) -> Traced:
        return self.made(f"{self.text} - {told(o)}")

    def __rsub__(self, o: Any) -> Traced:
        return self.made(f"{told(o)} - {self.text}")

    def __mul__(self, o: Any) -> Traced:
        return self.made(f"{self.text} * {told(o)}")

    def __rmul__(self, o: Any) -> Traced:
        return self.made(f"{told(o)} * {self.text}")

    def __truediv__(self, o: Any) -> Traced:
        return self.made(f"{self.text} / {told(o)}")

    def __rtruediv__(self, o: Any) -> Traced:
        return self.made(f"{told(o)} / {self.text}")

    def __neg__(self) -> Traced:
        return self.made(f"-{self.text}")


def told(x: Any) -> str:
    """A number, or a variable, in C."""
    return x.text if isinstance(x, Traced) else repr(float(x))


def rate_source(plain_equations: Any) -> str:
    """The rates of the rattleback as a C function; the numbers of the stone are read from an array."""
    lines: list[str] = []
    stone = Rattleback(*(Traced(lines, f"p[{k}]") for k in range(len(Rattleback._fields))))
    y = [Traced(lines, f"y[{k}]") for k in range(6)]
    out: list[Any] = [None] * 6

    def sincos(x: Traced) -> tuple[Traced, Traced]:
        return x.made(f"sin({x.text})"), x.made(f"cos({x.text})")  # gcc joins the two

    with plain_equations(sincos=sincos, sqrt=lambda x: x.made(f"sqrt({x.text})")) as write_rates:
        write_rates(stone, y, out, False)
    body = "\n  ".join([*lines, *(f"out[{k}] = {told(v)};" for k, v in enumerate(out))])
    return f"static inline void rate(const double *restrict p, const double *restrict y, double *restrict out) {{\n  {body}\n}}\n"


def summed(weights: dict[int, float]) -> str:
    """w1 k[0][i] + ..."""
    return " + ".join(f"{w!r} * k[{j - 1}][i]" for j, w in weights.items())


def source(plain_equations: Any) -> str:
    """The whole program."""
    stages = "".join(
        f"  for (int i = 0; i < 6; i++) z[i] = y[i] + h * ({summed(A[s])});\n  rate(p, z, k[{s - 1}]);\n" for s in range(2, 13)
    )
    return f"""#include <math.h>
{rate_source(plain_equations)}
static double step(const double *p, const double *y, double h, double k[13][6], double *z, double rtol, const double *atol) {{
{stages}  for (int i = 0; i < 6; i++) z[i] = y[i] + h * ({summed(B)});
  rate(p, z, k[12]);
  double total3 = 0.0, total5 = 0.0, spoiled = 0.0;
  for (int i = 0; i < 6; i++) {{
    spoiled += 0.0 * k[12][i];
    const double weight = 1.0 / (atol[i] + rtol * fmax(fabs(y[i]), fabs(z[i])));
    const double e5 = ({summed(E5)}) * weight, e3 = ({summed(E3)}) * weight;
    total5 += e5 * e5; total3 += e3 * e3;
  }}
  if (total5 == 0.0) return spoiled;
  return fabs(h) * total5 / sqrt((total5 + 0.01 * total3) * 6.0) + spoiled;
}}
static double factor(double error, double most) {{
  return error > 0.0 ? fmin(most, fmax({SHRINK!r}, {SAFETY!r} * pow(error, -0.125))) : most;
}}
long motions(long count, const double *ps, int fields, double *ys, double end, double rtol, const double *atol, const double *first) {{
  long steps = 0;
  for (long m = 0; m < count; m++) {{
    const double *p = ps + m * fields;
    double *y = ys + m * 6, k[13][6], z[6], t = 0.0, next = first[m];
    int rejected = 0;
    rate(p, y, k[0]);
    while (t < end) {{
      const int final = fabs(next) * 1.01 >= end - t;
      const double h = final ? end - t : next;
      const double error = step(p, y, h, k, z, rtol, atol);
      if (!(error <= 1.0)) {{ rejected = 1; next = isfinite(error) ? h * factor(error, 1.0) : 0.1 * h; continue; }}
      t = final ? end : t + h;
      for (int i = 0; i < 6; i++) {{ y[i] = z[i]; k[0][i] = k[12][i]; }}
      steps++;
      next = fabs(h) * factor(error, rejected ? 1.0 : {GROW!r});
      rejected = 0;
    }}
  }}
  return steps;
}}
"""


class Twin:
    """The compiled program."""

    def __init__(self, folder: Path, plain_equations: Any):
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise RuntimeError("there is no C compiler")
        file = folder / "twin.c"
        file.write_text(source(plain_equations), encoding="utf-8")
        subprocess.run([compiler, *FLAGS, str(file), "-o", str(folder / "twin.so"), "-lm"], check=True)
        self.code = ctypes.CDLL(str(folder / "twin.so")).motions
        self.code.restype = ctypes.c_long

    def run(
        self, stones: np.ndarray, starts: np.ndarray, end: float, rtol: float, atol: np.ndarray, first: np.ndarray
    ) -> tuple[np.ndarray, int]:
        """The states at the end, and the number of steps of all motions."""
        ys = np.ascontiguousarray(starts, float).copy()
        reals = ctypes.POINTER(ctypes.c_double)

        def at(a: np.ndarray) -> Any:
            return a.ctypes.data_as(reals)

        stones, atol, first = (np.ascontiguousarray(a, float) for a in (stones, atol, first))
        steps = self.code(
            ctypes.c_long(len(ys)), at(stones), ctypes.c_int(stones.shape[1]), at(ys), ctypes.c_double(end), ctypes.c_double(rtol), at(atol), at(first)
        )  # fmt: skip
        return ys, int(steps)
