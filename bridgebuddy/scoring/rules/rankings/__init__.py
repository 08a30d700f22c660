"""Scores, rankings and masterpoints."""
