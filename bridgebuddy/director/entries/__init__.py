"""Who plays: entering, seating."""
