"""Kernels compiled and assembled where there is a CUDA toolkit (CUDA_HOME) but no GPU: whether they can be, and what they need.

numba-cuda asks the driver for the device it compiles for, and NVRTC for the architectures it knows; here both are told.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numba
from numba import cuda
from numba.cuda import cuda_paths
from numba.cuda import dispatcher as cuda_dispatcher
from numba.cuda.cudadrv import nvrtc, nvvm

CAPABILITY = 9, 0  # an H200
TOOLKIT = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))

cuda_dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
cuda_paths._get_nvrtc_path = lambda: None
nvrtc.get_arch_option = lambda *_: "compute_{}{}".format(*CAPABILITY)
nvvm.get_libdevice = lambda: str(next((TOOLKIT / "nvvm" / "libdevice").glob("libdevice*.bc")))


def assemble(kernel, arguments):
    """Compile a kernel for these arguments and assemble it; what the assembler says of it. Nothing outside the kernel may be called."""
    kinds = tuple(numba.typeof(a) for a in arguments)
    code, _ = cuda.compile_ptx(kernel.py_func, kinds, cc=CAPABILITY)
    outside = re.findall(r"\.extern \.func[^;]*?(\w+)\s*\(", code)
    assert not outside, f"the kernel calls {outside}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ptx"
        path.write_text(code)
        command = [TOOLKIT / "bin" / "ptxas", "-v", "-arch=sm_{}{}".format(*CAPABILITY), path, "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stack = max((int(n) for n in re.findall(r"(\d+) bytes stack frame", done.stderr)), default=0)
    used = max((int(n) for n in re.findall(r"Used (\d+) registers", done.stderr)), default=0)
    return f"{used} registers, {stack} bytes of stack"
