"""What happens on arrival at a discontinuity of codimension one, two and three: fields, their limits and directions, in plain Python."""
