"""Copies of board sets: their places and ways during the session."""
