"""Names that models had, or that several things have, and what to say now. It loads nothing: the command line asks before it loads the models."""

FORMER = {
    "lander": "the model lander is called philae now, like its command and its study; write philae.",
    "dropped_device": "the model dropped_device is called drop now, like its command; write drop.",
    "disk": "disk may mean several models: rolling_disk rolls on its edge without slip and twist, euler_disk loses its energy by friction, "
    "dying_disk by impacts (`rollick disk` is about that one), tippedisk turns its mass centre up, spring_disk slips and rolls along a line; write one of these.",
}
