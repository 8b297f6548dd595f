"""The errata of the five works: what is printed, what must stand there, what shows it, and what it changes; as data, one file per work."""

from .erratum import Erratum, Evidence, Work, find_works, works

__all__ = ["Erratum", "Evidence", "Work", "find_works", "works"]
