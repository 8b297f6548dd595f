"""Slip in its modes: how large it is, how it begins along a limit direction, goes on, and ends."""
