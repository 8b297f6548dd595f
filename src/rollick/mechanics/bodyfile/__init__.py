"""A body from a file: shape, mass, contact, surfaces, start and options in one TOML table, in plain units, checked field by field."""

from .read import BodyFile, read_body

__all__ = ["BodyFile", "read_body"]
