"""Bodies with one or two closed contacts as forms of dry contacts, followed by the machine for forms: a judge of the one that follows bodies. It ends where a contact opens."""

from __future__ import annotations

from dataclasses import dataclass

from rollick.kernel.apart import apart
from rollick.kernel.compiled import compiled
from rollick.kernel.local_array import local_array
from rollick.mechanics.contact import contact_count, contacts_move, law_of, positions, tidy, velocities
from rollick.mechanics.sliding.equations import Sliding
from rollick.mechanics.sliding.touching import Touching
from rollick.motion.contact.balance import balance, force_count
from rollick.motion.contact.onto import pull_onto
from rollick.motion.contact.resistance import grip
from rollick.motion.filippov.systems.form import contact_form, contact_total, grip_and_load, hold, presses
from rollick.motion.methods import EventDriven, modes_of_bodies, modes_of_forms


@compiled
def body_form(system, modes, t, y, free, push, c, A, slip):
    """`balance`, in the rows of a form."""
    apart()
    nq, nu, n = positions(system), velocities(system), force_count(system)
    c_all = local_array(n, y.dtype)
    A_all = local_array((n, n), y.dtype)
    lift = local_array((n, nu), y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    balance(system, modes, t, y, free[:nq], free[nq : nq + nu], c_all, A_all, lift, gamma, power)
    for a in range(n):
        if modes[a // 3] > 0:
            c[a] = c_all[a]
            for i in range(nq):
                push[a, i] = 0.0 * y[0]
            for j in range(nu):
                push[a, nq + j] = lift[a, j]
            for b in range(n):
                if modes[b // 3] > 0:
                    A[a, b] = A_all[a, b]
            if a % 3 > 0:
                slip[2 * (a // 3) + a % 3 - 1] = gamma[a]


@compiled
def hold_body(system, modes, y):
    """gap, gap' and the slip of contacts that roll at zero, unless a surface moves."""
    apart()
    tidy(system, y[: positions(system)])
    if (modes[0] > 0 or modes[1] > 0) and not contacts_move(system):
        pull_onto(system, modes, 0.0, y)
    return True


for body in (Sliding, Touching):
    contact_total.register(body)(lambda system: int(contact_count(system)))
    presses.register(body)(lambda system: True)
    contact_form.register(body)(
        lambda system, modes, t, y, free, push, c, A, slip: body_form(system, modes, t, y, free, push, c, A, slip)
    )
    grip_and_load.register(body)(lambda system, t, y, k: (grip(law_of(system, k)) + 0.0 * y[0], 0.0 * y[0]))
    hold.register(body)(lambda system, modes, y: hold_body(system, modes, y))


@dataclass(frozen=True)
class AsForm(EventDriven):
    """Motions of bodies with one or two closed contacts, as forms."""

    def check(self, system):
        """Whatever has a form."""

    def integrals(self, system, wanted, variational):
        """None."""
        return 0

    def begin(self, run, s):
        """The stepper of forms."""
        return modes_of_forms.begin(self, run, s)

    def run(self, problem):
        """The motion, as that of a form."""
        return modes_of_forms.run(self, problem)

    def followed(self, problem):
        """The motion and its stepper, as those of a form."""
        return modes_of_forms.followed(self, problem)

    def depth(self, motion):
        """As of a body."""
        return modes_of_bodies.depth(self, motion)

    def compared(self, motion, simulate):
        """What the regularised twin says."""
        return modes_of_forms.compared(motion, simulate)
