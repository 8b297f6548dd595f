"""Restitution along the plane: what a friction law says about impacts."""

from __future__ import annotations

from ...kernel.dispatch import generic
from .friction import Friction
from .sliding import Coulomb


@generic
def tangential_restitution(law):
    """e_T of impacts with friction."""


@tangential_restitution.otherwise
def _(law):
    return 0.0


@tangential_restitution.register(Coulomb)
def _(law):
    return law.e_T


@tangential_restitution.register(Friction)
def _(law):
    return tangential_restitution(law.sliding)
