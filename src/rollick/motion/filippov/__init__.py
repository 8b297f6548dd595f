"""Motions of systems with one or two dry contacts through their modes: the method "filippov"."""
