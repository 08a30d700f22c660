"""More or fewer tables during play."""
