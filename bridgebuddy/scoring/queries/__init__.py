"""Queries about results. All calculations are done by `rules` from the session's document."""
