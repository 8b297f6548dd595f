"""What counts as nothing in a motion from event to event: lengths, speeds, times, accelerations and forces that are not worth an event of their own."""

# slip
STILL = 1e-10  # m/s: slip that counts as none, unless the velocities it is a difference of are not known that well
MOVING = 20.0  # times that: slip that has a direction
TRACE, STOPPED = 10.0, 5.0  # times that: the slip with which slip begins, and at which it ends

# gaps, relative to the size of the body (and to what positions may be off)
LIFTED = 1e-9  # a gap that is noise after lift-off; it has closed again when it is that far below
NET = 1e-8  # so far below the surface, an impact was missed and is caught up with
NEAR = 1e-9  # an open contact among several that is hardly so ...
LEAVING = 1e-5  # m/s: ... while it opens no faster
CLOSED = 1e-9  # a contact that takes part in an impact
LOW = 1e-9  # rebounds that are lower are summed, unless rtol is larger; a start that is lower touches

# impacts and rounding
SLOW = 1e-6  # m/s: an approach that counts as none where speeds are small
NOTHING = 1e-12  # s: rebounds that last no longer are none
ABOVE = 1e-15  # of the position: the rounding of a gap
DEEPEST = 1e-12  # m: a gap that rounding has made

# changes of mode
AHEAD = 1e-6  # s: how much later it is asked what follows at an edge between two modes
SAME, CROWD = 1e-12, 50  # s, and how many changes so close to each other are too many
DRIVE_EDGE = 1e-6  # of `drive`: closer to zero, the normal force of slip has no limit

# accelerations and forces, relative to the largest
SMALL = 1e-10  # they count as none
WEIGHTLESS = 1e-13  # what presses no more than that does not press
BESIDE = 1e-9  # slip that begins more slowly beside stick is no motion of its own
LOOSE = 1e-7  # what equations may be off, and what is tolerated where nothing fits exactly
ALIKE = 1e-9  # motions that are the same
ROOM = 1e-6  # contacts that stick with less room in their cones look for forces with more
MOST_CLOSED = 8  # contacts that may be closed at once: 6561 combinations of modes
