"""How a body among surfaces is made: surfaces, laws and restitutions put together, and what cannot be honoured refused by name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, number
from ...kernel.system import validate
from ..body import Body, check_body
from ..contact import check_contacts
from ..laws.contensou import Contensou
from ..laws.each import each, laws_in
from ..laws.friction import Friction, NoContour, contour_ratio, friction
from ..shapes.convex import Cylinder, Rim, Sphere
from ..shapes.curvature import directions, principal_radii
from ..shapes.hull import corners
from ..shapes.smoothness import smoothness
from ..surfaces.distance import distance, flat, hollow_radius, moves
from ..surfaces.in_numbers import in_numbers
from ..surfaces.plane import Plane
from .feet import Feet, Lowest, Rims, Tripod
from .meeting import linked, surfaces_in
from .touching import Touching

MOST_FEET = 32  # corners of a polyhedron that are its feet
WAYS = "a surface such as Plane(), wall((1, 0, 0)), Bowl(0.5); or a list of surfaces, each alone or as (surface, law) or (surface, law, restitution)"


def coefficient(given: Any, what: str = "restitution") -> float:
    """A coefficient of restitution."""
    value = number(given, what)
    if not 0.0 <= value <= 1.0:
        raise InputError(f"{what} = {given!r} must lie between 0 (no rebound) and 1 (no loss).")
    return value


def entries(on: Any, law: Any, bounce: Any) -> list[tuple[Any, Any, float]]:
    """(surface, law, restitution) for every surface; what is not said there is the common one."""
    given = [Plane()] if on is None else [on] if hasattr(on, "_fields") or not isinstance(on, (list, tuple)) else list(on)
    if not given:
        raise InputError(f"on = {on!r} holds no surface; give {WAYS}.")
    common = laws_in(law)
    if len(common) not in (1, len(given)):
        raise InputError(f"law puts together {len(common)} laws for {len(given)} surfaces; give one for each, or one for all.")
    found = []
    for i, entry in enumerate(given):
        law = common[min(i, len(common) - 1)]
        plain = isinstance(entry, (list, tuple)) and not hasattr(entry, "_fields")
        if plain and not 1 <= len(entry) <= 3:
            raise InputError(f"{entry!r} among the surfaces is not (surface, law, restitution); give {WAYS}.")
        surface, own, e = (*entry, *(law, bounce)[len(entry) - 1 :]) if plain else (entry, law, bounce)
        if not (isinstance(surface, tuple) and distance.knows(type(surface))):
            raise InputError(f"on = {surface!r} is not a surface; give {WAYS}.")
        surface = in_numbers(surface)
        validate(surface)
        if own is None:
            raise InputError(
                f"the contact with {called(surface)} needs a friction law, e.g. law=Coulomb(0.3) or law=Regularised(0.3, 0.1)."
            )
        if not hasattr(own, "_fields"):
            raise InputError(
                f"{own!r} for the contact with {called(surface)} is not a friction law; give e.g. Coulomb(0.3) or Regularised(0.3, 0.1) of "
                f"rollick.mechanics.laws, and for several surfaces one law, each(law0, law1, ...), or (surface, law) in the list of surfaces."
            )
        whole = own if isinstance(own, Friction) else friction(own)
        validate(whole)
        found.append((surface, whole, coefficient(e)))
    return found


def read_feet(given: Any) -> Feet:
    """Contacts from a list of points (x, y, z) or small spheres (x, y, z, radius)."""
    try:
        listed = [tuple(place) for place in given]
    except TypeError:
        raise InputError(
            f"feet = {given!r} must be Lowest(), Tripod(), Rims(half), or a list of points (x, y, z) or spheres (x, y, z, radius)."
        ) from None
    if not listed:
        raise InputError("feet = [] leaves the body nothing to touch with; leave feet out, or give at least one (x, y, z).")
    places = []
    for place in listed:
        if len(place) not in (3, 4):
            raise InputError(f"the foot {place!r} must be a point (x, y, z) or a small sphere (x, y, z, radius), in metres.")
        numbers = tuple(number(v, f"{name} of the foot {place!r}", "m") for v, name in zip(place, ("x", "y", "z", "radius")))
        if len(numbers) == 4 and numbers[3] < 0.0:
            raise InputError(f"the radius of the foot {place!r} must not be negative.")
        places.append((*numbers, 0.0) if len(numbers) == 3 else numbers)
    return Feet(tuple(places))


def choose_feet(body: Body, surfaces: list[Any], feet: Any) -> Any:
    """The feet that were asked for; by default a sphere itself, the points of rims on flat surfaces, the corners of a polyhedron that has few, or
    the point nearest to a surface."""
    if isinstance(feet, Rims):
        if not isinstance(body.shape, Cylinder):
            raise InputError(
                f"Rims are the feet of a Cylinder, not of {called(body.shape)}; leave feet out, or list places (x, y, z)."
            )
        if not (isinstance(feet.half, float) and abs(feet.half - 0.5 * body.shape.h) < 1e-9 * body.shape.h):
            raise InputError(
                f"{feet!r} must be half as high as {body.shape!r}; leave feet out: Rims({0.5 * body.shape.h:g}) are its default."
            )
    if feet is not None:
        return feet if isinstance(feet, (Lowest, Tripod, Rims, Feet)) else read_feet(feet)
    if isinstance(body.shape, Sphere) and not (len(surfaces) == 1 and isinstance(surfaces[0], Plane)):
        return Feet(((0.0, 0.0, 0.0, float(body.shape.radius)),))
    if isinstance(body.shape, Rim) and all(flat(s) for s in surfaces):
        return Tripod()
    if isinstance(body.shape, Cylinder) and all(flat(s) for s in surfaces):
        return Rims(0.5 * float(body.shape.h))
    angular = corners(body.shape)
    if angular is not None and len(angular[0]) <= MOST_FEET:
        return Feet(tuple((*place, angular[1]) for place in angular[0].tolist()))
    return Lowest()


def jumps_over_faces(body: Body, feet: Any) -> bool:
    """Whether a body touches with one point that jumps, because its shape has flat faces."""
    return isinstance(feet, Lowest) and not smoothness(body.shape).rolls


def check_contact_point(body: Body, feet: Any, laws: list[Friction]) -> None:
    """Refuse laws that ask how the surface is curved at the contact, for a body whose contact point jumps."""
    curved = [
        part
        for law in laws
        for part in law
        if isinstance(part, Contensou) or (contour_ratio.knows(type(part)) and not isinstance(part, NoContour))
    ]
    if curved and jumps_over_faces(body, feet):
        raise InputError(
            f"{called(curved[0])} friction is for a contact point that moves smoothly over the body, and this one jumps: the shape has flat faces. Give the "
            f"body feet with a radius, feet=[(x, y, z, radius), ...], or a smooth shape, smooth_fit(shape)."
        )


def check_one_point(body: Body, feet: Any) -> None:
    """Refuse the motion of a body with flat faces that touches at its lowest point alone: where that jumps to another corner both touch, and a motion with one of
    them at a time is another one (a tetrahedron that comes to rest on its corners gains energy)."""
    if jumps_over_faces(body, feet):
        raise InputError(
            "the lowest point of a body with flat faces jumps from corner to corner, and contact at that one point is not how it moves; give the body its corners as "
            "feet, feet=[(x, y, z), ...], or a smooth shape, smooth_fit(shape)."
        )


def check_fit(body: Body, surfaces: list[Any], feet: Any) -> None:
    """Refuse what one contact point cannot do: three points of a rim on a curved surface, a body that is flatter than its vessel."""
    for surface in surfaces:
        if isinstance(feet, (Tripod, Rims)) and not flat(surface):
            raise InputError(f"{called(feet)} is for flat surfaces; on {called(surface)} take feet=Lowest(), or a list of feet.")
        room = float(hollow_radius(surface))
        if not math.isfinite(room):
            continue
        if isinstance(feet, Feet):
            size = max(place[3] for place in feet.places)
        else:
            size = max(principal_radii(body.shape, n).r2 for n in directions(60))
        if not size < room:
            raise InputError(
                f"the body has a radius of curvature of {size:.6g} m and {called(surface)} one of {room:.6g} m: it would touch at more than one "
                f"point; take a smaller body, or give it feet."
            )


def among(body: Body, listed: list[tuple[Any, Any, float]], feet: Any, sigma: float, g: float) -> Touching:
    """A body among surfaces."""
    surfaces = [surface for surface, _, _ in listed]
    chosen = choose_feet(body, surfaces, feet)
    check_fit(body, surfaces, chosen)
    for surface, law, _ in listed:
        if not isinstance(law.contour, NoContour) and (not flat(surface) or moves(surface)):
            raise InputError(
                f"contour friction ({called(law.contour)}) is for flat surfaces at rest, not for {called(surface)}; leave it out there."
            )
    laws = [law for _, law, _ in listed]
    check_contact_point(body, chosen, laws)
    law = laws[0] if all(other == laws[0] and type(other) is type(laws[0]) for other in laws) else each(*laws)
    made = Touching(body, (0.0, 0.0, -g), linked(surfaces), law, tuple(e for _, _, e in listed), chosen, sigma)
    check_contacts(made)
    return made


@validate.register(Touching)
def _(system):
    check_body(system.body)
    for surface in surfaces_in(system.on):
        validate(surface)
    check_one_point(system.body, system.feet)
    if not np.isfinite(system.sigma) or system.sigma < 0.0:
        raise InputError(f"sigma = {system.sigma!r} must not be negative: it would feed energy into the body.")
    check_contacts(system)
