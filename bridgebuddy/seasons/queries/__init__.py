"""Queries about a season: a club's final lists, championships, handicaps and ratings."""
