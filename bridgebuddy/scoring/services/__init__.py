"""What changes results: one change, one function, locked, recorded, counted."""
