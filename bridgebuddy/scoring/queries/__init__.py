"""What is read of results; everything computed is computed by `rules` from the session's document."""
