"""Contact from event to event in compiled code: motions that are some of many, on threads and on GPUs."""
