"""What changes sessions: one change, one function, locked, recorded, counted."""
