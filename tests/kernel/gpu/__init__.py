"""What runs inside CUDA kernels, compared with the CPU: one file per kind of thing (see ../cuda_checks.py)."""
