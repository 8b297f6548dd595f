"""Where a scan of steps for zeros stands, and what is known of the latest zero: entries of two plain arrays, kept from block to block."""

# Where a scan stands: the step; how many zeros were found; whether the careful search was asked; how the present step ends, and the fraction of it up to
# which all zeros are known; one more than the step whose first value is known (0: none); how many dense outputs were made.
STEP, FOUND, ASKED, STATUS, UPTO, HELD, MADE = range(7)
ENTRIES = 7

# What is known of the latest zero of a component: its fraction of the last step (1: the start of the next step is as good as zero and has been reported);
# how near to zero g has stayed since (0: it has left); its kind; its noise; the row it was written to in this block, or why not. Then what `skim` knows: the
# value at the end of the last step looked at, and whether the function depends on time.
FRACTION, NEAR, KIND, NOISE, ROW, VALUE, TIMED = range(7)
COLUMNS = 7
UNTOLD, TOLD = -1.0, -2.0  # not reported; reported in an earlier block
UNKNOWN, TIMELESS, OF_TIME = 0.0, 1.0, 2.0  # whether a function depends on time
