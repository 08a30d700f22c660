"""Rounds that are drawn: opponents from results, and their tables."""
