"""Motions that change their equations: modes, guards, resets."""
