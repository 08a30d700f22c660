"""Changes to results: each is one function that locks, records and counts."""
