"""Matches of two contestants: their boards, values and standings."""
