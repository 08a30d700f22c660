"""Queries about sessions; each question of several pages is answered here once."""
