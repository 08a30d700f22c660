"""Lists for the wall and for the director."""
