"""Movements with a rover: one pair more than the tables seat."""
