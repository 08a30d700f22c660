"""Imports of past sessions and of lists of members."""
