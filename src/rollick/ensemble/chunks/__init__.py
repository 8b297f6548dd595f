"""How some members of an ensemble are computed: made ready, in compiled loops over many or one by one, and measured on the way."""
