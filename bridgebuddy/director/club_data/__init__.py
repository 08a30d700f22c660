"""Personal data of a club: shown, exported and deleted."""
