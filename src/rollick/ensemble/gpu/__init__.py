"""Ensembles on GPUs: kernels of one thread for each motion, the devices they run on, and what keeps them on disk."""
