"""Rounds drawn from results, and extra boards of level matches."""
