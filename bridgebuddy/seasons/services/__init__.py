"""Changes to a season: one change, one function."""
