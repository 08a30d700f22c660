"""A player's own page: who gets at it, what it says, and what is kept of somebody."""
