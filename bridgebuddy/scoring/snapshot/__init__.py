"""A session read once, and calculated by the rules."""
