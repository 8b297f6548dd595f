"""What rolling asks of the contact, as a sentence."""

from __future__ import annotations


def contact_sentence(demand: float, margin: float) -> str:
    """What rolling asks of the contact: the friction it needs, and how much normal force it leaves."""
    if margin <= 0.0:
        return (
            f"contact: the body would lift off (normal force down to {margin:.3g} of its weight); rolling is not attainable here"
        )
    remark = "" if demand <= 1.0 else ", more than most surfaces give"
    return f"contact: this rolling needs mu >= {demand:.2f}{remark}; normal force down to {margin:.3f} of the weight"
