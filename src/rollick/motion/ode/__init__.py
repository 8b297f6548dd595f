"""Smooth motions: the integrators of ordinary differential equations, their control, dense output, and extended systems."""
