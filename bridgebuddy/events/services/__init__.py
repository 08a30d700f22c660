"""Changes to sessions: each is one function that locks, records and counts."""
